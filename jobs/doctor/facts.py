"""What there is to know about a queue's database, workers and jobs, at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jobs.stats.queues import QueueState


@dataclass(frozen=True, slots=True)
class Unread:
    """A part that could not be looked at, and the database's words."""

    part: str
    error: str


@dataclass(frozen=True, slots=True)
class ClaimPlan:
    """How the database means to carry out the statement that picks jobs."""

    reads_whole_table: bool
    table_rows: int
    """As the planner estimates."""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    live: int
    dead: int
    """Row versions that nobody can see and that no vacuum has taken away yet, as counted by the
    server's statistics."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The oldest transaction that keeps dead row versions from being taken away."""

    pid: int | None
    """None for a prepared transaction, which has no process."""
    name: str
    """Of the application, or the prepared transaction's."""
    user: str
    state: str
    age_seconds: float


@dataclass(frozen=True, slots=True)
class Stranger:
    """Queued jobs of a task that no live worker of their queue knows."""

    task: str
    queue: str
    jobs: int
    """Among the first in line."""


@dataclass(frozen=True, slots=True)
class Missing:
    """An index or constraint of the models that the database lacks, or has but cannot use."""

    table: str
    name: str
    invalid: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """A schedule and what is wrong with it."""

    schedule: str
    text: str


@dataclass(frozen=True, slots=True)
class Late:
    """A schedule that is enabled and whose fire time has passed."""

    schedule: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Empty and None where there is nothing to tell."""

    unreachable: str = ""
    """The database's words when it does not answer; nothing else is known then."""
    unread: Sequence[Unread] = ()
    vendor: str = "postgresql"
    version: tuple[int, ...] = ()
    listening: bool | None = None
    """Whether a notification came back on a listening connection; None where there are none."""
    claim: ClaimPlan | None = None
    tables: Sequence[Table] = ()
    holder: Holder | None = None
    settings_problems: Sequence[str] = ()
    lease_seconds: float = 0.0
    rescue_seconds: float = 0.0
    timeout_seconds: float | None = None
    skew_seconds: float = 0.0
    """How far this machine's clock is ahead of the database's, as far as the way there tells."""
    missing_migrations: Sequence[str] = ()
    missing: Sequence[Missing] = ()
    queues: Sequence[QueueState] = ()
    served: Sequence[frozenset[str]] = ()
    """Of each live pool that is not stopping the queues it serves; empty means any."""
    strangers: Sequence[Stranger] = ()
    expired_jobs: int = 0
    """Running jobs, their number bounded, whose lease ran out."""
    expired_seconds: float = 0.0
    """How long ago the first of them did."""
    unpruned: dict[str, int] = field(default_factory=dict)
    """Per final status the jobs and workflows, bounded, that are long past their age."""
    rollup_lag_seconds: float = 0.0
    """For how long events have not been summed up, while there are some."""
    broken_schedules: Sequence[Trouble] = ()
    disabled_schedules: Sequence[Trouble] = ()
    late_schedules: Sequence[Late] = ()
