"""Who may do what, and what other people's web pages may not make a browser do."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from jobs.api.urls import _ROUTES
from jobs.models import Job, Queue
from tests.api.client import Answer, Api
from tests.support import factories

VIEWS = {route: view for route, view, _ in _ROUTES}


def url(route: str, job_id: int = 1) -> str:
    path = route.replace("<int:job_id>", str(job_id)).replace("<str:name>", "mail")
    return "/" + re.sub(r"<int:\w+>", "1", path) + "/"


@pytest.mark.parametrize("route", sorted(VIEWS))
def test_get_changes_nothing(api: Api, route: str) -> None:
    row = factories.job("failed")
    with CaptureQueriesContext(connection) as queries:
        answer = api.client.get(url(route, row.pk))
    if not hasattr(VIEWS[route], "get"):
        assert answer.status_code == 405
        assert "GET" not in answer["Allow"]
    else:
        # 501: a stream needs ASGI.
        assert answer.status_code in (200, 404, 422, 501)
    written = [q["sql"] for q in queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert written == []


@pytest.mark.parametrize("route", sorted(VIEWS))
def test_what_acts_is_asked_by_post_alone(route: str) -> None:
    action = route.rpartition("/")[2]
    if action in ("cancel", "retry", "run-now", "pause", "resume", "enable", "disable", "bulk"):
        assert hasattr(VIEWS[route], "post")
        assert not hasattr(VIEWS[route], "get")


# Sessions: Django's CSRF check.


@pytest.fixture
def session(staff: Any) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(staff)
    return browser


def test_a_session_needs_the_csrf_token_to_write(session: Client) -> None:
    answer = Api(session).enqueue()
    assert (answer.status, answer["code"]) == (403, "permission-denied")
    assert "CSRF" in answer["detail"]
    session.cookies["csrftoken"] = "a" * 32
    assert Api(session).post("/api/queues/mail/pause/").status == 403
    assert Api(session, HTTP_X_CSRFTOKEN="a" * 32).enqueue().status == 201
    assert not Queue.objects.exists()


def test_a_form_on_a_foreign_page_cannot_use_the_session(session: Client) -> None:
    row = factories.job("failed")
    answer = session.post(
        f"/api/jobs/{row.pk}/retry/", {"reason": "x"}, HTTP_ORIGIN="https://evil.example"
    )
    assert answer.status_code == 403
    assert Job.objects.get(pk=row.pk).status == "failed"


# Basic authentication: a browser keeps the password and sends it along.


@pytest.fixture
def basic(db: None) -> Iterator[Api]:
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        get_user_model().objects.create_user(
            "bot", password="secret", is_staff=True, is_superuser=True
        )
        credentials = base64.b64encode(b"bot:secret").decode()
        yield Api(Client(enforce_csrf_checks=True), HTTP_AUTHORIZATION=f"Basic {credentials}")


def test_basic_authentication_needs_no_token(basic: Api) -> None:
    assert basic.enqueue().status == 201
    assert Job.objects.count() == 1


def test_a_wrong_password_is_refused(basic: Api) -> None:
    wrong = base64.b64encode(b"bot:wrong").decode()
    answer = Api(HTTP_AUTHORIZATION=f"Basic {wrong}").get("/api/jobs/")
    assert (answer.status, answer["code"]) == (403, "authentication-failed")


def test_a_name_that_no_database_can_hold_is_nobody(db: None) -> None:
    odd = base64.b64encode(b"a\x00b:secret").decode()
    answer = Api(HTTP_AUTHORIZATION=f"Basic {odd}").get("/api/jobs/")
    assert (answer.status, answer["code"]) == (403, "authentication-failed")


FOREIGN = [
    {"HTTP_ORIGIN": "https://evil.example"},
    {"HTTP_ORIGIN": "null"},
    {"HTTP_ORIGIN": "http://testserver:81"},
    {"HTTP_ORIGIN": "https://testserver"},
    {"HTTP_ORIGIN": "http://testserver.evil.example"},
    {"HTTP_SEC_FETCH_SITE": "cross-site"},
    {"HTTP_SEC_FETCH_SITE": "same-site"},
]
OWN = [
    {"HTTP_ORIGIN": "http://testserver"},
    {"HTTP_ORIGIN": "http://testserver", "HTTP_SEC_FETCH_SITE": "same-origin"},
    {"HTTP_SEC_FETCH_SITE": "same-origin"},
    {"HTTP_SEC_FETCH_SITE": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_foreign_page_cannot_use_the_password(basic: Api, headers: dict[str, str]) -> None:
    assert basic.post("/api/jobs/", {"task": "tests.echo"}, **headers).status == 403
    assert basic.post("/api/queues/mail/pause/", **headers).status == 403
    assert basic.get("/api/jobs/", **headers).status == 200
    assert not Job.objects.exists()
    assert not Queue.objects.exists()


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_our_own_pages_can_use_the_password(basic: Api, headers: dict[str, str]) -> None:
    assert basic.post("/api/jobs/", {"task": "tests.echo"}, **headers).status == 201


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://console.example", 201),
        ("http://console.example", 403),
        ("https://a.tools.example", 201),
        ("https://evil-tools.example", 403),
        ("https://tools.example.evil", 403),
    ],
)
def test_origins_that_the_project_trusts_may_write(basic: Api, origin: str, status: int) -> None:
    trusted = ["https://console.example", "https://*.tools.example"]
    with override_settings(CSRF_TRUSTED_ORIGINS=trusted):
        headers = {"HTTP_ORIGIN": origin, "HTTP_SEC_FETCH_SITE": "cross-site"}
        assert basic.post("/api/jobs/", {"task": "tests.echo"}, **headers).status == status


# Open on loopback: development without a login.


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_this_machine_needs_no_login_in_development(
    open_api: Api, settings: Any, host: str, address: str
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    where = {"HTTP_HOST": host, "REMOTE_ADDR": address}
    assert open_api.client.get("/api/jobs/", **where).status_code == 200
    answer = Api(**where).enqueue()
    assert answer.status == 201
    assert Api(**where).post(f"/api/jobs/{answer['id']}/cancel/", {}).status == 200
    assert Job.objects.get().events.order_by("-id")[0].data["actor"] == "anonymous"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "how",
    [
        {"DEBUG": False},
        {"QFORGE": {}},
        {"QFORGE": {"OPEN_ON_LOOPBACK": False}},
        {"REMOTE_ADDR": "10.0.0.1"},
        {"REMOTE_ADDR": "192.168.0.1"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "::ffff:10.0.0.1"},
        {"HTTP_HOST": "evil.example"},
        {"HTTP_HOST": "localhost.evil.example"},
        {"HTTP_HOST": "10.0.0.1"},
        {"HTTP_HOST": "a.localhost"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_HOST": "localhost"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
    ],
    ids=str,
)
def test_nobody_else_is_let_in_without_login(
    open_api: Api, settings: Any, how: dict[str, Any]
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    meta = {"HTTP_HOST": "localhost"}
    for name, value in how.items():
        if name in ("DEBUG", "QFORGE"):
            setattr(settings, name, value)
        else:
            meta[name] = value
    assert Api(**meta).get("/api/jobs/").status == 403
    assert Api(**meta).enqueue().status == 403
    assert Client().get("/", **meta).status_code == 302
    assert not Job.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_foreign_page_cannot_write_to_the_open_api(
    open_api: Api, headers: dict[str, str]
) -> None:
    headers = {name: text.replace("testserver", "localhost") for name, text in headers.items()}
    assert open_api.post("/api/jobs/", {"task": "tests.echo"}, **headers).status == 403
    assert open_api.raw("/api/queues/mail/pause/", "", "", **headers).status == 403
    assert not Job.objects.exists()
    assert not Queue.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
)
def test_what_a_form_can_send_is_not_taken(open_api: Api, kind: str) -> None:
    for path, body in (("jobs", '{"task": "tests.echo"}'), ("queues/mail/pause", "")):
        sent = open_api.headers | {"CONTENT_TYPE": kind}
        answer = Answer(open_api.client.generic("POST", f"/api/{path}/", body, **sent))
        assert (answer.status, answer["code"]) == (415, "unsupported-media-type")
    assert not Job.objects.exists()
    assert not Queue.objects.exists()


@pytest.mark.django_db
def test_an_action_without_a_body_needs_no_content_type_unless_a_browser_sent_it(
    open_api: Api,
) -> None:
    path = "/api/queues/mail/pause/"
    assert open_api.client.generic("POST", path, **open_api.headers).status_code == 200
    for name in ("HTTP_REFERER", "HTTP_COOKIE", "HTTP_SEC_FETCH_SITE"):
        sent = open_api.headers | {name: "same-origin"}
        assert open_api.client.generic("POST", path, **sent).status_code == 415
