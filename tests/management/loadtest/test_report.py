from __future__ import annotations

import json
from typing import Any

from jobs.management.loadtest import figures, report, verdict
from jobs.management.loadtest.drive import Enqueued
from tests.management.loadtest import made

PLANS = [
    made.planned(0),
    made.planned(1, delay_seconds=2.0),
    made.planned(2, failures=1),
    made.planned(3, failures=3),
]
ENVIRONMENT = {
    "cpus": 2,
    "machine": "Linux x86_64",
    "python": "3.11.7",
    "django": "5.2.19",
    "qforge": "0.1.0",
    "database": {
        "vendor": "postgresql",
        "version": "15.20",
        "settings": {
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "shared_buffers": "128MB",
            "max_connections": "100",
        },
    },
    "workers": {"pools": 2, "threads": 16},
}


def document(*, lost: int | None = None) -> dict[str, Any]:
    """A report on four jobs; the job of the plan `lost` is missing."""
    enqueued = Enqueued(
        {n: 100 + n for n in range(4)}, {n: 0.004 + n / 1000 for n in range(4)}, wall_seconds=0.02
    )
    found = {100 + p.number: made.facts(p, 100 + p.number) for p in PLANS if p.number != lost}
    return report.document(
        target="http://127.0.0.1:8000",
        run=made.RUN,
        options={"jobs": 4, "concurrency": 40, "seed": 1},
        started_at=made.START,
        planned=PLANS,
        enqueued=enqueued,
        found=found,
        figures=figures.measure(PLANS, enqueued, found),
        checks=verdict.judge(PLANS, enqueued, found, made.RUN),
        environment=ENVIRONMENT,
    )


def test_the_report_is_as_it_was() -> None:
    assert "\n".join(report.text(document())) + "\n" == GOLDEN


def test_a_broken_promise_fails_the_report_and_is_named() -> None:
    lines = list(report.text(document(lost=2)))
    assert lines[-2] == "Status: FAILED"
    at = lines.index("  [FAILED] nothing lost, nothing doubled (4 looked at, 1 wrong)")
    assert lines[at + 1] == "           job 102 was accepted and is not in the database"


def test_the_document_is_json() -> None:
    assert json.loads(json.dumps(document())) == document()


GOLDEN = """\
==============================================================================
QForge load test                                     2026-11-30T12:00:00+00:00
Target  http://127.0.0.1:8000
Run     run-1
==============================================================================

1. Workload
------------------------------------------------------------------------------
  Jobs                                   4
  Immediate                              3
  Delayed                                1  by 1 to 5 s
  Flaky                                  2  4 failures planned
  Threads that enqueue                  40

2. Outcomes
------------------------------------------------------------------------------
  Accepted                               4
  Refused                                0
  Succeeded                              3
  Failed                                 1
  Cancelled                              0
  Unfinished                             0

  [  ok  ] every job was accepted (4 looked at)
  [  ok  ] every job ended (4 looked at)
  [  ok  ] every job ended as planned (4 looked at)

3. Performance
------------------------------------------------------------------------------
  Ingestion                          200.0  jobs/s accepted over HTTP
  Throughput                           1.3  jobs/s, first enqueue to last end
  Busiest second                         2  jobs ended
  Attempts                             2.3  attempts/s
  Jobs ended in each second   ▁▄▄█

  Latency in ms                          n      p50      p95      p99      max
  Enqueue (HTTP round trip)              4      5.0      7.0      7.0      7.0
  Queue wait, immediate                  3  1,000.0  1,000.0  1,000.0  1,000.0
  Queue wait, delayed (from due)         1  1,000.0  1,000.0  1,000.0  1,000.0
  Run (one attempt)                      7     10.0     10.0     10.0     10.0
  End to end, immediate                  1  1,020.0  1,020.0  1,020.0  1,020.0
  End to end, delayed (from due)         1  1,020.0  1,020.0  1,020.0  1,020.0
  End to end, retried (backoff)          2  2,020.0  3,020.0  3,020.0  3,020.0

4. Retries and dead letters
------------------------------------------------------------------------------
  Failed attempts                        4  4 planned
  Retried jobs                           2
  Dead letters                           1  1 planned
  Rescued from a lost worker             0
  Given back at a shutdown               0

  [  ok  ] retried as often as planned (4 looked at)
  [  ok  ] dead letters used up their attempts (4 looked at)

5. Correctness
------------------------------------------------------------------------------
  [  ok  ] nothing lost, nothing doubled (4 looked at)
  [  ok  ] one outcome for each job (4 looked at)
  [  ok  ] one end for each attempt (4 looked at)
  [  ok  ] no two attempts overlap (4 looked at)
  [  ok  ] counted attempts are those that ran (4 looked at)
  [  ok  ] no delayed job ran early (4 looked at)

6. Environment
------------------------------------------------------------------------------
  2 CPUs, Linux x86_64
  QForge 0.1.0, Django 5.2.19, Python 3.11.7
  postgresql 15.20
  fsync on, synchronous_commit on, full_page_writes on, shared_buffers 128MB,
    max_connections 100
  Workers: 2 live pools, 16 threads
  Options: jobs=4 concurrency=40 seed=1

==============================================================================
Status: PASSED
==============================================================================
"""
