"""What all views share. Nothing of it depends on the host project's REST_FRAMEWORK settings."""

from __future__ import annotations

import functools
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar, Final

from django.db import DataError, transaction
from django.utils import translation
from django.utils.module_loading import import_string
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from jobs.api import disclosure, guards, parsers, permissions, problems, scope
from jobs.api.renderers import CompactJSONRenderer, OneRenderer
from jobs.conf import conf
from jobs.permissions import Permission
from jobs.store import origin
from jobs.store.connections import alias
from jobs.store.dialects import dialect
from jobs.store.origin import Origin

MAX_ACTOR: Final = 150
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_.:+/=@-]{1,100}")


@contextmanager
def bounded() -> Iterator[str]:
    """A transaction on the queue's database, its statements cut off in time; yields the alias."""
    using = alias()
    with transaction.atomic(using=using):
        dialect(using).statement_timeout(using, conf.API_TIMEOUT_SECONDS)
        yield using


_documenting: ContextVar[bool] = ContextVar("qforge_documenting", default=False)


@contextmanager
def documented() -> Iterator[None]:
    """Within the block the views describe themselves; elsewhere only where the project wants it."""
    before = _documenting.set(True)
    try:
        yield
    finally:
        _documenting.reset(before)


class _LazySchema:
    """The inspector that writes the OpenAPI document, imported only when that is asked for.

    None, which means undocumented, where drf-spectacular is not installed, and to the project's
    own document unless `IN_PROJECT_SCHEMA` is set.
    """

    def __get__(self, view: APIView | None, owner: type[APIView]) -> Any:
        if not (conf.IN_PROJECT_SCHEMA or _documenting.get()):
            return None
        inspector = _inspector()
        return inspector.__get__(view, owner) if inspector is not None else None


@functools.cache
def _inspector() -> Any:
    try:
        from jobs.api.openapi import QForgeSchema
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "drf_spectacular":
            raise
        return None
    return QForgeSchema()


class JobsView(APIView):
    """Base of every view of this app.

    Each says in `requires` which permission its methods need: one for all of them, a mapping by
    method, or None where being a member of staff is enough. See `jobs.api.permissions`.
    """

    requires: ClassVar[permissions.Requires]

    renderer_classes = [CompactJSONRenderer]
    parser_classes = [parsers.StrictJSONParser]
    throttle_classes = []
    content_negotiation_class = OneRenderer
    metadata_class = None
    versioning_class = None
    schema: Any = _LazySchema()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        permissions.check_declaration(cls)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        # With ATOMIC_REQUESTS a commit could fail after the answer was made.
        return transaction.non_atomic_requests(super().as_view(**initkwargs))

    def get_authenticators(self) -> list[Any]:
        return [import_string(path)() for path in conf.AUTHENTICATION_CLASSES]

    def get_permissions(self) -> list[BasePermission]:
        return permissions.permission_classes()

    def get_exception_handler(self) -> Callable[..., Any]:
        return problems.handle

    def body_limit(self) -> int:
        """Largest body this view reads, in bytes."""
        return parsers.body_limit()

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except DataError:
            # A name that no database can hold, such as one with NUL, is nobody's.
            raise AuthenticationFailed from None

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        def allowed() -> bool:
            return permissions.may(self.request, Permission.VIEW_PAYLOAD)

        # Programs read these texts; those of the framework would follow the project's language.
        with (
            translation.override(None),
            disclosure.shown_to(allowed),
            scope.of(lambda: self.request.user),
            origin.by(None),
        ):
            return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response["X-Request-ID"] = request_id(request)
        return super().finalize_response(request, response, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        permissions.refuse_when_read_only(request)
        guards.refuse_foreign_writes(request)
        if request.method not in SAFE_METHODS:
            origin.set_origin(Origin(actor(request), "api", request_id(request)))


class PublicView(JobsView):
    """For what has nothing to hide and nothing to change: no login, no permission, no guard."""

    requires = None

    def get_authenticators(self) -> list[Any]:
        return []

    def get_permissions(self) -> list[BasePermission]:
        return []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        APIView.initial(self, request, *args, **kwargs)


def actor(request: Request) -> str:
    """The name under which events remember who asked."""
    user: Any = request.user
    return user.get_username()[:MAX_ACTOR] if user and user.is_authenticated else "anonymous"


def request_id(request: Any) -> str:
    """What the client or a proxy calls the request in `X-Request-ID`, or a name made up for it."""
    given: str = request.META.get("HTTP_X_REQUEST_ID", "")
    if not _REQUEST_ID.fullmatch(given):
        given = request.META["HTTP_X_REQUEST_ID"] = uuid.uuid4().hex
    return given
