"""Django signals for projects that want to hear what happens to jobs and workers.

They are for those outside: nothing of the library depends on a receiver. All are sent with
`send_robust`: a receiver that raises is logged by Django and hurts neither the job nor others.
Receivers run in the process where it happened and hold up the thread that sends: be quick, or
enqueue a job.

`job_succeeded`, `job_failed`, `job_cancelled` and `job_released` come from the worker's thread,
just before the outcome is written together with others; one that is refused, since the lease was
lost, was told all the same. Whoever needs certainty reads `job_events`. The sender is
`jobs.models.Job`, the arguments are

- `job_id`, `task` and `queue`;
- `attempt` and `max_attempts`, as counted at this attempt;
- `run_seconds` and `wait_seconds`, the time in the handler and before it; None when it did not run.
"""

from __future__ import annotations

from typing import Any, Final

from django.dispatch import Signal

from jobs import instrument
from jobs.models import Job, WorkerPool
from jobs.states import Verb

job_succeeded = Signal()
"""The handler returned."""

job_failed = Signal()
"""An attempt failed. `error` is its text, `will_retry` whether another one follows, and
`delay_seconds` the wait until then."""

job_cancelled = Signal()
"""A running job has stopped; or one that waited was cancelled, and that is committed. Steps that
are cancelled together with their workflow are not told of."""

job_released = Signal()
"""An attempt was given back unfinished: at a shutdown, or by a snooze."""

job_rescued = Signal()
"""A job whose worker was lost has another `status`; the only other argument is `job_id`."""

worker_started = Signal()
"""A pool begins to claim jobs. The sender is `jobs.models.WorkerPool`, `worker` its name."""

worker_stopped = Signal()
"""A pool has ended; besides `worker`, `released` is how many running jobs it had to give back."""

_OF_VERB: Final = {
    Verb.SUCCEED: job_succeeded,
    Verb.FAIL: job_failed,
    Verb.CANCEL: job_cancelled,
    Verb.RELEASE: job_released,
}
_TOLD: Final = ("job_id", "task", "queue", "attempt", "max_attempts", "run_seconds", "wait_seconds")


def connect() -> None:
    """Send the signals from now on."""
    instrument.subscribe(_listen)


def _listen(event: str, fields: dict[str, Any]) -> None:
    if event == "job.finished":
        verb = Verb(fields["verb"])
        if not _OF_VERB[verb].receivers:
            # Telling nobody would cost as much as reading the payload of a job.
            return
        told = {name: fields[name] for name in _TOLD}
        if verb is Verb.FAIL:
            last = fields["permanent"] or fields["attempt"] >= fields["max_attempts"]
            delay = None if last else fields["delay_seconds"]
            told |= {"error": fields["error"], "will_retry": not last, "delay_seconds": delay}
        _OF_VERB[verb].send_robust(Job, **told)
    elif event == "job.cancelled_waiting":
        told = {name: fields.get(name) for name in _TOLD}
        job_cancelled.send_robust(Job, **told)
    elif event == "job.rescued":
        job_rescued.send_robust(Job, **fields)
    elif event == "worker.started":
        worker_started.send_robust(WorkerPool, worker=fields["worker"])
    elif event == "worker.stopped":
        worker_stopped.send_robust(WorkerPool, **fields)
