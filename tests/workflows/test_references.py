from __future__ import annotations

from typing import Any

import pytest

from jobs.errors import InvalidInput
from jobs.workflows import references
from jobs.workflows.references import Unresolved

RESULT = {"artifact": {"url": "u", "parts": [{"n": 1}, {"n": 2}]}, "a.b": 3, "0": "zero"}


def resolve(value: Any, results: dict[str, Any] | None = None) -> Any:
    found = references.resolve({"x": value}, {"build": RESULT} if results is None else results)
    return found["x"]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("artifact.url", "u"),
        ("artifact.parts.1.n", 2),
        (["artifact", "parts", 0, "n"], 1),
        (["a.b"], 3),
        ("0", "zero"),
        ([], RESULT),
    ],
)
def test_a_path_leads_through_keys_and_indexes(path: Any, found: Any) -> None:
    assert resolve({"$result": "build", "path": path}) == found


def test_without_a_path_it_is_the_whole_result() -> None:
    assert resolve({"$result": "build"}) == RESULT


def test_references_are_found_at_any_depth_and_the_rest_is_left_alone() -> None:
    value = [{"deep": {"$result": "build", "path": "artifact.url"}}, 5, {"plain": None}]
    assert resolve(value) == [{"deep": "u"}, 5, {"plain": None}]


@pytest.mark.parametrize(
    "path",
    [
        "nothing",
        "artifact.url.more",
        "artifact.parts.2",
        "artifact.parts.-1",
        "artifact.parts.x",
        "artifact.parts.٣",
        "artifact.parts." + "9" * 5000,
    ],
)
def test_a_missing_field_says_where_and_what(path: str) -> None:
    with pytest.raises(Unresolved, match=r"payload\.x: .*'build' has no"):
        resolve({"$result": "build", "path": path})


def test_a_default_stands_in_for_a_missing_field_and_for_a_failed_parent() -> None:
    missing = {"$result": "build", "path": "nothing", "default": 7}
    assert resolve(missing) == 7
    assert resolve({"$result": "build", "default": None}, {}) is None


def test_a_parent_without_success_has_no_result() -> None:
    with pytest.raises(Unresolved, match="'build' did not succeed"):
        resolve({"$result": "build"}, {})


def test_a_parent_that_returned_nothing_has_a_result() -> None:
    assert resolve({"$result": "build", "default": 1}, {"build": None}) is None


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"$result": 5}, r"payload\.x\.\$result"),
        ({"$result": "build", "paht": "a"}, r"payload\.x"),
        ({"$result": "build", "path": ""}, r"payload\.x\.path"),
        ({"$result": "build", "path": 3}, r"payload\.x\.path"),
        ({"$result": "build", "path": [True]}, r"payload\.x\.path"),
        ([{"$result": None}], r"payload\.x\[0\]\.\$result"),
    ],
)
def test_a_malformed_reference_is_refused_with_its_place(value: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        list(references.find({"x": value}))
    assert caught.value.field == field.replace("\\", "")


def test_the_payload_itself_is_never_a_reference() -> None:
    with pytest.raises(InvalidInput, match="one by one"):
        list(references.find({"$result": "build"}))
