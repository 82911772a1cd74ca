"""Fixtures: worker processes, what their handlers saw, and the tasks both sides know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from jobs import registry
from jobs.models import Job
from jobs.states import TERMINAL
from tests.process_app import jobs as hostile
from tests.process_app import tasks
from tests.support.evidence import Evidence
from tests.support.faults.proxy import Proxy, connect_to
from tests.support.processes import Workers, url_of
from tests.support.waiting import wait_until


@pytest.fixture(autouse=True)
def known_tasks() -> Iterator[None]:
    """The tests enqueue what the worker processes register."""
    modules = (tasks, hostile)
    known = [
        task
        for module in modules
        for task in vars(module).values()
        if isinstance(task, registry.Task)
    ]
    for task in known:
        registry.register(task)
    yield
    for task in known:
        registry.unregister(task.name)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence")


@pytest.fixture
def workers(committed_db: None, tmp_path: Path, evidence: Evidence) -> Iterator[Workers]:
    started = Workers(tmp_path, url_of(connections["default"].settings_dict), evidence)
    yield started
    started.close()


@pytest.fixture
def proxy(committed_db: None) -> Iterator[Proxy]:
    """A network between workers and the database, for `workers.through`."""
    settings = connections["default"].settings_dict
    with Proxy(connect_to(settings["HOST"], settings["PORT"])) as between:
        yield between


@pytest.fixture
def all_done(committed_db: None) -> Callable[..., None]:
    """`all_done(seconds=…)` returns once no job is on its way any more."""

    def wait(seconds: float = 30, using: str = "default", **matching: Any) -> None:
        open_jobs = Job.objects.using(using).filter(**matching).exclude(status__in=TERMINAL)
        wait_until(lambda: not open_jobs.exists(), seconds=seconds, pause=0.05)

    return wait
