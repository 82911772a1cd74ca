from __future__ import annotations

import pickle
from typing import Any

import pytest
from django.test import override_settings

from jobs.conf import BOUNDS, Settings
from jobs.errors import InvalidInput
from jobs.worker.options import PoolOptions, from_settings

BOUNDED = {
    "threads": "THREADS",
    "lease_seconds": "LEASE_SECONDS",
    "heartbeat_seconds": "HEARTBEAT_SECONDS",
    "poll_seconds": "POLL_SECONDS",
    "grace_seconds": "GRACE_SECONDS",
    "batch_size": "BATCH_SIZE",
    "prefetch_seconds": "PREFETCH_SECONDS",
    "metrics_port": "METRICS_PORT",
}
WHOLE = ("threads", "batch_size", "metrics_port")


def valid(option: str, value: Any) -> dict[str, Any]:
    """The option with neighbours that allow it."""
    if option == "heartbeat_seconds":
        return {option: value, "lease_seconds": 86400.0}
    if option == "lease_seconds":
        return {option: value, "heartbeat_seconds": 0.05}
    return {option: value}


@pytest.mark.parametrize("option", BOUNDED)
def test_an_option_may_have_the_values_at_its_bounds(option: str) -> None:
    for bound in BOUNDS[BOUNDED[option]]:
        value = int(bound) if option in WHOLE else bound
        assert getattr(PoolOptions(**valid(option, value)), option) == value


@pytest.mark.parametrize("option", BOUNDED)
def test_an_option_past_a_bound_is_refused_by_name(option: str) -> None:
    low, high = BOUNDS[BOUNDED[option]]
    step = 1 if option in WHOLE else 0.001
    for value in (type(step)(low - step), type(step)(high + step)):
        with pytest.raises(InvalidInput, match=rf"^{option}: must be a .*number from {low:g} to"):
            PoolOptions(**valid(option, value))


@pytest.mark.parametrize("option", BOUNDED)
@pytest.mark.parametrize("value", [True, "5", None, float("nan"), float("inf"), -1])
def test_an_option_that_is_no_number_is_refused_by_name(option: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=rf"^{option}: must be a"):
        PoolOptions(**{option: value})


@pytest.mark.parametrize("option", [*WHOLE, "max_jobs"])
def test_a_count_is_a_whole_number(option: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{option}: must be a whole number"):
        PoolOptions(**{option: 2.5})


@pytest.mark.parametrize("value", [0, -1, True, "1"])
def test_a_number_of_jobs_is_at_least_one(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^max_jobs: must be a whole number of at least 1, not"):
        PoolOptions(max_jobs=value)
    assert PoolOptions(max_jobs=1).max_jobs == 1


def test_a_heartbeat_is_at_most_a_third_of_the_lease() -> None:
    assert PoolOptions(lease_seconds=6, heartbeat_seconds=2).heartbeat_seconds == 2
    message = r"^heartbeat_seconds: must be at most a third of the lease \(6 s\), not 2.1$"
    with pytest.raises(InvalidInput, match=message):
        PoolOptions(lease_seconds=6, heartbeat_seconds=2.1)


@pytest.mark.parametrize("queues", ["mail", ["mail"], None])
def test_queues_are_a_tuple_of_names_and_not_one_name(queues: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^queues: must be a tuple of names, not"):
        PoolOptions(queues=queues)


@pytest.mark.parametrize("name", ["", "two words", "x" * 65, 5])
def test_a_queue_no_job_can_be_in_is_refused(name: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^queue: "):
        PoolOptions(queues=(name,))


@pytest.mark.parametrize("name", ["a\nb", "\x00", "\udcff", None])
def test_a_name_that_cannot_be_shown_is_refused(name: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^name: must be printable text, not"):
        PoolOptions(name=name)


def test_an_unknown_log_format_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^log_format: must be text or json, not 'xml'$"):
        PoolOptions(log_format="xml")


def test_options_cross_process_borders() -> None:
    options = PoolOptions(queues=("mail",), threads=3, max_jobs=5)
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301 - our own bytes


@override_settings(QFORGE={})
def test_without_settings_the_defaults_hold() -> None:
    assert from_settings() == PoolOptions()
    for option, setting in BOUNDED.items():
        assert getattr(PoolOptions(), option) == getattr(Settings, setting)


@override_settings(
    QFORGE={
        "THREADS": 3,
        "LEASE_SECONDS": 60,
        "HEARTBEAT_SECONDS": 10,
        "POLL_SECONDS": 2,
        "GRACE_SECONDS": 7,
        "BATCH_SIZE": 11,
        "PREFETCH_SECONDS": 0.5,
        "QUEUES": ["mail", "slow"],
        "LISTEN": False,
    }
)
def test_settings_are_used_and_what_is_given_goes_before_them() -> None:
    expected = PoolOptions(
        queues=("mail", "slow"),
        threads=3,
        lease_seconds=60,
        heartbeat_seconds=10,
        poll_seconds=2,
        grace_seconds=7,
        batch_size=11,
        prefetch_seconds=0.5,
        listen=False,
    )
    assert from_settings(threads=None, drain=None) == expected
    given = from_settings(threads=9, queues=("default",), listen=True, drain=True)
    assert (given.threads, given.queues, given.listen, given.drain) == (9, ("default",), True, True)
    assert given.lease_seconds == 60


@override_settings(QFORGE={"THREADS": 0})
def test_a_setting_out_of_bounds_is_refused_like_an_option() -> None:
    with pytest.raises(InvalidInput, match=r"^threads: "):
        from_settings()
