"""Parts of a workflow: its counts, steps, events, graph and spans."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.api.problems import ACTIONS as JOB_ACTIONS
from jobs.api.serializers.jobs import EventSerializer
from jobs.api.serializers.workflows import StepCountsSerializer, WorkflowSerializer
from jobs.api.workflow_gantt import MAX_SPANS
from jobs.api.workflow_graph import MAX_EDGES, MAX_WHOLE
from jobs.states import EventKind, JobStatus, OnFailure


class WorkflowSummarySerializer(WorkflowSerializer):
    counts = StepCountsSerializer()
    started_at = UTCTimeField(allow_null=True, help_text="When the first step did.")


class StepRowSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="Id of the job that the step is.")
    step = serializers.CharField()
    task = serializers.CharField()
    queue = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    waits_for = serializers.IntegerField(help_text="How many parents have yet to end.")
    waits_on = serializers.CharField(
        allow_null=True, help_text="The first of those, for a step that is blocked."
    )
    on_failure = EnumField("OnFailure", OnFailure)
    attempts = serializers.IntegerField()
    max_attempts = serializers.IntegerField()
    available_at = UTCTimeField()
    started_at = UTCTimeField(allow_null=True)
    finished_at = UTCTimeField(allow_null=True)
    error_preview = serializers.CharField(help_text="The last line of the latest error.")
    allowed_actions = serializers.ListField(
        child=EnumField("JobAction", list(JOB_ACTIONS.values())),
        help_text="What the status of the job allows; the rest of the workflow may not.",
    )


class StepPageSerializer(serializers.Serializer[Any]):
    results = StepRowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class StepEventSerializer(EventSerializer):
    step = serializers.CharField()


class StepEventPageSerializer(serializers.Serializer[Any]):
    results = StepEventSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class GraphNodeSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="Id of the job that the step is.")
    step = serializers.CharField()
    task = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    attempts = serializers.IntegerField()
    max_attempts = serializers.IntegerField()
    on_failure = EnumField("OnFailure", OnFailure)
    waits_for = serializers.IntegerField(help_text="How many parents have yet to end.")
    available_at = UTCTimeField()
    started_at = UTCTimeField(allow_null=True)
    finished_at = UTCTimeField(allow_null=True)
    percent = serializers.FloatField(
        allow_null=True, help_text="Progress of a running step, as its handler last said."
    )


class WorkflowGraphSerializer(serializers.Serializer[Any]):
    steps = serializers.IntegerField(help_text="How many the workflow has.")
    complete = serializers.BooleanField(
        help_text=f"All of them are here. One with more than {MAX_WHOLE:,} steps or {MAX_EDGES:,} "
        "edges has no nodes, unless one step is asked for."
    )
    critical_path = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Jobs of the steps whose ends made it take so long, so far, in their order.",
    )
    nodes = GraphNodeSerializer(many=True)
    edges = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(), min_length=2, max_length=2, help_text="Parent, child."
        ),
        help_text="Pairs of jobs.",
    )


class SpanSerializer(serializers.Serializer[Any]):
    """A stretch of a step's life in one status."""

    status = EnumField("JobStatus", JobStatus)
    retry = serializers.BooleanField(help_text="Waits to be tried again.")
    attempt = serializers.IntegerField()
    worker = serializers.CharField(help_text="Empty when it did not run.")
    to = UTCTimeField(allow_null=True, help_text="Null: it goes on.")
    ended_by = EnumField(
        "EventKind", EventKind, allow_null=True, help_text="Of a run: what ended it."
    )
    ended_as = EnumField(
        "JobStatus", JobStatus, allow_null=True, help_text="Of a run: the status after it."
    )

    def get_fields(self) -> dict[str, Any]:
        # A keyword of Python, so it cannot be an attribute.
        return {**super().get_fields(), "from": UTCTimeField()}


class GanttRowSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField()
    step = serializers.CharField()
    task = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    attempts = serializers.IntegerField()
    finished_at = UTCTimeField(allow_null=True)
    spans = SpanSerializer(many=True, help_text=f"The latest {MAX_SPANS}, in their order.")
    spans_left_out = serializers.IntegerField()


class GanttSerializer(serializers.Serializer[Any]):
    steps = serializers.IntegerField(help_text="How many the workflow has.")
    now = UTCTimeField(help_text="By the database's clock.")
    critical_path = serializers.ListField(child=serializers.IntegerField())
    results = GanttRowSerializer(many=True, help_text="In the order in which they started.")
    next_offset = serializers.IntegerField(allow_null=True, help_text="Null: these were the last.")
