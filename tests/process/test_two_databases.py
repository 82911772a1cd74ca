"""A queue in a database of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from jobs import JobSpec, Workflow, cancel, enqueue, enqueue_many, retry
from jobs.models import Job, JobEvent, Schedule
from jobs.models import Workflow as Row
from jobs.schedules import actions
from jobs.schedules.definition import Definition
from tests.process import MARKS
from tests.support.evidence import Evidence
from tests.support.processes import ROOT, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]
SETTINGS = "tests.process_app.two_databases"


def test_workers_need_the_queues_database_alone(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    """The project's own one answers nobody, and all the verbs work all the same."""
    failing = enqueue("check.fail", {"key": "failing", "times": 2}, max_attempts=1)
    flow = (
        Workflow("flow")
        .step("spread", "check.fan_out", {"key": "spread", "count": 3})
        .step("gather", "check.gather", after="spread")
        .submit()
    )
    often = Definition(name="often", task="check.noop", interval_seconds=1)
    actions.create("default", often)
    held = enqueue("check.held", {"key": "held", "until": "go"})
    worker = workers.start(DJANGO_SETTINGS_MODULE=SETTINGS)
    wait_until(lambda: Job.objects.get(pk=failing.id).status == "failed")
    retry(failing.id, reason="once more")
    wait_until(lambda: evidence.starts("held"))
    cancel(held.id, reason="no longer wanted")
    wait_until(lambda: JobEvent.objects.filter(job__task="check.noop", kind="succeeded").exists())
    Schedule.objects.update(enabled=False)
    evidence.let_go("go")
    all_done()
    assert Row.objects.get(pk=flow.id).status == "succeeded"
    assert worker.stop() == 0
    assert "service.failing" not in worker.output()


def test_a_project_without_a_default_database_can_have_workers(
    workers: Workers, evidence: Evidence, all_done: AllDone
) -> None:
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(20))
    worker = workers.start(DJANGO_SETTINGS_MODULE=SETTINGS, TEST_NO_DEFAULT_DATABASE="1")
    all_done()
    evidence.assert_once_each(20)
    assert worker.stop() == 0
    assert '"level": "error"' not in worker.output()


def test_commands_reach_it_too(workers: Workers) -> None:
    enqueue("check.noop")
    environment = workers.environment() | {"DJANGO_SETTINGS_MODULE": SETTINGS}
    for arguments in (["status"], ["prune"], ["check-workflows"]):
        done = subprocess.run(
            [sys.executable, "manage.py", "jobs", *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
