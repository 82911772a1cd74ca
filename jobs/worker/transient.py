"""Which database errors pass by themselves."""

from __future__ import annotations

from django.db import InterfaceError, OperationalError

# Classes 08 connection, 40 rollback (serialization, deadlock), 53 resources, 57 operator
# intervention (shutdown, statement timeout), 58 system.
_CLASSES = ("08", "40", "53", "57", "58")
# A server that is read-only (a standby, during a failover), sessions and transactions ended for
# taking too long, lock not available.
_STATES = ("25006", "25P03", "25P04", "55P03")


def sqlstate(error: BaseException) -> str | None:
    """The SQLSTATE of a Django database error; None when the server did not send one."""
    return getattr(error.__cause__, "sqlstate", None)


def is_transient(error: Exception) -> bool:
    """Whether the same statements may succeed later: lost connections, conflicts, timeouts."""
    state = sqlstate(error)
    if state is None:
        return isinstance(error, OperationalError | InterfaceError)
    return state.startswith(_CLASSES) or state in _STATES
