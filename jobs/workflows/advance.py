"""Advancing workflows: what the end of a step means for the steps below it and for the whole.

A step is a job. Its row says how many parents it still waits for (`open_dependencies`), the row of
its workflow how many steps are open, failed and cancelled. So the end of a step costs its own
edges, whatever the size of the workflow, and the status of a workflow follows from its counts.

The lock. Counts are right only if nobody else changes them at the same time. Every transaction
that changes whether a step is open therefore locks the row of its workflow first, before any job:

    workflows by id, then jobs by id, then edges.

Two last parents that end at the same instant are ended one after the other: the second transaction
waits for the lock, and since each of its statements sees what was committed before it began
(READ COMMITTED), it finds the child waiting for one parent fewer and unblocks it. The same lock
puts a cancel, a retry, an append and the end of a step in some order, and each is right after any
of the others. Without one, both parents would count the other as open and the child would wait
for ever.

To lock first, a transaction must know the workflows before it looks at the jobs. A claim brings
them along (`Claimed.workflow_id`), and outcomes carry them back, so an exchange without steps asks
nothing and pays nothing. Outcomes that do not know are looked up: a job never changes its workflow.
Rescue looks for expired leases without locks, locks their workflows, then the jobs.

Who does not take the lock: a claim, a release or a backoff leaves a step open. They change rows
that no advance touches, since an advance moves blocked rows only. A claim holds rows of steps while
it waits for nothing more, so a cancel that waits for those rows waits for a commit only.

A caller's own transaction that cancels or retries steps holds the lock until it commits, and the
exchanges that end steps of that workflow wait for it. Keep such transactions short.

What is cancelled because a step above it failed or was cancelled can be told from what somebody
stopped: the latter has `cancel_requested_at`. A retry revives the former alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from jobs.states import TERMINAL, JobStatus
from jobs.store import workflows
from jobs.store.values import UNKNOWN_WORKFLOW, Outcome, Written
from jobs.workflows import append
from jobs.workflows.closing import close


def before(using: str, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Lock the workflows of these outcomes and insert the steps they append.

    Returns the outcomes to write: one whose steps may not be appended has become a failure. Must
    run before the jobs are locked, in the transaction that writes the outcomes.
    """
    known = {o.workflow_id for o in outcomes if o.workflow_id}
    unknown = [o.job_id for o in outcomes if o.workflow_id == UNKNOWN_WORKFLOW]
    if unknown:
        known |= workflows.of_jobs(using, unknown)
    if not known:
        return outcomes
    workflows.lock(using, known)
    return append.insert(using, outcomes) if any(o.appended for o in outcomes) else outcomes


def after(using: str, written: Sequence[Written]) -> None:
    """Advance the workflows whose steps these outcomes have ended."""
    ended = [w for w in written if w.workflow_id is not None and w.status in TERMINAL]
    if ended:
        succeeded = [w.job_id for w in ended if w.status is JobStatus.SUCCEEDED]
        dead = [w.job_id for w in ended if w.status is not JobStatus.SUCCEEDED]
        close(using, succeeded=succeeded, dead=dead)


def lock_of(using: str, job_id: int) -> None:
    """Lock the workflow of a job that is about to change, if it is a step."""
    if known := workflows.of_jobs(using, [job_id]):
        workflows.lock(using, known)
