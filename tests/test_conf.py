from __future__ import annotations

import ast
import inspect
import itertools
from typing import Any, get_type_hints

import pytest
from django.conf import settings
from django.test import override_settings

from jobs.conf import BOUNDS, Settings, conf, names, problems


def test_values_are_read_when_asked_for() -> None:
    assert conf.THREADS == Settings.THREADS
    with override_settings(QFORGE={"THREADS": 3}):
        assert conf.THREADS == 3
    assert conf.THREADS == Settings.THREADS


def test_without_the_dict_the_defaults_hold() -> None:
    with override_settings():
        del settings.QFORGE
        assert conf.LEASE_SECONDS == Settings.LEASE_SECONDS


def test_a_retention_that_names_some_statuses_leaves_the_others_alone() -> None:
    with override_settings(QFORGE={"RETENTION_SECONDS": {"failed": None}}):
        assert conf.RETENTION_SECONDS == Settings.RETENTION_SECONDS | {"failed": None}


def test_the_defaults_are_right() -> None:
    assert problems({name: getattr(Settings, name) for name in names()}) == []
    assert problems({}) == []


def test_every_number_has_bounds() -> None:
    numbers = {name for name, hint in get_type_hints(Settings).items() if _is_number(hint)}
    assert set(BOUNDS) == numbers


def _is_number(hint: Any) -> bool:
    return hint in (int, float, float | None, int | None)


def test_every_key_says_what_it_does() -> None:
    body = ast.parse(inspect.getsource(Settings)).body[0].body  # type: ignore[attr-defined]
    for statement, following in itertools.pairwise(body):
        if isinstance(statement, ast.AnnAssign):
            assert isinstance(following, ast.Expr), ast.unparse(statement)


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_a_number_past_its_bounds_is_refused_with_them(name: str) -> None:
    low, high = BOUNDS[name]
    for value in (low - 1, high + 1):
        whole = int(value) if get_type_hints(Settings)[name] is int else value
        (problem,) = problems({name: whole})
        assert problem.startswith(f"{name} must be between {low:,.10g} and {high:,.10g}, not ")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"THREDS": 3}, "unknown key 'THREDS'; did you mean 'THREADS'?"),
        ({"zzz": 3}, "unknown key 'zzz'"),
        ({5: 3}, "unknown key 5"),
        ({"THREADS": 1.5}, "THREADS must be a whole number, not 1.5"),
        ({"THREADS": True}, "THREADS must be a whole number, not True"),
        ({"THREADS": "8"}, "THREADS must be a whole number, not '8'"),
        ({"THREADS": None}, "THREADS must not be None"),
        ({"LEASE_SECONDS": "30"}, "LEASE_SECONDS must be a number, not '30'"),
        (
            {"LEASE_SECONDS": float("nan")},
            "LEASE_SECONDS must be between 1 and 86,400, not nan",
        ),
        ({"LISTEN": 1}, "LISTEN must be True or False, not 1"),
        ({"QUEUES": "emails"}, "QUEUES must be a list of strings, not 'emails'"),
        ({"QUEUES": [1]}, "QUEUES must be a list of strings, not [1]"),
        ({"DATABASE": 1}, "DATABASE must be a string, not 1"),
        (
            {"RETENTION_SECONDS": {"running": 5}},
            "RETENTION_SECONDS must be a dict with keys out of succeeded, cancelled, failed",
        ),
        (
            {"RETENTION_SECONDS": {"failed": -1}},
            "RETENTION_SECONDS must hold ages in seconds from 0 to 100 years, or None",
        ),
        (
            {"HEARTBEAT_SECONDS": 20, "LEASE_SECONDS": 30},
            "HEARTBEAT_SECONDS must be at most a third of LEASE_SECONDS",
        ),
        ({"LEASE_SECONDS": 10}, "HEARTBEAT_SECONDS must be at most a third of LEASE_SECONDS"),
        (
            {"BACKOFF_BASE_SECONDS": 100, "BACKOFF_CAP_SECONDS": 50},
            "BACKOFF_BASE_SECONDS must not be above BACKOFF_CAP_SECONDS",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_wrong(values: dict[Any, Any], problem: str) -> None:
    assert problems(values) == [problem]


def test_a_list_does_for_a_tuple_and_none_where_none_is_meant() -> None:
    assert problems({"QUEUES": ["a"], "TIMEOUT_SECONDS": None, "DATABASE": None}) == []


@pytest.mark.parametrize("value", [None, [], "THREADS=8"])
def test_what_is_no_dict_is_refused(value: Any) -> None:
    assert problems(value) == [f"must be a dict, not {value!r}"]


def test_all_problems_are_told_at_once() -> None:
    assert len(problems({"THREADS": 0, "PROCESSES": 0, "nonsense": 1})) == 3
