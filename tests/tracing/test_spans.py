"""A handler runs within a span, as OpenTelemetry's own SDK has it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from jobs import client, tracing
from jobs.errors import Cancel, MissingExtra, Retry, Snooze
from jobs.states import Verb
from tests.worker.attempts import attempt, attempts, claimed

Register = Callable[..., client.Task]
Spans = Callable[[], list[ReadableSpan]]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spans]:
    """Those that have ended; the provider is the test's own, for a process can have but one."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    undo = tracing.install()
    yield lambda: list(exporter.get_finished_spans())
    undo()
    provider.shutdown()


def test_a_span_tells_which_attempt_it_is(spans: Spans, register: Register) -> None:
    task = register(lambda: None, name="tests.mail")
    job = claimed(task, queue="mail", attempt=2, max_attempts=5)
    assert attempts([job])[0].verb is Verb.SUCCEED
    (span,) = spans()
    assert (span.name, span.kind) == ("process tests.mail", SpanKind.CONSUMER)
    assert span.status.status_code is StatusCode.UNSET
    assert dict(span.attributes or {}) == {
        "messaging.system": "qforge",
        "messaging.operation.type": "process",
        "messaging.destination.name": "mail",
        "messaging.message.id": str(job.id),
        "qforge.task": "tests.mail",
        "qforge.attempt": 2,
        "qforge.max_attempts": 5,
    }


def test_spans_of_a_handler_are_children_of_its_span(spans: Spans, register: Register) -> None:
    def plain() -> None:
        with trace.get_tracer("app").start_as_current_span("query"):
            pass

    async def asynchronous() -> None:
        plain()

    for handler in (plain, asynchronous):
        attempt(register(handler))
    inner, outer, async_inner, async_outer = spans()
    for child, parent in ((inner, outer), (async_inner, async_outer)):
        assert child.parent is not None
        assert parent.context is not None
        assert child.parent.span_id == parent.context.span_id
    # Each attempt begins a trace of its own.
    assert outer.parent is None
    assert async_outer.parent is None


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("secret"), "builtins.ValueError"),
        (Retry(after=1), "jobs.errors.Retry"),
        (SystemExit(3), "builtins.SystemExit"),
        (Snooze(5), None),
        (Cancel("no longer wanted"), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_told_by_its_type_alone(
    spans: Spans, register: Register, error: BaseException, told: str | None
) -> None:
    def handler() -> None:
        raise error

    attempt(register(handler))
    (span,) = spans()
    assert (span.attributes or {}).get("error.type") == told
    assert (span.status.status_code is StatusCode.ERROR) == (told is not None)
    assert "secret" not in span.to_json()


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("opentelemetry", "opentelemetry.trace", "opentelemetry.util.types"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "jobs.tracing.spans", raising=False)
    monkeypatch.delattr(tracing, "spans", raising=False)
    for ask in (tracing.check, tracing.install):
        with pytest.raises(MissingExtra, match=r"pip install 'django-qforge\[otel\]'"):
            ask()
