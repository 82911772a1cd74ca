"""Why is this job not running, over HTTP and in a shell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import CommandError

from jobs.states import JobStatus
from tests.api.client import Api
from tests.api.test_permissions import VIEWER, browser_of
from tests.api.test_schema import conforms, document
from tests.management.terminal import run
from tests.support import factories

__all__ = ["document"]


@pytest.mark.parametrize("status", JobStatus)
def test_every_status_has_a_reason_as_documented(
    api: Api, document: Any, status: JobStatus
) -> None:
    row = factories.job(status)
    answer = api.get(f"/api/jobs/{row.pk}/why/")
    assert conforms(document, "QForgeWhy", answer.json) == []
    assert (answer["job"], answer["status"]) == (row.pk, status)
    assert answer["reasons"][0]["summary"].endswith(".")


def test_times_are_as_everywhere_in_the_api(api: Api) -> None:
    row = factories.job("scheduled")
    job, why = api.get(f"/api/jobs/{row.pk}/"), api.get(f"/api/jobs/{row.pk}/why/")
    assert why["reasons"][0]["facts"]["available_at"] == job["available_at"]


@pytest.mark.parametrize("job_id", [1, 2**63])
def test_a_job_that_is_not_there_is_not_found(api: Api, job_id: int) -> None:
    assert api.get(f"/api/jobs/{job_id}/why/").status == 404


@pytest.mark.django_db
def test_what_a_handler_said_is_for_those_who_may_see_payloads() -> None:
    row = factories.job("running")
    factories.finish(factories.values.cancelled(factories.claimed(row), reason="card 4711"))
    viewer = Api(browser_of(VIEWER, is_staff=True))
    assert "4711" not in json.dumps(viewer.get(f"/api/jobs/{row.pk}/why/").json)
    assert "card 4711" in run("jobs", "why", str(row.pk)).out


@pytest.mark.django_db
def test_the_command_prints_the_reasons_or_one_document() -> None:
    row = factories.job(queue="mail")
    ran = run("jobs", "why", str(row.pk))
    assert ran.out.splitlines() == [
        f"job {row.pk}  tests.task  queued",
        "  No worker is alive.",
        "  No other job is ahead of it.",
    ]
    told = json.loads(run("jobs", "why", str(row.pk), "--json").out)
    assert [reason["code"] for reason in told["reasons"]] == ["no-live-worker", "next-in-line"]
    with pytest.raises(CommandError, match=f"job {row.pk + 1}"):
        run("jobs", "why", str(row.pk + 1))
