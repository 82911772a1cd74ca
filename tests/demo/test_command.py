from __future__ import annotations

import email
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.test import override_settings
from PIL import Image

from jobs.models import Job, Workflow
from tests.management.terminal import Ran, run
from tests.support.live import running_pool, web_server

pytestmark = pytest.mark.usefixtures("committed_db", "outbox")


@pytest.fixture
def url() -> Iterator[str]:
    with web_server() as served:
        yield served


def demo(url: str, *arguments: str, terminal: bool = False) -> Ran:
    return run("demo", "--url", url, "--jobs", "15", *arguments, terminal=terminal)


TABLE = """\
what         jobs  succeeded  failed  cancelled  open  attempts  as it should
image           3          3       0          0     0         3  yes
report          1          1       0          0     0         1  yes
slow            1          1       0          0     0         1  yes
stopped         1          0       0          1     0         1  yes
dead letter     1          0       1          0     0         1  yes
e-mail          2          2       0          0     0         2  yes
webhook         2          2       0          0     0         2  yes
priority        2          2       0          0     0         2  yes
delayed         1          1       0          0     0         1  yes
flaky           1          1       0          0     0         n  yes
"""


def test_every_job_comes_to_what_it_should_and_leaves_real_files(url: str, media: Path) -> None:
    with running_pool():
        ran = demo(url)
    assert ran.code == 0, ran.out
    # How often the flaky one fails hangs on the run: once or twice.
    assert re.sub(r"[23](  yes\n\nConsole)", r"n\1", ran.out).startswith(TABLE)
    assert re.search(
        r"^All 15 jobs and 2 workflows came to what they should, in [\d.]+ s\.$", ran.out, re.M
    )
    messages = [email.message_from_bytes(p.read_bytes()) for p in (media / "outbox").iterdir()]
    assert len(messages) == 2
    assert all(str(message["Subject"]).startswith("Your order 10") for message in messages)
    deliveries = [json.loads(p.read_text()) for p in (media / "webhooks").iterdir()]
    assert {delivery["data"]["event"] for delivery in deliveries} == {"order.shipped"}
    sizes = set()
    for path in (media / "resized").iterdir():
        with Image.open(path) as image:
            sizes.add(image.size)
    assert sizes == {(1024, 768), (320, 240), (64, 48)}
    (report,) = (media / "reports").iterdir()
    assert "demo.send_email,succeeded,2,1" in report.read_text().splitlines()
    assert str(media / "reports") in ran.out


def test_one_workflow_can_be_watched_and_one_fails(url: str) -> None:
    with running_pool():
        ran = demo(url)
    release, broken = Workflow.objects.order_by("pk")
    assert (release.status, broken.status) == ("succeeded", "failed")
    assert release.finished_at is not None
    assert (release.finished_at - release.created_at).total_seconds() >= 5
    assert release.jobs.get(step_name="announce").result == {"released": 0.5}
    assert set(broken.jobs.filter(status="cancelled").values_list("step_name", flat=True)) == {
        "reconcile",
        "publish",
    }
    assert f"{url}/workflows/{release.pk} (release)" in ran.out
    assert f"{url}/workflows/{broken.pk} (nightly-import)" in ran.out


def test_without_waiting_it_enqueues_and_leaves(url: str) -> None:
    ran = demo(url, "--no-wait")
    assert ran.code == 0
    assert ran.out.splitlines()[:2] == ["what         jobs", "image           3"]
    assert ran.out.endswith("15 jobs enqueued; not waited for.\n")
    assert ran.err == f"15 jobs enqueued and 2 workflows submitted at {url}\n"
    assert Job.objects.filter(workflow=None).count() == 15
    assert set(Workflow.objects.values_list("name", flat=True)) == {"release", "nightly-import"}


def test_json_is_one_document(url: str) -> None:
    document = json.loads(demo(url, "--no-wait", "--json").out)
    assert (document["ok"], document["waited"], document["url"]) == (True, False, url)
    first = document["jobs"][0]
    assert first == {
        "id": Job.objects.earliest("id").pk,
        "kind": "image",
        "task": "demo.resize_image",
        "status": "queued",
        "expected": "succeeded",
        "attempts": 0,
        "file": None,
        "wrong": [],
    }


def test_jobs_that_do_not_end_in_time_are_named(url: str) -> None:
    ran = demo(url, "--timeout", "1")
    assert ran.code == 1
    assert ran.out.endswith("17 of 17 jobs and workflows did not come to what they should.\n")
    job = Job.objects.earliest("id").pk
    assert f"job {job} (image) is queued, not succeeded" in ran.out
    release = Workflow.objects.get(name="release").pk
    assert f"workflow {release} (release) is running, not succeeded" in ran.out


def test_a_job_that_fails_is_named_with_its_error(url: str) -> None:
    with override_settings(DEMO_WEBHOOK_HOSTS=[]), running_pool():
        ran = demo(url)
    assert ran.code == 1
    failed = re.findall(r"^job \d+ \(webhook\) is failed, not succeeded: (.*)$", ran.out, re.M)
    assert len(failed) == 2
    assert all("is not in DEMO_WEBHOOK_HOSTS; nothing was sent" in text for text in failed)
    assert "2 of 17 jobs and workflows did not come to what they should." in ran.out


def test_a_terminal_sees_how_far_it_is(url: str) -> None:
    assert "enqueued 15 of 15" in demo(url, "--no-wait", terminal=True).err


def test_too_few_jobs_are_refused(url: str) -> None:
    with pytest.raises(CommandError, match=r"--jobs: must be a whole number from 15 to 1,000"):
        run("demo", "--url", url, "--jobs", "14")


def test_a_server_that_is_away_is_named() -> None:
    with pytest.raises(CommandError, match=r"http://127\.0\.0\.1:1 cannot be reached"):
        demo("http://127.0.0.1:1")


def test_ctrl_c_ends_it_with_130(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("demo.showcase.follow", interrupted)
    ran = demo(url)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.endswith("Stopped. The jobs that were enqueued go on.\n")
