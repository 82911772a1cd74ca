"""The span of one attempt, in the words of OpenTelemetry's conventions for messaging."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.util.types import AttributeValue

from jobs import __version__
from jobs.errors import Cancel, Snooze
from jobs.store.values import Claimed

_NO_ERRORS: Final = (Cancel, Snooze)


@contextmanager
def of_attempt(job: Claimed) -> Iterator[None]:
    """The span within which a handler runs. An error is told by its type alone, since its text may
    hold secrets."""
    with trace.get_tracer("jobs", __version__).start_as_current_span(
        f"process {job.task}",
        kind=trace.SpanKind.CONSUMER,
        attributes=_attributes(job),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except _NO_ERRORS:
            raise
        except BaseException as error:
            kind = type(error)
            span.set_attribute("error.type", f"{kind.__module__}.{kind.__qualname__}")
            span.set_status(trace.StatusCode.ERROR)
            raise


def _attributes(job: Claimed) -> dict[str, AttributeValue]:
    found: dict[str, AttributeValue] = {
        "messaging.system": "qforge",
        "messaging.operation.type": "process",
        "messaging.destination.name": job.queue,
        "messaging.message.id": str(job.id),
        "qforge.task": job.task,
        "qforge.attempt": job.attempt,
        "qforge.max_attempts": job.max_attempts,
    }
    if job.workflow_id is not None:
        found |= {"qforge.workflow_id": job.workflow_id, "qforge.step": job.step_name}
    return found
