"""What people change is written down with it; what the application does by itself is not."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jobs import lifecycle
from jobs.models import AuditEntry, JobEvent
from jobs.store import audit, origin, queues
from jobs.store.origin import Origin
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db

ADA = Origin("ada", "api", "request-1")


def entries() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.order_by("id").values_list("actor", "action", "target"))


def test_a_change_by_a_person_is_written_down_with_what_was_different() -> None:
    with origin.by(ADA):
        queues.pause(USING, "mail", by="ada", reason="upgrade")
        queues.resume(USING, "mail", reason="done")
    first, second = AuditEntry.objects.order_by("id")
    assert (first.actor, first.via, first.action, first.target) == (
        "ada",
        "api",
        "queue.pause",
        "mail",
    )
    assert (first.reason, first.request_id) == ("upgrade", "request-1")
    assert first.before == {"paused_at": None, "paused_by": "", "pause_reason": ""}
    assert first.after is not None
    assert first.after["paused_by"] == "ada"
    assert (second.action, second.reason, second.before) == ("queue.resume", "done", first.after)


def test_what_changes_nothing_leaves_no_entry() -> None:
    with origin.by(ADA):
        assert queues.resume(USING, "mail") is False
    assert entries() == []


def test_the_application_itself_leaves_no_entry() -> None:
    queues.pause(USING, "mail", by="", reason="")
    lifecycle.retry(USING, factories.job("failed").pk, actor="", reason="")
    assert entries() == []


def test_an_entry_shares_the_fate_of_its_change() -> None:
    with origin.by(ADA), transaction.atomic():
        queues.pause(USING, "mail", by="ada", reason="")
        assert len(entries()) == 1
        transaction.set_rollback(True)
    assert entries() == []


def test_each_verb_of_jobs_leaves_one_entry() -> None:
    failed, scheduled = factories.job("failed"), factories.job("scheduled")
    with origin.by(ADA):
        lifecycle.retry(USING, failed.pk, actor="ada", reason="fixed")
        lifecycle.run_now(USING, scheduled.pk, actor="ada")
        lifecycle.cancel(USING, failed.pk, actor="ada", reason="")
    told = AuditEntry.objects.order_by("id").values_list("action", "target", "before", "after")
    assert list(told) == [
        ("job.retry", str(failed.pk), {"status": "failed"}, {"status": "queued"}),
        ("job.run-now", str(scheduled.pk), {"status": "scheduled"}, {"status": "queued"}),
        ("job.cancel", str(failed.pk), {"status": "queued"}, {"status": "cancelled"}),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_the_event_of_a_new_job_tells_who_asked_for_it(count: int) -> None:
    with origin.by(ADA):
        lifecycle.enqueue(USING, [factories.new_job() for _ in range(count)])
    lifecycle.enqueue(USING, [factories.new_job()])
    told = list(JobEvent.objects.order_by("id").values_list("data", flat=True))
    assert told == [{"actor": "ada"}] * count + [{}]


def test_the_person_is_forgotten_at_the_end() -> None:
    with origin.by(None):
        origin.set_origin(ADA)
        assert origin.origin() == ADA
    assert origin.origin() is None


def age(entry: AuditEntry, days: int) -> None:
    interval = f"-{days} days"
    now = "now() + %s::interval" if connection.vendor == "postgresql" else "datetime('now', %s)"
    with connection.cursor() as cursor:
        sql = f"UPDATE job_audit SET at = {now} WHERE id = %s"  # noqa: S608
        cursor.execute(sql, [interval, entry.pk])


def test_only_old_entries_are_pruned_and_no_more_than_a_batch() -> None:
    with origin.by(ADA):
        for target in range(4):
            audit.record(USING, "queue.pause", target)
    for entry in AuditEntry.objects.order_by("id")[:3]:
        age(entry, 10)
    day = 86_400.0
    assert audit.prune(USING, age_seconds=None, limit=10) == 0
    assert audit.prune(USING, age_seconds=20 * day, limit=10) == 0
    assert audit.prune(USING, age_seconds=5 * day, limit=2) == 2
    assert audit.prune(USING, age_seconds=5 * day, limit=2) == 1
    assert [target for _, _, target in entries()] == ["3"]


@pytest.mark.parametrize(
    "wrong", [{"actor": ""}, {"target": ""}, {"via": "fax"}, {"action": "pause"}]
)
def test_the_database_refuses_an_entry_that_does_not_say_who_and_what(wrong: Any) -> None:
    right = {"actor": "ada", "via": "api", "action": "queue.pause", "target": "mail"}
    columns = {**right, **wrong}
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    sql = f"INSERT INTO job_audit ({names}, at) VALUES ({marks}, CURRENT_TIMESTAMP)"  # noqa: S608
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, list(columns.values()))
    with connection.cursor() as cursor:
        cursor.execute(sql, list(right.values()))
