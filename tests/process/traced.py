"""`manage.py` of a project that writes its spans to stdout, as JSON."""

from __future__ import annotations

import sys

from django.core.management import execute_from_command_line
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

if __name__ == "__main__":
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter()))
    trace.set_tracer_provider(provider)
    execute_from_command_line(sys.argv)
