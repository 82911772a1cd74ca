"""Where people are sent to log in, in projects with and without a page for it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from django.conf import UserSettingsHolder, global_settings, settings
from django.contrib import admin
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from jobs.api.login import login_url

_OTHER = path("other/", HttpResponse)
_ADMIN = path("tools/admin/", admin.site.urls)
_DEFAULT = path("accounts/login/", HttpResponse)


def urls(*patterns: Any) -> ModuleType:
    module = ModuleType("urls")
    module.urlpatterns = list(patterns)  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ([_OTHER, _ADMIN], "/tools/admin/login/"),
        ([_DEFAULT, _ADMIN], "/accounts/login/"),
        ([_OTHER], "/accounts/login/"),
    ],
    ids=["the admin", "a page at the default", "neither"],
)
def test_a_project_that_says_nothing_has_the_page_it_has(
    patterns: list[Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_said = UserSettingsHolder(global_settings)
    nothing_said.ROOT_URLCONF = urls(*patterns)  # type: ignore[misc]
    monkeypatch.setattr(settings, "_wrapped", nothing_said)
    assert login_url() == expected


@pytest.mark.parametrize("said", ["/sign-in/", global_settings.LOGIN_URL, "https://sso.test/"])
def test_what_the_project_says_is_taken_as_it_is(said: str) -> None:
    # A proxy may serve it; that Django knows no such page means nothing.
    with override_settings(ROOT_URLCONF=urls(_OTHER, _ADMIN), LOGIN_URL=said):
        assert login_url() == said
