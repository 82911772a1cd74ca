"""Random graphs, failures, cancels and retries: the end is always an agreement.

A test plays all workers, and keeps its own books of what ran; they lean on nothing the workflows
write.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jobs import Step, lifecycle
from jobs.errors import JobsError
from jobs.models import Job
from jobs.models import Workflow as Row
from jobs.store import values
from jobs.store.values import Claimed, Outcome
from jobs.workflows import actions
from jobs.workflows.check import disagreements
from jobs.workflows.submit import SubmittedWorkflow
from tests.support import factories
from tests.support.factories import USING
from tests.workflows.helpers import TASK, cancel, failed, retry, submit, succeeded


def random_graph(rng: random.Random, most: int) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Parents by step, and more options by step."""
    names = [f"s{n}" for n in range(rng.randint(2, most))]
    density = rng.choice([0.03, 0.1, 0.3])
    graph = {
        name: [p for p in names[:n] if rng.random() < density][:8]
        or ([names[n - 1]] if n and rng.random() < 0.5 else [])
        for n, name in enumerate(names)
    }
    options = {
        name: {
            "on_failure": "continue" if rng.random() < 0.25 else "cancel",
            "max_attempts": rng.randint(1, 3),
        }
        for name in names
    }
    shuffled = list(names)
    rng.shuffle(shuffled)
    return {name: graph[name] for name in shuffled}, options


class Books:
    """Who runs, who has ended and how, by what the workers themselves have seen."""

    def __init__(self, rng: random.Random, most: int) -> None:
        self.rng = rng
        self.parents, self.options = random_graph(rng, most)
        self.workflow: SubmittedWorkflow = submit(self.parents, **self.options)
        self.running: dict[str, Claimed] = {}
        self.succeeded: set[str] = set()
        self.dead: set[str] = set()
        self.appended = 0

    def start(self, limit: int) -> None:
        for job in factories.claim(limit):
            name = job.step_name
            assert name not in self.succeeded, f"{name} ran again after its success"
            assert name not in self.running, f"{name} runs twice"
            for parent in self.parents[name]:
                assert parent not in self.running, f"{name} started while {parent} runs"
                let_pass = self.options[parent]["on_failure"] == "continue"
                assert parent in self.succeeded or (parent in self.dead and let_pass), (
                    f"{name} started before {parent} has ended well"
                )
            self.running[name] = job
            self.dead.discard(name)

    def end(self, name: str, outcome: Outcome) -> None:
        """Write it and note how it went, from what the database answers to the worker."""
        job = self.running.pop(name)
        (written,) = factories.finish(outcome)
        assert written.job_id == job.id
        if written.status == "succeeded":
            self.succeeded.add(name)
        elif written.status in ("failed", "cancelled"):
            self.dead.add(name)

    def look(self) -> None:
        """Waiting steps may have been cancelled, and dead ones revived, by others."""
        rows = dict(
            Job.objects.filter(workflow_id=self.workflow.id).values_list("step_name", "status")
        )
        for name, status in rows.items():
            if name in self.running or name in self.succeeded:
                continue
            if status == "cancelled":
                self.dead.add(name)
            elif status not in ("failed",):
                self.dead.discard(name)

    # What may happen

    def act(self) -> None:
        getattr(self, "do_" + self.rng.choice(ACTS))()
        self.look()

    def do_start(self) -> None:
        self.start(self.rng.randint(1, 5))

    def _any_running(self) -> Iterator[tuple[str, Claimed]]:
        if self.running:
            name = self.rng.choice(sorted(self.running))
            yield name, self.running[name]

    def do_succeed(self) -> None:
        for name, job in self._any_running():
            self.end(name, succeeded(job, name))

    def do_fail(self) -> None:
        for name, job in self._any_running():
            self.end(name, failed(job, self.rng.choice([None, 0.0])))

    def do_back_off(self) -> None:
        for name, job in self._any_running():
            self.end(name, failed(job, 1000.0))

    def do_stop(self) -> None:
        for name, job in self._any_running():
            self.end(name, values.cancelled(job, reason="by itself"))

    def do_release(self) -> None:
        for name, job in self._any_running():
            self.end(name, values.released(job.id, job.token, reason="shutdown"))

    def do_lose(self) -> None:
        """A worker dies; its outcome comes too late."""
        for name, job in self._any_running():
            Job.objects.filter(pk=job.id).update(lease_expires_at="2000-01-01T00:00Z")
            (written,) = lifecycle.rescue(USING, limit=10, worker="rescuer")
            del self.running[name]
            if written.status in ("failed", "cancelled"):
                self.dead.add(name)
            assert factories.finish(succeeded(job)) == []

    def do_append(self) -> None:
        for name, job in self._any_running():
            self.appended += 1
            new = f"new{self.appended}"
            blocked = Job.objects.filter(workflow_id=self.workflow.id, status="blocked")
            waiting = sorted(blocked.values_list("step_name", flat=True))
            later = [self.rng.choice(waiting)] if waiting and self.rng.random() < 0.5 else []
            step = Step(new, TASK, before=later)
            self.parents[new], self.options[new] = [name], {"on_failure": "cancel"}
            self.end(name, succeeded(job, name, step))
            if name not in self.succeeded:
                # The step to wait for is above this one: a cycle, and the attempt has failed.
                del self.parents[new], self.options[new]
            elif step.before:
                self.parents[later[0]] = [*self.parents[later[0]], new]

    def do_cancel(self) -> None:
        self._try(cancel, self.workflow, self._any_step())

    def do_retry(self) -> None:
        self._try(retry, self.workflow, self._any_step())

    def do_cancel_all(self) -> None:
        if self.rng.random() < 0.2:
            self._try(actions.cancel_workflow, USING, self.workflow.id)

    def do_retry_all(self) -> None:
        self._try(actions.retry_workflow, USING, self.workflow.id)

    def _any_step(self) -> str:
        return self.rng.choice(sorted(self.workflow.jobs))

    def _try(self, act: Any, *arguments: Any) -> None:
        with contextlib.suppress(JobsError):
            act(*arguments)

    def run_down(self) -> None:
        """Let everything succeed that can still run; the workflow must then be over."""
        while True:
            waiting = Job.objects.filter(workflow_id=self.workflow.id, status="scheduled")
            for pk in waiting.values_list("pk", flat=True):
                lifecycle.run_now(USING, pk, actor="")
            self.start(100)
            if not self.running:
                break
            for name in list(self.running):
                self.end(name, succeeded(self.running[name]))
            self.look()
        row = Row.objects.get(pk=self.workflow.id)
        assert row.finished_at is not None, "nothing runs and the workflow is not over"
        assert not Job.objects.filter(workflow=row, finished_at=None).exists()


