"""Writes every page, or part of one, that is made from code."""

from __future__ import annotations

import os
from pathlib import Path

import django

from devtools import settings_reference, state_diagram

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SECRET_KEY", "nothing is signed here")
    django.setup()
    # Commands import models, which need the apps.
    from devtools.reference import commands, events, findings, http

    for module in (commands, events, findings, http):
        (ROOT / module.PAGE).write_text(module.rendered(ROOT), encoding="utf-8")
    settings_reference.write()
    state_diagram.write()


if __name__ == "__main__":
    main()
