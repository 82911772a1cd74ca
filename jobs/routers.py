"""A router for projects whose queue has a database of its own."""

from __future__ import annotations

from typing import Any, Final

from jobs.conf import conf

_APP: Final = "qforge"


class QueueRouter:
    """Keeps QForge's tables in `QFORGE["DATABASE"]` and nowhere else, and decides nothing more.

    `DATABASE_ROUTERS = ["jobs.routers.QueueRouter"]`, before routers of the project that answer for
    every app. Reads go to the same database as writes: what a replica says is decided elsewhere.
    Without that setting it has no opinion.
    """

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return conf.DATABASE if model._meta.app_label == _APP else None

    def db_for_write(self, model: Any, **hints: Any) -> str | None:
        return self.db_for_read(model)

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool | None:
        both = {one._meta.app_label, other._meta.app_label}
        return True if both == {_APP} and conf.DATABASE else None

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return db == conf.DATABASE if app_label == _APP and conf.DATABASE else None
