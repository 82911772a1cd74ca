"""Clients of the API, and tasks to enqueue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from jobs import client
from tests.api.client import Api


def add(a: float, b: float = 1) -> float:
    """The sum of two numbers."""
    return a + b


def echo(**payload: Any) -> dict[str, Any]:
    return payload


@pytest.fixture(autouse=True)
def tasks(register: Callable[..., client.Task]) -> None:
    register(add, name="tests.add")
    register(echo, name="tests.echo")


@pytest.fixture
def staff(db: None) -> Any:
    return get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)


@pytest.fixture
def api(staff: Any) -> Api:
    """The API as a logged-in member of staff sees it."""
    browser = Client()
    browser.force_login(staff)
    return Api(browser)


@pytest.fixture
def open_api(settings: Any) -> Api:
    """The API open on loopback, as in development: no login, no user in the database."""
    settings.DEBUG = True
    settings.QFORGE = {"OPEN_ON_LOOPBACK": True}
    settings.ALLOWED_HOSTS = ["localhost"]
    return Api(HTTP_HOST="localhost")
