"""Why a job is not running."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.explain import Code
from jobs.states import JobStatus


class ReasonSerializer(serializers.Serializer[Any]):
    code = EnumField("WhyCode", Code, help_text="A stable word for programs.")
    summary = serializers.CharField(help_text="A sentence for people.")
    facts = serializers.DictField(help_text="What the sentence is made of.")


class WhySerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField()
    status = EnumField("JobStatus", JobStatus)
    at = UTCTimeField(help_text="When this was so, by the database's clock.")
    reasons = ReasonSerializer(many=True, help_text="The most important first; never empty.")
