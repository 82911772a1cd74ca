from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from jobs import Cancel, JobContext
from jobs.errors import InvalidInput


def context(**fields: Any) -> JobContext:
    plain: dict[str, Any] = {
        "job_id": 1,
        "task": "tests.task",
        "queue": "default",
        "attempt": 1,
        "max_attempts": 3,
        "timeout_seconds": None,
    }
    return JobContext(**plain | fields)


def test_without_a_timeout_there_is_no_deadline() -> None:
    assert context().deadline_seconds is None


def test_the_deadline_comes_closer_and_is_never_negative() -> None:
    running = context(timeout_seconds=100.0, started=time.monotonic() - 40)
    assert running.deadline_seconds == pytest.approx(60, abs=1)
    assert context(timeout_seconds=1.0, started=time.monotonic() - 40).deadline_seconds == 0


def test_a_fresh_context_was_not_asked_to_stop() -> None:
    running = context()
    assert (running.cancel_requested, running.lease_lost) == (False, False)
    running.raise_if_cancelled()


@pytest.mark.parametrize(
    ("flag", "reason"), [("_cancel", "cancel requested"), ("_lost", "lease lost")]
)
def test_a_handler_that_looks_stops_when_asked_or_when_its_lease_is_gone(
    flag: str, reason: str
) -> None:
    running = context()
    getattr(running, flag).set()
    assert (running.cancel_requested, running.lease_lost) == (flag == "_cancel", flag == "_lost")
    with pytest.raises(Cancel, match=f"^{reason}$"):
        running.raise_if_cancelled()


def test_a_cancel_request_is_the_reason_even_when_the_lease_is_lost_too() -> None:
    running = context()
    running._cancel.set()
    running._lost.set()
    with pytest.raises(Cancel, match="cancel requested"):
        running.raise_if_cancelled()


def test_sleep_returns_when_nobody_asks() -> None:
    started = time.monotonic()
    context().sleep(0.02)
    assert time.monotonic() - started >= 0.019


def test_sleep_is_cut_short_by_a_cancel_request() -> None:
    running = context()
    asking = threading.Timer(0.02, running._cancel.set)
    asking.start()
    with pytest.raises(Cancel, match="cancel requested"):
        running.sleep(30)
    asking.join()
    assert time.monotonic() - running.started < 20


def test_whoever_sleeps_without_a_lease_is_stopped_afterwards() -> None:
    running = context()
    running._lost.set()
    with pytest.raises(Cancel, match="lease lost"):
        running.sleep(0)


def test_progress_is_kept_until_it_is_stored() -> None:
    running = context()
    running.progress(12.5, "a message")
    assert running._progress == {"percent": 12.5, "message": "a message"}
    running.progress(100)
    assert running._progress == {"percent": 100, "message": ""}


def test_a_long_message_of_progress_is_cut() -> None:
    running = context()
    running.progress(0, "x" * 1000)
    assert running._progress == {"percent": 0, "message": "x" * 200}


@pytest.mark.parametrize("percent", [-0.1, 100.1, float("nan"), float("inf"), "50", None, True])
def test_progress_refuses_what_is_not_from_0_to_100(percent: Any) -> None:
    running = context()
    with pytest.raises(InvalidInput, match=r"^percent: must be .*100"):
        running.progress(percent)
    assert running._progress is None


def test_its_logger_is_named_after_the_task_and_tells_the_job(
    caplog: pytest.LogCaptureFixture,
) -> None:
    context(task="shop.mail", job_id=7, attempt=2).logger.warning("late")
    (record,) = caplog.records
    assert (record.name, record.message) == ("jobs.task.shop.mail", "late")
    assert (record.job_id, record.attempt) == (7, 2)  # type: ignore[attr-defined]


def test_asleep_returns_when_nobody_asks() -> None:
    started = time.monotonic()
    asyncio.run(context().asleep(0.02))
    assert time.monotonic() - started >= 0.02


def test_asleep_is_cut_short_by_a_cancel_request_from_another_thread() -> None:
    running = context()
    threading.Timer(0.05, running._cancel.set).start()
    with pytest.raises(Cancel, match="cancel requested"):
        asyncio.run(running.asleep(30))


def test_a_request_is_heard_although_whoever_slept_is_gone() -> None:
    running = context()
    asyncio.run(running.asleep(0.01))
    running._cancel.set()
    assert running.cancel_requested
