"""Verbs for a whole workflow: cancel, retry and rerun. Each is one transaction."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from jobs.errors import WorkflowConflict, WorkflowNotFound
from jobs.models import Job, Workflow
from jobs.specs import words
from jobs.states import TERMINAL, EventKind, JobStatus, Verb, WorkflowStatus
from jobs.store import audit, notify, steps, transitions, workflows
from jobs.workflows import closing, revival

_OPEN = [status for status in JobStatus if status not in TERMINAL]


def _get_locked(using: str, workflow_id: int) -> Workflow:
    workflows.lock(using, [workflow_id])
    try:
        return Workflow.objects.using(using).get(pk=workflow_id)
    except Workflow.DoesNotExist:
        raise WorkflowNotFound(workflow_id) from None


def cancel_workflow(using: str, workflow_id: int, *, actor: str = "", reason: str = "") -> Workflow:
    """Cancel what waits at once and ask what runs to stop; asking again changes nothing.

    The workflow ends as `cancelled` when nothing runs any more, unless all that ran succeeds and
    nothing was waiting. Raises WorkflowNotFound, and WorkflowConflict for one that has ended.
    """
    data = words(actor, reason)
    with transaction.atomic(using=using):
        workflow = _get_locked(using, workflow_id)
        if workflow.status != WorkflowStatus.RUNNING:
            raise WorkflowConflict(workflow_id, Verb.CANCEL, workflow.status)
        if workflow.cancel_requested_at is None:
            _cancel_steps(using, workflow, data)
        changed = Workflow.objects.using(using).get(pk=workflow_id)
        old, new = audit.changed({"status": workflow.status}, {"status": changed.status})
        audit.record(using, "workflow.cancel", workflow_id, reason=reason, before=old, after=new)
        return changed


def _cancel_steps(using: str, workflow: Workflow, data: dict[str, str]) -> None:
    Workflow.objects.using(using).filter(pk=workflow.pk).update(cancel_requested_at=Now())
    found = steps.nodes_in(using, workflow.pk, _OPEN)
    running = [node for node in found.values() if node.status is JobStatus.RUNNING]
    asked = Job.objects.using(using).filter(pk__in=[node.pk for node in running])
    # Those who were asked before keep the time of the first request.
    fresh = set(asked.filter(cancel_requested_at=None).values_list("pk", flat=True))
    if fresh:
        asked.filter(pk__in=fresh).update(cancel_requested_at=Now())
        transitions.note(
            using, [n for n in running if n.pk in fresh], EventKind.CANCEL_REQUESTED, data
        )
        notify.after_commit(using, [notify.CANCEL])
    waiting = [node for node in found.values() if node.status is not JobStatus.RUNNING]
    if waiting:
        closing.stop(using, waiting, data)


def retry_workflow(using: str, workflow_id: int, *, actor: str = "", reason: str = "") -> Workflow:
    """Run again every step that ended without success, and what depends on it.

    What succeeded keeps its result. Raises WorkflowNotFound, and WorkflowConflict when there is
    nothing to retry or a cancel is under way.
    """
    data = words(actor, reason)
    with transaction.atomic(using=using):
        workflow = _get_locked(using, workflow_id)
        if workflow.status == WorkflowStatus.SUCCEEDED:
            raise WorkflowConflict(workflow_id, Verb.RETRY, workflow.status)
        if workflow.status == WorkflowStatus.RUNNING and workflow.cancel_requested_at is not None:
            raise WorkflowConflict(workflow_id, Verb.RETRY, workflow.status, "being cancelled")
        revival.retry_all(using, workflow, data)
        changed = Workflow.objects.using(using).get(pk=workflow_id)
        old, new = audit.changed({"status": workflow.status}, {"status": changed.status})
        audit.record(using, "workflow.retry", workflow_id, reason=reason, before=old, after=new)
        return changed
