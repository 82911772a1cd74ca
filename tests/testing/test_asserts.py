from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs import client, enqueue
from jobs.tasks_backend.namespaces import NAMESPACES
from jobs.testing import assert_enqueued, assert_not_enqueued, enqueued

pytestmark = pytest.mark.django_db


@pytest.fixture
def greet(register: Callable[..., client.Task]) -> client.Task:
    return register(lambda name, loud=False: None, name="tests.greet")


def test_jobs_are_found_by_task_payload_and_queue(greet: client.Task) -> None:
    enqueue(greet, {"name": "Ada", "loud": True}, queue="one")
    enqueue(greet, {"name": "Bob"}, queue="two")
    assert len(assert_enqueued(greet)) == 2
    assert len(assert_enqueued("tests.greet", payload={"name": "Ada"}, queue="one", count=1)) == 1
    assert len(assert_enqueued(queue="two")) == 1
    assert enqueued(greet, payload={"name": "Ada"}, queue="two") == []
    assert_not_enqueued(greet, payload={"loud": False})
    assert_not_enqueued("tests.other")


def test_a_failed_assertion_shows_what_there_is(greet: client.Task) -> None:
    with pytest.raises(AssertionError, match="The queue is empty"):
        assert_enqueued()
    enqueue(greet, {"name": "Ada"})
    with pytest.raises(AssertionError) as failure:
        assert_enqueued(greet, payload={"name": "Bob"}, count=2)
    text = str(failure.value)
    assert text.startswith("2 wanted with task='tests.greet', payload={'name': 'Bob'}, 0 found.")
    assert "tests.greet {'name': 'Ada'} args=[] queue=default queued" in text
    with pytest.raises(AssertionError, match=r"^0 wanted with"):
        assert_not_enqueued(greet)


def test_of_several_jobs_a_count_that_is_wrong_either_way_fails(greet: client.Task) -> None:
    for name in ("Ada", "Bob"):
        enqueue(greet, {"name": name})
    for count in (1, 3):
        with pytest.raises(AssertionError, match=f"{count} wanted"):
            assert_enqueued(greet, count=count)


def test_tasks_of_djangos_are_found_by_themselves_and_their_arguments() -> None:
    for home in NAMESPACES:
        name = {"django.tasks": "core_tasks", "django_tasks": "backport_tasks"}[home.name]
        package = __import__(f"jobs.testing.tasks_conformance.{name}", fromlist=["add"])
        package.add.using(queue_name="default").enqueue(1, b=2)
        assert_enqueued(package.add, args=[1], payload={"b": 2}, count=1)
        assert_not_enqueued(package.add, args=[2])
