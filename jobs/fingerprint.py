"""What failed attempts have in common: the fingerprint that makes a group out of them.

Two failures are alike when the task, the class of the exception, the place in the application and
the message without its particulars are. A project may decide otherwise: by `qforge_fingerprint`
on an exception, or by the function that `QFORGE["ERROR_FINGERPRINT"]` names. Nothing here raises,
whatever an exception or that function does: a failure is recorded in any case.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import re
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.utils.module_loading import import_string

from jobs.conf import conf
from jobs.payload import clean_text

FINGERPRINT_CHARS: Final = 32
MESSAGE_CHARS: Final = 2000
"""Longest sample of a message that a group keeps."""
_NAME_CHARS: Final = 255
_COMPARED_CHARS: Final = 200
_READ_CHARS: Final = 1000
_KEY_CHARS: Final = 200

_logger = logging.getLogger("jobs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed attempt, as its group sees it. All texts can be stored and are bounded."""

    fingerprint: str
    task: str
    queue: str
    exception: str
    """The qualified name of the exception's class, or what stands for it."""
    culprit: str
    """`module:function` of the application where it was raised; empty when there is none."""
    message: str


def of_exception(
    task: str, queue: str, error: BaseException, *, exception: str, message: str
) -> Failure:
    """The failure that `error` was; `exception` and `message` are its name and text, made safe."""
    culprit = _quietly(_culprit, error) or ""
    return _failure(task, queue, exception, culprit, message, key=_key(task, error))


def of_reason(task: str, queue: str, *, exception: str, message: str) -> Failure:
    """A failure that no code of the application raised: a lost worker, a deadline, a refusal."""
    return _failure(task, queue, exception, "", message, key=None)


def _failure(
    task: str, queue: str, exception: str, culprit: str, message: str, *, key: str | None
) -> Failure:
    exception = clean_text(exception, _NAME_CHARS)
    culprit = clean_text(culprit, _NAME_CHARS)
    alike = [exception, culprit, normalised(message)] if key is None else ["key", key]
    # The task always counts, so that a group is about one task and can be triaged as one.
    digest = hashlib.sha256(json.dumps([task, *alike]).encode()).hexdigest()
    return Failure(
        fingerprint=digest[:FINGERPRINT_CHARS],
        task=task,
        queue=queue,
        exception=exception,
        culprit=culprit,
        message=clean_text(message, MESSAGE_CHARS),
    )


# In this order: what stands inside of quotes, addresses and paths is not looked at again. Each is
# linear in the text, which may be anything.
_PARTICULARS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), f"<{name}>")
    for pattern, name in (
        (r"(?<!\w)'(?:[^'\\\n]|\\.){0,400}'(?!\w)", "text"),
        (r'"(?:[^"\\\n]|\\.){0,400}"', "text"),
        (r"`[^`\n]{1,400}`", "text"),
        (r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>'\"]+", "url"),
        (r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", "email"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "uuid"),
        (r"(?<![\w<])(?:[a-z]:)?[\\/](?:[\w.@%+~-]+[\\/])+[\w.@%+~-]*", "path"),
        (r"\b0x[0-9a-f]+\b|\b(?=[a-f]*[0-9])[0-9a-f]{8,}\b", "hex"),
        (r"\d+", "n"),
    )
)
_REPEATED: Final = re.compile(r"(<\w+>)(?:[\s,;:.+-]+\1)+")
_SPACE: Final = re.compile(r"\s+")


def normalised(message: str) -> str:
    """The message with its particulars replaced by placeholders, at most 200 characters."""
    text = message[:_READ_CHARS]
    for pattern, placeholder in _PARTICULARS:
        text = pattern.sub(placeholder, text)
    return _SPACE.sub(" ", _REPEATED.sub(r"\1", text)).strip()[:_COMPARED_CHARS]


def _culprit(error: BaseException) -> str:
    """The deepest frame of the application; where there is none, the deepest of all."""
    trace = error.__traceback__
    deepest = own = None
    while trace is not None:
        deepest = trace.tb_frame
        if not _is_library(deepest.f_code.co_filename):
            own = deepest
        trace = trace.tb_next
    chosen = own or deepest
    if chosen is None:
        return ""
    return f"{_module(chosen.f_globals)}:{chosen.f_code.co_qualname}"


def _module(names: dict[str, Any]) -> str:
    name = names.get("__name__")
    return name if isinstance(name, str) else "?"


_LIBRARIES: Final = tuple(
    f"{path}/"
    for path in {
        *(sysconfig.get_paths().get(kind, "") for kind in ("stdlib", "platstdlib")),
        str(Path(__file__).resolve().parent),
    }
    if path
)


@functools.lru_cache(maxsize=4096)
def _is_library(filename: str) -> bool:
    """Whether a file is none of the application's: installed, of Python, or of QForge."""
    plain = filename.replace("\\", "/")
    installed = "/site-packages/" in plain or "/dist-packages/" in plain
    return installed or plain.startswith(("<frozen", *_LIBRARIES))


def _key(task: str, error: BaseException) -> str | None:
    """What the project says these failures have in common; None when it leaves that to us."""
    own = _quietly(_own_key, error)
    if own is not None or not conf.ERROR_FINGERPRINT:
        return own
    return _quietly(functools.partial(_asked, task), error)


def _own_key(error: BaseException) -> str | None:
    return _checked(getattr(error, "qforge_fingerprint", None), "qforge_fingerprint")


def _asked(task: str, error: BaseException) -> str | None:
    path = conf.ERROR_FINGERPRINT
    return _checked(import_string(path)(task, error), path)


def _checked(key: Any, source: str) -> str | None:
    if key is None:
        return None
    if not isinstance(key, str):
        raise TypeError(f"{source} gave {type(key).__name__}, not a string or None")
    # Of a subclass of str the characters count, and not what its methods may do.
    return clean_text(str.strip(str.__str__(key)), _KEY_CHARS) or None


def _quietly(make: Callable[[BaseException], str | None], error: BaseException) -> str | None:
    try:
        return make(error)
    except BaseException as problem:
        _logger.warning("a fingerprint could not be made: %s", type(problem).__name__)
        return None
