"""The feed over HTTP."""

from __future__ import annotations

import pytest

from tests.api.client import Api

URL = "/api/events/"


def test_a_reader_follows_along_from_now(api: Api) -> None:
    api.enqueue()
    start = api.get(URL)
    assert (start["results"], start["more"]) == ([], False)
    job_id = api.enqueue(queue="mail")["id"]
    answer = api.get(URL, {"after": start["cursor"]})
    # In a test's transaction nothing is committed, so nothing may be seen on PostgreSQL.
    assert [event["job"] for event in answer["results"]] in ([], [job_id])


@pytest.mark.usefixtures("committed_db")
def test_a_reader_gets_everything_once_in_pages(open_api: Api) -> None:
    made = [open_api.enqueue(queue="mail")["id"] for _ in range(5)]
    cursor, found = "start", []
    while True:
        answer = open_api.get(URL, {"after": cursor, "limit": 2})
        found += answer["results"]
        cursor = answer["cursor"]
        if not answer["more"]:
            break
    assert [event["job"] for event in found] == made
    assert {(event["task"], event["queue"], event["kind"]) for event in found} == {
        ("tests.echo", "mail", "enqueued")
    }
    assert found[0]["from_status"] is None
    assert open_api.get(URL, {"after": cursor})["results"] == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=nonsense", "after"),
        ("after=", "after"),
        ("after=" + "x" * 9000, "after"),
        ("after=%00", "after"),
        ("after=1", "after"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=all", "limit"),
        ("since=1", "since"),
    ],
)
def test_a_bad_question_is_refused_by_name(api: Api, query: str, field: str) -> None:
    answer = api.get(f"{URL}?{query}")
    assert (answer.status, list(answer.fields)) == (422, [field])
