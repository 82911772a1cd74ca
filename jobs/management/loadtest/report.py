"""The report of a load test: one document, and the same as text of fixed width."""

from __future__ import annotations

import datetime as dt
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jobs.management.console import sparkline
from jobs.management.loadtest import verdict
from jobs.management.loadtest.drive import Enqueued
from jobs.management.loadtest.facts import JobFacts
from jobs.management.loadtest.plan import DELAY_SECONDS, PlannedJob
from jobs.states import EventKind, JobStatus
from jobs.tasks import FLAKY

WIDTH: Final = 78
_ROWS: Final = (
    ("enqueue", "Enqueue (HTTP round trip)"),
    ("queue_wait_immediate", "Queue wait, immediate"),
    ("queue_wait_delayed", "Queue wait, delayed (from due)"),
    ("run", "Run (one attempt)"),
    ("end_to_end_immediate", "End to end, immediate"),
    ("end_to_end_delayed", "End to end, delayed (from due)"),
    ("end_to_end_retried", "End to end, retried (backoff)"),
)


def document(
    *,
    target: str,
    run: str,
    options: dict[str, Any],
    started_at: dt.datetime,
    planned: Sequence[PlannedJob],
    enqueued: Enqueued,
    found: dict[int, JobFacts],
    figures: dict[str, Any],
    checks: Sequence[verdict.Check],
    environment: dict[str, Any],
) -> dict[str, Any]:
    """Everything the report says, as JSON can hold it."""
    statuses = Counter(facts.status for facts in found.values())
    kinds = Counter(event.kind for facts in found.values() for event in facts.events)
    return {
        "status": "PASSED" if all(check.passed for check in checks) else "FAILED",
        "target": target,
        "run": run,
        "started_at": started_at.isoformat(timespec="seconds"),
        "options": options,
        "workload": {
            "jobs": len(planned),
            "immediate": sum(not plan.delay_seconds for plan in planned),
            "delayed": sum(bool(plan.delay_seconds) for plan in planned),
            "flaky": sum(plan.task == FLAKY for plan in planned),
            "planned_failures": sum(plan.failures for plan in planned),
            "planned_dead_letters": sum(plan.status == JobStatus.FAILED for plan in planned),
        },
        "outcomes": {"accepted": len(enqueued.ids), "refused": len(enqueued.refusals)}
        | {status.value: statuses[status] for status in JobStatus},
        "performance": figures,
        "retries": {
            "failed_attempts": kinds[EventKind.FAILED],
            "retried_jobs": sum(facts.attempts > 1 for facts in found.values()),
            "dead_letters": statuses[JobStatus.FAILED],
            "rescued": kinds[EventKind.RESCUED],
            "released": kinds[EventKind.RELEASED],
        },
        "checks": [
            {
                "section": check.section,
                "name": check.name,
                "looked_at": check.looked_at,
                "passed": check.passed,
                "wrong": len(check.wrong),
                "examples": check.wrong[: verdict.SHOWN],
            }
            for check in checks
        ],
        "environment": environment,
    }


def text(report: dict[str, Any]) -> Iterator[str]:
    """The lines of the report."""
    yield "=" * WIDTH
    yield "QForge load test".ljust(WIDTH - 25) + report["started_at"].rjust(25)
    yield f"Target  {report['target']}"
    yield f"Run     {report['run']}"
    yield "=" * WIDTH
    yield from _workload(report)
    yield from _outcomes(report)
    yield from _performance(report["performance"])
    yield from _retries(report)
    yield from _section("5. Correctness")
    yield from _checks(report, "correctness", gap=False)
    yield from _environment(report["environment"], report["options"])
    yield ""
    yield "=" * WIDTH
    yield f"Status: {report['status']}"
    yield "=" * WIDTH


