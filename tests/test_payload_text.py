from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.errors import InvalidInput
from jobs.payload import check_text, clean_text


def test_cleaned_text_shows_what_cannot_be_stored() -> None:
    assert clean_text("a\x00b\ud800", 100) == "a\\x00b\\ud800"


@given(st.text(max_size=400), st.integers(min_value=0, max_value=300))
def test_cleaned_text_is_bounded_and_can_be_encoded(text: str, longest: int) -> None:
    cleaned = clean_text(text, longest)
    cleaned.encode("utf-8")
    assert len(cleaned) <= longest
    assert "\x00" not in cleaned


def test_long_text_keeps_both_ends() -> None:
    cleaned = clean_text("begin" + "x" * 5000 + "end", 200)
    assert cleaned.startswith("begin")
    assert cleaned.endswith("end")
    assert "characters left out" in cleaned


@pytest.mark.parametrize("value", [None, 5, b"a", "a" * 11, "\x00", "\ud800"])
def test_words_of_people_must_fit_and_be_storable(value: Any) -> None:
    assert check_text("a" * 10, "reason", max_chars=10) == "a" * 10
    with pytest.raises(InvalidInput, match=r"^reason: ") as error:
        check_text(value, "reason", max_chars=10)
    assert error.value.field == "reason"