ACTS = (
    ["start"] * 4
    + ["succeed"] * 5
    + ["fail"] * 2
    + ["back_off", "stop", "release", "lose", "append", "cancel", "cancel_all"]
    + ["retry"] * 2
    + ["retry_all"]
)


def live(seed: int, *, most: int, acts: int) -> None:
    """One workflow from its submission to its end; undone afterwards."""
    with transaction.atomic():
        books = Books(random.Random(seed), most)
        for _ in range(acts):
            books.act()
        found = disagreements(USING, books.workflow.id)
        assert found == []
        books.run_down()
        assert disagreements(USING, books.workflow.id) == []
        transaction.set_rollback(True)


_SEEDS = st.integers(0, 2**32)
# The seed is all there is to an example, so that there is nothing to shrink.
_PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
_FIXTURE = [HealthCheck.function_scoped_fixture]


@pytest.mark.usefixtures("committed_db")
@settings(max_examples=20, deadline=None, phases=_PHASES, suppress_health_check=_FIXTURE)
@given(seed=_SEEDS)
def test_whatever_happens_workflow_and_steps_agree(seed: int) -> None:
    live(seed, most=12, acts=40)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("committed_db")
@settings(max_examples=1000, deadline=None, phases=_PHASES, suppress_health_check=_FIXTURE)
@given(seed=_SEEDS)
def test_whatever_happens_in_a_thousand_larger_ones_they_agree(seed: int) -> None:
    live(seed, most=60, acts=60)