def _section(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield "-" * WIDTH


def _line(name: str, value: Any, note: str = "") -> str:
    shown = f"{value:,}" if isinstance(value, int | float) else str(value)
    return f"  {name:<28}{shown:>12}  {note}".rstrip()


def _workload(report: dict[str, Any]) -> Iterator[str]:
    work = report["workload"]
    yield from _section("1. Workload")
    yield _line("Jobs", work["jobs"])
    yield _line("Immediate", work["immediate"])
    yield _line("Delayed", work["delayed"], "by {:g} to {:g} s".format(*DELAY_SECONDS))
    yield _line("Flaky", work["flaky"], f"{work['planned_failures']:,} failures planned")
    yield _line("Threads that enqueue", report["options"]["concurrency"])


def _outcomes(report: dict[str, Any]) -> Iterator[str]:
    outcomes = report["outcomes"]
    yield from _section("2. Outcomes")
    for name in ("accepted", "refused", "succeeded", "failed", "cancelled"):
        yield _line(name.capitalize(), outcomes[name])
    unfinished = sum(outcomes[name] for name in ("blocked", "scheduled", "queued", "running"))
    yield _line("Unfinished", unfinished)
    yield from _checks(report, "outcomes")


def _performance(figures: dict[str, Any]) -> Iterator[str]:
    yield from _section("3. Performance")
    yield _line("Ingestion", figures["ingestion_per_second"], "jobs/s accepted over HTTP")
    yield _line("Throughput", figures["throughput_per_second"], "jobs/s, first enqueue to last end")
    yield _line("Busiest second", figures["busiest_second"], "jobs ended")
    yield _line("Attempts", figures["attempts_per_second"], "attempts/s")
    yield f"  Jobs ended in each second   {sparkline(figures['finished_per_second'])}"
    yield ""
    yield f"  {'Latency in ms':<34}{'n':>6}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}"
    for key, name in _ROWS:
        row = figures["latency"][key]
        cells = "".join(f"{_ms(row[p]):>9}" for p in ("p50_ms", "p95_ms", "p99_ms", "max_ms"))
        yield f"  {name:<34}{row['count']:>6,}{cells}"


def _retries(report: dict[str, Any]) -> Iterator[str]:
    retries, work = report["retries"], report["workload"]
    yield from _section("4. Retries and dead letters")
    planned = f"{work['planned_failures']:,} planned"
    yield _line("Failed attempts", retries["failed_attempts"], planned)
    yield _line("Retried jobs", retries["retried_jobs"])
    yield _line(
        "Dead letters", retries["dead_letters"], f"{work['planned_dead_letters']:,} planned"
    )
    yield _line("Rescued from a lost worker", retries["rescued"])
    yield _line("Given back at a shutdown", retries["released"])
    yield from _checks(report, "retries")


def _checks(report: dict[str, Any], section: str, *, gap: bool = True) -> Iterator[str]:
    if gap:
        yield ""
    for check in report["checks"]:
        if check["section"] == section:
            mark = "ok" if check["passed"] else "FAILED"
            note = "" if check["passed"] else f", {check['wrong']:,} wrong"
            yield f"  [{mark:^6}] {check['name']} ({check['looked_at']:,} looked at{note})"
            for example in check["examples"]:
                yield f"           {example}"


def _environment(environment: dict[str, Any], options: dict[str, Any]) -> Iterator[str]:
    database, workers = environment["database"], environment["workers"]
    yield from _section("6. Environment")
    settings = database.get("settings", {})
    versions = ("QForge", "Django", "Python")
    for facts in (
        f"{environment['cpus']} CPUs, {environment['machine']}",
        ", ".join(f"{name} {environment[name.lower()]}" for name in versions),
        f"{database['vendor']} {database.get('version', '')}".strip(),
        ", ".join(f"{name} {value}" for name, value in settings.items()),
        f"Workers: {workers['pools']} live pools, {workers['threads']} threads",
        "Options: " + " ".join(f"{name}={value}" for name, value in options.items()),
    ):
        yield from textwrap.wrap(facts, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"
