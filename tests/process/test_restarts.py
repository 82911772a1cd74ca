from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from jobs import JobSpec, enqueue_many
from jobs.models import Job, JobEvent
from jobs.states import EventKind, JobStatus
from tests.process import MARKS
from tests.process.servers import ALIAS, OwnServer, own_server
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS


@pytest.fixture
def server(workers: Workers) -> Iterator[OwnServer]:
    with own_server() as started:
        workers.database = started.url
        yield started
        workers.close()


@pytest.mark.parametrize(
    ("count", "seconds", "modes"),
    [
        (200, 0.05, ["immediate"]),
        pytest.param(
            500, 0.1, ["immediate"] * 3, marks=[pytest.mark.long, pytest.mark.timeout(200)]
        ),
        pytest.param(
            3000,
            0.02,
            ["immediate", "fast", "kill"] * 4,
            marks=[pytest.mark.long, pytest.mark.timeout(300)],
        ),
    ],
)
def test_workers_outlive_restarts_of_the_database(
    workers: Workers,
    evidence: Evidence,
    all_done: Callable[..., None],
    server: OwnServer,
    count: int,
    seconds: float,
    modes: list[str],
) -> None:
    running = [workers.start(), workers.start()]
    enqueue_many(
        JobSpec(task="check.mark", payload={"key": str(n), "seconds": seconds})
        for n in range(count)
    )
    succeeded = Job.objects.using(ALIAS).filter(status=JobStatus.SUCCEEDED)
    for number, mode in enumerate(modes):
        share = count * (number + 1) / (len(modes) + 1)
        wait_until(lambda share=share: succeeded.count() > share, seconds=30)  # type: ignore[misc]
        server.restart(mode)  # type: ignore[arg-type]
    all_done(seconds=40, using=ALIAS)
    # What ran meanwhile was neither lost nor run again.
    evidence.assert_once_each(count)
    history.assert_sound(ALIAS)
    assert all(worker.alive() for worker in running)
    assert {line["pid"] for line in evidence.starts()} == {worker.pid for worker in running}
    lost = JobEvent.objects.using(ALIAS).filter(kind__in=[EventKind.RESCUED, EventKind.LEASE_LOST])
    assert not lost.exists()
