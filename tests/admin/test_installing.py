"""The admin is for projects that have it and want it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.processes import ROOT

CODE = """
import sys
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="for tests only",
    USE_TZ=True,
    DATABASES={{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": "x"}}}},
    AUTH_USER_MODEL="auth.User",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.messages",
                    "django.contrib.sessions", {apps} "rest_framework", "jobs"],
    QFORGE={qforge},
)
django.setup()
names = [name for name in sys.modules if name.startswith("jobs.admin")]
if django.apps.apps.is_installed("django.contrib.admin"):
    from django.contrib.admin import site
    print(bool(names), len([m for m in site._registry if m._meta.app_label == "qforge"]))
else:
    print(bool(names))
"""


@pytest.mark.parametrize(
    ("apps", "qforge", "printed"),
    [
        ("", "{}", "False"),
        ("'django.contrib.admin',", "{}", "True 9"),
        ("'django.contrib.admin',", "{'ADMIN_ENABLED': False}", "True 0"),
    ],
)
def test_the_admin_is_imported_and_registered_where_it_is_wanted(
    apps: str, qforge: str, printed: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE.format(apps=apps, qforge=qforge)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == (printed, "")
