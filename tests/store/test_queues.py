from __future__ import annotations

from typing import Any

import pytest

from jobs.errors import InvalidInput
from jobs.models import Queue
from jobs.states import JobStatus
from jobs.store import queues
from tests.support import factories
from tests.support.factories import USING

pytestmark = pytest.mark.django_db


def pause(name: str, by: str = "ada", reason: str = "") -> Queue:
    return queues.pause(USING, name, by=by, reason=reason)


def claimed(*served: str) -> list[str]:
    """Queues of the jobs that a pool serving these may claim, in claim order."""
    open_queues = queues.open_queues(USING, served)
    return [job.queue for job in factories.claim(queues=open_queues)]


def test_a_paused_queue_says_since_when_by_whom_and_why() -> None:
    row = pause("emails", reason="the relay is down")
    assert row.paused_at is not None
    assert (row.name, row.paused_by, row.pause_reason) == ("emails", "ada", "the relay is down")


def test_pausing_again_keeps_the_first_time_and_takes_the_new_words() -> None:
    first, second = pause("emails"), pause("emails", by="bob", reason="still")
    assert second.paused_at == first.paused_at
    assert (second.paused_by, second.pause_reason) == ("bob", "still")
    assert Queue.objects.count() == 1


def test_a_resumed_queue_runs_and_keeps_no_words() -> None:
    pause("emails", reason="why")
    assert queues.resume(USING, "emails")
    row = Queue.objects.get()
    assert (row.paused_at, row.paused_by, row.pause_reason) == (None, "", "")
    assert not queues.resume(USING, "emails")
    assert not queues.resume(USING, "never-paused")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "queue"),
        ({"name": "a b"}, "queue"),
        ({"name": "q" * 65}, "queue"),
        ({"name": "q", "by": "b" * 151}, "by"),
        ({"name": "q", "by": "\x00"}, "by"),
        ({"name": "q", "reason": "r" * 501}, "reason"),
        ({"name": "q", "reason": None}, "reason"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        pause(**arguments)
    assert error.value.field == field
    assert not Queue.objects.exists()


def test_without_a_pause_a_pool_asks_for_what_it_serves() -> None:
    assert queues.open_queues(USING, []) is None
    assert queues.open_queues(USING, ["b", "a"]) == ["b", "a"]
    pause("a")
    queues.resume(USING, "a")
    assert queues.open_queues(USING, []) is None


def test_a_paused_queue_is_not_claimed_from() -> None:
    for queue in ("a", "b", "c"):
        factories.job(queue=queue)
    pause("b")
    assert claimed("a", "b") == ["a"]
    assert claimed() == ["c"]
    queues.resume(USING, "b")
    assert claimed() == ["b"]


def test_a_pool_all_of_whose_queues_are_paused_claims_nothing() -> None:
    factories.job(queue="a")
    pause("a")
    assert claimed("a") == []
    assert claimed() == []


def test_a_pause_leaves_running_jobs_alone() -> None:
    row = factories.job(JobStatus.RUNNING, queue="a")
    pause("a")
    assert len(factories.finish(factories.succeeded(row))) == 1


def test_waiting_queues_are_named_once_in_order() -> None:
    for queue in ("b", "a", "b", "c", "A"):
        factories.job(queue=queue)
    factories.job(JobStatus.SCHEDULED, queue="scheduled")
    names = queues.waiting_queues(USING)
    assert sorted(names) == ["A", "a", "b", "c"]
    assert len(names) == 4
    assert queues.waiting_queues(USING, JobStatus.SCHEDULED) == ["scheduled"]
    assert queues.waiting_queues(USING, JobStatus.FAILED) == []
