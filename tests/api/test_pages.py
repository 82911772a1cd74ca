"""Pages: they show what there is, escape it, and load nothing from elsewhere."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.test import Client, override_settings

from tests.api.client import Api


@pytest.mark.parametrize("path", ["/", "/api/docs/"])
def test_pages_have_no_inline_script_or_style(api: Api, path: str) -> None:
    page = api.client.get(path)
    text = page.content.decode()
    assert page.status_code == 200
    assert not re.search(
        r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?:\ssrc=|application/json))|javascript:", text
    )
    policy = page["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in re.sub(r"style-src [^;]*", "", policy)


@pytest.mark.parametrize("path", ["/", "/api/docs/"])
def test_every_file_a_page_loads_is_there(api: Api, path: str) -> None:
    text = api.client.get(path).content.decode()
    loaded = re.findall(r'<(?:link|script)[^>]*(?:href|src)="([^"]+)"', text)
    assert loaded
    for address in loaded:
        assert address.startswith("/static/")
        assert finders.find(address.removeprefix("/static/")), address


def test_static_files_on_another_host_are_allowed_by_the_policy(api: Api) -> None:
    with override_settings(STATIC_URL="https://cdn.example/static/"):
        page = api.client.get("/")
    assert "style-src https://cdn.example;" in page["Content-Security-Policy"]
    assert b'href="https://cdn.example/static/qforge/app.css"' in page.content


def test_the_docs_page_gives_the_csrf_token_to_its_script(api: Api) -> None:
    text = api.client.get("/api/docs/").content.decode()
    assert 'data-schema-url="/api/schema/?format=json"' in text
    assert 'data-csrf-header="X-CSRFTOKEN"' in text
    assert re.search(r'data-csrf-token="\w{32,}"', text)


def test_what_keeps_somebody_from_a_page_is_shown_as_a_page(db: None) -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_user("plain"))
    page = browser.get("/api/docs/")
    assert (page.status_code, page["Content-Type"]) == (403, "text/html; charset=utf-8")
    assert "Log in as a member of staff." in page.content.decode()
    assert "default-src 'none'" in page["Content-Security-Policy"]
