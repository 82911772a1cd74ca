"""The host project with the queue in a database of its own. The default one is out of reach, or
there is none, with `TEST_NO_DEFAULT_DATABASE`."""

from __future__ import annotations

import os

from tests.process_app.settings import *  # noqa: F403
from tests.process_app.settings import DATABASES, QFORGE

DATABASES["queue"] = DATABASES["default"]
DATABASES["default"] = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": "nobody",
    "HOST": "127.0.0.1",
    "PORT": 1,
}
if os.environ.get("TEST_NO_DEFAULT_DATABASE"):
    DATABASES["default"] = {}
DATABASE_ROUTERS = ["jobs.routers.QueueRouter"]
QFORGE["DATABASE"] = "queue"
