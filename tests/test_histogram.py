"""Percentiles out of counted sizes."""

from __future__ import annotations

import random

import pytest

from jobs.histogram import BOUNDS_SECONDS, BUCKETS, bucket, percentile


def counted(values: list[float]) -> list[int]:
    counts = [0] * BUCKETS
    for value in values:
        counts[bucket(value)] += 1
    return counts


def test_each_bound_begins_the_next_bucket() -> None:
    assert [bucket(bound) for bound in BOUNDS_SECONDS] == list(range(1, BUCKETS))
    assert (bucket(0), bucket(1e9)) == (0, BUCKETS - 1)


def test_without_values_there_is_no_percentile() -> None:
    assert percentile([0] * BUCKETS, 95, 0.0) is None


@pytest.mark.parametrize("value", [0.0, 0.003, 0.3, 59.9, 1e6])
def test_one_value_is_never_exceeded(value: float) -> None:
    for percent in (50, 95, 99):
        found = percentile(counted([value]), percent, value)
        assert found is not None
        assert found <= value


@pytest.mark.parametrize("percent", [50, 95, 99])
def test_an_estimate_lies_in_the_bucket_of_the_true_value(percent: int) -> None:
    chance = random.Random(percent)
    for _ in range(50):
        values = sorted(chance.lognormvariate(0, 2) for _ in range(chance.randint(1, 500)))
        true = values[max(-(-len(values) * percent // 100), 1) - 1]
        found = percentile(counted(values), percent, values[-1])
        assert found is not None
        number = bucket(true)
        assert [0.0, *BOUNDS_SECONDS][number] <= found <= [*BOUNDS_SECONDS, values[-1]][number]


def test_percentiles_of_a_sum_are_those_of_both_parts() -> None:
    first, second = [0.02] * 10, [3.0] * 30
    both = [a + b for a, b in zip(counted(first), counted(second), strict=True)]
    assert both == counted(first + second)
