"""Many jobs in one request: all or none."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from jobs.models import Job, JobEvent
from tests.api.client import Answer, Api

URL = "/api/jobs/bulk/"


def bulk(api: Api, *jobs: Any) -> Answer:
    return api.post(URL, {"jobs": list(jobs)})


def job(**fields: Any) -> dict[str, Any]:
    return {"task": "tests.echo", **fields}


def test_all_jobs_are_enqueued_in_the_order_given(api: Api) -> None:
    answer = bulk(api, *[job(payload={"n": n}, queue=f"q{n}") for n in range(5)])
    assert answer.status == 201
    assert all(one["created"] and one["status"] == "queued" for one in answer["results"])
    ids = [one["id"] for one in answer["results"]]
    rows = Job.objects.in_bulk(ids)
    assert [rows[pk].payload for pk in ids] == [{"n": n} for n in range(5)]


def test_one_bad_job_keeps_all_out_and_every_bad_one_is_named(api: Api) -> None:
    answer = bulk(
        api,
        job(),
        job(payload={"a": "\x00"}),
        {"task": "tests.nowhere"},
        5,
        job(priority=1000),
        job(colour="red", size=1),
        {},
        job(available_at="soon"),
    )
    assert answer.status == 422
    assert answer.fields == {
        "jobs[1].payload.a": "nul",
        "jobs[2].task": "unknown-task",
        "jobs[3]": "invalid",
        "jobs[4].priority": "invalid",
        "jobs[5].colour": "unknown-field",
        "jobs[5].size": "unknown-field",
        "jobs[6].task": "required",
        "jobs[7].available_at": "invalid",
    }
    assert not Job.objects.exists()
    assert not JobEvent.objects.exists()


def test_a_thousand_errors_do_not_make_an_answer_without_end(api: Api) -> None:
    assert len(bulk(api, *[5] * 1000).fields) == 100


def test_keys_that_have_a_job_give_that_job(api: Api) -> None:
    first = api.enqueue(idempotency_key="k")
    answer = bulk(api, job(idempotency_key="k"), job(idempotency_key="new"), job())
    assert answer.status == 201
    assert [one["created"] for one in answer["results"]] == [False, True, True]
    assert answer["results"][0]["id"] == first["id"]
    again = bulk(api, job(idempotency_key="k"), job(idempotency_key="new"))
    assert (again.status, Job.objects.count()) == (200, 3)


def test_a_key_that_was_used_otherwise_keeps_all_out(api: Api) -> None:
    api.enqueue(payload={"a": 1}, idempotency_key="k")
    answer = bulk(api, job(), job(payload={"a": 2}, idempotency_key="k"))
    assert answer.status == 422
    assert answer.fields == {"jobs[1].idempotency_key": "idempotency-conflict"}
    assert Job.objects.count() == 1


def test_a_key_that_stands_twice_is_one_job_when_both_are_alike(api: Api) -> None:
    answer = bulk(api, job(idempotency_key="k"), job(idempotency_key="k"))
    assert answer.status == 201
    assert len({one["id"] for one in answer["results"]}) == 1
    assert [one["created"] for one in answer["results"]] == [True, False]


def test_a_key_that_stands_twice_for_different_jobs_is_refused(api: Api) -> None:
    answer = bulk(api, job(idempotency_key="k"), job(), job(idempotency_key="k", priority=1))
    assert answer.status == 422
    assert list(answer.fields) == ["jobs[0].idempotency_key", "jobs[2].idempotency_key"]
    assert not Job.objects.exists()


@pytest.mark.parametrize("jobs", [None, {}, "s", 5])
def test_jobs_must_be_a_list(api: Api, jobs: Any) -> None:
    assert list(api.post(URL, {"jobs": jobs}).fields) == ["jobs"]
    assert list(api.post(URL, {}).fields) == ["jobs"]


def test_the_number_of_jobs_is_bounded(api: Api) -> None:
    assert bulk(api).fields == {"jobs": "empty"}
    with override_settings(QFORGE={"BULK_MAX_JOBS": 3}):
        assert bulk(api, *[job()] * 3).status == 201
        assert bulk(api, *[job()] * 4).fields == {"jobs": "too-many"}


def test_a_header_cannot_be_the_key_of_many_jobs(api: Api) -> None:
    answer = api.post(URL, {"jobs": [job()]}, HTTP_IDEMPOTENCY_KEY="k")
    assert list(answer.fields) == ["Idempotency-Key"]


def test_many_jobs_with_large_payloads_fit(api: Api) -> None:
    answer = bulk(api, *[job(payload={"a": "x" * 2000})] * 5000)
    assert (answer.status, len(answer["results"])) == (201, 5000)
    assert Job.objects.count() == 5000


def test_unknown_fields_beside_the_jobs_are_refused(api: Api) -> None:
    assert api.post(URL, {"jobs": [job()], "atomic": True}).fields == {"atomic": "unknown-field"}
