"""Where people log in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.shortcuts import resolve_url
from django.urls import NoReverseMatch, Resolver404, resolve, reverse


def login_url() -> str:
    """The project's LOGIN_URL; the admin's page where neither the settings nor the URLs say more.

    Django's default for LOGIN_URL leads nowhere in a project that has just the admin.
    """
    url = resolve_url(settings.LOGIN_URL)
    project: Any = settings
    if project.is_overridden("LOGIN_URL"):
        return url
    try:
        resolve(urlsplit(url).path)
    except Resolver404:
        try:
            return reverse("admin:login")
        except NoReverseMatch:
            return url
    return url
