"""What a project includes: the API, its documentation and the status page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "qforge"

urlpatterns: list[URLPattern | URLResolver] = []
