"""Searching among very many jobs: bounded in time, and nothing is lost by that."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db.models.functions import Now

from jobs.api import search
from jobs.models import Job
from tests.api.client import Answer, Api
from tests.support import factories

URL = "/api/jobs/"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stretch is ten ids, and the time is always up after the first."""
    monkeypatch.setattr(search, "BUDGET_SECONDS", -1.0)
    monkeypatch.setattr(search, "_FIRST", 10)
    original = search.Stretches.look

    def look(self: Any, *args: Any, **given: Any) -> Any:
        ticks = iter([0.0, -2.0])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search.time, "monotonic", lambda: next(ticks, 10.0))
            return original(self, *args, **given)

    monkeypatch.setattr(search.Stretches, "look", look)


def follow(api: Api, link: str, first: Answer) -> tuple[list[int], list[Answer]]:
    """Ids of all pages, and the pages, along `next` or `previous`."""
    pages = [first]
    while url := pages[-1][link]:
        parts = urlsplit(url)
        pages.append(api.get(f"{parts.path}?{parts.query}"))
        assert len(pages) < 60
    return [row["id"] for page in pages for row in page["results"]], pages


@pytest.mark.parametrize("ordering", ["-id", "id"])
def test_a_search_that_is_cut_off_finds_all_by_going_on(
    api: Api, hasty: None, ordering: str
) -> None:
    wanted = []
    for n in range(7):
        factories.jobs(13)
        wanted += [row.pk for row in factories.jobs(1 + n % 2, queue="rare")]
    query = {"queue": "rare", "page_size": 3, "ordering": ordering}
    first = api.get(URL, query)
    found, pages = follow(api, "next", first)
    assert found == sorted(wanted, reverse=ordering == "-id")
    assert any(not page["results"] and page["next"] for page in pages)
    back, _ = follow(api, "previous", pages[-1])
    assert sorted(set(back)) == sorted(wanted)


def test_within_its_time_a_search_looks_everywhere(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(search, "_FIRST", 5)
    monkeypatch.setattr(search, "BUDGET_SECONDS", 3600.0)
    rare = factories.job(queue="rare").pk
    factories.jobs(300)
    answer = api.get(URL, {"queue": "rare"})
    assert [row["id"] for row in answer["results"]] == [rare]
    assert (answer["next"], answer["previous"]) == (None, None)
    assert api.get(URL, {"queue": "none"})["next"] is None


def test_times_of_creation_are_found_by_their_ids(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_FEW", 0)
    monkeypatch.setattr(search, "_NEAR", 1)
    rows = factories.jobs(100)
    for age, row in enumerate(reversed(rows)):
        Job.objects.filter(pk=row.pk).update(created_at=Now() - dt.timedelta(hours=age, minutes=5))
    now = dt.datetime.now(dt.UTC)
    window = {
        "created_after": (now - dt.timedelta(hours=60)).isoformat(),
        "created_before": (now - dt.timedelta(hours=50)).isoformat(),
    }
    looked: list[tuple[int, int]] = []
    original = search.Stretches.of

    def of(using: str, given: Any) -> search.Stretches:
        found = original(using, given)
        looked.append((found.low, found.high))
        return found

    monkeypatch.setattr(search.Stretches, "of", of)
    answer = api.get(URL, window | {"page_size": 200})
    assert [row["id"] for row in answer["results"]] == [
        row.pk for age, row in enumerate(reversed(rows)) if 50 <= age < 60
    ]
    ((low, high),) = looked
    assert high - low <= 15


def test_an_empty_table_is_searched_too(api: Api) -> None:
    assert api.get(URL, {"q": "anything"})["results"] == []
