from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.core.checks.registry import registry
from django.test import override_settings

from jobs import RetryPolicy
from jobs.models import Job
from jobs.tasks_backend import checks, options
from jobs.tasks_backend.namespaces import NAMESPACES, Namespace
from tests.tasks_backend.conftest import OURS


def problems(**params: Any) -> list[str]:
    return [found.msg for found in checks.check("default", {"BACKEND": OURS, **params})]


def test_an_alias_without_options_is_right() -> None:
    assert problems() == []
    assert options.read({}) == options.Defaults(max_attempts=1, timeout=None, backoff=None)


def test_defaults_stand_beside_the_backend_or_in_its_options() -> None:
    beside = options.read({"MAX_ATTEMPTS": 4, "TIMEOUT": 9})
    assert beside == options.read({"OPTIONS": {"MAX_ATTEMPTS": 4, "TIMEOUT": 9}})
    assert (beside.max_attempts, beside.timeout) == (4, 9.0)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"MAX_ATTEMPTS": 0}, "max_attempts: must be a whole number from 1"),
        ({"MAX_ATTEMPTS": "3"}, "max_attempts: must be a whole number"),
        ({"TIMEOUT": -1}, "timeout_seconds: must be a number of seconds"),
        ({"BACKOFF": 5}, "backoff: must be a RetryPolicy, a function or its dotted path"),
        ({"BACKOFF": "nowhere.at.all"}, "No module named"),
        ({"OPTIONS": {"MAX_ATTEMPT": 3}}, "unknown keys: MAX_ATTEMPT;"),
        ({"QUEUES": ["with space"]}, "QUEUES: must be 1 to 64 letters"),
    ],
)
def test_the_check_says_what_is_wrong_with_an_alias(params: dict[str, Any], message: str) -> None:
    (found,) = problems(**params)
    assert found.startswith("TASKS['default']: ")
    assert message in found


def test_an_alias_that_no_row_could_keep_is_wrong() -> None:
    (found,) = checks.check("a" * 65, {"BACKEND": OURS})
    assert (found.id, "64 characters" in found.msg) == ("qforge.E021", True)


def test_the_app_must_be_installed() -> None:
    names = [app.name for app in apps.get_app_configs() if app.name != "jobs"]
    with override_settings(INSTALLED_APPS=[name for name in names if name != "demo"]):
        (found,) = checks.check("default", {"BACKEND": OURS})
    assert found.id == "qforge.E020"
    assert found.hint is not None
    assert "INSTALLED_APPS" in found.hint


@pytest.mark.skipif(NAMESPACES[0].name != "django.tasks", reason="this Django has no Tasks")
def test_djangos_own_checks_of_its_tasks_are_registered() -> None:
    assert "check_tasks" in {check.__name__ for check in registry.registered_checks}


@pytest.mark.django_db
def test_a_task_has_the_defaults_of_its_alias_unless_it_says_otherwise(
    tasks: Any, settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": OURS, "MAX_ATTEMPTS": 4, "TIMEOUT": 9}}
    for task in (tasks.add, tasks.add.using(max_attempts=2, timeout=3)):
        result = task.enqueue(1)
        assert tasks.add.get_result(result.id) == result
    rows = Job.objects.order_by("id").values_list("max_attempts", "timeout_seconds")
    assert list(rows) == [(4, 9.0), (2, 3.0)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_attempts": 0}, "max_attempts: must be a whole number"),
        ({"max_attempts": True}, "max_attempts: must be a whole number"),
        ({"timeout": 0}, "timeout: must be a number of seconds"),
        ({"idempotency_key": " a"}, "idempotency_key: must be printable"),
        ({"queue_name": "with space"}, "Queue 'with space' is not valid"),
    ],
)
def test_an_option_out_of_bounds_is_an_invalid_task(
    tasks: Any, home: Namespace, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(home.InvalidTask, match=message):
        tasks.add.using(**wrong)


def test_a_queue_name_must_be_one_that_can_be_stored(
    tasks: Any, home: Namespace, settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": OURS, "QUEUES": []}}
    assert tasks.add.using(queue_name="any.name").queue_name == "any.name"
    with pytest.raises(home.InvalidTask, match="queue: must be 1 to 64 letters"):
        tasks.add.using(queue_name="with space")


def test_a_backoff_may_be_a_policy_of_ours_or_the_path_of_a_function() -> None:
    policy = RetryPolicy(base_seconds=1)
    assert options.read({"BACKOFF": policy}).policy() is policy
    path = "jobs.testing.tasks_conformance.retries.never"
    assert options.read({"BACKOFF": path}).policy().__name__ == "never"
