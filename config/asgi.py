"""The ASGI entry point of the demo project; it also serves the static files."""

from __future__ import annotations

import os

from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Not a middleware: one that is not async would put every live stream on a thread of its own.
application = ASGIStaticFilesHandler(get_asgi_application())
