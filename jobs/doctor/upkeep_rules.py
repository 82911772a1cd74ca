"""Rules about what the services of the pools do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from jobs.doctor.facts import Facts
from jobs.doctor.limits import Limits
from jobs.doctor.words import Code, Finding, Severity, number, spoken


def services(facts: Facts, limits: Limits) -> Iterator[Finding]:
    if facts.expired_jobs and facts.expired_seconds > limits.expired_seconds:
        what = (
            f"{number(facts.expired_jobs, 'running job')} with an expired lease, the first since "
            f"{spoken(facts.expired_seconds)}, were not rescued."
        )
        told = {"jobs": facts.expired_jobs, "seconds": facts.expired_seconds}
        yield Finding(Code.EXPIRED_LEASES, Severity.CRITICAL, what, told)
    for status, count in facts.unpruned.items():
        what = f"{count:,} or more {status} jobs and workflows are long past their age."
        told_old = {"status": status, "count": count}
        yield Finding(Code.PRUNE_BEHIND, Severity.WARNING, what, told_old)
    if facts.rollup_lag_seconds > limits.rollup_seconds:
        what = f"Events have not been summed up for {spoken(facts.rollup_lag_seconds)}."
        told = {"seconds": facts.rollup_lag_seconds}
        yield Finding(Code.ROLLUP_BEHIND, Severity.WARNING, what, told)


def schedules(facts: Facts, limits: Limits) -> Iterator[Finding]:
    for one in facts.broken_schedules:
        what = f"The schedule {one.schedule} cannot fire: {one.text}."
        yield Finding(Code.BROKEN_SCHEDULE, Severity.WARNING, what, asdict(one))
    for one in facts.disabled_schedules:
        what = f"The schedule {one.schedule} has disabled itself: {one.text}."
        yield Finding(Code.DISABLED_SCHEDULE, Severity.WARNING, what, asdict(one))
    for late in facts.late_schedules:
        if late.seconds > limits.late_seconds:
            what = f"The schedule {late.schedule} should have fired {spoken(late.seconds)} ago."
            yield Finding(Code.LATE_SCHEDULE, Severity.WARNING, what, asdict(late))
