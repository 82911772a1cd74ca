"""Operations on many jobs: as they are asked for and shown."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.api.inputs import MAX_REASON
from jobs.models import OperationItem
from jobs.models.operation import RATES
from jobs.operations.requests import MAX_EXPECTED, MAX_IDS
from jobs.states import BulkAction, JobStatus, OperationStatus


class OperationRequestSerializer(serializers.Serializer[Any]):
    action = EnumField("BulkAction", BulkAction)
    filter = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="The conditions of the list of jobs by name; `status` may be a list.",
    )
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=MAX_IDS,
        required=False,
        allow_null=True,
        help_text="Or the jobs themselves.",
    )
    all = serializers.BooleanField(
        required=False, help_text="Must be true where the filter is empty, which means every job."
    )
    dry_run = serializers.BooleanField(required=False, help_text="Only count, and show some.")
    expected_count = serializers.IntegerField(
        min_value=0,
        max_value=MAX_EXPECTED,
        required=False,
        allow_null=True,
        help_text="Refuse with 409 when it would be for more jobs than these.",
    )
    rate_per_second = serializers.FloatField(
        min_value=RATES[0],
        max_value=RATES[1],
        required=False,
        allow_null=True,
        help_text="As fast as it goes by default.",
    )
    reason = serializers.CharField(
        max_length=MAX_REASON, required=False, allow_null=True, allow_blank=True
    )
    idempotency_key = serializers.CharField(max_length=255, required=False, allow_null=True)


class SampleJobSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    task = serializers.CharField()
    queue = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    created_at = UTCTimeField()
    finished_at = UTCTimeField(allow_null=True)


class DryRunSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField(help_text="Jobs it would be for.")
    exact = serializers.BooleanField(help_text="False: there are at least so many.")
    sample = SampleJobSerializer(many=True, help_text="The first of them.")


class RunnerJobSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    status = EnumField("JobStatus", JobStatus, allow_null=True, help_text="Null: it was pruned.")


class OperationSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    action = EnumField("BulkAction", BulkAction)
    status = EnumField("OperationStatus", OperationStatus)
    filter = serializers.DictField(allow_null=True, help_text="Null when jobs were named by id.")
    named = serializers.IntegerField(allow_null=True, help_text="How many were named by id.")
    matched = serializers.IntegerField(
        allow_null=True, help_text="Jobs that matched when it started; null before."
    )
    done = serializers.IntegerField()
    also_changed = serializers.IntegerField(
        help_text="Steps of workflows that changed along with those done."
    )
    skipped = serializers.IntegerField()
    failed = serializers.IntegerField()
    rate_per_second = serializers.FloatField(allow_null=True)
    actor = serializers.CharField()
    reason = serializers.CharField()
    error = serializers.CharField(help_text="Why it failed; empty otherwise.")
    cancelled_by = serializers.CharField(help_text="Who stopped it; empty when nobody did.")
    cancel_reason = serializers.CharField()
    runner_job = RunnerJobSerializer(allow_null=True, help_text="The job that carries it out.")
    allowed_actions = serializers.ListField(child=EnumField("OperationAction", ["cancel"]))
    created_at = UTCTimeField()
    started_at = UTCTimeField(allow_null=True)
    finished_at = UTCTimeField(allow_null=True)


class OperationPageSerializer(serializers.Serializer[Any]):
    results = OperationSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class OperationItemSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(source="job_id")
    outcome = EnumField("ItemOutcome", OperationItem.Outcome.values)
    reason = serializers.CharField()


class OperationItemPageSerializer(serializers.Serializer[Any]):
    results = OperationItemSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")
