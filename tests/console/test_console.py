"""The console's page: who gets it, what it tells its script, and under which addresses it is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

ROUTES = [
    "/",
    "/jobs",
    "/jobs/12",
    "/workflows",
    "/workflows/12",
    "/failures",
    "/failures/0123456789abcdef0123456789abcdef",
    "/queues",
    "/workers",
    "/schedules",
    "/tasks",
    "/operations",
    "/operations/12",
    "/audit",
    "/system",
]

urlpatterns = [
    path("admin/", HttpResponse, name="login"),
    path("deep/inside/", include("jobs.urls")),
]


@pytest.fixture
def staff(db: None) -> Client:
    browser = Client()
    browser.force_login(
        get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)
    )
    return browser


def boot(page: Any) -> dict[str, Any]:
    found = re.search(r'<script id="qforge-boot"[^>]*>(.*?)</script>', page.content.decode())
    assert found
    told: dict[str, Any] = json.loads(found.group(1))
    return told


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_of_the_console_is_its_page(staff: Client, route: str) -> None:
    page = staff.get(route)
    assert page.status_code == 200
    assert boot(page)["base"] == "/"


def test_other_addresses_are_left_to_the_project(staff: Client) -> None:
    assert staff.get("/jobsearch").status_code == 404
    assert staff.get("/nothing").status_code == 404


@pytest.mark.parametrize("route", ["/", "/jobs/12"])
def test_who_is_not_logged_in_is_sent_to_the_login_and_back(db: None, route: str) -> None:
    answer = Client().get(f"{route}?status=failed")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/login/?next=")
    assert "%3Fstatus%3Dfailed" in answer["Location"]


def test_who_is_no_staff_is_told_so_in_a_page(db: None) -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_user("bob"))
    page = browser.get("/")
    assert page.status_code == 403
    assert "Log in as a member of staff." in page.content.decode()
    assert "qforge-boot" not in page.content.decode()


def test_the_script_gets_a_csrf_token_that_the_api_takes(db: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(
        get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)
    )
    told = boot(browser.get("/"))
    pause = {"path": "/api/queues/mail/pause/", "content_type": "application/json"}
    assert browser.post(**pause).status_code == 403
    headers = {told["csrf"]["header"]: told["csrf"]["token"]}
    assert browser.post(**pause, headers=headers).status_code == 200


@override_settings(ROOT_URLCONF=__name__, LOGIN_URL="/admin/")
def test_below_a_prefix_the_page_names_it(staff: Client) -> None:
    page = staff.get("/deep/inside/jobs/5")
    assert page.status_code == 200
    assert boot(page)["base"] == "/deep/inside/"
    assert staff.get("/deep/inside/api/stats/").status_code == 200
    assert staff.get("/jobs/5").status_code == 404


@override_settings(QFORGE={"ENVIRONMENT_NAME": "</script><b>production", "LEASE_SECONDS": 60})
def test_the_page_tells_environment_versions_and_settings(staff: Client) -> None:
    page = staff.get("/")
    told = boot(page)
    assert told["environment"] == "</script><b>production"
    assert b"<b>production" not in page.content
    assert told["settings"]["LEASE_SECONDS"] == 60
    assert told["settings"]["RETENTION_SECONDS"]["succeeded"] == 7 * 86400
    assert told["user"] == "ada"
    assert set(told["versions"]) == {"qforge", "django", "python"}


def test_the_policy_allows_own_files_and_the_api_and_nothing_else(staff: Client) -> None:
    page = staff.get("/")
    directives = dict(
        part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";")
    )
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self'"
    assert directives["style-src"] == "'self'"
    assert directives["connect-src"] == "'self'"
    assert page["Cache-Control"] == "no-store"


def test_the_built_files_are_here(staff: Client) -> None:
    for name in ("app.js", "app.css", "theme.js", "icon.svg"):
        assert finders.find(f"qforge/{name}"), name
        assert f"/static/qforge/{name}" in staff.get("/").content.decode()
