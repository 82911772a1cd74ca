"""The guide's examples are tests; here they are run as a project would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.support.processes import ROOT, SETTINGS, url_of

PAGE = ROOT / "docs/guides/testing.md"
BLOCK = re.compile(r"```python\n# ([^\n]*)\n(.*?)```", re.DOTALL)


@pytest.mark.postgres
def test_the_examples_of_the_guide_pass(django_db_setup: None, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(text)
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(tmp_path / "pytest.ini")]
    command += ["-p", "jobs.testing.pytest_plugin", "-p", "no:cacheprovider", f"--ds={SETTINGS}"]
    environment = os.environ | {
        "DATABASE_URL": url_of(connection.settings_dict),
        "TEST_DATABASE_SETTINGS": json.dumps({"TEST": {"NAME": "test_of_the_guide"}}),
        "PYTHONPATH": f"{ROOT}:{tmp_path}",
    }
    done = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^9 passed", done.stdout, re.MULTILINE), done.stdout
