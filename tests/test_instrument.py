from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from jobs import instrument


def test_every_subscriber_hears_every_event() -> None:
    heard: list[tuple[int, str, dict[str, Any]]] = []
    out = [
        instrument.subscribe(lambda event, fields, n=n: heard.append((n, event, fields)))
        for n in (1, 2)
    ]
    instrument.emit("tests.event", job_id=7)
    for unsubscribe in out:
        unsubscribe()
    assert heard == [(1, "tests.event", {"job_id": 7}), (2, "tests.event", {"job_id": 7})]


def test_whoever_has_unsubscribed_hears_nothing() -> None:
    heard: list[str] = []
    unsubscribe = instrument.subscribe(lambda event, fields: heard.append(event))
    unsubscribe()
    unsubscribe()
    instrument.emit("tests.event")
    assert heard == []


def test_a_subscriber_that_raises_hurts_neither_the_engine_nor_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def raises(event: str, fields: dict[str, Any]) -> None:
        raise ValueError("wrong")

    heard: list[str] = []
    out = [
        instrument.subscribe(raises),
        instrument.subscribe(lambda event, fields: heard.append(event)),
    ]
    try:
        with caplog.at_level(logging.ERROR, logger="jobs"):
            instrument.emit("tests.event")
    finally:
        for unsubscribe in out:
            unsubscribe()
    assert heard == ["tests.event"]
    assert caplog.messages == ["a subscriber failed on tests.event"]


def test_a_subscriber_may_unsubscribe_while_it_is_told() -> None:
    heard: list[str] = []

    def once(event: str, fields: dict[str, Any]) -> None:
        heard.append(event)
        unsubscribe()

    unsubscribe = instrument.subscribe(once)
    other = instrument.subscribe(lambda event, fields: heard.append(f"other {event}"))
    instrument.emit("first")
    instrument.emit("second")
    other()
    assert heard == ["first", "other first", "other second"]


def test_surroundings_stand_around_each_other_and_see_errors_until_undone() -> None:
    seen: list[str] = []

    def named(name: str) -> instrument.Surrounding:
        @contextmanager
        def surrounding(job: Any) -> Iterator[None]:
            seen.append(f"{name} {job.id}")
            try:
                yield
            except ValueError:
                seen.append(f"{name} saw it")
                raise

        return surrounding

    out = [instrument.surround(named(name)) for name in ("a", "b")]
    job = SimpleNamespace(id=7)
    with pytest.raises(ValueError, match="wrong"), instrument.surrounded(job):
        raise ValueError("wrong")
    for undo in out:
        undo()
    with instrument.surrounded(job):
        pass
    assert seen == ["a 7", "b 7", "b saw it", "a saw it"]


def test_a_surrounding_that_cannot_begin_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    def raises(job: Any) -> Any:
        raise ValueError("wrong")

    undo = instrument.surround(raises)
    done = []
    with (
        caplog.at_level(logging.ERROR, logger="jobs"),
        instrument.surrounded(SimpleNamespace(id=7)),
    ):
        done.append(True)
    undo()
    assert done
    assert caplog.messages == ["a surrounding failed on job 7"]


def test_whoever_subscribes_twice_is_told_once() -> None:
    heard: list[str] = []

    def hear(event: str, fields: dict[str, Any]) -> None:
        heard.append(event)

    for unsubscribe in [instrument.subscribe(hear) for _ in range(2)]:
        instrument.emit("tests.event")
        unsubscribe()
    instrument.emit("tests.event")
    assert heard == ["tests.event"]
