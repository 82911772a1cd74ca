"""A task for steps, and a look at all workflows after each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs import client
from jobs.workflows.check import disagreements
from tests.support.factories import USING
from tests.workflows.helpers import TASK


@pytest.fixture(autouse=True)
def step_task(register: Callable[..., client.Task]) -> client.Task:
    """The task of the jobs and steps of these tests. It takes any payload."""

    def step(**payload: Any) -> None:
        """Never called where a test plays the worker."""

    return register(step, name=TASK)


@pytest.fixture(autouse=True)
def agreement(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever an operation did to workflows, they agree with their steps when it ends."""
    committed = "committed_db" in request.fixturenames
    uses_database = committed or request.node.get_closest_marker("django_db") is not None
    if uses_database:
        request.getfixturevalue("committed_db" if committed else "db")
    yield
    if uses_database:
        assert disagreements(USING) == []
