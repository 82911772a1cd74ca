"""Series for charts, and the tasks that take longest."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import UTCTimeField
from jobs.api.serializers.operating import PercentilesSerializer
from jobs.models.rollup import RollupOutcome
from jobs.stats import PERCENTILES


def _points(child: Any) -> Any:
    return serializers.ListField(child=child)


CountSeriesSerializer: Any = type(
    "CountSeriesSerializer",
    (serializers.Serializer,),
    {o.value: _points(serializers.IntegerField(allow_null=True)) for o in RollupOutcome},
)
PercentileSeriesSerializer: Any = type(
    "PercentileSeriesSerializer",
    (serializers.Serializer,),
    {f"p{p}": _points(serializers.FloatField(allow_null=True)) for p in PERCENTILES},
)


class TimeseriesSerializer(serializers.Serializer[Any]):
    start = UTCTimeField(help_text="Of the first step; the last one is that of this moment.")
    step_seconds = serializers.IntegerField()
    complete_at = UTCTimeField(
        allow_null=True, help_text="Up to when all events are in it; null before any is."
    )
    counts = CountSeriesSerializer(help_text="Events in each step; null where none is known.")
    wait = PercentileSeriesSerializer(help_text="Seconds from due to started, estimated.")
    run = PercentileSeriesSerializer(help_text="Seconds an attempt took, estimated.")


class TaskTimesSerializer(serializers.Serializer[Any]):
    task = serializers.CharField()
    attempts = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Attempts that failed.")
    mean_seconds = serializers.FloatField()
    longest_seconds = serializers.FloatField()
    run_seconds = PercentilesSerializer(help_text="Estimated.")


class TaskTimesListSerializer(serializers.Serializer[Any]):
    results = TaskTimesSerializer(many=True)
