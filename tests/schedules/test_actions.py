"""The verbs of schedules."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from jobs.errors import InvalidInput, ScheduleConflict, ScheduleNotFound
from jobs.models import Job, Schedule
from jobs.schedules import actions
from jobs.schedules.definition import Definition
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import USING, fired, fresh, made, ticked
from tests.support import factories
from tests.support.database import listening

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("report")]


def shown(at: dt.datetime | None) -> str | None:
    return at and at.strftime("%d %H:%M:%S")


def test_a_new_schedule_fires_from_now_on(clock: FrozenClock) -> None:
    clock.set("2026-01-01 12:00:20.5")
    assert shown(made("hourly", cron="@hourly").next_run_at) == "01 13:00:00"
    assert shown(made("often", interval_seconds=90).next_run_at) == "01 12:01:50"
    off = actions.create(
        USING, Definition(name="off", task="tests.report", cron="@hourly"), enabled=False
    )
    assert (off.enabled, off.next_run_at) == (False, None)


def test_a_schedule_without_a_zone_gets_the_projects(clock: FrozenClock, settings: Any) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    schedule = made(cron="0 3 * * *", timezone=None)
    assert (schedule.timezone, shown(schedule.next_run_at)) == ("Asia/Tokyo", "01 18:00:00")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "with space"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": None}, "name"),
        ({"task": "tests.unknown"}, "task"),
        ({"task": None}, "task"),
        ({"payload": {"colour": 1}}, "payload"),
        ({"payload": [1]}, "payload"),
        ({"payload": {"day": float("nan")}}, "payload.day"),
        ({"queue": "no good"}, "queue"),
        ({"priority": 101}, "priority"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": None}, "cron"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"missed": "no"}, "missed"),
        ({"missed_limit": 0}, "missed_limit"),
        ({"overlap": "no"}, "overlap"),
    ],
)
def test_a_wrong_definition_is_refused_by_field_and_leaves_nothing(
    clock: FrozenClock, fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        made(**fields)
    assert caught.value.field == field
    schedule = made("good")
    with pytest.raises(InvalidInput) as caught:
        actions.update(USING, schedule.pk, fields)
    assert caught.value.field == field
    assert Schedule.objects.get() == schedule


def test_a_name_that_is_taken_is_refused(clock: FrozenClock) -> None:
    made("nightly")
    other = made("other")
    for attempt in (
        lambda: made("nightly"),
        lambda: actions.update(USING, other.pk, {"name": "nightly"}),
    ):
        with pytest.raises(InvalidInput, match="there is a schedule named 'nightly'") as caught:
            attempt()
        assert (caught.value.field, caught.value.code) == ("name", "taken")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"cron": "*/20 * * * *"}, "01 15:20:00"),
        ({"cron": "0 3 * * *", "timezone": "Asia/Tokyo"}, "01 18:00:00"),
        ({"cron": "", "interval_seconds": 300}, "01 15:10:30"),
        ({"missed": "all"}, "01 15:06:00"),
    ],
)
def test_editing_times_starts_anew_from_now_and_fires_no_burst(
    clock: FrozenClock, changes: dict[str, Any], expected: str
) -> None:
    schedule = made()
    clock.set("2026-01-01 15:05:30")
    actions.update(USING, schedule.pk, changes)
    ticked()
    assert fired(schedule) == []
    assert shown(fresh(schedule).next_run_at) == expected


def test_editing_anything_else_costs_no_run(clock: FrozenClock) -> None:
    schedule = made()
    clock.set("2026-01-01 12:01:00.5")
    actions.update(USING, schedule.pk, {"payload": {"day": "new"}, "queue": "other"})
    ticked()
    assert fired(schedule) == ["01 12:01:00"]
    job = Job.objects.get()
    assert (job.payload, job.queue) == ({"day": "new"}, "other")


def test_saving_what_is_there_already_changes_nothing(clock: FrozenClock) -> None:
    schedule = made(interval_seconds=60)
    clock.advance(seconds=30)
    actions.update(USING, schedule.pk, {"interval_seconds": 60, "overlap": "allow"})
    assert fresh(schedule).next_run_at == schedule.next_run_at
    assert fresh(schedule).updated_at == schedule.updated_at


def test_an_hour_disabled_is_no_downtime(clock: FrozenClock) -> None:
    schedule = made(missed="all")
    row = actions.disable(USING, schedule.pk, actor="ann", reason="holiday")
    assert (row.enabled, row.next_run_at) == (False, None)
    assert row.disabled_reason == "disabled by ann: holiday"
    clock.set("2026-01-01 13:00:30")
    row = actions.enable(USING, schedule.pk)
    assert (row.enabled, row.disabled_reason) == (True, "")
    ticked()
    assert fired(schedule) == []
    assert shown(row.next_run_at) == "01 13:01:00"


def test_enabling_an_enabled_schedule_keeps_what_is_due(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(minutes=1)
    actions.enable(USING, schedule.pk)
    ticked()
    assert fired(schedule) == ["01 12:01:00"]


def test_run_now_enqueues_one_job_and_moves_no_fire_time(clock: FrozenClock) -> None:
    schedule = made(payload={"day": "x"})
    answer = actions.run_now(USING, schedule.pk)
    row = fresh(schedule)
    assert Job.objects.get().pk == answer.id == row.last_job_id
    assert (row.next_run_at, row.last_run_at) == (schedule.next_run_at, None)
    assert actions.run_now(USING, schedule.pk).id != answer.id
    clock.advance(minutes=1)
    ticked()
    assert fired(schedule) == ["01 12:01:00"]


def test_run_now_works_on_a_disabled_schedule(clock: FrozenClock) -> None:
    schedule = made()
    actions.disable(USING, schedule.pk)
    assert actions.run_now(USING, schedule.pk).created


def test_run_now_obeys_overlap_skip(clock: FrozenClock) -> None:
    schedule = made(overlap="skip")
    first = actions.run_now(USING, schedule.pk)
    with pytest.raises(ScheduleConflict, match=f"job {first.id} .* has not ended") as caught:
        actions.run_now(USING, schedule.pk)
    assert caught.value.code == "overlap"
    clock.advance(minutes=1)
    ticked()
    assert fired(schedule) == []
    Schedule.objects.update(last_job_id=factories.job("succeeded").pk)
    assert actions.run_now(USING, schedule.pk).created


def test_a_deleted_schedule_leaves_its_jobs(clock: FrozenClock) -> None:
    schedule = made()
    clock.advance(minutes=1)
    ticked()
    actions.delete(USING, schedule.pk)
    assert not Schedule.objects.exists()
    assert fired(schedule) == ["01 12:01:00"]


def test_a_schedule_made_again_under_the_same_name_is_another(clock: FrozenClock) -> None:
    first = made()
    clock.advance(minutes=1)
    ticked()
    actions.delete(USING, first.pk)
    clock.set("2026-01-01 12:00:30")
    second = made()
    clock.advance(minutes=1)
    ticked()
    assert (fired(first), fired(second)) == (["01 12:01:00"], ["01 12:01:00"])


def test_every_verb_names_a_schedule_that_does_not_exist(clock: FrozenClock) -> None:
    verbs = [actions.get, actions.delete, actions.enable, actions.disable, actions.run_now]
    for verb in verbs:
        with pytest.raises(ScheduleNotFound, match="schedule 7 does not exist"):
            verb(USING, 7)
    with pytest.raises(ScheduleNotFound):
        actions.update(USING, 7, {"queue": "x"})


def test_new_times_wake_the_pools_that_sleep_until_the_old_ones(clock: FrozenClock) -> None:
    with listening() as listener:
        schedule = made()
        assert listener.heard() == ["scheduled"]
        actions.update(USING, schedule.pk, {"cron": "*/2 * * * *"})
        assert listener.heard() == ["scheduled"]
        actions.disable(USING, schedule.pk)
        actions.enable(USING, schedule.pk)
        assert listener.heard() == ["scheduled", "scheduled"]
