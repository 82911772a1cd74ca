"""The demo's app configuration."""

from __future__ import annotations

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """An app of tasks only: it has no models."""

    name = "demo"
    verbose_name = "Demo"
