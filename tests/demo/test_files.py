from __future__ import annotations

from pathlib import Path

import pytest

from demo import files
from jobs import PermanentError


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/passwd", "a/../../b", "uploads/../../x", "a\0b"]
)
def test_no_name_leads_out_of_the_media_folder(name: str, media: Path) -> None:
    with pytest.raises(PermanentError, match="inside MEDIA_ROOT"):
        files.write(name, b"x")
    assert not list(media.parent.rglob("*"))


def test_a_second_write_replaces_the_first_and_leaves_nothing_else(media: Path) -> None:
    files.write("folder/a.txt", b"first")
    files.write("folder/a.txt", b"second")
    assert [p.name for p in (media / "folder").iterdir()] == ["a.txt"]
    assert (media / "folder/a.txt").read_bytes() == b"second"


def test_write_once_keeps_the_first_and_says_so(media: Path) -> None:
    assert files.write_once("folder/a.txt", b"first")
    assert not files.write_once("folder/a.txt", b"second")
    assert [p.read_bytes() for p in (media / "folder").iterdir()] == [b"first"]
