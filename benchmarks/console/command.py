"""`python -m benchmarks console`: the server's time for what the console asks."""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Sequence
from typing import Any, Final

import django

MEDIAN_MS: Final = 50.0
P95_MS: Final = 150.0


def run(*, jobs: int, repetitions: int) -> int:
    """Seed, measure and report; 1 when a request is over its budget or reads a table whole."""
    django.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from benchmarks.console import plans, requests
    from benchmarks.console.seed import seed
    from jobs.live.counters import counters

    setup_test_environment()
    call_command("migrate", verbosity=0)
    started = time.perf_counter()
    seed(jobs)
    print(f"{jobs:,} jobs written in {time.perf_counter() - started:.0f} s", flush=True)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("bench"))

    def get(path: str) -> Any:
        # Otherwise numbers are counted once in two seconds, whoever asks.
        if path == "/api/live/":
            counters.forget()
        response = client.get(path)
        if response.status_code != 200:
            raise RuntimeError(f"{path}: {response.status_code} {response.content[:500]!r}")
        return response.json()

    load = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs"
    print(f"The machine's load is {load}; times of a busy machine say little.\n")
    print("| request | median, ms | p95, ms | of it own CPU, ms |\n|---|---:|---:|---:|")
    bad = 0
    for name, path in requests.paths(get).items():
        try:
            measured = [_milliseconds(get, path) for _ in range(repetitions + 1)][1:]
            wrong = plans.findings(lambda path=path: get(path))  # type: ignore[misc]
        except RuntimeError as error:
            measured, wrong = [(math.inf, math.inf)], [str(error)]
        spent, own = zip(*measured, strict=True)
        median, p95 = statistics.median(spent), _percentile(spent, 95)
        # Charts are drawn anew every quarter of a minute; for them the worst counts alone.
        over = p95 > P95_MS or (median > MEDIAN_MS and not name.startswith("charts"))
        bad += bool(over or wrong)
        cells = f"{median:.1f} | {p95:.1f} | {statistics.median(own):.1f}"
        print(f"| {name} | {cells} |{' over budget' if over else ''}", flush=True)
        for one in wrong:
            print(f"    {one}")
    print(
        f"\n{bad} of them are over {MEDIAN_MS:g} ms (median) or {P95_MS:g} ms (p95), or read all."
    )
    return 1 if bad else 0


def _milliseconds(get: Any, path: str) -> tuple[float, float]:
    """By the clock, and of this process alone, without the database and waiting for a CPU."""
    started, own = time.perf_counter(), time.process_time()
    get(path)
    return (time.perf_counter() - started) * 1000, (time.process_time() - own) * 1000


def _percentile(values: Sequence[float], percent: int) -> float:
    ranked = sorted(values)
    return ranked[math.ceil(len(ranked) * percent / 100) - 1]
