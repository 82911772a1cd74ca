from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from jobs import registry
from jobs.backoff import RetryPolicy
from jobs.errors import InvalidInput, UnknownTask
from jobs.registry import Task


def plain(x: int, y: int = 2) -> int:
    return x + y


def make(handler: Callable[..., Any] = plain, **options: Any) -> Task:
    return Task(**{"name": "tests.made", "handler": handler} | options)


def test_a_task_can_be_called_like_its_function() -> None:
    assert make()(1, y=5) == 6


def test_coroutine_functions_are_known_as_such() -> None:
    async def handler() -> None: ...

    assert make(handler).is_async
    assert not make().is_async


def test_a_parameter_named_context_is_the_context() -> None:
    def first(context: Any, x: int) -> None: ...
    def named(x: int, *, context: Any = None) -> None: ...
    def rest(**context: Any) -> None: ...
    def unnamed(context: Any, /) -> None: ...

    assert make(first).takes_context
    assert make(named).takes_context
    assert not make(rest).takes_context
    assert not make(unnamed).takes_context
    assert not make().takes_context


@pytest.mark.parametrize(
    ("args", "payload"),
    [([], {}), ([1, 2, 3], {}), ([1], {"x": 1}), ([], {"x": 1, "z": 3})],
)
def test_arguments_that_do_not_fit_are_refused(args: list[Any], payload: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^payload: does not fit tests\.made") as error:
        make().check_arguments(args, payload)
    assert error.value.code == "signature"


def test_arguments_are_bound_as_the_worker_calls() -> None:
    def first(context: Any, x: int, **rest: Any) -> None: ...

    task = make(first)
    task.check_arguments([], {"x": 1, "z": 2})
    with pytest.raises(InvalidInput, match="multiple values"):
        task.check_arguments([1], {})
    with pytest.raises(InvalidInput, match="multiple values"):
        task.check_arguments([], {"x": 1, "context": 2})


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"name": ""}, "task"),
        ({"name": "a" * 256}, "task"),
        ({"name": "a b"}, "task"),
        ({"name": "-a"}, "task"),
        ({"name": "é"}, "task"),
        ({"name": None}, "task"),
        ({"queue": "a" * 65}, "queue"),
        ({"queue": "a\n"}, "queue"),
        ({"priority": 101}, "priority"),
        ({"priority": -101}, "priority"),
        ({"priority": 1.0}, "priority"),
        ({"priority": True}, "priority"),
        ({"priority": 10**5000}, "priority"),
        ({"max_attempts": 0}, "max_attempts"),
        ({"max_attempts": 10_001}, "max_attempts"),
        ({"max_attempts": "3"}, "max_attempts"),
        ({"timeout_seconds": 0}, "timeout"),
        ({"timeout_seconds": -1}, "timeout"),
        ({"timeout_seconds": float("nan")}, "timeout"),
        ({"timeout_seconds": float("inf")}, "timeout"),
        ({"timeout_seconds": 1e9}, "timeout"),
        ({"timeout_seconds": 2**31}, "timeout"),
        ({"backoff": 5}, "backoff"),
        ({"permanent": ValueError}, "permanent"),
        ({"permanent": [ValueError]}, "permanent"),
        ({"permanent": ("ValueError",)}, "permanent"),
        ({"handler": 5}, "handler"),
    ],
)
def test_an_option_out_of_bounds_is_refused_by_name(options: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        make(**options)
    assert error.value.field == field
    assert len(str(error.value)) < 250


def test_a_generator_is_no_handler() -> None:
    def generator() -> Iterator[int]:
        yield 1

    async def asynchronous() -> AsyncIterator[int]:
        yield 1

    for handler in (generator, asynchronous):
        with pytest.raises(InvalidInput, match="calling it would run nothing"):
            make(handler)


def test_the_bounds_themselves_are_allowed() -> None:
    make(priority=100, max_attempts=1, timeout_seconds=30 * 86400, queue="q" * 64, name="t" * 255)
    make(priority=-100, max_attempts=10_000, timeout_seconds=0.001, queue="a.b:c-d_1", name="0")


def test_the_wait_after_a_failure_is_the_tasks_own() -> None:
    policy = RetryPolicy(base_seconds=7, jitter=0, permanent=(KeyError,))
    task = make(backoff=policy, permanent=(OSError,))
    assert task.retry_after(2, ValueError()) == 14
    assert task.retry_after(1, KeyError()) is None
    assert task.retry_after(1, FileNotFoundError()) is None


def test_a_function_may_decide_the_wait() -> None:
    task = make(backoff=lambda attempt, error: None if attempt > 2 else attempt * 10)
    assert [task.retry_after(attempt, ValueError()) for attempt in (1, 2, 3)] == [10, 20, None]


def test_without_a_policy_the_settings_decide() -> None:
    with override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 3, "BACKOFF_JITTER": 0}):
        assert make().retry_after(1, ValueError()) == 3


def test_the_same_function_may_be_registered_again(register: Any) -> None:
    register(plain, name="tests.again")
    register(plain, name="tests.again", priority=5)
    assert registry.get("tests.again").priority == 5


def test_a_name_belongs_to_one_function(register: Any) -> None:
    def other() -> None: ...

    register(plain, name="tests.taken")
    with pytest.raises(ValueError, match=r"two handlers are named 'tests.taken'"):
        register(other, name="tests.taken")
    assert registry.get("tests.taken").handler is plain


@pytest.mark.parametrize("name", ["tests.plane", 5, None, [], "x" * 100_000])
def test_an_unknown_name_is_an_error_that_says_so_briefly(register: Any, name: Any) -> None:
    register(plain, name="tests.plain")
    with pytest.raises(UnknownTask, match="no task named ") as error:
        registry.get(name)
    assert len(str(error.value)) < 250
    assert error.value.code == "unknown-task"


def test_the_closest_name_is_offered(register: Any) -> None:
    register(plain, name="tests.plain")
    with pytest.raises(UnknownTask, match=r"did you mean 'tests\.plain'\?"):
        registry.get("tests.plian")


def test_tasks_are_listed_by_name(register: Any) -> None:
    for name in ("tests.b", "tests.a"):
        register(plain, name=name)
    listed = [task.name for task in registry.all_tasks() if task.name.startswith("tests.")]
    assert listed == ["tests.a", "tests.b"]


def test_a_partial_needs_a_name(register: Any) -> None:
    task = register(functools.partial(plain, 1), name="tests.partial")
    assert task() == 3
    task.check_arguments([], {"y": 1})


def test_discovery_imports_the_modules_the_settings_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = tmp_path / "discovered_app" / "handlers_of_tests.py"
    module.parent.mkdir()
    (module.parent / "__init__.py").touch()
    module.write_text("from jobs import task\n\n@task\ndef found(): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    apps = [*settings.INSTALLED_APPS, "discovered_app"]
    with override_settings(INSTALLED_APPS=apps, QFORGE={"TASK_MODULES": ["handlers_of_tests"]}):
        registry.autodiscover()
    assert registry.find("discovered_app.handlers_of_tests.found") is not None
    registry.unregister("discovered_app.handlers_of_tests.found")
