from __future__ import annotations

from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Random

from devtools.migration_rules import faults
from jobs import online

CHECK = models.CheckConstraint(condition=models.Q(attempts__gte=0), name="jobs_made_up")
PLAIN = models.UniqueConstraint(fields=["task"], name="jobs_made_up")
PARTIAL = models.UniqueConstraint(
    fields=["task"], condition=models.Q(queue="a"), name="jobs_made_up"
)
INDEX = models.Index(fields=["task"], name="jobs_made_up")
LOCK = online.TakeLock("job")
PERMISSIONS = migrations.AlterModelOptions("job", {"permissions": []})


def told(*operations: Any, atomic: bool = True) -> list[str]:
    migration = migrations.Migration("0099_made_up", "qforge")
    migration.operations, migration.atomic = list(operations), atomic
    return list(faults(migration))


def added(field: models.Field[Any, Any]) -> migrations.AddField:
    return migrations.AddField("job", "made_up", field)


def test_every_migration_of_the_project_lets_others_work() -> None:
    own = [
        migration
        for (app, _), migration in MigrationLoader(None).disk_migrations.items()
        if app == "qforge"
    ]
    assert len(own) > 10
    assert [fault for migration in own for fault in faults(migration)] == []


@pytest.mark.parametrize(
    ("operations", "atomic"),
    [
        ([LOCK, added(models.IntegerField(null=True))], True),
        ([LOCK, added(models.IntegerField(default=0, db_default=0))], True),
        ([online.AddIndex("job", INDEX)], False),
        ([online.AddUnique("job", PARTIAL)], False),
        ([online.AddCheck("job", CHECK)], False),
        ([PERMISSIONS], True),
        ([migrations.CreateModel("New", []), migrations.AddIndex("new", INDEX)], True),
    ],
)
def test_what_hurts_nobody_is_allowed(operations: list[Any], atomic: bool) -> None:
    assert told(*operations, atomic=atomic) == []


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        (added(models.IntegerField()), "older code does not know the column"),
        (added(models.IntegerField(default=0)), "older code does not know the column"),
        (added(models.FloatField(db_default=Random())), "rewrites the table"),
        (added(models.IntegerField(null=True, db_index=True)), "add it apart"),
        (added(models.IntegerField(null=True, unique=True)), "add it apart"),
        (migrations.RemoveField("job", "queue"), "may lock"),
        (migrations.RenameField("job", "queue", "line"), "may lock"),
        (migrations.AlterField("job", "queue", models.TextField()), "may lock"),
        (migrations.RenameModel("Job", "Work"), "may lock"),
        (migrations.DeleteModel("Job"), "may lock"),
        (migrations.AddIndex("job", INDEX), "may lock"),
        (migrations.AddConstraint("job", CHECK), "may lock"),
        (migrations.RunSQL("SELECT 1"), "may lock"),
        (migrations.RunPython(migrations.RunPython.noop), "may lock"),
        (online.AddIndex("job", INDEX), "atomic = False"),
        (online.AddCheck("job", CHECK), "atomic = False"),
        (online.AddUnique("job", PARTIAL), "atomic = False"),
        (online.AddUnique("job", PLAIN), "with a condition"),
        (online.AddCheck("job", PARTIAL), "check constraints"),
    ],
)
def test_what_locks_for_long_or_breaks_older_code_is_refused(operation: Any, fault: str) -> None:
    (line,) = told(LOCK, operation)
    assert line.startswith("0099_made_up, ")
    assert fault in line


def test_a_column_is_added_once_the_table_is_locked() -> None:
    column = added(models.IntegerField(null=True))
    assert told(column) == [
        "0099_made_up, Add field made_up to job: it needs TakeLock('job') first."
    ]


def test_a_foreign_key_needs_the_lock_of_the_table_that_it_refers_to() -> None:
    key = models.ForeignKey("qforge.Job", models.CASCADE, db_index=False, null=True)
    assert "TakeLock('job')" in told(migrations.CreateModel("New", [("job", key)]))[0]
    assert (
        "TakeLock('job')"
        in told(online.TakeLock("queue"), migrations.AddField("queue", "job", key))[0]
    )
    assert told(LOCK, migrations.CreateModel("New", [("job", key)])) == []
    unchecked = models.ForeignKey("qforge.Job", models.CASCADE, db_constraint=False)
    assert told(migrations.CreateModel("New", [("job", unchecked)])) == []


def test_a_column_is_added_in_a_migration_that_can_be_run_again() -> None:
    (line,) = told(LOCK, added(models.IntegerField(null=True)), atomic=False)
    assert "atomic migration" in line
