from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction

from jobs.models import Job, JobEvent
from jobs.states import TERMINAL, EventKind, JobStatus
from jobs.store import prune, transitions
from tests.support import factories
from tests.support.database import row_locks
from tests.support.factories import USING
from tests.support.threads import together


def left() -> set[int]:
    return set(Job.objects.values_list("pk", flat=True))


def prune_batch(status: JobStatus, age_seconds: float = 100, limit: int = 100) -> int:
    return prune.prune_batch(USING, status, age_seconds=age_seconds, limit=limit)


@pytest.mark.django_db
class TestWhatIsPruned:
    @pytest.mark.parametrize("status", sorted(TERMINAL))
    def test_a_job_goes_when_it_ended_in_this_way_so_long_ago(self, status: JobStatus) -> None:
        for other in TERMINAL:
            factories.job(other, finished_seconds=200)
        young = factories.job(status, finished_seconds=50)
        before = left()
        gone = set(Job.objects.filter(status=status).exclude(pk=young.pk).values_list("pk"))
        assert prune_batch(status) == 1
        assert left() == before - {pk for (pk,) in gone}

    @pytest.mark.parametrize("status", sorted(set(JobStatus) - TERMINAL))
    def test_a_job_that_has_not_ended_is_never_pruned(self, status: JobStatus) -> None:
        row = factories.job(status)
        with pytest.raises(ValueError, match=f"only finished jobs are pruned, not {status} ones"):
            prune_batch(status, age_seconds=0)
        for final in TERMINAL:
            assert prune_batch(final, age_seconds=0) == 0
        assert left() == {row.pk}

    def test_its_events_go_with_it_and_no_others(self) -> None:
        old, young = [factories.job(JobStatus.SUCCEEDED, finished_seconds=age) for age in (200, 50)]
        transitions.note(USING, [old, old, young], EventKind.LEASE_LOST, {})
        assert prune_batch(JobStatus.SUCCEEDED) == 1
        assert list(JobEvent.objects.values_list("job_id", flat=True)) == [young.pk]

    def test_the_oldest_go_first_and_no_more_than_the_limit(self) -> None:
        ages = (300, 500, 400)
        rows = [factories.job(JobStatus.FAILED, finished_seconds=age) for age in ages]
        assert prune_batch(JobStatus.FAILED, limit=2) == 2
        assert left() == {rows[0].pk}
        assert prune_batch(JobStatus.FAILED, limit=2) == 1
        assert prune_batch(JobStatus.FAILED, limit=2) == 0

    @pytest.mark.parametrize("age_seconds", [0, 100 * 365 * 86400])
    def test_any_age_the_settings_allow_can_be_asked_for(self, age_seconds: float) -> None:
        factories.job(JobStatus.SUCCEEDED, finished_seconds=1)
        assert prune_batch(JobStatus.SUCCEEDED, age_seconds) == (1 if age_seconds == 0 else 0)

    def test_what_would_go_can_be_counted_without_deleting(self) -> None:
        factories.jobs(5, JobStatus.FAILED, finished_seconds=200)
        count = partial(prune.count_old, USING, JobStatus.FAILED, age_seconds=100)
        assert (count(limit=100), count(limit=3)) == (5, 3)
        assert len(left()) == 5

    def test_a_rollback_brings_everything_back(self) -> None:
        row = factories.job(JobStatus.SUCCEEDED, finished_seconds=200)
        transitions.note(USING, [row], EventKind.LEASE_LOST, {})
        with transaction.atomic():
            assert prune_batch(JobStatus.SUCCEEDED) == 1
            transaction.set_rollback(True)
        assert left() == {row.pk}
        assert JobEvent.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
class TestBesideOthers:
    def test_a_row_that_somebody_holds_is_passed_over(self) -> None:
        rows = factories.jobs(2, JobStatus.SUCCEEDED, finished_seconds=200)
        with row_locks([rows[0].pk]):
            assert prune_batch(JobStatus.SUCCEEDED) == 1
        assert left() == {rows[0].pk}

    def test_several_pruners_share_the_work(self) -> None:
        factories.jobs(60, JobStatus.SUCCEEDED, finished_seconds=200)

        def prune_all() -> int:
            total = 0
            while count := prune_batch(JobStatus.SUCCEEDED, limit=5):
                total += count
            return total

        assert sum(together([prune_all] * 4)) == 60
        assert left() == set()
