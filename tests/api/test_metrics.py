"""The address that Prometheus reads."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from jobs import metrics
from jobs.errors import MissingExtra
from tests.api.client import Api
from tests.metrics.scrape import samples
from tests.support import factories


def test_who_may_see_jobs_may_read_the_numbers(api: Api) -> None:
    factories.jobs(2, "queued", queue="mail")
    answer = api.client.get("/metrics/")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    assert samples(answer.content.decode())["qforge_jobs", "mail", "queued"] == 2


def test_a_password_is_enough_for_a_machine(staff: Any) -> None:
    staff.set_password("long enough")
    staff.save()
    machine = Client()
    assert machine.get("/metrics/").status_code in (401, 403)
    secret = "Basic YWRhOmxvbmcgZW5vdWdo"
    assert machine.get("/metrics", headers={"Authorization": secret}).status_code == 200


@pytest.mark.django_db
def test_staff_without_the_permission_may_not() -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_user("bob", is_staff=True))
    answer = Api(browser).get("/metrics/")
    assert answer.status == 403
    assert answer["required_permission"] == "qforge.view_job"


def test_without_the_extra_its_name_is_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(using: str) -> None:
        raise MissingExtra("metrics")

    monkeypatch.setattr(metrics, "exposition", missing)
    answer = api.get("/metrics/")
    assert answer.status == 404
    assert "django-qforge[metrics]" in answer["detail"]
