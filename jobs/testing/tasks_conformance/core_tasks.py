"""The tasks, declared with Django's own Tasks."""

from __future__ import annotations

from django.tasks import task

from jobs.testing.tasks_conformance.functions import declared

globals().update(declared(task, __name__))
