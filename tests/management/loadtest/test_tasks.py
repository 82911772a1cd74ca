from __future__ import annotations

import pytest

from jobs import Cancel, JobContext, PermanentError, registry, tasks


def context(attempt: int = 1) -> JobContext:
    return JobContext(
        job_id=1,
        task=tasks.FLAKY,
        queue="default",
        attempt=attempt,
        max_attempts=3,
        timeout_seconds=None,
    )


def test_every_project_with_the_app_knows_the_tasks_of_the_load_test() -> None:
    assert registry.find(tasks.NOOP) is tasks.noop
    assert registry.find(tasks.FLAKY) is tasks.flaky


def test_attempts_fail_as_often_as_planned() -> None:
    for attempt in (1, 2):
        with pytest.raises(tasks.PlannedFailure, match=f"attempt {attempt} of 3"):
            tasks.flaky("run", 7, 2, context(attempt))
    assert tasks.flaky("run", 7, 2, context(3)) == 7


def test_a_job_waits_as_long_as_it_says_and_stops_when_asked() -> None:
    running = context()
    assert tasks.noop("run", 7, running, seconds=0.001) == 7
    running._cancel.set()
    with pytest.raises(Cancel):
        tasks.noop("run", 7, running, seconds=60)


@pytest.mark.parametrize("seconds", [-1, 60.1, float("nan"), "1"])
def test_nobody_can_make_a_job_wait_for_long(seconds: float) -> None:
    with pytest.raises(PermanentError, match="seconds: must be from 0 to 60"):
        tasks.noop("run", 7, context(), seconds=seconds)
