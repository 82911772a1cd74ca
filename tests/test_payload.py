from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import math
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.errors import InvalidInput
from jobs.payload import ExactEncoder, encode, normalise


def kept(value: Any, max_depth: int = 64) -> Any:
    return normalise(value, "payload", max_depth=max_depth)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**4000), max_value=2**4000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text("ab\u2028"), children)
    ),
    max_leaves=20,
)


@given(JSON)
def test_whatever_json_holds_comes_back_equal_and_of_the_same_types(value: Any) -> None:
    plain = kept(value)
    back = json.loads(encode(plain, "payload", max_bytes=10**7))
    assert repr(back) == repr(plain)
    assert back == value


@pytest.mark.parametrize(
    ("value", "normal"),
    [((1, (2,)), [1, [2]]), (-0.0, 0.0), ({"b": 1, "a": ()}, {"b": 1, "a": []})],
)
def test_what_changes_on_the_way_changes_before_it_is_compared(value: Any, normal: Any) -> None:
    assert repr(kept(value)) == repr(normal)


class Colour(str, enum.Enum):  # noqa: UP042 - as many projects still write it
    RED = "red"


class Size(enum.IntEnum):
    BIG = 3


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


@pytest.mark.parametrize(("value", "plain"), [(Colour.RED, "red"), (Size.BIG, 3), (Loud("a"), "a")])
def test_enums_and_subclasses_become_the_plain_value_json_would_write(
    value: Any, plain: Any
) -> None:
    found = kept([value, {value: 1}] if isinstance(value, str) else [value])
    assert found[0] == plain
    assert type(found[0]) is type(plain)
    if isinstance(plain, str):
        assert [(key, type(key)) for key in found[1]] == [(plain, str)]


@pytest.mark.parametrize(
    ("value", "path", "code"),
    [
        ({"a": "x\x00y"}, "payload.a", "nul"),
        ({"a": [1, {"b": "\x00"}]}, "payload.a[1].b", "nul"),
        ({"a\x00": 1}, "payload (a key)", "nul"),
        ({"a": {"\ud800": 1}}, "payload.a (a key)", "surrogate"),
        ({"a": "\udfff"}, "payload.a", "surrogate"),
        ([float("nan")], "payload[0]", "not-finite"),
        ([float("-inf")], "payload[0]", "not-finite"),
        ({"a": 2**4096}, "payload.a", "too-large"),
        ({1: "a"}, "payload", "not-json"),
        ({1: "a", "1": "b"}, "payload", "not-json"),
        ({True: 1}, "payload", "not-json"),
        ({None: 1}, "payload", "not-json"),
        ({"a": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)}, "payload.a", "not-json"),
        ({"a": uuid.UUID(int=1)}, "payload.a", "not-json"),
        ({"a": decimal.Decimal("1.5")}, "payload.a", "not-json"),
        ({"a": {1, 2}}, "payload.a", "not-json"),
        ({"a": b"bytes"}, "payload.a", "not-json"),
        ({"a": object()}, "payload.a", "not-json"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_path(value: Any, path: str, code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        kept(value)
    assert (error.value.field, error.value.code) == (path, code)
    assert str(error.value).startswith(f"{path}: ")


def test_the_refusal_of_a_type_names_it() -> None:
    with pytest.raises(InvalidInput, match="datetime is not JSON"):
        kept({"at": dt.datetime.now(tz=dt.UTC)})


def nested(levels: int) -> Any:
    value: Any = "leaf"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_nesting_is_bounded() -> None:
    assert kept(nested(64)) == nested(64)
    with pytest.raises(InvalidInput, match="nested too deep") as error:
        kept(nested(65))
    assert error.value.code == "too-deep"


def test_a_value_inside_itself_is_nested_too_deep() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(InvalidInput, match="nested too deep"):
        kept(value)


def test_a_path_is_short_whatever_the_keys() -> None:
    with pytest.raises(InvalidInput) as error:
        kept({"k" * 5000: {"l" * 5000: float("nan")}})
    assert len(error.value.field) < 250
    assert error.value.field.startswith("payload.kkk")


def test_a_key_that_cannot_be_shown_is_refused_all_the_same() -> None:
    with pytest.raises(InvalidInput, match="keys must be strings, not int"):
        kept({10**5000: 1})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e16, "10000000000000000.0"),
        (1e22, "10000000000000000000000.0"),
        (-1e16, "-10000000000000000.0"),
        (1.5, "1.5"),
        (5e-324, "5e-324"),
        ({"e+": 1e17}, '{"e+":100000000000000000.0}'),
        (["1e+17", 1], '["1e+17",1]'),
        ("é\u2028", '"é\u2028"'),
    ],
)
def test_floats_keep_a_decimal_point_and_text_stays_as_it_is(value: Any, text: str) -> None:
    assert encode(value, "x", max_bytes=1000) == text
    assert ExactEncoder().encode(value) == text


def test_the_largest_float_stays_a_float() -> None:
    text = encode(1.7976931348623157e308, "x", max_bytes=1000)
    assert json.loads(text) == 1.7976931348623157e308
    assert isinstance(json.loads(text), float)


def test_the_size_is_counted_in_bytes() -> None:
    assert encode("é" * 10, "x", max_bytes=22) == '"' + "é" * 10 + '"'
    with pytest.raises(InvalidInput, match=r"^x: 22 bytes as JSON, at most 21 are allowed$"):
        encode("é" * 10, "x", max_bytes=21)


def test_no_encoder_lets_a_nan_pass() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        ExactEncoder().encode({"a": math.nan, "b": 1e20})
