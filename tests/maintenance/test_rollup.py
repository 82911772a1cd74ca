from __future__ import annotations

import datetime as dt

import pytest
from django.db.models import Sum
from django.db.models.functions import Now
from django.test import override_settings

from jobs.maintenance import rollup as service
from jobs.maintenance.rollup import Rollup
from jobs.models import JobEvent, RollupPosition
from jobs.models import Rollup as Sums
from jobs.store import rollups
from jobs.store.connections import EngineConnection
from tests.support import factories
from tests.support.database import second_connection
from tests.support.events import Told

pytestmark = pytest.mark.postgres


@pytest.fixture
def rollup(engine: EngineConnection) -> Rollup:
    return Rollup(engine)


def finish_jobs(count: int) -> None:
    factories.finish(*map(factories.succeeded, factories.jobs(count, "running")))


def summed() -> int:
    return Sums.objects.filter(span_seconds=60).aggregate(n=Sum("jobs"))["n"] or 0


def test_a_long_outage_is_made_up_for_in_small_steps_with_short_pauses(
    rollup: Rollup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "BATCH", 4)
    finish_jobs(10)
    pauses, sums = [], []
    for _ in range(4):
        pauses.append(rollup.run_once())
        sums.append(summed())
    assert sums == [4, 8, 10, 10]
    assert pauses == [0.1, 0.1, 0.1, None]


def test_while_another_pool_does_it_this_one_leaves_it(rollup: Rollup) -> None:
    rollup.run_once()
    finish_jobs(1)
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM job_rollupstate FOR UPDATE")
        assert rollup.run_once() is None
        assert summed() == 0
        other.rollback()
    rollup.run_once()
    assert summed() == 1


@override_settings(QFORGE={"ROLLUP_RETENTION_SECONDS": 3600.0})
def test_old_sums_are_pruned_and_it_is_told(rollup: Rollup, told: Told) -> None:
    finish_jobs(1)
    JobEvent.objects.update(at=Now() - dt.timedelta(hours=2))
    with override_settings(QFORGE={}):
        rollups.add("default", list(JobEvent.objects.values_list("pk", flat=True)))
    RollupPosition.objects.create(pk=1)
    rollup.run_once()
    rollup.run_once()
    assert summed() == 0
    assert [fields["count"] for fields in told.named("rollups.pruned")] == [4]
