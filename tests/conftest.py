"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import setup_databases, teardown_databases
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from jobs import client, registry
from tests.support.plans import plans, statistics

__all__ = ["plans", "statistics"]

# A busy machine is no fault of the code under test.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


@pytest.fixture
def register() -> Iterator[Callable[..., client.Task]]:
    """`register(handler, **options)` registers a task for the length of the test."""
    names: list[str] = []

    def add(handler: Callable[..., Any], **options: Any) -> client.Task:
        options.setdefault("name", f"tests.{getattr(handler, '__name__', 'task')}")
        made = client.task(**options)(handler)
        names.append(made.name)
        return made

    yield add
    for name in names:
        registry.unregister(name)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Makes the test database; pytest-django does so only for fixtures of its own names."""
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False, aliases={"default"})
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database with real commits, for tests of several connections; emptied afterwards.

    Does what `django_db(transaction=True)` does, for the tables of this app alone and therefore
    ten times as fast.
    """
    with django_db_blocker.unblock():
        yield
        with transaction.atomic(), connection.cursor() as cursor:
            # In one transaction, so the order does not matter: foreign keys are checked at its end.
            for model in apps.get_app_config("qforge").get_models():
                cursor.execute(f"DELETE FROM {model._meta.db_table}")  # noqa: S608
