"""Secrets are taken out of values and texts, whatever the key's case, separators and depth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from jobs import client
from jobs.errors import InvalidInput
from jobs.redaction import HIDDEN, REDACTED, keys_only, redact, redact_args, redact_text


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "PASSWORD",
        "db_password",
        "userPassword",
        "password2",
        "api-key",
        "ApiKey",
        "X-API-KEY",
        "Authorization",
        "refresh_token",
        "credit card",
        "cardNumber",
        "client_secret",
        "Set-Cookie",
    ],
)
def test_the_value_of_a_secret_key_is_taken_out_at_any_depth(key: str) -> None:
    assert redact({key: "x"}) == {key: REDACTED}
    assert redact({"a": [{"b": {key: {"deep": 1}}}]}) == {"a": [{"b": {key: REDACTED}}]}
    assert redact({key: None}) == {key: None}


@pytest.mark.parametrize("key", ["user", "order_id", "message", "pass", "keyboard"])
def test_other_keys_keep_their_values(key: str) -> None:
    assert redact({key: "x"}) == {key: "x"}


def test_headers_in_lists_are_found_too() -> None:
    pairs = [["Authorization", "Basic abc"], ["Accept", "json"]]
    assert redact(pairs) == [["Authorization", REDACTED], ["Accept", "json"]]
    named = [{"name": "X-Token", "value": "abc"}, {"name": "X-Id", "value": "7"}]
    assert redact(named) == [{"name": "X-Token", "value": REDACTED}, {"name": "X-Id", "value": "7"}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_no_value_below_a_secret_key_survives(value: Any) -> None:
    marked = {"plain": [{"api_key": [value, "gr4il"]}]}
    assert redact(marked) == {"plain": [{"api_key": REDACTED}]}


@given(JSON)
def test_redacting_twice_is_redacting_once(value: Any) -> None:
    once = redact(value)
    assert redact(once) == once


def test_what_has_no_secret_is_handed_back_as_it_is() -> None:
    value = {"a": [1, {"b": "x = 1"}], "big": 2**70}
    assert redact(value) is value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("login(password='hunter2', user='ada')", "login(password=[redacted], user='ada')"),
        ('{"token": "abc def", "id": 4}', '{"token": [redacted], "id": 4}'),
        ("{'api_key': 'abc'}", "{'api_key': [redacted]}"),
        ("GET /?api_key=abc&page=2", "GET /?api_key=[redacted]&page=2"),
        ("Authorization: Bearer eyJhbGciOi.x.y", "Authorization: Bearer [redacted]"),
        ("postgres://app:s3cret@db:5432/shop", "postgres://[redacted]@db:5432/shop"),
        ("KeyError: 'token'", "KeyError: 'token'"),
        ("TokenError: no luck", "TokenError: no luck"),
        ("12:30 at host:8000", "12:30 at host:8000"),
    ],
)
def test_texts_lose_what_looks_like_a_secret(text: str, shown: str) -> None:
    assert redact_text(text) == shown
    assert redact({"log": text}) == {"log": shown}


@pytest.mark.timeout(5)
@pytest.mark.parametrize("part", ["password ", "password", "password='", "://a:", "x", "bearer "])
def test_a_long_text_costs_little(part: str) -> None:
    assert redact_text(part * 10_000 + "token=abc").endswith(REDACTED)


@override_settings(QFORGE={"REDACT": ["iban", "client no"]})
def test_the_settings_say_which_keys_are_secret() -> None:
    value = {"IBAN": 1, "client_no": 2, "password": 3}
    assert redact(value) == {"IBAN": REDACTED, "client_no": REDACTED, "password": 3}


@override_settings(QFORGE={"REDACT": []})
def test_no_key_need_be_secret() -> None:
    assert redact({"password": "x=1"}) == {"password": "x=1"}
    assert redact_text("password=1") == "password=1"


# What a task itself calls sensitive.


def pay(amount: int, account: str = "", *rest: str, context: Any = None) -> None: ...


@pytest.fixture
def sensitive(register: Callable[..., client.Task]) -> str:
    return register(pay, name="tests.pay", sensitive=("account", "rest")).name


def test_a_task_may_name_keys_of_its_own(sensitive: str) -> None:
    value = {"account": "DE1", "nested": {"Account": "DE2", "accounting": 3}}
    shown = {"account": REDACTED, "nested": {"Account": REDACTED, "accounting": 3}}
    assert redact(value, sensitive) == shown
    assert redact(value, "tests.other") is value
    assert redact_text("account='DE1'", sensitive) == "account=[redacted]"


def test_positional_arguments_go_by_the_names_of_their_parameters(sensitive: str) -> None:
    assert redact_args([5, "DE1", "a", "b"], sensitive) == [5, REDACTED, REDACTED, REDACTED]
    assert redact_args([5], sensitive) == [5]
    assert redact_args([{"token": 1}], "tests.unknown") == [{"token": REDACTED}]


@pytest.mark.parametrize("wrong", ["card", ["card"], (1,), ("",), None])
def test_sensitive_takes_a_tuple_of_names(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="sensitive: must be a tuple of names"):
        client.task(name="tests.wrong", sensitive=wrong)(pay)


# For whoever may not see values at all.


def test_keys_and_lengths_are_all_that_is_left() -> None:
    assert keys_only({"a": 1, "b": {"ada@example.com": 2}}) == {"a": HIDDEN, "b": HIDDEN}
    assert keys_only([1, {"a": 2}]) == [HIDDEN, HIDDEN]
    assert keys_only("x") == HIDDEN
    assert keys_only(None) is None
