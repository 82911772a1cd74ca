"""Reading images that came from outside, and making them smaller."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image, ImageOps

from jobs import PermanentError

MAX_PIXELS = 40_000_000
MAX_SIDE = 4096
SUFFIXES = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image."""

    data: bytes
    format: str
    width: int
    height: int


def inspect(data: bytes) -> Picture:
    """Read an image's header and check its structure without unpacking it.

    Raises PermanentError when it is no PNG, JPEG or WebP, is damaged, or has over 40 megapixels.
    """
    with _opened(data) as image:
        width, height = image.size
        image.verify()
        return Picture(data, str(image.format), width, height)


def shrink(data: bytes, width: int, height: int) -> Picture:
    """The image made to fit `width` by `height` pixels; never enlarged, turned as EXIF says.

    Raises PermanentError as `inspect` does, and for a side outside 1 to 4,096 pixels.
    """
    for name, side in (("width", width), ("height", height)):
        if isinstance(side, bool) or not isinstance(side, int) or not 1 <= side <= MAX_SIDE:
            raise PermanentError(f"{name}: must be a whole number from 1 to {MAX_SIDE}")
    with _opened(data) as opened:
        image_format = str(opened.format)
        image = ImageOps.exif_transpose(opened)
        image.thumbnail((width, height))
        out = io.BytesIO()
        image.save(out, format=image_format)
    return Picture(out.getvalue(), image_format, *image.size)


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    try:
        with Image.open(io.BytesIO(data), formats=tuple(SUFFIXES)) as image:
            pixels = image.width * image.height
            if pixels > MAX_PIXELS:
                raise PermanentError(f"the image has {pixels:,} pixels, at most {MAX_PIXELS:,}")
            yield image
    except (PermanentError, MemoryError):
        raise
    except Exception as error:
        # Pillow's decoders raise what they please: OSError, SyntaxError, struct.error and others.
        raise PermanentError(f"not a readable PNG, JPEG or WebP image: {error}") from None
