"""The documents say what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from devtools import settings_reference, state_diagram
from devtools.reference import commands, events, findings, http
from jobs.doctor import Code
from jobs.management.subcommands import NAMES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_the_state_diagram_is_the_state_table() -> None:
    page = state_diagram.PAGE.read_text(encoding="utf-8")
    assert state_diagram.inserted(page) == page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text)
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing == []


def test_every_page_of_the_documentation_has_its_place_in_the_site() -> None:
    contents = (ROOT / "docs/toc.yml").read_text(encoding="utf-8")
    pages = [page for page in ROOT.glob("docs/**/*.md") if not page.name.startswith("0")]
    names = [str(page.relative_to(ROOT).with_suffix("")) for page in pages]
    assert [n for n in names if not re.search(rf"{re.escape(n)}$", contents, re.MULTILINE)] == []


def test_files_named_in_the_architecture_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:jobs|devtools|tests|config|bin|docs)/[\w./-]*)`", text))
    assert named
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_the_settings_reference_is_current() -> None:
    assert settings_reference.PAGE.read_text(encoding="utf-8") == settings_reference.rendered()


@pytest.mark.parametrize("module", [commands, events, findings, http], ids=lambda m: m.PAGE.stem)
def test_a_page_of_reference_is_current(module: Any) -> None:
    page = (ROOT / module.PAGE).read_text(encoding="utf-8")
    assert module.rendered(ROOT) == page, "write it anew: python -m devtools.reference"


def test_the_reference_has_every_id_of_doctor_and_checks_and_no_other() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("jobs/**/*.py"))
    given = set(re.findall(r'"(qforge\.[EWD]\d{3})"', source))
    assert {code.value for code in Code} <= given
    page = (ROOT / "docs/reference/findings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(qforge\.[EWD]\d{3})` \|", page, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == given


def test_the_guide_names_every_subcommand() -> None:
    guides = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    unnamed = [name for name in NAMES if not re.search(rf"jobs {name}\b", guides + readme)]
    assert unnamed == []
