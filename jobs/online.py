"""Operations of migrations that let everybody work on: workers and requests run during a deploy.

Two things stop them. A statement that reads a whole table under a lock: so indexes are built
concurrently and constraints are validated after they have been added. And a statement that waits
for a lock behind a long transaction: everything that comes later waits behind it. So a lock is
waited for half a second at a time, with a pause in which the others have their turn.

`AddIndex`, `AddCheck` and `AddUnique` need `atomic = False`; interrupted, they can be run again.
On SQLite all of them do what Django's own operations do.
"""

from __future__ import annotations

import time
from typing import Any, Final

from django.db import OperationalError, migrations, router, transaction
from django.db.migrations.operations.base import Operation
from psycopg.errors import LockNotAvailable

_LOCK_TIMEOUT: Final = "500ms"
_PAUSE_SECONDS: Final = 0.5
_ATTEMPTS: Final = 60


class TakeLock(Operation):
    """Lock the tables of `models` for the rest of the migration, before it changes them.

    Raises OperationalError when they stay in use for a minute.
    """

    reduces_to_sql = False

    def __init__(self, *models: str) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: Any) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if _is_postgres(app_label, schema_editor):
            models = [from_state.apps.get_model(app_label, name) for name in self.models]
            _lock(schema_editor, [model._meta.db_table for model in models])

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        pass

    def describe(self) -> str:
        return f"Lock {', '.join(self.models)}"


class StorageSettings(Operation):
    """Set storage parameters of a table of PostgreSQL's."""

    reduces_to_sql = False

    def __init__(self, table: str, **parameters: float) -> None:
        self.table = table
        self.parameters = parameters

    def state_forwards(self, app_label: str, state: Any) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        pairs = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        self._alter(app_label, schema_editor, f"SET ({pairs})")

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        self._alter(app_label, schema_editor, f"RESET ({', '.join(self.parameters)})")

    def describe(self) -> str:
        return f"Set how {self.table} is stored"

    def _alter(self, app_label: str, schema_editor: Any, change: str) -> None:
        if _is_postgres(app_label, schema_editor):
            schema_editor.execute(f"ALTER TABLE {self.table} {change}")


class AddIndex(migrations.AddIndex):
    """Django's operation, with the index built while rows are written."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if not _is_postgres(app_label, schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif _lacks_index(schema_editor, self.index.name):
            model = to_state.apps.get_model(app_label, self.model_name)
            schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if not _is_postgres(app_label, schema_editor):
            super().database_backwards(app_label, schema_editor, from_state, to_state)
        else:
            model = from_state.apps.get_model(app_label, self.model_name)
            schema_editor.remove_index(model, self.index, concurrently=True)


class AddUnique(migrations.AddConstraint):
    """Django's operation for a unique constraint with a condition, built while rows are written."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if not _is_postgres(app_label, schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif _lacks_index(schema_editor, self.constraint.name):
            model = to_state.apps.get_model(app_label, self.model_name)
            create = str(self.constraint.create_sql(model, schema_editor))
            head = "CREATE UNIQUE INDEX"
            schema_editor.execute(create.replace(head, f"{head} CONCURRENTLY", 1), params=None)


class AddCheck(migrations.AddConstraint):
    """Django's operation for a check constraint: added at once, then validated without a lock."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if not _is_postgres(app_label, schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        table, name = model._meta.db_table, self.constraint.name
        valid = _one(
            schema_editor,
            "SELECT convalidated FROM pg_constraint"
            " WHERE conrelid = to_regclass(%s) AND conname = %s",
            [table, name],
        )
        if valid is None:
            create = self.constraint.create_sql(model, schema_editor)
            with transaction.atomic(schema_editor.connection.alias):
                _lock(schema_editor, [table])
                schema_editor.execute(f"{create} NOT VALID", params=None)
        if not valid:
            schema_editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")


def _is_postgres(app_label: str, schema_editor: Any) -> bool:
    connection = schema_editor.connection
    return connection.vendor == "postgresql" and router.allow_migrate(connection.alias, app_label)


def _one(schema_editor: Any, query: str, parameters: list[str]) -> Any:
    """The first column of the first row; None without a row."""
    if schema_editor.collect_sql:
        return None
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(query, parameters)
        row = cursor.fetchone()
    return row[0] if row else None


def _lacks_index(schema_editor: Any, name: str) -> bool:
    """Whether the index is still to build; what an interrupted attempt has left is dropped."""
    query = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
    valid = _one(schema_editor, query, [name])
    if valid is False:
        schema_editor.execute(f"DROP INDEX CONCURRENTLY {name}")
    return not valid


def _lock(schema_editor: Any, tables: list[str]) -> None:
    statement = f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE"
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with transaction.atomic(schema_editor.connection.alias):
                # Also for what the migration does next: nothing of it shall wait long.
                schema_editor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
                schema_editor.execute(statement)
            return
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            if attempt == _ATTEMPTS:
                error.add_note(
                    f"{', '.join(tables)}: in use by long transactions for a minute."
                    " pg_stat_activity shows them; end them and migrate again."
                )
                raise
            time.sleep(_PAUSE_SECONDS)
