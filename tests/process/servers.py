"""A PostgreSQL of a test's own, to restart and to look into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import override_settings

from devtools.ephemeral import ephemeral
from devtools.postgres import Mode, Postgres

ALIAS = "own"


class OwnServer:
    """A server with the project's tables; in this process it holds the queue, as alias `own`."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self.url = server.url("qforge")

    def restart(self, mode: Mode) -> None:
        self._server.restart(mode)
        connections[ALIAS].close()

    def log(self) -> str:
        return self._server.log.read_text(errors="replace")


@contextmanager
def own_server(
    options: Mapping[str, str] | None = None, *, migrated: bool = True
) -> Iterator[OwnServer]:
    """Start one for the length of the block."""
    with ephemeral(settings=options) as server:
        server.create_database("qforge")
        usual = connections["default"].settings_dict
        address = {"NAME": "qforge", "USER": "postgres", "PASSWORD": "", "PORT": ""}
        connections.settings[ALIAS] = usual | address | {"HOST": str(server.sockets.path)}
        try:
            if migrated:
                call_command("migrate", database=ALIAS, verbosity=0)
            with override_settings(QFORGE=settings.QFORGE | {"DATABASE": ALIAS}):
                yield OwnServer(server)
        finally:
            connections[ALIAS].close()
            del connections[ALIAS]
            del connections.settings[ALIAS]
