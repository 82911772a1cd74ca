"""Jobs: as rows of a list, whole, and as they are asked for."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api import disclosure
from jobs.api.fields import DictSerializer, EnumField, ShownField, ShownTextField, UTCTimeField
from jobs.api.inputs import MAX_REASON
from jobs.api.problems import ACTIONS
from jobs.backoff import MAX_DELAY_SECONDS
from jobs.conf import BOUNDS
from jobs.registry import PRIORITIES
from jobs.states import EventKind, JobStatus


class JobBaseSerializer(DictSerializer):
    id = serializers.IntegerField()
    task = serializers.CharField()
    queue = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    priority = serializers.IntegerField(help_text="Higher first.")
    attempts = serializers.IntegerField(help_text="Tries so far, the running one included.")
    max_attempts = serializers.IntegerField(help_text="Tries in all.")
    available_at = UTCTimeField(help_text="When the next attempt is due, or the last one was.")
    created_at = UTCTimeField()
    started_at = UTCTimeField(allow_null=True, help_text="Start of the latest attempt.")
    finished_at = UTCTimeField(allow_null=True)
    cancel_requested_at = UTCTimeField(allow_null=True)
    progress = ShownField(
        disclosure.progress,
        allow_null=True,
        help_text="`{percent, message}` as the handler last said.",
    )
    error_fingerprint = serializers.CharField(
        help_text="The group of failures the latest attempt belongs to; empty when none."
    )
    idempotency_key = serializers.CharField(allow_null=True)
    workflow = serializers.IntegerField(
        source="workflow_id", allow_null=True, help_text="The workflow it is a step of."
    )
    step = serializers.CharField(source="step_name", help_text="Empty when it is none.")
    allowed_actions = serializers.ListField(
        child=EnumField("JobAction", list(ACTIONS.values())),
        help_text="What may be asked of the job in this status.",
    )


class JobRowSerializer(JobBaseSerializer):
    worker = serializers.CharField(help_text="Who runs it; empty when nobody does.")
    payload_preview = ShownTextField(
        disclosure.payload_preview, help_text="The beginning of the payload as JSON text."
    )
    error_preview = serializers.CharField(help_text="The last line of the latest error.")


class JobPageSerializer(serializers.Serializer[Any]):
    results = JobRowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class LeaseSerializer(serializers.Serializer[Any]):
    worker = serializers.CharField()
    expires_at = UTCTimeField(help_text="Renewed while the worker lives.")


class JobSerializer(JobBaseSerializer):
    payload = ShownField(disclosure.payload, help_text="Keyword arguments of the handler.")
    args = ShownField(disclosure.args, help_text="Positional arguments of the handler.")
    timeout_seconds = serializers.FloatField(allow_null=True)
    result = ShownField(disclosure.result, allow_null=True, help_text="What the handler returned.")
    error = ShownTextField(
        disclosure.error, help_text="Of the latest failed attempt; empty without one."
    )
    lease = LeaseSerializer(allow_null=True)
    task_registered = serializers.BooleanField(help_text="This process knows the task.")
    queue_paused = serializers.BooleanField()


class JobRequestSerializer(serializers.Serializer[Any]):
    task = serializers.CharField(max_length=255, help_text="Name of a registered task.")
    payload = serializers.DictField(
        required=False, help_text="Keyword arguments of the handler, checked against it."
    )
    args = serializers.ListField(
        required=False, help_text="Positional arguments of the handler; rarely needed."
    )
    queue = serializers.CharField(
        max_length=64, required=False, allow_null=True, help_text="The task's own by default."
    )
    priority = serializers.IntegerField(
        min_value=PRIORITIES[0],
        max_value=PRIORITIES[1],
        required=False,
        allow_null=True,
        help_text="Higher first; the task's own by default.",
    )
    max_attempts = serializers.IntegerField(
        min_value=int(BOUNDS["MAX_ATTEMPTS"][0]),
        max_value=int(BOUNDS["MAX_ATTEMPTS"][1]),
        required=False,
        allow_null=True,
        help_text="Tries in all.",
    )
    timeout_seconds = serializers.FloatField(
        min_value=BOUNDS["TIMEOUT_SECONDS"][0],
        max_value=BOUNDS["TIMEOUT_SECONDS"][1],
        required=False,
        allow_null=True,
        help_text="Deadline of an attempt from its start.",
    )
    delay_seconds = serializers.FloatField(
        min_value=0,
        max_value=MAX_DELAY_SECONDS,
        required=False,
        allow_null=True,
        help_text="Not before this time from now.",
    )
    available_at = UTCTimeField(
        required=False,
        allow_null=True,
        help_text="Not before this time, with its offset from UTC; not beside delay_seconds.",
    )
    idempotency_key = serializers.CharField(
        max_length=255,
        required=False,
        allow_null=True,
        help_text="A second request with it gives the same job, for as long as that is kept.",
    )


class BulkRequestSerializer(serializers.Serializer[Any]):
    jobs = JobRequestSerializer(many=True, help_text="All are enqueued or none.")


class EnqueuedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    status = EnumField("JobStatus", JobStatus)
    created = serializers.BooleanField(help_text="False: its key had this job already.")


class BulkAnswerSerializer(serializers.Serializer[Any]):
    results = EnqueuedSerializer(many=True, help_text="In the order of the request.")


class ReasonRequestSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(
        max_length=MAX_REASON, required=False, allow_null=True, allow_blank=True
    )


class EventSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    job = serializers.IntegerField()
    kind = EnumField("EventKind", EventKind)
    at = UTCTimeField()
    from_status = EnumField("JobStatus", JobStatus, allow_null=True, help_text="Null: it was new.")
    to_status = EnumField("JobStatus", JobStatus)
    attempt = serializers.IntegerField()
    worker = serializers.CharField()
    data = serializers.JSONField()  # type: ignore[assignment]


class EventPageSerializer(serializers.Serializer[Any]):
    results = EventSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class FeedEventSerializer(EventSerializer):
    task = serializers.CharField()
    queue = serializers.CharField()
    workflow = serializers.IntegerField(
        allow_null=True, help_text="The workflow its job is a step of."
    )


class FeedSerializer(serializers.Serializer[Any]):
    results = FeedEventSerializer(many=True)
    cursor = serializers.CharField(help_text="Give it back as `after` to read on.")
    more = serializers.BooleanField(help_text="Further events are waiting already.")
