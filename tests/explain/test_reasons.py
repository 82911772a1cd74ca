"""The rules, over facts made up for the purpose: no database."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from jobs.explain import Code, Facts, reasons
from jobs.explain.facts import OpenStep, Pools, Told
from jobs.explain.words import spoken
from jobs.models import Job, Queue
from jobs.stats import BoundedCount

NOW = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
IDLE = Pools(live=2, serving=2, knowing=2, threads=16, busy=3, queues=None)


def ago(seconds: float) -> dt.datetime:
    return NOW - dt.timedelta(seconds=seconds)


def facts(status: str, *, pools: Pools = IDLE, **known: Any) -> Facts:
    row: dict[str, Any] = {
        "task": "app.send",
        "queue": "mail",
        "attempts": 0,
        "max_attempts": 3,
        "available_at": ago(5),
        "created_at": ago(60),
    }
    around = {name: known.pop(name) for name in Facts.__slots__ if name in known}
    return Facts(job=Job(**row | {"status": status} | known), now=NOW, pools=pools, **around)


def told(kind: str, **words: Any) -> dict[str, Told]:
    empty = {"from_status": "queued", "to_status": "", "actor": "", "reason": "", "cause": ""}
    return {kind: Told(kind, **{**empty, "error_type": "", **words})}


def first(known: Facts, **options: Any) -> tuple[Code, str]:
    reason = reasons(known, **options)[0]
    return reason.code, reason.summary


def codes(known: Facts) -> list[Code]:
    return [reason.code for reason in reasons(known)]


# Queued.


def test_a_job_in_a_paused_queue_says_who_paused_it_when_and_why() -> None:
    paused = Queue(name="mail", paused_at=ago(600), paused_by="ada", pause_reason="db upgrade.")
    known = facts("queued", paused=paused, ahead=BoundedCount(4))
    assert first(known) == (
        Code.QUEUE_PAUSED,
        "The queue mail has been paused for 10 min by ada: db upgrade.",
    )
    assert codes(known) == [Code.QUEUE_PAUSED, Code.JOBS_AHEAD]


@pytest.mark.parametrize(
    ("pools", "summary"),
    [
        (Pools(), "No worker is alive."),
        (Pools(live=2), "No live worker serves the queue mail; 2 serve other queues only."),
        (
            Pools(live=1, stopping=1),
            "The only live workers of the queue mail are stopping.",
        ),
    ],
)
def test_a_job_that_no_worker_can_take_says_so(pools: Pools, summary: str) -> None:
    assert first(facts("queued", pools=pools)) == (Code.NO_LIVE_WORKER, summary)


def test_a_task_that_no_worker_knows_is_an_obstacle() -> None:
    known = facts("queued", pools=Pools(live=2, serving=2, knowing=0, threads=8, queues=None))
    code, summary = first(known)
    assert code is Code.TASK_NOT_REGISTERED
    assert "app.send is not registered on any of 2 live workers of the queue mail" in summary


def test_a_task_that_some_workers_know_may_fail_on_the_others() -> None:
    known = facts("queued", pools=Pools(live=3, serving=3, knowing=1, threads=8, queues=None))
    assert codes(known) == [Code.NEXT_IN_LINE, Code.TASK_NOT_REGISTERED]
    assert "2 of 3 live workers" in reasons(known)[1].summary


@pytest.mark.parametrize(
    ("ahead", "summary"),
    [
        (BoundedCount(1), "1 job is ahead of it; 3 of 16 threads are busy."),
        (BoundedCount(312), "312 jobs are ahead of it; 3 of 16 threads are busy."),
        (
            BoundedCount(10_000, exact=False),
            "More than 10,000 jobs are ahead of it; 3 of 16 threads are busy.",
        ),
    ],
)
def test_a_job_in_the_line_says_how_many_are_ahead(ahead: BoundedCount, summary: str) -> None:
    known = facts("queued", ahead=ahead)
    assert first(known) == (Code.JOBS_AHEAD, summary)
    told = reasons(known)[0].facts
    assert (told["ahead"], told["exact"]) == (ahead.count, ahead.exact)
    assert told["due_seconds"] == 5


def test_the_next_in_line_says_what_it_waits_for() -> None:
    assert "a free worker takes it any moment" in first(facts("queued"))[1]
    full = Pools(live=1, serving=1, knowing=1, threads=8, busy=8, queues=None)
    assert "all threads are busy" in first(facts("queued", pools=full))[1]


# Scheduled and blocked.


def test_a_later_job_says_when_it_is_due() -> None:
    known = facts("scheduled", available_at=ago(-14))
    assert first(known) == (Code.AVAILABLE_LATER, "It is due in 14 s.")
    assert reasons(known)[0].facts["seconds"] == 14


def test_a_failed_attempt_says_when_the_next_one_is_due() -> None:
    known = facts("scheduled", available_at=ago(-75), attempts=2, events=told("failed"))
    assert first(known) == (
        Code.NEXT_TRY_LATER,
        "Attempt 2 of 3 failed; the next one is due in 1 min 15 s.",
    )


def test_a_job_that_was_given_back_says_why_unless_that_is_not_for_all_to_see() -> None:
    known = facts("scheduled", available_at=ago(-9), events=told("released", reason="rate limit"))
    assert first(known) == (
        Code.GIVEN_BACK,
        "Its worker gave it back: rate limit; it is due in 9 s.",
    )
    hidden = reasons(known, handler_words=False)[0]
    assert hidden.summary == "Its worker gave it back; it is due in 9 s."
    assert hidden.facts["reason"] == ""


def test_what_is_due_but_not_queued_yet_lacks_a_worker_first_of_all() -> None:
    assert codes(facts("scheduled", pools=Pools())) == [Code.NO_LIVE_WORKER, Code.AVAILABLE_LATER]
    assert codes(facts("scheduled", pools=Pools(), available_at=ago(-9))) == [
        Code.AVAILABLE_LATER,
        Code.NO_LIVE_WORKER,
    ]


def test_a_blocked_step_names_what_it_waits_for() -> None:
    steps = [OpenStep(1, "build", "running"), OpenStep(2, "test", "failed")]
    known = facts("blocked", open_dependencies=5, workflow_id=7, waits_for=steps)
    assert first(known) == (
        Code.WAITING_FOR_STEPS,
        "It waits for 5 steps of its workflow: build (running), test (failed) and 3 more.",
    )
    assert reasons(known)[0].facts["steps"][0] == {"job": 1, "step": "build", "status": "running"}


# Running.


def running(**known: Any) -> Facts:
    held: dict[str, Any] = {
        "attempts": 1,
        "locked_by": "web-2/7",
        "started_at": ago(12),
        "lease_expires_at": ago(-20),
    }
    return facts("running", **held | known)


def test_a_running_job_says_where_and_until_when_it_is_held() -> None:
    known = running(timeout_seconds=60)
    assert first(known) == (Code.RUNNING, "It has run for 12 s on web-2/7, attempt 1 of 3.")
    told = reasons(known)[0].facts
    assert (told["lease_expires_at"], told["deadline_at"]) == (ago(-20), ago(-48))


def test_a_lost_worker_comes_first() -> None:
    asked = {"cancel_requested_at": ago(2), "events": told("cancel_requested", actor="ada")}
    known = running(lease_expires_at=ago(8), **asked)
    assert codes(known) == [Code.LEASE_EXPIRED, Code.CANCEL_REQUESTED, Code.RUNNING]
    assert first(known)[1] == (
        "Its worker web-2/7 stopped responding 8 s ago; the job will be rescued."
    )
    alone = running(lease_expires_at=ago(8), pools=Pools())
    assert "rescued as soon as a worker runs" in first(alone)[1]


def test_a_job_that_is_to_stop_says_who_asked_and_why() -> None:
    events = told("cancel_requested", actor="ada", reason="wrong file")
    known = running(cancel_requested_at=ago(2), events=events)
    assert first(known)[1].startswith("It was asked to stop 2 s ago by ada: wrong file;")


# Ended.


def ended(status: str, **known: Any) -> Facts:
    return facts(status, **{"attempts": 3, "finished_at": ago(180)} | known)


def test_a_success_says_when() -> None:
    assert first(ended("succeeded")) == (Code.SUCCEEDED, "It succeeded 3 min ago.")


def test_spent_attempts_are_told_from_a_permanent_error() -> None:
    events = told("failed", to_status="failed", error_type="ValueError")
    assert first(ended("failed", events=events)) == (
        Code.ATTEMPTS_SPENT,
        "It failed in all 3 tries, 3 min ago with ValueError.",
    )
    assert first(ended("failed", attempts=1, events=events))[0] is Code.PERMANENT_ERROR
    assert "its only attempt" in first(ended("failed", attempts=1, max_attempts=1))[1]
    lost = told("rescued", to_status="failed")
    assert first(ended("failed", events=lost))[1].endswith("with an expired lease.")


def test_a_cancelled_job_says_by_whom() -> None:
    events = told("cancelled", to_status="cancelled", actor="ada", reason="duplicate")
    known = ended("cancelled", events=events)
    assert first(known)[1] == "It was cancelled 3 min ago by ada: duplicate."
    assert reasons(known)[0].facts["cause"] is None


def test_a_step_that_could_not_run_names_the_one_that_ended_it() -> None:
    words = {"reason": "step 'build' failed", "cause": "12"}
    known = ended("cancelled", events=told("cancelled", to_status="cancelled", **words))
    assert first(known)[1] == "It was cancelled 3 min ago: step 'build' failed."
    assert reasons(known)[0].facts["cause"] == 12


def test_a_running_job_that_was_cancelled_has_the_words_of_whoever_asked() -> None:
    end = {"from_status": "running", "to_status": "cancelled", "reason": "card 4711 refused"}
    by_itself = ended("cancelled", events=told("cancelled", **end))
    assert "card 4711" in first(by_itself)[1]
    assert "card 4711" not in first(by_itself, handler_words=False)[1]
    request = told("cancel_requested", actor="ada", reason="wrong file")
    asked = ended("cancelled", events=told("cancelled", **end) | request)
    assert first(asked)[1] == "It was cancelled 3 min ago by ada: wrong file."


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.6, "1 min"),
        (72, "1 min 12 s"),
        (3600, "1 h"),
        (3605, "1 h"),
        (90_000, "1 d 1 h"),
    ],
)
def test_time_spans_are_in_two_units_at_most(seconds: float, text: str) -> None:
    assert spoken(seconds) == text
