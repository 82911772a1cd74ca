"""Taking secrets out of what people are shown: payloads, results, texts of errors, log lines.

A value is secret when its key holds one of `QFORGE["REDACT"]`, or is one of the names in the
task's `sensitive`, at any depth. In texts the same words are looked for before an equals sign or,
in quotes, before a colon, beside passwords in URLs and credentials of HTTP.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jobs import registry
from jobs.conf import conf

REDACTED: Final = "[redacted]"
HIDDEN: Final = "[hidden]"
"""Stands for what is not for whoever asks, secret or not."""

_SEPARATORS: Final = re.compile(r"[\W_]+")
_CREDENTIALS: Final = (
    (re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]+(?=@)"), REDACTED),
    (re.compile(r"\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{6,}", re.IGNORECASE), rf"\1 {REDACTED}"),
)
_NAMES: Final = ("name", "key", "header")


def redact(value: Any, task: str = "") -> Any:
    """`value`, plain JSON, without its secrets; the same object when it has none."""
    return _Redactor(*_words(task)).clean(value)


def redact_args(args: Any, task: str) -> Any:
    """Positional arguments without those whose parameter has a secret name."""
    known = registry.find(task)
    if not isinstance(args, list) or known is None:
        return redact(args, task)
    redactor = _Redactor(*_words(task))
    shown, names = [], list(_positional(known))
    for position, value in enumerate(args):
        # The last one may be `*args`, which takes the rest.
        name = names[min(position, len(names) - 1)] if names else ""
        shown.append(REDACTED if redactor.secret(name) else redactor.clean(value))
    return shown


def redact_text(text: str, task: str = "") -> str:
    """`text` without what looks like a secret in it."""
    for pattern, instead in (*_CREDENTIALS, *_assignments(*_words(task))):
        text = pattern.sub(instead, text)
    return text


def keys_only(value: Any) -> Any:
    """Which keys an object has, or how long a list is, and no value."""
    if isinstance(value, dict):
        return dict.fromkeys(value, HIDDEN)
    if isinstance(value, list):
        return [HIDDEN] * len(value)
    return None if value is None else HIDDEN


def _words(task: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parts of secret keys, and whole ones."""
    known = registry.find(task)
    return _normalised(tuple(conf.REDACT)), _normalised(known.sensitive if known else ())


@functools.lru_cache(maxsize=256)
def _normalised(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(plain for word in words if (plain := _plain(word)))


def _plain(word: str) -> str:
    return _SEPARATORS.sub("", word).casefold()


def _positional(task: registry.Task) -> Iterable[str]:
    kinds = inspect.Parameter
    by_position = (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD, kinds.VAR_POSITIONAL)
    for name, parameter in task.signature.parameters.items():
        if parameter.kind in by_position and not (task.takes_context and name == "context"):
            yield name


@functools.lru_cache(maxsize=256)
def _assignments(
    parts: tuple[str, ...], names: tuple[str, ...]
) -> tuple[tuple[re.Pattern[str], str], ...]:
    words = "|".join(r"[\W_]?".join(map(re.escape, word)) for word in (*parts, *names))
    if not words:
        return ()
    value = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;&)}\]]+)"""
    # Bounded, so that a word repeated without end is not read to its end each time.
    key = rf"((?:{words})[\w-]{{0,40}}(?:\s*=\s*|[\"']\s*:\s*))"
    return ((re.compile(key + value, re.IGNORECASE), rf"\1{REDACTED}"),)


class _Redactor:
    def __init__(self, parts: Sequence[str], names: Sequence[str]) -> None:
        self._parts, self._names = parts, names
        self._texts = (*_CREDENTIALS, *_assignments(tuple(parts), tuple(names)))
        self._known: dict[str, bool] = {}

    def secret(self, key: str) -> bool:
        """Whether the value of this key is one."""
        found = self._known.get(key)
        if found is None:
            plain = _plain(key)
            found = plain in self._names or any(part in plain for part in self._parts)
            self._known[key] = found
        return found

    def clean(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self._list(value)
        if isinstance(value, str) and any(mark in value for mark in "=:@ "):
            for pattern, instead in self._texts:
                value = pattern.sub(instead, value)
        return value

    def _object(self, value: Mapping[str, Any]) -> Any:
        # As headers and form fields are often listed: {"name": "Authorization", "value": …}.
        listed = "value" in value and any(
            isinstance(name := value.get(key), str) and self.secret(name) for key in _NAMES
        )
        changed = {
            key: REDACTED
            if (self.secret(key) or (listed and key == "value")) and item is not None
            else self.clean(item)
            for key, item in value.items()
        }
        same = all(changed[key] is item for key, item in value.items())
        return value if same else changed

    def _list(self, value: list[Any]) -> list[Any]:
        # Or as pairs: ["Authorization", …].
        if len(value) == 2 and isinstance(value[0], str) and self.secret(value[0]):
            return [value[0], REDACTED]
        changed = [self.clean(item) for item in value]
        same = all(new is old for new, old in zip(changed, value, strict=True))
        return value if same else changed
