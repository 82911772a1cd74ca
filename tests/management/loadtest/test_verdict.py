from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs.management.loadtest import verdict
from jobs.management.loadtest.drive import Enqueued
from jobs.management.loadtest.facts import JobFacts
from jobs.management.loadtest.plan import PlannedJob
from tests.management.loadtest import made

PLANS = [
    made.planned(0),
    made.planned(1, delay_seconds=2.0),
    made.planned(2, failures=1),
    made.planned(3, failures=3),
]


def judge(plans: list[PlannedJob], found: list[JobFacts], **enqueued: Any) -> list[str]:
    """The names of the checks that failed."""
    ids = {plan.number: 100 + plan.number for plan in plans}
    given = Enqueued(**{"ids": ids} | enqueued)
    checks = verdict.judge(plans, given, {job.id: job for job in found}, made.RUN)
    return [check.name for check in checks if not check.passed]


def facts(plan: PlannedJob, **fields: Any) -> JobFacts:
    return made.facts(plan, 100 + plan.number, **fields)


def test_a_faultless_run_passes_every_check() -> None:
    assert judge(PLANS, [facts(plan) for plan in PLANS]) == []


def test_a_check_counts_what_it_looked_at() -> None:
    enqueued = Enqueued({plan.number: 100 + plan.number for plan in PLANS})
    found = {100 + plan.number: facts(plan) for plan in PLANS}
    checks = verdict.judge(PLANS, enqueued, found, made.RUN)
    assert {check.looked_at for check in checks} == {4}


def two_claims_at_once(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("claimed", 1.5, 2), ("failed", 2, 1), ("succeeded", 3, 2)]
    return facts(plan, events=made.events(*rows))


def a_claim_before_the_last_end(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("failed", 3, 1), ("claimed", 2, 2), ("succeeded", 4, 2)]
    return facts(plan, events=made.events(*rows))


def a_lease_lost(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("failed", 2, 1), ("claimed", 3, 2), ("lease_lost", 3.5, 1)]
    return facts(plan, events=made.events(*rows, ("succeeded", 4, 2)))


def two_successes(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("succeeded", 2, 1), ("claimed", 3, 2), ("succeeded", 4, 2)]
    return facts(plan, events=made.events(*rows))


def an_end_under_another_lease(plan: PlannedJob) -> JobFacts:
    job = facts(plan)
    job.events[-1] = made.events(("succeeded", 2.02, 9))[0]
    return job


def an_attempt_not_counted(plan: PlannedJob) -> JobFacts:
    return facts(plan, attempts=1)


def dead_too_early(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("failed", 2, 1)]
    return facts(plan, status="failed", attempts=1, events=made.events(*rows))


def still_running(plan: PlannedJob) -> JobFacts:
    rows = [("claimed", 1, 1), ("failed", 2, 1), ("claimed", 3, 2)]
    return facts(plan, status="running", finished_at=None, events=made.events(*rows))


def of_another_run(plan: PlannedJob) -> JobFacts:
    return facts(plan, run="run-2")


@pytest.mark.parametrize(
    ("wrong", "failed"),
    [
        (two_claims_at_once, ["no two attempts overlap"]),
        (a_claim_before_the_last_end, ["no two attempts overlap"]),
        (a_lease_lost, ["no two attempts overlap"]),
        (two_successes, ["retried as often as planned", "one outcome for each job"]),
        (an_end_under_another_lease, ["one end for each attempt"]),
        (
            an_attempt_not_counted,
            ["retried as often as planned", "counted attempts are those that ran"],
        ),
        (
            dead_too_early,
            [
                "every job ended as planned",
                "retried as often as planned",
                "dead letters used up their attempts",
            ],
        ),
        (still_running, ["every job ended"]),
        (of_another_run, ["nothing lost, nothing doubled"]),
    ],
)
def test_each_broken_promise_is_found(
    wrong: Callable[[PlannedJob], JobFacts], failed: list[str]
) -> None:
    plan = made.planned(2, failures=1)
    assert judge([plan], [wrong(plan)]) == failed


def test_a_job_that_ran_before_it_was_due_is_found() -> None:
    plan = made.planned(0, delay_seconds=2.0)
    early = made.events(("claimed", 1.999, 1), ("succeeded", 2.5, 1))
    assert judge([plan], [facts(plan, events=early)]) == ["no delayed job ran early"]


def test_a_job_that_is_gone_is_found() -> None:
    assert judge(PLANS, [facts(plan) for plan in PLANS[1:]]) == ["nothing lost, nothing doubled"]


def test_one_job_for_two_requests_is_found() -> None:
    found = [facts(plan) for plan in PLANS]
    ids = {0: 100, 1: 100, 2: 102, 3: 103}
    assert "nothing lost, nothing doubled" in judge(PLANS, found, ids=ids)


def test_a_refused_or_unsent_request_is_found() -> None:
    found = [facts(plan) for plan in PLANS[:2]]
    some = {0: 100, 1: 101}
    assert judge(PLANS, found, ids=some) == ["every job was accepted"]
    assert judge(PLANS, found, ids=some, refusals=["a", "b"]) == ["every job was accepted"]


def test_a_rescued_job_may_take_other_attempts_but_not_lose_its_outcome() -> None:
    plan = made.planned(2, failures=1)
    rows = [("claimed", 1, 1), ("rescued", 2, 1), ("claimed", 3, 2), ("succeeded", 4, 2)]
    assert judge([plan], [facts(plan, events=made.events(*rows))]) == []
    rows[-1] = ("failed", 4, 2)
    assert judge([plan], [facts(plan, events=made.events(*rows))]) == ["one outcome for each job"]


def test_a_released_attempt_does_not_count() -> None:
    plan = made.planned(0)
    rows = [("claimed", 1, 1), ("released", 2, 1), ("claimed", 3, 2), ("succeeded", 4, 2)]
    assert judge([plan], [facts(plan, events=made.events(*rows))]) == []
