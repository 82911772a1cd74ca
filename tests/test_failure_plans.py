"""What it costs to look at groups of failures, with many other jobs around theirs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from jobs import stats
from jobs.states import JobStatus
from jobs.stats import failures
from tests.support.backlog import fill
from tests.support.factories import USING
from tests.support.plans import SORTS, Plan, execute

pytestmark = pytest.mark.postgres

GROUPS, JOBS = 40, 30_000
RARE, COMMON = "a" * 32, "b" * 32


@pytest.fixture(scope="module")
def backlog(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Jobs of all kinds, 20,000 of them failed in one way and 300 in another; no commit."""
    with django_db_blocker.unblock():
        execute("TRUNCATE jobs, job_error_groups CASCADE", "ANALYZE jobs, job_error_groups")
        with transaction.atomic():
            fill(JOBS, JobStatus.SUCCEEDED)
            fill(JOBS, JobStatus.FAILED)
            fill(JOBS, JobStatus.SCHEDULED, age="interval '-1 day'")
            execute(
                "UPDATE jobs SET error = 'E', error_fingerprint ="
                " CASE WHEN id % 100 = 0 THEN repeat('a', 32) ELSE repeat('b', 32) END"
                " WHERE status = 'failed' AND id % 3 > 0",
                "INSERT INTO job_error_groups (fingerprint, task, queue, exception, culprit,"
                " message, occurrences, first_release, last_release, status, note, changed_by)"
                " SELECT CASE n WHEN 1 THEN repeat('a', 32) WHEN 2 THEN repeat('b', 32)"
                " ELSE md5(n::text) END,"
                " 't', 'q', 'E', '', '', 1, '', '', 'open', '', ''"
                " FROM generate_series(1, 40) n",
            )
            yield
            transaction.set_rollback(True)
        execute("TRUNCATE jobs, job_error_groups CASCADE")


def indexes_of_jobs(found: list[Plan]) -> set[str]:
    return {name for plan in found for name in plan.indexes if name.startswith("jobs_")}


def test_jobs_of_a_group_are_counted_up_to_the_bound(plans: Any) -> None:
    (plan,) = plans(partial(stats.jobs_now, USING, [RARE, COMMON]))
    assert plan.rows_read <= 2 * failures.COUNTED + GROUPS + 10, plan.root


@pytest.mark.parametrize("name", [RARE, COMMON])
def test_the_latest_jobs_are_read_and_no_others(plans: Any, name: str) -> None:
    found = plans(partial(failures.latest_jobs, USING, name, 20))
    assert indexes_of_jobs(found) == {"jobs_error_group"}
    for plan in found:
        assert not plan.kinds & SORTS, plan.root
        assert plan.rows_read <= 20, plan.root


@pytest.mark.parametrize("name", [RARE, COMMON])
def test_a_page_of_the_jobs_of_a_group_reads_only_its_rows(plans: Any, name: str) -> None:
    user = get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(user)
    try:
        found = plans(partial(browser.get, f"/api/jobs/?error_fingerprint={name}&page_size=20"))
    finally:
        user.delete()
    found = [plan for plan in found if '"jobs"' in plan.sql]
    assert len(found) == len(failures.HELD_IN)
    for plan in found:
        assert plan.rows_read <= 21, plan.root
