from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from demo import images, scenario, tasks
from jobs import JobSpec, client

RECEIVER = "http://127.0.0.1:8000/demo/webhooks/"


def made(count: int) -> list[scenario.Order]:
    return scenario.orders(count, run="run-1", image="uploads/a.png", receiver=RECEIVER)


@pytest.mark.parametrize("count", [scenario.SMALLEST, 40, scenario.LARGEST])
def test_a_spread_has_every_kind_and_the_number_asked_for(count: int) -> None:
    kinds = Counter(order.kind for order in made(count))
    assert kinds.total() == count
    assert set(kinds) == {
        "dead letter",
        "delayed",
        "e-mail",
        "flaky",
        "image",
        "priority",
        "report",
        "slow",
        "stopped",
        "webhook",
    }


def test_every_order_is_a_job_that_the_queue_accepts() -> None:
    prepared = [client.prepare(JobSpec(**order.document)) for order in made(100)]
    assert len({job.idempotency_key for job in prepared}) == 100
    assert {job.priority for job in prepared} >= {-20, -10, 10, 20, 50}


def test_every_flaky_order_fails_first_and_recovers_within_its_attempts() -> None:
    flaky = [order.document["payload"] for order in made(200) if order.kind == "flaky"]
    assert len(flaky) > 10
    for payload in flaky:
        fails = [tasks.flakes(payload["seed"], n, payload["failure_rate"]) for n in range(1, 7)]
        assert fails[0]
        assert not all(fails)


def test_the_picture_is_one_that_can_be_uploaded() -> None:
    picture: Any = images.inspect(scenario.picture())
    assert (picture.format, picture.width, picture.height) == ("PNG", 1600, 1200)
