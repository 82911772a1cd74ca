"""Schedules with real workers and the real clock."""

from __future__ import annotations

import datetime as dt
import json
from itertools import pairwise

from jobs.models import Job, Schedule
from jobs.schedules import actions
from jobs.schedules.definition import Definition
from tests.process import MARKS
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS

USING = "default"
BEAT = {"task": "check.noop", "interval_seconds": 1, "missed": "all"}
DECLARED = {"QFORGE_SCHEDULES": json.dumps({"beat": BEAT})}


def fire_times(schedule: Schedule) -> list[dt.datetime]:
    prefix = f"schedule:{schedule.pk}:"
    keys = Job.objects.filter(idempotency_key__startswith=prefix).order_by("pk")
    stamps = keys.values_list("idempotency_key", flat=True)
    return [dt.datetime.fromisoformat(str(stamp).removeprefix(prefix)) for stamp in stamps]


def test_each_second_gets_its_job_while_pools_come_and_die(workers: Workers) -> None:
    first = workers.start(processes=2, **DECLARED)
    schedule = wait_until(Schedule.objects.first)
    wait_until(lambda: len(fire_times(schedule)) >= 2)
    second = workers.start(**DECLARED)
    first.kill()
    seen = len(fire_times(schedule))
    wait_until(lambda: len(fire_times(schedule)) >= seen + 3)
    assert second.stop() == 0

    times = fire_times(schedule)
    steps = {(later - at).total_seconds() for at, later in pairwise(times)}
    assert steps == {1}
    assert (schedule.name, schedule.declared_in) == ("beat", "code")
    assert not Schedule.objects.exclude(disabled_reason="").exists()
    assert "Traceback" not in workers.outputs()


def test_a_new_schedule_wakes_pools_that_have_nothing_else_to_wait_for(workers: Workers) -> None:
    workers.start(QFORGE_PROMOTE_SECONDS="3000", QFORGE_POLL_SECONDS="3000")
    schedule = actions.create(USING, Definition(name="late", task="check.noop", interval_seconds=1))
    wait_until(lambda: len(fire_times(schedule)) >= 2, seconds=15)
    wait_until(lambda: Job.objects.filter(status="succeeded").count() >= 2)


def test_a_declaration_that_is_wrong_keeps_the_worker_from_starting(workers: Workers) -> None:
    wrong = {"beat": {"task": "check.nooop", "interval_seconds": 1}}
    worker = workers.start(wait=False, QFORGE_SCHEDULES=json.dumps(wrong))
    assert worker.wait() != 0
    assert "qforge.E003" in worker.output()
    assert "did you mean 'check.noop'?" in worker.output()
