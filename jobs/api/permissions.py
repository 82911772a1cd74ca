"""Who may use the API.

Every view says what its methods need in one class attribute:

    class JobListView(JobsView):
        requires = {"GET": Permission.VIEW_JOB, "POST": Permission.ENQUEUE_JOB}

or `requires = Permission.VIEW_JOB` for all its methods, or `requires = None` where being a member
of staff is enough. A view that leaves it out, or a method out, cannot be defined.
`tests/api/test_permissions.py` then asks every route by every method as everybody.

The classes here are the gate; `QFORGE["PERMISSION_CLASSES"]` puts others in their place, which find
the same attribute on the view. What they decide is final but for `QFORGE["READ_ONLY"]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.module_loading import import_string
from rest_framework.exceptions import APIException
from rest_framework.permissions import (
    SAFE_METHODS,
    AllowAny,
    BasePermission,
    IsAuthenticated,
    IsAuthenticatedOrReadOnly,
)
from rest_framework.request import Request, clone_request
from rest_framework.views import APIView

from jobs.api.guards import open_on_loopback
from jobs.api.problems import Problem
from jobs.conf import conf
from jobs.permissions import Permission

Requires = Permission | Mapping[str, Permission] | None
_OPEN = {
    AllowAny: "lets everybody do everything",
    IsAuthenticated: "lets every user do everything, staff or not",
    IsAuthenticatedOrReadOnly: "lets everybody read everything",
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def needed(view: Any, method: str | None) -> Permission | None:
    """What a method of a view needs; None for nothing beyond being let in."""
    requires: Requires = getattr(view, "requires", None)
    if isinstance(requires, Mapping):
        return requires.get("GET" if method == "HEAD" else method or "")
    return requires


def check_declaration(view: type[APIView]) -> None:
    """Raises TypeError for a view that does not say what each of its methods needs."""
    methods = {name for name in METHODS if hasattr(view, name.lower())}
    if not methods:
        return
    requires = getattr(view, "requires", ...)
    if requires is ...:
        raise TypeError(f"{view.__qualname__} needs `requires`: see jobs.api.permissions")
    if isinstance(requires, Mapping) and set(requires) != methods:
        message = f"{view.__qualname__} has {sorted(methods)} but `requires` {sorted(requires)}"
        raise TypeError(f"{message}: see jobs.api.permissions")


def _is_staff(request: Request) -> bool:
    user: Any = request.user
    return bool(user and user.is_active and getattr(user, "is_staff", False))


class IsStaffOrOpenOnLoopback(BasePermission):
    """All of it to active staff; in development also to whoever sits at this machine, if the
    settings say so."""

    message = "Log in as a member of staff."

    def has_permission(self, request: Request, view: Any) -> bool:
        return _is_staff(request) or open_on_loopback(request)


class HasPermission(IsStaffOrOpenOnLoopback):
    """Active staff, as far as Django's permissions go; in development also whoever sits at this
    machine without a login, if the settings say so."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not _is_staff(request):
            return super().has_permission(request, view)
        permission = needed(view, request.method)
        user: Any = request.user
        if permission is None or user.has_perm(permission.full_name):
            return True
        raise _lacking(permission)


def _lacking(permission: Permission) -> Problem:
    return Problem(
        403,
        "permission-denied",
        f"This needs the permission {permission.full_name}.",
        required_permission=permission.full_name,
    )


class _Asked:
    """Stands for a view that needs one permission."""

    def __init__(self, permission: Permission) -> None:
        self.requires = permission


def may(request: Request, permission: Permission) -> bool:
    """Whether who asks may do it, as the permission classes of the settings decide; READ_ONLY
    is not looked at."""
    asked: Any = _Asked(permission)
    writes = not permission.value.startswith("view_")
    # A class may let everybody read and few write.
    as_asked = clone_request(request, "POST" if writes else "GET")
    try:
        return all(one.has_permission(as_asked, asked) for one in permission_classes())
    except (APIException, PermissionDenied, Problem):
        return False


def require(request: Request, permission: Permission) -> None:
    """Raises Problem 403 unless who asks may do it: for what depends on the body."""
    if not may(request, permission):
        raise _lacking(permission)


def permission_classes() -> list[BasePermission]:
    """Those of the settings."""
    return [import_string(path)() for path in conf.PERMISSION_CLASSES]


def openings() -> list[str]:
    """What is open to people who are not staff, as far as the classes of the settings tell."""
    classes = [import_string(path) for path in conf.PERMISSION_CLASSES]
    if not classes:
        return ["an empty list lets everybody do everything"]
    # Whatever else is asked for must hold as well.
    known = [f"{one.__name__} {_OPEN[one]}" for one in classes if one in _OPEN]
    return known if len(known) == len(classes) else []


def refuse_when_read_only(request: Request) -> None:
    """Raises Problem 403 for a write while `QFORGE["READ_ONLY"]` is on, whoever asks."""
    if conf.READ_ONLY and request.method not in SAFE_METHODS:
        raise Problem(403, "read-only", "Nothing may be changed here: QFORGE['READ_ONLY'] is on.")
