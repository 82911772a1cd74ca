"""A schedule that is wrong disables itself, says why, and stops nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection

from jobs import client
from jobs.models import Job, Schedule
from jobs.schedules import actions, tick
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import USING, fired, fresh, made, ticked

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("report")]

Told = list[tuple[str, dict[str, Any]]]


@pytest.mark.parametrize(
    ("column", "value", "named"),
    [
        ("cron", "a b c d e", "cron: 'a' is no minute"),
        ("cron", "0 0 30 2 *", "cron: '0 0 30 2 *' is a date that never comes"),
        ("cron", "0 0 L * *", "cron: 'L' is no day of month"),
        ("timezone", "Mars/Olympus", "timezone: there is no IANA time zone"),
        ("timezone", "", "timezone: must be an IANA time zone"),
        ("payload", '{"colour": "red"}', "payload: does not fit tests.report"),
        ("payload", "[1]", "payload: must be an object"),
        ("queue", "no good", "queue: must be 1 to 64 letters"),
    ],
)
def test_a_broken_row_disables_itself_with_a_reason_and_the_others_fire(
    clock: FrozenClock, told: Told, column: str, value: str, named: str
) -> None:
    schedules = [made("before"), made("broken"), made("after")]
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE job_schedules SET {column} = %s WHERE name = 'broken'",  # noqa: S608
            [value],
        )
    for _ in range(2):
        clock.advance(minutes=1)
        ticked()
    times = [fired(schedule) for schedule in schedules]
    assert times == [["01 12:01:00", "01 12:02:00"], [], ["01 12:01:00", "01 12:02:00"]]
    row = fresh(schedules[1])
    assert not row.enabled
    assert row.disabled_reason.startswith(f"broken: {named}")
    reasons = [fields["reason"] for event, fields in told if event == "schedule.disabled"]
    assert reasons == [row.disabled_reason]


def test_a_broken_row_without_a_time_is_found_at_once(clock: FrozenClock) -> None:
    Schedule.objects.create(name="raw", task="tests.report", cron="61 * * * *")
    ticked()
    assert Schedule.objects.get().disabled_reason.startswith("broken: cron")


@pytest.mark.parametrize("error", ["division_by_zero", "deadlock_detected", "query_canceled"])
def test_a_row_the_database_refuses_is_put_aside_and_the_others_fire(
    clock: FrozenClock, told: Told, error: str
) -> None:
    schedules = [made("before"), made("refused"), made("after")]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION frozen.refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" 'BEGIN IF NEW.queue = ''refused'' THEN RAISE {error}; END IF;"
            " RETURN NEW; END'"
        )
        cursor.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON jobs"
            " FOR EACH ROW EXECUTE FUNCTION frozen.refuse()"
        )
    Schedule.objects.filter(name="refused").update(queue="refused")
    for _ in range(2):
        clock.advance(minutes=1)
        ticked()
    assert [len(fired(schedule)) for schedule in schedules] == [2, 0, 2]
    # It may be the database that is wrong, so the row stays enabled and is tried again.
    assert fresh(schedules[1]).enabled
    failures = [fields["schedule"] for event, fields in told if event == "schedule.failed"]
    assert failures == ["refused", "refused"]
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER refuse ON jobs")
    ticked()
    assert fired(schedules[1]) == ["01 12:02:00"]


def test_rows_put_aside_do_not_use_up_the_pass(clock: FrozenClock) -> None:
    bad = [made(f"bad{n}") for n in range(3)]
    good = made("good")
    clock.advance(minutes=1)
    # A stranger's job under the keys that these rows are about to use.
    for schedule in bad:
        Job.objects.create(
            task="tests.report",
            status="queued",
            max_attempts=1,
            idempotency_key=f"schedule:{schedule.pk}:2026-01-01T12:01:00Z",
            idempotency_hash="other",
        )
    assert tick.run_once(USING, limit=2) == pytest.approx(60)
    assert fired(good) == ["01 12:01:00"]


def test_an_unknown_task_is_left_to_pools_that_may_know_it_and_then_disabled(
    clock: FrozenClock,
    register: Callable[..., client.Task],
) -> None:
    schedule = made()
    Schedule.objects.update(task="tests.of_the_next_release")
    clock.advance(minutes=5)
    assert ticked() is None
    assert fresh(schedule).enabled
    register(lambda: None, name="tests.of_the_next_release")
    ticked()
    assert fired(schedule) == ["01 12:05:00"]


def test_a_task_nobody_knows_disables_its_schedule_after_five_minutes(clock: FrozenClock) -> None:
    schedule = made()
    Schedule.objects.update(task="tests.reprot")
    clock.advance(minutes=6, seconds=1)
    ticked()
    row = fresh(schedule)
    assert (row.enabled, fired(schedule)) == (False, [])
    assert row.disabled_reason == (
        "broken: task: no task named 'tests.reprot' is registered; did you mean 'tests.report'?"
    )


def test_a_repaired_schedule_goes_on_from_now(clock: FrozenClock) -> None:
    schedule = made()
    Schedule.objects.update(cron="broken")
    clock.advance(minutes=1)
    ticked()
    clock.advance(hours=5, seconds=1)
    with pytest.raises(ValueError, match="cron"):
        actions.enable(USING, schedule.pk)
    actions.update(USING, schedule.pk, {"cron": "*/10 * * * *"})
    assert not fresh(schedule).enabled
    actions.enable(USING, schedule.pk)
    ticked()
    assert fired(schedule) == []
    clock.advance(minutes=10)
    ticked()
    assert fired(schedule) == ["01 17:10:00"]


def test_a_lost_connection_is_no_fault_of_a_row(clock: FrozenClock, told: Told) -> None:
    schedule = made()
    clock.advance(minutes=1)
    with connection.cursor() as cursor:
        # The server ends the connection while the job is inserted.
        cursor.execute(
            "CREATE FUNCTION frozen.cut() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'"
        )
        cursor.execute(
            "CREATE TRIGGER cut BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION frozen.cut()"
        )
    with pytest.raises(OperationalError):
        ticked()
    connection.close()
    assert told == []
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER cut ON jobs")
    ticked()
    assert fired(schedule) == ["01 12:01:00"]
