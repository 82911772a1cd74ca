from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import DatabaseError
from django.db.models.functions import Now

from jobs import stats
from jobs.api.serializers.operating import QueueSerializer, WorkerSerializer
from jobs.management import overview
from jobs.models import Queue, WorkerPool
from jobs.states import JobStatus
from tests.management.terminal import Ran, run, run_from_argv
from tests.support import factories

pytestmark = pytest.mark.django_db


def ago(**delta: float) -> Any:
    return Now() - dt.timedelta(**delta)


def pool(name: str, heartbeat_at: Any = None, **fields: Any) -> None:
    row = {"host": "web-1", "pid": 1, "version": "1", "threads": 8, "heartbeat_at": heartbeat_at}
    WorkerPool.objects.create(name=name, **{**row, "heartbeat_at": heartbeat_at or Now()} | fields)


@pytest.fixture
def work() -> None:
    factories.jobs(12, queue="mail", available_at=ago(days=1, hours=2, minutes=30))
    factories.jobs(3, queue="mail", priority=90, available_at=ago(minutes=1))
    factories.jobs(2, JobStatus.RUNNING, queue="mail")
    factories.jobs(4, JobStatus.SCHEDULED, queue="mail")
    factories.jobs(5, JobStatus.SCHEDULED, queue="mail", attempts=1)
    factories.jobs(6, JobStatus.FAILED, queue="reports")
    factories.jobs(7, JobStatus.SUCCEEDED, queue="archive")
    factories.jobs(1, queue="reports", available_at=ago(hours=5, minutes=30))
    Queue.objects.create(
        name="reports", paused_at=ago(days=3, hours=1), paused_by="ops", pause_reason="db"
    )
    pool("web-1:1", busy=6)
    pool("web-2:1", busy=1, stopping=True)
    pool("web-3:1", heartbeat_at=ago(hours=2, minutes=30))


GOLDEN = """\
queue     ready  oldest  running  retry  sched  dead  in/m  out/m  p95 wait  state
default       0       -        0      0      0     0     0      0         -  active
mail         15    1d2h        2      5      4     0     0      0         -  active
reports       1   5h30m        0      0      0     6     0      0         -  PAUSED by ops 3d1h "db"
webhooks      0       -        0      0      0     0     0      0         -  active
workers 2, 7 of 16 threads busy, 1 stopping, 1 lost, last 2h30m ago
"""


@pytest.mark.parametrize("terminal", [False, True])
def test_status_is_a_table_of_queues_and_a_line_of_workers(terminal: bool, work: None) -> None:
    assert run("jobs", "status", terminal=terminal) == Ran(0, GOLDEN, "")


def test_a_queue_with_nothing_but_failed_jobs_is_shown() -> None:
    factories.job(JobStatus.FAILED, queue="forgotten")
    line = "forgotten      0       -        0      0      0     1     0      0         -  active"
    assert line in run("jobs", "status").out.splitlines()


def test_status_as_json_is_what_the_api_says_and_the_troubles(work: None) -> None:
    document = json.loads(run("jobs", "status", "--json").out)
    queues = {queue["name"]: queue for queue in document["queues"]}
    mail, reports = queues["mail"], queues["reports"]
    assert mail.pop("oldest_queued_seconds") == pytest.approx(95_400, abs=30)
    counts = {"blocked": 0, "scheduled": 9, "queued": 15, "running": 2}
    assert mail == {
        "name": "mail",
        "jobs": {name: {"count": count, "exact": True} for name, count in counts.items()},
        "paused_at": None,
        "paused_by": "",
        "pause_reason": "",
        "rates": asdict(stats.QueueRates()),
        "retrying": {"count": 5, "exact": True},
        "failed": {"count": 0, "exact": True},
    }
    paused_at = dt.datetime.fromisoformat(reports["paused_at"])
    assert dt.datetime.now(dt.UTC) - paused_at > dt.timedelta(days=3)
    assert [pool["name"] for pool in document["workers"]] == ["web-1:1", "web-2:1", "web-3:1"]
    assert [pool["lost"] for pool in document["workers"]] == [False, False, True]


def test_the_document_has_the_fields_of_the_api(work: None) -> None:
    document = json.loads(run("jobs", "status", "--json").out)
    assert set(QueueSerializer().fields) == set(document["queues"][0]) - {"retrying", "failed"}
    assert set(WorkerSerializer().fields) == set(document["workers"][0])


def test_a_count_that_reaches_its_bound_says_at_least(
    work: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stats, "BOUND", 5)
    queues = {queue.state.name: queue for queue in overview.look("default").queues}
    mail, reports = queues["mail"], queues["reports"]
    assert not mail.scheduled.exact
    assert mail.scheduled.count + mail.retrying.count == 6
    assert (reports.failed.count, reports.failed.exact) == (6, False)
    line = next(row for row in run("jobs", "status").out.splitlines() if "reports" in row)
    assert "6+" in line.split()


