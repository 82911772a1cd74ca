"""Every verb as something to be done to a row, whatever its status."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.db.models.functions import Now

from jobs import lifecycle
from jobs.models import Job
from jobs.states import JobStatus, Verb
from jobs.store.values import Outcome
from tests.support import factories
from tests.support.factories import USING, WORKER


def _finishing(outcome: Callable[[Job], Outcome]) -> Callable[[Job], Any]:
    def act(row: Job) -> Any:
        # Whoever finishes a job that is not running holds a token of the past.
        row.lease_token = row.lease_token or uuid.uuid4()
        return factories.finish(outcome(row))

    return act


def _rescue(row: Job) -> Any:
    Job.objects.filter(pk=row.pk, status=JobStatus.RUNNING).update(lease_expires_at=Now())
    return lifecycle.rescue(USING, limit=10, worker=WORKER)


def _promote(row: Job) -> Any:
    Job.objects.filter(pk=row.pk).update(available_at=Now())
    return lifecycle.promote(USING, limit=10)


ACTIONS: dict[str, tuple[Verb, Callable[[Job], Any]]] = {
    "promote": (Verb.PROMOTE, _promote),
    "run now": (Verb.PROMOTE, lambda row: lifecycle.run_now(USING, row.pk, actor="me")),
    "claim": (Verb.CLAIM, lambda row: factories.claim()),
    "succeed": (Verb.SUCCEED, _finishing(factories.succeeded)),
    "fail": (Verb.FAIL, _finishing(factories.failed)),
    "fail for good": (Verb.FAIL, _finishing(lambda row: factories.failed(row, None))),
    "fail without backoff": (Verb.FAIL, _finishing(lambda row: factories.failed(row, 0.0))),
    "rescue": (Verb.RESCUE, _rescue),
    "release": (Verb.RELEASE, _finishing(factories.released)),
    "snooze": (Verb.RELEASE, _finishing(lambda row: factories.released(row, 60.0))),
    "stop": (Verb.CANCEL, _finishing(factories.cancelled)),
    "cancel": (Verb.CANCEL, lambda row: lifecycle.cancel(USING, row.pk, actor="me", reason="")),
    "retry": (Verb.RETRY, lambda row: lifecycle.retry(USING, row.pk, actor="me", reason="")),
}
"""Name: the verb of the state table, and a function that tries it on a row."""
