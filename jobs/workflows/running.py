"""What a running step may know of its workflow and add to it; behind `JobContext`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jobs.conf import conf
from jobs.context import Parent
from jobs.errors import InvalidInput, PermanentError
from jobs.models import Dependency
from jobs.states import JobStatus
from jobs.store.connections import alias
from jobs.store.values import Claimed, NewStep
from jobs.workflows import definition, references
from jobs.workflows.definition import Step


class RunningStep:
    """One attempt of a step. Reads with the connection of the thread that runs the handler."""

    def __init__(self, job: Claimed) -> None:
        self._job = job
        self._parents: dict[str, Parent] | None = None
        self.appended: Sequence[NewStep] = []

    def parents(self) -> dict[str, Parent]:
        """The steps this one waited for, by name; read once."""
        if self._parents is None:
            columns = ("parent__step_name", "parent_id", "parent__status", "parent__result")
            edges = Dependency.objects.using(alias()).filter(child_id=self._job.id)
            self._parents = {
                row[0]: Parent(*row)
                for row in edges.order_by("parent_id").values_list(*columns, "parent__error")
            }
        return self._parents

    def payload(self) -> dict[str, Any]:
        """The payload with the results it refers to. Raises PermanentError when one is missing."""
        payload = self._job.payload
        if next(references.find(payload), None) is None:
            return payload
        succeeded = {
            name: parent.result
            for name, parent in self.parents().items()
            if parent.status == JobStatus.SUCCEEDED
        }
        try:
            return references.resolve(payload, succeeded)
        except references.Unresolved as error:
            raise PermanentError(str(error)) from None

    def append(self, steps: Sequence[Step]) -> None:
        """Check steps and keep them for the outcome. Raises InvalidInput."""
        prepared = definition.check_appended(steps, self._job.step_name)
        total, limit = len(self.appended) + len(prepared), conf.WORKFLOW_MAX_STEPS
        if total > limit:
            raise InvalidInput(
                "steps", f"{total:,} steps, at most {limit:,} are allowed", code="too-many-steps"
            )
        known = {step.name for step in self.appended}
        for n, step in enumerate(prepared):
            if step.name in known:
                raise InvalidInput(
                    f"steps[{n}].step", f"step {step.name!r} is there twice", code="duplicate-step"
                )
        self.appended = [*self.appended, *prepared]
