from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import connection, connections
from django.utils import timezone

from jobs import client, enqueue
from jobs.models import Job
from jobs.store import clock as store_clock
from jobs.testing import run_pending, run_schedules, time_travel

pytestmark = pytest.mark.django_db
Register = Callable[..., client.Task]
DAY = dt.timedelta(days=1)
SLACK = dt.timedelta(seconds=20)


def now() -> dt.datetime:
    return store_clock.now("default")


def near(one: dt.datetime, other: dt.datetime) -> bool:
    return abs(one - other) < SLACK


def test_the_clock_of_the_queue_and_pythons_move_together_and_go_back() -> None:
    start = dt.datetime.now(dt.UTC)
    with time_travel() as clock:
        assert near(clock.now(), start)
        assert near(clock.advance(3 * DAY), start + 3 * DAY)
        assert near(clock.advance(-3600), start + 3 * DAY - dt.timedelta(hours=1))
        assert near(timezone.now(), clock.now())
        assert near(now(), clock.now())
    assert near(now(), start)
    assert near(timezone.now(), start)


def test_the_clock_runs_on() -> None:
    with time_travel() as clock:
        first = clock.set(dt.datetime(2031, 1, 1, tzinfo=dt.UTC))
        assert first.date() == dt.date(2031, 1, 1)
        assert clock.now() >= first


def test_a_time_without_a_zone_is_refused() -> None:
    with time_travel() as clock, pytest.raises(ValueError, match="a time with a zone"):
        clock.set(dt.datetime(2031, 1, 1))


def test_blocks_inside_one_another_have_one_clock() -> None:
    with time_travel() as outer:
        outer.advance(DAY)
        with time_travel() as inner:
            assert inner is outer
            inner.advance(DAY)
        assert near(outer.now(), dt.datetime.now(dt.UTC) + 2 * DAY)


@pytest.mark.postgres
def test_other_connections_have_the_real_time() -> None:
    with time_travel() as clock:
        clock.advance(DAY)
        other = connections.create_connection("default")
        try:
            with other.cursor() as cursor:
                cursor.execute("SELECT statement_timestamp()")
                assert near(cursor.fetchone()[0], dt.datetime.now(dt.UTC))
        finally:
            other.close()


@pytest.mark.postgres
def test_nothing_is_left_in_the_database_or_the_session() -> None:
    def left() -> tuple[str, bool]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('search_path'), to_regnamespace('qforge_testing') IS NULL"
            )
            path, gone = cursor.fetchone()
            return path, gone

    before = left()
    with time_travel() as clock:
        clock.advance(DAY)
    assert left() == before == (before[0], True)


def test_a_delay_passes(register: Register) -> None:
    task = register(lambda: None, name="tests.plain")
    enqueue(task, delay_seconds=3600)
    with time_travel() as clock:
        clock.advance(3590)
        assert run_pending() == []
        clock.advance(20)
        (job,) = run_pending()
        assert job.started_at is not None
        assert near(job.started_at, clock.now())


def test_a_job_enqueued_later_is_later(register: Register) -> None:
    task = register(lambda: None, name="tests.plain")
    with time_travel() as clock:
        clock.advance(DAY)
        job = Job.objects.get(pk=task.enqueue().id)
        assert near(job.created_at, clock.now())
        assert job.status == "queued"


def test_a_schedule_in_code_fires_at_each_of_its_times(register: Register) -> None:
    register(lambda: None, name="tests.hourly", cron="0 * * * *", timezone="UTC")
    with time_travel() as clock:
        clock.set(dt.datetime(2031, 1, 1, 0, 30, tzinfo=dt.UTC))
        assert run_schedules() == []
        clock.set(dt.datetime(2031, 1, 1, 1, 0, 1, tzinfo=dt.UTC))
        assert [job.task for job in run_schedules()] == ["tests.hourly"]
        assert run_schedules() == []
        clock.set(dt.datetime(2031, 1, 1, 2, 0, 1, tzinfo=dt.UTC))
        assert [job.task for job in run_schedules()] == ["tests.hourly"]
