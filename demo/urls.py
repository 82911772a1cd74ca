"""Routes of the demo; in DEBUG also the files that its jobs make."""

from __future__ import annotations

from django.conf import settings
from django.urls import path

from demo import views

app_name = "demo"

urlpatterns = [
    path("demo/upload/", views.UploadView.as_view(), name="upload"),
    path("demo/webhooks/", views.receive_webhook, name="webhooks"),
]
if settings.DEBUG:
    media = settings.MEDIA_URL.lstrip("/")
    urlpatterns.append(path(f"{media}<path:name>", views.media_file, name="media"))
