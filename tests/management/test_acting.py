"""`manage.py jobs retry` and `cancel`."""

from __future__ import annotations

import getpass
import json
import socket
from typing import Any

import pytest
from django.core.management.base import CommandError

from jobs.models import Job, JobEvent, Operation
from jobs.operations import batch
from jobs.states import JobStatus
from tests.management.terminal import run
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def refused(*arguments: str) -> tuple[str, int]:
    with pytest.raises(CommandError) as error:
        run("jobs", *arguments)
    return str(error.value), error.value.returncode


def test_one_job_is_changed_at_once_and_remembers_who_did_it() -> None:
    row = factories.job(JobStatus.FAILED)
    ran = run("jobs", "retry", str(row.pk), "--reason", "fixed")
    assert (ran.code, ran.out) == (0, f"job {row.pk} is queued\n")
    data = JobEvent.objects.get(job=row, kind="retried").data
    assert data == {"actor": f"cli:{getpass.getuser()}@{socket.gethostname()}", "reason": "fixed"}
    assert not Operation.objects.exists()


def test_read_only_is_for_http_and_does_not_bind_the_shell(settings: Any) -> None:
    settings.QFORGE = {"READ_ONLY": True}
    row = factories.job(JobStatus.FAILED)
    assert run("jobs", "retry", str(row.pk)).out == f"job {row.pk} is queued\n"


def test_a_running_job_is_asked_to_stop() -> None:
    row = factories.job(JobStatus.RUNNING)
    assert run("jobs", "cancel", str(row.pk)).out == f"job {row.pk} is running, asked to stop\n"


def test_one_job_as_json_is_what_the_api_shows() -> None:
    row = factories.job(JobStatus.FAILED)
    document = json.loads(run("jobs", "retry", str(row.pk), "--json").out)
    assert (document["id"], document["status"]) == (row.pk, "queued")


@pytest.mark.parametrize("pk", [None, 999_999_999])
def test_a_job_that_cannot_be_changed_is_an_error(pk: int | None) -> None:
    row = factories.job(JobStatus.SUCCEEDED)
    said, code = refused("retry", str(pk or row.pk))
    assert code == 1
    assert said in (f"job {row.pk} is succeeded; it cannot retry", f"job {pk} does not exist")


def test_many_become_an_operation() -> None:
    factories.jobs(3, JobStatus.FAILED, queue="mail")
    ran = run("jobs", "retry", "--filter", "queue=mail", "--filter", "status=failed", "--yes")
    operation = Operation.objects.get()
    assert ran.out == f"operation {operation.pk}: retry 3 jobs\n"
    assert operation.filter == {"queue": "mail", "status": ["failed"]}
    assert operation.actor.startswith("cli:")


def test_several_ids_are_one_operation() -> None:
    ids = [row.pk for row in factories.jobs(3, JobStatus.QUEUED)]
    ran = run("jobs", "cancel", *map(str, ids), "--yes", "--json")
    document = json.loads(ran.out)
    assert (document["action"], document["named"], document["status"]) == ("cancel", 3, "pending")
    batch.run(USING, document["id"], limit=10)
    assert set(Job.objects.filter(pk__in=ids).values_list("status", flat=True)) == {"cancelled"}


def test_a_dry_run_counts_and_keeps_nothing() -> None:
    factories.jobs(3, JobStatus.FAILED)
    assert run("jobs", "retry", "--all", "--dry-run").out == "retry would be for 3 jobs\n"
    document = json.loads(run("jobs", "retry", "--all", "--dry-run", "--json").out)
    assert (document["count"], document["exact"], len(document["sample"])) == (3, True, 3)
    assert not Operation.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "retry: give ids, or --filter, or --all"),
        (["1", "2", "--all"], "retry: give ids, or --filter, or --all"),
        (["--filter", "queue"], "--filter: must be KEY=VALUE, not 'queue'"),
        (
            ["--filter", "queu=a"],
            "queu: unknown parameter; did you mean 'filter.queue'?",
        ),
        (["--filter", "queue=a", "--filter", "queue=b"], "queue: may be given only once"),
    ],
)
def test_what_cannot_be_asked_for_is_said(arguments: list[str], said: str) -> None:
    assert refused("retry", *arguments, "--yes") == (said, 2)


def test_without_a_terminal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert refused("retry", "--all") == ("there is nobody to ask; say --yes", 2)
    assert not Operation.objects.exists()


@pytest.mark.parametrize(("answer", "made"), [("y", 1), ("", 0), ("n", 0)])
def test_a_person_is_asked(monkeypatch: pytest.MonkeyPatch, answer: str, made: int) -> None:
    asked: list[str] = []

    def reply(question: str) -> str:
        asked.append(question)
        return answer

    class Keyboard:
        @staticmethod
        def isatty() -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard())
    monkeypatch.setattr("builtins.input", reply)
    factories.jobs(2, JobStatus.FAILED)
    if made:
        run("jobs", "retry", "--all")
    else:
        assert refused("retry", "--all") == ("nothing was changed", 1)
    assert asked == ["Retry 2 jobs? [y/N] "]
    assert Operation.objects.count() == made


def test_waiting_ends_when_nobody_carries_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel_runner(seconds: float) -> None:
        Job.objects.filter(task="qforge.run_operation").delete()

    monkeypatch.setattr("jobs.management.acting.time.sleep", cancel_runner)
    factories.jobs(2, JobStatus.FAILED)
    said = refused("retry", "--all", "--yes", "--wait")
    assert said == ("the job that carried it out is gone", 1)
