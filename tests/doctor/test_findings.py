"""Each finding, in a database where it is really so."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models.functions import Now
from django.test import override_settings
from django.utils import timezone

from jobs import doctor
from jobs.doctor import Code, Finding, Limits, Severity, reading, server
from jobs.models import JobEvent, RollupPosition, Schedule, WorkerPool, Workflow
from jobs.schedules import tick
from jobs.states import JobStatus
from jobs.store import queues
from tests.management.terminal import run, run_from_argv
from tests.support import factories
from tests.support.backlog import fill
from tests.support.database import lent, scalar, second_connection, table_lock
from tests.support.factories import USING
from tests.support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("committed_db")
ANY = Limits(
    transaction_seconds=0, dead_rows=10, dead_share=0, backlog_seconds=0, small_table_rows=1_000
)
# Other tests of the same database leave dead rows behind, which is not what is meant here.
CALM = partial(Limits, dead_rows=10**12)


@pytest.fixture(autouse=True)
def _calm_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.management.subcommands.doctor.Limits", CALM)


def found(limits: Limits | None = None) -> dict[Code, Finding]:
    """The findings, but for that of SQLite itself."""
    limits = limits or CALM()
    all_of_them = doctor.findings(doctor.gather(), limits)
    return {one.code: one for one in all_of_them if one.severity > Severity.INFO}


def pool(**fields: Any) -> None:
    plain = {"name": "a:1", "host": "a", "pid": 1, "version": "1", "threads": 4}
    WorkerPool.objects.create(**plain | {"tasks": [factories.TASK]} | fields)


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def test_a_queue_that_is_well_has_no_findings() -> None:
    pool()
    factories.job(JobStatus.QUEUED, available_at=Now() - dt.timedelta(hours=1))
    assert found() == {}
    ran = run("jobs", "doctor")
    assert ran.code == 0
    document = json.loads(run("jobs", "doctor", "--json").out)
    assert document["code"] == 0


@pytest.mark.postgres
def test_a_database_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections[USING].settings_dict, "PORT", "1")
    (one,) = found().values()
    assert (one.code, one.severity) == (Code.UNREACHABLE, Severity.CRITICAL)


@pytest.mark.postgres
def test_what_is_locked_is_given_up_and_the_rest_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jobs.doctor.reading.TIMEOUT_SECONDS", 0.2)
    Schedule.objects.create(name="s", task="tests.nobody-has-it", cron="0 * * * *")
    with table_lock("ACCESS EXCLUSIVE"):
        seen = doctor.findings(doctor.gather())
    unread = {one.facts["part"] for one in seen if one.code is Code.UNREAD}
    assert {"claim", "queues", "tasks", "leases"} <= unread
    assert Code.BROKEN_SCHEDULE in {one.code for one in seen}


@pytest.mark.postgres
def test_a_connection_that_is_lost_on_the_way_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fall(using: str) -> dict[str, Any]:
        with connections[using].cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return {}

    monkeypatch.setitem(reading._PARTS, "claim", fall)
    factories.job(JobStatus.RUNNING, lease_seconds=-600)
    seen = found()
    assert seen[Code.UNREAD].facts["part"] == "claim"
    assert set(seen) == {Code.UNREAD, Code.EXPIRED_LEASES}


@pytest.mark.postgres
def test_notifications_that_do_not_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    """As behind a transaction pooler: they are those of another database."""
    monkeypatch.setattr("jobs.doctor.server._PROBE_SECONDS", 0.2)
    made: list[Any] = []

    def elsewhere() -> Any:
        engine = server_engine()
        if not made:
            engine._wrapper.settings_dict["NAME"] = "postgres"
        made.append(engine)
        return engine

    server_engine = server.EngineConnection
    monkeypatch.setattr(server, "EngineConnection", elsewhere)
    assert found()[Code.NO_NOTIFICATIONS].severity is Severity.WARNING
    with override_settings(QFORGE={"LISTEN": False}):
        assert found() == {}


@pytest.fixture
def without_claim_indexes() -> Iterator[None]:
    made = [scalar(f"SELECT pg_get_indexdef('{name}'::regclass)") for name in _CLAIM]
    execute(*(f"DROP INDEX {name}" for name in _CLAIM))
    yield
    execute(*made)


_CLAIM = ("jobs_claim", "jobs_claim_queue")


@pytest.mark.postgres
def test_a_claim_without_its_index(without_claim_indexes: None) -> None:
    pool()
    fill(3_000, JobStatus.QUEUED, age="interval '0'")
    execute("ANALYZE jobs")
    seen = found(ANY)
    assert seen[Code.CLAIM_READS_ALL].facts["table_rows"] == 3_000
    names = [
        one.facts["name"] for one in doctor.findings(doctor.gather()) if one.code == "qforge.D015"
    ]
    assert sorted(names) == sorted(_CLAIM)


@pytest.mark.postgres
def test_a_claim_with_its_index_is_well() -> None:
    pool()
    fill(3_000, JobStatus.QUEUED, age="interval '0'")
    execute("ANALYZE jobs")
    assert Code.CLAIM_READS_ALL not in found(ANY)


@pytest.mark.postgres
def test_dead_rows_and_the_transaction_that_holds_them() -> None:
    fill(200, JobStatus.SUCCEEDED, age="interval '0'")
    with second_connection(application_name="a forgotten shell") as other:
        other.set_autocommit(False)
        with lent(other):
            other.cursor().execute("SELECT pg_current_xact_id()")
            pid = other.connection.info.backend_pid
        execute("UPDATE jobs SET priority = 1", "VACUUM jobs")
        dead = "SELECT n_dead_tup >= 200 FROM pg_stat_user_tables WHERE relname = 'jobs'"
        wait_until(lambda: scalar(dead))
        seen = doctor.findings(doctor.gather(), ANY)
        other.rollback()
    (old,) = [one for one in seen if one.code is Code.OLD_TRANSACTION]
    (table,) = [one for one in seen if one.code is Code.DEAD_ROWS and one.facts["name"] == "jobs"]
    assert old.facts["pid"] == pid
    assert "a forgotten shell" in old.what
    assert "idle in transaction" in old.what
    assert table.facts["dead"] >= 200
    assert f"held by process {pid}" in table.what
    assert Code.OLD_TRANSACTION not in found(ANY)


@pytest.mark.postgres
def test_a_transaction_that_only_reads_holds_nothing() -> None:
    with second_connection() as other:
        other.set_autocommit(False)
        other.cursor().execute("SELECT 1")
        assert Code.OLD_TRANSACTION not in found(ANY)
        other.rollback()


def test_wrong_settings_are_all_there_is_to_say() -> None:
    with override_settings(QFORGE={"LEASE_SECONDS": 10, "HEARTBEAT_SECONDS": 9}):
        assert "a third of LEASE_SECONDS" in found()[Code.SETTINGS].what
        assert run("jobs", "doctor").code == 2


def test_a_database_that_is_not_in_the_settings() -> None:
    with override_settings(QFORGE={"DATABASE": "nowhere"}):
        assert "DATABASE: The connection 'nowhere'" in found()[Code.SETTINGS].what


def test_the_doctor_comes_even_where_the_system_checks_fail(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with override_settings(QFORGE={"THREADS": 0}):
        ran = run_from_argv(capsys, "jobs", "doctor")
        shown = run_from_argv(capsys, "jobs", "settings", "THREADS")
        status = run_from_argv(capsys, "jobs", "status")
    assert ran.code == 2
    assert "CRITICAL  qforge.D008  QFORGE: THREADS must be" in ran.out
    assert (shown.code, shown.out.split()[-3:]) == (1, ["THREADS", "0", "settings"])
    assert "qforge.E001" in status.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"LEASE_SECONDS": 3.0, "HEARTBEAT_SECONDS": 1.0, "RESCUE_SECONDS": 1}, "leaves little"),
        ({"RESCUE_SECONDS": 120.0}, "longer than the lease"),
    ],
)
def test_a_lease_that_does_not_fit(given: dict[str, Any], said: str) -> None:
    with override_settings(QFORGE=given):
        assert said in found()[Code.LEASE].what


@pytest.mark.parametrize(("seconds", "said"), [(30, "ahead of"), (-30, "behind")])
def test_a_clock_that_is_wrong(monkeypatch: pytest.MonkeyPatch, seconds: float, said: str) -> None:
    shift = dt.timedelta(seconds=seconds)
    shifted = SimpleNamespace(now=lambda: timezone.now() + shift)
    monkeypatch.setattr("jobs.doctor.server.timezone", shifted)
    assert f"30 s {said}" in found()[Code.CLOCK_SKEW].what


def test_a_task_that_no_live_worker_of_the_queue_knows() -> None:
    pool(queues=["mail"])
    pool(name="b:1", queues=["other"], tasks=["tests.new"])
    pool(name="c:1", queues=[], tasks=["tests.new"], stopping=True)
    factories.jobs(2, JobStatus.QUEUED, queue="mail", task="tests.new")
    factories.job(JobStatus.QUEUED, queue="mail")
    one = found()[Code.UNKNOWN_TASK]
    assert one.facts == {"task": "tests.new", "queue": "mail", "jobs": 2}
    WorkerPool.objects.filter(name="c:1").update(stopping=False)
    assert found() == {}


def test_a_queue_that_nobody_serves() -> None:
    pool(queues=["other"])
    late = Now() - dt.timedelta(minutes=10)
    factories.jobs(2, JobStatus.QUEUED, queue="mail", available_at=late)
    one = found()[Code.NOT_SERVED]
    assert (one.facts["queue"], one.facts["jobs"], one.severity) == ("mail", 2, Severity.CRITICAL)
    ran = run("jobs", "doctor")
    assert ran.code == 2
    assert ran.out.startswith("CRITICAL  qforge.D012  No live worker serves the queue mail; 2 jobs")
    WorkerPool.objects.update(queues=["mail"], heartbeat_at=Now() - dt.timedelta(hours=1))
    assert Code.NOT_SERVED in found()
    WorkerPool.objects.update(heartbeat_at=Now())
    assert found() == {}


def test_a_paused_queue_with_a_backlog() -> None:
    pool()
    queues.pause(USING, "mail", by="ops", reason="upgrade")
    assert found() == {}
    late = Now() - dt.timedelta(minutes=10)
    factories.job(JobStatus.QUEUED, queue="mail", available_at=late)
    assert "paused by ops; 1 job wait" in found()[Code.PAUSED_BACKLOG].what
    assert run("jobs", "doctor").code == 1


def test_a_migration_that_was_not_applied() -> None:
    where = "FROM django_migrations WHERE app = 'qforge'"
    execute(f"CREATE TABLE kept AS SELECT * {where}")
    try:
        last = scalar(f"SELECT max(name) {where}")
        execute(f"DELETE {where} AND name = '{last}'")
        assert found()[Code.NOT_MIGRATED].facts == {"migrations": [last]}
    finally:
        execute(f"DELETE {where}", "INSERT INTO django_migrations SELECT * FROM kept")
        execute("DROP TABLE kept")


@pytest.mark.postgres
def test_a_constraint_that_is_gone_and_an_index_that_was_not_finished() -> None:
    factories.jobs(2, JobStatus.QUEUED)
    check = scalar(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'jobs_row_shape'"
    )
    execute("ALTER TABLE jobs DROP CONSTRAINT jobs_row_shape")
    with pytest.raises(Exception, match="could not create unique index"):
        execute("CREATE UNIQUE INDEX CONCURRENTLY unfinished ON jobs (task)")
    try:
        seen = [one for one in doctor.findings(doctor.gather()) if one.code is Code.SCHEMA_DRIFT]
        assert [one.what for one in seen] == [
            "The index or constraint jobs_row_shape of jobs is missing.",
            "The index or constraint unfinished of jobs is invalid.",
        ]
    finally:
        execute("DROP INDEX unfinished")
        execute(f"ALTER TABLE jobs ADD CONSTRAINT jobs_row_shape {check}")


def test_schedules_that_cannot_fire_that_have_given_up_and_that_are_late() -> None:
    pool()
    later = Now() + dt.timedelta(hours=1)
    Schedule.objects.create(name="broken", task="tests.gone", cron="0 0 * * *", next_run_at=later)
    Schedule.objects.create(
        name="off",
        task="tests.gone",
        cron="0 0 * * *",
        enabled=False,
        disabled_reason=f"{tick.BROKEN}task: no task named 'tests.gone' is registered",
    )
    Schedule.objects.create(
        name="by hand", task="tests.gone", cron="0 0 * * *", enabled=False, disabled_reason="ops"
    )
    Schedule.objects.create(
        name="late",
        task="qforge.run_operation",
        payload={"operation": 1},
        interval_seconds=60,
        next_run_at=Now() - dt.timedelta(minutes=10),
    )
    seen = found()
    assert set(seen) == {Code.BROKEN_SCHEDULE, Code.DISABLED_SCHEDULE, Code.LATE_SCHEDULE}
    assert seen[Code.BROKEN_SCHEDULE].facts["schedule"] == "broken"
    assert seen[Code.DISABLED_SCHEDULE].facts["schedule"] == "off"
    assert seen[Code.LATE_SCHEDULE].what == "The schedule late should have fired 10 min ago."


def test_expired_leases_that_nobody_rescues() -> None:
    factories.job(JobStatus.RUNNING, lease_seconds=-30)
    assert found() == {}
    factories.job(JobStatus.RUNNING, lease_seconds=-600)
    assert found()[Code.EXPIRED_LEASES].facts["jobs"] == 2


def test_jobs_that_are_long_past_their_age() -> None:
    week = 7 * 86_400
    factories.job(JobStatus.SUCCEEDED, finished_seconds=week + 60)
    assert found() == {}
    factories.job(JobStatus.SUCCEEDED, finished_seconds=week + 86_400)
    assert found()[Code.PRUNE_BEHIND].facts == {"status": "succeeded", "count": 1}
    long_ago = Now() - dt.timedelta(days=40)
    Workflow.objects.create(
        name="w", status="succeeded", steps=1, open_steps=0, finished_at=long_ago
    )
    assert found()[Code.PRUNE_BEHIND].facts == {"status": "succeeded", "count": 2}


def test_events_that_nobody_sums_up() -> None:
    row = factories.job(JobStatus.SUCCEEDED)
    event = JobEvent.objects.create(
        job=row, kind="enqueued", to_status="queued", at=Now() - dt.timedelta(minutes=10)
    )
    assert found()[Code.ROLLUP_BEHIND].severity is Severity.WARNING
    RollupPosition.objects.create(pk=1, complete_at=Now() - dt.timedelta(minutes=5))
    assert found() == {}
    JobEvent.objects.filter(pk=event.pk).update(at=Now())
    RollupPosition.objects.update(complete_at=Now() - dt.timedelta(minutes=6))
    assert "for 6 min" in found()[Code.ROLLUP_BEHIND].what


@pytest.mark.parametrize(
    ("vendor", "version", "severity"),
    [("postgresql", (13, 4), 2), ("oracle", (23, 1), 2), ("sqlite", (3, 40), 0)],
)
def test_a_database_of_another_kind_or_too_old(
    vendor: str, version: tuple[int, ...], severity: int
) -> None:
    facts = doctor.Facts(vendor=vendor, version=version)
    (one,) = doctor.findings(facts)
    assert (one.code, one.severity) == (Code.DATABASE, severity)


def test_the_worst_comes_first_and_each_says_why_and_what_to_do() -> None:
    facts = doctor.Facts(listening=False, expired_jobs=1, expired_seconds=100, skew_seconds=9)
    seen = doctor.findings(facts)
    assert [one.code for one in seen] == [
        Code.EXPIRED_LEASES,
        Code.NO_NOTIFICATIONS,
        Code.CLOCK_SKEW,
    ]
    for code in Code:
        one = Finding(code, Severity.INFO, "", {})
        assert one.why.endswith(".")
        assert one.do.endswith(".")
