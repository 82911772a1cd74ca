"""The beginning of a JSON text is read wherever it was cut off."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.previews import beginning

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


def begins(part: Any, whole: Any) -> bool:
    """Whether `whole` may go on from `part`."""
    if isinstance(part, dict):
        known = isinstance(whole, dict) and part.keys() <= whole.keys()
        return known and all(begins(value, whole[key]) for key, value in part.items())
    if isinstance(part, list):
        known = isinstance(whole, list) and len(part) <= len(whole)
        return known and all(map(begins, part, whole))
    if isinstance(part, str):
        # An escaped character of two halves may have been cut between them.
        return isinstance(whole, str) and whole.startswith(re.sub("[\ud800-\udfff]+$", "", part))
    return type(part) is type(whole) and part == whole


@settings(max_examples=50)
@given(st.dictionaries(st.text(), JSON), st.booleans(), st.data())
def test_what_is_read_is_a_beginning_of_the_whole(value: Any, ascii: bool, data: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii)
    cut = data.draw(st.integers(1, len(text)))
    found = beginning(text[:cut])
    assert begins(found, value)
    if cut == len(text):
        assert found == value


def test_strings_are_shown_as_far_as_they_go_and_numbers_only_whole() -> None:
    assert beginning('{"a": "hel') == {"a": "hel"}
    assert beginning('{"a": 1, "b": 12') == {"a": 1}
    assert beginning('{"a": [1, 2, {"b": tru') == {"a": [1, 2, {}]}
    assert beginning('{"a": 1, "pass') == {"a": 1}
    assert beginning('{"a": 1, "b"') == {"a": 1}
    assert beginning('{"a": "x\\') == {"a": "x"}
    assert beginning('{"a": "x\\\\') == {"a": "x\\"}
    assert beginning('{"a": "x\\u00e') == {"a": "x"}


def test_what_is_no_json_is_nothing() -> None:
    for text in ("", "}", "nul", "]["):
        assert beginning(text) is None
