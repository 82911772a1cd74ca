from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import client, lifecycle, registry
from jobs.errors import IdempotencyConflict, InvalidInput, UnknownTask
from jobs.models import Job
from jobs.states import JobStatus
from jobs.tasks_backend import QForgeBackend, paths, results
from jobs.tasks_backend.namespaces import NAMESPACES, Namespace
from tests.support import factories
from tests.tasks_backend.conftest import OURS, received

pytestmark = pytest.mark.django_db
Declared = Callable[..., Any]


def test_a_task_is_a_job_like_any_other(tasks: Any) -> None:
    result = tasks.add.using(priority=7, queue_name="default").enqueue(1, b=2)
    job = Job.objects.get(pk=int(result.id))
    assert (job.task, job.args, job.payload) == (tasks.add.module_path, [1], {"b": 2})
    assert (job.priority, job.queue, job.max_attempts) == (7, "default", 1)
    assert (job.tasks_backend, job.created_at) == ("default", result.enqueued_at)
    assert factories.history(job.pk) == [("enqueued", "", "queued")]


@pytest.mark.postgres
def test_enqueueing_takes_one_statement(tasks: Any) -> None:
    with CaptureQueriesContext(connection) as queries:
        tasks.add.enqueue(1)
    assert len([q for q in queries if "pg_notify" not in q["sql"]]) == 1


def test_what_a_transaction_enqueued_goes_with_it(tasks: Any, home: Namespace) -> None:
    with transaction.atomic():
        result = tasks.add.enqueue(1)
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    with pytest.raises(home.DoesNotExist):
        tasks.add.get_result(result.id)


def test_a_wait_counts_from_the_moment_of_enqueueing(tasks: Any) -> None:
    later = tasks.add.using(run_after=dt.timedelta(hours=2))
    result = later.enqueue(1)
    assert result.task.run_after - result.enqueued_at == dt.timedelta(hours=2)
    job = Job.objects.get()
    assert (job.status, job.available_at) == (JobStatus.SCHEDULED, result.task.run_after)
    assert tasks.add.get_result(result.id) == result


@pytest.mark.parametrize("wait", [dt.timedelta(seconds=-1), dt.timedelta(days=20 * 365)])
def test_a_wait_has_bounds(tasks: Any, home: Namespace, wait: dt.timedelta) -> None:
    with pytest.raises(home.InvalidTask, match="run_after"):
        tasks.add.using(run_after=wait)


def test_a_taken_key_gives_the_result_that_has_it_and_tells_nobody(
    tasks: Any, home: Namespace
) -> None:
    once = tasks.add.using(idempotency_key="once")
    first = once.enqueue(1)
    with received(home.signals.task_enqueued) as told:
        assert once.enqueue(1) == first
    assert told == []
    assert Job.objects.count() == 1
    with pytest.raises(IdempotencyConflict):
        once.enqueue(2)


@pytest.mark.django_db(transaction=True)
def test_a_task_enqueued_on_commit_shares_the_fate_of_the_transaction(tasks: Any) -> None:
    with transaction.atomic():
        tasks.add.enqueue_on_commit(1)
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    with transaction.atomic():
        tasks.add.enqueue_on_commit(1, b=2)
        assert not Job.objects.exists()
    assert Job.objects.get().payload == {"b": 2}


def test_what_is_wrong_with_a_task_to_enqueue_on_commit_is_raised_at_once(tasks: Any) -> None:
    with pytest.raises(TypeError, match="Unsupported type"):
        tasks.add.enqueue_on_commit(object())


def test_arguments_must_fit_the_function(tasks: Any) -> None:
    for args in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match="does not fit"):
            tasks.add.enqueue(*args)
    assert not Job.objects.exists()


