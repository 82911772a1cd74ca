"""Who asks, and what they may do."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.base import JobsView
from jobs.api.operations import no_query, operation
from jobs.api.permissions import may
from jobs.api.serializers.me import MeSerializer
from jobs.conf import conf
from jobs.permissions import Permission


class MeView(JobsView):
    requires = None

    @operation("me_get", tag="me", responses={200: MeSerializer}, problems=[422])
    def get(self, request: Request) -> Response:
        """Look at who you are here and what you may do."""
        no_query(request)
        return Response(MeSerializer(describe(request)).data)


def describe(request: Request) -> dict[str, Any]:
    """Who asks, and what they may do, for programs that show only what can be done."""
    user: Any = request.user
    known = bool(user and user.is_authenticated)
    return {
        "user": user.get_username() if known else None,
        "read_only": conf.READ_ONLY,
        "permissions": {permission.value: may(request, permission) for permission in Permission},
    }
