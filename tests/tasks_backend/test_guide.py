"""The examples of the guide are run as they stand."""

from __future__ import annotations

import datetime as dt
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import django
import pytest
from django.db import transaction

from jobs.models import Job
from jobs.tasks_backend.namespaces import Namespace
from tests.worker.pools import drain

PAGE = Path(__file__).resolve().parents[2] / "docs/guides/django-tasks.md"
BLOCK = re.compile(r"```python\n# ([^\n]*)\n(.*?)```", re.DOTALL)


@pytest.fixture
def home_with_options(home: Namespace) -> Namespace:
    if home.name == "django.tasks" and django.VERSION < (6, 1):
        pytest.skip("the decorator of Django 6.0 takes no options of a backend's")
    return home


@pytest.mark.postgres
def test_the_examples_do_what_the_guide_says(
    committed_db: None, home_with_options: Namespace, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = ModuleType("shop.tasks")
    monkeypatch.setitem(sys.modules, "shop", ModuleType("shop"))
    monkeypatch.setitem(sys.modules, "shop.tasks", shop)
    view = {"timedelta": dt.timedelta, "transaction": transaction}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert {title for title, _ in blocks} == {
        "settings.py",
        "shop/tasks.py",
        "in a view",
        "after a worker has run",
    }
    for title, text in blocks:
        code = compile(text.replace("django.tasks", home_with_options.name), title, "exec")
        if title == "settings.py":
            said: dict[str, Any] = {}
            exec(code, said)  # noqa: S102 - the page is ours
            settings.TASKS = said["TASKS"]
            continue
        if title == "after a worker has run":
            drain()
        exec(code, vars(shop) if title == "shop/tasks.py" else view)  # noqa: S102
    assert Job.objects.filter(task="shop.tasks.count_words").count() == 3
    assert shop.patiently(PermissionError(), None) is None
    assert shop.charge.max_attempts == 5
