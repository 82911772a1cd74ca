"""From where on something is a finding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    transaction_seconds: float = 300.0
    """Age of the oldest transaction."""
    dead_rows: int = 100_000
    dead_share: float = 0.2
    """Dead rows for each live one; both must be passed."""
    small_table_rows: int = 10_000
    """A smaller table may well be read as a whole."""
    skew_seconds: float = 2.0
    backlog_seconds: float = 60.0
    """For which a job may be due in a queue that nobody serves."""
    expired_seconds: float = 60.0
    """For which a lease may have run out."""
    rollup_seconds: float = 300.0
    late_seconds: float = 120.0
    """For which a schedule may be due."""
