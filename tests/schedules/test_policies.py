"""Missed fire times, and those that overlap."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from jobs.models import Job, Schedule
from jobs.states import JobStatus
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import fired, fresh, made, minutes, ticked
from tests.support import factories

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("report")]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"missed": "skip"}, []),
        ({}, ["01 13:00:00"]),
        ({"missed": "all"}, [*minutes(59, start=1), "01 13:00:00"]),
        ({"missed": "all", "missed_limit": 5}, [*minutes(4, start=56), "01 13:00:00"]),
    ],
)
def test_an_hours_downtime_is_made_up_for_by_the_policy(
    clock: FrozenClock, policy: dict[str, Any], expected: list[str]
) -> None:
    schedule = made(**policy)
    clock.set("2026-01-01 13:00:30")
    ticked()
    assert fired(schedule) == expected
    clock.set("2026-01-01 13:01:01")
    ticked()
    assert fired(schedule) == [*expected, "01 13:01:00"]


@pytest.mark.parametrize("missed", ["skip", "last"])
def test_three_days_back_is_no_burst(clock: FrozenClock, missed: str) -> None:
    schedule = made(missed=missed)
    three_days_ago = clock.now() - dt.timedelta(days=3, seconds=17)
    Schedule.objects.update(next_run_at=three_days_ago)
    clock.advance(seconds=30)
    ticked()
    assert fired(schedule) == (["01 12:00:00"] if missed == "last" else [])
    row = fresh(schedule)
    assert row.next_run_at == clock.now() + dt.timedelta(seconds=30)
    assert row.last_skip_reason.startswith("missed: found 259,2")


def test_a_busy_worker_does_not_cost_a_run(clock: FrozenClock) -> None:
    schedule = made(missed="skip", cron="*/5 * * * *")
    clock.set("2026-01-01 12:05:59")
    ticked()
    assert fired(schedule) == ["01 12:05:00"]


def test_a_short_interval_with_skip_runs_though_each_pass_is_late(clock: FrozenClock) -> None:
    schedule = made(interval_seconds=1, missed="skip")
    for _ in range(3):
        clock.advance(seconds=5)
        ticked()
    assert fired(schedule) == ["01 12:00:05", "01 12:00:10", "01 12:00:15"]


def test_downtime_across_a_change_of_clocks_makes_up_for_the_local_times(
    clock: FrozenClock,
) -> None:
    clock.set("2026-03-27 12:00")
    schedule = made(cron="30 1 * * *", timezone="Europe/London", missed="all")
    clock.set("2026-03-31 12:00")
    ticked()
    assert fired(schedule) == ["28 01:30:00", "29 01:00:00", "30 00:30:00", "31 00:30:00"]


@pytest.mark.parametrize("status", ["queued", "running", "scheduled"])
def test_overlap_skip_drops_fire_times_while_the_previous_job_is_open(
    clock: FrozenClock, status: str
) -> None:
    schedule = made(overlap="skip")
    open_job = factories.job(status)
    Schedule.objects.update(last_job_id=open_job.pk)
    for _ in range(3):
        clock.advance(minutes=1)
        ticked()
    row = fresh(schedule)
    assert fired(schedule) == []
    assert row.last_skip_reason == f"overlap: job {open_job.pk} had not ended"
    assert row.last_skipped_at == clock.now()
    Job.objects.filter(pk=open_job.pk).delete()
    clock.advance(minutes=1)
    ticked()
    assert fired(schedule) == minutes(1, start=4)


@pytest.mark.parametrize("status", ["succeeded", "failed", "cancelled"])
def test_overlap_skip_goes_on_after_any_end(clock: FrozenClock, status: str) -> None:
    schedule = made(overlap="skip")
    Schedule.objects.update(last_job_id=factories.job(status).pk)
    clock.advance(minutes=1)
    ticked()
    assert fired(schedule) == minutes(1, start=1)


def test_overlap_skip_catches_up_with_one_job(clock: FrozenClock) -> None:
    schedule = made(overlap="skip", missed="all")
    clock.advance(hours=1)
    ticked()
    assert fired(schedule) == ["01 13:00:00"]


def test_overlap_is_allowed_unless_told_otherwise(clock: FrozenClock) -> None:
    schedule = made()
    for _ in range(3):
        clock.advance(minutes=1)
        ticked()
    assert fired(schedule) == minutes(3, start=1)
    assert set(Job.objects.values_list("status", flat=True)) == {JobStatus.QUEUED}
