"""The host project with the queue in a database of its own, and the default one out of reach."""

from __future__ import annotations

from tests.process_app.settings import *  # noqa: F403
from tests.process_app.settings import DATABASES, QFORGE

DATABASES["queue"] = DATABASES["default"]
DATABASES["default"] = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": "nobody",
    "HOST": "127.0.0.1",
    "PORT": 1,
}
DATABASE_ROUTERS = ["jobs.routers.QueueRouter"]
QFORGE["DATABASE"] = "queue"
