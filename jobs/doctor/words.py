"""What a finding is: its id, how bad it is, why that matters and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final


class Severity(IntEnum):
    """Also the exit code of a doctor whose worst finding it is; INFO counts as well."""

    INFO = 0
    WARNING = 1
    CRITICAL = 2


class Code(StrEnum):
    """A stable word for programs and for the guide."""

    UNREACHABLE = "qforge.D001"
    UNREAD = "qforge.D002"
    DATABASE = "qforge.D003"
    NO_NOTIFICATIONS = "qforge.D004"
    CLAIM_READS_ALL = "qforge.D005"
    DEAD_ROWS = "qforge.D006"
    OLD_TRANSACTION = "qforge.D007"
    SETTINGS = "qforge.D008"
    LEASE = "qforge.D009"
    CLOCK_SKEW = "qforge.D010"
    UNKNOWN_TASK = "qforge.D011"
    NOT_SERVED = "qforge.D012"
    PAUSED_BACKLOG = "qforge.D013"
    NOT_MIGRATED = "qforge.D014"
    SCHEMA_DRIFT = "qforge.D015"
    BROKEN_SCHEDULE = "qforge.D016"
    DISABLED_SCHEDULE = "qforge.D017"
    LATE_SCHEDULE = "qforge.D018"
    EXPIRED_LEASES = "qforge.D019"
    PRUNE_BEHIND = "qforge.D020"
    ROLLUP_BEHIND = "qforge.D021"


# Why it matters, and what to do.
_ADVICE: Final[dict[Code, tuple[str, str]]] = {
    Code.UNREACHABLE: (
        "No job can be enqueued, claimed or finished.",
        "See whether the server runs, and what DATABASES says of the alias of the queue.",
    ),
    Code.UNREAD: (
        "What is wrong there stays unknown.",
        "Run the doctor again; if it takes too long each time, ask what keeps the database busy.",
    ),
    Code.DATABASE: (
        "The engine's row locks, indexes and notifications need PostgreSQL 14 or later.",
        "Use it for anything but a first look.",
    ),
    Code.NO_NOTIFICATIONS: (
        "Workers do not hear of new jobs and find them only when they poll.",
        "Behind a transaction pooler, point QFORGE['DATABASE'] at an alias that goes to the server "
        "directly, or set QFORGE['LISTEN'] to False and QFORGE['POLL_SECONDS'] low.",
    ),
    Code.CLAIM_READS_ALL: (
        "Each claim costs as much as there are jobs in the table.",
        "Run ANALYZE jobs; see whether the indexes jobs_claim and jobs_claim_queue are there.",
    ),
    Code.DEAD_ROWS: (
        "Every claim steps over dead row versions, and the table grows.",
        "End the oldest transaction if one holds them; then run VACUUM jobs, job_events, and see "
        "that autovacuum is on.",
    ),
    Code.OLD_TRANSACTION: (
        "No vacuum can take away a row version that died after it began.",
        "Find out what it does; SELECT pg_terminate_backend(pid) ends it. Set "
        "idle_in_transaction_session_timeout so that none is forgotten.",
    ),
    Code.SETTINGS: (
        "Workers do not start with settings that are wrong.",
        "See docs/settings.md for keys and bounds.",
    ),
    Code.LEASE: (
        "With little room jobs are run twice when something stalls; with much a crash stays "
        "unnoticed for long.",
        "Set LEASE_SECONDS, RESCUE_SECONDS and TIMEOUT_SECONDS as docs/guides/workers.md says.",
    ),
    Code.CLOCK_SKEW: (
        "Ages and times that this machine works out by itself are wrong; what is due is decided by "
        "the database's clock.",
        "Let NTP keep both clocks.",
    ),
    Code.UNKNOWN_TASK: (
        "Each attempt there fails, until the job has none left.",
        "Start workers of the release that has the task, or cancel the jobs.",
    ),
    Code.NOT_SERVED: (
        "Its jobs wait for ever.",
        "Start workers for it: manage.py run_job_workers --queues NAME, or for all without it.",
    ),
    Code.PAUSED_BACKLOG: (
        "Its jobs wait until somebody resumes it.",
        "Resume it: manage.py jobs resume NAME.",
    ),
    Code.NOT_MIGRATED: (
        "Code and tables do not fit together.",
        "Run manage.py migrate.",
    ),
    Code.SCHEMA_DRIFT: (
        "Queries become slow without an index, and wrong rows are let in without a constraint.",
        "Make it again as the migrations do; drop an invalid index first, and build it with "
        "CREATE INDEX CONCURRENTLY.",
    ),
    Code.BROKEN_SCHEDULE: (
        "At its next fire time it will disable itself.",
        "Correct its definition, or bring back its task.",
    ),
    Code.DISABLED_SCHEDULE: (
        "It enqueues nothing any more.",
        "Correct what its reason says, then enable it again.",
    ),
    Code.LATE_SCHEDULE: (
        "Its jobs are not enqueued in time.",
        "See that a worker runs without --no-maintenance.",
    ),
    Code.EXPIRED_LEASES: (
        "Their workers are gone, and nobody tries the jobs again.",
        "See that a worker runs without --no-maintenance, and what its log says of rescue.",
    ),
    Code.PRUNE_BEHIND: (
        "The tables grow.",
        "See that a worker runs without --no-maintenance; manage.py jobs prune catches up at once.",
    ),
    Code.ROLLUP_BEHIND: (
        "The charts and the rates of the queues are out of date.",
        "See that a worker runs without --no-maintenance, and what its log says of rollup.",
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `what` is a sentence for people, `facts` its parts for programs."""

    code: Code
    severity: Severity
    what: str
    facts: dict[str, Any]

    @property
    def why(self) -> str:
        """Why it matters."""
        return _ADVICE[self.code][0]

    @property
    def do(self) -> str:
        """What to do."""
        return _ADVICE[self.code][1]

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": self.code.value,
            "severity": self.severity.name.lower(),
            "what": self.what,
            "why": self.why,
            "do": self.do,
            "facts": self.facts,
        }


_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def spoken(seconds: float) -> str:
    """A time span in its largest unit: `14 s`, `3 min`, `5 d`."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.1f} s"


def number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