@pytest.mark.parametrize("value", [float("nan"), "\x00", "\ud800", {1: 2}, 1 << 5000])
def test_a_value_that_cannot_be_stored_is_named_with_its_place(tasks: Any, value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^args\[1\]\.a"):
        tasks.noop.enqueue(0, {"a": value})
    with pytest.raises(InvalidInput, match=r"^payload\.key"):
        tasks.noop.enqueue(key=value)


def test_a_task_that_workers_cannot_find_is_refused(
    tasks: Any, home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "add", tasks.add.func)
    module = sys.modules[home.Task.__module__.rpartition(".")[0]]
    hidden: Any = module.task()(tasks.add)  # type: ignore[attr-defined]
    with pytest.raises(home.InvalidTask, match="is not a Task"):
        hidden.enqueue(1)
    monkeypatch.setattr(tasks.add, "__module__", "__main__")
    with pytest.raises(home.InvalidTask, match="main script"):
        hidden.enqueue(1)


def test_a_name_that_somebody_sends_imports_nothing(tasks: Any) -> None:
    sys.modules.pop("this", None)
    with pytest.raises(UnknownTask):
        registry.get("this.s")
    with pytest.raises(UnknownTask):
        client.enqueue("this.s")
    assert "this" not in sys.modules


@pytest.mark.parametrize("path", ["subprocess.check_output", "os.path", "nowhere.at.all", "x", ""])
def test_only_a_task_is_found_at_a_path(path: str) -> None:
    assert paths.find(path, load=True) is None


def test_a_module_that_ends_the_program_as_it_is_imported_ends_no_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "leaves_at_import.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    assert paths.find("leaves_at_import.task", load=True) is None


def test_tasks_can_be_enqueued_by_name_and_have_a_result(tasks: Any) -> None:
    job = client.enqueue(tasks.add.module_path, {"a": 1})
    result = tasks.add.get_result(str(job.id))
    assert (result.kwargs, result.backend, result.task) == ({"a": 1}, "default", tasks.add)
    assert tasks.add.module_path in [task.name for task in registry.all_tasks()]


def test_a_job_that_is_no_task_of_djangos_has_no_result(home: Namespace) -> None:
    job = factories.job(task="subprocess.check_output")
    with pytest.raises(home.DoesNotExist):
        home.backends["default"].get_result(str(job.pk))


def test_a_result_stays_readable_when_its_code_is_gone(
    tasks: Any, home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = tasks.own_id.using(priority=3).enqueue()
    monkeypatch.delattr(tasks, "own_id")
    found = home.backends["default"].get_result(result.id)
    assert (found.status, found.enqueued_at) == (result.status, result.enqueued_at)
    assert (found.task.module_path, found.task.name) == (result.task.module_path, "own_id")
    assert found.task.priority == 3
    found.refresh()
    with pytest.raises(LookupError, match="is gone"):
        found.task.call()


def test_a_result_stays_readable_when_its_queue_or_alias_is_gone(
    tasks: Any, home: Namespace, settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": OURS}, "old": {"BACKEND": OURS, "QUEUES": ["old"]}}
    result = tasks.add.using(queue_name="old", backend="old").enqueue(1)
    settings.TASKS = {"default": {"BACKEND": OURS}}
    found = home.backends["default"].get_result(result.id)
    assert (found.backend, found.task.queue_name) == ("old", "old")
    found.refresh()
    assert found.status == home.Status.READY


def test_every_status_is_one_of_djangos_four(home: Namespace) -> None:
    assert {home.Status[results.STATUSES[status]] for status in JobStatus} == set(home.Status)


def test_a_cancelled_task_has_failed(tasks: Any, home: Namespace) -> None:
    result = tasks.add.enqueue(1)
    lifecycle.cancel("default", int(result.id), actor="", reason="")
    result.refresh()
    assert (result.status, result.is_finished) == (home.Status.FAILED, True)
    assert result.finished_at is not None


def test_only_the_attempts_since_the_last_retry_and_not_given_back_count() -> None:
    at = [dt.datetime(2030, 1, 1, hour, tzinfo=dt.UTC) for hour in range(9)]
    told = results.fold(
        [
            ("claimed", at[0], "a", {}),
            ("failed", at[1], "a", {"error": {"type": "ValueError", "message": "old"}}),
            ("retried", at[2], "", {}),
            ("claimed", at[3], "b", {}),
            ("released", at[4], "b", {"reason": "shutdown"}),
            ("claimed", at[5], "c", {}),
            ("rescued", at[6], "d", {"error": {"message": "lease expired"}}),
            ("claimed", at[7], "c", {}),
        ]
    )
    assert (told.workers, told.starts) == (["c", "c"], [at[5], at[7]])
    assert told.errors == [{"message": "lease expired"}]


def test_a_lost_worker_is_an_error_with_a_class(home: Namespace) -> None:
    error = results.task_error(home, {"message": "lease expired"})
    assert error.exception_class.__name__ == "LeaseExpired"
    assert "lease expired" in error.traceback


@pytest.mark.skipif(len(NAMESPACES) < 2, reason="only one home of the Tasks API is installed")
def test_two_homes_at_once_get_tasks_of_their_own_kind(settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": OURS}}
    core, backport = (each.backends["default"] for each in NAMESPACES)
    assert core is not backport
    for home, backend in zip(NAMESPACES, (core, backport), strict=True):
        assert isinstance(backend, QForgeBackend)
        assert isinstance(backend, home.Backend)
        assert issubclass(backend.task_class, home.Task)


def test_importing_the_backend_imports_no_model() -> None:
    code = "import sys; from jobs.tasks_backend import QForgeBackend; print(*sys.modules)"
    run = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "jobs.models" not in done.stdout.split()
    assert isinstance(sys.modules["jobs.tasks_backend"], ModuleType)


def test_the_api_lists_tasks_of_djangos_with_their_parameters(
    tasks: Any, admin_client: Any
) -> None:
    answer = admin_client.get("/api/tasks/")
    assert answer.status_code == 200, answer.content
    listed = {task["name"]: task for task in answer.json()["results"]}
    shown = listed[tasks.fail_until.module_path]
    assert [parameter["name"] for parameter in shown["parameters"]] == ["attempt"]
    assert shown["max_attempts"] == 1
