"""What a project includes: the console, the API and its documentation."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path

from jobs.api.urls import urlpatterns as api
from jobs.console import ROUTES, ConsoleView

app_name = "qforge"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", ConsoleView.as_view(), name="console"),
    re_path(ROUTES, ConsoleView.as_view()),
    *api,
]
