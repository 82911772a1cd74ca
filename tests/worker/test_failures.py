"""Whatever is written while a failure is recorded is bounded and can be stored."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import Cancel, Snooze, client
from jobs.errors import InvalidInput, JobTimeout
from jobs.models import ErrorGroup, Job, JobEvent
from jobs.states import JobStatus, Verb
from jobs.worker import failures
from tests.support import factories
from tests.worker.attempts import attempt, attempts, claimed

Register = Callable[..., client.Task]


class BadText(Exception):
    """One whose own text cannot be made."""

    def __init__(self, text: Callable[[], Any]) -> None:
        super().__init__()
        self.text = text

    def __str__(self) -> str:
        made: str = self.text()
        return made


def raises(error: BaseException) -> Callable[[], str]:
    def text() -> str:
        raise error

    return text


class TrickyText(str):
    """Text whose methods do other things than those of text."""

    def replace(self, *args: Any) -> str:
        raise ValueError("no")

    def __str__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize(
    "text",
    [raises(ValueError("no")), raises(SystemExit(1)), raises(KeyboardInterrupt()), lambda: 5],
    ids=["raises", "exits", "interrupts", "is no text"],
)
def test_an_exception_that_cannot_be_printed_is_told_by_its_class(
    register: Register, text: Callable[[], Any]
) -> None:
    def handler() -> None:
        raise BadText(text)

    bad, good = register(handler), register(lambda: 1, name="tests.good")
    outcomes = attempts([claimed(bad), claimed(good)])
    assert [o.verb for o in outcomes] == [Verb.FAIL, Verb.SUCCEED]
    assert outcomes[0].error == (
        "tests.worker.test_failures.BadText: (could not be made: the exception's own code failed)"
    )
    assert "raise BadText" in outcomes[0].data["error"]["traceback"]


def test_of_text_with_tricks_only_the_characters_count() -> None:
    told = failures.describe(BadText(lambda: TrickyText("plain")))
    assert told["message"] == "plain"


def test_a_class_with_a_name_that_raises_is_still_told() -> None:
    class Meta(type):
        @property
        def __module__(cls) -> str:  # type: ignore[override]
            raise ValueError("no")

    class Nameless(Exception, metaclass=Meta):
        """One whose class cannot be named."""

    told = failures.describe(Nameless("text"))
    assert told["type"] == "(could not be made: the exception's own code failed)"
    assert told["message"] == "text"


def test_the_class_of_a_module_that_is_gone_is_told(register: Register) -> None:
    module = types.ModuleType("tests_gone")
    sys.modules["tests_gone"] = module
    exec("class Gone(Exception): pass", module.__dict__)  # noqa: S102 - a module to delete
    error = module.Gone("away")
    del sys.modules["tests_gone"], module

    def handler() -> None:
        raise error

    assert attempt(register(handler)).error == "tests_gone.Gone: away"


def test_a_huge_message_is_bounded(register: Register) -> None:
    def handler() -> None:
        raise ValueError("x" * 20_000_000)

    outcome = attempt(register(handler))
    assert len(outcome.error) < 2_100
    assert "characters left out" in outcome.error
    assert len(outcome.data["error"]["message"]) <= 2_000
    assert len(outcome.data["error"]["traceback"]) <= 16 * 1024


def deep(depth: int) -> None:
    if not depth:
        raise ValueError("bottom")
    deep(depth - 1)


def deep_a(depth: int) -> None:
    """Two that call each other: such frames cannot be told as `repeated n times`."""
    if not depth:
        raise ValueError("bottom")
    deep_b(depth - 1)


def deep_b(depth: int) -> None:
    deep_a(depth)


@pytest.mark.parametrize("dive", [deep, deep_a])
def test_of_a_deep_traceback_the_innermost_frames_are_kept(
    register: Register, dive: Callable[[int], None]
) -> None:
    outcome = attempt(register(lambda: dive(400), name="tests.deep"))
    trace = outcome.data["error"]["traceback"]
    assert trace.count("\n") < 250
    assert 'raise ValueError("bottom")' in trace
    assert trace.endswith("ValueError: bottom\n")


def test_endless_recursion_is_a_failed_attempt(register: Register) -> None:
    def handler() -> None:
        handler()

    outcome = attempt(register(handler))
    assert outcome.error.startswith("RecursionError: maximum recursion depth exceeded")


@override_settings(QFORGE={"ERROR_MAX_CHARS": 500})
def test_a_traceback_is_as_long_as_the_setting_allows(register: Register) -> None:
    outcome = attempt(register(lambda: deep_a(100), name="tests.deep"))
    trace = outcome.data["error"]["traceback"]
    assert len(trace) == 500
    assert trace.startswith("Traceback")
    assert trace.endswith("ValueError: bottom\n")


def test_a_long_chain_of_causes_is_bounded(register: Register) -> None:
    def handler() -> None:
        error = ValueError("first")
        for number in range(2_000):
            following = ValueError(f"number {number}")
            following.__cause__ = error
            error = following
        raise error

    outcome = attempt(register(handler))
    assert outcome.error == "ValueError: number 1999"
    assert len(outcome.data["error"]["traceback"]) <= 16 * 1024


def test_a_group_of_exceptions_is_told(register: Register) -> None:
    def handler() -> None:
        raise ExceptionGroup("many", [ValueError(str(n)) for n in range(1_000)])

    outcome = attempt(register(handler))
    assert outcome.error == "ExceptionGroup: many (1000 sub-exceptions)"
    assert "ValueError: 0" in outcome.data["error"]["traceback"]


UNSTORABLE = "nul \x00, surrogate \ud800, escape \x1b"
SHOWN = "nul \\x00, surrogate \\ud800, escape \x1b"


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RuntimeError(UNSTORABLE), JobStatus.SCHEDULED),
        (Snooze(60, UNSTORABLE), JobStatus.SCHEDULED),
        (Cancel(UNSTORABLE), JobStatus.CANCELLED),
    ],
    ids=["error", "snooze", "cancel"],
)
def test_text_that_postgresql_refuses_is_stored_with_a_visible_replacement(
    register: Register, error: Exception, status: JobStatus
) -> None:
    def handler() -> None:
        raise error

    row = factories.job(JobStatus.RUNNING, task=register(handler).name)
    (outcome,) = attempts([factories.claimed(row)])
    factories.finish(outcome)
    row.refresh_from_db()
    assert row.status == status
    data = JobEvent.objects.get(job_id=row.pk).data
    assert (data["error"]["message"] if row.error else data["reason"]) == SHOWN
    assert row.error in ("", f"RuntimeError: {SHOWN}")


@pytest.mark.usefixtures("committed_db")
def test_a_class_without_a_name_is_recorded_all_the_same(register: Register) -> None:
    nameless = type("", (Exception,), {"__module__": "builtins"})

    def handler() -> None:
        raise nameless

    row = factories.job(JobStatus.RUNNING, task=register(handler).name)
    factories.finish(*attempts([factories.claimed(row)]))
    assert Job.objects.get(pk=row.pk).error == "Exception"
    assert ErrorGroup.objects.get().exception == "Exception"


@pytest.mark.usefixtures("committed_db")
def test_a_fingerprint_that_cannot_be_made_does_not_lose_the_failure(register: Register) -> None:
    class Bad(Exception):
        @property
        def qforge_fingerprint(self) -> str:
            raise SystemExit

    def handler() -> None:
        raise Bad("told all the same")

    row = factories.job(JobStatus.RUNNING, task=register(handler).name)
    factories.finish(*attempts([factories.claimed(row)]))
    row.refresh_from_db()
    assert row.error.endswith("Bad: told all the same")
    group = ErrorGroup.objects.get(fingerprint=row.error_fingerprint)
    assert group.culprit.endswith("test_failures:" + handler.__qualname__)


def test_a_deadline_is_one_group_of_a_task_wherever_it_was_met() -> None:
    def where() -> BaseException:
        try:
            raise JobTimeout
        except JobTimeout as error:
            return error

    job = claimed("tests.any", timeout_seconds=1.5)
    outcomes = [failures.outcome_of(job, None, e, 1.6) for e in (JobTimeout(), where())]
    assert len({outcome.fingerprint for outcome in outcomes}) == 1
    assert outcomes[0].fingerprint


def test_what_no_handler_raised_has_a_group_too() -> None:
    job = claimed("tests.any")
    unknown = failures.unknown_task(job).failure
    unfit = failures.unfit_result(job, InvalidInput("result", "no"), 0.1).failure
    assert unknown is not None
    assert unfit is not None
    assert (unknown.task, unknown.exception) == ("tests.any", "jobs.errors.UnknownTask")
    assert unfit.exception == "jobs.errors.InvalidInput"
    assert unknown.fingerprint != unfit.fingerprint


@pytest.mark.usefixtures("committed_db")
def test_a_failed_attempt_is_kept_with_type_message_and_traceback(register: Register) -> None:
    def handler() -> None:
        raise KeyError("x")

    row = factories.job(JobStatus.RUNNING, task=register(handler).name)
    factories.finish(*attempts([factories.claimed(row)]))
    assert Job.objects.get(pk=row.pk).error == "KeyError: 'x'"
    event = JobEvent.objects.get(job_id=row.pk)
    assert (event.kind, event.attempt) == ("failed", 1)
    assert event.data["error"]["type"] == "KeyError"
    assert event.data["error"]["message"] == "'x'"
    assert 'raise KeyError("x")' in event.data["error"]["traceback"]
    assert event.data["run_seconds"] >= 0


def test_a_handler_without_a_timeout_may_raise_one(register: Register) -> None:
    def handler() -> None:
        raise JobTimeout

    assert attempt(register(handler)).error == "jobs.errors.JobTimeout"


def test_a_timeout_is_told_with_its_length() -> None:
    job = claimed("tests.any", timeout_seconds=1.5)
    outcome = failures.outcome_of(job, None, JobTimeout(), 1.6)
    assert outcome.error == "jobs.errors.JobTimeout: timed out after 1.5 s"
    assert outcome.data["error"]["message"] == "timed out after 1.5 s"
    assert (outcome.verb, outcome.permanent) == (Verb.FAIL, False)


async def awaited() -> None:
    raise ValueError("wrong")


def called() -> None:
    raise ValueError("wrong")


@pytest.mark.parametrize("handler", [called, awaited])
def test_a_traceback_begins_where_the_handler_does(register: Register, handler: Any) -> None:
    told = attempt(register(handler, name="tests.wrong")).data["error"]["traceback"]
    _, first, *rest = told.splitlines()
    assert f"in {handler.__name__}" in first
    assert not [line for line in rest if line.startswith("  File")]


def test_of_an_error_of_the_engine_the_whole_traceback_is_kept() -> None:
    nobody: Any = None
    with pytest.raises(AttributeError) as raised:
        failures.outcome_of(nobody, None, ValueError("wrong"), 0.0)
    trace = raised.value.__traceback__
    assert failures._of_handler(trace) is trace
    assert "in outcome_of" in failures.describe(raised.value)["traceback"]
