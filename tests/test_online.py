"""Migrations beside others that work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, migrations, models, transaction
from django.db.migrations.state import ProjectState

from jobs import online
from tests.support.database import scalar, second_connection, start_blocked

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]

TABLE = "job_made_up"
INDEX = models.Index(fields=["number"], name="job_made_up_number")
UNIQUE = models.UniqueConstraint(
    fields=["number"], condition=models.Q(number__gt=0), name="job_made_up_unique"
)
CHECK = models.CheckConstraint(condition=models.Q(number__gte=0), name="job_made_up_positive")


class Schema:
    """Applies operations one by one, as `migrate` does."""

    def __init__(self) -> None:
        self.state = ProjectState()

    def apply(self, operation: Any, *, atomic: bool = False) -> None:
        after = self.state.clone()
        operation.state_forwards("qforge", after)
        with connection.schema_editor(atomic=atomic) as editor:
            operation.database_forwards("qforge", editor, self.state, after)
        self.state = after


@pytest.fixture
def schema(committed_db: None) -> Iterator[Schema]:
    made = Schema()
    fields = [("id", models.BigAutoField(primary_key=True)), ("number", models.IntegerField())]
    made.apply(migrations.CreateModel("MadeUp", fields, {"db_table": TABLE}))
    yield made
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {TABLE}")


def insert(number: int) -> None:
    """As the workers do; waiting for a lock for long is a failure."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '10s'")
        cursor.execute(f"INSERT INTO {TABLE} (number) VALUES (%s)", [number])  # noqa: S608


@contextmanager
def long_transaction() -> Iterator[None]:
    """Somebody who has written to the table and does not come to an end."""
    with second_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"INSERT INTO {TABLE} (number) VALUES (7)")  # noqa: S608
        try:
            yield
        finally:
            other.rollback()


def valid_index(name: str) -> Any:
    return scalar("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])


def valid_check() -> Any:
    return scalar("SELECT convalidated FROM pg_constraint WHERE conname = %s", [CHECK.name])


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (online.AddIndex("madeup", INDEX), INDEX.name),
        (online.AddUnique("madeup", UNIQUE), UNIQUE.name),
    ],
)
def test_rows_are_written_while_an_index_is_built(
    schema: Schema, operation: Any, name: str
) -> None:
    with long_transaction():
        building = start_blocked(lambda: schema.apply(operation))
        insert(1)
        assert building.is_alive()
    building.wait()
    assert valid_index(name)


@pytest.mark.parametrize(
    ("operation", "atomic"),
    [(online.AddCheck("madeup", CHECK), False), (online.TakeLock("madeup"), True)],
)
def test_who_waits_for_a_lock_lets_the_others_pass(
    schema: Schema, operation: Any, atomic: bool
) -> None:
    with long_transaction():
        waiting = start_blocked(lambda: schema.apply(operation, atomic=atomic))
        insert(1)
        assert waiting.is_alive()
    waiting.wait()


def test_a_table_that_stays_in_use_ends_the_migration_with_its_name(
    schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online, "_ATTEMPTS", 2)
    with long_transaction(), pytest.raises(OperationalError) as caught:
        schema.apply(online.TakeLock("madeup"), atomic=True)
    assert caught.value.__notes__[0].startswith(f"{TABLE}: in use by long transactions")


def test_the_lock_is_kept_to_the_end_of_the_migration(schema: Schema) -> None:
    locks = (
        "SELECT count(*) FROM pg_locks WHERE relation = to_regclass(%s) AND granted AND mode = %s"
    )
    with connection.schema_editor(atomic=True) as editor:
        taken = online.TakeLock("madeup")
        taken.database_forwards("qforge", editor, schema.state, schema.state)
        assert scalar(locks, [TABLE, "AccessExclusiveLock"]) == 1


def test_what_an_interrupted_build_has_left_is_built_anew(schema: Schema) -> None:
    for _ in range(2):
        insert(5)
    operation = online.AddUnique("madeup", UNIQUE)
    with pytest.raises(IntegrityError):
        schema.apply(operation)
    assert valid_index(UNIQUE.name) is False
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE}")  # noqa: S608
    schema.apply(operation)
    assert valid_index(UNIQUE.name)


def test_a_check_holds_for_new_rows_at_once_and_can_be_validated_later(schema: Schema) -> None:
    insert(-5)
    operation = online.AddCheck("madeup", CHECK)
    with pytest.raises(IntegrityError):
        schema.apply(operation)
    assert valid_check() is False
    with pytest.raises(IntegrityError):
        insert(-6)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE}")  # noqa: S608
    # To validate it asks for no lock that a writer holds up.
    with long_transaction():
        schema.apply(operation)
    assert valid_check()


@pytest.mark.parametrize(
    "operation",
    [
        online.AddIndex("madeup", INDEX),
        online.AddUnique("madeup", UNIQUE),
        online.AddCheck("madeup", CHECK),
    ],
)
def test_each_can_be_run_again_and_undone(schema: Schema, operation: Any) -> None:
    before = schema.state
    schema.apply(operation)
    after, schema.state = schema.state, before
    schema.apply(operation)
    schema.state = before
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("qforge", editor, after, before)
    assert valid_index(INDEX.name) is valid_index(UNIQUE.name) is valid_check() is None
