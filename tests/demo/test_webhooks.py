from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from demo import tasks, webhooks
from jobs import JobContext, PermanentError, Retry

Build = Callable[..., JobContext]


def test_a_webhook_arrives_signed_and_under_the_key_of_its_job(
    receiver: Any, context: Build
) -> None:
    result = tasks.post_webhook(receiver.url + "?x=1", {"order": 4}, context(11))
    ((path, headers, body),) = receiver.received
    assert path == "/hook?x=1"
    assert json.loads(body) == {"data": {"order": 4}, "job": 11}
    assert headers["Idempotency-Key"] == "job-11"
    assert webhooks.is_signed("job-11", body, headers["X-Demo-Signature"])
    assert result == {"status": 200, "answer": "fine"}


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503])
def test_a_passing_trouble_of_the_receiver_is_tried_again(
    status: int, receiver: Any, context: Build
) -> None:
    receiver.then(status, b"busy")
    with pytest.raises(Retry, match=f"answered {status}: busy") as caught:
        tasks.post_webhook(receiver.url, {}, context())
    assert caught.value.after is None


def test_the_receiver_may_say_when_to_come_back(receiver: Any, context: Build) -> None:
    receiver.then(503, Retry_After="7")
    receiver.then(503, Retry_After="999999")
    receiver.then(503, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")
    afters = []
    for _ in range(3):
        with pytest.raises(Retry) as caught:
            tasks.post_webhook(receiver.url, {}, context())
        afters.append(caught.value.after)
    assert afters == [7.0, 3600.0, None]


@pytest.mark.parametrize("status", [400, 401, 404, 410, 422])
def test_a_refusal_is_final(status: int, receiver: Any, context: Build) -> None:
    receiver.then(status, b"no")
    with pytest.raises(PermanentError, match=f"answered {status}"):
        tasks.post_webhook(receiver.url, {}, context())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int, receiver: Any, context: Build) -> None:
    receiver.then(status, Location=f"http://{receiver.host}/elsewhere")
    with pytest.raises(PermanentError, match=f"answered {status}"):
        tasks.post_webhook(receiver.url, {}, context())
    assert [path for path, _, _ in receiver.received] == ["/hook"]


def test_a_receiver_that_is_away_is_tried_again(receiver: Any, context: Build) -> None:
    with (
        override_settings(DEMO_WEBHOOK_HOSTS=["127.0.0.1:1"]),
        pytest.raises(OSError, match="refused"),
    ):
        tasks.post_webhook("http://127.0.0.1:1/", {}, context())


def test_a_proxy_of_the_environment_is_not_used(
    receiver: Any, context: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert tasks.post_webhook(receiver.url, {}, context())["status"] == 200
