"""One job: its detail, its history, and what may be done to it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from jobs.api.problems import ACTIONS
from jobs.models import Job, JobEvent, Queue
from jobs.states import ARROWS, JobStatus, Verb
from jobs.store import queues
from tests.api.client import Answer, Api
from tests.api.test_idempotency import BACKEND
from tests.support import factories
from tests.support.factories import USING
from tests.support.threads import together

URL = "/api/jobs/"


def test_a_running_job_shows_its_lease(api: Api) -> None:
    row = factories.job("running", progress={"percent": 40, "message": "half"}, task="tests.add")
    found = api.get(f"{URL}{row.pk}/")
    assert found["lease"]["worker"] == factories.WORKER
    assert found["lease"]["expires_at"].endswith("Z")
    assert found["progress"] == {"percent": 40, "message": "half"}
    assert (found["attempts"], found["max_attempts"]) == (1, 3)
    assert found["task_registered"] is True
    assert found["queue_paused"] is False


def test_a_finished_job_shows_its_result_and_no_lease(api: Api) -> None:
    row = factories.job("running")
    factories.finish(factories.succeeded(row, '{"sum": [1, 2.5]}'))
    found = api.get(f"{URL}{row.pk}/")
    assert (found["status"], found["result"]) == ("succeeded", {"sum": [1, 2.5]})
    assert found["lease"] is None
    assert found["task_registered"] is False


def test_a_waiting_job_says_that_its_queue_is_paused(api: Api) -> None:
    row = factories.job(queue="mail")
    queues.pause(USING, "mail", by="me", reason="")
    assert api.get(f"{URL}{row.pk}/")["queue_paused"] is True


@pytest.mark.parametrize("job_id", [0, 999_999, 2**63 - 1, 2**63, 10**40])
@pytest.mark.parametrize("end", ["", "/events", "/cancel", "/retry", "/run-now"])
def test_a_job_that_does_not_exist_is_not_found(api: Api, job_id: int, end: str) -> None:
    path = f"{URL}{job_id}{end}/"
    answer = api.get(path) if end in ("", "/events") else api.post(path)
    assert (answer.status, answer["code"]) == (404, "not-found")


@pytest.mark.parametrize("job_id", ["abc", "-1", "1.5", "1e3", "%00"])
def test_what_is_no_id_is_not_found(api: Api, job_id: str) -> None:
    assert api.get(f"{URL}{job_id}/").status == 404


def test_the_history_tells_everything_in_order(api: Api) -> None:
    job_id = api.enqueue(delay_seconds=60)["id"]
    api.post(f"{URL}{job_id}/run-now/", {"reason": "hurry"})
    api.post(f"{URL}{job_id}/cancel/", {"reason": "not needed"})
    api.post(f"{URL}{job_id}/retry/")
    found = api.get(f"{URL}{job_id}/events/")["results"]
    assert [(event["kind"], event["from_status"], event["to_status"]) for event in found] == [
        ("enqueued", None, "scheduled"),
        ("promoted", "scheduled", "queued"),
        ("cancelled", "queued", "cancelled"),
        ("retried", "cancelled", "queued"),
    ]
    assert found[1]["data"] == {"actor": "ada", "reason": "hurry"}
    assert found[2]["data"] == {"actor": "ada", "reason": "not needed"}
    assert all(event["job"] == job_id for event in found)


@pytest.mark.parametrize("ordering", ["id", "-id"])
def test_a_long_history_comes_in_pages(api: Api, ordering: str) -> None:
    row = factories.job()
    made = JobEvent.objects.bulk_create(
        JobEvent(job=row, kind="lease_lost", to_status="queued", attempt=n) for n in range(20)
    )
    wanted = [event.pk for event in made]
    found: list[int] = []
    url: str | None = f"{URL}{row.pk}/events/?page_size=7&ordering={ordering}"
    while url:
        answer = api.get(url)
        found += [event["id"] for event in answer["results"]]
        url = answer["next"]
    assert found == (wanted if ordering == "id" else wanted[::-1])


@pytest.mark.parametrize("status", list(JobStatus))
@pytest.mark.parametrize("verb", list(ACTIONS))
def test_the_state_table_decides_what_may_be_done(api: Api, status: str, verb: Verb) -> None:
    row = factories.job(status)
    before = factories.snapshot(row.pk)
    answer = api.post(f"{URL}{row.pk}/{ACTIONS[verb]}/")
    if status in ARROWS[verb].sources:
        assert answer.status == 200
        assert answer["id"] == row.pk
        assert factories.snapshot(row.pk) != before
    else:
        assert (answer.status, answer["code"]) == (409, "illegal-transition")
        assert answer["current_status"] == status
        shown = api.get(f"{URL}{row.pk}/")["allowed_actions"]
        assert answer["allowed_actions"] == shown
        assert ACTIONS[verb] not in shown
        assert factories.snapshot(row.pk) == before


def test_cancelling_a_running_job_asks_it_to_stop(api: Api) -> None:
    row = factories.job("running")
    answer = api.post(f"{URL}{row.pk}/cancel/", {"reason": "enough"})
    assert (answer["status"], answer["cancel_requested_at"] is not None) == ("running", True)
    again = api.post(f"{URL}{row.pk}/cancel/")
    assert again.json == answer.json
    assert factories.history(row.pk) == [("cancel_requested", "running", "running")]


def test_a_retried_job_has_its_whole_budget_again(api: Api) -> None:
    row = factories.job("failed")
    answer = api.post(f"{URL}{row.pk}/retry/")
    assert (answer["status"], answer["attempts"], answer["error"]) == ("queued", 0, "")
    assert answer["finished_at"] is None


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"reason": 5}, "reason"),
        ({"reason": ["x"]}, "reason"),
        ({"reason": "x" * 501}, "reason"),
        ({"reason": "a\x00"}, "reason"),
        ({"reason": "\ud800"}, "reason"),
        ({"because": "x"}, "because"),
        ([], "body"),
    ],
)
@pytest.mark.parametrize("path", ["jobs/{}/cancel", "queues/mail/pause", "queues/mail/resume"])
def test_a_reason_that_cannot_be_kept_changes_nothing(
    api: Api, document: Any, field: str, path: str
) -> None:
    row = factories.job()
    answer = api.post(f"/api/{path.format(row.pk)}/", document)
    assert (answer.status, list(answer.fields)) == (422, [field])
    assert Job.objects.get(pk=row.pk).status == "queued"
    assert not Queue.objects.exists()


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize(("action", "status"), [("retry", "failed"), ("cancel", "queued")])
def test_of_twenty_people_who_ask_at_once_one_wins(action: str, status: str) -> None:
    user = get_user_model().objects.create_user("eve", is_staff=True, is_superuser=True)
    row = factories.job(status)

    def post() -> Answer:
        browser = Client()
        browser.force_login(user, backend=BACKEND)
        return Api(browser).post(f"{URL}{row.pk}/{action}/")

    try:
        answers = together([post] * 20, seconds=60)
    finally:
        user.delete()
    assert sorted(answer.status for answer in answers) == [200] + [409] * 19
    assert len(factories.history(row.pk)) == 1
