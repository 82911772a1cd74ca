"""Operations beside everything else that changes jobs, on connections of their own."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from jobs import lifecycle
from jobs.errors import JobsError
from jobs.models import Job, JobEvent, Operation
from jobs.models import Workflow as Row
from jobs.operations import batch, requests
from jobs.states import BulkAction
from jobs.workflows import actions
from tests.operations.helpers import ask, carry_out, counts, enqueue, reread, statuses
from tests.support import factories
from tests.support.database import lent, scalar, second_connection, start_blocked
from tests.support.factories import USING
from tests.support.history import assert_sound
from tests.support.threads import running, together
from tests.workflows.helpers import DIAMOND, TASK, failed, run_all, submit, succeeded

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


def test_a_job_whose_transaction_commits_late_is_left_alone_though_its_id_is_lower() -> None:
    with second_connection() as other:
        with lent(other):
            other.set_autocommit(False)
            late = enqueue(1)[0]
        early = enqueue(1)[0]
        assert late.id < early.id
        operation = ask("cancel")
        other.commit()
    assert carry_out(operation).done == 1
    assert statuses(late, early) == ["queued", "cancelled"]


def test_two_who_carry_out_one_operation_do_each_job_once() -> None:
    enqueue(60)
    operation = ask("cancel")
    together([lambda: carry_out(operation, limit=7)] * 3)
    assert counts(reread(operation)) == (60, 60, 0, 0)
    assert JobEvent.objects.filter(kind="cancelled").count() == 60


def test_a_cancel_waits_for_the_batch_and_keeps_what_it_did() -> None:
    jobs = enqueue(5)
    operation = ask("cancel")
    with transaction.atomic():
        batch.run(USING, operation.pk, limit=2)
        waiting = start_blocked(lambda: requests.cancel(USING, operation.pk))
    waiting.wait()
    assert carry_out(operation).status == "cancelled"
    assert counts(reread(operation)) == (5, 2, 0, 0)
    assert statuses(*jobs) == ["cancelled"] * 2 + ["queued"] * 3


def test_a_job_that_is_retried_while_the_batch_waits_for_it_is_retried_once() -> None:
    row = factories.job("failed")
    operation = ask("retry", {"status": ["failed"]})
    with transaction.atomic():
        lifecycle.retry(USING, row.pk, actor="", reason="")
        waiting = start_blocked(lambda: carry_out(operation))
    found = waiting.wait()
    assert found.done == 0
    assert factories.history(row.pk) == [("retried", "failed", "queued")]


def test_of_two_operations_on_the_same_jobs_each_job_belongs_to_one() -> None:
    rows = factories.jobs(40, "failed")
    both = [ask("retry", {"status": ["failed"]}) for _ in range(2)]
    found = together(
        [lambda operation=operation: carry_out(operation, limit=7) for operation in both]
    )
    assert sum(operation.done for operation in found) == 40
    assert JobEvent.objects.filter(kind="retried").count() == len(rows)


def _work(stop: threading.Event, dice: random.Random) -> None:
    """A worker that lets some of its jobs fail."""
    while not stop.is_set():
        held = factories.claim(5)
        outcomes = [failed(j) if dice.random() < 0.4 else succeeded(j) for j in held]
        factories.finish(*outcomes)


def _quietly(act: Callable[[], Any]) -> None:
    with contextlib.suppress(JobsError):
        act()


def _storm(rounds: int) -> None:
    """Workers, operations, single verbs and verbs of workflows, all at once."""
    stop = threading.Event()
    deadlocks = scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")

    def operate(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(rounds):
            action = dice.choice(["retry", "cancel", "retry", "run-now"])
            spec = requests.OperationSpec(action=BulkAction(action), filter={})
            carry_out(requests.create(USING, spec).operation, limit=dice.choice([7, 50]))

    def feed() -> None:
        for _ in range(rounds * 2):
            submit(DIAMOND)
            enqueue(3)

    def meddle() -> None:
        dice = random.Random(3)
        for _ in range(rounds * 4):
            pk = (
                Job.objects.filter(task=TASK).order_by("?").values_list("pk", flat=True).first()
                or 1
            )
            workflow = Row.objects.order_by("?").values_list("pk", flat=True).first() or 1
            _quietly(lambda pk=pk: lifecycle.cancel(USING, pk, actor="", reason=""))
            _quietly(lambda pk=pk: lifecycle.retry(USING, pk, actor="", reason=""))
            verb = dice.choice([actions.cancel_workflow, actions.retry_workflow])
            _quietly(lambda verb=verb, pk=workflow: verb(USING, pk))

    with (
        running(lambda: _work(stop, random.Random(1))),
        running(lambda: _work(stop, random.Random(2))),
    ):
        try:
            together([feed, lambda: operate(1), lambda: operate(2), meddle], seconds=150)
        finally:
            stop.set()
    assert (
        scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        == deadlocks
    )
    # What the storm has left: requests to stop are carried out, the rest runs to its end.
    for job in factories.claim(10_000):
        factories.finish(succeeded(job))
    run_all()
    assert not Operation.objects.exclude(status="succeeded").exists()
    assert_sound(finished=False)
    assert not Row.objects.filter(open_steps__gt=0).exists()


@pytest.mark.timeout(200)
def test_operations_beside_workers_and_single_verbs_never_deadlock_and_keep_workflows_whole() -> (
    None
):
    _storm(4)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_they_do_neither_in_a_long_storm() -> None:
    _storm(60)
