from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jobs import JobSpec, enqueue_many
from tests.process import MARKS
from tests.support.processes import Workers

pytestmark = MARKS


def usage(pid: int) -> tuple[int, int, int]:
    """Resident memory in KiB, threads and open files of a process."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
    )
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return int(status["VmRSS"].split()[0]), int(status["Threads"]), files


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("debug", ["false", "true"])
def test_a_worker_does_not_grow_with_the_jobs_it_has_run(
    workers: Workers, all_done: Callable[..., None], debug: str
) -> None:
    worker = workers.start("--quiet", DEBUG=debug, wait=False)

    def run(count: int) -> None:
        for _ in range(count // 10_000):
            enqueue_many(
                JobSpec(task=("check.noop", "check.raises")[n % 2], max_attempts=1)
                for n in range(10_000)
            )
            all_done(seconds=200)

    run(20_000)
    memory, threads, files = usage(worker.pid)
    run(180_000)
    later = usage(worker.pid)
    assert later[0] <= memory * 1.1
    assert later[1:] == (threads, files)
