"""Workflows: as rows of a list, whole, and as they are asked for."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.api.inputs import MAX_REASON
from jobs.api.problems import ACTIONS as JOB_ACTIONS
from jobs.api.serializers.jobs import JobRequestSerializer
from jobs.api.workflows import ACTIONS
from jobs.states import JobStatus, OnFailure, WorkflowStatus


class WorkflowProgressSerializer(serializers.Serializer[Any]):
    steps = serializers.IntegerField(help_text="All of them.")
    open = serializers.IntegerField(help_text="Not ended yet.")
    running = serializers.IntegerField(help_text="Of those, how many are on a worker.")
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    cancelled = serializers.IntegerField()


class WorkflowSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    status = EnumField("WorkflowStatus", WorkflowStatus)
    progress = WorkflowProgressSerializer()
    failed_step = serializers.CharField(
        allow_null=True, help_text="The failed step that is first by name; null without one."
    )
    seconds = serializers.FloatField(help_text="From the submission to the end, or until now.")
    created_at = UTCTimeField()
    finished_at = UTCTimeField(allow_null=True)
    cancel_requested_at = UTCTimeField(allow_null=True)
    idempotency_key = serializers.CharField(allow_null=True)
    rerun_of = serializers.IntegerField(
        allow_null=True, help_text="The workflow this one repeats, which may be gone."
    )
    allowed_actions = serializers.ListField(
        child=EnumField("WorkflowAction", ACTIONS), help_text="What may be asked of it now."
    )


class WorkflowPageSerializer(serializers.Serializer[Any]):
    results = WorkflowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class StepCountsSerializer(serializers.Serializer[Any]):
    """How many steps are in each status."""

    blocked = serializers.IntegerField()
    scheduled = serializers.IntegerField()
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    cancelled = serializers.IntegerField()


class StepSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="Id of the job that the step is.")
    step = serializers.CharField()
    task = serializers.CharField()
    queue = serializers.CharField()
    status = EnumField("JobStatus", JobStatus)
    depends_on = serializers.ListField(child=serializers.CharField())
    waits_for = serializers.IntegerField(help_text="How many of those have yet to end.")
    appended_by = serializers.CharField(
        allow_null=True, help_text="The step that added this one while it ran."
    )
    on_failure = EnumField("OnFailure", OnFailure)
    attempts = serializers.IntegerField()
    max_attempts = serializers.IntegerField()
    available_at = UTCTimeField()
    started_at = UTCTimeField(allow_null=True)
    finished_at = UTCTimeField(allow_null=True)
    cancel_requested_at = UTCTimeField(allow_null=True)
    error_preview = serializers.CharField(help_text="The last line of the latest error.")
    allowed_actions = serializers.ListField(
        child=EnumField("JobAction", list(JOB_ACTIONS.values())),
        help_text="What the status of the job allows; the rest of the workflow may not.",
    )


class EdgeSerializer(serializers.Serializer[Any]):
    parent = serializers.CharField()  # type: ignore[assignment]
    child = serializers.CharField(help_text="Waits for the parent.")


class WorkflowDetailSerializer(WorkflowSerializer):
    counts = StepCountsSerializer()
    started_at = UTCTimeField(allow_null=True, help_text="When the first step did.")
    critical_path = serializers.ListField(
        child=serializers.CharField(),
        help_text="The steps whose ends made it take so long, so far, in their order.",
    )
    steps = StepSerializer(many=True)
    edges = EdgeSerializer(many=True)


class StepRequestSerializer(serializers.Serializer[Any]):
    step = serializers.CharField(max_length=200, help_text="Its name in the workflow.")
    task = serializers.CharField(max_length=255, help_text="Name of a registered task.")
    payload = serializers.DictField(
        required=False,
        allow_null=True,
        help_text='May refer to results of parents: `{"$result": "build", "path": "file.url"}`.',
    )
    depends_on = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        help_text="Names of the steps that must end first.",
    )
    on_failure = EnumField(
        "OnFailure",
        OnFailure,
        required=False,
        allow_null=True,
        help_text="When it ends without success: `cancel` what is below it, which is the default, "
        "or `continue`.",
    )

    def get_fields(self) -> dict[str, Any]:
        of_job = JobRequestSerializer().get_fields()
        same = ("queue", "priority", "max_attempts", "timeout_seconds", "available_at")
        return super().get_fields() | {name: of_job[name] for name in same}


class WorkflowRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=255)
    steps = StepRequestSerializer(many=True, help_text="All are inserted or none.")
    idempotency_key = serializers.CharField(
        max_length=255,
        required=False,
        allow_null=True,
        help_text="A second request with it gives the same workflow, for as long as that is kept.",
    )


class RerunRequestSerializer(serializers.Serializer[Any]):
    from_steps = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        allow_null=True,
        help_text="Run these and what is below them, and keep the results of the others. "
        "Without it everything runs again.",
    )
    idempotency_key = serializers.CharField(max_length=255, required=False, allow_null=True)
    reason = serializers.CharField(
        max_length=MAX_REASON, required=False, allow_null=True, allow_blank=True
    )
