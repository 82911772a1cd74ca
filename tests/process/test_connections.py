from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from jobs import JobSpec, enqueue, enqueue_many
from jobs.models import Job
from jobs.states import JobStatus
from tests.process import MARKS, sessions
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
AllDone = Callable[..., None]


@pytest.mark.parametrize(
    ("max_age", "health_checks"),
    [
        (None, False),
        pytest.param(0, False, marks=pytest.mark.long),
        pytest.param(600, False, marks=pytest.mark.long),
        pytest.param(0, True, marks=pytest.mark.long),
        pytest.param(600, True, marks=pytest.mark.long),
        pytest.param(None, True, marks=pytest.mark.long),
    ],
)
def test_sessions_that_the_server_ended_cost_no_job_an_attempt(
    workers: Workers,
    evidence: Evidence,
    all_done: AllDone,
    max_age: int | None,
    health_checks: bool,
) -> None:
    changes = {"CONN_MAX_AGE": max_age, "CONN_HEALTH_CHECKS": health_checks}
    worker = workers.start(TEST_DATABASE_SETTINGS=json.dumps(changes))
    enqueue_many(
        JobSpec(task="check.orm", payload={"key": str(n), "seconds": 0.05}) for n in range(8)
    )
    all_done()
    # The pool's own four, for the exchange, the heartbeat, the sums and the listener, and the
    # threads'.
    ended = sessions.terminate()
    assert ended == 4 if max_age == 0 else 5 <= ended <= 8
    enqueue_many(
        JobSpec(task="check.orm", payload={"key": f"later-{n}"}, max_attempts=1) for n in range(8)
    )
    all_done()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED, attempts=1).exists()
    # Handlers that do not need the database do not notice; those that do try again.
    enqueue("check.held", {"key": "without", "until": "end"}, max_attempts=1)
    enqueue("check.orm_around", {"key": "with", "until": "end"})
    wait_until(lambda: evidence.lines("connected") and evidence.starts("without"))
    sessions.terminate()
    evidence.let_go("end")
    all_done()
    assert not Job.objects.exclude(status=JobStatus.SUCCEEDED).exists()
    assert len(evidence.starts("with")) == 2
    history.assert_sound()
    assert worker.alive()
