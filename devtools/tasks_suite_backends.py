"""QForge's backend in the clothes of Django's two, for `devtools.tasks_suite`."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections

from jobs.tasks_backend import QForgeBackend


class DummyBackend(QForgeBackend):
    """Keeps tasks and runs none; the tests look at what it has kept."""

    @property
    def results(self) -> list[Any]:
        from jobs.models import Job

        return [
            self.get_result(str(pk))
            for pk in Job.objects.order_by("id").values_list("pk", flat=True)
        ]

    def clear(self) -> None:
        from jobs.models import Job

        Job.objects.all().delete()


class ImmediateBackend(QForgeBackend):
    """Has run a task by a worker when `enqueue` returns."""

    def enqueue(self, task: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        result = super().enqueue(task, args, kwargs)
        _work()
        return self.get_result(result.id)

    async def aenqueue(self, task: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        result = await super().aenqueue(task, args, kwargs)
        await sync_to_async(_work)()
        return await self.aget_result(result.id)


def _work() -> None:
    from jobs.store.connections import alias
    from jobs.testing import run_pending
    from jobs.worker.options import PoolOptions
    from jobs.worker.pool import Pool

    if connections[alias()].in_atomic_block:
        # A worker would see the task when it is committed.
        run_pending()
        return

    def work() -> None:
        Pool(PoolOptions(threads=1, drain=True, listen=False)).run()
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
