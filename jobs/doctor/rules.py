"""From facts to findings: rules, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Final

from jobs.doctor import upkeep_rules
from jobs.doctor.facts import Facts
from jobs.doctor.limits import Limits
from jobs.doctor.words import Code, Finding, Severity, number, spoken

__all__ = ["Limits", "findings"]

_LEAST_POSTGRESQL: Final = (14,)
_LEAST_LEASE_SECONDS: Final = 10.0


def findings(facts: Facts, limits: Limits | None = None) -> list[Finding]:
    """The worst first, then by id; empty when all is well."""
    limits = limits or Limits()
    found = [finding for rule in _RULES for finding in rule(facts, limits)]
    return sorted(found, key=lambda finding: (-finding.severity, finding.code))


def _reach(facts: Facts, limits: Limits) -> Iterator[Finding]:
    if facts.unreachable:
        what = f"The database does not answer: {facts.unreachable}"
        yield Finding(Code.UNREACHABLE, Severity.CRITICAL, what, {"error": facts.unreachable})
    if not facts.missing_migrations:
        # Of tables that are not there yet nothing can be read; that is said already.
        for one in facts.unread:
            what = f"The {one.part} could not be looked at: {one.error}"
            yield Finding(Code.UNREAD, Severity.WARNING, what, asdict(one))


def _database(facts: Facts, limits: Limits) -> Iterator[Finding]:
    version = ".".join(map(str, facts.version))
    told = {"vendor": facts.vendor, "version": version}
    if facts.vendor == "postgresql":
        if facts.version and facts.version < _LEAST_POSTGRESQL:
            what = f"The server is PostgreSQL {version}, which is too old."
            yield Finding(Code.DATABASE, Severity.CRITICAL, what, told)
    elif facts.vendor == "sqlite":
        what = f"The queue is in SQLite {version}, which lets one writer in at a time."
        yield Finding(Code.DATABASE, Severity.INFO, what, told)
    else:
        what = f"The queue cannot be in {facts.vendor}."
        yield Finding(Code.DATABASE, Severity.CRITICAL, what, told)
    if facts.listening is False:
        what = "A notification did not arrive at a connection that listens for it."
        yield Finding(Code.NO_NOTIFICATIONS, Severity.WARNING, what, {})
    plan = facts.claim
    if plan and plan.reads_whole_table and plan.table_rows >= limits.small_table_rows:
        what = f"The claim reads the whole table, of about {plan.table_rows:,} rows."
        yield Finding(Code.CLAIM_READS_ALL, Severity.CRITICAL, what, asdict(plan))
    if abs(facts.skew_seconds) > limits.skew_seconds:
        side = "ahead of" if facts.skew_seconds > 0 else "behind"
        by = spoken(abs(facts.skew_seconds))
        what = f"This machine's clock is {by} {side} the database's."
        told_skew = {"skew_seconds": facts.skew_seconds}
        yield Finding(Code.CLOCK_SKEW, Severity.WARNING, what, told_skew)


def _dead(facts: Facts, limits: Limits) -> Iterator[Finding]:
    holder = facts.holder
    old = holder is not None and holder.age_seconds > limits.transaction_seconds
    who = ""
    if holder is not None and old:
        name = f"{holder.name!r} of {holder.user}" if holder.name else holder.user
        which = f"process {holder.pid}" if holder.pid is not None else "prepared transaction"
        who = f"{which}, {name}, {holder.state}"
        what = f"A transaction has been open for {spoken(holder.age_seconds)}: {who}."
        yield Finding(Code.OLD_TRANSACTION, Severity.WARNING, what, asdict(holder))
    for table in facts.tables:
        if table.dead >= limits.dead_rows and table.dead >= limits.dead_share * table.live:
            because = f"; held by {who}" if who else ""
            what = (
                f"The table {table.name} has {number(table.dead, 'dead row')} beside "
                f"{number(table.live, 'live one')}{because}."
            )
            told = {**asdict(table), "holder": asdict(holder) if holder and old else None}
            yield Finding(Code.DEAD_ROWS, Severity.WARNING, what, told)


def _settings(facts: Facts, limits: Limits) -> Iterator[Finding]:
    for problem in facts.settings_problems:
        what = f"QFORGE: {problem}."
        yield Finding(Code.SETTINGS, Severity.CRITICAL, what, {"problem": problem})
    lease, timeout = facts.lease_seconds, facts.timeout_seconds
    told = {
        "lease_seconds": lease,
        "rescue_seconds": facts.rescue_seconds,
        "timeout_seconds": timeout,
    }
    if 0 < lease < _LEAST_LEASE_SECONDS:
        what = f"A lease of {lease:g} s leaves little room for a pause of worker or network."
        yield Finding(Code.LEASE, Severity.WARNING, what, told)
    if lease and facts.rescue_seconds > lease:
        what = (
            f"Expired leases are looked for every {facts.rescue_seconds:g} s only, which is "
            f"longer than the lease of {lease:g} s."
        )
        yield Finding(Code.LEASE, Severity.WARNING, what, told)
    if lease and timeout is not None and timeout < lease:
        # A crash then shows later than the deadline would have.
        what = f"The lease of {lease:g} s is longer than the timeout of {timeout:g} s."
        yield Finding(Code.LEASE, Severity.INFO, what, told)


def _schema(facts: Facts, limits: Limits) -> Iterator[Finding]:
    if facts.missing_migrations:
        names = ", ".join(facts.missing_migrations)
        what = f"Migrations have not been applied: {names}."
        told = {"migrations": list(facts.missing_migrations)}
        yield Finding(Code.NOT_MIGRATED, Severity.CRITICAL, what, told)
        return
    for one in facts.missing:
        state = "is invalid" if one.invalid else "is missing"
        what = f"The index or constraint {one.name} of {one.table} {state}."
        yield Finding(Code.SCHEMA_DRIFT, Severity.CRITICAL, what, asdict(one))


def _work(facts: Facts, limits: Limits) -> Iterator[Finding]:
    for queue in facts.queues:
        count, age = queue.jobs.get("queued"), queue.oldest_queued_seconds or 0.0
        if not count or not count.count or age < limits.backlog_seconds:
            continue
        jobs = number(count.count, "job") + ("" if count.exact else " or more")
        told = {"queue": queue.name, "jobs": count.count, "exact": count.exact, "seconds": age}
        if queue.paused_at is not None:
            by = f" by {queue.paused_by}" if queue.paused_by else ""
            what = f"The queue {queue.name} is paused{by}; {jobs} wait, since {spoken(age)}."
            yield Finding(Code.PAUSED_BACKLOG, Severity.WARNING, what, told)
        elif not any(not served or queue.name in served for served in facts.served):
            what = (
                f"No live worker serves the queue {queue.name}; {jobs} wait, since {spoken(age)}."
            )
            yield Finding(Code.NOT_SERVED, Severity.CRITICAL, what, told)
    for one in facts.strangers:
        what = (
            f"No live worker of the queue {one.queue} knows the task {one.task}; "
            f"{number(one.jobs, 'job')} of it are among the first in line."
        )
        yield Finding(Code.UNKNOWN_TASK, Severity.CRITICAL, what, asdict(one))


_RULES: Final[tuple[Callable[[Facts, Limits], Iterator[Finding]], ...]] = (
    _reach,
    _database,
    _dead,
    _settings,
    _schema,
    _work,
    upkeep_rules.services,
    upkeep_rules.schedules,
)
