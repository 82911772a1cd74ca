"""The examples of the guide are a project of their own, in which its promises are tested."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.support.processes import ROOT, url_of

PAGE = ROOT / "docs/guides/idempotency.md"
CASES = Path(__file__).with_name("idempotency_cases.py")
BLOCK = re.compile(r"```python\n# (shop/[^\n]*)\n(.*?)```", re.DOTALL)
SETTINGS = """
from config.settings import *

INSTALLED_APPS += ["shop"]
"""


@pytest.mark.postgres
def test_the_handlers_of_the_guide_may_run_twice(django_db_setup: None, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").touch()
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(text)
    (tmp_path / "shop_settings.py").write_text(SETTINGS)
    (tmp_path / "test_cases.py").write_text(CASES.read_text(encoding="utf-8"))
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(tmp_path / "pytest.ini")]
    command += ["-p", "jobs.testing.pytest_plugin", "-p", "no:cacheprovider"]
    environment = os.environ | {
        "DATABASE_URL": url_of(connection.settings_dict),
        "DJANGO_SETTINGS_MODULE": "shop_settings",
        "PYTHONPATH": f"{ROOT}:{tmp_path}",
    }
    done = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^4 passed", done.stdout, re.MULTILINE), done.stdout
