from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.test import override_settings

from jobs.models import Job
from tests.management.terminal import Ran, run
from tests.support.live import running_pool, web_server

pytestmark = pytest.mark.usefixtures("committed_db")

SMALL = ("--jobs", "30", "--concurrency", "4", "--delayed", "0.1", "--timeout", "50")


@pytest.fixture
def url() -> Iterator[str]:
    with web_server() as served:
        yield served


def load(url: str, *arguments: str, terminal: bool = False) -> Ran:
    return run("jobs", "loadtest", "--url", url, *arguments, terminal=terminal)


def test_a_load_is_enqueued_run_and_found_to_be_right(url: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    with running_pool():
        ran = load(url, *SMALL, "--json", str(file))
    assert ran.code == 0, ran.out
    assert ran.out.rstrip().endswith("Status: PASSED\n" + "=" * 78)
    headings = re.findall(r"^\d\. .*$", ran.out, re.MULTILINE)
    assert headings == [
        "1. Workload",
        "2. Outcomes",
        "3. Performance",
        "4. Retries and dead letters",
        "5. Correctness",
        "6. Environment",
    ]
    assert all(len(line) <= 78 for line in ran.out.splitlines())
    report = json.loads(file.read_text())
    assert report["outcomes"]["succeeded"] == 29
    assert report["retries"] == {
        "failed_attempts": 13,
        "retried_jobs": 9,
        "dead_letters": 1,
        "rescued": 0,
        "released": 0,
    }
    assert all(check["passed"] for check in report["checks"])
    assert len(report["checks"]) == 11
    assert report["performance"]["latency"]["end_to_end_delayed"]["count"] > 0
    assert Job.objects.filter(status="succeeded").count() == 29


def test_the_document_alone_goes_to_stdout_when_asked_for(url: str) -> None:
    with running_pool():
        ran = load(url, "--jobs", "4", "--flaky", "0", "--delayed", "0", "--json", "-")
    report = json.loads(ran.out)
    assert (ran.code, report["status"]) == (0, "PASSED")
    assert "jobs enqueued in" in ran.err


def test_a_terminal_sees_how_far_it_is(url: str) -> None:
    with running_pool():
        ran = load(url, "--jobs", "4", "--flaky", "0", "--delayed", "0", terminal=True)
    assert "finished 4 of 4" in ran.err
    assert "finished 4" not in ran.out


def test_without_workers_the_test_fails_and_says_why(url: str) -> None:
    ran = load(url, "--jobs", "3", "--delayed", "0", "--timeout", "1")
    assert ran.code == 1
    assert "! no live worker is known here" in ran.err
    assert "Status: FAILED" in ran.out
    assert "[FAILED] every job ended (3 looked at, 3 wrong)" in ran.out
    assert "is still queued" in ran.out


def test_a_refused_load_is_an_error(url: str) -> None:
    with pytest.raises(CommandError, match=r"no job was accepted: .*422.*queue"):
        load(url, "--jobs", "3", "--queue", "no such queue")


def test_the_api_is_asked_before_the_load_begins() -> None:
    with web_server(QFORGE={}) as closed, pytest.raises(CommandError, match="Give --user"):
        load(closed, "--jobs", "3")
    assert not Job.objects.exists()


@override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
def test_a_user_of_staff_may_load_a_closed_server(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_user("ada", password="secret", is_staff=True, is_superuser=True)
    monkeypatch.setenv("JOBS_API_PASSWORD", "secret")
    try:
        with web_server(QFORGE={}) as closed, running_pool():
            ran = load(closed, "--jobs", "3", "--flaky", "0", "--delayed", "0", "--user", "ada")
    finally:
        User.objects.all().delete()
    assert ran.code == 0


def test_another_machine_is_not_loaded_by_accident() -> None:
    with pytest.raises(CommandError, match=r"jobs\.example\.com is not this machine"):
        load("https://jobs.example.com", "--jobs", "3")


def test_the_database_of_another_deployment_is_noticed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.management.loadtest.facts.read", lambda using, ids: {})
    with running_pool(), pytest.raises(CommandError, match="not in this project's database"):
        load(url, "--jobs", "2", "--flaky", "0", "--delayed", "0")


def test_ctrl_c_ends_it_with_130(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> list[int]:
        raise KeyboardInterrupt

    monkeypatch.setattr("jobs.management.loadtest.drive.wait", interrupted)
    ran = load(url, "--jobs", "2")
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.endswith("Stopped. The jobs that were enqueued go on.\n")


def test_a_report_that_cannot_be_written_is_an_error(url: str, tmp_path: Path) -> None:
    with running_pool(), pytest.raises(CommandError, match=r"--json: .*No such file"):
        load(url, "--jobs", "1", "--flaky", "0", "--json", str(tmp_path / "no/such/report.json"))
