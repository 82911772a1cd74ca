"""The sums of events: each counted once, whatever commits late, dies or runs beside it."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models import Sum
from django.db.models.functions import Now
from django.test import override_settings

from jobs import lifecycle
from jobs.histogram import BUCKETS
from jobs.live import feed, rollup
from jobs.live.cursor import Snapshot, SnapshotCursor
from jobs.models import Job, JobEvent, Rollup, RollupPosition, TaskRollup
from jobs.models.rollup import MAXIMA, RUN_BUCKETS, SPANS_SECONDS, SUMS, WAIT_BUCKETS
from jobs.states import EventKind
from jobs.store import rollups, rollups_portable
from tests.support import factories
from tests.support.database import lent, second_connection
from tests.support.factories import USING
from tests.support.threads import together

pytestmark = pytest.mark.usefixtures("committed_db")

MINUTE = 60


def advance_to_the_end(limit: int = 1000) -> int:
    """Sum up all there is; how many events that were."""
    events = 0
    while True:
        advanced = rollup.advance(USING, limit=limit)
        assert advanced is not None
        events += advanced.events
        if not advanced.more:
            return events


def sums(span: int = MINUTE) -> dict[tuple[str, str], int]:
    rows = Rollup.objects.filter(span_seconds=span).values_list("queue", "outcome")
    return {(queue, outcome): n for queue, outcome, n in rows.annotate(n=Sum("jobs"))}


def run_jobs(count: int, *, queue: str = "default") -> None:
    """Enqueue, claim and finish: two of three succeed, the third fails for good."""
    lifecycle.enqueue(USING, [factories.new_job(queue=queue, max_attempts=1)] * count)
    for number, held in enumerate(factories.claim(count, queues=[queue])):
        row = Job.objects.get(pk=held.id)
        bad = number % 3 == 2
        factories.finish(factories.failed(row) if bad else factories.succeeded(row))


def test_every_outcome_is_counted_by_queue_and_by_task() -> None:
    run_jobs(3, queue="mail")
    (retry,) = [factories.job("running", queue="mail")]
    factories.finish(factories.failed(retry, delay_seconds=60))
    stopped = factories.job(queue="mail")
    lifecycle.cancel(USING, stopped.pk, actor="me", reason="")
    lifecycle.retry(USING, stopped.pk, actor="me", reason="")
    advance_to_the_end()
    expected = {"enqueued": 4, "succeeded": 2, "failed": 1, "cancelled": 1, "retrying": 1}
    for span in SPANS_SECONDS:
        assert sums(span) == {("mail", outcome): n for outcome, n in expected.items()}
    by_task = TaskRollup.objects.filter(task=factories.TASK).values_list("outcome", "jobs")
    assert Counter(dict(by_task)) == expected


def test_an_event_that_changes_no_status_and_a_kept_result_count_nothing() -> None:
    row = factories.job("succeeded")
    for kind, before in ((EventKind.ENQUEUED, ""), (EventKind.LEASE_LOST, "succeeded")):
        JobEvent.objects.create(job=row, kind=kind, from_status=before, to_status="succeeded")
    assert advance_to_the_end() == 2
    assert not Rollup.objects.exists()


def test_times_are_summed_and_counted_by_size() -> None:
    for wait, run in ((0.0, 0.004), (0.3, 2.0), (-5.0, 9000.0)):
        row = factories.job("running")
        data = {"wait_seconds": wait, "run_seconds": run}
        JobEvent.objects.create(
            job=row, kind="succeeded", from_status="running", to_status="succeeded", data=data
        )
    JobEvent.objects.create(
        job=row, kind="succeeded", from_status="running", to_status="succeeded", data={"x": 1}
    )
    advance_to_the_end()
    found = Rollup.objects.get(span_seconds=MINUTE)
    assert (found.jobs, found.wait_max, found.run_max) == (4, 0.3, 9000.0)
    assert (found.wait_sum, found.run_sum) == pytest.approx((0.3, 9002.004))
    waits = [getattr(found, column) for column in WAIT_BUCKETS]
    runs = [getattr(found, column) for column in RUN_BUCKETS]
    assert (waits[0], waits[5], sum(waits)) == (2, 1, 3)
    assert (runs[0], runs[7], runs[BUCKETS - 1], sum(runs)) == (1, 1, 1, 3)


def test_a_second_look_counts_nothing_again() -> None:
    run_jobs(6)
    advance_to_the_end(limit=2)
    before = sums()
    assert advance_to_the_end() == 0
    assert (
        sums()
        == before
        == {
            ("default", "enqueued"): 6,
            ("default", "succeeded"): 4,
            ("default", "failed"): 2,
        }
    )


def columns(model: type[Any]) -> list[tuple[Any, ...]]:
    names = [field.name for field in model._meta.fields if field.name != "id"]
    rows = model.objects.values_list(*names)
    return sorted(
        [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows], key=str
    )


@pytest.mark.postgres
def test_one_statement_sums_up_as_the_portable_code_does() -> None:
    run_jobs(7)
    run_jobs(3, queue="mail")
    chance = random.Random(1)
    row = factories.job("running")
    for _ in range(50):
        JobEvent.objects.create(
            job=row,
            kind="succeeded",
            from_status="running",
            to_status="succeeded",
            at=Now() - dt.timedelta(minutes=chance.randint(0, 200)),
            data={
                "run_seconds": chance.choice([0, 0.01, 0.025, 60, chance.lognormvariate(0, 3)]),
                "wait_seconds": chance.choice(["soon", None, chance.random()]),
            },
        )
    ids = list(JobEvent.objects.values_list("pk", flat=True))
    rollups.add(USING, ids[:30])
    rollups.add(USING, ids[30:])
    found = columns(Rollup), columns(TaskRollup)
    Rollup.objects.all().delete()
    TaskRollup.objects.all().delete()
    rollups_portable.add(USING, ids)
    assert (columns(Rollup), columns(TaskRollup)) == found


@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(4))
def test_whatever_commits_late_or_dies_the_sums_are_those_of_the_events(seed: int) -> None:
    chance = random.Random(seed)
    jobs = factories.jobs(4, "running")

    def write() -> None:
        JobEvent.objects.create(
            job=chance.choice(jobs),
            kind="succeeded",
            from_status="running",
            to_status="succeeded",
            data={"run_seconds": 0.5},
        )

    with ExitStack() as stack:
        others = [stack.enter_context(second_connection()) for _ in range(3)]
        for other in others:
            other.set_autocommit(False)
        for _ in range(60):
            other = chance.choice(others)
            action = chance.choice(["write", "write", "commit", "rollback", "own", "sum", "die"])
            if action == "write":
                with lent(other):
                    write()
            elif action in ("commit", "rollback"):
                getattr(other, action)()
            elif action == "own":
                write()
            elif action == "sum":
                rollup.advance(USING, limit=chance.randint(1, 5))
            else:
                die_while_summing(chance.randint(1, 5))
        for other in others:
            other.commit()
    advance_to_the_end(limit=3)
    kept = JobEvent.objects.count()
    for span in SPANS_SECONDS:
        assert sum(sums(span).values()) == kept
    assert TaskRollup.objects.aggregate(n=Sum("jobs"), s=Sum("run_5"), r=Sum("run_6")) == {
        "n": kept,
        "s": 0,
        "r": kept,
    }


def die_while_summing(limit: int) -> None:
    """A process that ends after the sums are written and before its transaction commits."""

    def dead(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError("the connection is gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollups, "move_position", dead)
        with pytest.raises(DatabaseError):
            rollup.advance(USING, limit=limit)


@pytest.mark.postgres
def test_pools_side_by_side_count_each_event_once() -> None:
    run_jobs(30)

    def work() -> int:
        return sum(
            advanced.events
            for _ in range(40)
            if (advanced := rollup.advance(USING, limit=4)) is not None
        )

    counted = together([work] * 3)
    counted.append(advance_to_the_end())
    assert sum(counted) == JobEvent.objects.count()
    assert sum(sums().values()) == 60


@pytest.mark.postgres
def test_while_one_sums_up_another_does_not_wait() -> None:
    run_jobs(1)
    with second_connection() as other:
        rollup.advance(USING, limit=1)
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM job_rollupstate FOR UPDATE")
        assert rollup.advance(USING, limit=10) is None
        other.rollback()
    assert rollup.advance(USING, limit=10) is not None


@pytest.mark.postgres
def test_a_place_of_another_database_is_given_up_for_the_present(
    caplog: pytest.LogCaptureFixture,
) -> None:
    run_jobs(2)
    future = SnapshotCursor(Snapshot.parse("9000000000000000:9000000000000000:")).encode()
    RollupPosition.objects.create(pk=1, cursor=future)
    assert rollup.advance(USING, limit=10) == rollup.Advanced(0, more=False)
    assert "gap" in caplog.text
    run_jobs(1)
    assert advance_to_the_end() == 3


def test_sums_past_their_age_are_pruned_and_not_made_anew() -> None:
    run_jobs(1)
    old = Now() - dt.timedelta(hours=3)
    JobEvent.objects.update(at=old)
    with override_settings(
        QFORGE={"ROLLUP_RETENTION_SECONDS": 3600.0, "ROLLUP_TASK_RETENTION_SECONDS": 36_000.0}
    ):
        advance_to_the_end()
        assert (Rollup.objects.count(), TaskRollup.objects.count()) == (0, 2)
    advance_to_the_end()
    rollups.add(USING, list(JobEvent.objects.values_list("pk", flat=True)))
    assert Rollup.objects.count() == 2 * len(SPANS_SECONDS)
    with override_settings(QFORGE={"ROLLUP_RETENTION_SECONDS": 3600.0}):
        assert [rollups.prune(USING, limit=5) for _ in range(3)] == [5, 3, 0]
    assert TaskRollup.objects.count() == 2


def test_the_place_tells_up_to_when_all_is_summed_up() -> None:
    run_jobs(1)
    rollup.advance(USING, limit=1)
    position = RollupPosition.objects.get()
    assert position.complete_at is None
    advance_to_the_end()
    position.refresh_from_db()
    assert position.complete_at is not None
    assert feed.read_ids(USING, position.cursor, limit=10).ids == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE job_rollups SET outcome = 'lost'",
        "UPDATE job_rollups SET span_seconds = 61",
        "UPDATE job_rollups SET run_sum = -1",
        "UPDATE job_rollups SET jobs = 0",
        "UPDATE job_taskrollups SET outcome = ''",
        "UPDATE job_taskrollups SET wait_max = -0.1",
        "UPDATE job_rollupstate SET id = 2",
    ],
)
def test_the_database_refuses_sums_that_nobody_writes(statement: str) -> None:
    run_jobs(1)
    advance_to_the_end()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute(statement)


def test_every_column_either_adds_up_or_is_a_maximum() -> None:
    keys = {"id", "span_seconds", "at", "queue", "task", "outcome"}
    for model in (Rollup, TaskRollup):
        measures = {field.name for field in model._meta.fields} - keys
        assert measures == {*SUMS, *MAXIMA}
