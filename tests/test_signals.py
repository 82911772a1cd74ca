from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from jobs import PermanentError, Snooze, enqueue, instrument, lifecycle, signals
from jobs.models import Job, WorkerPool
from jobs.operations import batch, requests
from jobs.operations.requests import OperationSpec
from jobs.states import BulkAction, JobStatus
from tests.support import factories
from tests.support.factories import USING
from tests.worker.pools import drain

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]

Told = list[tuple[str, Any, dict[str, Any]]]
NAMES = (
    *("job_succeeded", "job_failed", "job_cancelled", "job_released", "job_rescued"),
    *("worker_started", "worker_stopped"),
)


@contextmanager
def _received(name: str, told: Told) -> Iterator[None]:
    signal = getattr(signals, name)

    def receiver(sender: Any, signal: Any, **fields: Any) -> None:
        told.append((name, sender, fields))

    signal.connect(receiver)
    yield
    signal.disconnect(receiver)


@pytest.fixture
def told() -> Iterator[Told]:
    """What is sent: name of the signal, sender, arguments."""
    found: Told = []
    with ExitStack() as stack:
        for name in NAMES:
            stack.enter_context(_received(name, found))
        yield found


def raises(error: BaseException) -> Callable[[], None]:
    def handler() -> None:
        raise error

    return handler


@pytest.mark.parametrize(
    ("error", "attempts", "name", "more"),
    [
        (None, 2, "job_succeeded", {}),
        (ValueError("no"), 2, "job_failed", {"will_retry": True}),
        (ValueError("no"), 1, "job_failed", {"will_retry": False, "delay_seconds": None}),
        (PermanentError("no"), 2, "job_failed", {"will_retry": False, "delay_seconds": None}),
        (Snooze(60), 2, "job_released", {}),
    ],
)
def test_the_end_of_an_attempt_is_told(
    told: Told,
    register: Callable[..., Any],
    error: BaseException | None,
    attempts: int,
    name: str,
    more: dict[str, Any],
) -> None:
    register((lambda: None) if error is None else raises(error), name="tests.t")
    job = enqueue("tests.t", max_attempts=attempts)
    drain(threads=1)
    ((sent, sender, fields),) = told[1:-1]
    assert (sent, sender) == (name, Job)
    expected = {"job_id": job.id, "task": "tests.t", "queue": "default", "attempt": 1} | more
    assert expected.items() <= fields.items()
    assert fields["run_seconds"] >= 0
    assert fields["wait_seconds"] >= 0
    if name == "job_failed":
        assert "no" in fields["error"]


def test_a_pool_tells_of_its_beginning_and_its_end(told: Told) -> None:
    drain(threads=1)
    (first, _, begun), (last, _, ended) = told
    assert (first, last) == ("worker_started", "worker_stopped")
    assert begun["worker"] == ended["worker"]
    assert ended["released"] == 0
    assert {sender for _, sender, _ in told} == {WorkerPool}


def test_a_receiver_that_raises_harms_no_job_and_is_logged(
    told: Told, register: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    def receiver(**fields: Any) -> None:
        raise RuntimeError("out of order")

    register(lambda: None, name="tests.t")
    job = enqueue("tests.t")
    signals.job_succeeded.connect(receiver)
    try:
        with caplog.at_level(logging.ERROR, "django.dispatch"):
            drain(threads=1)
    finally:
        signals.job_succeeded.disconnect(receiver)
    assert Job.objects.get(pk=job.id).status == "succeeded"
    assert "job_succeeded" in [name for name, _, _ in told]
    (record,) = caplog.records
    assert record.exc_info is not None
    assert "out of order" in str(record.exc_info[1])


def test_a_job_that_is_cancelled_while_it_waits_is_told_after_the_commit(told: Told) -> None:
    waiting, running = factories.job(), factories.job(JobStatus.RUNNING)
    for row in (waiting, running):
        lifecycle.cancel(USING, row.pk, actor="a", reason="")
    # The other one is told by its worker, once it has stopped.
    ((name, sender, fields),) = told
    assert (name, sender, fields["job_id"]) == ("job_cancelled", Job, waiting.pk)
    assert (fields["run_seconds"], fields["wait_seconds"]) == (None, None)


def test_jobs_that_are_cancelled_together_are_told_one_by_one(told: Told) -> None:
    rows = factories.jobs(3)
    spec = OperationSpec(action=BulkAction.CANCEL, ids=[row.pk for row in rows])
    operation = requests.create(USING, spec).operation
    batch.run(USING, operation.pk, limit=10)
    assert {fields["job_id"] for _, _, fields in told} == {row.pk for row in rows}


def test_a_rescue_is_told(told: Told) -> None:
    instrument.emit("job.rescued", job_id=7, status="failed")
    assert told == [("job_rescued", Job, {"job_id": 7, "status": "failed"})]
