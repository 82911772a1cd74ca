"""Finished steps stay as long as their workflow does; then all of it goes at once."""

from __future__ import annotations

import pytest
from django.db import transaction

from jobs.models import Dependency, Job, JobEvent
from jobs.models import Workflow as Row
from jobs.states import JobStatus
from jobs.store.prune import count_old, prune_batch
from jobs.workflows import actions
from jobs.workflows.rerun import rerun_workflow
from tests.support import factories
from tests.support.factories import USING
from tests.support.threads import together
from tests.workflows.helpers import (
    CHAIN,
    claim,
    failed,
    finish,
    finish_and_claim,
    run_all,
    status,
    submit,
    succeeded,
)

FINAL = [JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED]


def prune(limit: int = 1000, age_seconds: float = 0.0) -> int:
    return sum(prune_batch(USING, one, age_seconds=age_seconds, limit=limit) for one in FINAL)


@pytest.mark.django_db
def test_steps_of_a_live_workflow_are_kept_and_it_ends_well() -> None:
    workflow = submit(CHAIN)
    running = claim()
    for name in CHAIN:
        assert list(running) == [name]
        assert prune() == 0
        running = finish_and_claim(succeeded(running[name], name))
    assert status(workflow) == "succeeded"
    assert Job.objects.count() == 3


@pytest.mark.django_db
def test_a_finished_workflow_goes_with_all_its_rows() -> None:
    submit(CHAIN)
    run_all(fail=["b"])
    kept = submit(CHAIN)
    assert prune() == 3
    assert set(Job.objects.values_list("workflow_id", flat=True)) == {kept.id}
    assert set(JobEvent.objects.values_list("job__workflow_id", flat=True)) == {kept.id}
    assert set(Dependency.objects.values_list("child__workflow_id", flat=True)) == {kept.id}
    assert list(Row.objects.values_list("pk", flat=True)) == [kept.id]


@pytest.mark.django_db
def test_the_age_of_a_workflow_counts_from_its_own_end() -> None:
    workflow = submit(CHAIN)
    run_all()
    Job.objects.update(finished_at="2000-01-01T00:00Z", started_at="2000-01-01T00:00Z")
    assert prune(age_seconds=3600) == 0
    Row.objects.filter(pk=workflow.id).update(finished_at="2000-01-01T00:00Z")
    assert prune(age_seconds=3600) == 3


@pytest.mark.django_db
def test_a_workflow_is_pruned_by_how_it_ended_not_by_how_its_steps_did() -> None:
    submit(CHAIN)
    run_all(fail=["b"])
    assert prune_batch(USING, JobStatus.SUCCEEDED, age_seconds=0, limit=100) == 0
    assert prune_batch(USING, JobStatus.CANCELLED, age_seconds=0, limit=100) == 0
    assert prune_batch(USING, JobStatus.FAILED, age_seconds=0, limit=100) == 3


@pytest.mark.django_db
def test_plain_jobs_and_workflows_are_pruned_side_by_side() -> None:
    factories.jobs(2, "succeeded")
    submit(CHAIN)
    run_all()
    one = JobStatus.SUCCEEDED
    assert count_old(USING, one, age_seconds=0, limit=100) == 5
    assert count_old(USING, one, age_seconds=0, limit=4) == 4
    assert prune_batch(USING, one, age_seconds=0, limit=100) == 5
    assert count_old(USING, one, age_seconds=0, limit=100) == 0
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_a_batch_takes_whole_workflows_until_it_is_full() -> None:
    for _ in range(4):
        submit(CHAIN)
        run_all()
    assert prune(limit=4) == 6
    assert Row.objects.count() == 2
    assert prune(limit=1) == 3
    assert prune(limit=100) == 3


@pytest.mark.django_db
def test_a_rerun_outlives_the_workflow_it_was_made_from() -> None:
    first = submit(CHAIN)
    run_all()
    again = rerun_workflow(USING, first.id, from_steps=["c"])
    assert prune() == 3
    assert Row.objects.get(pk=again.id).rerun_of == first.id
    assert Job.objects.get(pk=again.jobs["b"]).result == "b"
    assert run_all() == ["c"]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_workflow_that_is_being_retried_is_passed_by() -> None:
    workflow = submit(CHAIN)
    run_all(fail=["a"])
    with transaction.atomic():
        actions.retry_workflow(USING, workflow.id)
        assert together([prune]) == [0]
    assert status(workflow) == "running"
    finish(*map(failed, claim().values()))
    assert together([prune]) == [3]
