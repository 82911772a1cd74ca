"""Parts of a page that are written from code, between two comments that readers do not see."""

from __future__ import annotations

import re


def inserted(page: str, name: str, body: str) -> str:
    """`page` with `body` between the comments of `name`. Raises ValueError without them."""
    begin = f"<!-- {name}: begin, written by python -m devtools.reference -->"
    end = f"<!-- {name}: end -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"the page has lost its comments {begin!r} and {end!r}")
    return pattern.sub(lambda _: f"{begin}\n{body}\n{end}", page)


def cell(text: str) -> str:
    """`text` on one line of a table."""
    return " ".join(text.split()).replace("|", "\\|")
