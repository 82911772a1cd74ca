"""What the development tools raise."""

from __future__ import annotations


class PostgresError(RuntimeError):
    """The embedded PostgreSQL cannot do what was asked; the text says what to do about it."""
