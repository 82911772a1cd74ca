"""Which database errors pass by themselves."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError, OperationalError

# Classes 08 connection, 40 rollback (serialization, deadlock), 53 resources, 57 operator
# intervention (shutdown, statement timeout), 58 system; 55P03 lock not available.
_CLASSES = ("08", "40", "53", "57", "58")
_LOCK_NOT_AVAILABLE = "55P03"


def sqlstate(error: BaseException) -> str | None:
    """The SQLSTATE of a Django database error; None when the server did not send one."""
    return getattr(error.__cause__, "sqlstate", None)


def is_transient(error: DatabaseError | InterfaceError) -> bool:
    """Whether the same statements may succeed later: lost connections, conflicts, timeouts."""
    state = sqlstate(error)
    if state is None:
        return isinstance(error, OperationalError | InterfaceError)
    return state.startswith(_CLASSES) or state == _LOCK_NOT_AVAILABLE
