"""The API within other people's projects: their settings, their routes, without the openapi extra.

Each test is a process of its own, since what is looked at happens when Django starts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BEGINNING = "import sys\nfrom tests.api.host import *\nDATABASE = sys.argv[1]\n"


def run(script: str, tmp_path: Path) -> Any:
    """What a script says, run in a Python of its own."""
    program = BEGINNING + textwrap.dedent(script)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tmp_path / "db")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_projects_framework_settings_and_routes_do_not_matter(tmp_path: Path) -> None:
    found = run(
        """
        client = start(DATABASE, REST_FRAMEWORK=FRAMEWORK)
        made = post(client, "/api/jobs/", {"task": "host.add", "payload": {"a": "é"}})
        listed = client.get(f"{PREFIX}/api/jobs", {"page_size": 1})
        wrong = client.get(f"{PREFIX}/api/jobs/?as=xml")
        say({
            "made": [made.status_code, made["Content-Type"], made["Location"]],
            "created": made.json()["created_at"],
            "raw": "é" in made.content.decode(),
            "listed": [listed.status_code, listed["Content-Type"], len(listed.json()["results"])],
            "wrong": [wrong.status_code, wrong["Content-Type"], wrong.json()["errors"][0]["field"]],
            "page": client.get(f"{PREFIX}/").content.decode(),
        })
        """,
        tmp_path,
    )
    assert found["made"] == [201, "application/json", "/tools/qforge/api/jobs/1/"]
    assert found["created"].endswith("Z")
    assert found["raw"] is True
    assert found["listed"] == [200, "application/json", 1]
    assert found["wrong"] == [422, "application/problem+json", "as"]
    assert 'href="/tools/qforge/api/docs/"' in found["page"]
    assert 'href="/assets/qforge/app.css"' in found["page"]


def test_without_the_docs_extra_all_but_the_docs_works(tmp_path: Path) -> None:
    found = run(
        """
        sys.modules["drf_spectacular"] = None
        client = start(DATABASE)
        made = post(client, "/api/jobs/", {"task": "host.add", "args": [1]})
        schema = client.get(f"{PREFIX}/api/schema/")
        docs = client.get(f"{PREFIX}/api/docs/")
        from jobs.api.base import documented
        from jobs.api.views.jobs import JobListView
        with documented():
            inspector = JobListView.schema
        say({
            "made": made.status_code,
            "schema": [schema.status_code, schema["Content-Type"], schema.json()["detail"]],
            "docs": [docs.status_code, "django-qforge[openapi]" in docs.content.decode()],
            "inspector": inspector,
        })
        """,
        tmp_path,
    )
    assert found["made"] == 201
    assert found["schema"][:2] == [404, "application/problem+json"]
    assert "django-qforge[openapi]" in found["schema"][2]
    assert found["docs"] == [404, True]
    assert found["inspector"] is None


def test_serving_jobs_does_not_load_what_only_the_docs_need(tmp_path: Path) -> None:
    found = run(
        """
        client = start(DATABASE)
        client.get(f"{PREFIX}/api/jobs/")
        before = "drf_spectacular" in sys.modules
        document = client.get(f"{PREFIX}/api/schema/?format=json").json()
        say([before, document["info"]["title"], f"{PREFIX}/api/jobs/" in document["paths"]])
        """,
        tmp_path,
    )
    assert found == [False, "QForge", True]


def test_starting_opens_no_connection_and_starts_no_thread(tmp_path: Path) -> None:
    found = run(
        """
        import importlib, threading
        seen = []
        names = ("socket.connect", "sqlite3.connect", "_thread.start_new_thread")
        sys.addaudithook(lambda name, args: seen.append(name) if name in names else None)
        configure(DATABASE)
        for name in ("urls", "live.feed", "stats", "client"):
            importlib.import_module(f"jobs.{name}")
        say([seen, threading.active_count(), exists(DATABASE)])
        """,
        tmp_path,
    )
    assert found == [[], 1, False]


def test_a_real_fault_is_not_taken_for_a_missing_extra(tmp_path: Path) -> None:
    found = run(
        """
        client = start(DATABASE)
        from jobs.api import base
        sys.modules["jobs.api.serializers.problems"] = None
        try:
            with base.documented():
                base.JobsView.schema
        except ModuleNotFoundError as error:
            say(str(error))
        """,
        tmp_path,
    )
    assert "jobs.api.serializers.problems" in found


def test_the_projects_own_document_has_the_api_only_when_that_is_wanted(tmp_path: Path) -> None:
    found = run(
        """
        start(DATABASE)
        from django.test import override_settings
        from drf_spectacular.generators import SchemaGenerator
        def paths():
            return len(SchemaGenerator().get_schema(public=True)["paths"])
        before = paths()
        with override_settings(QFORGE={"IN_PROJECT_SCHEMA": True}):
            wanted = paths()
        say([before, wanted > 20, paths()])
        """,
        tmp_path,
    )
    assert found == [0, True, 0]


def test_the_api_speaks_one_language_whatever_the_projects(tmp_path: Path) -> None:
    found = run(
        """
        client = start(DATABASE, LANGUAGE_CODE="de", USE_I18N=True)
        from django.utils import translation
        wrong = client.delete(f"{PREFIX}/api/jobs/").json()
        say([wrong["title"], wrong["detail"], translation.get_language()])
        """,
        tmp_path,
    )
    assert found == ["Method Not Allowed", 'Method "DELETE" not allowed.', "de"]
