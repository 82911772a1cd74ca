"""Workers of the code before a migration beside the new schema and the new code's workers.

The code of now cannot stand for them: its models have the new columns. So the older code is taken
from the history, at the commit before the one that brought the migration, and does all that it did:
enqueue, claim, finish, retry, advance workflows, tick schedules, and restart.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs.models import Job, JobEvent, Schedule, Workflow
from tests.process import MARKS
from tests.process.releases import unpack_before
from tests.process.servers import ALIAS, own_server
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import ROOT, Worker, Workers
from tests.support.waiting import wait_until

pytestmark = [*MARKS, pytest.mark.long]

MIGRATIONS = sorted(path.stem for path in (ROOT / "jobs" / "migrations").glob("[0-9]*.py"))

# Run in the tree of either release, under a name that keeps their keys apart.
ENQUEUE = """
import sys
import django
django.setup()
from jobs import JobSpec, Workflow, enqueue, enqueue_many
from jobs.schedules import actions
from jobs.schedules.definition import Definition
from tests.process_app import tasks

name = sys.argv[1]
enqueue_many(
    JobSpec(task="check.mark", payload={"key": f"{name} {n}", "seconds": 0.02}) for n in range(150)
)
enqueue("check.fail", {"key": f"{name} fails", "times": 1})
enqueue("check.mark", {"key": f"{name} later"}, delay_seconds=1)
enqueue("check.mark", {"key": f"{name} once"}, idempotency_key=name)
enqueue("check.held", {"key": f"{name} held", "until": "go"})
Workflow(name).step("spread", "check.fan_out", {"key": f"{name} spread", "count": 3}).step(
    "gather", "check.gather", after="spread"
).submit()
actions.create("default", Definition(name=name, task="check.noop", interval_seconds=1))
"""


@pytest.mark.parametrize(("previous", "migration"), list(itertools.pairwise(MIGRATIONS))[-3:])
def test_workers_of_before_a_migration_work_on_beside_those_of_after(
    workers: Workers,
    evidence: Evidence,
    all_done: Callable[..., None],
    tmp_path: Path,
    previous: str,
    migration: str,
) -> None:
    older = unpack_before(migration, tmp_path / "older")

    def run(root: Path, *command: str) -> None:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=root,
            env=workers.environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    with own_server(migrated=False) as server:
        workers.database = server.url
        try:
            run(ROOT, "manage.py", "migrate", "qforge", previous, "--verbosity", "0")
            running = [workers.start(root=older)]
            run(older, "-c", ENQUEUE, "before")
            wait_until(lambda: len(evidence.starts()) > 20, seconds=30)
            run(ROOT, "manage.py", "migrate", "--verbosity", "0")
            running += [workers.start(), workers.start(root=older)]
            run(ROOT, "-c", ENQUEUE, "after")
            run(older, "-c", ENQUEUE, "behind")
            wait_until(
                lambda: {line["pid"] for line in evidence.starts()} >= pids(running), seconds=30
            )
            evidence.let_go("go")
            ticks = Job.objects.using(ALIAS).filter(task="check.noop", status="succeeded")
            wait_until(lambda: ticks.count() >= 3, seconds=30)
            Schedule.objects.using(ALIAS).update(enabled=False)
            all_done(using=ALIAS)
            assert [worker.stop() for worker in running] == [0, 0, 0]
        finally:
            workers.close()
        assert not Job.objects.using(ALIAS).exclude(status="succeeded").exists()
        assert not Workflow.objects.using(ALIAS).exclude(status="succeeded").exists()
        history.assert_sound(ALIAS)
        lost = JobEvent.objects.using(ALIAS).filter(kind__in=["rescued", "lease_lost"])
        assert not lost.exists()
    # But for what the jobs that fail on purpose say.
    assert [line for line in complaints(running) if line["event"] != "job.retrying"] == []


def pids(running: list[Worker]) -> set[int]:
    return {worker.pid for worker in running}


def complaints(running: list[Worker]) -> list[dict[str, str]]:
    """What they have logged as a warning or worse; a line that is no log fails the test."""
    lines = [json.loads(text) for worker in running for text in worker.output().splitlines()]
    return [line for line in lines if line["level"] in ("warning", "error")]
