"""What a declaration may say, and where it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.checks import run_checks

from jobs import client, registry
from jobs.errors import InvalidInput

Register = Callable[..., client.Task]


@pytest.mark.parametrize(
    ("schedules", "named"),
    [
        ([], "must be a dict"),
        ({"a": "@daily"}, "must be a dict"),
        ({"a": {"task": "t", "cron": "@daily", "tz": "UTC"}}, "unknown keys: tz"),
        ({"a": {"task": "t"}}, "'a'] cron: give either cron or interval_seconds"),
        ({"a": {"task": "t", "cron": "0 0 30 2 *"}}, "never comes"),
        ({"a": {"task": "t", "cron": "@daily", "timezone": "Mars"}}, "timezone"),
        ({"a": {"task": "t", "interval_seconds": 0}}, "interval_seconds"),
        ({"a": {"task": "t", "cron": "@daily", "missed": "no"}}, "missed"),
    ],
)
def test_the_settings_are_checked_like_all_others(
    settings: Any, schedules: Any, named: str
) -> None:
    settings.QFORGE = {"SCHEDULES": schedules}
    (found,) = [error for error in run_checks(tags=["qforge"]) if error.id == "qforge.E001"]
    assert named in found.msg


def test_a_declared_schedule_with_an_unknown_task_fails_the_system_check(settings: Any) -> None:
    settings.QFORGE = {"SCHEDULES": {"a": {"task": "tests.unknown", "cron": "@daily"}}}
    (found,) = [error for error in run_checks(tags=["qforge"]) if error.id == "qforge.E003"]
    assert "Schedule 'a': task: no task named 'tests.unknown'" in found.msg


def test_a_decorator_with_wrong_times_is_refused_where_it_stands(register: Register) -> None:
    for options, field in (
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": "0 3 * * *", "timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": "UTC"}, "timezone"),
    ):
        with pytest.raises(InvalidInput) as caught:
            register(lambda: None, name="tests.wrong", **options)
        assert caught.value.field == field
    with pytest.raises(InvalidInput, match="missing a required argument: 'day'"):
        register(lambda day: None, name="tests.wrong", cron="0 3 * * *")
    assert registry.find("tests.wrong") is None
