from __future__ import annotations

import json

import pytest
from django.test import override_settings

from jobs import client
from jobs.management.subcommands import prune
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from tests.management.terminal import Ran, run
from tests.support import factories

pytestmark = pytest.mark.django_db

DAY = 86_400.0
KEPT = {"succeeded": 7 * DAY, "failed": None, "cancelled": 2 * DAY}


@pytest.fixture
def old_and_new() -> None:
    for status in (JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED):
        factories.jobs(3, status, finished_seconds=31 * DAY)
        factories.jobs(2, status, finished_seconds=60)
    factories.job()
    factories.job(JobStatus.RUNNING)


@override_settings(QFORGE={"RETENTION_SECONDS": KEPT})
def test_each_status_is_pruned_by_its_own_age(old_and_new: None) -> None:
    assert run("jobs", "prune") == Ran(
        0,
        "succeeded             3 pruned (ended over 7d ago)\n"
        "failed     kept for ever\n"
        "cancelled             3 pruned (ended over 2d ago)\n",
        "",
    )
    left = sorted(Job.objects.values_list("status", flat=True))
    assert left == ["cancelled"] * 2 + ["failed"] * 5 + ["queued", "running"] + ["succeeded"] * 2


@override_settings(QFORGE={"RETENTION_SECONDS": KEPT})
def test_a_dry_run_counts_the_same_and_deletes_nothing(old_and_new: None) -> None:
    dry = run("jobs", "prune", "--dry-run")
    assert Job.objects.count() == 17
    assert dry.out.replace("would be pruned", "pruned") == run("jobs", "prune").out
    assert Job.objects.count() == 11


def test_status_and_age_can_be_chosen(old_and_new: None) -> None:
    ran = run("jobs", "prune", "--status", "failed", "--older-than-seconds", "0")
    assert ran.out == "failed                5 pruned (ended over 0s ago)\n"
    assert not Job.objects.filter(status="failed").exists()
    assert Job.objects.count() == 12


def test_json_is_one_document(old_and_new: None) -> None:
    arguments = ["--status", "failed", "--status", "succeeded", "--dry-run", "--json"]
    document = json.loads(run("jobs", "prune", *arguments).out)
    assert document == {
        "dry_run": True,
        "counted_up_to": 100_000,
        "pruned": [
            {"status": "succeeded", "older_than_seconds": 7 * DAY, "jobs": 3},
            {"status": "failed", "older_than_seconds": 30 * DAY, "jobs": 3},
        ],
    }


def test_more_jobs_than_a_batch_are_pruned_with_their_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prune, "BATCH", 2)
    for _ in range(5):
        client.cancel(client.enqueue("demo.add", {"a": 1, "b": 2}).id)
    kept = client.enqueue("demo.add", {"a": 1, "b": 2}).id
    ran = run("jobs", "prune", "--status", "cancelled", "--older-than-seconds", "0", terminal=True)
    assert ran.out.startswith("cancelled             5 pruned")
    assert "cancelled: 4 pruned" in ran.err
    assert list(Job.objects.values_list("pk", flat=True)) == [kept]
    assert set(JobEvent.objects.values_list("job_id", flat=True)) == {kept}


def test_a_dry_run_stops_counting_at_its_bound(
    old_and_new: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prune, "COUNTED", 2)
    arguments = ["--status", "failed", "--older-than-seconds", "0", "--dry-run"]
    assert run("jobs", "prune", *arguments).out == (
        "failed           over 2 would be pruned (ended over 0s ago)\n"
    )
