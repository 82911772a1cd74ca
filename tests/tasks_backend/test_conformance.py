"""QForge's backend, held to what its own suite asks of any."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import TransactionTestCase, override_settings

from jobs.tasks_backend.namespaces import NAMESPACES
from jobs.testing import tasks_conformance
from tests.worker.pools import drain

TASKS = {"default": {"BACKEND": "jobs.tasks_backend.QForgeBackend", "QUEUES": ["default", "other"]}}


@pytest.mark.postgres
@override_settings(TASKS=TASKS)
class _Ours(TransactionTestCase):
    available_apps = ["jobs"]


def _run_worker(test: Any, queue: str = "default") -> None:
    drain(threads=1, queues=(queue,))


for _home in NAMESPACES:
    for _name in tasks_conformance.__all__:
        _made: Any = type(
            f"{'Core' if _home.name == 'django.tasks' else 'Backport'}{_name}",
            (getattr(tasks_conformance, _name), _Ours),
            {"api": _home.name, "run_worker": _run_worker, "__module__": __name__},
        )
        globals()[_made.__name__] = _made
del _Ours, _made
