from __future__ import annotations

import pytest

from jobs.states import (
    ARROWS,
    SHAPE,
    TERMINAL,
    TRANSITIONS,
    WAITING,
    EventKind,
    JobStatus,
    Verb,
    allowed_verbs,
    sources,
)

NOTES = {EventKind.CANCEL_REQUESTED, EventKind.LEASE_LOST}


def test_every_verb_has_one_arrow() -> None:
    assert [arrow.verb for arrow in TRANSITIONS] == list(dict.fromkeys(a.verb for a in TRANSITIONS))
    assert set(ARROWS) == set(Verb)


def test_every_event_is_the_past_of_one_verb_or_a_note() -> None:
    told = [arrow.event for arrow in TRANSITIONS]
    assert len(set(told)) == len(told)
    assert set(told) == set(EventKind) - NOTES


def test_only_an_enqueue_starts_from_nothing() -> None:
    assert [arrow.verb for arrow in TRANSITIONS if not arrow.sources] == [Verb.ENQUEUE]


def test_every_status_has_a_shape() -> None:
    assert set(SHAPE) == set(JobStatus)


def test_only_a_running_job_is_leased() -> None:
    assert [status for status, shape in SHAPE.items() if shape.leased] == [JobStatus.RUNNING]


def test_every_status_waits_runs_or_is_final() -> None:
    groups = [WAITING, {JobStatus.RUNNING}, TERMINAL]
    assert sorted(status for group in groups for status in group) == sorted(JobStatus)


def test_a_final_status_is_left_by_a_retry_alone() -> None:
    assert {verb for status in TERMINAL for verb in allowed_verbs(status)} == {Verb.RETRY}


def test_success_is_final_for_good() -> None:
    assert allowed_verbs(JobStatus.SUCCEEDED) == []


@pytest.mark.parametrize("status", sorted(set(JobStatus) - TERMINAL))
def test_every_open_status_leads_to_a_final_one(status: JobStatus) -> None:
    reached = {status}
    while (
        new := {
            target
            for arrow in TRANSITIONS
            if arrow.sources & reached and arrow.verb is not Verb.RETRY
            for target in arrow.targets
        }
        - reached
    ):
        reached |= new
    assert reached >= TERMINAL


@pytest.mark.parametrize("status", sorted(set(JobStatus) - TERMINAL))
def test_every_open_job_can_be_cancelled(status: JobStatus) -> None:
    assert Verb.CANCEL in allowed_verbs(status)


@pytest.mark.parametrize("verb", [Verb.FAIL, Verb.RESCUE])
def test_a_lost_attempt_ends_where_a_failed_one_may(verb: Verb) -> None:
    assert ARROWS[verb].targets == ARROWS[Verb.FAIL].targets
    assert sources(verb) == [JobStatus.RUNNING]


def test_sources_and_allowed_verbs_say_the_same() -> None:
    assert {(verb, status) for verb in Verb for status in sources(verb)} == {
        (verb, status) for status in JobStatus for verb in allowed_verbs(status)
    }
