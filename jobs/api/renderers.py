"""Writing an answer. The API speaks JSON, whatever the request says it accepts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer


class CompactJSONRenderer(JSONRenderer):
    """JSON in UTF-8, independent of the host project's settings."""

    ensure_ascii = False
    compact = True
    strict = True


class OneRenderer(DefaultContentNegotiation):
    """Always the view's first renderer, since the API knows one format."""

    def select_renderer(
        self, request: Any, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
