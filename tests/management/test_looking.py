"""`manage.py jobs`: what looks at things, and `enqueue`, `pause`, `resume`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.test import override_settings

from jobs import client
from jobs.models import AuditEntry, Job, JobEvent, Queue, Schedule, WorkerPool
from jobs.states import JobStatus
from tests.management.terminal import run
from tests.support import factories

pytestmark = pytest.mark.django_db


def refused(*arguments: str) -> tuple[str, int]:
    with pytest.raises(CommandError) as error:
        run("jobs", *arguments)
    return str(error.value), error.value.returncode


def test_a_list_is_of_the_newest_and_says_where_it_goes_on() -> None:
    rows = factories.jobs(5, JobStatus.FAILED, queue="mail")
    factories.job(JobStatus.FAILED, queue="other")
    ran = run("jobs", "list", "--filter", "queue=mail", "--limit", "2")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["id", "attempt", "created", "status", "queue", "task", "error"]
    assert [int(line.split()[0]) for line in lines[1:]] == [rows[4].pk, rows[3].pk]
    assert lines[1].endswith("ValueError: wrong")
    assert ran.err == f"go on with --before {rows[3].pk}\n"
    again = run(
        "jobs", "list", "--filter", "queue=mail", "--before", str(rows[3].pk), "--limit", "3"
    )
    assert [int(line.split()[0]) for line in again.out.splitlines()[1:]] == [
        row.pk for row in reversed(rows[:3])
    ]
    assert again.err == ""


def test_a_list_as_json_is_one_document_of_the_apis_rows() -> None:
    row = factories.job(JobStatus.QUEUED, payload={"password": "hush", "n": 1})
    document = json.loads(run("jobs", "list", "--json").out)
    assert [job["id"] for job in document["results"]] == [row.pk]
    assert document["before"] is None
    assert "hush" not in document["results"][0]["payload_preview"]


def test_an_empty_list_is_no_error() -> None:
    assert json.loads(run("jobs", "list", "--json").out) == {"results": [], "before": None}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "--filter", "queu=a"], "queu: unknown parameter; did you mean 'queue'?"),
        (["list", "--filter", "queue"], "--filter: must be KEY=VALUE, not 'queue'"),
        (
            ["settings", "threads"],
            "there is no setting 'threads'. Did you mean 'THREADS'?",
        ),
        (["tail", "--for", "0", "--after", "x!"], None),
    ],
)
def test_what_cannot_be_asked_for_is_said(arguments: list[str], said: str | None) -> None:
    text, code = refused(*arguments)
    assert code == 2
    assert said is None or text == said


def test_a_job_is_shown_with_its_events_and_without_secrets(register: Any) -> None:
    made = register(lambda api_key: None, name="tests.shown")
    job_id = made.enqueue(api_key="hush").id
    ran = run("jobs", "show", str(job_id))
    assert "hush" not in ran.out
    assert "enqueued" in ran.out.splitlines()[-1]
    document = json.loads(run("jobs", "show", str(job_id), "--json").out)
    assert document["id"] == job_id
    assert [event["kind"] for event in document["events"]] == ["enqueued"]


def test_a_job_that_is_not_there_is_not_shown() -> None:
    assert refused("show", "999999999") == ("job 999999999 does not exist", 1)


def test_settings_say_which_the_project_has_changed() -> None:
    given = {
        "THREADS": 3,
        "SCHEDULES": {"s": {"task": "t", "cron": "* * * * *", "payload": {"token": "hush"}}},
    }
    with override_settings(QFORGE=given):
        ran = run("jobs", "settings", "--json")
        changed = run("jobs", "settings", "--changed", "THREADS", "POLL_SECONDS")
    document = json.loads(ran.out)
    found = {one["name"]: one for one in document["settings"]}
    assert (found["THREADS"]["value"], found["THREADS"]["source"]) == (3, "settings")
    assert found["POLL_SECONDS"] == {"name": "POLL_SECONDS", "value": 1.0, "source": "default"}
    assert "hush" not in ran.out
    assert [line.split() for line in changed.out.splitlines()] == [
        ["name", "value", "source"],
        ["THREADS", "3", "settings"],
    ]


@pytest.mark.parametrize("given", [{"THREADS": "x"}, ["THREADS"], {"RETENTION_SECONDS": 3}])
def test_wrong_settings_are_shown_with_what_is_wrong(given: Any) -> None:
    with override_settings(QFORGE=given):
        ran = run("jobs", "settings")
    assert ran.code == 1
    assert ran.err.startswith("! ")


def test_queues_are_listed_with_who_has_paused_them() -> None:
    factories.jobs(2, JobStatus.QUEUED, queue="mail")
    run("jobs", "pause", "mail", "--reason", "upgrade")
    lines = run("jobs", "queues").out.splitlines()
    (line,) = [line for line in lines if line.startswith("mail")]
    assert line.split()[1] == "2"
    assert "PAUSED by cli:" in line
    assert line.endswith('"upgrade"')
    document = json.loads(run("jobs", "queues", "--json").out)
    (queue,) = [queue for queue in document["results"] if queue["name"] == "mail"]
    assert (queue["jobs"]["queued"]["count"], queue["pause_reason"]) == (2, "upgrade")


def test_workers_are_listed_with_whether_they_live() -> None:
    WorkerPool.objects.create(name="a:1", host="a", pid=1, version="1", threads=4, busy=2)
    ran = run("jobs", "workers")
    assert ran.out.splitlines()[1].split()[:3] == ["a:1", "1", "2/4"]
    assert ran.out.splitlines()[1].endswith("live")
    document = json.loads(run("jobs", "workers", "--json").out)
    assert [(pool["name"], pool["lost"]) for pool in document["results"]] == [("a:1", False)]


def test_schedules_are_listed_with_why_they_are_off() -> None:
    Schedule.objects.create(name="hourly", task="tests.t", cron="0 * * * *")
    Schedule.objects.create(
        name="off", task="tests.t", interval_seconds=60, enabled=False, disabled_reason="broken"
    )
    lines = run("jobs", "schedules").out.splitlines()
    assert lines[1].rstrip().endswith("on")
    assert lines[2].endswith("off: broken")
    document = json.loads(run("jobs", "schedules", "--json").out)
    assert [row["name"] for row in document["results"]] == ["hourly", "off"]


def test_enqueueing_tells_the_job_and_who_asked(register: Callable[..., client.Task]) -> None:
    register(lambda n: None, name="tests.asked")
    ran = run("jobs", "enqueue", "tests.asked", "--payload", '{"n": 1}', "--queue", "mail")
    row = Job.objects.get(task="tests.asked")
    assert ran.out == f"job {row.pk} is queued\n"
    assert (row.payload, row.queue) == ({"n": 1}, "mail")
    assert JobEvent.objects.get(job=row).data["actor"].startswith("cli:")
    arguments = ("enqueue", "tests.asked", "--payload", '{"n": 2}', "--key", "k", "--json")
    document = json.loads(run("jobs", *arguments).out)
    assert json.loads(run("jobs", *arguments).out)["id"] == document["id"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tests.askd"], "did you mean 'tests.asked'?"),
        (["tests.asked", "--payload", "{"], "--payload: is not JSON"),
        (["tests.asked", "--payload", "[1]"], "payload"),
        (["tests.asked", "--payload", '{"m": 1}'], "m"),
        (["tests.asked", "--payload", '{"n": NaN}'], "payload"),
    ],
)
def test_what_cannot_be_enqueued_is_said(
    register: Callable[..., client.Task], arguments: list[str], said: str
) -> None:
    register(lambda n: None, name="tests.asked")
    text, code = refused("enqueue", *arguments)
    assert said in text
    assert code == 2
    assert not Job.objects.exists()


def test_a_queue_is_paused_and_resumed_and_the_audit_knows() -> None:
    factories.job(JobStatus.QUEUED, queue="mail")
    document = json.loads(run("jobs", "pause", "mail", "--reason", "upgrade", "--json").out)
    assert document["paused_at"] is not None
    assert document["paused_by"].startswith("cli:")
    assert run("jobs", "resume", "mail").out == "queue mail is active\n"
    assert run("jobs", "resume", "mail").out == "queue mail is active; it was not paused\n"
    assert not Queue.objects.filter(paused_at__isnull=False).exists()
    found = AuditEntry.objects.order_by("id").values_list("action", "via", "reason")
    assert list(found) == [("queue.pause", "cli", "upgrade"), ("queue.resume", "cli", "")]


@pytest.mark.parametrize("verb", ["pause", "resume"])
def test_a_misspelt_queue_is_told_its_name(verb: str) -> None:
    factories.job(JobStatus.QUEUED, queue="reports")
    text, code = refused(verb, "report")
    assert text.startswith("nobody has heard of a queue 'report'. Did you mean 'reports'?")
    assert code == 1
    assert not Queue.objects.exists()
    assert run("jobs", "pause", "report", "--anyway").code == 0
    assert refused("pause", "no such")[1] == 2
