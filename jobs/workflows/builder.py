"""Building a workflow: `Workflow("ci").step("build", task).step("test", after="build")`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from jobs import registry
from jobs.states import OnFailure
from jobs.store.connections import alias
from jobs.workflows import submit
from jobs.workflows.definition import Step
from jobs.workflows.submit import SubmittedWorkflow


class Workflow:
    """A workflow to submit. Steps may be added in any order; a parent may come after its child."""

    def __init__(self, name: str, *, idempotency_key: str | None = None) -> None:
        self.name = name
        self.idempotency_key = idempotency_key
        self.steps: list[Step] = []

    def step(
        self,
        name: str,
        task: str | registry.Task | None = None,
        payload: Mapping[str, Any] | None = None,
        *,
        after: str | Sequence[str] = (),
        on_failure: str = OnFailure.CANCEL.value,
        queue: str | None = None,
        priority: int | None = None,
        max_attempts: int | None = None,
        timeout_seconds: float | None = None,
        available_at: dt.datetime | None = None,
    ) -> Workflow:
        """Add a step and return the workflow, for the next one.

        Without `task` the step runs the task of its own name. `payload` are the handler's keyword
        arguments; `{"$result": "build", "path": "artifact.url"}` in it stands for a field of a
        parent's result. `after` names the parents. `on_failure` says what becomes of the steps
        below when this one fails or is cancelled: `cancel` them, or `continue`.
        """
        self.steps.append(
            Step(
                name,
                task,
                {} if payload is None else payload,
                after=after,
                on_failure=on_failure,
                queue=queue,
                priority=priority,
                max_attempts=max_attempts,
                timeout_seconds=timeout_seconds,
                available_at=available_at,
            )
        )
        return self

    def submit(self) -> SubmittedWorkflow:
        """Check the whole graph and insert it, inside the transaction that is open, if any.

        Raises InvalidInput (a ValueError naming the step) before any SQL, UnknownTask, and
        IdempotencyConflict when the key's workflow was asked for differently.
        """
        return submit.submit(alias(), self.name, self.steps, idempotency_key=self.idempotency_key)
