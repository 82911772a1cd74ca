from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from demo import webhooks
from jobs import PermanentError


@pytest.fixture(autouse=True)
def hosts() -> Iterator[None]:
    named = ["hooks.example.com", "127.0.0.1:8000", "[::1]:8000"]
    with override_settings(DEMO_WEBHOOK_HOSTS=named):
        yield


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://127.0.0.1:8000/a?b=c#d", "http://127.0.0.1:8000/a?b=c"),
        ("https://hooks.example.com", "https://hooks.example.com:443/"),
        ("http://HOOKS.example.com:80/x", "http://hooks.example.com:80/x"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
    ],
)
def test_a_named_host_is_asked(url: str, asked: str) -> None:
    assert webhooks.allowed_url(url) == asked


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:8001/",
        "http://127.0.0.1/",
        "http://127.1:8000/",
        "http://2130706433:8000/",
        "http://localhost:8000/",
        "http://hooks.example.com.evil.example/",
        "http://hooks.example.com:22/",
        "http://127.0.0.1:8000@evil.example/",
        "http://evil.example#@127.0.0.1:8000/",
        "http://127.0.0.1:8000\\@evil.example/",
        "http://evil.example\\@127.0.0.1:8000/",
        "http://user:password@127.0.0.1:8000/",
        "file:///etc/passwd",
        "ftp://127.0.0.1:8000/",
        "gopher://127.0.0.1:8000/",
        "//127.0.0.1:8000/",
        "127.0.0.1:8000",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:8000/\r\nX-Header: 1",
        "http://127.0.0.1:8000/a b",
        "http://\uff11\uff12\uff17.0.0.1:8000/",
        "http://[::1",
        "http://",
        "",
    ],
)
def test_nothing_else_is(url: str) -> None:
    with pytest.raises(PermanentError):
        webhooks.allowed_url(url)
