"""The project's settings and the app of misbehaving tasks; variables change what tests vary."""

from __future__ import annotations

import json
import os
from typing import Any

from config.settings import *  # noqa: F403
from config.settings import DATABASES, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.process_app"]

# Keys of the default database, as JSON: {"CONN_MAX_AGE": 600}.
_changes: dict[str, Any] = json.loads(os.environ.get("TEST_DATABASE_SETTINGS", "{}"))
DATABASES["default"] |= _changes
