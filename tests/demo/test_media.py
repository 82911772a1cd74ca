from __future__ import annotations

import pytest
from django.http import Http404
from django.test import Client, RequestFactory

from demo import files, views


def test_a_file_is_given_as_what_its_name_says() -> None:
    files.write("reports/a.csv", b"a,b")
    answer = views.media_file(RequestFactory().get("/"), "reports/a.csv")
    assert (answer.content, answer["Content-Type"]) == (b"a,b", "text/csv")


@pytest.mark.parametrize(
    "name", ["missing.csv", "../settings.py", "/etc/passwd", "reports", "a\0b"]
)
def test_nothing_else_is_given(name: str) -> None:
    files.write("reports/a.csv", b"a,b")
    with pytest.raises(Http404):
        views.media_file(RequestFactory().get("/"), name)


def test_only_a_project_in_debug_shows_files() -> None:
    files.write("reports/a.csv", b"a,b")
    assert Client().get("/media/reports/a.csv").status_code == 404
