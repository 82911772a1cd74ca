from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import environ
import psycopg
import pytest

from config.environment import database
from devtools.ephemeral import ephemeral
from devtools.errors import PostgresError
from devtools.postgres import FAST, Mode, Postgres
from tests.devtools import processes

pytestmark = pytest.mark.postgres

HOLD = """
import pathlib, sys
from devtools.postgres import FAST, Postgres
folder = pathlib.Path(sys.argv[1])
server = Postgres(folder / "data", settings=FAST, sockets=folder / "s")
print(server.start(), server.process and server.process.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with ephemeral() as server:
        yield server


def kept(folder: Path) -> Postgres:
    return Postgres(folder / "data", settings=FAST, sockets=folder / "s")


def ask(server: Postgres, query: str, *, tcp: bool = False) -> str:
    with psycopg.connect(server.url(tcp=tcp), autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        row = cursor.fetchone() if cursor.description else None
    return str(row[0]) if row else ""


def test_a_server_takes_connections_once_started(server: Postgres) -> None:
    assert ask(server, "SHOW server_encoding") == "UTF8"


def test_a_second_start_joins_the_running_server(shared_folder: Path) -> None:
    with kept(shared_folder) as owner:
        other = kept(shared_folder)
        assert other.start() is False
        other.stop()
        assert owner.running()


def test_two_starts_at_once_make_one_server(shared_folder: Path) -> None:
    servers = [kept(shared_folder) for _ in range(2)]
    owned: list[bool] = []
    threads = [threading.Thread(target=lambda s=s: owned.append(s.start())) for s in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in servers:
        one.stop()
    assert sorted(owned) == [False, True]


def test_the_server_outlives_the_thread_that_started_it(shared_folder: Path) -> None:
    server = kept(shared_folder)
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    try:
        assert ask(server, "SELECT 1") == "1"
    finally:
        server.stop()


def test_sigkill_of_the_owner_stops_the_server(shared_folder: Path) -> None:
    owner = processes.run_python(HOLD, shared_folder)
    assert owner.stdout
    owned, pid = owner.stdout.readline().split()
    assert owned == "True"
    processes.kill(owner)
    assert processes.wait_until(lambda: not processes.alive(int(pid)))


def test_a_start_waits_for_a_server_that_is_just_stopping(shared_folder: Path) -> None:
    owner = processes.run_python(HOLD, shared_folder)
    assert owner.stdout
    owner.stdout.readline()
    processes.kill(owner)
    with kept(shared_folder) as server:
        assert ask(server, "SELECT 1") == "1"


def test_rows_are_there_after_a_restart_of_the_owner(shared_folder: Path) -> None:
    with kept(shared_folder) as server:
        ask(server, "CREATE TABLE t AS SELECT 7 AS n")
    with kept(shared_folder) as server:
        assert ask(server, "SELECT n FROM t") == "7"


@pytest.mark.parametrize("mode", ["fast", "immediate", "kill"])
def test_committed_rows_survive_a_restart(server: Postgres, mode: Mode) -> None:
    ask(server, f"CREATE TABLE t_{mode} AS SELECT 7 AS n")
    with psycopg.connect(server.url(), autocommit=True) as open_session:
        server.restart(mode)
        with pytest.raises(psycopg.OperationalError):
            open_session.execute("SELECT 1")
    assert ask(server, f"TABLE t_{mode}") == "7"


def test_only_the_owner_may_restart(shared_folder: Path) -> None:
    with kept(shared_folder):
        other = kept(shared_folder)
        other.start()
        with pytest.raises(PostgresError, match="started the server"):
            other.restart()


def test_it_listens_on_tcp_only_when_asked(server: Postgres) -> None:
    assert ask(server, "SHOW listen_addresses") == ""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ephemeral(port=port) as reachable:
        assert ask(reachable, "SELECT inet_server_port()", tcp=True) == str(port)
        assert ask(reachable, "SELECT 1") == "1"


def test_a_database_can_be_created_twice(server: Postgres) -> None:
    server.create_database("a b")
    server.create_database("a b")
    with psycopg.connect(server.url("a%20b")) as connection:
        assert connection.info.dbname == "a b"


def test_the_settings_understand_the_url(
    server: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TEST_DATABASE_ENGINE", raising=False)
    monkeypatch.setenv("DATABASE_URL", server.url("qforge"))
    config = database(environ.Env(), tmp_path)
    assert config["ENGINE"] == "django.db.backends.postgresql"
    assert config["HOST"] == str(server.sockets.path)
    assert (config["NAME"], config["USER"]) == ("qforge", "postgres")


def test_a_path_with_spaces_and_quotes_works(public_folder: Path) -> None:
    with kept(public_folder / "it's a folder") as server:
        assert ask(server, "SELECT 1") == "1"


def test_an_ephemeral_server_leaves_nothing_behind() -> None:
    with ephemeral() as server:
        folder, process = server.data.parent, server.process
        assert folder.exists()
    assert not folder.exists()
    assert process
    assert process.returncode == 0


@pytest.mark.long
def test_the_next_run_removes_what_a_killed_one_left() -> None:
    program = """
import sys
from devtools.ephemeral import ephemeral
with ephemeral() as server:
    print(server.data.parent, flush=True)
    sys.stdin.read()
"""
    killed = processes.run_python(program)
    assert killed.stdout
    folder = Path(killed.stdout.readline().strip())
    with ephemeral():
        assert folder.exists(), "a run that goes on keeps its folder"
    processes.kill(killed)

    def removed() -> bool:
        with ephemeral():
            return not folder.exists()

    assert processes.wait_until(removed)
