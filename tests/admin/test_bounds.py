"""The admin beside many rows: what its lists read, and for how long."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client, override_settings

from jobs.admin.lists import MAX_PAGES
from jobs.states import JobStatus
from tests.support.backlog import fill
from tests.support.database import statements, table_lock
from tests.support.plans import plans_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
LIST = "/admin/qforge/job/"
ROWS = 12_000


@pytest.fixture
def root() -> Client:
    browser = Client()
    user = get_user_model().objects.create_user("root", is_staff=True, is_superuser=True)
    browser.force_login(user)
    return browser


@pytest.fixture
def many() -> None:
    fill(ROWS, JobStatus.SUCCEEDED)
    fill(200, JobStatus.QUEUED)
    fill(20, JobStatus.FAILED)
    with connection.cursor() as cursor:
        # A table as small as this one may rightly be read as a whole.
        cursor.execute("ANALYZE jobs, job_events; SET LOCAL enable_seqscan = off")


@pytest.mark.parametrize(
    "query",
    [
        *("", "?p=3", "?q=4711", "?q=order-1"),
        *(f"?status__exact={status}" for status in ("failed", "queued", "succeeded", "running")),
    ],
)
def test_no_list_reads_the_whole_table(root: Client, many: None, query: str) -> None:
    plans = plans_of(lambda: root.get(LIST + query), generic=False)
    assert plans
    for plan in plans:
        scans = [node for node in plan.nodes() if node.get("Relation Name") == "jobs"]
        assert "Seq Scan" not in {node["Node Type"] for node in scans}, plan.sql
        assert "payload" not in plan.sql
        assert plan.rows_read <= 10_500


def test_the_whole_table_is_estimated_and_its_last_pages_cannot_be_asked_for(
    root: Client, many: None
) -> None:
    with statements() as sent:
        listed = root.get(LIST).context["cl"]
    assert listed.result_count == ROWS + 220
    assert not [sql for sql, _ in sent if "COUNT(" in sql.upper() and '"jobs"' in sql]
    assert listed.paginator.num_pages == MAX_PAGES
    assert len(root.get(f"{LIST}?p={MAX_PAGES}").context["cl"].result_list) == 100
    assert root.get(f"{LIST}?p={MAX_PAGES + 1}").status_code == 302
    assert len(root.get(f"{LIST}?all=").context["cl"].result_list) == 100


def test_a_list_asks_the_same_whatever_its_length(root: Client) -> None:
    def asked() -> int:
        with statements() as sent:
            root.get(LIST)
        return len(sent)

    fill(1, JobStatus.FAILED)
    few = asked()
    fill(90, JobStatus.FAILED)
    assert asked() == few


def test_a_small_table_is_counted(root: Client) -> None:
    fill(150, JobStatus.FAILED)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jobs")
    listed = root.get(LIST).context["cl"]
    assert (listed.result_count, listed.multi_page) == (150, True)


def test_a_list_that_takes_too_long_is_given_up(root: Client) -> None:
    with (
        override_settings(QFORGE={"API_TIMEOUT_SECONDS": 0.2}),
        table_lock("ACCESS EXCLUSIVE"),
    ):
        answer: Any = root.get(f"{LIST}?status__exact=failed")
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}?e=1")
    said = [str(message) for message in root.get(answer["Location"]).context["messages"]]
    assert said == ["This took over 0.2 s; use a narrower filter."]
