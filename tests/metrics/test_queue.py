"""The numbers of the queue are those of its tables."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import metrics
from jobs.models import Queue, WorkerPool
from tests.metrics.scrape import Samples, samples
from tests.support import factories

pytestmark = pytest.mark.django_db


def found() -> Samples:
    text, media_type = metrics.exposition(factories.USING)
    assert media_type.startswith("text/plain")
    return samples(text.decode())


def pool(name: str, **fields: Any) -> None:
    plain = {"host": "h", "pid": 1, "version": "1", "threads": 4, "busy": 1, "queues": []}
    WorkerPool.objects.create(**plain | {"name": name, "tasks": []} | fields)


def test_jobs_are_counted_by_queue_and_status() -> None:
    factories.jobs(3, "queued", queue="mail")
    factories.jobs(2, "running", queue="mail")
    factories.job("scheduled", queue="reports")
    factories.jobs(2, "failed", queue="mail")
    told = found()
    assert told["qforge_jobs", "mail", "queued"] == 3
    assert told["qforge_jobs", "mail", "running"] == 2
    assert told["qforge_jobs", "mail", "scheduled"] == 0
    assert told["qforge_jobs", "reports", "scheduled"] == 1
    assert told["qforge_finished_jobs", "failed"] == 2
    assert told["qforge_finished_jobs", "succeeded"] == 0


def test_the_oldest_wait_and_a_pause_are_told_for_each_queue() -> None:
    factories.job("queued", queue="mail", available_at=Now() - dt.timedelta(seconds=90))
    Queue.objects.create(name="reports", paused_at=Now())
    told = found()
    assert 90 <= told["qforge_oldest_queued_seconds", "mail"] < 900
    assert told["qforge_oldest_queued_seconds", "reports"] == 0
    assert told["qforge_queue_paused", "mail"] == 0
    assert told["qforge_queue_paused", "reports"] == 1


def test_a_stalled_job_is_one_nobody_has_rescued() -> None:
    factories.job("running", lease_seconds=-3600)
    factories.job("running")
    assert found()["qforge_stalled_jobs",] == 1


def test_workers_are_told_by_what_has_become_of_them() -> None:
    pool("a")
    pool("b", busy=4)
    pool("c", stopping=True)
    pool("d", heartbeat_at=Now() - dt.timedelta(hours=1))
    told = found()
    states = {s: told["qforge_worker_processes", s] for s in ("live", "stopping", "lost")}
    assert states == {"live": 2, "stopping": 1, "lost": 1}
    assert told["qforge_worker_threads", "busy"] == 6
    assert told["qforge_worker_threads", "idle"] == 6


def test_an_empty_queue_has_numbers_too() -> None:
    told = found()
    assert told["qforge_worker_processes", "live"] == 0
    assert told["qforge_stalled_jobs",] == 0
