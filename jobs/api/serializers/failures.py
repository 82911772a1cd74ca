"""Groups of failures."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from jobs.api.fields import EnumField, UTCTimeField
from jobs.api.serializers.operating import BoundedCountSerializer
from jobs.states import ErrorGroupStatus, JobStatus
from jobs.stats.failures import COUNTED, HOURS

MAX_NOTE: Final = 2000
MAX_IGNORED: Final = 1_000_000_000


class FailureRowSerializer(serializers.Serializer[Any]):
    fingerprint = serializers.CharField(help_text="What failures have in common; names the group.")
    task = serializers.CharField()
    queue = serializers.CharField(help_text="That of the latest failure.")
    exception = serializers.CharField(help_text="Qualified name of the class.")
    culprit = serializers.CharField(
        help_text="`module:function` of the application; empty when there is none."
    )
    message = serializers.CharField(
        help_text="Of the latest failure; empty for whoever may not see payloads."
    )
    status = EnumField("ErrorGroupStatus", ErrorGroupStatus)
    occurrences = serializers.IntegerField(help_text="Failed attempts in all.")
    failed = BoundedCountSerializer(help_text=f"Jobs that failed for good, up to {COUNTED:,}.")
    retrying = BoundedCountSerializer(help_text="Jobs that failed so and will be tried again.")
    hours = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=f"Failed attempts in each of the last {HOURS} hours, the running one last.",
    )
    hours_begin_at = UTCTimeField(help_text="The beginning of the first of them.")
    first_seen_at = UTCTimeField()
    last_seen_at = UTCTimeField()
    first_release = serializers.CharField(help_text="Empty when the setting RELEASE was.")
    last_release = serializers.CharField()
    is_new = serializers.BooleanField(help_text="First seen in the release that runs here.")
    reopened_at = UTCTimeField(
        allow_null=True, help_text="When it opened again by itself, while nobody has decided anew."
    )
    ignore_until_count = serializers.IntegerField(
        allow_null=True, help_text="An ignored group opens at so many; null is never."
    )
    note = serializers.CharField()
    changed_by = serializers.CharField(help_text="Who last decided; empty when nobody has.")
    changed_at = UTCTimeField(allow_null=True)


class FailurePageSerializer(serializers.Serializer[Any]):
    results = FailureRowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="URL of the next page.")
    previous = serializers.CharField(allow_null=True, help_text="URL of the previous page.")


class FailureSampleSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField()
    status = EnumField("JobStatus", JobStatus)
    payload = serializers.JSONField(
        allow_null=True, help_text="Null when it is too long to be shown here."
    )
    payload_chars = serializers.IntegerField(help_text="Its length as JSON text.")


class SharedValueSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(help_text="Where in the payload, keys joined by dots.")
    value = serializers.JSONField(allow_null=True, help_text="Text is cut at 200 characters.")
    jobs = serializers.IntegerField(help_text="Payloads that have it.")
    of = serializers.IntegerField(help_text="Payloads looked at.")


class FailureSerializer(FailureRowSerializer):
    payload_visible = serializers.BooleanField(
        help_text="False: samples and common values need the permission to see payloads."
    )
    samples = FailureSampleSerializer(many=True, help_text="A few of its jobs, the latest first.")
    common_values = SharedValueSerializer(
        many=True, help_text="What most payloads of its latest jobs have in common."
    )


class FailurePatchSerializer(serializers.Serializer[Any]):
    status = EnumField("ErrorGroupStatus", ErrorGroupStatus, required=False)
    ignore_for = serializers.IntegerField(
        min_value=1,
        max_value=MAX_IGNORED,
        required=False,
        allow_null=True,
        help_text="With the status `ignored`: open it again after so many more failures.",
    )
    note = serializers.CharField(max_length=MAX_NOTE, required=False, allow_blank=True)
