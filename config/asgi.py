"""The ASGI entry point of the demo project; it also serves the static files."""

from __future__ import annotations

import os

from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Under ASGI each request has a thread of its own: without a pool it would connect anew.
os.environ.setdefault("DATABASE_POOL_SIZE", "10")

# Not a middleware: one that is not async would put every live stream on a thread of its own.
application = ASGIStaticFilesHandler(get_asgi_application())
