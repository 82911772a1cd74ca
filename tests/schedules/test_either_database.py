"""What holds on SQLite too, by its own clock."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from jobs.models import Job, Schedule
from jobs.schedules import actions
from jobs.store import clock
from tests.schedules.helpers import USING, fresh, made, ticked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("report")]


@pytest.mark.parametrize("times", [{"cron": "*/5 * * * *"}, {"interval_seconds": 300}])
def test_an_hour_back_is_made_up_for_by_one_job(times: dict[str, Any]) -> None:
    schedule = made(**times)
    assert ticked() is not None
    assert not Job.objects.exists()
    Schedule.objects.update(next_run_at=Now() - dt.timedelta(hours=1))
    for _ in range(2):
        seconds = ticked()
        assert seconds is not None
        assert 0 <= seconds <= 300
    assert Job.objects.get().pk == fresh(schedule).last_job_id
    next_run_at = fresh(schedule).next_run_at
    assert next_run_at is not None
    assert next_run_at > clock.now(USING)


def test_a_broken_row_disables_itself_and_the_others_fire() -> None:
    schedules = [made("broken"), made("good")]
    Schedule.objects.update(next_run_at=Now() - dt.timedelta(minutes=3))
    Schedule.objects.filter(name="broken").update(cron="61 * * * *")
    ticked()
    assert [fresh(schedule).enabled for schedule in schedules] == [False, True]
    assert Job.objects.get().pk == fresh(schedules[1]).last_job_id


def test_it_is_switched_and_run_by_hand() -> None:
    schedule = made(cron="@yearly")
    assert not actions.disable(USING, schedule.pk).enabled
    assert actions.enable(USING, schedule.pk).next_run_at == schedule.next_run_at
    assert actions.run_now(USING, schedule.pk).id == Job.objects.get().pk
