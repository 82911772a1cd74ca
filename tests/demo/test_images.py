from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from demo import files, images, tasks
from jobs import PermanentError

Build = Callable[..., bytes]


@pytest.mark.parametrize("image_format", ["PNG", "JPEG", "WEBP"])
def test_an_image_is_fitted_into_the_box_and_keeps_its_shape(
    image_format: str, media: Path, picture: Build
) -> None:
    source = f"uploads/a{images.SUFFIXES[image_format]}"
    files.write(source, picture((640, 480), image_format))
    result = tasks.resize_image(source, 100, 100)
    with Image.open(media / result["file"]) as image:
        assert (image.size, image.format) == ((100, 75), image_format)
    assert result["bytes"] == (media / result["file"]).stat().st_size


def test_a_second_run_makes_the_same_file(media: Path, picture: Build) -> None:
    files.write("uploads/a.png", picture())
    first = tasks.resize_image("uploads/a.png", 64, 64)
    data = (media / first["file"]).read_bytes()
    assert tasks.resize_image("uploads/a.png", 64, 64) == first
    assert [p.read_bytes() for p in (media / "resized").iterdir()] == [data]


def test_a_small_image_is_not_enlarged(picture: Build) -> None:
    small = images.shrink(picture((10, 20)), 100, 100)
    assert (small.width, small.height) == (10, 20)


def test_a_photo_is_turned_as_its_exif_says(picture: Build) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = images.shrink(picture((400, 200), "JPEG", exif=exif), 100, 100)
    assert (turned.width, turned.height) == (50, 100)


def bomb() -> bytes:
    """A PNG of a few bytes that claims 100,000 by 100,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["text", "empty", "cut off", "gif", "bomb"])
def test_what_is_no_good_image_is_refused_for_good(kind: str, picture: Build) -> None:
    data = {
        "text": b"<svg onload=alert(1)>",
        "empty": b"",
        "cut off": picture()[:2000],
        "gif": picture(image_format="GIF"),
        "bomb": bomb(),
    }[kind]
    with pytest.raises(PermanentError):
        images.shrink(data, 10, 10)
    if kind != "cut off":
        with pytest.raises(PermanentError):
            images.inspect(data)


def test_an_image_with_too_many_pixels_is_refused_before_it_is_unpacked(picture: Build) -> None:
    data = picture((8000, 5001))
    with pytest.raises(PermanentError, match="40,008,000 pixels"):
        images.shrink(data, 10, 10)
    with pytest.raises(PermanentError, match="40,008,000 pixels"):
        images.inspect(data)


@pytest.mark.parametrize("side", [0, -1, 4097, True, 1.5, "10"])
def test_a_side_out_of_bounds_is_refused(side: int, picture: Build) -> None:
    with pytest.raises(PermanentError, match=r"width: .*1 to 4096"):
        images.shrink(picture(), side, 10)
    with pytest.raises(PermanentError, match=r"height: .*1 to 4096"):
        images.shrink(picture(), 10, side)


def test_a_source_outside_the_media_folder_is_refused() -> None:
    with pytest.raises(PermanentError, match="inside MEDIA_ROOT"):
        tasks.resize_image("../../etc/passwd", 10, 10)


@pytest.mark.parametrize("source", ["uploads/missing.png", "uploads"])
def test_a_source_that_is_not_there_is_not_tried_again(source: str, media: Path) -> None:
    (media / "uploads").mkdir(parents=True)
    with pytest.raises(tasks.resize_image.permanent):
        tasks.resize_image(source, 10, 10)
