"""The text a worker shows a person at its start: every setting in force and where it came from."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import django
from django.db import connections

import jobs
from jobs import registry
from jobs.store.connections import alias
from jobs.worker.options import PoolOptions


def banner(options: PoolOptions, processes: int, sources: Mapping[str, str]) -> str:
    """Several lines, for a terminal."""
    settings = connections[alias()].settings_dict
    where = f"{settings.get('USER') or ''}@{settings.get('HOST') or 'local'}/{settings['NAME']}"
    name = options.name or f"{socket.gethostname()}:{os.getpid()}"
    lines = [
        f"QForge {jobs.__version__}  worker {name}"
        f"  (Django {django.get_version()}, Python {platform.python_version()})",
        f"  database          {alias()}  {where}",
        f"  tasks             {len(registry.all_tasks())} registered",
        f"  processes         {processes}{_source(sources, 'processes')}",
    ]
    for field in fields(options):
        value: Any = getattr(options, field.name)
        shown = ", ".join(value) or "all" if field.name == "queues" else value
        key = field.name.removesuffix("_seconds")
        source = _source(sources, "poll_interval" if key == "poll" else key)
        lines.append(f"  {field.name:<17} {shown}{source}")
    return "\n".join([*lines, "Ctrl-C stops: running jobs may finish within the grace."])


def _source(sources: Mapping[str, str], key: str) -> str:
    source = sources.get(key, "default")
    return "" if source == "default" else f"  ({source})"
