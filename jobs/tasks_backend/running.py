"""Django's tasks as the worker sees them: a kind of registered task with ways of its own."""

from __future__ import annotations

import copy
import datetime as dt
import json
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from jobs import registry
from jobs.context import JobContext
from jobs.errors import InvalidInput
from jobs.states import JobStatus, Verb
from jobs.store.values import Claimed, Outcome
from jobs.tasks_backend import options, paths, results
from jobs.tasks_backend.context import CONTEXTS
from jobs.tasks_backend.namespaces import Namespace, of_task
from jobs.tasks_backend.signals import task_attempt_failed
from jobs.worker.failures import describe

_logger = logging.getLogger("jobs.tasks_backend")


@dataclass(frozen=True, kw_only=True, eq=False)
class DjangoTask(registry.Task):
    """A task of Django's. `begin` gives a copy of it for each attempt."""

    waits: ClassVar[bool] = True

    task: Any
    home: Namespace

    def check_arguments(self, args: Sequence[Any], payload: Mapping[str, Any]) -> None:
        context = (None,) if self.takes_context else ()
        try:
            self.signature.bind(*context, *args, **payload)
        except TypeError as error:
            message = f"does not fit {self.name}{self.signature}: {error}"
            raise InvalidInput("payload", message, code="signature") from None

    def retry_after(self, attempt: int, error: BaseException) -> float | None:
        """For an attempt that could not begin: there is no result to ask a function with."""
        if self.backoff is None or isinstance(self.backoff, registry.RetryPolicy):
            return super().retry_after(attempt, error)
        return registry.default_policy().delay_seconds(attempt)

    def begin(self, job: Claimed) -> registry.Task:
        """Sends `task_started`."""
        return Attempt(self, job)


def of(task: Any, home: Namespace, alias: str, *, policy: Any = None) -> DjangoTask:
    """What a Task is to the worker when it runs under `alias`.

    `policy` is the backoff of one that brings none. Raises InvalidInput for options out of bounds.
    """
    defaults = options.defaults_of(home, alias)
    attempts, timeout = getattr(task, "max_attempts", None), getattr(task, "timeout", None)
    made = DjangoTask(
        name=task.module_path,
        handler=task.func,
        queue=task.queue_name,
        priority=int(task.priority),
        max_attempts=defaults.max_attempts if attempts is None else attempts,
        timeout_seconds=defaults.timeout if timeout is None else timeout,
        backoff=options.check_backoff(getattr(task, "backoff", None)) or policy,
        tasks_backend=alias,
        task=task,
        home=home,
    )
    object.__setattr__(made, "takes_context", bool(task.takes_context))
    return made


class Attempt(DjangoTask):
    """One attempt: knows its TaskResult, and tells the signals."""

    def __init__(self, task: DjangoTask, job: Claimed) -> None:
        from jobs.tasks_backend.backend import backend_class

        alias = job.tasks_backend or task.tasks_backend
        if alias != task.tasks_backend:
            task = of(task.task, task.home, alias, policy=_policy(task.home, alias))
        vars(self).update(vars(task))
        self.job = job
        self.unfit = False
        stands = results.task_of(task.home, job, task.task)
        told = _history(job)
        self.result = results.result_of(task.home, job, stands, JobStatus.RUNNING, told)
        self.sender = backend_class(task.home, alias)
        self.began = time.monotonic()
        self.home.signals.task_started.send_robust(self.sender, task_result=self.result)

    def invoke(self, context: JobContext, args: Sequence[Any], payload: Mapping[str, Any]) -> Any:
        if not self.takes_context:
            return self.handler(*args, **payload)
        given = CONTEXTS[self.home.name](task_result=self.result, job=context)
        return self.handler(given, *args, **payload)

    def plain(self, result: Any) -> Any:
        try:
            return self.home.normalize_json(result)
        except BaseException:
            self.unfit = True
            raise

    def retry_after(self, attempt: int, error: BaseException) -> float | None:
        if self.unfit:
            return None
        if self.backoff is None or isinstance(self.backoff, registry.RetryPolicy):
            return super().retry_after(attempt, error)
        # Django's way to ask: the exception, and the result with this attempt in it.
        decide: Any = self.backoff
        wait: float | None = decide(error, self._ended(JobStatus.FAILED, describe(error)))
        return wait

    def ended(self, outcome: Outcome, *, stopping: bool) -> None:
        """Sends `task_finished` or `task_attempt_failed`; nothing for an attempt given back."""
        if outcome.verb is Verb.RELEASE:
            return
        if outcome.verb is Verb.SUCCEED:
            value = None if outcome.result is None else json.loads(outcome.result)
            self._finished(self._ended(JobStatus.SUCCEEDED, value=value))
            return
        error = outcome.data.get("error") if outcome.verb is Verb.FAIL else None
        last = outcome.permanent or stopping or self.job.attempt >= self.job.max_attempts
        if outcome.verb is not Verb.FAIL or last:
            self._finished(self._ended(JobStatus.FAILED, error))
            return
        task_attempt_failed.send_robust(
            self.sender,
            task_result=self._ended(JobStatus.SCHEDULED, error),
            delay_seconds=outcome.delay_seconds,
        )

    def _finished(self, result: Any) -> None:
        self.home.signals.task_finished.send_robust(self.sender, task_result=result)

    def _ended(
        self, status: JobStatus, error: dict[str, str] | None = None, value: Any = None
    ) -> Any:
        """The result with what this attempt adds to it."""
        result = copy.copy(self.result)
        changes: dict[str, Any] = {
            "status": self.home.Status[results.STATUSES[status]],
            "errors": list(result.errors),
            "_return_value": value,
        }
        if error is not None:
            changes["errors"].append(results.task_error(self.home, error))
        if status is not JobStatus.SCHEDULED and result.last_attempted_at is not None:
            # By the database's clock, on which the attempt began.
            spent = dt.timedelta(seconds=time.monotonic() - self.began)
            changes["finished_at"] = result.last_attempted_at + spent
        for name, changed in changes.items():
            object.__setattr__(result, name, changed)
        return result


def _history(job: Claimed) -> results.History:
    if job.attempt > 1:
        from jobs.store.connections import alias

        return results.history(alias(), job.id)
    return results.History([job.worker], [] if job.started_at is None else [job.started_at])


class Resolver:
    """Finds Django's tasks for the registry."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Any, DjangoTask]] = {}

    def find(self, name: str, *, load: bool) -> registry.Task | None:
        found = paths.find(name, load=load)
        home = of_task(found)
        if found is None or home is None:
            return None
        alias = found.backend
        params = home.backends.settings.get(alias)
        known, task = self._made.get(name, (None, None))
        if task is None or task.task is not found or known is not params:
            task = of(found, home, alias, policy=_policy(home, alias))
            self._made[name] = params, task
        return task

    def names(self) -> Iterable[str]:
        return paths.declared()


def _policy(home: Namespace, alias: str) -> Any:
    try:
        return options.defaults_of(home, alias).policy()
    except (ImportError, InvalidInput):
        _logger.exception("BACKOFF of TASKS[%r] cannot be used", alias)
        return None
