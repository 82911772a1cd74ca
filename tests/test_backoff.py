from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.backoff import MAX_DELAY_SECONDS, RetryPolicy
from jobs.errors import InvalidInput


def never() -> float:
    return 0.0


def test_the_delay_doubles_with_each_attempt_up_to_the_cap() -> None:
    policy = RetryPolicy(base_seconds=5, cap_seconds=60)
    delays = [policy.delay_seconds(attempt, never) for attempt in range(1, 7)]
    assert delays == [5, 10, 20, 40, 60, 60]


def test_jitter_only_shortens_and_by_its_share_at_most() -> None:
    policy = RetryPolicy(base_seconds=10, cap_seconds=10, jitter=0.3)
    assert policy.delay_seconds(1, lambda: 0.0) == 10
    assert policy.delay_seconds(1, lambda: 1.0) == pytest.approx(7)


def test_two_delays_differ_by_jitter() -> None:
    policy = RetryPolicy(base_seconds=10, cap_seconds=10, jitter=1)
    assert len({policy.delay_seconds(1) for _ in range(20)}) > 1


@given(
    attempt=st.integers(min_value=-5, max_value=10**12),
    cap=st.floats(min_value=0, max_value=MAX_DELAY_SECONDS),
    share=st.floats(min_value=0, max_value=1),
)
def test_no_attempt_overflows_or_passes_the_cap(attempt: int, cap: float, share: float) -> None:
    policy = RetryPolicy(base_seconds=cap / 3, cap_seconds=cap, jitter=0.5)
    assert 0 <= policy.delay_seconds(attempt, lambda: share) <= cap


def test_attempt_1000_waits_for_the_cap() -> None:
    assert RetryPolicy(5, 3600, jitter=0).delay_seconds(1000) == 3600


def test_no_base_means_no_delay() -> None:
    assert RetryPolicy(base_seconds=0).delay_seconds(50) == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_seconds", -1),
        ("base_seconds", 3601),
        ("base_seconds", float("nan")),
        ("base_seconds", "5"),
        ("base_seconds", True),
        ("cap_seconds", MAX_DELAY_SECONDS + 1),
        ("cap_seconds", float("inf")),
        ("cap_seconds", None),
        ("jitter", -0.1),
        ("jitter", 1.1),
    ],
)
def test_a_policy_out_of_bounds_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: must be a number from 0 to ") as error:
        RetryPolicy(**{field: value})
    assert error.value.field == field


def test_permanent_errors_include_their_subclasses() -> None:
    policy = RetryPolicy(permanent=(LookupError,))
    assert policy.is_permanent(KeyError("a"))
    assert not policy.is_permanent(ValueError("a"))
