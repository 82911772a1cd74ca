"""The tutorial is done as it says: its files are written, its commands run, from top to bottom."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection

from devtools import children
from tests.support.processes import ROOT
from tests.support.waiting import wait_until
from tests.support.web import free_port

pytestmark = [pytest.mark.postgres, pytest.mark.process, pytest.mark.long]

PAGE = ROOT / "docs/tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PASSWORD = "for this test only"


@pytest.fixture
def shop(committed_db: None, tmp_path: Path) -> Iterator[Shop]:
    """The folder of the tutorial, and an empty database."""
    name = f"{connection.settings_dict['NAME']}_shop"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
        made = Shop(tmp_path, name)
        try:
            yield made
        finally:
            made.close()
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class Shop:
    """Who follows the tutorial, with a few terminals."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.port = free_port()
        self._database = database
        self._terminals: dict[str, subprocess.Popen[bytes]] = {}
        given = connection.get_connection_params()
        address = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password"}
        unset = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY", "PYTHONDONTWRITEBYTECODE")
        self._environment = {k: v for k, v in os.environ.items() if k not in unset} | {
            **{name: str(given[key]) for name, key in address.items() if given.get(key)},
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        }

    def write(self, path: str, text: str, *, at_the_end: bool) -> None:
        file = self.folder / path
        before = file.read_text(encoding="utf-8") + "\n\n" if at_the_end else ""
        file.write_text(before + text.replace('"NAME": "shop"', f'"NAME": "{self._database}"'))

    def run(self, commands: str) -> str:
        """What they print; fails the test when one fails."""
        text = commands.replace("createsuperuser", "createsuperuser --no-input")
        done = subprocess.run(
            ["/bin/bash", "-e", "-c", text],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def leave_running(self, terminal: str, command: str) -> None:
        """Start a command in a terminal, after a Ctrl-C for what runs there."""
        if terminal in self._terminals:
            self.interrupt(terminal)
        words = command.replace("runserver", f"runserver --noreload {self.port}").split()
        with (self.folder / f"{terminal}.log").open("ab") as log:
            self._terminals[terminal] = children.start(
                [sys.executable, *words[1:]],
                death_signal=signal.SIGKILL,
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def interrupt(self, terminal: str) -> None:
        process = self._terminals.pop(terminal)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0, (self.folder / f"{terminal}.log").read_text()

    def close(self) -> None:
        for process in self._terminals.values():
            process.kill()
            process.wait()

    def job(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run(f"python manage.py jobs show {number} --json"))
        return found

    def browser(self) -> Callable[[str], str]:
        """`get(path)` as somebody who has logged in as the tutorial says."""
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

        def get(path: str, data: dict[str, str] | None = None) -> str:
            body = urlencode(data).encode() if data else None
            with opener.open(f"http://127.0.0.1:{self.port}{path}", body, timeout=30) as answer:
                text: str = answer.read().decode()
                return text

        wait_until(lambda: _answers(get), seconds=60)
        get("/admin/login/")
        token = next(str(cookie.value) for cookie in jar if cookie.name == "csrftoken")
        login = {"username": "ann", "password": PASSWORD, "csrfmiddlewaretoken": token}
        get("/admin/login/?next=/jobs/healthz/", login)
        return get


def _answers(get: Callable[[str], str]) -> bool:
    try:
        return bool(get("/jobs/healthz/"))
    except OSError:
        return False


def test_the_tutorial_leads_where_it_says(shop: Shop) -> None:
    (_, installs), *blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert "pip install" in installs, "the one block that this test leaves to the reader"
    command = output = ""
    for kind, text in blocks:
        if kind == "python":
            title, _, code = text.partition("\n")
            path, _, place = title.removeprefix("# ").partition(", ")
            shop.write(path, code, at_the_end=place == "at the end")
        elif kind == "text":
            expect(shop, text, output, command)
        elif text.startswith("# in "):
            terminal, _, command = text.partition("\n")
            shop.leave_running(terminal.removesuffix(", again"), command)
        else:
            command, output = text, shop.run(text)
    look_at_what_was_made(shop)


def expect(shop: Shop, text: str, output: str, command: str) -> None:
    """`command` has printed `text`, or does so a moment later, when the workers have come to it."""
    if text not in output:
        assert "jobs show" in command, f"{command}printed\n{output}"
        wait_until(lambda: text in shop.run(command), seconds=60)


def look_at_what_was_made(shop: Shop) -> None:
    assert [event["kind"] for event in shop.job(1)["events"]] == [
        "enqueued",
        "claimed",
        "succeeded",
    ]
    charged = wait_until(lambda: ended(shop, 3), seconds=60)
    assert charged["result"] == {"order": 7, "attempt": 2}
    assert [event["kind"] for event in charged["events"]].count("failed") == 1
    shipped = wait_until(lambda: ended(shop, 7), seconds=90)
    assert shipped["result"] == "shipped the box of order 9"
    command = "python manage.py jobs list --filter task=orders.tasks.remind --json"
    wait_until(lambda: len(json.loads(shop.run(command))["results"]) >= 2, seconds=90)

    refused = "from orders.checkout import check_out; check_out(1, paid=False)"
    shop.run(f"! python manage.py shell -c '{refused}'")
    receipts = "python manage.py jobs list --filter task=orders.tasks.send_receipt --json"
    assert len(json.loads(shop.run(receipts))["results"]) == 3, "what rolled back leaves no job"

    get = shop.browser()
    assert "<script" in get("/jobs/")
    assert json.loads(get("/jobs/api/jobs/3/"))["status"] == "succeeded"
    shop.interrupt("# in another terminal")


def ended(shop: Shop, number: int) -> dict[str, Any] | None:
    job = shop.job(number)
    return job if job["status"] == "succeeded" else None
