"""What has changed, as an open page is told."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import UTCTimeField
from jobs.api.serializers.operating import StatsSerializer
from jobs.live.changes import MAX_IDS

_IDS = f"At most {MAX_IDS}; with more the answer is an overflow."


class LiveChangesSerializer(serializers.Serializer[Any]):
    jobs = serializers.ListField(child=serializers.IntegerField(), help_text=_IDS)
    workflows = serializers.ListField(child=serializers.IntegerField(), help_text=_IDS)
    queues = serializers.BooleanField(help_text="What waits in a queue, or its controls.")
    workers = serializers.BooleanField()
    schedules = serializers.BooleanField()
    failures = serializers.BooleanField(help_text="A job has failed, or is no longer failed.")


class LiveSerializer(serializers.Serializer[Any]):
    cursor = serializers.CharField(help_text="Give it back to hear what changes from here on.")
    server_time = UTCTimeField()
    next_poll_ms = serializers.IntegerField(help_text="When to ask again, at the earliest.")
    stats = StatsSerializer(allow_null=True, help_text="Null when `topics` leaves it out.")
    stats_at = UTCTimeField(help_text="When the numbers were counted, by the database's clock.")
    changed = LiveChangesSerializer()
    overflow = serializers.BooleanField(
        help_text="More has changed than is listed: read anew whatever you show."
    )
