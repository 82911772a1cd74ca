"""The tasks, declared with the package `django-tasks`."""

from __future__ import annotations

from django_tasks import task

from jobs.testing.tasks_conformance.functions import declared

globals().update(declared(task, __name__))
