"""Which failures are alike."""

from __future__ import annotations

import datetime as dt
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from jobs import fingerprint
from jobs.fingerprint import Failure, normalised
from jobs.worker import failures


def failure_of(error: BaseException, task: str = "tests.task") -> Failure:
    told = failures.describe(error)
    return fingerprint.of_exception(
        task, "default", error, exception=told["type"], message=told["message"]
    )


def caught(handler: Callable[..., Any], *args: Any) -> BaseException:
    try:
        handler(*args)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def charge(text: str) -> None:
    raise ValueError(text)


def refund(text: str) -> None:
    raise ValueError(text)


def parse(text: str) -> None:
    json.loads(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("order 17 is gone", "order 4,711 is gone"),
        ("took 1.5 s", "took 12.75 s"),
        ("no user 'anna'", "no user 'otto o\\'neil'"),
        ('no user "anna"', 'no user "Otto"'),
        ("no column `a`", "no column `total_sum`"),
        (f"no row {uuid.UUID(int=1)}", "no row 8c2f1c3e-6d0b-4a57-9d55-0f1e2d3c4b5a"),
        ("commit deadbeef01 failed", "commit 0123456789abcdef failed"),
        ("<Thing object at 0x7f00aa>", "<Thing object at 0x7fb1>"),
        ("cannot open /var/data/a.csv", "cannot open /srv/uploads/2026/b-c.csv"),
        ("cannot open C:\\data\\a.csv", "cannot open D:\\uploads\\x.csv"),
        ("GET https://a.example/x?id=1 failed", "GET http://b.example/ failed"),
        ("bounced: anna@example.com", "bounced: o.neil+x@mail.example.org"),
        ("peer 10.0.0.1:5432 closed", "peer 192.168.1.20:6543 closed"),
        (f"since {dt.datetime(2026, 1, 2, 3, 4, 5)}", f"since {dt.datetime(2025, 11, 12)}"),
        ("ids 1, 2, 3", "ids 4, 5, 6, 7, 8"),
        ("line one\n  line two", "line one line two"),
    ],
)
def test_messages_that_differ_in_particulars_are_alike(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("card declined", "card expired"),
        ("can't connect", "can't listen"),
        ("no user 'anna'", "no group 'anna'"),
        ("and/or", "either/both"),
        ("the cafe is closed", "the facade is closed"),
    ],
)
def test_messages_that_differ_in_words_are_not_alike(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


def test_a_normalised_message_is_short() -> None:
    assert len(normalised("word " * 1000)) <= 200


@pytest.mark.parametrize(
    "text",
    ["'" * 2000, '"\\' * 1000, "a@" * 1000, "/a" * 1000, "a" * 2000, "1-" * 1000, "a." * 1000],
    ids=lambda text: text[:2],
)
def test_no_message_takes_long_to_normalise(text: str) -> None:
    started = time.process_time()
    normalised(text)
    assert time.process_time() - started < 0.5


def test_failures_are_alike_when_task_class_place_and_message_are() -> None:
    one, other = failure_of(caught(charge, "card 1")), failure_of(caught(charge, "card 22"))
    assert one.fingerprint == other.fingerprint
    assert (one.exception, one.culprit) == ("ValueError", f"{__name__}:charge")
    assert (one.message, other.message) == ("card 1", "card 22")
    different = [
        failure_of(caught(charge, "card 1"), "tests.other"),
        failure_of(caught(refund, "card 1")),
        failure_of(caught(charge, "other words")),
        failure_of(KeyError("card 1")),
    ]
    assert len({one.fingerprint, *(failure.fingerprint for failure in different)}) == 5


def test_the_place_is_the_deepest_of_the_application_not_of_a_library() -> None:
    found = failure_of(caught(parse, "{"))
    assert found.exception == "json.decoder.JSONDecodeError"
    assert found.culprit == f"{__name__}:parse"


def test_without_code_of_the_application_the_deepest_frame_is_the_place() -> None:
    error = caught(json.loads, "{")
    error.__traceback__ = error.__traceback__.tb_next  # type: ignore[union-attr]
    assert failure_of(error).culprit.startswith("json.decoder:")


def test_an_exception_that_was_never_raised_has_no_place() -> None:
    assert failure_of(ValueError("x")).culprit == ""


def test_a_reason_without_an_exception_has_a_fingerprint_for_each_task() -> None:
    def lost(task: str) -> Failure:
        return fingerprint.of_reason(task, "default", exception="LeaseExpired", message="gone")

    assert lost("a").fingerprint == lost("a").fingerprint != lost("b").fingerprint


class Provider(Exception):
    """Failures of one provider, however they show."""

    qforge_fingerprint: Any = "provider is down"


def test_an_exception_may_say_what_it_is_alike_to() -> None:
    one, other = failure_of(caught(charge, "x")), failure_of(Provider("a"))
    assert other.fingerprint == failure_of(caught(_raise, Provider("b c"))).fingerprint
    assert other.fingerprint != one.fingerprint
    assert failure_of(Provider("a"), "tests.other").fingerprint != other.fingerprint


def _raise(error: BaseException) -> None:
    raise error


def by_class(task: str, error: BaseException) -> str | None:
    return type(error).__name__ if isinstance(error, ValueError) else None


@override_settings(QFORGE={"ERROR_FINGERPRINT": f"{__name__}.by_class"})
def test_a_function_of_the_project_may_say_what_is_alike() -> None:
    one, other = failure_of(caught(charge, "one")), failure_of(caught(refund, "two"))
    assert one.fingerprint == other.fingerprint
    assert failure_of(KeyError("a")).fingerprint != failure_of(KeyError(1)).fingerprint
    assert failure_of(KeyError("a")).exception == "KeyError"


class Tricky(str):
    def strip(self, *args: Any) -> str:
        raise SystemExit

    def __str__(self) -> str:
        raise KeyboardInterrupt


def answers(value: Any) -> Callable[[str, BaseException], Any]:
    return lambda task, error: value


def exits(task: str, error: BaseException) -> str:
    raise SystemExit(3)


ANSWERS = {
    "a number": answers(7),
    "bytes": answers(b"x"),
    "a list": answers(["a", "b"]),
    "nothing": answers(""),
    "blanks": answers("  "),
    "exits": exits,
    "takes no arguments": lambda: "x",
}
rubbish: Any = None


@pytest.mark.parametrize("name", ANSWERS)
def test_a_function_that_raises_or_answers_rubbish_changes_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "rubbish", ANSWERS[name])
    plain = failure_of(caught(charge, "x"))
    with override_settings(QFORGE={"ERROR_FINGERPRINT": f"{__name__}.rubbish"}):
        assert failure_of(caught(charge, "x")) == plain


