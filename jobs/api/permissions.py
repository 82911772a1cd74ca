"""Who may use the API."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from jobs.api.guards import open_on_loopback


class IsStaffOrOpenOnLoopback(BasePermission):
    """Active staff; in development also whoever sits at this machine, if the settings say so."""

    message = "Log in as a member of staff."

    def has_permission(self, request: Request, view: Any) -> bool:
        user: Any = request.user
        staff = bool(user and user.is_active and getattr(user, "is_staff", False))
        return staff or open_on_loopback(request)
