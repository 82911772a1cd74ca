"""Who sits at this shell, as events and the audit remember it."""

from __future__ import annotations

import getpass
import socket


def actor() -> str:
    """`cli:user@host`."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "unknown"
    return f"cli:{user}@{socket.gethostname()}"[:150]
