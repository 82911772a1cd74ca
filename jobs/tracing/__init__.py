"""Spans of OpenTelemetry around handlers, where `QFORGE["TRACING"]` asks for them.

Where spans go is the project's business; here they are only begun and ended. The library comes
with `pip install 'django-qforge[otel]'`.
"""

from __future__ import annotations

from collections.abc import Callable

from jobs import instrument
from jobs.extras import extra


def check() -> None:
    """Raises MissingExtra when the library is not installed."""
    with extra("otel", "opentelemetry"):
        import opentelemetry.trace  # noqa: F401


def install() -> Callable[[], None]:
    """Put a span around every handler of this process; returns the way out.

    Raises:
        MissingExtra: the library is not installed.
    """
    with extra("otel", "opentelemetry"):
        from jobs.tracing import spans
    return instrument.surround(spans.of_attempt)
