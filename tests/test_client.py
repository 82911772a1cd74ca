from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import jobs
from jobs import JobSpec, client
from jobs.errors import InvalidInput, JobNotFound, UnknownTask
from jobs.models import Job
from jobs.states import JobStatus
from tests.support import factories


def greet(name: str) -> str:
    return f"hello {name}"


@pytest.fixture
def task(register: Callable[..., client.Task]) -> client.Task:
    return register(greet, name="tests.greet", queue="own", priority=3)


def test_every_public_name_can_be_imported_from_the_package() -> None:
    for name in jobs.__all__:
        assert getattr(jobs, name).__name__.lower() == name.lower()
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = jobs.nonsense  # type: ignore[attr-defined]


def test_a_plain_decorator_names_the_task_after_module_and_function() -> None:
    from tests.support import tasks

    assert tasks.plain.name == "tests.support.tasks.plain"


@pytest.mark.django_db
def test_a_task_enqueues_itself_with_its_own_options(task: client.Task) -> None:
    answer = task.enqueue(name="Ada")
    job = Job.objects.get(pk=answer.id)
    assert (answer.status, answer.created) == (JobStatus.QUEUED, True)
    assert (job.task, job.queue, job.priority) == ("tests.greet", "own", 3)
    assert (job.payload, job.args) == ({"name": "Ada"}, [])


@pytest.mark.django_db
def test_enqueue_takes_positional_arguments_as_args(task: client.Task) -> None:
    job = Job.objects.get(pk=client.enqueue(task, args=["Ada"]).id)
    assert (job.args, job.payload) == (["Ada"], {})


def test_bad_input_is_refused_before_any_statement(task: client.Task) -> None:
    # The test has no database: a statement would be an error of another kind.
    for wrong in ({"name": float("inf")}, {"nome": "Ada"}, {}, {"name": object()}):
        with pytest.raises(InvalidInput):
            client.enqueue(task, wrong)
    with pytest.raises(UnknownTask):
        client.enqueue("tests.unknown", {})


@pytest.mark.parametrize(
    ("specs", "field"),
    [
        ([{"payload": {"name": "a"}}, {"payload": {"name": b"b"}}], "jobs[1].payload.name"),
        ([{"task": "tests.unknown"}], "jobs[0].task"),
        ([{"payload": {"name": "a"}, "priority": 500}], "jobs[0].priority"),
    ],
)
def test_a_bulk_request_names_the_job_that_is_wrong(
    task: client.Task, specs: list[dict[str, Any]], field: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        client.enqueue_many(JobSpec(**{"task": task} | fields) for fields in specs)
    assert error.value.field == field
    assert str(error.value).startswith(f"{field}: ")


def test_a_bulk_request_takes_specs_alone(task: client.Task) -> None:
    with pytest.raises(InvalidInput, match=r"^jobs\[0\]: must be a JobSpec, not \{"):
        client.enqueue_many([{"task": "tests.greet"}])  # type: ignore[list-item]


def test_an_empty_bulk_request_asks_nothing_of_the_database() -> None:
    assert client.enqueue_many([]) == []


@pytest.mark.django_db
def test_cancel_and_retry_answer_with_the_job_as_it_is_now() -> None:
    waiting, failed = factories.job(), factories.job(JobStatus.FAILED)
    assert client.cancel(waiting.pk).status == JobStatus.CANCELLED
    assert client.retry(failed.pk).status == JobStatus.QUEUED


@pytest.mark.django_db
@pytest.mark.parametrize("job_id", [0, -1, 10**15, 2**63, 10**30])
def test_a_job_that_does_not_exist_is_not_found(job_id: int) -> None:
    for verb in (client.cancel, client.retry):
        with pytest.raises(JobNotFound, match=f"job {job_id} does not exist"):
            verb(job_id)


@pytest.mark.parametrize(("field", "longest"), [("actor", 150), ("reason", 500)])
def test_words_that_cannot_be_stored_are_refused_before_any_statement(
    field: str, longest: int
) -> None:
    for verb in (client.cancel, client.retry):
        for words in ("x" * (longest + 1), "\x00", "\ud800", None):
            with pytest.raises(InvalidInput) as error:
                verb(1, **{field: words})
            assert error.value.field == field
