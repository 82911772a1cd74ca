"""Both homes of the Tasks API, as far as they are installed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from jobs.tasks_backend.namespaces import NAMESPACES, Namespace

OURS = "jobs.tasks_backend.QForgeBackend"
_TASKS = {"django.tasks": "core_tasks", "django_tasks": "backport_tasks"}


@pytest.fixture(params=NAMESPACES, ids=lambda home: str(home.name))
def home(request: pytest.FixtureRequest, settings: Any) -> Namespace:
    settings.TASKS = {"default": {"BACKEND": OURS}}
    found: Namespace = request.param
    return found


@pytest.fixture
def tasks(home: Namespace) -> Any:
    """The tasks of the conformance suite."""
    return import_module(f"jobs.testing.tasks_conformance.{_TASKS[home.name]}")


@pytest.fixture
def declared(tasks: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`declared("fail", max_attempts=2)` declares that task anew for the length of the test."""

    def declare(name: str, **options: Any) -> Any:
        made = dataclasses.replace(getattr(tasks, name), **options)
        monkeypatch.setattr(tasks, name, made)
        return made

    return declare


@contextmanager
def received(signal: Any) -> Iterator[list[dict[str, Any]]]:
    """What `signal` tells inside the block."""
    told: list[dict[str, Any]] = []

    def receiver(sender: Any, **kwargs: Any) -> None:
        told.append({"sender": sender, **kwargs})

    signal.connect(receiver)
    try:
        yield told
    finally:
        signal.disconnect(receiver)
