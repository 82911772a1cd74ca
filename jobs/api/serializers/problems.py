"""Errors as they are answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField
from jobs.api.problems import ACTIONS
from jobs.states import JobStatus


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="Path of the value, like `jobs[3].payload.a`.")
    code = serializers.CharField(help_text="A stable word for programs.")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="A URN that ends in the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(help_text="A stable word for programs.")
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    current_status = EnumField(
        "JobStatus",
        JobStatus,
        required=False,
        help_text="With `illegal-transition` and `workflow-conflict`.",
    )
    allowed_actions = serializers.ListField(
        child=EnumField("JobAction", list(ACTIONS.values())),
        required=False,
        help_text="With `illegal-transition` only.",
    )
    required_permission = serializers.CharField(
        required=False, help_text="With `permission-denied`: what the user would need."
    )
    job = serializers.IntegerField(
        required=False, help_text="With `idempotency-conflict`: the job that has the key."
    )
    workflow = serializers.IntegerField(
        required=False, help_text="With `idempotency-conflict`: the workflow that has the key."
    )