@pytest.mark.parametrize("path", ["nowhere.to.be.found", "no_dots", f"{__name__}.missing"])
def test_a_function_that_is_not_there_changes_nothing(path: str) -> None:
    plain = failure_of(caught(charge, "x"))
    with override_settings(QFORGE={"ERROR_FINGERPRINT": path}):
        assert failure_of(caught(charge, "x")) == plain


@pytest.mark.parametrize("key", ["\x00\ud800", Tricky("plain"), "x" * 100_000])
def test_any_text_will_do_as_a_key(key: str) -> None:
    error = Provider("a")
    error.qforge_fingerprint = key
    found = failure_of(error)
    assert len(found.fingerprint) == 32
    assert found.fingerprint != failure_of(Provider("a")).fingerprint


def test_an_attribute_that_raises_changes_nothing() -> None:
    class Bad(ValueError):
        @property
        def qforge_fingerprint(self) -> str:
            raise KeyboardInterrupt

    assert failure_of(Bad("x")).exception.endswith("Bad")


def test_all_that_is_kept_can_be_stored_and_is_bounded() -> None:
    namespace = {"__name__": "m" * 1000}
    exec("def f(e): raise e", namespace)  # noqa: S102 - a module with a name like no other
    error = caught(namespace["f"], ValueError("\x00\ud800" * 5000))  # type: ignore[arg-type]
    found = failure_of(error)
    assert len(found.culprit) <= 255
    assert len(found.message) <= fingerprint.MESSAGE_CHARS
    for text in (found.exception, found.culprit, found.message):
        assert "\x00" not in text
        text.encode()


def test_a_module_without_a_name_is_no_obstacle() -> None:
    namespace: dict[str, Any] = {"__name__": 7}
    exec("def f(): raise ValueError", namespace)  # noqa: S102 - a module with no name at all
    assert failure_of(caught(namespace["f"])).culprit == "?:f"
