"""What the tick enqueues, and when, by a database clock that stands still."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from jobs import client
from jobs.models import Job, Schedule
from jobs.schedules import tick
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import fired, fresh, made, minutes, ticked

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("report")]


def test_each_fire_time_gets_one_job(clock: FrozenClock) -> None:
    schedule = made(payload={"day": "today"}, queue="reports", priority=7)
    for _ in range(3):
        clock.advance(seconds=60)
        ticked()
        ticked()
    assert fired(schedule) == minutes(3, start=1)
    job = Job.objects.latest("pk")
    assert (job.task, job.payload, job.status) == ("tests.report", {"day": "today"}, "queued")
    assert (job.queue, job.priority) == ("reports", 7)
    row = fresh(schedule)
    assert (row.last_run_at, row.last_job_id) == (clock.now(), job.pk)
    assert row.next_run_at == clock.now() + dt.timedelta(minutes=1)


def test_nothing_fires_before_its_time(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(seconds=59.999999)
    ticked()
    assert fired(schedule) == []


def test_a_schedule_without_values_of_its_own_uses_the_tasks(
    clock: FrozenClock, register: Any
) -> None:
    register(lambda: None, name="tests.own", queue="slow", priority=-3, max_attempts=9)
    made(task="tests.own")
    clock.advance(minutes=1)
    ticked()
    job = Job.objects.get()
    assert (job.queue, job.priority, job.max_attempts) == ("slow", -3, 9)


def test_an_interval_keeps_its_beat(clock: FrozenClock) -> None:
    schedule = made(interval_seconds=40)
    for _ in range(4):
        clock.advance(seconds=41)
        ticked()
    assert fired(schedule) == ["01 12:00:40", "01 12:01:20", "01 12:02:00", "01 12:02:40"]


def test_the_answer_says_when_the_next_is_due(clock: FrozenClock) -> None:
    assert ticked() is None
    made("minutely")
    made("hourly", cron="@hourly")
    clock.advance(seconds=12.5)
    assert ticked() == pytest.approx(47.5)
    clock.advance(seconds=47.5)
    assert ticked() == pytest.approx(60)


def test_a_full_pass_asks_for_another_at_once(clock: FrozenClock) -> None:
    schedules = [made(f"s{n}") for n in range(3)]
    clock.advance(minutes=1)
    assert tick.run_once("default", limit=2) == 0
    assert tick.run_once("default", limit=2) == pytest.approx(60)
    assert [len(fired(schedule)) for schedule in schedules] == [1, 1, 1]


def test_a_disabled_schedule_does_not_fire(clock: FrozenClock) -> None:
    schedule = made()
    Schedule.objects.update(enabled=False)
    clock.advance(minutes=5)
    ticked()
    assert fired(schedule) == []


def test_a_row_put_in_by_sql_alone_starts_from_now(clock: FrozenClock) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO job_schedules (name, task, cron) VALUES ('raw', 'tests.report', '@hourly')"
        )
    assert ticked() == pytest.approx(3600)
    schedule = Schedule.objects.get()
    assert fired(schedule) == []
    clock.advance(hours=1)
    ticked()
    assert fired(schedule) == ["01 13:00:00"]


def test_a_row_edited_behind_our_back_fires_at_no_old_time(clock: FrozenClock) -> None:
    schedule = made()
    Schedule.objects.update(cron="0 3 * * *")
    clock.advance(minutes=5)
    ticked()
    assert fired(schedule) == []
    assert str(fresh(schedule).next_run_at) == "2026-01-02 03:00:00+00:00"


def test_a_row_set_back_fires_no_time_twice(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(minutes=1)
    ticked()
    job = Job.objects.get()
    # As after a restore of the row: only the unique key is left to tell.
    Schedule.objects.update(next_run_at=clock.now(), payload={"day": "another"})
    ticked()
    assert Job.objects.get() == job
    assert fresh(schedule).last_job_id == job.pk


def test_keys_of_schedules_cannot_be_taken_by_others(clock: FrozenClock) -> None:
    schedule = made()
    for key in (f"schedule:{schedule.pk}:2026-01-01T12:01:00Z", "schedule:"):
        with pytest.raises(ValueError, match="must not begin with 'schedule:'"):
            client.enqueue("tests.report", idempotency_key=key)
    assert not Job.objects.exists()


def test_a_job_and_its_schedules_advance_are_one_transaction(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(minutes=1)
    due_at = fresh(schedule).next_run_at
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION frozen.refuse() RETURNS trigger LANGUAGE plpgsql"
            " AS 'BEGIN RAISE division_by_zero; END'"
        )
        cursor.execute(
            "CREATE TRIGGER refuse BEFORE UPDATE ON job_schedules"
            " FOR EACH ROW EXECUTE FUNCTION frozen.refuse()"
        )
    ticked()
    assert not Job.objects.exists()
    assert fresh(schedule).next_run_at == due_at
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER refuse ON job_schedules")
    ticked()
    assert fired(schedule) == minutes(1, start=1)
