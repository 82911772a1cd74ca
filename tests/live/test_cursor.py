"""The cursor of the feed: what goes in comes out, and nothing else is taken."""

from __future__ import annotations

import base64
import contextlib
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.errors import InvalidInput
from jobs.live.cursor import SerialCursor, Snapshot, SnapshotCursor, Window, decode


def packed(text: str) -> str:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    data = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "cursor",
    [
        SerialCursor(0),
        SerialCursor(2**63 - 1),
        SnapshotCursor(Snapshot.parse("")),
        SnapshotCursor(Snapshot.parse("10:10:")),
        SnapshotCursor(Snapshot.parse("10:20:10,14,19")),
        SnapshotCursor(Snapshot.parse(""), Window(Snapshot.parse("10:20:12"), 11, 5)),
        SnapshotCursor(Snapshot.parse("3:4:3"), Window(Snapshot.parse("10:20:"), 3, 2**62)),
    ],
)
def test_a_cursor_comes_back_as_it_went_out(cursor: SerialCursor | SnapshotCursor) -> None:
    assert decode(cursor.encode()) == cursor


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "%%%",
        "é",
        packed(""),
        packed("p"),
        packed("s|"),
        packed("s|-1"),
        packed("s|9223372036854775808"),
        packed("s|1|2"),
        packed("q|10:10:"),
        packed("p|10:9:"),
        packed("p|0:9:"),
        packed("p|10:20:20"),
        packed("p|10:20:9"),
        packed("p|10:20:12,12"),
        packed("p|10:20:14,12"),
        packed("p|10:20"),
        packed("p|10:20:,"),
        packed("p|10:20:1٢"),
        packed("p|10:9223372036854775808:"),
        packed("p|10:10:|10:10:"),
        packed("p|10:10:||1|2"),
        packed("p|10:10:|10:10:|1|x"),
        packed("p|10:10:") + "A",
        packed("p|10:10:")[:-2],
        packed("p|" + "0" * 1_000_000),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode(text)
    assert (refused.value.field, refused.value.code) == ("after", "bad-cursor")


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(InvalidInput):
        decode(text)


def test_a_cursor_with_hundreds_of_open_transactions_still_fits_a_query_string() -> None:
    late = ",".join(str(4_000_000_000 + 7 * n) for n in range(500))
    seen = Snapshot.parse(f"4000000000:4000009000:{late}")
    cursor = SnapshotCursor(seen, Window(seen, 4_000_000_001, 123456))
    assert len(cursor.encode()) < 4000
