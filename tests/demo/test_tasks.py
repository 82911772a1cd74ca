from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from demo import tasks
from jobs import Cancel, JobContext, JobSpec, PermanentError, enqueue_many, registry

Build = Callable[..., JobContext]


def test_every_demo_task_is_registered() -> None:
    named = {task.name for task in registry.all_tasks() if task.name.startswith("demo.")}
    assert named == {
        "demo.add",
        "demo.echo",
        "demo.flaky",
        "demo.post_webhook",
        "demo.resize_image",
        "demo.send_email",
        "demo.slow",
        "demo.write_report",
    }


def test_add_and_echo_give_back_what_went_in() -> None:
    assert tasks.add(2, 3.5) == 5.5
    assert tasks.echo(a=[1], b={"c": None}) == {"a": [1], "b": {"c": None}}


def test_slow_reports_its_progress(context: Build) -> None:
    running = context()
    assert tasks.slow(0, running) == {"slept_seconds": 0}
    assert running._progress == {"percent": 100, "message": "done"}


def test_slow_stops_when_asked(context: Build) -> None:
    running = context()
    asking = threading.Timer(0.05, running._cancel.set)
    asking.start()
    with pytest.raises(Cancel, match="cancel requested"):
        tasks.slow(600, running)
    asking.join()
    assert running._progress == {"percent": 0, "message": "step 1 of 20"}


@pytest.mark.parametrize("seconds", [-1, 3601, float("nan"), "3", True])
def test_slow_refuses_a_time_out_of_bounds(seconds: float, context: Build) -> None:
    with pytest.raises(PermanentError, match="seconds: must be from 0 to 3600"):
        tasks.slow(seconds, context())


def test_flaky_fails_at_about_its_rate() -> None:
    failed = sum(tasks.flakes(str(seed), 1, 0.3) for seed in range(2000))
    assert 520 < failed < 680


def test_flaky_does_the_same_when_a_run_is_repeated(context: Build) -> None:
    def run(attempt: int) -> bool:
        try:
            tasks.flaky(0.5, context(attempt=attempt), seed="x")
        except tasks.Flaked:
            return False
        return True

    first = [run(attempt) for attempt in range(1, 20)]
    assert first == [run(attempt) for attempt in range(1, 20)]
    assert set(first) == {True, False}


def test_flaky_draws_from_the_job_when_there_is_no_seed(context: Build) -> None:
    failed = 0
    for job_id in range(100):
        try:
            tasks.flaky(0.5, context(job_id))
        except tasks.Flaked:
            failed += 1
    assert 20 < failed < 80


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "1", True])
def test_flaky_refuses_a_rate_out_of_bounds(rate: float, context: Build) -> None:
    with pytest.raises(PermanentError, match="failure_rate: must be from 0 to 1"):
        tasks.flaky(rate, context())


@pytest.mark.django_db
def test_the_report_counts_jobs_by_task_and_status(media: Path, context: Build) -> None:
    add = {"a": 1, "b": 2}
    specs = [JobSpec(task="demo.add", payload=add) for _ in range(3)]
    specs += [JobSpec(task="demo.add", payload=add, delay_seconds=60)]
    specs += [JobSpec(task="demo.echo", payload={})]
    enqueue_many(specs)
    for _ in range(2):
        result = tasks.write_report(context(5))
    rows = list(csv.reader(io.StringIO((media / result["file"]).read_text())))
    assert rows == [
        ["task", "status", "jobs", "most_attempts"],
        ["demo.add", "queued", "3", "0"],
        ["demo.add", "scheduled", "1", "0"],
        ["demo.echo", "queued", "1", "0"],
    ]
    assert result["rows"] == 3
    assert [p.name for p in (media / "reports").iterdir()] == ["jobs-5.csv"]
