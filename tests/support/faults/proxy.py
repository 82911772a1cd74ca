"""A TCP proxy in front of PostgreSQL that can lose connections in the ways networks do."""

from __future__ import annotations

import re
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

_PAUSE_SECONDS = 0.02
_BACKEND_KEY_DATA = re.compile(rb"(K\x00\x00\x00\x0c).{4}", re.DOTALL)
"""Its length and the process id, as "Message Formats" of the PostgreSQL manual has it."""


class Proxy:
    """Listens on a port of its own at 127.0.0.1, while the block lasts.

    `connect` opens a connection to the server.
    """

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._peers: dict[socket.socket, socket.socket] = {}
        self._stranded: list[socket.socket] = []
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._holding = False
        self._refusing = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def cut(self) -> int:
        """Reset every open connection; returns how many there were."""
        with self._lock:
            clients = len(self._peers) // 2
            for end in list(self._peers):
                self._reset(end)
            return clients

    def refuse(self) -> None:
        """Reset every open connection, and every new one at once."""
        self._refusing = True
        self.cut()

    def hold(self) -> None:
        """Keep all connections open, new ones too, and let nothing through."""
        self._holding = True

    def strand(self) -> None:
        """What is open now is never heard of again, at either end; new connections work."""
        with self._lock:
            self._stranded += self._peers
            for end in self._peers:
                self._selector.unregister(end)
            self._peers.clear()

    def mend(self) -> None:
        """Let everything through again, what was held included."""
        self._refusing = self._holding = False

    def __enter__(self) -> Self:
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed = True
        self._thread.join()
        self.cut()
        for end in [self._listener, *self._stranded]:
            end.close()
        self._selector.close()

    def _run(self) -> None:
        while not self._closed:
            if self._holding:
                time.sleep(_PAUSE_SECONDS)
                continue
            ready = self._selector.select(_PAUSE_SECONDS)
            with self._lock:
                for key, _ in ready:
                    end = key.fileobj
                    assert isinstance(end, socket.socket)
                    if end is self._listener:
                        self._accept()
                    elif end in self._peers and not self._holding:
                        self._forward(end)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        try:
            server = None if self._refusing else self._connect()
        except OSError:
            server = None
        if server is None:
            _close_with_reset(client)
            return
        self._peers |= {client: server, server: client}
        for end in (client, server):
            self._selector.register(end, selectors.EVENT_READ)

    def _forward(self, end: socket.socket) -> None:
        try:
            data = end.recv(65536)
            if data:
                self._peers[end].sendall(self._passed_on(data))
                return
        except OSError:
            pass
        self._reset(end)

    def _passed_on(self, data: bytes) -> bytes:
        return data

    def _reset(self, end: socket.socket) -> None:
        if (peer := self._peers.get(end)) is None:
            return
        for side in (end, peer):
            del self._peers[side]
            self._selector.unregister(side)
            _close_with_reset(side)


class PosingProxy(Proxy):
    """Gives clients process ids of its own, as a connection pooler does."""

    def _passed_on(self, data: bytes) -> bytes:
        return _BACKEND_KEY_DATA.sub(lambda found: found[1] + (7).to_bytes(4), data)


def connect_to(host: str, port: int | str) -> Callable[[], socket.socket]:
    """How to reach a server: on a socket in the folder `host`, or at a TCP address."""

    def connect() -> socket.socket:
        if not host.startswith("/"):
            return socket.create_connection((host or "127.0.0.1", int(port or 5432)))
        made = socket.socket(socket.AF_UNIX)
        made.connect(f"{host}/.s.PGSQL.{port or 5432}")
        return made

    return connect


def _close_with_reset(end: socket.socket) -> None:
    # Lingering for no time at all makes the kernel send a reset instead of a farewell.
    if end.family != socket.AF_UNIX:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.close()
