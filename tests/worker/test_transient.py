from __future__ import annotations

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError

from jobs.worker.transient import is_transient, sqlstate
from tests.support.database import second_connection
from tests.support.triggers import raising


def raised(state: str) -> DatabaseError:
    """The error Django makes of one that the server sends."""
    with (
        second_connection() as other,
        pytest.raises(DatabaseError) as caught,
        other.cursor() as cursor,
    ):
        cursor.execute(f"DO $$ BEGIN {raising(state)}; END $$")
    return caught.value


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize(
    "state",
    [
        "08006",  # connection failure
        "25006",  # read-only: a standby during a failover
        "25P03",  # the session was ended for idling in a transaction
        "40001",  # serialization failure
        "40P01",  # deadlock
        "53100",  # disk full
        "53300",  # too many connections
        "55P03",  # lock not available
        "57014",  # statement timeout
        "57P01",  # shutdown
        "58030",  # read error
    ],
)
def test_what_passes_by_itself_is_transient(state: str) -> None:
    error = raised(state)
    assert sqlstate(error) == state
    assert is_transient(error)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("state", ["22003", "22P05", "23505", "23514", "42703", "54000", "P0001"])
def test_what_the_data_is_to_blame_for_is_not_transient(state: str) -> None:
    error = raised(state)
    assert sqlstate(error) == state
    assert not is_transient(error)


WITHOUT_STATE: list[tuple[Exception, bool]] = [
    (OperationalError("the connection is closed"), True),
    (InterfaceError("connection already closed"), True),
    (DatabaseError("claim: a row changed while it was locked"), False),
    (IntegrityError("wrong"), False),
    (ValueError("not the database's at all"), False),
    (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), False),
]


@pytest.mark.parametrize(("error", "transient"), WITHOUT_STATE)
def test_an_error_without_a_state_is_transient_when_it_tells_of_the_connection(
    error: Exception, transient: bool
) -> None:
    assert sqlstate(error) is None
    assert is_transient(error) is transient


def test_a_refused_connection_is_transient() -> None:
    with pytest.raises(psycopg.OperationalError) as refused:
        psycopg.connect("postgresql://127.0.0.1:1/nowhere", connect_timeout=2)
    error = OperationalError("connection refused")
    error.__cause__ = refused.value
    assert is_transient(error)
