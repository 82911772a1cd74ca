"""Routes of the demo project: the jobs app at the root, the admin and the demo beside it."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("demo.urls")),
    path("", include("jobs.urls")),
]
