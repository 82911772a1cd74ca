from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.fixture
def empty_database(committed_db: None) -> Iterator[str]:
    """The name of a database that was never migrated."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE qforge_empty")
        yield "qforge_empty"
        cursor.execute("DROP DATABASE qforge_empty WITH (FORCE)")


def test_once_runs_one_job_and_drain_runs_all_that_is_ready(
    workers: Workers, evidence: Evidence
) -> None:
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(30))
    later = enqueue("check.mark", {"key": "later"}, delay_seconds=60)
    assert workers.run("--once")[0] == 0
    assert len(evidence.starts()) == 1
    assert workers.run("--max-jobs", "5")[0] == 0
    assert len(evidence.starts()) == 6
    assert workers.run("--drain", processes=2)[0] == 0
    assert Job.objects.filter(status=JobStatus.SUCCEEDED).count() == 30
    assert Job.objects.get(pk=later.id).status == JobStatus.SCHEDULED
    # Nothing to do is no error, unless something was expected.
    assert workers.run("--once")[0] == 0
    assert workers.run("--once", "--expect-job")[0] == 1
    history.assert_sound(finished=False)


def test_a_failed_job_fails_the_command_only_when_asked(workers: Workers) -> None:
    for arguments, code in ((["--fail-on-error"], 6), ([], 0)):
        enqueue("check.fail", {"key": "a", "times": 1}, max_attempts=1)
        assert workers.run("--drain", *arguments)[0] == code
    enqueue("check.fail", {"key": "b", "times": 1}, max_attempts=1)
    assert workers.run("--drain", "--fail-on-error", processes=2)[0] == 6


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--threads", "0"], "threads: must be a whole number from 1 to 1,000"),
        (["--lease", "3", "--heartbeat", "2"], "must be at most a third of the lease (3 s)"),
        (["--queues", "no spaces"], "queue: must be 1 to 64 letters"),
        (["--max-jobs", "many"], "argument --max-jobs: invalid int value"),
        (["--no-such-thing"], "unrecognized arguments"),
    ],
)
def test_a_wrong_argument_is_named_with_its_bound(
    workers: Workers, arguments: list[str], told: str
) -> None:
    code, output = workers.run(*arguments)
    assert code == 2
    assert told in output


def test_a_database_that_does_not_answer_is_told_apart_from_one_without_tables(
    workers: Workers, empty_database: str
) -> None:
    there = urlsplit(workers.database)
    workers.database = "postgres://nobody@127.0.0.1:1/none"
    code, output = workers.run("--db-timeout", "0.1")
    assert code == 3
    assert "database: " in output
    workers.database = there._replace(path=empty_database).geturl()
    code, output = workers.run()
    assert code == 4
    assert "not migrated: qforge.0001_initial" in output
    workers.database = there.geturl()
    code, output = workers.run(QFORGE_LEASE_SECONDS="0")
    assert code in (2, 4)
    assert "LEASE_SECONDS" in output or "lease_seconds" in output


def test_a_dry_run_shows_every_setting_and_where_it_comes_from(workers: Workers) -> None:
    enqueue("check.mark", {"key": "untouched"})
    code, output = workers.run(
        "--dry-run", "--lease", "12", "--queues", "a,b", QFORGE_POLL_SECONDS="0.7"
    )
    assert code == 0
    lines = {line.split()[0]: line for line in output.splitlines() if line.startswith("  ")}
    assert "12.0  (command line)" in lines["lease_seconds"]
    assert "0.7  (environment QFORGE_POLL_SECONDS)" in lines["poll_seconds"]
    assert "a, b  (command line)" in lines["queues"]
    assert lines["batch_size"].split() == ["batch_size", "200"]
    assert Job.objects.get().status == JobStatus.QUEUED


def test_each_log_line_is_one_json_object_and_says_what_became_of_a_job(
    workers: Workers,
) -> None:
    job = enqueue("check.fail", {"key": "a", "times": 1, "message": "two\nlines"}, queue="mail")
    code, output = workers.run("--drain")
    assert code == 0
    lines = [json.loads(line) for line in output.splitlines()]
    for line in lines:
        assert {"ts", "level", "event", "pid", "thread"} <= line.keys()
    told = [line for line in lines if line.get("job_id") == job.id]
    assert [(line["event"], line["level"]) for line in told] == [("job.retrying", "warning")]
    assert told[0]["error"] == "RuntimeError: two\nlines"
    assert {"task": "check.fail", "queue": "mail", "attempt": 1}.items() <= told[0].items()
    assert [line["event"] for line in lines][-1] == "worker.stopped"


def test_quiet_means_quiet_in_every_process(workers: Workers) -> None:
    enqueue("check.mark", {"key": "a"})
    enqueue("check.fail", {"key": "b", "times": 1}, max_attempts=1)
    for processes in (1, 2):
        code, output = workers.run("--drain", "--quiet", processes=processes)
        assert code == 0
        assert {json.loads(line)["event"] for line in output.splitlines()} <= {"job.failed"}
