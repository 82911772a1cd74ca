from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from demo import webhooks


def deliver(key: str, body: bytes, signature: str | None = None) -> Any:
    signature = webhooks.sign(key, body) if signature is None else signature
    headers = {"Idempotency-Key": key, "X-Demo-Signature": signature}
    client = Client(enforce_csrf_checks=True)
    return client.post("/demo/webhooks/", body, "application/json", headers=headers)


def test_a_delivery_is_stored_once_for_its_key(media: Path) -> None:
    assert deliver("job-1", b'{"a": 1}').status_code == 201
    assert deliver("job-1", b'{"a": 1}').status_code == 200
    (stored,) = (media / "webhooks").iterdir()
    assert json.loads(stored.read_text()) == {"a": 1}


def test_a_delivery_that_is_not_ours_is_refused(media: Path) -> None:
    body = b'{"a": 1}'
    assert deliver("job-1", body, "").status_code == 403
    assert deliver("job-1", body, "é" * 64).status_code == 403
    assert deliver("job-1", b"{}", webhooks.sign("job-1", body)).status_code == 403
    assert deliver("job-2", body, webhooks.sign("job-1", body)).status_code == 403
    assert not media.exists()


@pytest.mark.parametrize("key", ["", "../x", ".hidden", "a/b", "x" * 101])
def test_a_key_that_is_no_file_name_is_refused(key: str, media: Path) -> None:
    assert deliver(key, b"{}").status_code == 400
    assert not media.exists()


def test_what_is_not_json_is_refused(media: Path) -> None:
    assert deliver("job-1", b"\xff{").status_code == 400
    assert not media.exists()


def test_only_post_is_taken() -> None:
    assert Client().get("/demo/webhooks/").status_code == 405
