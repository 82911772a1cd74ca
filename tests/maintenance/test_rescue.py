"""Rescue: attempts whose worker is gone end, and those of the living do not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pytest
from django.db.models.functions import Now
from django.test import override_settings

from jobs import RetryPolicy, client
from jobs.maintenance.rescue import Rescue
from jobs.models import Job, JobEvent
from jobs.states import JobStatus
from jobs.store import leases
from jobs.store.connections import EngineConnection
from tests.support import factories
from tests.support.database import row_locks, scalar
from tests.support.events import Told
from tests.support.threads import together
from tests.support.triggers import raising, trigger
from tests.support.waiting import wait_until

pytestmark = pytest.mark.postgres


def expired(count: int = 1, **fields: object) -> list[Job]:
    return factories.jobs(count, JobStatus.RUNNING, lease_seconds=-1, **fields)


def looking(engine: EngineConnection, worker: str = "rescuer") -> Rescue:
    """One that has looked for long enough to trust what it sees."""
    made = Rescue(engine, worker=worker, heartbeat_seconds=5.0)
    made.run_once()
    pass_time(made)
    return made


def held_back(rescue: Rescue) -> float:
    """Seconds until it rescues again."""
    return rescue._not_before - time.monotonic()


def pass_time(rescue: Rescue, seconds: float = 10.0) -> None:
    rescue._not_before -= seconds


@pytest.fixture
def rescue(engine: EngineConnection) -> Rescue:
    return looking(engine)


def statuses() -> dict[str, int]:
    return Counter(Job.objects.values_list("status", flat=True))


def test_an_expired_lease_is_a_failed_attempt(rescue: Rescue, told: Told) -> None:
    (row,) = expired()
    assert rescue.run_once() is None
    row.refresh_from_db()
    assert (row.status, row.attempts, row.locked_by) == (JobStatus.SCHEDULED, 1, "")
    assert row.error.startswith("lease expired: ")
    event = JobEvent.objects.get(job_id=row.pk)
    assert (event.kind, event.worker, event.attempt) == ("rescued", "rescuer", 1)
    assert event.data["lost_worker"] == factories.WORKER
    assert told.named("job.rescued") == [{"job_id": row.pk, "status": "scheduled"}]


def test_a_job_that_keeps_killing_its_worker_ends_as_failed(rescue: Rescue) -> None:
    (row,) = expired(attempts=3)
    rescue.run_once()
    row.refresh_from_db()
    assert (row.status, row.attempts) == (JobStatus.FAILED, 3)


def test_a_job_that_was_asked_to_stop_ends_as_cancelled(rescue: Rescue) -> None:
    (row,) = expired(cancel_requested_at=Now())
    rescue.run_once()
    row.refresh_from_db()
    assert row.status == JobStatus.CANCELLED


def test_a_lease_that_holds_is_left_alone(rescue: Rescue) -> None:
    row = factories.job(JobStatus.RUNNING, lease_seconds=0.5)
    rescue.run_once()
    row.refresh_from_db()
    assert row.status == JobStatus.RUNNING


@override_settings(QFORGE={"BACKOFF_BASE_SECONDS": 1000, "BACKOFF_JITTER": 0})
def test_the_next_attempt_waits_as_the_task_or_the_settings_say(
    rescue: Rescue, register: Callable[..., client.Task]
) -> None:
    policy = RetryPolicy(base_seconds=100, cap_seconds=200, jitter=0)
    register(lambda: None, name="tests.own", backoff=policy)
    register(lambda: None, name="tests.function", backoff=lambda attempt, error: 1 / 0)
    rows = [expired(task=task)[0] for task in ("tests.own", "tests.function", "tests.unknown")]
    rescue.run_once()
    for row, seconds in zip(rows, (100, 1000, 1000), strict=True):
        event = JobEvent.objects.get(job_id=row.pk)
        row.refresh_from_db()
        assert (row.available_at - event.at).total_seconds() == pytest.approx(seconds, abs=1)


def test_many_are_rescued_in_batches_without_a_pause(
    rescue: Rescue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.maintenance.rescue._BATCH", 4)
    expired(7)
    assert rescue.run_once() == 0
    assert rescue.run_once() is None
    assert statuses() == {JobStatus.SCHEDULED: 7}


def test_two_pools_rescue_a_job_once(engine: EngineConnection) -> None:
    engines = [engine, EngineConnection(), EngineConnection()]
    services = [looking(made, f"w{n}") for n, made in enumerate(engines)]
    expired(40)
    together([service.run_once for service in services])
    for made in engines:
        made.close()
    assert statuses() == {JobStatus.SCHEDULED: 40}
    assert JobEvent.objects.filter(kind="rescued").count() == 40


def test_a_row_that_somebody_has_locked_is_left_for_the_next_time(rescue: Rescue) -> None:
    locked = expired(2)[0]
    with row_locks([locked.pk]):
        rescue.run_once()
    assert statuses() == {JobStatus.RUNNING: 1, JobStatus.SCHEDULED: 1}
    rescue.run_once()
    assert statuses() == {JobStatus.SCHEDULED: 2}


def test_one_bad_row_does_not_keep_the_others_from_being_rescued(
    rescue: Rescue, caplog: pytest.LogCaptureFixture
) -> None:
    rows = expired(5)
    bad = rows[2]
    with trigger(f"NEW.id = {bad.pk}", raising("22003")):
        rescue.run_once()
        assert statuses() == {JobStatus.RUNNING: 1, JobStatus.SCHEDULED: 4}
        assert f"job {bad.pk} cannot be rescued: injected" in caplog.text
        rescue._pass()
        assert rescue.failures == 1
    rescue._pass()
    pass_time(rescue)
    rescue._pass()
    assert statuses() == {JobStatus.SCHEDULED: 5}
    assert JobEvent.objects.filter(kind="rescued").count() == 5


def test_a_pool_that_has_just_started_gives_the_living_time_to_renew(
    engine: EngineConnection,
) -> None:
    """It may have started because the database is back for everybody."""
    expired()
    rescue = Rescue(engine, worker="new", heartbeat_seconds=5.0)
    pause = rescue.run_once()
    assert pause is not None
    assert 0 < pause <= rescue.interval_seconds
    assert held_back(rescue) == pytest.approx(10, abs=1)
    assert statuses() == {JobStatus.RUNNING: 1}
    pass_time(rescue)
    rescue.run_once()
    assert statuses() == {JobStatus.SCHEDULED: 1}


def cut(rescue: Rescue) -> None:
    """A pass that finds the database away."""
    with rescue.engine.borrowed() as connection:
        connection.ensure_connection()
        pid = connection.connection.info.backend_pid
    scalar("SELECT pg_terminate_backend(%s)", [pid])
    wait_until(lambda: not scalar("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid]))
    rescue._pass()
    assert rescue.failures == 1


def test_after_an_outage_the_living_may_renew_their_leases_first(rescue: Rescue) -> None:
    alive, dead = expired(2)
    cut(rescue)
    # The first pass that gets through rescues nobody; two heartbeats are waited for.
    rescue._pass()
    rescue._pass()
    assert (rescue.failures, held_back(rescue)) == (0, pytest.approx(10, abs=1))
    assert statuses() == {JobStatus.RUNNING: 2}
    assert alive.lease_token is not None
    leases.renew("default", {alive.pk: alive.lease_token}, lease_seconds=30)
    pass_time(rescue)
    rescue._pass()
    alive.refresh_from_db()
    dead.refresh_from_db()
    assert (alive.status, dead.status) == (JobStatus.RUNNING, JobStatus.SCHEDULED)


def test_an_outage_that_comes_back_is_waited_for_again(rescue: Rescue) -> None:
    expired()
    cut(rescue)
    rescue._pass()
    pass_time(rescue, 5)
    cut(rescue)
    rescue._pass()
    assert held_back(rescue) == pytest.approx(10, abs=1)
    assert statuses() == {JobStatus.RUNNING: 1}


def test_after_a_gap_in_looking_the_living_may_renew_first(rescue: Rescue) -> None:
    """The process may have been stopped, or its machine asleep, and with it all heartbeats."""
    expired()
    assert rescue._looked_at is not None
    rescue._looked_at -= rescue.interval_seconds + 6
    rescue.run_once()
    assert held_back(rescue) == pytest.approx(10, abs=1)
    assert statuses() == {JobStatus.RUNNING: 1}
