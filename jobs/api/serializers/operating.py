"""Tasks, queues, workers, numbers and health."""

from __future__ import annotations

import inspect
from typing import Any, Final

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.states import JobStatus
from jobs.stats import FINISHED, OPEN, PERCENTILES, SPARKS

PARAMETER_KINDS: Final = {
    kind: kind.name.lower()
    for kind in (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    )
}


class TaskParameterSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    kind = EnumField("ParameterKind", list(PARAMETER_KINDS.values()))
    required = serializers.BooleanField()  # type: ignore[assignment]
    default = serializers.JSONField(
        allow_null=True, help_text="Null also when there is none or it is not JSON."
    )
    default_text = serializers.CharField(help_text="The default as Python; empty without one.")
    annotation = serializers.CharField(help_text="As written; empty without one.")


class TaskSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    doc = serializers.CharField()
    queue = serializers.CharField()
    priority = serializers.IntegerField()
    max_attempts = serializers.IntegerField()
    timeout_seconds = serializers.FloatField(allow_null=True)
    parameters = TaskParameterSerializer(many=True)


class TaskListSerializer(serializers.Serializer[Any]):
    results = TaskSerializer(many=True)


class BoundedCountSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    exact = serializers.BooleanField(help_text="False: counting stopped there, or an estimate.")


OpenCountsSerializer: Any = type(
    "OpenCountsSerializer",
    (serializers.Serializer,),
    {status.value: BoundedCountSerializer() for status in OPEN},
)
FinishedCountsSerializer: Any = type(
    "FinishedCountsSerializer",
    (serializers.Serializer,),
    {status.value: BoundedCountSerializer() for status in FINISHED},
)
StatusCountsSerializer: Any = type(
    "StatusCountsSerializer",
    (serializers.Serializer,),
    {status.value: BoundedCountSerializer() for status in JobStatus},
)
PercentilesSerializer: Any = type(
    "PercentilesSerializer",
    (serializers.Serializer,),
    {f"p{percent}": serializers.FloatField(required=False) for percent in PERCENTILES},
)


class QueueRatesSerializer(serializers.Serializer[Any]):
    in_per_minute = serializers.FloatField(help_text="Jobs asked for, over five minutes.")
    out_per_minute = serializers.FloatField(help_text="Jobs that ended, over five minutes.")
    retrying_per_minute = serializers.FloatField(help_text="Failed attempts that are repeated.")
    wait_p95_seconds = serializers.FloatField(
        allow_null=True, help_text="Estimated, over a quarter of an hour; null without attempts."
    )
    finished = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=f"Jobs that ended, in each of the last {SPARKS} quarters of an hour.",
    )


class QueueSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    jobs = OpenCountsSerializer()
    oldest_queued_seconds = serializers.FloatField(
        allow_null=True, help_text="How long the longest waiting queued job has been due."
    )
    paused_at = UTCTimeField(allow_null=True)
    paused_by = serializers.CharField()
    pause_reason = serializers.CharField()
    rates = QueueRatesSerializer()


class QueueListSerializer(serializers.Serializer[Any]):
    results = QueueSerializer(many=True)


class QueueControlSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    paused_at = UTCTimeField(allow_null=True)
    paused_by = serializers.CharField()
    pause_reason = serializers.CharField()


class WorkerSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    host = serializers.CharField()
    pid = serializers.IntegerField()
    version = serializers.CharField()
    queues = serializers.ListField(child=serializers.CharField(), help_text="Empty: all of them.")
    threads = serializers.IntegerField()
    busy = serializers.IntegerField(help_text="Threads that run a job.")
    stopping = serializers.BooleanField()
    started_at = UTCTimeField()
    heartbeat_age_seconds = serializers.FloatField()
    lost = serializers.BooleanField(help_text="Not heard of for longer than a lease.")


class WorkerListSerializer(serializers.Serializer[Any]):
    results = WorkerSerializer(many=True)


class ThroughputSerializer(serializers.Serializer[Any]):
    last_minute = FinishedCountsSerializer()
    last_hour = FinishedCountsSerializer()


class LatencySerializer(serializers.Serializer[Any]):
    jobs = serializers.IntegerField(help_text="The latest succeeded jobs it is taken from.")
    wait = PercentilesSerializer(help_text="Seconds from due to started; empty without jobs.")
    run = PercentilesSerializer(help_text="Seconds from started to finished.")


class StatsSerializer(serializers.Serializer[Any]):
    jobs = StatusCountsSerializer()
    finished = ThroughputSerializer()
    oldest_queued_seconds = serializers.FloatField(allow_null=True)
    latency_seconds = LatencySerializer()
    stalled = BoundedCountSerializer(
        help_text="Running jobs whose lease has run out and that nobody has rescued."
    )


class HealthSerializer(serializers.Serializer[Any]):
    status = serializers.CharField()
