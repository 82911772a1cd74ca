"""Users who may see some jobs only, as tenants do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs import client
from jobs.models import Job, Workflow
from tests.api.client import Api
from tests.support import factories
from tests.workflows import helpers

pytestmark = pytest.mark.django_db


def own(user: Any, queryset: Any) -> Any:
    """Each user has the queue of that name."""
    if queryset.model is Workflow:
        return queryset.filter(jobs__queue=user.get_username()).distinct()
    return queryset.filter(queue=user.get_username())


@pytest.fixture(autouse=True)
def tenants(settings: Any, register: Callable[..., client.Task]) -> None:
    settings.QFORGE = {"FILTER_QUERYSET": f"{__name__}.own"}
    register(lambda: None, name=helpers.TASK)


@pytest.fixture
def theirs() -> Job:
    factories.job("failed", queue="ada")
    return factories.job("failed", queue="bob")


def test_a_list_holds_ones_own_jobs(api: Api, theirs: Job) -> None:
    assert [row["queue"] for row in api.get("/api/jobs/")["results"]] == ["ada"]


@pytest.mark.parametrize("part", ["", "events/", "why/"])
def test_anothers_job_is_not_found(api: Api, theirs: Job, part: str) -> None:
    assert api.get(f"/api/jobs/{theirs.pk}/{part}").status == 404


@pytest.mark.parametrize("action", ["retry", "cancel", "run-now"])
def test_anothers_job_cannot_be_acted_on(api: Api, theirs: Job, action: str) -> None:
    assert api.post(f"/api/jobs/{theirs.pk}/{action}/").status == 404
    assert factories.history(theirs.pk) == []


def test_nobody_enqueues_where_they_may_not_look(api: Api) -> None:
    assert api.enqueue(queue="bob").status == 404
    many = {"jobs": [{"task": "tests.echo", "queue": name} for name in ("ada", "bob")]}
    assert api.post("/api/jobs/bulk/", many).status == 404
    assert not Job.objects.exists()
    assert api.enqueue(queue="ada").status == 201


def test_the_feed_tells_of_ones_own_jobs(api: Api) -> None:
    for queue in ("ada", "bob"):
        client.enqueue("tests.echo", queue=queue)
    events = api.get("/api/events/", {"after": "start"})["results"]
    assert {event["queue"] for event in events} <= {"ada"}


def test_anothers_workflow_is_not_found(api: Api) -> None:
    mine = helpers.submit({"a": []}, a={"queue": "ada"})
    their = helpers.submit({"a": []}, a={"queue": "bob"})
    assert [row["id"] for row in api.get("/api/workflows/")["results"]] == [mine.id]
    for part in ("", "summary/", "steps/", "events/", "graph/", "gantt/"):
        assert api.get(f"/api/workflows/{their.id}/{part}").status == 404
        assert api.get(f"/api/workflows/{mine.id}/{part}").status == 200
    for action in ("cancel", "retry", "rerun"):
        assert api.post(f"/api/workflows/{their.id}/{action}/").status == 404
    assert Workflow.objects.get(pk=their.id).cancel_requested_at is None
    assert Workflow.objects.count() == 2


def test_an_operation_is_for_ones_own_jobs_by_id(api: Api, theirs: Job) -> None:
    asked = {"action": "retry", "dry_run": True}
    assert api.post("/api/operations/", {**asked, "all": True}).fields == {"filter": "invalid"}
    assert api.post("/api/operations/", {**asked, "ids": [theirs.pk]}).status == 404
    mine = Job.objects.get(queue="ada")
    assert api.post("/api/operations/", {**asked, "ids": [mine.pk]})["count"] == 1
    assert api.post("/api/operations/", {"action": "retry", "ids": [theirs.pk]}).status == 404


def test_without_a_request_nothing_is_narrowed(theirs: Job) -> None:
    from tests.management.terminal import run

    assert "failed" in run("jobs", "why", str(theirs.pk)).out
