"""What the settings read from environment variables beyond plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import environ

DEVELOPMENT_URL = Path(".qforge/database-url")
FALLBACK_URL = "postgres://postgres@127.0.0.1:5432/qforge"
SQLITE = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": "PRAGMA journal_mode=WAL"}


def database(env: environ.Env, base_dir: Path) -> dict[str, Any]:
    """Return the default database: DATABASE_URL, else a running bin/dev's, else a local server.

    TEST_DATABASE_ENGINE=sqlite chooses SQLite, in the file DATABASE_URL names if it names one.
    DATABASE_POOL_SIZE keeps up to so many connections open between requests; 0 is no pool.
    """
    url = env.str("DATABASE_URL", default="")
    if env.str("TEST_DATABASE_ENGINE", default="") == "sqlite" and not url.startswith("sqlite"):
        url = f"sqlite:///{base_dir / 'db.sqlite3'}"
    if not url:
        running = base_dir / DEVELOPMENT_URL
        url = running.read_text(encoding="utf-8").strip() if running.exists() else FALLBACK_URL
    config: dict[str, Any] = env.db_url_config(url)
    # A socket folder stands percent-encoded where a URL has its host.
    config["HOST"] = unquote(config["HOST"])
    pool_size = env.int("DATABASE_POOL_SIZE", default=0)
    if pool_size and config["ENGINE"] == "django.db.backends.postgresql":
        pool = {"min_size": 1, "max_size": pool_size, "timeout": 10}
        config["OPTIONS"] = {"pool": pool} | config.get("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # In a file, since threads and processes cannot share SQLite's in-memory databases.
        config["TEST"] = {"NAME": f"{config['NAME']}.test"}
        config["OPTIONS"] = SQLITE | config.get("OPTIONS", {})
    return config


def prefixed(environment: Mapping[str, str], prefix: str) -> dict[str, Any]:
    """Return the variables with a prefix, without it; values that are JSON are decoded.

    >>> prefixed({"QFORGE_LEASE_SECONDS": "30", "QFORGE_NAME": "a"}, "QFORGE_")
    {'LEASE_SECONDS': 30, 'NAME': 'a'}
    """
    found: dict[str, Any] = {}
    for name, text in environment.items():
        if not name.startswith(prefix):
            continue
        try:
            value = json.loads(text.lower() if text in ("True", "False") else text)
        except ValueError:
            value = text
        found[name.removeprefix(prefix)] = value
    return found
