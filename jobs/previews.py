"""Reading the beginning of a JSON text that was cut off anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<colon>:)
    |(?P<string>"(?:[^"\\]|\\.)*")|(?P<plain>[^\s\[\]{},:"]+))""",
    re.VERBOSE | re.DOTALL,
)
_CLOSES: Final = {"{": "}", "[": "]"}
# Its backslash is not itself the second of a pair.
_UNFINISHED_ESCAPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")


def beginning(text: str) -> Any:
    """What can be read of it: containers that are cut off are closed, and so is a string that is
    a value; anything else that is incomplete is left out. None when nothing can be read.
    """
    try:
        return json.loads(text)
    except ValueError:
        return _repaired(text)


def _repaired(text: str) -> Any:
    open_, position, keyed = list[str](), 0, False
    end, around = 0, tuple[str, ...]()
    while match := _TOKEN.match(text, position):
        position, kind = match.end(), match.lastgroup
        if kind == "open":
            open_.append(match[kind])
            keyed = False
        elif kind == "close":
            if not open_:
                return None
            open_.pop()
        elif kind in ("comma", "colon"):
            keyed = kind == "colon"
            continue
        elif kind == "plain" and position == len(text):
            break  # Perhaps only the beginning of a number.
        elif kind == "string" and open_ and open_[-1] == "{" and not keyed:
            continue  # A key is nothing without its value.
        end, around = position, tuple(open_)
    kept = _closed(text[:end], around)
    rest = text[position:].lstrip()
    if rest.startswith('"') and open_ and (keyed or open_[-1] == "["):
        kept = _closed(_whole(text), open_)
    try:
        return json.loads(kept)
    except ValueError:
        return None


def _whole(text: str) -> str:
    """A text that ends within a string, with the end of that."""
    return _UNFINISHED_ESCAPE.sub(r"\1", text) + '"'


def _closed(text: str, open_: Sequence[str]) -> str:
    return text + "".join(_CLOSES[bracket] for bracket in reversed(open_))
