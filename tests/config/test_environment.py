from __future__ import annotations

from pathlib import Path

import environ
import pytest

from config.environment import DEVELOPMENT_URL, database, prefixed


@pytest.fixture(autouse=True)
def no_database_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("TEST_DATABASE_ENGINE", raising=False)


def test_without_a_url_a_running_bin_dev_is_used(tmp_path: Path) -> None:
    assert database(environ.Env(), tmp_path)["HOST"] == "127.0.0.1"
    running = tmp_path / DEVELOPMENT_URL
    running.parent.mkdir()
    running.write_text("postgres://postgres@%2Frun%2Fpg/qforge\n")
    assert database(environ.Env(), tmp_path)["HOST"] == "/run/pg"


def test_sqlite_is_used_only_when_asked_for_and_never_unsafely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://someone@db.example.com/qforge")
    monkeypatch.setenv("TEST_DATABASE_ENGINE", "sqlite")
    config = database(environ.Env(), tmp_path)
    assert config["NAME"] == str(tmp_path / "db.sqlite3")
    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "WAL" in config["OPTIONS"]["init_command"]
    assert config["OPTIONS"]["timeout"] >= 20


def test_a_pool_is_used_when_its_size_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://someone@db.example.com/qforge")
    assert "pool" not in database(environ.Env(), tmp_path).get("OPTIONS", {})
    monkeypatch.setenv("DATABASE_POOL_SIZE", "7")
    assert database(environ.Env(), tmp_path)["OPTIONS"]["pool"]["max_size"] == 7


def test_settings_of_the_app_come_from_variables_with_its_prefix() -> None:
    variables = {
        "QFORGE_LEASE_SECONDS": "12.5",
        "QFORGE_LISTEN": "False",
        "QFORGE_QUEUES": '["mail"]',
        "QFORGE_DATABASE": "default",
        "OTHER": "1",
    }
    assert prefixed(variables, "QFORGE_") == {
        "LEASE_SECONDS": 12.5,
        "LISTEN": False,
        "QUEUES": ["mail"],
        "DATABASE": "default",
    }
