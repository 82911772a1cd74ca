from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import transaction
from django.db.models.functions import Now

from jobs.models import Job
from jobs.states import JobStatus
from jobs.store import leases
from tests.support import factories
from tests.support.database import row_locks
from tests.support.factories import USING


def renew(*rows: Job, seconds: float = 30.0) -> leases.Renewal:
    held = {row.pk: row.lease_token for row in rows if row.lease_token is not None}
    return leases.renew(USING, held, lease_seconds=seconds)


def left_seconds(row: Job) -> float:
    """How long the lease still holds, by the database's clock."""
    now = Job.objects.annotate(clock=Now()).get(pk=row.pk)
    assert now.lease_expires_at is not None
    return (now.lease_expires_at - now.clock).total_seconds()


@pytest.mark.django_db
class TestRenewal:
    def test_a_renewed_lease_holds_anew_and_changes_nothing_else(self) -> None:
        row = factories.job(JobStatus.RUNNING, lease_seconds=1)
        before = factories.snapshot(row.pk)
        assert renew(row, seconds=600) == leases.Renewal(frozenset(), frozenset())
        assert 590 < left_seconds(row) <= 600
        after = factories.snapshot(row.pk)
        assert before is not None
        assert after == before | {"lease_expires_at": Job.objects.get(pk=row.pk).lease_expires_at}
        assert factories.history(row.pk) == []

    def test_an_expired_lease_that_nobody_rescued_is_renewed(self) -> None:
        row = factories.job(JobStatus.RUNNING, lease_seconds=-3600)
        assert renew(row).lost == frozenset()
        assert left_seconds(row) > 25

    def test_a_stale_token_renews_nothing_and_learns_of_it(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        before = factories.snapshot(row.pk)
        row.lease_token = uuid.uuid4()
        assert renew(row).lost == {row.pk}
        assert factories.snapshot(row.pk) == before

    @pytest.mark.parametrize("status", sorted(set(JobStatus) - {JobStatus.RUNNING}))
    def test_a_job_that_runs_no_more_is_lost(self, status: JobStatus) -> None:
        row = factories.job(status)
        row.lease_token = uuid.uuid4()
        assert renew(row).lost == {row.pk}

    def test_a_job_that_is_gone_is_lost(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        Job.objects.filter(pk=row.pk).delete()
        assert renew(row).lost == {row.pk}

    def test_a_renewal_brings_back_who_was_asked_to_stop(self) -> None:
        asked = factories.job(JobStatus.RUNNING, cancel_requested_at=Now())
        other = factories.job(JobStatus.RUNNING)
        assert renew(asked, other).cancel_requested == {asked.pk}

    def test_nothing_held_is_nothing_to_renew(self) -> None:
        assert renew() == leases.Renewal(frozenset(), frozenset())

    def test_one_call_renews_many(self) -> None:
        rows = factories.jobs(300, JobStatus.RUNNING, lease_seconds=1)
        renew(*rows, seconds=600)
        assert min(left_seconds(row) for row in rows[::50]) > 590


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
class TestLockedRows:
    def test_a_renewal_passes_over_a_locked_row_and_does_not_call_it_lost(self) -> None:
        locked, free = factories.jobs(2, JobStatus.RUNNING, lease_seconds=5)
        with row_locks([locked.pk]):
            assert renew(locked, free, seconds=600).lost == frozenset()
        assert left_seconds(locked) < 6
        assert left_seconds(free) > 590

    def test_progress_passes_over_a_locked_row(self) -> None:
        locked, free = factories.jobs(2, JobStatus.RUNNING)
        with row_locks([locked.pk]):
            save_progress({locked: {"percent": 1}, free: {"percent": 2}})
        assert Job.objects.get(pk=locked.pk).progress is None
        assert Job.objects.get(pk=free.pk).progress == {"percent": 2, "message": ""}

    def test_a_locked_row_is_not_found_expired(self) -> None:
        rows = factories.jobs(2, JobStatus.RUNNING, lease_seconds=-60)
        with row_locks([rows[0].pk]), transaction.atomic():
            found = leases.expired(USING, limit=10)
        assert [row.job_id for row in found] == [rows[1].pk]


def save_progress(said: dict[Job, dict[str, Any]]) -> None:
    held = {row.pk: row.lease_token for row in said if row.lease_token is not None}
    leases.save_progress(USING, held, {row.pk: progress for row, progress in said.items()})


@pytest.mark.django_db
class TestProgress:
    def test_progress_is_stored_under_the_token(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        save_progress({row: {"percent": 40, "message": "half"}})
        assert Job.objects.get(pk=row.pk).progress == {"percent": 40, "message": "half"}

    def test_a_stale_worker_stores_no_progress(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        row.lease_token = uuid.uuid4()
        save_progress({row: {"percent": 40, "message": ""}})
        assert Job.objects.get(pk=row.pk).progress is None

    def test_text_that_no_database_takes_does_not_stop_the_heartbeat(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        save_progress({row: {"percent": 40, "message": "a\x00b\ud800" + "x" * 300}})
        progress = Job.objects.get(pk=row.pk).progress
        assert progress["message"].startswith("a\\x00b\\ud800")
        assert len(progress["message"]) == 200


@pytest.mark.django_db
class TestExpired:
    def find(self, limit: int = 10) -> list[leases.Expired]:
        with transaction.atomic():
            return leases.expired(USING, limit=limit)

    def test_only_running_jobs_whose_lease_ran_out_are_found(self) -> None:
        for status in JobStatus:
            factories.job(status)
        lost = factories.job(JobStatus.RUNNING, lease_seconds=-1, attempts=2, locked_by="gone:1")
        (found,) = self.find()
        assert (found.job_id, found.token, found.task) == (lost.pk, lost.lease_token, lost.task)
        assert (found.attempt, found.worker) == (2, "gone:1")

    def test_the_longest_lost_come_first_and_no_more_than_the_limit(self) -> None:
        rows = [factories.job(JobStatus.RUNNING, lease_seconds=-n) for n in (10, 30, 20)]
        assert [found.job_id for found in self.find(2)] == [rows[1].pk, rows[2].pk]


@pytest.mark.django_db
class TestEnds:
    def test_an_attempt_that_ended_is_known_by_its_token_and_how(self) -> None:
        done, failed, running = factories.jobs(3, JobStatus.RUNNING)
        factories.finish(factories.succeeded(done), factories.failed(failed))
        ids = [row.pk for row in (done, failed, running)]
        assert leases.ended(USING, ids) == {
            (done.pk, done.lease_token, "succeeded"),
            (failed.pk, failed.lease_token, "failed"),
        }

    def test_a_claim_or_a_dropped_outcome_is_no_end(self) -> None:
        factories.job()
        (held,) = factories.claim()
        row = Job.objects.get(pk=held.id)
        row.lease_token = uuid.uuid4()
        factories.finish(factories.succeeded(row))
        assert leases.ended(USING, [row.pk]) == set()
