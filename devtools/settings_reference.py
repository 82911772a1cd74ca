"""Writes docs/settings.md from `jobs/conf.py`: `python -m devtools.settings_reference`."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Final, get_type_hints

from jobs import conf

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

_HEAD = """# Settings

All settings stand in one dict, `QFORGE`, in the project's settings. Durations are in seconds.
`manage.py check` refuses unknown keys and values out of bounds. `run_job_workers` also reads the
environment: `QFORGE_THREADS`, `QFORGE_LEASE_SECONDS` and so on; the command line goes before the
environment, the environment before the dict.

This page is written from `jobs/conf.py` by `python -m devtools.settings_reference`.
"""


def rendered() -> str:
    """The whole page, as Markdown."""
    docs = _docstrings()
    parts = [_HEAD]
    hints = get_type_hints(conf.Settings)
    for name in conf.names():
        kind = (
            getattr(hints[name], "__name__", None) if not hasattr(hints[name], "__args__") else None
        )
        bounds = conf.BOUNDS.get(name)
        facts = [f"default `{getattr(conf.Settings, name)!r}`", f"type `{kind or hints[name]}`"]
        if bounds:
            facts.append(f"from {bounds[0]:g} to {bounds[1]:g}")
        parts.append(f"## `{name}`\n\n{docs[name]}\n\n{'; '.join(facts)}\n")
    return "\n".join(parts)


def _docstrings() -> dict[str, str]:
    """The string below each annotated attribute."""
    body = ast.parse(inspect.getsource(conf.Settings)).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - narrows for the type checker
    found: dict[str, str] = {}
    for node, following in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            found[node.target.id] = inspect.cleandoc(str(following.value.value))
    return found


def write() -> None:
    PAGE.write_text(rendered(), encoding="utf-8")


if __name__ == "__main__":
    write()
