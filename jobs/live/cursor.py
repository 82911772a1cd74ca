"""Where a reader of the feed stands, as text it hands back to us. Pure."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jobs.errors import InvalidInput

_MAX_ID: Final = 2**63
_MAX_BYTES: Final = 256 * 1024
_SNAPSHOT: Final = re.compile(r"([0-9]{1,19}):([0-9]{1,19}):((?:[0-9]{1,19}(?:,[0-9]{1,19})*)?)")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a transaction could see: those below `xmax`, but for the `late` ones still running."""

    text: str
    """As PostgreSQL writes a `pg_snapshot`; empty for the beginning, when nothing was seen."""
    xmax: int = 0
    late: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Snapshot:
        """Raises ValueError for text that PostgreSQL would not take."""
        if not text:
            return cls("")
        match = _SNAPSHOT.fullmatch(text)
        if match is None:
            raise ValueError("not a snapshot")
        xmin, xmax = int(match[1]), int(match[2])
        late = tuple(int(item) for item in match[3].split(",") if item)
        # Strictly rising from xmin up to, but not including, xmax.
        bounds = (xmin - 1, *late, xmax)
        if not 1 <= xmin <= xmax < _MAX_ID or (
            late and any(low >= high for low, high in pairwise(bounds))
        ):
            raise ValueError("not a snapshot")
        return cls(text, xmax, late)


@dataclass(frozen=True, slots=True)
class Window:
    """A read that did not fit one page: up to where it goes, and the last event handed out."""

    upper: Snapshot
    transaction_id: int
    event_id: int


@dataclass(frozen=True, slots=True)
class SnapshotCursor:
    """PostgreSQL: everything seen so far, and the window in which the reader is paging, if any."""

    seen: Snapshot
    window: Window | None = None

    def encode(self) -> str:
        parts = ["p", self.seen.text]
        if self.window is not None:
            place = self.window
            parts += [place.upper.text, str(place.transaction_id), str(place.event_id)]
        return _pack("|".join(parts))


@dataclass(frozen=True, slots=True)
class SerialCursor:
    """A database that writes serially: the id of the last event seen."""

    event_id: int

    def encode(self) -> str:
        return _pack(f"s|{self.event_id}")


def decode(text: str) -> SnapshotCursor | SerialCursor:
    """The cursor that `encode` wrote. Raises InvalidInput for anything else."""
    try:
        kind, *parts = _unpack(text).split("|")
        if kind == "s" and len(parts) == 1:
            return SerialCursor(_id(parts[0]))
        if kind == "p" and len(parts) == 1:
            return SnapshotCursor(Snapshot.parse(parts[0]))
        if kind == "p" and len(parts) == 4 and parts[1]:
            seen, upper = Snapshot.parse(parts[0]), Snapshot.parse(parts[1])
            return SnapshotCursor(seen, Window(upper, _id(parts[2]), _id(parts[3])))
    except (ValueError, zlib.error, binascii.Error):
        pass
    raise InvalidInput("after", "is not a cursor of this feed", code="bad-cursor")


def _id(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) >= _MAX_ID:
        raise ValueError("not an id")
    return int(text)


def _pack(text: str) -> str:
    # A snapshot names every writing transaction; compressed, even hundreds fit a query string.
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def _unpack(text: str) -> str:
    padded = text.encode("ascii") + b"=" * (-len(text) % 4)
    packed = base64.b64decode(padded, altchars=b"-_", validate=True)
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    plain = unpacker.decompress(packed, _MAX_BYTES)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("cut off, too long, or followed by something else")
    return plain.decode("ascii")
