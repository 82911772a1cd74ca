"""What this project's API does unless a view says otherwise."""

from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response


class DenyAll(BasePermission):
    def has_permission(self, request, view):
        return False


class ShoutingRenderer(JSONRenderer):
    media_type = "application/vnd.shop"
    format = "shop"

    def render(self, data, accepted_media_type=None, renderer_context=None):
        return super().render({"SHOP": data}, accepted_media_type, renderer_context)


def handle(error, context):
    return Response({"shop": "trouble"}, status=418)
