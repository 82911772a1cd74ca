from __future__ import annotations

import platform
from dataclasses import fields

import django
import pytest
from django.db import connections

import jobs
from jobs import registry
from jobs.management.banner import banner
from jobs.worker.options import PoolOptions


@pytest.fixture(autouse=True)
def database(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = connections["default"].settings_dict
    for key, value in {"USER": "ann", "HOST": "db", "NAME": "shop", "PASSWORD": "hush"}.items():
        monkeypatch.setitem(settings, key, value)


def test_the_banner_says_what_is_in_force_and_where_it_comes_from() -> None:
    options = PoolOptions(
        name="blue", threads=3, queues=("mail", "slow"), lease_seconds=60, poll_seconds=2
    )
    sources = {
        "threads": "command line",
        "queues": "settings",
        "lease": "environment QFORGE_LEASE_SECONDS",
        "poll_interval": "command line",
        "processes": "settings",
        "grace": "default",
    }
    versions = f"(Django {django.get_version()}, Python {platform.python_version()})"
    assert banner(options, 4, sources) == "\n".join(
        [
            f"QForge {jobs.__version__}  worker blue  {versions}",
            "  database          default  ann@db/shop",
            f"  tasks             {len(registry.all_tasks())} registered",
            "  processes         4  (settings)",
            "  queues            mail, slow  (settings)",
            "  threads           3  (command line)",
            "  async_jobs        100",
            "  lease_seconds     60  (environment QFORGE_LEASE_SECONDS)",
            "  heartbeat_seconds 5.0",
            "  poll_seconds      2  (command line)",
            "  grace_seconds     25.0",
            "  batch_size        200",
            "  prefetch_seconds  0.05",
            "  listen            True",
            "  maintenance       True",
            "  metrics_port      0",
            "  max_jobs          None",
            "  drain             False",
            "  fail_on_error     False",
            "  name              blue",
            "  log_format        text",
            "  quiet             False",
            "Ctrl-C stops: running jobs may finish within the grace.",
        ]
    )


def test_every_option_is_shown() -> None:
    text = banner(PoolOptions(), 1, {})
    assert all(f"\n  {field.name} " in text for field in fields(PoolOptions))
    assert "\n  queues            all\n" in text


def test_the_password_of_the_database_is_not_shown() -> None:
    assert "hush" not in banner(PoolOptions(), 1, {})


def test_a_worker_without_a_name_is_called_by_host_and_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "box")
    monkeypatch.setattr("os.getpid", lambda: 42)
    assert "  worker box:42  " in banner(PoolOptions(), 1, {})
