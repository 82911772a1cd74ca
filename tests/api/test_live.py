"""Live updates over HTTP, by polling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.live.counters import counters
from tests.api.client import Api
from tests.support import factories

URL = "/api/live/"


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    counters.forget()
    yield
    counters.forget()


@pytest.mark.usefixtures("committed_db")
def test_a_page_hears_what_has_changed_since_it_last_asked(open_api: Api) -> None:
    first = open_api.get(URL)
    assert first["changed"]["jobs"] == []
    job_id = open_api.enqueue()["id"]
    second = open_api.get(URL, {"cursor": first["cursor"]})
    assert (second["changed"]["jobs"], second["changed"]["queues"]) == ([job_id], True)
    assert not second["overflow"]
    third = open_api.get(URL, {"cursor": second["cursor"]})
    assert (third["changed"]["jobs"], third["cursor"]) == ([], second["cursor"])


@pytest.mark.usefixtures("committed_db")
def test_while_nothing_changes_the_answer_is_304_without_a_body(open_api: Api) -> None:
    cursor = open_api.get(URL)["cursor"]
    answer = open_api.get(URL, {"cursor": cursor})
    tag = answer.headers["ETag"]
    assert answer.headers["Cache-Control"] == "private, no-cache"
    again = open_api.get(URL, {"cursor": cursor}, HTTP_IF_NONE_MATCH=tag)
    assert (again.status, again.json, again.headers["ETag"]) == (304, None, tag)
    open_api.enqueue()
    assert open_api.get(URL, {"cursor": cursor}, HTTP_IF_NONE_MATCH=tag).status == 200


@pytest.mark.usefixtures("committed_db")
def test_numbers_are_counted_once_for_all_who_ask_within_two_seconds(open_api: Api) -> None:
    factories.jobs(3)
    cursor = open_api.get(URL)["cursor"]
    with CaptureQueriesContext(connection) as captured:
        answers = [open_api.get(URL, {"cursor": cursor}) for _ in range(5)]
    assert {answer["stats"]["jobs"]["queued"]["count"] for answer in answers} == {3}
    reads = [query["sql"] for query in captured if "status" in query["sql"]]
    assert len(captured) <= 5 * 4
    assert all("job_events" in sql for sql in reads)


@pytest.mark.usefixtures("committed_db")
def test_the_pace_follows_what_runs_and_the_settings(open_api: Api, settings: Any) -> None:
    def pace() -> int:
        counters.forget()
        return int(open_api.get(URL)["next_poll_ms"])

    counters.get("default")
    calm = pace()
    factories.job()
    assert 2_000 <= pace() <= calm
    settings.QFORGE = settings.QFORGE | {"LIVE_MIN_INTERVAL_SECONDS": 30.0}
    assert pace() >= 30_000


def test_topics_choose_what_is_told(api: Api) -> None:
    assert api.get(URL, {"topics": "jobs"})["stats"] is None
    assert api.get(URL, {"topics": "stats,workflow:1"})["stats"]["jobs"]["queued"]["count"] == 0


def test_switched_off_it_says_so(api: Api, settings: Any) -> None:
    settings.QFORGE = {"LIVE_ENABLED": False}
    answer = api.get(URL)
    assert (answer.status, answer["code"]) == (403, "live-disabled")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("cursor=nonsense", "cursor"),
        ("cursor=", "cursor"),
        ("cursor=" + "x" * 9000, "cursor"),
        ("topics=everything", "topics"),
        ("topics=workflow:-1", "topics"),
        ("after=1", "after"),
    ],
)
def test_a_bad_question_is_refused_by_name(api: Api, query: str, field: str) -> None:
    answer = api.get(f"{URL}?{query}")
    assert (answer.status, list(answer.fields)) == (422, [field])


def test_without_asgi_a_stream_is_refused_at_once(api: Api) -> None:
    answer = api.get("/api/live/stream/")
    assert (answer.status, answer["code"]) == (501, "stream-unsupported")
