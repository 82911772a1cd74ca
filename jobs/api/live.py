"""The message that tells an open page what has changed; by polling and by stream it is the same."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import replace
from typing import Any, Final

from jobs.api import scope
from jobs.api.operations import Parameter
from jobs.api.operations import text as text_parameter
from jobs.api.problems import Problem
from jobs.api.serializers.live import LiveSerializer
from jobs.conf import conf
from jobs.live.changes import Changes, Place
from jobs.live.counters import Counters
from jobs.live.topics import WORDS, Topics

_CALM_MS: Final = 5_000
_LONGEST_MS: Final = 60_000
_LOAD_FACTOR: Final = 20
# Servers take requests of 8 kB and more; a cursor is far shorter.
_MAX_CURSOR: Final = 8000
_MAX_TOPICS_CHARS: Final = 1200


def _parsed(parameter: Parameter, parse: Any) -> Parameter:
    def read(name: str, text: str) -> Any:
        return parse(parameter.read(name, text))

    return Parameter(parameter.name, parameter.description, read, parameter.schema)


PARAMETERS: Final = (
    _parsed(
        text_parameter(
            "cursor",
            "`cursor` of the last answer. Without it the answer says only what is true now.",
            _MAX_CURSOR,
        ),
        Place.decode,
    ),
    _parsed(
        text_parameter(
            "topics",
            f"What to tell of, with commas between: {', '.join(WORDS)}, workflow:ID. All of it by "
            "default; the flags come always.",
            _MAX_TOPICS_CHARS,
        ),
        Topics.parse,
    ),
)


def require_enabled() -> None:
    """Raises Problem 403 when the settings switch live updates off."""
    if not conf.LIVE_ENABLED:
        detail = "Live updates are switched off (`LIVE_ENABLED`); ask for what you show by hand."
        raise Problem(403, "live-disabled", detail)


def visible(using: str, changes: Changes) -> Changes:
    """The changes without the ids of what the user at hand may not see."""
    return replace(
        changes,
        jobs=frozenset(scope.visible(using, changes.jobs)),
        workflows=frozenset(scope.visible_workflows(using, changes.workflows)),
    )


def message(changes: Changes, place: Place, counters: Counters, topics: Topics) -> dict[str, Any]:
    """The document of one answer, ready to be written as JSON."""
    told = topics.of(changes)
    document = {
        "cursor": place.encode(),
        "server_time": dt.datetime.now(dt.UTC),
        "next_poll_ms": _next_poll_ms(counters),
        "stats": counters.glance if topics.stats else None,
        "stats_at": counters.glance.at,
        "changed": {
            "jobs": sorted(told.jobs),
            "workflows": sorted(told.workflows),
            "queues": told.queues,
            "workers": told.workers,
            "schedules": told.schedules,
            "failures": told.failures,
        },
        "overflow": told.overflow,
    }
    return dict(LiveSerializer(document).data)


def _next_poll_ms(counters: Counters) -> int:
    """Quick while something runs; slower for everybody when the numbers are slow to come."""
    least = conf.LIVE_MIN_INTERVAL_SECONDS * 1000
    wanted = least if counters.busy else max(least, _CALM_MS)
    loaded = min(counters.spent_seconds * 1000 * _LOAD_FACTOR, _LONGEST_MS)
    return round(max(wanted, loaded))


def etag(document: dict[str, Any]) -> str:
    """Of what a page shows: the times at which it was worked out are no news."""
    told = {key: document[key] for key in ("cursor", "stats", "changed", "overflow")}
    return f'"{hashlib.blake2b(as_text(told).encode(), digest_size=12).hexdigest()}"'


def as_text(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
