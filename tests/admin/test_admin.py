"""The admin: who sees what, what may be done, and that nothing else can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission as Row
from django.contrib.messages.storage.fallback import FallbackStorage
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from jobs.models import (
    AuditEntry,
    ErrorGroup,
    Job,
    JobEvent,
    Operation,
    Queue,
    Schedule,
    WorkerPool,
    Workflow,
)
from jobs.states import JobStatus
from tests.support import factories
from tests.support.one_of_each import one_of_each

pytestmark = pytest.mark.django_db

VIEWED_WITH = {
    Job: "view_job",
    JobEvent: "view_job",
    Workflow: "view_workflow",
    Schedule: "view_schedule",
    Queue: "view_queue",
    WorkerPool: "view_workerpool",
    ErrorGroup: "view_errorgroup",
    Operation: "view_job",
    AuditEntry: "view_audit",
}
User = get_user_model()


def person(*permissions: str, **fields: Any) -> Client:
    """A browser in which a member of staff with these permissions is logged in."""
    name = f"user-{User.objects.count()}"
    user = User.objects.create_user(name, **{"is_staff": True} | fields)
    user.user_permissions.set(Row.objects.filter(codename__in=permissions))
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def root() -> Client:
    return person(is_superuser=True)


def url(model: Any, page: str = "changelist", *args: Any) -> str:
    return reverse(f"admin:qforge_{model._meta.model_name}_{page}", args=args)


def act(browser: Client, model: Any, action: str, *rows: Any, **more: Any) -> list[str]:
    """Do an action with rows; returns what the admin says."""
    data = {"action": action, "_selected_action": [row.pk for row in rows], **more}
    answer = browser.post(url(model), data, follow=True)
    return [str(message) for message in answer.context["messages"]]


@pytest.fixture
def rows() -> dict[Any, Any]:
    return one_of_each()


@pytest.mark.parametrize("model", VIEWED_WITH, ids=lambda model: model.__name__)
def test_who_may_look_at_what(model: Any, rows: dict[Any, Any]) -> None:
    pages = [url(model), url(model, "change", rows[model].pk)]
    viewer, other = person(VIEWED_WITH[model]), person()
    everything_else = person(*(set(VIEWED_WITH.values()) - {VIEWED_WITH[model]}))
    for page in pages:
        assert viewer.get(page).status_code == 200
        assert other.get(page).status_code == 403
        assert everything_else.get(page).status_code == 403
        assert Client().get(page).status_code == 302
        assert person(VIEWED_WITH[model], is_active=False).get(page).status_code == 302


@pytest.mark.parametrize("model", VIEWED_WITH, ids=lambda model: model.__name__)
def test_no_form_adds_changes_or_deletes(model: Any, rows: dict[Any, Any], root: Client) -> None:
    row = rows[model]
    before = type(row).objects.values().get(pk=row.pk)
    assert root.get(url(model, "add")).status_code == 403
    assert root.post(url(model, "add"), {}).status_code == 403
    assert root.post(url(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert root.post(url(model, "change", row.pk), {"name": "x", "status": "x"}).status_code == 403
    assert type(row).objects.values().get(pk=row.pk) == before
    assert "delete_selected" not in root.get(url(model)).content.decode()


ACTIONS = [
    (Job, "retry", "retry_job"),
    (Job, "cancel", "cancel_job"),
    (Job, "run_now", "change_job"),
    (Workflow, "cancel", "manage_workflow"),
    (Workflow, "retry", "manage_workflow"),
    (Queue, "pause", "pause_queue"),
    (Queue, "resume", "pause_queue"),
    (Schedule, "run_now", "manage_schedule"),
    (Schedule, "enable", "manage_schedule"),
    (Schedule, "disable", "manage_schedule"),
    (Operation, "cancel", "bulk_operate"),
]


@pytest.mark.parametrize(("model", "action", "permission"), ACTIONS)
def test_an_action_is_offered_to_whoever_may_do_it(
    model: Any, action: str, permission: str, rows: dict[Any, Any]
) -> None:
    option = f'<option value="{action}">'
    may, may_not = person(VIEWED_WITH[model], permission), person(VIEWED_WITH[model])
    assert option in may.get(url(model)).content.decode()
    assert option not in may_not.get(url(model)).content.decode()
    entries = AuditEntry.objects.count()
    assert act(may_not, model, action, rows[model]) in ([], ["No action selected."])
    with override_settings(QFORGE={"READ_ONLY": True}):
        assert option not in may.get(url(model)).content.decode()
        act(may, model, action, rows[model])
    assert AuditEntry.objects.count() == entries
    assert type(rows[model]).objects.values().get(pk=rows[model].pk)


def test_an_action_goes_through_the_library_and_is_audited(root: Client) -> None:
    good, bad = factories.job(JobStatus.FAILED), factories.job(JobStatus.SUCCEEDED)
    said = act(root, Job, "retry", good, bad, reason="fixed")
    assert said == [
        f"{bad}: job {bad.pk} is succeeded; it cannot retry",
        "1 jobs queued anew.",
    ]
    good.refresh_from_db()
    assert (good.status, good.attempts) == ("queued", 0)
    assert JobEvent.objects.get(job=good).data["reason"] == "fixed"
    entry = AuditEntry.objects.get()
    assert (entry.via, entry.action, entry.reason) == ("admin", "job.retry", "fixed")
    assert entry.actor.startswith("user-")


def test_jobs_are_cancelled_and_run_now(root: Client) -> None:
    waiting, later = factories.job(JobStatus.QUEUED), factories.job(JobStatus.SCHEDULED)
    running = factories.job(JobStatus.RUNNING)
    act(root, Job, "cancel", waiting, running)
    act(root, Job, "run_now", later)
    found = dict(Job.objects.values_list("pk", "status"))
    assert found == {waiting.pk: "cancelled", running.pk: "running", later.pk: "queued"}
    assert Job.objects.get(pk=running.pk).cancel_requested_at is not None


def test_more_jobs_than_a_page_are_left_to_an_operation(root: Client) -> None:
    made = factories.jobs(101, JobStatus.FAILED)
    (said,) = act(root, Job, "retry", made[0], select_across="1", index="0")
    assert said.startswith("Nothing was done: one action here is for 100 jobs at most.")
    assert not Job.objects.exclude(status="failed").exists()


def test_queues_schedules_and_operations_are_acted_on(
    root: Client, rows: dict[Any, Any], register: Callable[..., Any]
) -> None:
    register(lambda n, token: None, name="tests.t")
    act(root, Queue, "resume", rows[Queue])
    assert Queue.objects.get().paused_at is None
    act(root, Queue, "pause", rows[Queue], reason="upgrade")
    assert Queue.objects.get().pause_reason == "upgrade"
    assert act(root, Schedule, "run_now", rows[Schedule]) == ["1 schedules got a job."]
    assert Job.objects.filter(task="tests.t").count() == 1
    act(root, Schedule, "disable", rows[Schedule])
    assert not Schedule.objects.get().enabled
    act(root, Schedule, "enable", rows[Schedule])
    assert Schedule.objects.get().enabled
    act(root, Operation, "cancel", rows[Operation], reason="wrong")
    assert Operation.objects.get().cancel_reason == "wrong"
    made = set(AuditEntry.objects.filter(via="admin").values_list("action", flat=True))
    assert {"queue.pause", "schedule.run-now", "operation.cancel"} <= made


def text(browser: Client, row: Any) -> str:
    return browser.get(url(type(row), "change", row.pk)).content.decode()


def test_values_are_for_those_who_may_see_payloads(rows: dict[Any, Any], root: Client) -> None:
    viewer = person("view_job", "view_schedule", "view_errorgroup")
    job = rows[Job]
    seen, hidden = text(root, job), text(viewer, job)
    assert "Zürich" in seen
    assert "ValueError: wrong" in seen
    assert "city" in hidden
    assert "Zürich" not in hidden
    assert "ValueError: wrong" not in hidden
    assert "hush" not in seen + hidden
    for model in (JobEvent, Schedule, ErrorGroup):
        assert "secretive" in text(root, rows[model])
        assert "secretive" not in text(viewer, rows[model])
    assert "hush" not in text(root, rows[Schedule])
    for model in (Job, JobEvent, Schedule, ErrorGroup):
        listed = root.get(url(model)).content.decode()
        assert "secretive" not in listed
        assert "Zürich" not in listed


@pytest.mark.parametrize(
    "query",
    ["error__contains=x", "payload__password=hush", "payload__contains=h", "task=t", "id__gt=1"],
)
def test_nothing_can_be_guessed_by_a_condition_in_the_url(root: Client, query: str) -> None:
    assert root.get(f"{url(Job)}?{query}").status_code == 400


def test_the_newest_come_first_whatever_order_is_asked_for(root: Client) -> None:
    made = factories.jobs(3, JobStatus.QUEUED)
    for query in ("", "?o=1", "?o=2.-3"):
        listed = root.get(url(Job) + query).context["cl"].result_list
        assert [row.pk for row in listed] == [row.pk for row in reversed(made)]


def test_jobs_are_found_by_id_and_by_key_alone(root: Client) -> None:
    row = factories.job(JobStatus.QUEUED, idempotency_key="order-1")
    factories.job(JobStatus.FAILED)

    def listed(query: str) -> list[int]:
        answer = root.get(url(Job), {"q": query})
        assert answer.status_code == 200
        return [found.pk for found in answer.context["cl"].result_list]

    assert listed(str(row.pk)) == listed(" order-1 ") == [row.pk]
    assert listed("order") == listed("9" * 30) == listed("²") == []
    assert len(root.get(url(Job), {"status__exact": "failed"}).context["cl"].result_list) == 1


def test_other_tables_are_searched_likewise(root: Client, rows: dict[Any, Any]) -> None:
    Workflow.objects.filter(pk=rows[Workflow].pk).update(idempotency_key="run-1")
    Operation.objects.filter(pk=rows[Operation].pk).update(idempotency_key="op-1")
    for model, term in ((Workflow, "run-1"), (Operation, "op-1"), (ErrorGroup, "f" * 32)):
        found = root.get(url(model), {"q": term}).context["cl"].result_list
        assert [row.pk for row in found] == [rows[model].pk]
        assert root.get(url(model), {"q": "other"}).context["cl"].result_list == []


def test_values_are_text_whatever_stands_in_them(root: Client) -> None:
    evil = "<img src=x onerror=alert(1)></pre><script>alert(1)</script>"
    row = factories.job(
        JobStatus.FAILED, payload={evil: evil}, result=evil, error=evil, progress={"message": evil}
    )
    JobEvent.objects.create(job=row, kind="failed", to_status="failed", data={"reason": evil})
    group = ErrorGroup.objects.create(
        fingerprint="x", task=evil, queue="q", exception=evil, message=evil, occurrences=1
    )
    pages = [url(Job), url(Job, "change", row.pk), url(ErrorGroup)]
    pages += [url(ErrorGroup, "change", group.pk), url(JobEvent, "change", row.events.get().pk)]
    for page in pages:
        seen = root.get(page).content.decode()
        assert "<img src=x" not in seen
        assert "<script>alert" not in seen


def test_the_events_of_a_job_are_behind_a_link(root: Client, rows: dict[Any, Any]) -> None:
    link = f"{url(JobEvent)}?job__exact={rows[Job].pk}"
    assert link in text(root, rows[Job])
    listed = root.get(link).context["cl"].result_list
    assert [event.job_id for event in listed] == [rows[Job].pk]
    assert not root.get(f"{url(JobEvent)}?job__exact=1{rows[Job].pk}").context["cl"].result_list


def test_a_page_links_to_the_console_where_that_is_included(
    root: Client, rows: dict[Any, Any]
) -> None:
    assert f'href="/jobs/{rows[Job].pk}"' in text(root, rows[Job])
    with override_settings(ROOT_URLCONF="tests.admin.urls"):
        assert "Open in console" not in text(root, rows[Job])


def only_mail(user: Any, queryset: Any) -> Any:
    return queryset.filter(queue="mail") if queryset.model is Job else queryset.none()


def test_tenants_see_their_own(root: Client) -> None:
    own, other = factories.job(queue="mail"), factories.job(queue="other")
    for row in (own, other):
        JobEvent.objects.create(job=row, kind="enqueued", to_status="queued")
    with override_settings(QFORGE={"FILTER_QUERYSET": "tests.admin.test_admin.only_mail"}):
        assert [row.pk for row in root.get(url(Job)).context["cl"].result_list] == [own.pk]
        events = root.get(url(JobEvent)).context["cl"].result_list
        assert [event.job_id for event in events] == [own.pk]
        assert root.get(url(Job, "change", other.pk)).status_code == 302
        act(root, Job, "cancel", other)
    other.refresh_from_db()
    assert other.status == "queued"


def test_every_table_of_the_list_is_registered() -> None:
    registered = {model for model in admin.site._registry if model._meta.app_label == "qforge"}
    assert registered == set(VIEWED_WITH)


class Robot:
    """A user of another model than Django's, of which only the protocol is known."""

    pk, is_active, is_staff, is_authenticated = 1, True, True, True

    def get_username(self) -> str:
        return "r2@example.com"

    def has_perm(self, name: str, row: Any = None) -> bool:
        return name == "qforge.retry_job"


def test_a_user_model_of_the_projects_own_will_do(rf: RequestFactory) -> None:
    row = factories.job(JobStatus.FAILED)
    request: Any = rf.post(url(Job))
    request.user = Robot()
    request.session = {}
    request._messages = FallbackStorage(request)
    jobs_admin: Any = admin.site._registry[Job]
    assert not jobs_admin.has_view_permission(request)
    assert set(jobs_admin.get_actions(request)) == {"retry"}
    jobs_admin.retry(request, jobs_admin.get_queryset(request))
    assert JobEvent.objects.get(job=row).data["actor"] == "r2@example.com"