class TestCheck:
    def check(self, *arguments: str) -> Ran:
        return run("jobs", "status", "--check", *arguments)

    def test_all_well_is_0(self) -> None:
        factories.job(available_at=ago(seconds=100))
        factories.job(JobStatus.FAILED)
        pool("web-1:1")
        assert self.check() == Ran(0, "OK - workers 1, 0 of 8 threads busy\n", "")

    def test_an_old_ready_job_is_1(self) -> None:
        pool("web-1:1")
        factories.job(queue="mail", available_at=ago(hours=2, minutes=30))
        ran = self.check("--max-ready-age", "300")
        assert ran.code == 1
        assert ran.out == "WARNING - queue mail: oldest ready job 2h30m, limit 5m\n"
        assert self.check("--max-ready-age", "86400").code == 0

    def test_an_old_job_behind_many_young_ones_of_higher_priority_is_found(self) -> None:
        pool("web-1:1")
        factories.jobs(50, priority=5)
        factories.job(priority=-5, available_at=ago(hours=2))
        assert self.check().code == 1

    def test_a_backlog_in_a_paused_queue_is_meant_to_be(self) -> None:
        pool("web-1:1")
        factories.job(queue="mail", available_at=ago(hours=2))
        Queue.objects.create(name="mail", paused_at=ago(hours=3))
        assert self.check().code == 0

    def test_too_many_failed_jobs_is_1(self) -> None:
        pool("web-1:1")
        factories.jobs(3, JobStatus.FAILED)
        assert self.check("--max-dead", "3").code == 0
        assert self.check("--max-dead", "2") == Ran(1, "WARNING - 3 failed jobs, limit 2\n", "")

    def test_too_few_workers_is_2_and_comes_first(self) -> None:
        pool("web-1:1", heartbeat_at=ago(hours=1))
        factories.jobs(3, JobStatus.FAILED)
        ran = self.check("--max-dead", "0")
        assert ran.code == 2
        assert ran.out == ("CRITICAL - 0 live workers, at least 1 wanted; 3 failed jobs, limit 0\n")
        assert self.check("--min-workers", "0").code == 0

    def test_a_database_that_is_away_is_2(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def away(using: str) -> Any:
            raise DatabaseError("connection refused\nmore")

        monkeypatch.setattr(overview, "look", away)
        ran = self.check()
        assert ran == Ran(2, "CRITICAL - database: connection refused\n", "")
        with pytest.raises(CommandError, match="database"):
            run("jobs", "status")

    def test_json_holds_code_and_findings(self) -> None:
        document = json.loads(self.check("--json").out)
        assert document["code"] == 2
        assert document["findings"] == ["0 live workers, at least 1 wanted"]

    def test_the_shell_sees_the_code(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run_from_argv(capsys, "jobs", "status", "--check").code == 2


class TestWatch:
    @pytest.fixture(autouse=True)
    def three_looks(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """The third pause is when somebody presses Ctrl-C."""
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 3:
                raise KeyboardInterrupt

        monkeypatch.setattr("jobs.management.subcommands.status.time.sleep", pause)
        return pauses

    def test_a_terminal_is_redrawn_until_ctrl_c(self, three_looks: list[float], work: None) -> None:
        ran = run("jobs", "status", "--watch", "2", terminal=True)
        assert (ran.code, three_looks) == (0, [2.0, 2.0, 2.0])
        assert ran.out.startswith("\x1b[H\x1b[2J")
        assert ran.out.count("\x1b[H\x1b[2J") == ran.out.count(GOLDEN) == 3

    def test_a_file_gets_one_table_after_the_other(self, work: None) -> None:
        ran = run("jobs", "status", "--watch", "2")
        assert "\x1b" not in ran.out
        assert ran.out.count(GOLDEN) == 3

    def test_an_outage_is_shown_and_outlived(
        self, monkeypatch: pytest.MonkeyPatch, work: None
    ) -> None:
        looks: list[str] = []
        real = overview.look

        def away_once(using: str) -> Any:
            looks.append(using)
            if len(looks) == 2:
                raise DatabaseError("connection refused")
            return real(using)

        monkeypatch.setattr(overview, "look", away_once)
        ran = run("jobs", "status", "--watch", "2")
        assert ran.out.count("database: connection refused") == 1
        assert ran.out.count(GOLDEN) == 2

    @pytest.mark.parametrize("other", ["--json", "--check"])
    def test_it_goes_with_neither_json_nor_check(self, other: str) -> None:
        with pytest.raises(CommandError, match="neither --json nor --check"):
            run("jobs", "status", "--watch", "2", other)
