"""Entries of the audit."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.models import AuditEntry


class AuditEntrySerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    at = UTCTimeField()
    actor = serializers.CharField()
    via = EnumField("AuditVia", AuditEntry.Via.values)
    action = serializers.CharField(help_text="Kind of the target and verb, like `queue.pause`.")
    target = serializers.CharField(help_text="Name or id of what was changed.")
    reason = serializers.CharField()
    before = serializers.DictField(
        allow_null=True, help_text="What was different before; null when it was not there."
    )
    after = serializers.DictField(allow_null=True, help_text="What is different since.")
    request_id = serializers.CharField(help_text="As the header X-Request-ID had it.")


class AuditPageSerializer(serializers.Serializer[Any]):
    results = AuditEntrySerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")
