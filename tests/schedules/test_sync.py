"""Schedules declared in code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs import client, conf, registry
from jobs.errors import ScheduleConflict
from jobs.maintenance.schedules import Schedules
from jobs.models import Schedule
from jobs.schedules import actions
from jobs.schedules.sync import sync
from jobs.store.connections import EngineConnection
from tests.schedules.frozen import FrozenClock
from tests.schedules.helpers import USING, fired, fresh, made, ticked
from tests.support.threads import together

pytestmark = [pytest.mark.postgres]

Register = Callable[..., client.Task]
Told = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def nightly(clock: FrozenClock, register: Register) -> client.Task:
    return register(lambda: None, name="tests.nightly", cron="0 3 * * *", timezone="Europe/London")


def only() -> Schedule:
    return Schedule.objects.get()


def test_a_decorated_task_becomes_a_schedule(nightly: client.Task) -> None:
    sync(USING)
    row = only()
    assert (row.name, row.task, row.declared_in) == ("tests.nightly", "tests.nightly", "code")
    assert (row.cron, row.timezone, row.enabled) == ("0 3 * * *", "Europe/London", True)
    assert str(row.next_run_at) == "2026-01-02 03:00:00+00:00"


def test_a_schedule_of_the_settings_may_say_everything(
    clock: FrozenClock, report: client.Task, settings: Any
) -> None:
    options = {
        "task": report.name,
        "payload": {"deep": True},
        "queue": "reports",
        "priority": 5,
        "interval_seconds": 3600,
        "missed": "all",
        "missed_limit": 24,
        "overlap": "skip",
    }
    settings.QFORGE = {"SCHEDULES": {"hourly-report": options}}
    assert conf.problems(settings.QFORGE) == []
    sync(USING)
    row = only()
    assert {key: getattr(row, key) for key in options} == options
    assert str(row.next_run_at) == "2026-01-01 13:00:00+00:00"


def test_the_settings_win_over_a_decorator_of_the_same_name(
    nightly: client.Task, settings: Any
) -> None:
    settings.QFORGE = {"SCHEDULES": {"tests.nightly": {"task": nightly.name, "cron": "0 4 * * *"}}}
    sync(USING)
    assert (only().cron, only().timezone) == ("0 4 * * *", "UTC")


def test_syncing_again_changes_nothing(nightly: client.Task, clock: FrozenClock) -> None:
    sync(USING)
    first = only()
    clock.advance(hours=1)
    sync(USING)
    assert only().updated_at == first.updated_at
    assert only().next_run_at == first.next_run_at


def test_pools_that_start_together_make_one_row(nightly: client.Task) -> None:
    together([lambda: sync(USING)] * 5)
    assert only().enabled


def test_a_restart_after_downtime_still_makes_up_for_it(
    nightly: client.Task, clock: FrozenClock
) -> None:
    sync(USING)
    clock.set("2026-01-02 09:00")
    sync(USING)
    ticked()
    assert fired(only()) == ["02 03:00:00"]


def test_a_new_release_changes_the_times_without_a_burst(
    nightly: client.Task, clock: FrozenClock, register: Register
) -> None:
    sync(USING)
    clock.set("2026-01-05 12:00:30")
    registry.unregister(nightly.name)
    register(lambda: None, name=nightly.name, cron="* * * * *")
    sync(USING)
    ticked()
    assert fired(only()) == []
    assert str(only().next_run_at) == "2026-01-05 12:01:00+00:00"


def test_what_is_no_longer_declared_is_disabled_and_comes_back(
    nightly: client.Task, clock: FrozenClock, register: Register
) -> None:
    sync(USING)
    registry.unregister(nightly.name)
    sync(USING)
    row = only()
    assert (row.enabled, row.disabled_reason) == (False, "no longer declared in code")
    clock.set("2026-01-05 12:00")
    register(nightly.handler, name=nightly.name, cron="0 3 * * *", timezone="Europe/London")
    sync(USING)
    ticked()
    assert (fired(row), str(only().next_run_at)) == ([], "2026-01-06 03:00:00+00:00")


def test_what_people_made_is_not_withdrawn(nightly: client.Task, report: client.Task) -> None:
    schedule = made("by-hand")
    sync(USING)
    assert fresh(schedule).enabled


def test_what_somebody_disabled_stays_disabled(nightly: client.Task, register: Register) -> None:
    sync(USING)
    actions.disable(USING, only().pk, actor="ann")
    registry.unregister(nightly.name)
    register(nightly.handler, name=nightly.name, cron="0 4 * * *")
    sync(USING)
    row = only()
    assert (row.cron, row.enabled) == ("0 4 * * *", False)
    assert row.disabled_reason == "disabled by ann"


def test_what_disabled_itself_is_enabled_when_its_declaration_is_good(
    nightly: client.Task, clock: FrozenClock
) -> None:
    sync(USING)
    Schedule.objects.update(cron="broken", next_run_at=clock.now())
    ticked()
    assert not only().enabled
    sync(USING)
    assert (only().enabled, only().cron) == (True, "0 3 * * *")


def test_code_takes_over_a_name_it_declares(nightly: client.Task, report: client.Task) -> None:
    made("tests.nightly", cron="0 5 * * *")
    sync(USING)
    assert (only().declared_in, only().cron, only().task) == ("code", "0 3 * * *", "tests.nightly")


def test_what_is_declared_in_code_is_changed_there(nightly: client.Task) -> None:
    sync(USING)
    row = only()
    for verb in (
        lambda: actions.update(USING, row.pk, {"cron": "0 9 * * *"}),
        lambda: actions.delete(USING, row.pk),
    ):
        with pytest.raises(ScheduleConflict, match="is declared in code") as caught:
            verb()
        assert caught.value.code == "declared-in-code"
    assert actions.run_now(USING, row.pk).created
    assert not actions.disable(USING, row.pk).enabled
    assert actions.enable(USING, row.pk).enabled


def test_a_withdrawn_schedule_can_be_deleted(nightly: client.Task) -> None:
    sync(USING)
    registry.unregister(nightly.name)
    sync(USING)
    actions.delete(USING, only().pk)
    assert not Schedule.objects.exists()


def test_a_wrong_declaration_is_told_and_stops_no_other(
    nightly: client.Task, settings: Any, told: Told
) -> None:
    settings.QFORGE = {"SCHEDULES": {"bad": {"task": "tests.unknown", "cron": "@daily"}}}
    sync(USING)
    assert only().name == "tests.nightly"
    error = "task: no task named 'tests.unknown' is registered"
    assert told == [("schedule.refused", {"schedule": "bad", "error": error})]


def test_the_service_of_a_pool_syncs_once_and_then_ticks(
    nightly: client.Task, clock: FrozenClock
) -> None:
    engine = EngineConnection()
    try:
        service = Schedules(engine)
        assert service.run_once() == service.interval_seconds
        clock.set("2026-01-02 02:59:58")
        Schedule.objects.update(payload={})
        assert service.run_once() == pytest.approx(2)
        clock.advance(seconds=2)
        service.run_once()
    finally:
        engine.close()
    assert fired(only()) == ["02 03:00:00"]
