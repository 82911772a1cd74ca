"""Probes: alive, and ready."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.client import Api


@pytest.mark.parametrize("path", ["/healthz", "/healthz/"])
def test_alive_asks_no_database(path: str) -> None:
    # No database fixture: a query would fail this test.
    answer = Api().get(path)
    assert (answer.status, answer.json) == (200, {"status": "ok"})


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/readyz", "/readyz/"])
def test_ready_with_the_database_and_its_tables(path: str) -> None:
    assert Api().get(path).json == {"status": "ok"}


@pytest.mark.django_db
def test_not_ready_while_a_migration_is_missing() -> None:
    MigrationRecorder(connection).record_unapplied("qforge", "0002_storage")
    answer = Api().get("/readyz")
    assert (answer.status, answer["code"]) == (503, "not-migrated")
    assert "0002_storage" in answer["detail"]


@pytest.mark.django_db
def test_probes_open_no_session() -> None:
    browser = Client()
    browser.cookies["sessionid"] = "x" * 32
    with CaptureQueriesContext(connection) as queries:
        browser.get("/readyz")
    assert not any("django_session" in query["sql"] for query in queries)
