"""The list of jobs: filters, orderings, and pages that neither repeat nor skip."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.db.models import JSONField, Value
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job
from jobs.states import JobStatus
from tests.api.client import Api
from tests.support import factories

URL = "/api/jobs/"
ORDERINGS = {
    "-id": "failed",
    "id": "failed",
    "-finished_at": "failed",
    "finished_at": "succeeded",
    "-priority": "queued",
    "priority": "queued",
    "available_at": "scheduled",
    "-available_at": "scheduled",
}


def ids(answer: Any) -> list[int]:
    return [row["id"] for row in answer["results"]]


def pages(api: Api, url: str | None, link: str = "next") -> list[list[int]]:
    found = []
    while url is not None:
        answer = api.get(url)
        assert answer.status == 200
        found.append(ids(answer))
        url = answer[link]
    return found


def test_the_newest_job_comes_first(api: Api) -> None:
    made = [job.pk for job in factories.jobs(3)]
    answer = api.get(URL)
    assert ids(answer) == made[::-1]
    assert (answer["next"], answer["previous"]) == (None, None)


@pytest.mark.parametrize(("ordering", "status"), ORDERINGS.items())
def test_jobs_of_one_transaction_come_once_each_in_every_ordering(
    api: Api, ordering: str, status: str
) -> None:
    made = {job.pk for job in factories.jobs(100, status)}
    url = f"{URL}?ordering={ordering}&page_size=7"
    forth = pages(api, url)
    assert [len(page) for page in forth] == [7] * 14 + [2]
    assert {job for page in forth for job in page} == made
    last = api.get(url)
    while last["next"]:
        last = api.get(last["next"])
    back = pages(api, last.response.wsgi_request.get_full_path(), "previous")
    assert back[::-1] == forth


@pytest.mark.parametrize(("ordering", "status"), ORDERINGS.items())
def test_every_ordering_is_in_order(api: Api, ordering: str, status: str) -> None:
    now = timezone.now()
    for n in (3, 1, 2):
        at = now + dt.timedelta(minutes=n)
        fields: dict[str, Any] = {"priority": n, "available_at": at}
        if status in ("failed", "succeeded"):
            fields["finished_at"] = at
        factories.job(status, **fields)
    column = ordering.removeprefix("-")
    found = [row[column] for row in api.get(f"{URL}?ordering={ordering}")["results"]]
    assert found == sorted(found, reverse=ordering.startswith("-"))
    assert len(set(found)) == 3


def test_the_finished_jobs_of_all_statuses_are_merged(api: Api) -> None:
    made = []
    for n in range(30):
        status = ("succeeded", "failed", "cancelled")[n % 3]
        made.append(factories.job(status, finished_seconds=1000 - n).pk)
    factories.jobs(5)
    forth = pages(api, f"{URL}?ordering=-finished_at&page_size=4")
    assert [job for page in forth for job in page] == made[::-1]
    some = pages(api, f"{URL}?ordering=finished_at&page_size=4&status=failed&status=cancelled")
    assert [job for page in some for job in page] == [m for n, m in enumerate(made) if n % 3]


def test_priority_lists_queued_jobs_as_they_will_be_claimed(api: Api) -> None:
    for priority in (0, 5, -5, 5):
        factories.job(priority=priority)
    factories.job("scheduled")
    listed = ids(api.get(f"{URL}?ordering=-priority"))
    assert listed == [claimed.id for claimed in factories.claim(limit=10)]


@pytest.mark.parametrize(
    ("ordering", "status"),
    [("finished_at", "queued"), ("-priority", "failed"), ("available_at", "running")],
)
def test_an_ordering_that_has_no_such_jobs_says_so(api: Api, ordering: str, status: str) -> None:
    answer = api.get(f"{URL}?ordering={ordering}&status={status}")
    assert (answer.status, list(answer.fields)) == (422, ["ordering"])


def test_pages_stay_whole_while_jobs_come_and_go(api: Api) -> None:
    made = [job.pk for job in factories.jobs(20)]
    first = api.get(f"{URL}?page_size=5")
    factories.jobs(3)
    Job.objects.filter(pk__in=[made[0], made[-1], made[-5]]).delete()
    rest = pages(api, first["next"])
    assert [job for page in rest for job in page] == made[1:15][::-1]


def test_the_filters_go_along_to_the_next_page(api: Api) -> None:
    factories.jobs(3, queue="mail")
    factories.jobs(3, queue="other")
    answer = api.get(f"{URL}?queue=mail&status=queued&status=failed&page_size=2")
    assert answer["next"].startswith("http://testserver/api/jobs/?")
    given = parse_qs(urlsplit(answer["next"]).query)
    assert given.pop("cursor")
    assert given == {"queue": ["mail"], "status": ["queued", "failed"], "page_size": ["2"]}
    assert len(ids(api.get(answer["next"]))) == 1


def utc(year: int, month: int = 1, day: int = 1, hour: int = 0) -> dt.datetime:
    return dt.datetime(year, month, day, hour, tzinfo=dt.UTC)


FILTERS: list[tuple[str, dict[str, Any]]] = [
    ("status=failed", {"status": "failed"}),
    ("queue=mail", {"queue": "mail"}),
    ("task=tests.special", {"task": "tests.special"}),
    ("priority=9", {"priority": 9}),
    ("q=SPECIAL", {"task": "tests.special"}),
    ("q=a%25b_c", {"status": "failed", "error": "x A%b_C y"}),
    ("created_before=2020-01-01T00:00:00Z", {"created_at": utc(2019)}),
    ("created_after=2090-01-01T00:00:00%2B02:00", {"created_at": utc(2089, 12, 31, 22)}),
    ("finished_after=2090-01-01T00:00:00Z", {"status": "failed", "finished_at": utc(2090)}),
    ("finished_before=2000-01-01T00:00:00Z", {"status": "failed", "finished_at": utc(1999)}),
]


@pytest.mark.parametrize(("query", "fields"), FILTERS)
def test_a_filter_keeps_what_it_names(api: Api, query: str, fields: dict[str, Any]) -> None:
    wanted = factories.job(**fields)
    factories.jobs(2, error="a_b")
    assert ids(api.get(f"{URL}?{query}")) == [wanted.pk]


def test_statuses_are_alternatives(api: Api) -> None:
    wanted = {factories.job(status).pk for status in ("failed", "running")}
    factories.job()
    assert set(ids(api.get(f"{URL}?status=failed&status=running"))) == wanted


def test_time_windows_that_touch_neither_overlap_nor_leave_a_gap(api: Api) -> None:
    edge = dt.datetime(2025, 5, 5, tzinfo=dt.UTC)
    job = factories.job(created_at=edge)
    assert ids(api.get(f"{URL}?created_after=2025-05-05T00:00:00Z")) == [job.pk]
    assert ids(api.get(f"{URL}?created_before=2025-05-05T00:00:00Z")) == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("stauts=failed", "stauts"),
        ("status=done", "status"),
        ("status=", "status"),
        ("queue=a&queue=b", "queue"),
        ("queue=", "queue"),
        ("queue=%00", "queue"),
        ("q=%00", "q"),
        ("q=", "q"),
        ("task=" + "x" * 256, "task"),
        ("priority=high", "priority"),
        ("priority=101", "priority"),
        ("priority=" + "9" * 5000, "priority"),
        ("created_after=yesterday", "created_after"),
        ("created_after=2025-01-01", "created_after"),
        ("created_after=2025-01-01T00:00:00", "created_after"),
        ("finished_before=0001-01-01T00:00:00%2B23:59", "finished_before"),
        ("ordering=created_at", "ordering"),
        ("ordering=", "ordering"),
        ("page_size=0", "page_size"),
        ("page_size=201", "page_size"),
        ("page_size=1.5", "page_size"),
        ("page_size=%D9%A3", "page_size"),
        ("page=2", "page"),
        ("format=xml", "format"),
        ("cursor=", "cursor"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%E2%82%AC", "cursor"),
        ("cursor=WyItaWQiLCJuIl0", "cursor"),
        ("cursor=WyItaWQiLCJuIiwieCJd", "cursor"),
        ("cursor=WyItaWQiLCJuIiwxZTMwXQ", "cursor"),
        ("cursor=WyItaWQiLCJ4IiwxXQ", "cursor"),
    ],
)
def test_a_bad_filter_is_refused_by_name(api: Api, query: str, field: str) -> None:
    answer = api.get(f"{URL}?{query}")
    assert (answer.status, list(answer.fields)) == (422, [field])


def test_a_cursor_of_another_ordering_is_refused(api: Api) -> None:
    factories.jobs(3)
    following = api.get(f"{URL}?page_size=1")["next"]
    answer = api.get(f"{following}&ordering=id")
    assert (answer.status, answer.fields) == (422, {"cursor": "bad-cursor"})


def test_several_bad_filters_are_all_named(api: Api) -> None:
    answer = api.get(f"{URL}?status=done&colour=red&page_size=0")
    assert set(answer.fields) == {"status", "colour", "page_size"}
    assert "did you mean 'status'?" in api.get(f"{URL}?stauts=done")["detail"]


def test_rows_carry_the_beginning_of_a_payload_only(api: Api) -> None:
    factories.job(payload={"a": "x" * 100_000}, result=None)
    with CaptureQueriesContext(connection) as queries:
        answer = api.get(URL)
    assert len(answer.response.content) < 2000
    (row,) = answer["results"]
    assert len(row["payload_preview"]) == 200
    # Nor does the database send it.
    reads = [query["sql"] for query in queries if 'FROM "jobs"' in query["sql"]]
    assert reads
    assert not any('"jobs"."payload",' in sql or '"jobs"."result"' in sql for sql in reads)


def test_the_preview_of_an_error_is_its_last_line(api: Api) -> None:
    factories.job("failed", error="Traceback:\n  File x\nValueError: " + "y" * 20 + "\n")
    assert api.get(URL)["results"][0]["error_preview"] == "ValueError: " + "y" * 20


def test_a_list_costs_the_same_queries_whatever_its_length(api: Api) -> None:
    factories.jobs(2)
    with CaptureQueriesContext(connection) as few:
        api.get(URL)
    factories.jobs(100)
    with CaptureQueriesContext(connection) as many:
        api.get(f"{URL}?page_size=100")
    assert len(few) == len(many)


JSON_NULL = Value(None, JSONField())


def odd_rows() -> None:
    """Rows nobody should write, but the constraints allow."""
    far = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
    factories.job(task="gone.away", payload=[1, 2], args={"a": 1})
    factories.job("succeeded", result=None, started_at=far, available_at=far)
    factories.job("succeeded", result={"odd": [1e308]}, progress=["no", "percent"])
    factories.job("failed", attempts=0, error="\u2028\n\n", finished_at=far)
    factories.job("scheduled", available_at=far, queue="ä ö/ü", priority=100)
    factories.job("running", locked_by="w" * 128, lease_expires_at=far, payload="text")
    factories.job("failed", max_attempts=2**31 - 1, attempts=2**31 - 1, payload=JSON_NULL)
    factories.job("cancelled", created_at=dt.datetime(1, 1, 1, tzinfo=dt.UTC))
    factories.job(queue="<script>alert(1)</script>", payload={"x": "</script><img onerror=1>"})


def test_odd_rows_hide_no_others(api: Api) -> None:
    odd_rows()
    answer = api.get(URL)
    assert (answer.status, len(answer["results"])) == (200, 9)
    for row in answer["results"]:
        detail = api.get(f"{URL}{row['id']}/")
        assert detail.status == 200
        shared = [name for name in row if "preview" not in name and name != "worker"]
        assert {name: detail[name] for name in shared} == {name: row[name] for name in shared}
    for path in ("/api/stats/", "/api/queues/", "/api/workers/", "/"):
        assert api.client.get(path).status_code == 200, path
    for ordering in ORDERINGS:
        assert api.get(f"{URL}?ordering={ordering}&page_size=1").status == 200


def test_every_status_can_be_shown(api: Api) -> None:
    for status in JobStatus:
        factories.job(status, started_at=Now())
    assert {row["status"] for row in api.get(URL)["results"]} == {s.value for s in JobStatus}
