from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from devtools import binaries, datafolder
from devtools.account import Account, reachable
from devtools.binaries import Binaries
from devtools.errors import PostgresError
from devtools.postgres import FAST, Postgres

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def account() -> Account:
    return Account.current()


@pytest.fixture(scope="module")
def programs(account: Account) -> Binaries:
    return reachable(binaries.find(), account)


def test_a_cut_off_start_is_done_again(
    public_folder: Path, programs: Binaries, account: Account
) -> None:
    data = public_folder / "data"
    datafolder.ensure(data, programs, account, sync=False)
    (data / "_initdb").mkdir()
    (data / "PG_VERSION").rename(data / "_initdb" / "PG_VERSION")
    datafolder.ensure(data, programs, account, sync=False)
    assert (data / "PG_VERSION").exists()
    assert not (data / "_initdb").exists()


def test_a_folder_with_other_files_is_refused_and_left_alone(
    public_folder: Path, programs: Binaries, account: Account
) -> None:
    data = public_folder / "data"
    account.make_private(data)
    data.chmod(0o755)
    (data / "letter.txt").write_text("keep me")
    with pytest.raises(PostgresError, match="not a data folder"):
        datafolder.ensure(data, programs, account, sync=False)
    assert (data / "letter.txt").read_text() == "keep me"
    assert data.stat().st_mode & 0o777 == 0o755


def test_a_folder_of_another_major_version_is_refused(
    public_folder: Path, programs: Binaries, account: Account
) -> None:
    data = public_folder / "data"
    account.make_private(data)
    (data / "PG_VERSION").write_text("9\n")
    with pytest.raises(PostgresError, match="made by PostgreSQL 9; the server here is"):
        datafolder.ensure(data, programs, account, sync=False)


def test_a_folder_of_another_user_is_refused(
    public_folder: Path, programs: Binaries, account: Account
) -> None:
    data = public_folder / "data"
    account.make_private(data)
    stranger = Account(account.uid + 1, account.gid, dropped=account.dropped)
    with pytest.raises(PostgresError, match="belongs to uid"):
        datafolder.ensure(data, programs, stranger)


def test_a_link_in_place_of_the_private_folder_is_refused(
    public_folder: Path, account: Account
) -> None:
    link = public_folder / "sockets"
    link.symlink_to(public_folder)
    with pytest.raises(PostgresError, match="not a folder"):
        account.make_private(link)


def test_a_dead_servers_process_id_that_now_is_anothers_does_not_stop_a_start(
    public_folder: Path, account: Account
) -> None:
    server = Postgres(public_folder / "data", settings=FAST, sockets=public_folder / "s")
    server.start()
    server.stop("kill")
    stranger = subprocess.Popen(["/bin/sleep", "60"], cwd="/", **account.popen_options())
    try:
        path = server.data / datafolder.POSTMASTER_FILE
        lines = path.read_text().splitlines()
        path.write_text("\n".join([str(stranger.pid), *lines[1:]]) + "\n")
        assert datafolder.status(server.data) == "ready"
        assert not server.running()
        with server:
            assert server.running()
    finally:
        stranger.kill()
        stranger.wait()


def test_a_server_that_runs_but_is_out_of_reach_is_named(
    public_folder: Path,
) -> None:
    data = public_folder / "data"
    with Postgres(data, settings=FAST, sockets=public_folder / "one") as server:
        assert server.process
        elsewhere = Postgres(data, sockets=public_folder / "two")
        with pytest.raises(PostgresError, match=f"kill -INT {server.process.pid}"):
            elsewhere.start()
        os.kill(server.process.pid, signal.SIGINT)
        server.process.wait(20)


def test_a_server_that_does_not_start_shows_its_log(public_folder: Path) -> None:
    wrong = FAST | {"shared_buffers": "nonsense"}
    server = Postgres(public_folder / "data", settings=wrong, sockets=public_folder / "s")
    with pytest.raises(PostgresError, match="invalid value for parameter"):
        server.start()
