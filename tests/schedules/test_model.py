"""What the table and `full_clean` refuse."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from jobs.models import Schedule

pytestmark = pytest.mark.django_db


def row(**fields: Any) -> Schedule:
    return Schedule(**{"name": "nightly", "task": "tests.report", "cron": "0 3 * * *"} | fields)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"cron": "0 0 31 4 *"}, "cron"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": "a b c d e"}, "cron"),
        ({"cron": "1," * 5000 + "1 * * * *"}, "cron"),
        ({"cron": "", "interval_seconds": None}, "cron"),
        ({"interval_seconds": 60}, "cron"),
        ({"cron": "", "interval_seconds": 0}, "interval_seconds"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"missed": "sometimes"}, "missed"),
        ({"missed_limit": 0}, "missed_limit"),
        ({"overlap": "never"}, "overlap"),
        ({"name": ""}, "name"),
        ({"task": ""}, "task"),
    ],
)
def test_full_clean_refuses_what_the_api_refuses(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError) as caught:
        row(**fields).full_clean()
    assert named in caught.value.message_dict


def test_full_clean_takes_a_good_row() -> None:
    row().full_clean()
    row(cron="", interval_seconds=60, timezone="Australia/Lord_Howe").full_clean()


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"name": ""}, "job_schedules_names_not_empty"),
        ({"task": ""}, "job_schedules_names_not_empty"),
        ({"cron": ""}, "job_schedules_cron_or_interval"),
        ({"interval_seconds": 60}, "job_schedules_cron_or_interval"),
        ({"cron": "", "interval_seconds": 0}, "job_schedules_cron_or_interval"),
        ({"priority": 101}, "job_schedules_priority_in_range"),
        ({"missed": "x"}, "job_schedules_policy_known"),
        ({"overlap": "x"}, "job_schedules_policy_known"),
        ({"declared_in": "x"}, "job_schedules_policy_known"),
        ({"missed_limit": 0}, "job_schedules_missed_limit_in_range"),
        ({"missed_limit": 1001}, "job_schedules_missed_limit_in_range"),
        ({"disabled_reason": "why"}, "job_schedules_reason_needs_disabled"),
    ],
)
def test_the_database_refuses_rows_that_mean_nothing(
    fields: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        row(**fields).save()


def test_names_are_unique() -> None:
    row().save()
    with pytest.raises(IntegrityError, match=r"unique|UNIQUE"), transaction.atomic():
        row().save()
