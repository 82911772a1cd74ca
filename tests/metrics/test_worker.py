"""What a process of workers counts, and where it serves that."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs import instrument, metrics
from jobs.client import Task
from jobs.errors import InvalidInput, MissingExtra
from jobs.metrics.worker import UNKNOWN
from jobs.worker.options import PoolOptions
from tests.metrics.scrape import scrape


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


@pytest.fixture
def served(port: int) -> Iterator[int]:
    stop = metrics.serve(port)
    yield port
    stop()


def finish(verb: str = "succeed", **fields: Any) -> None:
    plain = {"task": "tests.add", "queue": "mail", "attempt": 1, "max_attempts": 3}
    plain |= {"permanent": False, "wait_seconds": 0.2, "run_seconds": 2.0}
    instrument.emit("job.finished", verb=verb, **plain | fields)


@pytest.fixture(autouse=True)
def add(register: Callable[..., Task]) -> None:
    register(lambda: None, name="tests.add")


def test_attempts_are_counted_by_how_they_ended(served: int) -> None:
    finish()
    finish()
    finish("fail")
    finish("fail", attempt=3)
    finish("fail", permanent=True)
    finish("cancel")
    finish("release")
    told = scrape(served)
    by_outcome = {
        outcome: told["qforge_attempts_total", outcome, "mail", "tests.add"]
        for outcome in ("succeeded", "retrying", "failed", "cancelled", "released")
    }
    assert by_outcome == {
        "succeeded": 2,
        "retrying": 1,
        "failed": 2,
        "cancelled": 1,
        "released": 1,
    }


def test_times_are_told_as_histograms(served: int) -> None:
    finish(run_seconds=2.0, wait_seconds=0.2)
    finish(run_seconds=700.0, wait_seconds=-0.1)
    told = scrape(served)
    assert told["qforge_run_seconds_count", "tests.add"] == 2
    assert told["qforge_run_seconds_sum", "tests.add"] == 702
    assert told["qforge_run_seconds_bucket", "2.5", "tests.add"] == 1
    assert told["qforge_run_seconds_bucket", "900.0", "tests.add"] == 2
    assert told["qforge_wait_seconds_sum", "mail"] == pytest.approx(0.2)


def test_names_that_are_no_tasks_make_one_label(served: int) -> None:
    for number in range(20):
        finish("fail", task=f"tests.gone-{number}")
    told = scrape(served)
    assert told["qforge_attempts_total", "retrying", "mail", UNKNOWN] == 20
    assert not [key for key in told if any("gone" in part for part in key)]


def test_other_events_and_threads_are_told(served: int) -> None:
    instrument.emit("worker.started", worker="w", options=PoolOptions(threads=7))
    instrument.emit("job.lease_lost", job_id=1, worker="w")
    told = scrape(served)
    assert told["qforge_threads",] == 7
    assert told["qforge_events_total", "job.lease_lost"] == 1
    assert told["process_resident_memory_bytes",] > 0 or sys.platform != "linux"


def test_a_port_that_is_taken_is_told_by_its_address(served: int) -> None:
    with pytest.raises(InvalidInput, match=rf"^metrics_port: 127\.0\.0\.1:{served}: "):
        metrics.serve(served)


def test_the_ports_of_all_processes_must_exist() -> None:
    metrics.check_ports(65_535, 1)
    metrics.check_ports(0, 200)
    with pytest.raises(InvalidInput, match=r"^metrics_port: no 2 ports from 65535 to 65535"):
        metrics.check_ports(65_535, 2)


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    for module in ("queue", "worker"):
        monkeypatch.delitem(sys.modules, f"jobs.metrics.{module}", raising=False)
        monkeypatch.delattr(metrics, module, raising=False)
    asked: list[Callable[[], object]] = [
        lambda: metrics.check_ports(9100, 1),
        lambda: metrics.serve(9100),
        lambda: metrics.exposition("default"),
    ]
    for ask in asked:
        with pytest.raises(MissingExtra, match=r"pip install 'django-qforge\[metrics\]'"):
            ask()
