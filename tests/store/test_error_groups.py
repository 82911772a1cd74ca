"""Groups of failures: counted with the failures themselves, opened again, decided about, pruned."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import override_settings

from jobs import fingerprint, lifecycle
from jobs.errors import ErrorGroupNotFound
from jobs.fingerprint import Failure
from jobs.models import ErrorGroup, ErrorHour, Job, JobEvent
from jobs.states import ErrorGroupStatus, JobStatus
from jobs.store import error_groups, values
from jobs.store.values import Outcome
from tests.support import factories
from tests.support.database import second_connection, start_blocked, statements
from tests.support.factories import TASK, USING
from tests.support.plans import plans_of
from tests.support.threads import together

OPEN, IGNORED, RESOLVED = ErrorGroupStatus


def failure(text: str = "no", **fields: str) -> Failure:
    plain = {"task": TASK, "queue": "default", "exception": "ValueError", "message": text}
    return fingerprint.of_reason(**plain | fields)


def failed(row: Job, alike: Failure, delay_seconds: float | None = None) -> Outcome:
    held = factories.claimed(row)
    return values.failed(
        held.id,
        held.token,
        error=f"ValueError: {alike.message}",
        delay_seconds=delay_seconds,
        data={"error": {"type": "ValueError"}},
        failure=alike,
    )


def fail(text: str = "no", *, times: int = 1, delay_seconds: float | None = None) -> ErrorGroup:
    """So many jobs fail in this way, in one transaction; returns their group."""
    alike = failure(text)
    rows = factories.jobs(times, JobStatus.RUNNING)
    factories.finish(*[failed(row, alike, delay_seconds) for row in rows])
    return ErrorGroup.objects.get(fingerprint=alike.fingerprint)


def decide(group: ErrorGroup, **decision: Any) -> None:
    error_groups.decide(USING, group.fingerprint, actor="anna", **decision)
    group.refresh_from_db()


def statement_count(outcomes: list[Outcome]) -> int:
    with statements() as found:
        factories.finish(*outcomes)
    return len(found)


@pytest.mark.django_db
class TestCounting:
    def test_the_first_failure_makes_a_group(self) -> None:
        with override_settings(QFORGE={"RELEASE": "v1"}):
            group = fail("card 17 declined")
        assert (group.task, group.queue, group.exception) == (TASK, "default", "ValueError")
        assert (group.message, group.occurrences, group.status) == ("card 17 declined", 1, OPEN)
        assert group.first_seen_at == group.last_seen_at
        assert (group.first_release, group.last_release) == ("v1", "v1")
        hour = ErrorHour.objects.get(group=group)
        assert hour.occurrences == 1
        assert hour.hour <= group.last_seen_at < hour.hour + dt.timedelta(hours=1)

    def test_those_like_it_are_counted_in_it(self) -> None:
        with override_settings(QFORGE={"RELEASE": "v1"}):
            first = fail("card 17 declined", times=3)
        with override_settings(QFORGE={"RELEASE": "v2"}):
            group = fail("card 4711 declined", times=2)
        assert group.pk == first.pk
        assert (group.occurrences, group.message) == (5, "card 4711 declined")
        assert (group.first_release, group.last_release) == ("v1", "v2")
        assert group.first_seen_at == first.first_seen_at <= group.last_seen_at
        assert sum(ErrorHour.objects.values_list("occurrences", flat=True)) == 5

    def test_the_job_and_its_event_remember_the_group(self) -> None:
        group = fail()
        job, event = Job.objects.get(), JobEvent.objects.get()
        assert job.error_fingerprint == group.fingerprint
        assert event.data["error"] == {"type": "ValueError", "fingerprint": group.fingerprint}

    @pytest.mark.parametrize(("delay", "status"), [(60, "scheduled"), (0, "queued")])
    def test_a_job_that_waits_for_its_next_attempt_belongs_to_the_group(
        self, delay: float, status: str
    ) -> None:
        group = fail(delay_seconds=delay)
        assert Job.objects.get(error_fingerprint=group.fingerprint).status == status

    def test_a_success_leaves_the_group(self) -> None:
        group = fail(delay_seconds=0)
        (held,) = factories.claim()
        assert Job.objects.get().error_fingerprint == group.fingerprint
        factories.finish(values.succeeded(held, None, run_seconds=0.0))
        assert Job.objects.get().error_fingerprint == ""

    def test_a_retry_leaves_the_group(self) -> None:
        fail()
        lifecycle.retry(USING, Job.objects.get().pk, actor="", reason="")
        job = Job.objects.get()
        assert (job.error, job.error_fingerprint) == ("", "")

    def test_a_release_stays_in_the_group(self) -> None:
        group = fail(delay_seconds=0)
        (held,) = factories.claim()
        factories.finish(values.released(held.id, held.token, reason="shutdown"))
        assert Job.objects.get().error_fingerprint == group.fingerprint

    def test_a_failure_of_a_job_that_was_asked_to_stop_is_not_counted(self) -> None:
        row = factories.job(JobStatus.RUNNING, cancel_requested_at=Now())
        factories.finish(failed(row, failure()))
        assert Job.objects.get().status == JobStatus.CANCELLED
        assert not ErrorGroup.objects.exists()

    def test_a_dropped_outcome_is_not_counted(self) -> None:
        row = factories.job(JobStatus.RUNNING)
        stale = failed(row, failure())
        factories.finish(factories.succeeded(row))
        factories.finish(stale)
        assert not ErrorGroup.objects.exists()

    def test_a_lost_worker_is_a_failure_like_any_other(self) -> None:
        factories.jobs(2, JobStatus.RUNNING, lease_seconds=-1, queue="mail")
        lifecycle.rescue(USING, limit=10, worker="rescuer")
        group = ErrorGroup.objects.get()
        assert (group.exception, group.occurrences, group.queue) == ("LeaseExpired", 2, "mail")
        assert group.message == lifecycle.LEASE_EXPIRED
        fingerprints = Job.objects.values_list("error_fingerprint", flat=True)
        assert set(fingerprints) == {group.fingerprint}
        event = JobEvent.objects.filter(kind="rescued").first()
        assert event is not None
        assert event.data["error"]["fingerprint"] == group.fingerprint

    def test_a_group_outlives_its_jobs(self) -> None:
        group = fail()
        JobEvent.objects.all().delete()
        Job.objects.all().delete()
        group.refresh_from_db()
        assert group.occurrences == 1


@pytest.mark.django_db
class TestDecisions:
    def test_a_resolved_group_opens_again_when_it_is_seen(self) -> None:
        group = fail()
        decide(group, status=RESOLVED, note="fixed in v2")
        assert (group.status, group.note, group.changed_by) == (RESOLVED, "fixed in v2", "anna")
        assert group.changed_at is not None
        group = fail()
        assert (group.status, group.note) == (OPEN, "fixed in v2")
        assert group.reopened_at is not None

    def test_an_ignored_group_stays_ignored(self) -> None:
        decide(fail(), status=IGNORED)
        assert (fail(times=50).status, fail().reopened_at) == (IGNORED, None)

    def test_an_ignored_group_opens_again_after_so_many_more(self) -> None:
        group = fail(times=3)
        decide(group, status=IGNORED, ignore_for=2)
        assert group.ignore_until_count == 5
        assert fail().status == IGNORED
        group = fail()
        assert (group.status, group.ignore_until_count) == (OPEN, None)
        assert group.reopened_at is not None

    def test_a_batch_that_jumps_over_the_limit_opens_it_too(self) -> None:
        decide(fail(), status=IGNORED, ignore_for=2)
        assert fail(times=10).status == OPEN

    def test_a_new_decision_clears_what_the_last_one_left(self) -> None:
        group = fail()
        decide(group, status=RESOLVED)
        group = fail()
        decide(group, status=IGNORED, ignore_for=5)
        assert group.reopened_at is None
        decide(group, status=OPEN)
        assert (group.status, group.ignore_until_count) == (OPEN, None)

    def test_a_note_alone_leaves_the_status(self) -> None:
        group = fail()
        decide(group, status=IGNORED, ignore_for=5)
        decide(group, note="known")
        assert (group.status, group.note) == (IGNORED, "known")
        assert group.ignore_until_count == 6

    def test_there_is_no_decision_about_a_group_that_is_not_there(self) -> None:
        with pytest.raises(ErrorGroupNotFound):
            error_groups.decide(USING, "0" * 32, actor="anna", note="x")


@pytest.mark.django_db
class TestPruning:
    def prune(self, age_seconds: float | None = 3600.0) -> int:
        return error_groups.prune(USING, age_seconds=age_seconds, limit=100)

    def age(self, group: ErrorGroup, hours: float) -> None:
        then = Now() - dt.timedelta(hours=hours)
        ErrorGroup.objects.filter(pk=group.pk).update(first_seen_at=then, last_seen_at=then)

    def test_a_group_not_seen_for_long_goes_with_its_hours_once_it_has_no_jobs(self) -> None:
        old, young = fail("one"), fail("other")
        self.age(old, 2)
        assert self.prune() == 0
        Job.objects.all().update(error_fingerprint="")
        assert self.prune() == 1
        assert ErrorGroup.objects.get().pk == young.pk
        assert ErrorHour.objects.get().group_id == young.pk

    def test_without_an_age_groups_are_kept(self) -> None:
        self.age(fail(), 24 * 365 * 20)
        Job.objects.all().update(error_fingerprint="")
        assert self.prune(None) == 0
        assert ErrorGroup.objects.exists()

    def test_old_hours_go_though_the_group_stays(self) -> None:
        group = fail()
        hour = ErrorHour.objects.get()
        old = hour.hour - dt.timedelta(seconds=error_groups.HOURS_KEPT_SECONDS + 3600)
        ErrorHour.objects.create(group=group, hour=old, occurrences=7)
        self.prune()
        assert ErrorHour.objects.get().hour == hour.hour


@pytest.mark.postgres
class TestCosts:
    @pytest.mark.django_db
    def test_without_a_failure_no_group_is_asked_for(self) -> None:
        rows = factories.jobs(5, JobStatus.RUNNING)
        with statements() as found:
            factories.finish(*[factories.succeeded(row) for row in rows])
        assert [sql for sql, _ in found if "job_error" in sql] == []

    @pytest.mark.django_db
    @pytest.mark.parametrize("count", [1, 40])
    def test_any_number_of_failures_is_counted_by_one_statement(self, count: int) -> None:
        rows = factories.jobs(2 * count, JobStatus.RUNNING)
        plain = statement_count([factories.failed(row, None) for row in rows[:count]])
        counted = [failed(row, failure(f"word{'x' * n}")) for n, row in enumerate(rows[count:])]
        assert statement_count(counted) == plain + 1
        assert ErrorGroup.objects.count() == count

    @pytest.mark.django_db
    def test_counting_reads_no_other_groups(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO job_error_groups (fingerprint, task, queue, exception, culprit,"
                " message, occurrences, first_release, last_release, status, note, changed_by)"
                " SELECT md5(n::text), 't', 'q', 'E', '', '', 1, '', '', 'open', '', ''"
                " FROM generate_series(1, 20000) n"
            )
            cursor.execute("ANALYZE job_error_groups, job_error_hours")
        row = factories.job(JobStatus.RUNNING)
        (plan,) = [
            plan
            for plan in plans_of(partial(factories.finish, failed(row, failure())), generic=False)
            if "job_error_groups" in plan.sql
        ]
        assert plan.rows_read == 0
        assert plan.blocks < 60

    @pytest.mark.usefixtures("committed_db")
    def test_a_count_waits_only_for_its_own_group(self) -> None:
        fail("one")
        held = fail("other")
        with second_connection() as other:
            other.set_autocommit(False)
            with other.cursor() as cursor:
                cursor.execute("SELECT 1 FROM job_error_groups WHERE id = %s FOR UPDATE", [held.pk])
            assert fail("one").occurrences == 2
            waiting = start_blocked(partial(fail, "other"))
            other.rollback()
            assert waiting.wait().occurrences == 2


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_counts_from_many_at_once_are_exact_and_do_not_deadlock() -> None:
    texts = [f"word{'x' * n}" for n in range(12)]

    def work(seed: int) -> None:
        for turn in range(15):
            # Each in an order of its own, new groups among them.
            order = texts[(seed + turn) % 12 :] + texts[: (seed + turn) % 12]
            rows = factories.jobs(len(order), JobStatus.RUNNING)
            outcomes = [failed(row, failure(text)) for row, text in zip(rows, order, strict=True)]
            factories.finish(*outcomes[:: -1 if seed % 2 else 1])

    together([partial(work, seed) for seed in range(6)], seconds=60)
    assert set(ErrorGroup.objects.values_list("occurrences", flat=True)) == {6 * 15}
    assert sum(ErrorHour.objects.values_list("occurrences", flat=True)) == 12 * 6 * 15
