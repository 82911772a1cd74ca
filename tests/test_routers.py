"""Where the tables are, in a project with more than one database."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import router

from jobs.models import Job, JobEvent
from jobs.store.connections import alias

ROUTERS = ["jobs.routers.QueueRouter"]


@pytest.fixture(autouse=True)
def routed(settings: Any) -> None:
    settings.DATABASE_ROUTERS = ROUTERS
    settings.QFORGE = {"DATABASE": "queue"}


def test_the_tables_of_the_queue_are_in_its_database_for_reads_and_writes() -> None:
    assert [router.db_for_read(Job), router.db_for_write(Job), alias()] == ["queue"] * 3
    assert router.db_for_read(get_user_model()) == "default"


def test_they_are_made_there_and_nowhere_else_and_other_apps_as_ever() -> None:
    assert router.allow_migrate("queue", "qforge")
    assert not router.allow_migrate("default", "qforge")
    assert router.allow_migrate("default", "auth")


def test_rows_of_the_queue_may_refer_to_each_other() -> None:
    assert router.allow_relation(Job(), JobEvent())


def test_without_a_database_of_its_own_the_router_has_no_opinion(settings: Any) -> None:
    settings.QFORGE = {}
    assert [router.db_for_read(Job), router.db_for_write(Job), alias()] == ["default"] * 3
    assert router.allow_migrate("default", "qforge")
