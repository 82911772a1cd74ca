"""Tasks declared as applications declare theirs."""

from __future__ import annotations

from jobs import task


@task
def plain() -> None:
    """Named after its module and itself."""
