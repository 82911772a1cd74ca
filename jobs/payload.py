"""What may be stored as JSON: checked on the way in, encoded so that it comes back the same.

PostgreSQL's `jsonb` refuses NUL and lone surrogates, has no NaN or infinity, and keeps numbers as
decimals: a float written as `1e+308` would come back as a whole number of 309 digits and `-0.0`
as `0.0`. So such text is refused, large floats are written out with a decimal point, and minus
zero becomes zero here, before anything compares or stores it.
"""

from __future__ import annotations

import json
import math
from typing import Any

from jobs.errors import InvalidInput, shown

_MAX_INT_BITS = 4096
_MAX_PATH_CHARS = 200
_SURROGATES = ("\ud800", "\udfff")

# The way to a value: a name, or the way to its container and a key or position. It is spelled out
# only in an error, since long keys above many values would cost more than the values.
_Path = str | tuple[Any, str | int]


def normalise(value: Any, field: str, *, max_depth: int) -> Any:
    """`value` as it will come back from the database, in plain types: tuples as lists, members of
    enums as their values, `-0.0` as `0.0`.

    Raises InvalidInput naming the path of whatever JSON cannot hold: other types, keys that are
    not strings, NaN and infinity, NUL, lone surrogates, whole numbers over 4,096 bits, and
    nesting deeper than `max_depth`.
    """
    return _normalise(value, field, max_depth)


def _normalise(value: Any, path: _Path, depth: int) -> Any:
    if isinstance(value, str):
        return _text(value, path)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > _MAX_INT_BITS:
            message = f"whole numbers may have at most {_MAX_INT_BITS:,} bits"
            raise InvalidInput(_spelled(path), message, code="too-large")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            message = "NaN and infinity are not JSON"
            raise InvalidInput(_spelled(path), message, code="not-finite")
        return float(value) if value else 0.0
    if isinstance(value, dict | list | tuple):
        if depth <= 0:
            raise InvalidInput(_spelled(path), "nested too deep", code="too-deep")
        if isinstance(value, dict):
            return {
                _key(key, path): _normalise(item, (path, key), depth - 1)
                for key, item in value.items()
            }
        return [_normalise(item, (path, n), depth - 1) for n, item in enumerate(value)]
    message = f"{type(value).__name__} is not JSON; pass a string, number, list or object"
    raise InvalidInput(_spelled(path), message, code="not-json")


def _key(key: Any, path: _Path) -> str:
    if not isinstance(key, str):
        message = f"keys must be strings, not {type(key).__name__} ({shown(key)})"
        raise InvalidInput(_spelled(path), message, code="not-json")
    return _text(key, path, " (a key)")


def _text(text: str, path: _Path, what: str = "") -> str:
    if "\x00" in text:
        message = "text must not contain NUL (U+0000)"
        raise InvalidInput(_spelled(path) + what, message, code="nul")
    if not text.isascii() and any(_SURROGATES[0] <= char <= _SURROGATES[1] for char in text):
        message = "text must not contain lone surrogates"
        raise InvalidInput(_spelled(path) + what, message, code="surrogate")
    # Of a subclass the characters count, as in JSON, and not what its `str()` may say.
    return str.__str__(text)


def _spelled(path: _Path) -> str:
    parts: list[str] = []
    while isinstance(path, tuple):
        path, part = path
        parts.append(f"[{part}]" if isinstance(part, int) else f".{part[:_MAX_PATH_CHARS]}")
    text = path + "".join(reversed(parts))
    if len(text) <= _MAX_PATH_CHARS:
        return text
    half = _MAX_PATH_CHARS // 2
    return f"{text[:half]}…{text[-half:]}"


def encode(value: Any, field: str, *, max_bytes: int) -> str:
    """JSON text of a normalised value. Raises InvalidInput when it is over `max_bytes` in UTF-8."""
    text = _dumps(value)
    size = len(text) if text.isascii() else len(text.encode())
    if size > max_bytes:
        raise InvalidInput(
            field, f"{size:,} bytes as JSON, at most {max_bytes:,} are allowed", code="too-large"
        )
    return text


# `json.dumps` would make one for every call.
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def _dumps(value: Any) -> str:
    text = _json(value)
    # Only a float of 1e16 or more is written with "e+"; elsewhere that can only stand in a string.
    return _dumps_exactly(value) if "e+" in text else text


def _dumps_exactly(value: Any) -> str:
    if isinstance(value, float) and abs(value) >= 1e16:
        return f"{value:.1f}"
    if isinstance(value, dict):
        return (
            "{"
            + ",".join(f"{_dumps(key)}:{_dumps_exactly(item)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ",".join(map(_dumps_exactly, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class ExactEncoder(json.JSONEncoder):
    """For JSONField: encodes as `encode` does."""

    def encode(self, o: Any) -> str:
        return _dumps(o)


def clean_text(text: str, max_chars: int) -> str:
    """Text that can always be stored: NUL and surrogates shown as `\\x00` and the like, bounded.

    What is over `max_chars` is cut out of the middle, since a traceback's ends say the most.
    """
    text = text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) <= max_chars:
        return text
    note = f"\n… {len(text) - max_chars:,} characters left out …\n"[:max_chars]
    keep = max_chars - len(note)
    return text[: keep // 3] + note + text[len(text) - (keep - keep // 3) :]


def check_text(value: Any, field: str, *, max_chars: int) -> str:
    """Words of a person. Raises InvalidInput unless they are a string that can be stored."""
    if not isinstance(value, str) or len(value) > max_chars:
        raise InvalidInput(field, f"must be a string of at most {max_chars:,} characters")
    return _text(value, field)
