"""Operations over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.models import Job, Operation, OperationItem
from jobs.operations import batch
from jobs.states import JobStatus
from tests.api.client import Api
from tests.support import factories
from tests.support.factories import USING

URL = "/api/operations/"

pytestmark = pytest.mark.django_db


def retry_failed(api: Api, **fields: Any) -> Any:
    return api.post(URL, {"action": "retry", "filter": {"status": "failed"}, **fields})


def carry_out(operation_id: int) -> None:
    while not batch.run(USING, operation_id, limit=10).over:
        pass


def test_a_dry_run_counts_and_shows_some_and_keeps_nothing(api: Api) -> None:
    rows = factories.jobs(12, JobStatus.FAILED, queue="mail")
    factories.job(JobStatus.SUCCEEDED, queue="mail")
    answer = api.post(URL, {"action": "retry", "filter": {"queue": "mail"}, "dry_run": True})
    assert (answer.status, answer["count"], answer["exact"]) == (200, 12, True)
    assert [job["id"] for job in answer["sample"]] == [row.pk for row in rows[:10]]
    assert set(answer["sample"][0]) == {
        *("id", "task", "queue", "status", "created_at", "finished_at")
    }
    assert not Operation.objects.exists()


def test_an_operation_is_accepted_and_can_be_followed(api: Api) -> None:
    factories.jobs(3, JobStatus.FAILED)
    answer = retry_failed(api, reason="the bug is fixed", rate_per_second=2.5)
    assert answer.status == 202
    assert answer.headers["Location"] == f"{URL}{answer['id']}/"
    told = api.get(answer.headers["Location"])
    assert told.json == answer.json
    assert (told["status"], told["matched"], told["done"]) == ("pending", None, 0)
    assert (told["actor"], told["reason"], told["rate_per_second"]) == (
        *("ada", "the bug is fixed", 2.5),
    )
    assert told["filter"] == {"status": ["failed"]}
    assert told["runner_job"] == {"id": told["runner_job"]["id"], "status": "queued"}
    assert told["allowed_actions"] == ["cancel"]


def test_it_is_listed_with_the_newest_first_and_found_by_status_and_action(api: Api) -> None:
    one = retry_failed(api)["id"]
    two = api.post(URL, {"action": "cancel", "all": True})["id"]
    api.post(f"{URL}{one}/cancel/")
    assert [row["id"] for row in api.get(URL)["results"]] == [two, one]
    assert [row["id"] for row in api.get(URL, {"status": "cancelled"})["results"]] == [one]
    assert [row["id"] for row in api.get(URL, {"action": "cancel"})["results"]] == [two]
    page = api.get(URL, {"page_size": 1})
    assert [row["id"] for row in api.get(page["next"])["results"]] == [one]


def test_a_cancelled_one_cannot_be_cancelled_again(api: Api) -> None:
    made = retry_failed(api)
    answer = api.post(f"{URL}{made['id']}/cancel/", {"reason": "wrong queue"})
    assert (answer.status, answer["status"], answer["allowed_actions"]) == (200, "cancelled", [])
    assert (answer["cancelled_by"], answer["cancel_reason"]) == ("ada", "wrong queue")
    again = api.post(f"{URL}{made['id']}/cancel/")
    assert (again.status, again["code"], again["current_status"]) == (
        *(409, "operation-ended", "cancelled"),
    )


def test_its_items_say_what_was_left_and_why(api: Api) -> None:
    row = factories.job(JobStatus.SUCCEEDED)
    made = api.post(URL, {"action": "retry", "ids": [row.pk]})
    assert (made["filter"], made["named"]) == (None, 1)
    OperationItem.objects.create(
        operation_id=made["id"], job_id=999_999, outcome="failed", reason="no"
    )
    carry_out(made["id"])
    items = api.get(f"{URL}{made['id']}/items/")["results"]
    skipped = {"job": row.pk, "outcome": "skipped", "reason": "it is succeeded; it cannot retry"}
    assert items == [{"job": 999_999, "outcome": "failed", "reason": "no"}, skipped]
    only = api.get(f"{URL}{made['id']}/items/", {"outcome": "skipped"})
    assert only["results"] == [skipped]


@pytest.mark.parametrize(
    ("document", "field", "code"),
    [
        ({}, "action", "required"),
        ({"action": "explode"}, "action", "invalid"),
        ({"action": ["retry"]}, "action", "invalid"),
        ({"action": "retry"}, "filter", "required"),
        ({"action": "retry", "filter": {}}, "filter", "required"),
        ({"action": "retry", "filter": []}, "filter", "invalid"),
        ({"action": "retry", "filter": {"queu": "x"}}, "filter.queu", "unknown-parameter"),
        ({"action": "retry", "filter": {"status": "done"}}, "filter.status", "invalid"),
        ({"action": "retry", "filter": {"status": []}}, "filter.status", "invalid"),
        ({"action": "retry", "filter": {"status": [1.5]}}, "filter.status", "invalid"),
        ({"action": "retry", "filter": {"queue": ["a", "b"]}}, "filter.queue", "invalid"),
        ({"action": "retry", "filter": {"priority": True}}, "filter.priority", "invalid"),
        (
            {"action": "retry", "filter": {"created_after": "now"}},
            "filter.created_after",
            "invalid",
        ),
        ({"action": "retry", "all": True, "filter": {"queue": "a"}}, "all", "invalid"),
        ({"action": "retry", "all": "yes"}, "all", "invalid"),
        ({"action": "retry", "all": True, "dry_run": 1}, "dry_run", "invalid"),
        ({"action": "retry", "ids": [1], "filter": {"queue": "a"}}, "ids", "invalid"),
        ({"action": "retry", "ids": [1], "all": True}, "ids", "invalid"),
        ({"action": "retry", "ids": []}, "ids", "invalid"),
        ({"action": "retry", "ids": ["1"]}, "ids[0]", "invalid"),
        ({"action": "retry", "all": True, "rate_per_second": 0}, "rate_per_second", "invalid"),
        ({"action": "retry", "all": True, "expected_count": -1}, "expected_count", "invalid"),
        ({"action": "retry", "all": True, "reason": 5}, "reason", "invalid"),
        ({"action": "retry", "all": True, "when": 5}, "when", "unknown-field"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    api: Api, document: dict[str, Any], field: str, code: str
) -> None:
    answer = api.post(URL, document)
    assert (answer.status, answer.fields) == (422, {field: code})
    assert not Operation.objects.exists()


def test_every_condition_of_the_list_of_jobs_may_be_given(api: Api) -> None:
    conditions = {
        "status": ["failed", "cancelled"],
        "queue": "mail",
        "task": "tests.echo",
        "priority": -5,
        "workflow": 7,
        "created_after": "2026-01-31T08:00:00+01:00",
        "created_before": "2026-02-01T00:00:00Z",
        "finished_after": "2026-01-31T08:00:00Z",
        "finished_before": "2026-02-01T00:00:00Z",
        "q": "timeout",
    }
    made = api.post(URL, {"action": "retry", "filter": conditions})
    assert made.status == 202, made.json
    assert made["filter"] == conditions | {
        "created_after": "2026-01-31T07:00:00.000000Z",
        "created_before": "2026-02-01T00:00:00.000000Z",
        "finished_after": "2026-01-31T08:00:00.000000Z",
        "finished_before": "2026-02-01T00:00:00.000000Z",
    }
    carry_out(made["id"])
    assert api.get(f"{URL}{made['id']}/")["status"] == "succeeded"


def test_more_than_expected_is_refused(api: Api) -> None:
    factories.jobs(3, JobStatus.FAILED)
    answer = retry_failed(api, expected_count=2)
    assert (answer.status, answer["code"]) == (409, "count-mismatch")
    assert retry_failed(api, expected_count=3).status == 202


def test_a_key_gives_the_same_operation_again(api: Api) -> None:
    first = retry_failed(api, idempotency_key="k")
    again = api.post(
        URL, {"action": "retry", "filter": {"status": "failed"}}, HTTP_IDEMPOTENCY_KEY='"k"'
    )
    assert (again.status, again["id"]) == (202, first["id"])
    assert again.headers["Idempotency-Replayed"] == "true"
    other = api.post(URL, {"action": "cancel", "all": True, "idempotency_key": "k"})
    assert (other.status, other["code"]) == (422, "idempotency-conflict")


@pytest.mark.parametrize("end", ["cancelled", "gone"])
def test_one_that_nobody_carries_on_is_shown_as_failed(api: Api, end: str) -> None:
    made = retry_failed(api)
    runner = made["runner_job"]["id"]
    if end == "gone":
        Job.objects.filter(pk=runner).delete()
    else:
        api.post(f"/api/jobs/{runner}/cancel/")
    told = api.get(f"{URL}{made['id']}/")
    assert (told["status"], told["error"]) == ("failed", f"the job that carried it out is {end}")
    assert api.post(f"{URL}{made['id']}/cancel/")["status"] == "cancelled"


@pytest.mark.parametrize("path", ["1/", "9223372036854775808/", "1/items/", "1/cancel/"])
def test_one_that_is_not_there_is_not_found(api: Api, path: str) -> None:
    answer = api.post(URL + path) if "cancel" in path else api.get(URL + path)
    assert (answer.status, answer["code"]) == (404, "not-found")
