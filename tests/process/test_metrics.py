from __future__ import annotations

import socket
from collections.abc import Callable

from jobs import JobSpec, enqueue_many
from tests.metrics.scrape import Samples, scrape
from tests.process import MARKS
from tests.support.processes import Workers

pytestmark = MARKS


def two_free_ports() -> int:
    """The first of two neighbouring ports that nothing listens on."""
    for first in range(20_000, 32_000, 2):
        with socket.socket() as one, socket.socket() as two:
            try:
                one.bind(("127.0.0.1", first))
                two.bind(("127.0.0.1", first + 1))
            except OSError:
                continue
            return first
    raise AssertionError("no two free ports")


def test_each_process_serves_its_own_numbers_on_a_port_of_its_own(
    workers: Workers, all_done: Callable[..., None]
) -> None:
    first = two_free_ports()
    worker = workers.start("--metrics-port", str(first), processes=2)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(40))
    all_done()
    key = ("qforge_attempts_total", "succeeded", "default", "check.mark")
    told: list[Samples] = [scrape(first), scrape(first + 1)]
    assert sum(each.get(key, 0) for each in told) == 40
    assert [each["qforge_threads",] for each in told] == [4, 4]
    # The port of a worker that runs cannot be taken by another.
    code, output = workers.run("--metrics-port", str(first))
    assert code == 2, output
    assert f"metrics_port: 127.0.0.1:{first}: " in output
    assert worker.stop() == 0
