"""Health: is the process alive, and can it serve."""

from __future__ import annotations

import functools

from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.base import PublicView, bounded
from jobs.api.operations import operation
from jobs.api.problems import Problem
from jobs.api.serializers.operating import HealthSerializer

_APP = "qforge"


class HealthView(PublicView):
    @operation("healthz", tag="health", responses={200: HealthSerializer}, public=True)
    def get(self, request: Request) -> Response:
        """Say that the process is alive. Asks nobody else."""
        return Response({"status": "ok"})


class ReadyView(PublicView):
    @operation(
        "readyz", tag="health", responses={200: HealthSerializer}, problems=[503], public=True
    )
    def get(self, request: Request) -> Response:
        """Say that the database can be reached and has the tables; 503 otherwise."""
        with bounded() as using:
            recorder = MigrationRecorder(connections[using])
            applied = {name for app, name in recorder.applied_migrations() if app == _APP}
        missing = sorted(_on_disk() - applied)
        if missing:
            detail = f"Migrations are missing: {', '.join(missing)}; run `manage.py migrate`."
            raise Problem(503, "not-migrated", detail)
        return Response({"status": "ok"})


@functools.cache
def _on_disk() -> frozenset[str]:
    """The migrations this version comes with."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return frozenset(name for app, name in loader.disk_migrations if app == _APP)
