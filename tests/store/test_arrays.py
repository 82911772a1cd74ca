"""Array text, shown to PostgreSQL itself."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.store.arrays import array, columns

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def came_back(values: list[Any], kind: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT %s::{kind}[]", [array(values)])
        (found,) = cursor.fetchone()
    return list(found)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.none()
        | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
        | st.sampled_from(["", "NULL", "null", "{}", '"', "\\", '\\"', "a,b", " x ", "'", "%s"])
    )
)
def test_any_text_comes_back_as_it_went(texts: list[str | None]) -> None:
    assert came_back(texts, "text") == texts


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, None, -(2**63)], "bigint"),
        ([0.1, 1e300, None, float("inf")], "float8"),
        ([True, False, None], "bool"),
        ([uuid.UUID(int=5), None], "uuid"),
        ([dt.datetime(2030, 1, 2, 3, 4, 5, 678901, dt.UTC), None], "timestamptz"),
        ([], "bigint"),
    ],
)
def test_other_types_come_back_as_they_went(values: list[Any], kind: str) -> None:
    assert came_back(values, kind) == values


def test_columns_are_arrays_in_the_order_of_the_rows() -> None:
    assert columns([(1, "a"), (2, None)]) == ["{1,2}", '{"a",NULL}']
    assert columns([(None, 'say "no"'), (None, "a\\b")]) == [
        "{NULL,NULL}",
        r'{"say \"no\"","a\\b"}',
    ]


@pytest.mark.parametrize("texts", [["a\0b"], ["a", "b\0"], ["", "\0", ""]])
def test_a_text_with_a_nul_is_refused_before_it_could_be_two(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="NUL"):
        array(texts)
