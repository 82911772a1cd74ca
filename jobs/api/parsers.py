"""Reading a request's body: JSON in UTF-8 and nothing else, up to a size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, Final

from rest_framework.parsers import BaseParser

from jobs.api.problems import Problem
from jobs.conf import conf
from jobs.errors import InvalidInput

_SLACK_BYTES: Final = 64 * 1024
_BULK_BYTES: Final = 16 * 1024 * 1024


def body_limit() -> int:
    """Largest body in bytes: a full payload and full args, though every character be escaped."""
    return 2 * 6 * int(conf.PAYLOAD_MAX_BYTES) + _SLACK_BYTES


def bulk_body_limit() -> int:
    """Largest body of a bulk request, in bytes."""
    return max(_BULK_BYTES, body_limit())


class StrictJSONParser(BaseParser):
    """JSON that means one thing: UTF-8, no repeated keys, bounded in size and depth.

    `NaN` and its like pass here as floats, because whoever checks the field they stand in can name
    it when refusing them.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Raises Problem 413 or 400, and InvalidInput for JSON that Python cannot hold."""
        limit = parser_context["view"].body_limit() if parser_context else body_limit()
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise Problem(413, "body-too-large", f"The body may have at most {limit:,} bytes.")
        try:
            return json.loads(raw.decode("utf-8"), object_pairs_hook=_unique)
        except RecursionError:
            raise InvalidInput("body", "nested too deep", code="too-deep") from None
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise Problem(400, "malformed-json", f"The body is not JSON: {error}") from None
        except ValueError:
            # Python's own limit on the digits of a whole number.
            raise InvalidInput(
                "body", "a whole number has too many digits", code="too-large"
            ) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Problem(400, "malformed-json", f"The key {repeated!r} stands twice in one object.")
    return found
