"""Who asks, and what they may do."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.permissions import Permission

PermissionsSerializer: Any = type(
    "PermissionsSerializer",
    (serializers.Serializer,),
    {permission.value: serializers.BooleanField() for permission in Permission},
)


class MeSerializer(serializers.Serializer[Any]):
    user = serializers.CharField(allow_null=True, help_text="Null without a login.")
    read_only = serializers.BooleanField(  # type: ignore[assignment]
        help_text="Nothing may be changed here by anybody."
    )
    permissions = PermissionsSerializer(help_text="What the user may do, but for `read_only`.")
