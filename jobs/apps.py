"""The Django app: `"jobs"` in INSTALLED_APPS, labelled `qforge`."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "jobs"
    label = "qforge"
    verbose_name = "QForge jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Registers tasks and checks. No connection is opened and no thread started."""
        from jobs import checks, registry, signals
        from jobs.operations import runner
        from jobs.tasks_backend.namespaces import NAMESPACES

        checks.register_checks()
        # Having been imported above, Django's own checks of its tasks are registered too.
        if NAMESPACES:
            from jobs.tasks_backend import backend

            backend.connect()
        signals.connect()
        registry.autodiscover()
        # Its own task is known whatever modules the project names.
        registry.register(runner.run_operation)
