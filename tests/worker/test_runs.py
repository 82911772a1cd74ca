from __future__ import annotations

import threading
import time

import pytest

from jobs.errors import JobTimeout
from jobs.worker.attempt import context_of
from jobs.worker.runs import Run, Runs
from tests.support.threads import together
from tests.worker.attempts import ANY, claimed


def run(**fields: object) -> Run:
    job = claimed("tests.any", **fields)
    return Run(job, context_of(job), ANY)


def test_only_a_job_with_a_timeout_has_a_deadline() -> None:
    assert run().deadline is None
    limited = run(timeout_seconds=5.0)
    assert limited.deadline == limited.started + 5


def test_of_all_who_settle_a_run_only_the_first_counts() -> None:
    for _ in range(50):
        shared = run()
        assert sorted(together([shared.settle] * 4)) == [False, False, False, True]
        assert shared.settled


def test_nothing_is_thrown_before_the_handler_begins() -> None:
    early = run()
    early.interrupt()
    early.enter()
    early.leave()


def test_a_handler_whose_time_is_over_does_not_begin() -> None:
    late = run()
    assert late.settle()
    with pytest.raises(JobTimeout):
        late.enter()
    late.interrupt()


def test_nothing_is_thrown_after_the_handler_has_ended() -> None:
    ended = run()
    ended.enter()
    ended.leave()
    ended.leave()
    ended.interrupt()


def busy(end: float) -> None:
    """Works in Python, as a handler does that can be interrupted."""
    while time.monotonic() < end:
        pass


def test_a_handler_is_interrupted_where_it_stands() -> None:
    caught = run()
    timer = threading.Timer(0.02, caught.interrupt)
    caught.enter()
    timer.start()
    with pytest.raises(JobTimeout):
        busy(time.monotonic() + 10)
    caught.leave()
    timer.join()


def test_runs_are_kept_by_job_and_removed_by_whoever_added_them() -> None:
    runs = Runs()
    job = claimed("tests.any")
    first, second = Run(job, context_of(job), ANY), Run(job, context_of(job), ANY)
    runs.add(first)
    assert (runs.get(job.id), runs.all(), len(runs)) == (first, [first], 1)
    # The job came back to this pool under another token while its first thread still ran.
    runs.add(second)
    runs.remove(first)
    assert runs.all() == [second]
    runs.remove(second)
    assert (runs.get(job.id), len(runs)) == (None, 0)
