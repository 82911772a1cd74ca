"""docs/reference/http.md: the operations of docs/openapi.yaml."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

import yaml

from devtools.reference.markers import cell, inserted

PAGE: Final = Path("docs/reference/http.md")
SCHEMA: Final = Path("docs/openapi.yaml")


def rendered(root: Path) -> str:
    """The page, with its tables written anew."""
    return inserted((root / PAGE).read_text(encoding="utf-8"), "operations", _tables(root))


def _tables(root: Path) -> str:
    paths = yaml.safe_load((root / SCHEMA).read_text(encoding="utf-8"))["paths"]
    sections: dict[str, list[str]] = defaultdict(list)
    for path, operations in paths.items():
        for method, operation in operations.items():
            permission = operation.get("x-required-permission")
            needs = f"`{permission}`" if permission else ""
            request = f"`{method.upper()} {path}`"
            row = f"| {request} | {cell(operation['summary'])} | {needs} |"
            sections[operation["tags"][0]].append(row)
    head = "| request | does | permission |\n|---|---|---|\n"
    return "\n\n".join(
        f"## {tag.capitalize()}\n\n{head}" + "\n".join(rows) for tag, rows in sections.items()
    )
