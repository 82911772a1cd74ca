from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).resolve().parent.parent
MIGRATIONS = sorted((ROOT / "jobs" / "migrations").glob("[0-9]*.py"))
MODELS = list(apps.get_app_config("qforge").get_models())


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_migrations_are_numbered_without_gaps_and_named_in_words() -> None:
    names = [path.stem for path in MIGRATIONS]
    assert [name[:4] for name in names] == [f"{n:04}" for n in range(1, len(names) + 1)]
    assert [n for n in names if not re.fullmatch(r"\d{4}_[a-z]+(_[a-z]+){0,4}", n)] == []


def test_tables_indexes_and_constraints_are_named_after_their_table() -> None:
    for model in MODELS:
        table = model._meta.db_table
        assert re.fullmatch(r"jobs|job_[a-z]+(_[a-z]+)?", table)
        parts = [*model._meta.indexes, *model._meta.constraints]
        assert [part.name for part in parts if not part.name.startswith(f"{table}_")] == []


def test_every_id_is_big() -> None:
    for model in MODELS:
        if "CompositePrimaryKey" not in type(model._meta.pk).__name__:
            assert model._meta.pk.get_internal_type() == "BigAutoField", model


@pytest.fixture
def empty_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[str]:
    """The URL of a database with nothing in it."""
    if connection.vendor != "postgresql":
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"
        return
    name = f"{connection.settings_dict['NAME']}_empty"
    with django_db_blocker.unblock():
        parameters = connection.get_connection_params()
    kept = ("user", "password", "host", "port")
    where = {key: parameters[key] for key in kept if key in parameters}
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as raw:
        raw.execute(f'DROP DATABASE IF EXISTS "{name}"')
        raw.execute(f'CREATE DATABASE "{name}"')
        user, password = where.get("user", ""), where.get("password", "")
        address = f"{quote(where.get('host', ''), safe='')}:{where.get('port', '')}".rstrip(":")
        yield f"postgres://{user}:{password}@{address}/{name}"
        raw.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


FORTH_AND_BACK = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection

def migrate(*target):
    call_command("migrate", *target, verbosity=0)
    tables = connection.introspection.table_names()
    print(sorted(name for name in tables if name.startswith("job")))

migrate()
migrate("qforge", "zero")
migrate("qforge")
"""


def test_migrations_apply_to_nothing_and_can_be_undone(empty_database: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORTH_AND_BACK],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": empty_database},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tables = sorted(model._meta.db_table for model in MODELS)
    assert done.stdout.splitlines() == [str(tables), "[]", str(tables)]


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_busy_tables_are_vacuumed_by_the_size_of_the_change() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reloptions FROM pg_class"
            " WHERE relname IN ('jobs', 'job_events') AND relkind = 'r'"
        )
        options = dict(cursor.fetchall())
    assert "fillfactor=85" in options["jobs"]
    assert "autovacuum_vacuum_scale_factor=0.01" in options["jobs"]
    assert "autovacuum_vacuum_insert_scale_factor=0.1" in options["job_events"]
