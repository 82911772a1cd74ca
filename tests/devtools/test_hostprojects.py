"""The host projects notice what is wrong, in the README and in what is served."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from devtools.hostprojects import behaviour, readme
from devtools.hostprojects.__main__ import README
from devtools.hostprojects.errors import Unmet
from devtools.hostprojects.project import HostProject, Program, databases
from devtools.hostprojects.site import Site
from tests.devtools.processes import alive, wait_until

Routes = dict[str, tuple[str, str]]
Serve = Callable[[Routes, str], Site]

PAGE = """
## Before

```sh
echo before
```

## Add it to a project

1. Install.

   ```sh
   pip install it
   ```

2. Apps.

   ```python
   # settings.py
   APPS += [
       "it",
   ]
   ```

3. URLs.

   ```python
   # urls.py
   urls = 1
   ```

```sh
run it
```

## After

```sh
echo after
```
"""


def test_the_steps_are_the_blocks_of_their_section_without_indentation() -> None:
    install, apps, urls, run = readme.steps(PAGE)
    assert (install.text, install.file) == ("pip install it\n", None)
    assert apps.text == '# settings.py\nAPPS += [\n    "it",\n]\n'
    assert (apps.file, urls.file, run.text) == ("settings.py", "urls.py", "run it\n")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("```sh\nrun it\n```\n", "", "3 steps below 'Add it to a project', not 4"),
        ("## Add it", "## Put it", "0 steps"),
        ("# urls.py\n   ", "", "neither a command nor lines for a named file:\nurls = 1"),
        ("```python\n   # urls.py", "```toml\n   # urls.py", "neither a command"),
    ],
    ids=["one missing", "no section", "no file named", "another language"],
)
def test_a_readme_that_cannot_be_followed_is_told(old: str, new: str, told: str) -> None:
    assert old in PAGE
    with pytest.raises(Unmet) as raised:
        readme.steps(PAGE.replace(old, new))
    assert told in str(raised.value)


def test_the_readme_has_its_steps() -> None:
    files = [step.file for step in readme.steps(README.read_text(encoding="utf-8"))]
    assert files == [None, "settings.py", "urls.py", None]


def test_the_database_setting_names_server_and_database() -> None:
    found: dict[str, dict[str, dict[str, object]]] = {}
    exec(databases("postgres://postgres@%2Ftmp%2Fsockets:5433/shop"), found)  # noqa: S102
    assert found["DATABASES"]["default"] == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "shop",
        "USER": "postgres",
        "HOST": "/tmp/sockets",  # noqa: S108
        "PORT": 5433,
    }


def test_a_command_that_fails_tells_what_it_printed(tmp_path: Path) -> None:
    project = HostProject(tmp_path, tmp_path / "environment", tmp_path)
    assert project.run("sh", "-c", "echo fine") == "fine\n"
    with pytest.raises(Unmet, match=r"ended with 3:\nbroken"):
        project.run("sh", "-c", "echo broken; exit 3")


def test_a_program_ends_with_its_block_and_all_it_has_started(tmp_path: Path) -> None:
    project = HostProject(tmp_path, tmp_path / "environment", tmp_path)
    script = "sleep 600 & echo $!; wait"
    with project.running("sh", "-c", script) as program:
        while not program.printed():
            program.must_run()
    assert wait_until(lambda: not alive(int(program.printed())))
    with pytest.raises(Unmet, match="ended with"):
        program.must_run()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serves fixed answers; the site's program is one that runs as long as the test."""
    servers: list[ThreadingHTTPServer] = []
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    def started(routes: Routes, prefix: str = "") -> Site:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                media_type, body = routes.get(self.path, ("", ""))
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", media_type or "text/plain")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        program = Program("a server", child, tmp_path / "log")
        return Site(program, server.server_address[1], prefix, seen_by_server=False)

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()
    child.communicate()


def routes(prefix: str = "", base: str = "/jobs/") -> Routes:
    boot = json.dumps({"base": base})
    page = (
        f'<script src="{prefix}/static/theme.js"></script>'
        f'<link rel="stylesheet" href="{prefix}/static/app.css">'
        f'<link rel="icon" href="{prefix}/static/icon.svg">'
        f'<script id="qforge-boot" type="application/json">{boot}</script>'
    )
    return {
        "/jobs/": ("text/html", page),
        "/static/theme.js": ("text/javascript", "1"),
        "/static/app.css": ("text/css", "a{}"),
        "/static/icon.svg": ("image/svg+xml", "<svg/>"),
    }


def test_a_console_with_all_its_parts_passes(serve: Serve) -> None:
    boot = serve(routes(), "").console("/jobs/")
    assert boot["parts"] == ["/static/theme.js", "/static/app.css", "/static/icon.svg"]
    below = serve(routes("/intranet", "/intranet/jobs/"), "/intranet")
    assert below.console("/intranet/jobs/")["base"] == "/intranet/jobs/"


@pytest.mark.parametrize(
    ("path", "answer", "told"),
    [
        ("/static/theme.js", None, "/static/theme.js: 404"),
        ("/static/theme.js", ("text/html", "<h1>"), "expected 200, text/javascript"),
        ("/static/app.css", ("text/css", ""), "/static/app.css: 404"),
        ("/jobs/", ("text/html", "<p>"), "the page has parts []"),
        ("/jobs/", routes(base="/")["/jobs/"], "look for the API below '/'"),
        ("/jobs/", routes("/elsewhere")["/jobs/"], "/elsewhere/static/theme.js: 404"),
    ],
)
def test_a_console_that_would_not_work_is_told(
    serve: Serve, path: str, answer: tuple[str, str] | None, told: str
) -> None:
    broken = {key: value for key, value in routes().items() if key != path}
    if answer:
        broken[path] = answer
    with pytest.raises(Unmet) as raised:
        serve(broken, "").console("/jobs/")
    assert told in str(raised.value)


def test_an_address_outside_of_the_prefix_is_told(serve: Serve) -> None:
    with pytest.raises(Unmet, match=r"/static/theme\.js leads out of /intranet"):
        serve(routes(base="/intranet/jobs/"), "/intranet").console("/intranet/jobs/")


def test_answers_that_differ_are_told() -> None:
    expected = {"GET a": (200, "application/json", {"id": "int"})}
    behaviour.compare(dict(expected), expected)
    with pytest.raises(Unmet, match=r"GET a: .*'str'"):
        behaviour.compare({"GET a": (200, "application/json", {"id": "str"})}, expected)
    with pytest.raises(Unmet, match="GET a: None"):
        behaviour.compare({}, expected)
