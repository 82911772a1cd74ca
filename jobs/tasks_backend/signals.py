"""What Django's own signals leave out."""

from __future__ import annotations

from django.dispatch import Signal

task_attempt_failed = Signal()
"""An attempt has failed and another will follow; Django's `task_finished` tells only of the last.

Sent like that one: by the worker, with the backend's class as sender, the result as `task_result`,
and while the exception is being handled. `delay_seconds` is the wait until the next attempt.
"""
