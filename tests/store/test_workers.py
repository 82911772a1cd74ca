from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs.models import WorkerPool
from jobs.store import workers
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def beat(name: str = "pool", **fields: Any) -> None:
    plain = {"host": "h", "pid": 7, "version": "1", "queues": ["a"], "tasks": ["t"], "threads": 4}
    workers.beat(
        USING, name, **plain | {"busy": 0, "stopping": False, "services": {"rescue": 1.5}} | fields
    )


def test_the_first_beat_registers_the_pool() -> None:
    beat()
    row = WorkerPool.objects.get()
    assert (row.name, row.host, row.pid, row.threads) == ("pool", "h", 7, 4)
    assert (row.queues, row.tasks, row.services) == (["a"], ["t"], {"rescue": 1.5})


def test_later_beats_say_what_changes() -> None:
    beat()
    WorkerPool.objects.update(heartbeat_at=Now() - dt.timedelta(hours=1))
    old = WorkerPool.objects.get()
    beat(busy=3, stopping=True, services={"rescue": 0.1})
    row = WorkerPool.objects.get()
    assert (row.busy, row.stopping, row.services) == (3, True, {"rescue": 0.1})
    assert row.heartbeat_at > old.heartbeat_at
    assert row.started_at == old.started_at


def test_a_pool_whose_row_was_deleted_registers_again() -> None:
    beat()
    WorkerPool.objects.all().delete()
    beat()
    assert WorkerPool.objects.count() == 1


def test_a_pool_that_leaves_is_gone_and_the_others_stay() -> None:
    beat("a")
    beat("b")
    workers.leave(USING, "a")
    assert list(WorkerPool.objects.values_list("name", flat=True)) == ["b"]


def test_pools_not_heard_of_for_long_are_forgotten() -> None:
    beat("lost")
    WorkerPool.objects.update(heartbeat_at=Now() - dt.timedelta(seconds=100))
    beat("alive")
    assert workers.forget_lost(USING, age_seconds=200) == 0
    assert workers.forget_lost(USING, age_seconds=50) == 1
    assert list(WorkerPool.objects.values_list("name", flat=True)) == ["alive"]
