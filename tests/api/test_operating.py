"""Tasks, queues, workers and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import JobContext, client
from jobs.models import Queue, WorkerPool
from jobs.store import workers
from tests.api.client import Answer, Api
from tests.support import factories
from tests.support.factories import USING


def named(answer: Answer, name: str) -> dict[str, Any]:
    (found,) = [row for row in answer["results"] if row["name"] == name]
    return dict(found)


def test_a_task_tells_its_parameters_without_the_context(
    api: Api, register: Callable[..., client.Task]
) -> None:
    def mix(
        a: int,
        /,
        b: str = "x",
        *rest: Any,
        c: float,
        context: JobContext,
        d: Any = ...,
        **more: Any,
    ) -> None:
        """First line.

        The rest.
        """

    register(mix, name="tests.mix", queue="mail", priority=3, max_attempts=8, timeout=2.5)
    found = named(api.get("/api/tasks/"), "tests.mix")
    parameters = found.pop("parameters")
    assert found == {
        "name": "tests.mix",
        "doc": "First line.\n\nThe rest.",
        "queue": "mail",
        "priority": 3,
        "max_attempts": 8,
        "timeout_seconds": 2.5,
    }
    shown = [(p["name"], p["kind"], p["required"], p["default"]) for p in parameters]
    assert shown == [
        ("a", "positional_only", True, None),
        ("b", "positional_or_keyword", False, "x"),
        ("rest", "var_positional", False, None),
        ("c", "keyword_only", True, None),
        ("d", "keyword_only", False, None),
        ("more", "var_keyword", False, None),
    ]
    assert [p["default_text"] for p in parameters] == ["", "'x'", "", "", "Ellipsis", ""]
    assert [p["annotation"] for p in parameters][:2] == ["int", "str"]


def test_a_task_without_options_shows_those_of_the_settings(api: Api) -> None:
    with override_settings(QFORGE={"MAX_ATTEMPTS": 7, "TIMEOUT_SECONDS": 60.0}):
        found = named(api.get("/api/tasks/"), "tests.add")
    assert (found["max_attempts"], found["timeout_seconds"]) == (7, 60.0)


def test_a_default_that_breaks_when_shown_hides_no_task(
    api: Api, register: Callable[..., client.Task]
) -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    def odd(a: Any = Broken(), b: Any = "x" * 10_000, c: Any = float("nan")) -> None: ...  # noqa: B008

    register(odd, name="tests.odd")
    parameters = named(api.get("/api/tasks/"), "tests.odd")["parameters"]
    assert [p["default"] for p in parameters] == [None, None, None]
    assert all(0 < len(p["default_text"]) <= 2000 for p in parameters)


def test_a_queue_shows_what_waits_and_since_when(api: Api) -> None:
    factories.jobs(3, queue="mail")
    factories.job("scheduled", queue="mail")
    factories.job("running", queue="mail")
    factories.job("succeeded", queue="mail")
    found = named(api.get("/api/queues/"), "mail")
    assert {status: n["count"] for status, n in found["jobs"].items()} == {
        "blocked": 0,
        "scheduled": 1,
        "queued": 3,
        "running": 1,
    }
    assert all(n["exact"] for n in found["jobs"].values())
    assert found["oldest_queued_seconds"] >= 0
    assert found["paused_at"] is None


def test_a_queue_of_finished_jobs_only_is_not_listed(api: Api) -> None:
    factories.job("succeeded", queue="past")
    assert "past" not in [queue["name"] for queue in api.get("/api/queues/")["results"]]


def test_pausing_and_resuming_a_queue(api: Api) -> None:
    answer = api.post("/api/queues/mail/pause/", {"reason": "db upgrade"})
    assert (answer.status, answer["paused_by"]) == (200, "ada")
    found = named(api.get("/api/queues/"), "mail")
    assert (found["paused_by"], found["pause_reason"]) == ("ada", "db upgrade")
    assert found["paused_at"] == answer["paused_at"]
    again = api.post("/api/queues/mail/pause/", {"reason": "longer"})
    assert (again["paused_at"], again["pause_reason"]) == (answer["paused_at"], "longer")
    for _ in range(2):
        resumed = api.post("/api/queues/mail/resume/")
        assert (resumed.status, resumed["paused_at"], resumed["paused_by"]) == (200, None, "")
    assert named(api.get("/api/queues/"), "mail")["paused_at"] is None


@pytest.mark.parametrize("action", ["pause", "resume"])
@pytest.mark.parametrize("name", ["a b", "%00", "x" * 65, "ä"])
def test_what_cannot_be_a_queue_is_refused(api: Api, action: str, name: str) -> None:
    answer = api.post(f"/api/queues/{name}/{action}/")
    assert (answer.status, list(answer.fields)) == (422, ["queue"])
    assert not Queue.objects.exists()


def test_a_worker_shows_whether_it_is_still_heard_of(api: Api) -> None:
    fields: dict[str, Any] = {
        "host": "web-1",
        "pid": 42,
        "version": "1",
        "queues": ["mail"],
        "tasks": [],
        "threads": 8,
        "busy": 3,
        "stopping": False,
        "services": {},
    }
    workers.beat(USING, "here", **fields)
    workers.beat(USING, "gone", **fields)
    with override_settings(QFORGE={"LEASE_SECONDS": 3600.0}):
        assert named(api.get("/api/workers/"), "gone")["lost"] is False
    WorkerPool.objects.filter(name="gone").update(heartbeat_at="2020-01-01T00:00:00Z")
    answer = api.get("/api/workers/")
    here, gone = named(answer, "here"), named(answer, "gone")
    assert (here["lost"], gone["lost"]) == (False, True)
    assert gone["heartbeat_age_seconds"] > 86400 > here["heartbeat_age_seconds"] >= 0
    assert (here["host"], here["pid"], here["queues"]) == ("web-1", 42, ["mail"])
    assert (here["threads"], here["busy"], here["stopping"]) == (8, 3, False)


def test_the_numbers_of_an_empty_database(api: Api) -> None:
    answer = api.get("/api/stats/")
    assert set(answer["jobs"]) == {
        "blocked",
        "scheduled",
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    }
    assert answer["oldest_queued_seconds"] is None
    assert answer["latency_seconds"] == {"jobs": 0, "wait": {}, "run": {}}


def test_the_numbers_count_jobs_by_status_and_time(api: Api) -> None:
    factories.jobs(2)
    row = factories.job("running")
    factories.finish(factories.succeeded(row))
    factories.job("failed", finished_seconds=600)
    factories.job("failed", finished_seconds=7200)
    answer = api.get("/api/stats/")
    assert answer["jobs"]["queued"] == {"count": 2, "exact": True}
    assert answer["jobs"]["failed"] == {"count": 2, "exact": True}
    minute, hour = answer["finished"]["last_minute"], answer["finished"]["last_hour"]
    assert (minute["succeeded"]["count"], minute["failed"]["count"]) == (1, 0)
    assert (hour["succeeded"]["count"], hour["failed"]["count"]) == (1, 1)
    assert answer["oldest_queued_seconds"] >= 0
    assert answer["latency_seconds"]["jobs"] == 1
    assert set(answer["latency_seconds"]["run"]) == {"p50", "p95", "p99"}


@pytest.mark.parametrize("path", ["tasks", "queues", "workers", "stats", "jobs/1"])
def test_unknown_parameters_are_refused_everywhere(api: Api, path: str) -> None:
    answer = api.get(f"/api/{path}/?queue=mail")
    assert (answer.status, list(answer.fields)) == (422, ["queue"])
