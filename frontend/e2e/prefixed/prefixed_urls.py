"""The routes of the demo project, those of the jobs app below `deep/inside/`."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("demo.urls")),
    path("deep/inside/", include("jobs.urls")),
]
