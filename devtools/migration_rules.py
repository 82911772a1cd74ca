"""What a migration may do while the code of before it, and everybody else, works on.

Every operation on a table that was there before is looked up here; what is not known is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db import migrations, models
from django.db.models.expressions import Value
from django.db.models.functions import Now

from jobs import online

Rule = Callable[[migrations.Migration, Any], str | None]


def faults(migration: migrations.Migration) -> Iterator[str]:
    """What others would suffer from, one sentence each; nothing for a good migration."""
    made: set[str] = set()
    locked: set[str] = set()
    for operation in migration.operations:
        touched = _referenced(operation)
        if isinstance(operation, migrations.CreateModel):
            made.add(operation.name.lower())
        elif isinstance(operation, online.TakeLock):
            locked.update(name.lower() for name in operation.models)
        elif (model := getattr(operation, "model_name", "").lower()) not in made:
            touched.add(model)
            if fault := _RULES.get(type(operation), _unknown)(migration, operation):
                yield f"{migration.name}, {operation.describe()}: {fault}."
                continue
        for model in sorted(touched - made - locked - {""}) if migration.atomic else ():
            yield f"{migration.name}, {operation.describe()}: it needs TakeLock({model!r}) first."


def _referenced(operation: Any) -> set[str]:
    """The models whose tables a new foreign key locks."""
    fields: list[Any] = [operation.field] if isinstance(operation, migrations.AddField) else []
    if isinstance(operation, migrations.CreateModel):
        fields = [field for _, field in operation.fields]
    keys = [field for field in fields if getattr(field, "db_constraint", False)]
    targets = [key.remote_field.model for key in keys]
    return {str(getattr(target, "__name__", target)).split(".")[-1].lower() for target in targets}


def _nothing(migration: migrations.Migration, operation: Any) -> str | None:
    return None


def _unknown(migration: migrations.Migration, operation: Any) -> str:
    return "it may lock the table for long, or take away what older code uses"


def _add_field(migration: migrations.Migration, operation: Any) -> str | None:
    field = operation.field
    if not migration.atomic:
        return "interrupted, it could not be run again; it belongs in an atomic migration"
    if field.unique or field.db_index:
        return "its index would be built under a lock; add it apart"
    if not field.null and not field.has_db_default():
        return "older code does not know the column; give it a db_default or let it be null"
    if field.has_db_default() and not isinstance(field.db_default, str | int | Value | Now):
        return "a db_default that is not a constant rewrites the table"
    return None


def _apart(migration: migrations.Migration, operation: Any) -> str | None:
    return "it needs atomic = False" if migration.atomic else None


def _add_unique(migration: migrations.Migration, operation: Any) -> str | None:
    constraint = operation.constraint
    if not isinstance(constraint, models.UniqueConstraint) or constraint.condition is None:
        return "only a unique constraint with a condition is an index that can be built apart"
    return _apart(migration, operation)


def _add_check(migration: migrations.Migration, operation: Any) -> str | None:
    if not isinstance(operation.constraint, models.CheckConstraint):
        return "it is for check constraints"
    return _apart(migration, operation)


_RULES: Final[dict[type, Rule]] = {
    migrations.AlterModelOptions: _nothing,
    online.StorageSettings: _nothing,
    migrations.AddField: _add_field,
    online.AddIndex: _apart,
    online.AddUnique: _add_unique,
    online.AddCheck: _add_check,
}
