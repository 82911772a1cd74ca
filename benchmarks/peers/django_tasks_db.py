"""django-tasks-db: the database backend of Django's Tasks, one job at a time in each process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from benchmarks.peers.catalog import BROKER, Peer, Send

PEER = Peer(
    requirements=(
        "django-tasks-db>=0.13,<0.14",
        "django-tasks>=0.12,<0.13",
        "django>=5.2,<6.2",
        "psycopg[binary]>=3.2,<4",
    ),
    broker="postgresql",
    left=(
        "SELECT count(*) FROM django_tasks_database_dbtaskresult "
        "WHERE status IN ('READY', 'RUNNING')",
    ),
    tables=("django_tasks_database_dbtaskresult",),
    processes={"drain": 2, "pickup": 2, "naps": 2},
    configuration="2 processes with lasting connections; drain and naps poll every second when "
    "idle, pick-up every 50 ms; one job at a time in a process",
    durable="yes",
    results="yes",
    history="no",
    transactional="yes",
    bulk=False,
    slow=True,
)


def _set_up() -> None:
    import django
    from django.conf import settings

    parts = urlsplit(os.environ[BROKER])
    database = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.removeprefix("/"),
        "USER": parts.username,
        "HOST": unquote(parts.hostname or ""),
        "CONN_MAX_AGE": None,
    }
    settings.configure(
        DATABASES={"default": database},
        INSTALLED_APPS=["django_tasks_db"],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        SECRET_KEY="for benchmarks only",  # noqa: S106 - nothing here is served
        TASKS={"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}},
        USE_TZ=True,
    )
    django.setup()


def prepare() -> None:
    _set_up()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


@contextmanager
def sender() -> Iterator[Send]:
    _set_up()
    from django.db import connection

    from benchmarks.peers.django_task_handlers import HANDLERS

    connection.ensure_connection()
    yield lambda task, number: HANDLERS[task].enqueue(number)


def work(workload: str) -> None:
    _set_up()
    from django.core.management import call_command

    interval = 0.05 if workload == "pickup" else 1.0
    call_command("db_worker", interval=interval, startup_delay=False)
