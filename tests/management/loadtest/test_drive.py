from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from jobs.management.api_client import ApiClient
from jobs.management.loadtest import drive, plan
from jobs.models import Job
from jobs.states import JobStatus
from tests.support import factories
from tests.support.live import web_server

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def url() -> Iterator[str]:
    with web_server() as served:
        yield served


def enqueuer(url: str, jobs: int, queue: str = "default", seconds: float = 50) -> drive.Enqueuer:
    return drive.Enqueuer(
        plan.make(jobs, delayed=0.2, flaky=0.3, seed=1),
        run="run-1",
        queue=queue,
        connect=lambda: ApiClient(url),
        deadline=time.monotonic() + seconds,
    )


def test_each_job_is_enqueued_once_by_threads_at_once(url: str) -> None:
    seen: list[int] = []
    done = enqueuer(url, 40).work(8, seen.append)
    assert sorted(done.ids) == sorted(done.seconds) == list(range(40))
    assert set(done.ids.values()) == set(Job.objects.values_list("pk", flat=True))
    assert (seen[-1], done.refusals) == (40, [])
    assert done.wall_seconds > max(done.seconds.values())


def test_a_second_go_at_the_same_load_makes_no_second_job(url: str) -> None:
    first = enqueuer(url, 10).work(2, lambda n: None)
    assert enqueuer(url, 10).work(2, lambda n: None).ids == first.ids
    assert Job.objects.count() == 10


def test_a_server_that_refuses_is_not_asked_for_ever(url: str) -> None:
    done = enqueuer(url, 100, queue="no such queue").work(2, lambda n: None)
    assert 20 <= len(done.refusals) <= 21
    assert done.ids == {}


def test_the_deadline_ends_it(url: str) -> None:
    assert enqueuer(url, 10, seconds=-1).work(2, lambda n: None).ids == {}


def test_waiting_ends_when_all_have_ended_or_time_is_up() -> None:
    ended = factories.jobs(3, JobStatus.SUCCEEDED) + factories.jobs(2, JobStatus.FAILED)
    ids = [job.pk for job in ended]
    seen: list[int] = []
    left = drive.wait("default", ids, deadline=time.monotonic() + 50, progress=seen.append)
    assert (left, seen) == ([], [5])
    waiting = factories.job(JobStatus.SCHEDULED).pk
    left = drive.wait(
        "default", [*ids, waiting], deadline=time.monotonic() + 0.1, progress=seen.append
    )
    assert (left, seen[-1]) == ([waiting], 5)
