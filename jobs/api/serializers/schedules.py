"""Schedules: as they are shown, and as they are asked for."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs import timing
from jobs.api import disclosure
from jobs.api.fields import EnumField, ShownField, ShownTextField, UTCTimeField
from jobs.api.schedules import ACTIONS
from jobs.cron import MAX_CHARS
from jobs.models import Schedule
from jobs.registry import PRIORITIES
from jobs.states import JobStatus
from jobs.timing import Missed, Overlap


class LastJobSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    status = EnumField("JobStatus", JobStatus, allow_null=True, help_text="Null: pruned since.")


class ScheduleBaseSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    task = serializers.CharField()
    queue = serializers.CharField(allow_null=True, help_text="Null: the task's own.")
    priority = serializers.IntegerField(allow_null=True, help_text="Null: the task's own.")
    cron = serializers.CharField(allow_null=True)
    interval_seconds = serializers.IntegerField(allow_null=True)
    timezone = serializers.CharField(help_text="IANA name.")
    description = serializers.CharField(
        help_text="The times in words; empty for a broken expression."
    )
    missed = EnumField("Missed", Missed)
    missed_limit = serializers.IntegerField()
    overlap = EnumField("Overlap", Overlap)
    enabled = serializers.BooleanField()
    disabled_reason = serializers.CharField()
    declared_in = EnumField("DeclaredIn", Schedule.DeclaredIn.values)
    next_run_at = UTCTimeField(allow_null=True)
    last_run_at = UTCTimeField(allow_null=True, help_text="The last fire time that got a job.")
    last_job = LastJobSerializer(allow_null=True)
    last_skipped_at = UTCTimeField(allow_null=True)
    last_skip_reason = serializers.CharField()
    created_at = UTCTimeField()
    updated_at = UTCTimeField()
    task_registered = serializers.BooleanField(help_text="This process knows the task.")
    allowed_actions = serializers.ListField(child=EnumField("ScheduleAction", ACTIONS))


class ScheduleRowSerializer(ScheduleBaseSerializer):
    payload_preview = ShownTextField(
        disclosure.payload_preview, help_text="The beginning of the payload as JSON text."
    )


class ScheduleSerializer(ScheduleBaseSerializer):
    payload = ShownField(disclosure.payload, help_text="Keyword arguments of the handler.")


class SchedulePageSerializer(serializers.Serializer[Any]):
    results = ScheduleRowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class SchedulePatchSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=255, required=False)
    task = serializers.CharField(
        max_length=255, required=False, help_text="Name of a registered task."
    )
    payload = serializers.DictField(
        required=False, help_text="Keyword arguments of the handler, checked against it."
    )
    queue = serializers.CharField(
        max_length=64, required=False, allow_null=True, help_text="The task's own by default."
    )
    priority = serializers.IntegerField(
        min_value=PRIORITIES[0], max_value=PRIORITIES[1], required=False, allow_null=True
    )
    cron = serializers.CharField(
        max_length=MAX_CHARS,
        required=False,
        allow_null=True,
        help_text="Five fields or a word such as `@hourly`; either this or `interval_seconds`.",
    )
    interval_seconds = serializers.IntegerField(
        min_value=timing.INTERVAL_SECONDS[0],
        max_value=timing.INTERVAL_SECONDS[1],
        required=False,
        allow_null=True,
    )
    timezone = serializers.CharField(
        max_length=64,
        required=False,
        allow_null=True,
        help_text="IANA name; the project's by default.",
    )
    missed = EnumField(
        "Missed",
        Missed,
        required=False,
        help_text="What becomes of fire times during a downtime: none, the last or all gets a job.",
    )
    missed_limit = serializers.IntegerField(
        min_value=timing.MISSED_LIMITS[0],
        max_value=timing.MISSED_LIMITS[1],
        required=False,
        help_text="The most jobs enqueued at once, when `missed` is `all`.",
    )
    overlap = EnumField(
        "Overlap",
        Overlap,
        required=False,
        help_text="What becomes of a fire time while the previous job has not ended.",
    )


class ScheduleRequestSerializer(SchedulePatchSerializer):
    name = serializers.CharField(max_length=255)
    task = serializers.CharField(max_length=255, help_text="Name of a registered task.")
    enabled = serializers.BooleanField(required=False, help_text="True by default.")


class RunSerializer(serializers.Serializer[Any]):
    at = UTCTimeField()
    local = serializers.CharField(help_text="The same moment on the clocks of the zone.")


class RunListSerializer(serializers.Serializer[Any]):
    results = RunSerializer(many=True)


class PreviewSerializer(RunListSerializer):
    description = serializers.CharField(help_text="The times in words.")
    timezone = serializers.CharField()
