from __future__ import annotations

import time

import pytest

from jobs.worker.pacer import QUICK_SECONDS, Pacer


def until_next_poll(pacer: Pacer) -> float:
    return pacer.next_poll - time.monotonic()


def test_a_pool_looks_for_work_as_soon_as_it_starts() -> None:
    assert until_next_poll(Pacer(1.0)) < 0


def test_pauses_double_from_quick_to_the_setting_while_nothing_is_found() -> None:
    pacer = Pacer(1.0)
    pauses = []
    for _ in range(9):
        pacer.looked(found=0, filled=False, wakeups=pacer.wakeups)
        pauses.append(until_next_poll(pacer))
    expected = [min(QUICK_SECONDS * 2**n, 1.0) for n in range(9)]
    for pause, full in zip(pauses, expected, strict=True):
        assert 0.75 * full < pause <= full


@pytest.mark.parametrize("found", [4, 9])
def test_a_claim_that_was_filled_is_followed_by_another_at_once(found: int) -> None:
    pacer = Pacer(1.0)
    pacer.looked(found=found, filled=True, wakeups=pacer.wakeups)
    assert until_next_poll(pacer) <= 0


def test_after_work_the_next_look_comes_soon() -> None:
    pacer = Pacer(60.0)
    for _ in range(20):
        pacer.looked(found=0, filled=False, wakeups=pacer.wakeups)
    assert until_next_poll(pacer) > 40
    pacer.looked(found=1, filled=False, wakeups=pacer.wakeups)
    assert until_next_poll(pacer) <= QUICK_SECONDS


def test_a_wake_up_is_followed_by_a_look_at_once_and_soon_by_another() -> None:
    pacer = Pacer(60.0)
    for _ in range(20):
        pacer.looked(found=0, filled=False, wakeups=pacer.wakeups)
    pacer.wake()
    assert until_next_poll(pacer) < 0
    pacer.looked(found=0, filled=False, wakeups=pacer.wakeups)
    assert until_next_poll(pacer) <= QUICK_SECONDS


def test_a_wake_up_during_a_look_is_not_missed() -> None:
    pacer = Pacer(60.0)
    before = pacer.wakeups
    pacer.wake()
    pacer.looked(found=0, filled=False, wakeups=before)
    assert until_next_poll(pacer) <= 0


def test_after_failures_the_pauses_grow_to_seconds_and_no_further() -> None:
    pacer = Pacer(1.0)
    firsts, pauses = [], []
    for _ in range(2_000):
        firsts.append(pacer.failed())
        pauses.append(pacer.not_before - time.monotonic())
    assert firsts == [True] + [False] * 1_999
    for number, pause in enumerate(pauses[:12]):
        full = min(0.05 * 2 ** (number + 1), 5.0)
        assert 0.45 * full < pause <= full
    assert max(pauses) <= 5


def test_a_success_ends_the_failures_and_counts_them() -> None:
    pacer = Pacer(1.0)
    assert pacer.succeeded() == 0
    pacer.failed()
    pacer.failed()
    assert pacer.succeeded() == 2
    assert pacer.succeeded() == 0
    assert pacer.failed()
