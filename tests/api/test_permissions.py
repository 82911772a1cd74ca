"""Everybody asks every route by every method, and gets as far as they may."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission as Row
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from jobs.api.base import JobsView, PublicView
from jobs.api.pages import PageView
from jobs.api.permissions import METHODS, needed
from jobs.permissions import Permission
from tests.api.client import Api
from tests.support import factories

P = Permission
PATTERNS = {str(p.pattern): p.callback.view_class for p in get_resolver("jobs.urls").url_patterns}
# Regular expressions do not say what they match.
EXAMPLES = {"^api": "api/nothing", "^(?:jobs": "jobs/1"}
VIEWER = {p for p in P if p.value.startswith("view_")} - {P.VIEW_PAYLOAD}
OPERATOR = VIEWER | {P.VIEW_PAYLOAD, P.RETRY_JOB, P.CANCEL_JOB, P.PAUSE_QUEUE, P.MANAGE_WORKFLOW}
STAFF: dict[str, set[Permission]] = {
    "staff": set(),
    "viewer": VIEWER,
    "operator": OPERATOR,
    "superuser": set(P),
    "read-only": set(P),
}
OUTSIDERS = {
    "anonymous": None,
    "plain": {},
    "inactive": {"is_staff": True, "is_superuser": True, "is_active": False},
    "superuser who is no staff": {"is_superuser": True},
}


def url(pattern: str, job_id: int) -> str:
    path = next((to for begin, to in EXAMPLES.items() if pattern.startswith(begin)), pattern)
    assert not path.startswith("^"), f"no example for {pattern}"
    path = path.replace("<int:job_id>", str(job_id)).replace("<str:name>", "mail")
    return "/" + re.sub(r"<\w+:\w+>", "1", path)


def browser_of(
    permissions: set[Permission] | None = None, name: str = "ada", **flags: bool
) -> Client:
    user = get_user_model().objects.create_user(name, **flags)
    rows = Row.objects.filter(content_type__app_label="qforge", codename__in=permissions or ())
    user.user_permissions.set(rows)
    browser = Client(raise_request_exception=False)
    browser.force_login(user)
    return browser


def ask_everything(browser: Client, wrong: Callable[..., Any]) -> dict[str, Any]:
    """What `wrong(view, method, answer)` finds wrong; a refused request must write nothing."""
    row, found = factories.job("failed"), {}
    assert len(PATTERNS) > 40
    for pattern, view in PATTERNS.items():
        for method in METHODS:
            with CaptureQueriesContext(connection) as queries:
                path = url(pattern, row.pk)
                answer = browser.generic(method, path, "{}", "application/json")
            complaint = wrong(view, method, answer)
            if answer.status_code in (302, 401, 403) and not complaint:
                written = [q["sql"] for q in queries if re.match("INSERT|UPDATE|DEL", q["sql"])]
                complaint = ", ".join(written)
            if complaint:
                found[f"{method} {pattern}"] = complaint
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("who", OUTSIDERS)
def test_who_is_no_active_staff_gets_nothing(who: str) -> None:
    flags = OUTSIDERS[who]
    browser = Client() if flags is None else browser_of(**flags)

    def wrong(view: Any, method: str, answer: Any) -> Any:
        if issubclass(view, PublicView):
            return answer.status_code in (302, 401, 403)
        if issubclass(view, PageView) and who in ("anonymous", "inactive"):
            return not answer.get("Location", "").startswith("/admin/login/")
        return answer.status_code != 403 and answer.content

    assert ask_everything(browser, wrong) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("who", STAFF)
def test_staff_gets_as_far_as_the_permissions_go(who: str, settings: Any) -> None:
    if who == "read-only":
        settings.QFORGE = {"READ_ONLY": True}
    browser = browser_of(STAFF[who], is_staff=True, is_superuser=who == "superuser")

    def wrong(view: Any, method: str, answer: Any) -> Any:
        problem = answer.json() if "json" in answer["Content-Type"] else {}
        if not hasattr(view, method.lower()):
            return answer.status_code not in (403, 405) and answer.status_code
        if issubclass(view, PublicView):
            return answer.status_code == 403
        permission = needed(view, method)
        if permission is not None and permission not in STAFF[who]:
            return problem.get("required_permission") != permission.full_name and answer.content
        if who == "read-only" and method != "GET":
            return problem.get("code") != "read-only" and answer.content
        return answer.status_code in (302, 401, 403, 500) and answer.content

    assert ask_everything(browser, wrong) == {}


def test_looking_needs_another_permission_than_changing() -> None:
    looking = {p for p in P if p.value.startswith("view_")} | {P.EXPORT_JOB}
    for pattern, view in PATTERNS.items():
        if issubclass(view, PublicView):
            continue
        for method in METHODS:
            if hasattr(view, method.lower()):
                permission = needed(view, method)
                if method == "GET":
                    assert permission is None or permission in looking, pattern
                else:
                    assert permission is not None, pattern
                    assert permission not in looking, pattern


def test_a_view_that_does_not_say_what_it_needs_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="needs `requires`"):

        class Silent(JobsView):
            def get(self) -> None: ...

    with pytest.raises(TypeError, match=r"has \['GET', 'POST'\] but `requires` \['GET'\]"):

        class Half(JobsView):
            requires = {"GET": P.VIEW_JOB}

            def get(self) -> None: ...

            def post(self) -> None: ...


@pytest.mark.django_db
def test_django_knows_every_permission() -> None:
    rows = Row.objects.filter(content_type__app_label="qforge")
    assert set(rows.values_list("codename", flat=True)) >= {p.value for p in P}


@pytest.mark.django_db
def test_a_permission_may_come_by_a_group() -> None:
    from django.contrib.auth.models import Group

    browser = browser_of(is_staff=True)
    assert Api(browser).get("/api/jobs/").status == 403
    group = Group.objects.create(name="viewers")
    group.permissions.set(Row.objects.filter(codename="view_job"))
    get_user_model().objects.get().groups.add(group)
    assert Api(browser).get("/api/jobs/").status == 200


# What a program is told beforehand.


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["staff", "viewer", "operator", "superuser"])
def test_everybody_can_look_up_what_they_may_do(who: str) -> None:
    me = Api(browser_of(STAFF[who], is_staff=True)).get("/api/me/")
    assert me["user"] == "ada"
    assert {name for name, may in me["permissions"].items() if may} == STAFF[who]
    assert me["read_only"] is False


@pytest.mark.django_db
def test_read_only_is_told(open_api: Api, settings: Any) -> None:
    settings.QFORGE |= {"READ_ONLY": True}
    me = open_api.get("/api/me/")
    assert (me["user"], me["read_only"]) == (None, True)
    assert open_api.enqueue()["code"] == "read-only"
    assert open_api.get("/api/jobs/").status == 200


# Other classes in place of ours.

ALLOW_ANY = {"PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"]}


@pytest.mark.django_db
def test_another_permission_class_may_decide(settings: Any) -> None:
    assert Api().get("/api/jobs/").status == 403
    settings.QFORGE = ALLOW_ANY
    assert Api().get("/api/jobs/").status == 200
    assert all(Api().get("/api/me/")["permissions"].values())


@pytest.mark.django_db
def test_what_a_class_lets_read_it_need_not_let_write(settings: Any) -> None:
    settings.QFORGE = {
        "PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"]
    }
    may = Api().get("/api/me/")["permissions"]
    assert (may["view_payload"], may["retry_job"]) == (True, False)
    assert Api().enqueue().status == 403


@pytest.mark.django_db
def test_staff_may_be_let_do_everything(settings: Any) -> None:
    settings.QFORGE = {
        "PERMISSION_CLASSES": ["jobs.api.permissions.IsStaffOrOpenOnLoopback"],
    }
    api = Api(browser_of(is_staff=True))
    assert api.enqueue().status == 201
    assert all(api.get("/api/me/")["permissions"].values())


@pytest.mark.django_db
def test_another_class_does_not_beat_read_only(settings: Any) -> None:
    settings.QFORGE = ALLOW_ANY | {"READ_ONLY": True}
    assert Api().enqueue()["code"] == "read-only"


@pytest.mark.django_db
def test_a_login_of_staff_counts_on_this_machine_too(open_api: Api) -> None:
    assert open_api.get("/api/jobs/").status == 200
    viewer = Api(browser_of(VIEWER, is_staff=True), **open_api.headers)
    assert viewer.get("/api/jobs/").status == 200
    assert viewer.enqueue()["required_permission"] == "qforge.enqueue_job"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "permission"),
    [
        ("retry", P.RETRY_JOB),
        ("cancel", P.CANCEL_JOB),
        ("run-now", P.CHANGE_JOB),
        ("delete", P.DELETE_JOB),
    ],
)
def test_an_operation_needs_the_permission_for_its_action_too(action: str, permission: P) -> None:
    document = {"action": action, "all": True, "dry_run": True}
    bulk = Api(browser_of({*VIEWER, P.BULK_OPERATE}, is_staff=True))
    answer = bulk.post("/api/operations/", document)
    assert (answer.status, answer["required_permission"]) == (403, permission.full_name)
    alone = Api(browser_of({*VIEWER, permission}, "eve", is_staff=True))
    answer = alone.post("/api/operations/", document)
    assert (answer.status, answer["required_permission"]) == (403, P.BULK_OPERATE.full_name)
    both = Api(browser_of({*VIEWER, permission, P.BULK_OPERATE}, "bob", is_staff=True))
    assert both.post("/api/operations/", document).status == 200
