"""One job per fire time, whatever the number of tickers and whatever their own clocks show."""

from __future__ import annotations

import datetime as dt
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from jobs.models import Job, Schedule
from jobs.schedules import actions, tick
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import USING, fired, fresh, made, ticked
from tests.support.database import second_connection
from tests.support.processes import ROOT, url_of
from tests.support.threads import together

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("report")]


def test_five_tickers_and_twenty_schedules_make_one_job_per_fire_time(
    clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    schedules = [made(f"s{n}") for n in range(20)]
    for _ in range(3):
        clock.advance(minutes=1)
        together([ticked] * 5)
    assert [fired(schedule) for schedule in schedules] == [
        ["01 12:01:00", "01 12:02:00", "01 12:03:00"]
    ] * 20
    assert Job.objects.count() == 60
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_tickers_that_find_an_hour_missed_make_it_up_once(clock: FrozenClock) -> None:
    schedules = [made(f"s{n}", missed="all") for n in range(4)]
    clock.advance(hours=1)
    together([ticked] * 4)
    assert [len(fired(schedule)) for schedule in schedules] == [60] * 4


def test_a_locked_schedule_is_passed_over_without_waiting(clock: FrozenClock) -> None:
    schedules = [made("held"), made("free")]
    clock.advance(minutes=1)
    with held(schedules[0]):
        # The one that is held is not asked for again before the usual interval.
        assert ticked() == pytest.approx(60)
        assert [len(fired(schedule)) for schedule in schedules] == [0, 1]
    ticked()
    assert [len(fired(schedule)) for schedule in schedules] == [1, 1]


@contextmanager
def held(schedule: Schedule) -> Iterator[None]:
    """Within the block another connection holds the row of the schedule."""
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT FROM job_schedules WHERE id = %s FOR UPDATE", [schedule.pk])
        try:
            yield
        finally:
            other.rollback()


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the row locks away from the tick, which leaves the unique key."""
    features = type(connection.features)
    monkeypatch.setattr(features, "has_select_for_update_skip_locked", False)


@pytest.mark.usefixtures("without_locks")
def test_the_unique_key_alone_keeps_a_fire_time_to_one_job(clock: FrozenClock) -> None:
    schedules = [made(f"s{n}") for n in range(5)]
    for _ in range(3):
        clock.advance(minutes=1)
        together([ticked] * 4)
    assert [len(fired(schedule)) for schedule in schedules] == [3] * 5


def test_an_edit_and_a_tick_at_once_fire_by_the_old_times_or_the_new(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(minutes=1)
    together([ticked, lambda: actions.update(USING, schedule.pk, {"cron": "30 * * * *"}), ticked])
    assert fired(schedule) in ([], ["01 12:01:00"])
    assert fresh(schedule).next_run_at == clock.now() + dt.timedelta(minutes=29)


SKEWED = """
import datetime, os, sys, time
skew, real = float(os.environ["SKEW"]), time.time
time.time = lambda: real() + skew
import django
django.setup()
from django.utils import timezone
timezone.now = lambda: datetime.datetime.fromtimestamp(time.time(), datetime.UTC)
from jobs import client
from jobs.schedules import tick
client.task(name="tests.report")(lambda day="", deep=False: None)
print("ready", flush=True)
for line in sys.stdin:
    tick.run_once("default", limit=100)
    print("ticked", flush=True)
"""


def ticker(skew_seconds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SKEWED],
        cwd=ROOT,
        env=os.environ
        | {
            "DATABASE_URL": url_of(connection.settings_dict),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SKEW": str(skew_seconds),
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.process
def test_processes_whose_clocks_are_wrong_tick_like_any_other(clock: FrozenClock) -> None:
    schedules = [made(f"s{n}") for n in range(5)]
    tickers = [ticker(skew) for skew in (-90, 0, 90)]
    try:
        for process in tickers:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for _ in range(3):
            clock.advance(minutes=1)
            for process in tickers:
                assert process.stdin is not None
                process.stdin.write("go\n")
                process.stdin.flush()
            for process in tickers:
                assert process.stdout is not None
                assert process.stdout.readline() == "ticked\n"
            assert Job.objects.count() % 5 == 0
    finally:
        for process in tickers:
            process.communicate(timeout=10)
    times = ["01 12:01:00", "01 12:02:00", "01 12:03:00"]
    assert [fired(schedule) for schedule in schedules] == [times] * 5


def test_no_clock_of_the_process_is_read(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = made()
    for name in ("time.time", "django.utils.timezone.now"):
        monkeypatch.setattr(name, lambda: pytest.fail("the process's clock was read"))
    clock.advance(minutes=1)
    assert tick.run_once(USING) == pytest.approx(60)
    assert fired(schedule) == ["01 12:01:00"]
