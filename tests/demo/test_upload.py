from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

Build = Callable[..., bytes]
URL = "/demo/upload/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ada", is_staff=True, is_superuser=True))
    return client


def upload(client: Client, data: bytes, content_type: str = "image/png", **headers: str) -> Any:
    return client.post(URL, data, content_type, headers=headers)


def test_an_upload_is_stored_under_the_hash_of_its_content(
    staff: Client, media: Path, picture: Build
) -> None:
    data = picture((30, 20))
    answer = upload(staff, data)
    assert answer.status_code == 201
    body = answer.json()
    assert (body["width"], body["height"], body["bytes"]) == (30, 20, len(data))
    assert [p.name for p in (media / "uploads").iterdir()] == [Path(body["file"]).name]
    assert (media / body["file"]).read_bytes() == data


def test_the_same_image_is_stored_once(staff: Client, media: Path, picture: Build) -> None:
    names = {upload(staff, picture()).json()["file"] for _ in range(2)}
    assert len(names) == len(list((media / "uploads").iterdir())) == 1


def test_the_suffix_comes_from_the_content(staff: Client, picture: Build) -> None:
    answer = upload(staff, picture(image_format="JPEG"), "image/svg+xml")
    assert answer.json()["file"].endswith(".jpg")


@pytest.mark.parametrize("data", [b"", b"<html><script>alert(1)</script>", b"<svg/>"])
def test_what_is_no_image_is_refused(data: bytes, staff: Client, media: Path) -> None:
    assert upload(staff, data).status_code == 415
    assert not media.exists()


@override_settings(DEMO_UPLOAD_MAX_BYTES=1000)
@pytest.mark.parametrize("size", [1001, 5_000_000])
def test_an_upload_over_the_limit_is_refused(size: int, staff: Client, media: Path) -> None:
    answer = upload(staff, b"x" * size)
    assert (answer.status_code, answer.json()) == (
        413,
        {"detail": "at most 1,000 bytes are allowed"},
    )
    assert not media.exists()


def test_an_image_of_exactly_the_limit_is_taken(staff: Client, picture: Build) -> None:
    data = picture()
    with override_settings(DEMO_UPLOAD_MAX_BYTES=len(data)):
        assert upload(staff, data).status_code == 201


@pytest.mark.parametrize(
    "content_type",
    ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain"],
)
def test_what_a_foreign_page_can_make_a_browser_send_is_refused(
    content_type: str, staff: Client, media: Path, picture: Build
) -> None:
    assert upload(staff, picture(), content_type).status_code == 415
    assert not media.exists()


@override_settings(QFORGE={})
def test_strangers_may_not_upload(media: Path, picture: Build) -> None:
    assert upload(Client(), picture()).status_code in (401, 403)
    plain = Client()
    plain.force_login(User.objects.create_user("bob"))
    assert upload(plain, picture()).status_code == 403
    assert not media.exists()


def test_a_browser_session_needs_its_csrf_token(picture: Build) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("ada", is_staff=True, is_superuser=True))
    assert upload(client, picture()).status_code == 403
