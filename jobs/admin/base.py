"""What all admin classes here share: nothing is added, changed or deleted by a form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import BooleanField, Q, QuerySet, Value
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

from jobs.admin.lists import BoundedChangeList, EstimatingPaginator
from jobs.api import disclosure, scope
from jobs.api.base import actor, request_id
from jobs.conf import conf
from jobs.errors import JobsError
from jobs.permissions import Permission
from jobs.store import origin
from jobs.store.connections import alias
from jobs.store.origin import Origin

MAX_REASON: Final = 500
SEARCH_HELP: Final = "An id or an idempotency key, exactly."
_LARGEST_ID: Final = 2**63 - 1


class ReasonForm(ActionForm):
    reason = forms.CharField(required=False, max_length=MAX_REASON, label="Reason:")


if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(_ModelAdmin):
    """A list and a page to look at each row, for whoever has `view_permission`."""

    view_permission: ClassVar[Permission]
    unlisted: ClassVar[tuple[str, ...]] = ()
    """Columns too large for a list."""
    lookups: ClassVar[frozenset[str]] = frozenset()
    """Conditions that a link may bring along, beside those of `list_filter`."""

    paginator = EstimatingPaginator
    action_form = ReasonForm
    ordering = ("-pk",)
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_select_related = False
    list_max_show_all = 0

    def get_changelist(self, request: Any, **kwargs: Any) -> Any:
        return BoundedChangeList

    def get_queryset(self, request: Any) -> QuerySet[Any]:
        with scope.of(lambda: request.user):
            rows: QuerySet[Any] = self.rows(alias())
        may_see = request.user.has_perm(Permission.VIEW_PAYLOAD.full_name)
        rows = rows.annotate(may_see=Value(may_see, output_field=BooleanField()))
        match = request.resolver_match
        listed = match is not None and match.url_name.endswith("_changelist")
        return rows.defer(*self.unlisted) if listed else rows

    def rows(self, using: str) -> QuerySet[Any]:
        """Those that the user at hand may see."""
        rows: QuerySet[Any] = self.model._default_manager.using(using).all()
        return rows

    def get_search_results(self, request: Any, queryset: Any, search_term: str) -> Any:
        """Exactly by the columns of `search_fields`, each of which has an index of its own."""
        term, wanted = search_term.strip(), Q()
        if not term:
            return queryset, False
        for name in self.search_fields:
            if name != "id":
                wanted |= Q(**{name: term})
            elif term.isascii() and term.isdecimal() and int(term) <= _LARGEST_ID:
                wanted |= Q(pk=int(term))
        return queryset.filter(wanted), False

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        return self.fields or ()

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        # Django lets any column be asked for, and so payloads be guessed.
        return lookup in self.lookups or lookup in {
            f"{name}__{how}" for name in self.list_filter for how in ("exact", "isnull")
        }

    def has_view_permission(self, request: Any, obj: Any = None) -> bool:
        return bool(request.user.has_perm(self.view_permission.full_name))

    def has_module_permission(self, request: Any) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def act(self, request: Any, queryset: Any, verb: Callable[..., Any], done: str) -> None:
        """Do `verb(row, actor, reason)` to each row as the person at hand, and say what came of it.

        What the library refuses for one row keeps none of the others from being done.
        """
        count, who = 0, actor(request)
        reason = request.POST.get("reason", "")[:MAX_REASON]
        with origin.by(Origin(who, "admin", request_id(request))):
            for row in queryset:
                try:
                    verb(row, who, reason)
                    count += 1
                except JobsError as error:
                    messages.error(request, f"{row}: {error}")
        if count:
            messages.success(request, f"{count:,} {done}.")


def allowed(request: Any, permission: Permission) -> bool:
    """Whether an action may be offered and done."""
    return not conf.READ_ONLY and bool(request.user.has_perm(permission.full_name))


@contextmanager
def shown(row: Any) -> Iterator[None]:
    """Within it `disclosure` shows of a row what the user at hand may see."""
    with disclosure.shown_to(lambda: bool(getattr(row, "may_see", False))):
        yield


def as_json(value: Any) -> str:
    """JSON for people."""
    if value is None:
        return "-"
    return format_html("<pre>{}</pre>", json.dumps(value, indent=2, ensure_ascii=False))


def as_text(value: str) -> str:
    """Text of several lines."""
    return format_html("<pre>{}</pre>", value) if value else "-"


def console_link(path: str) -> str:
    """To a page of the console, where that is included in the project's URLs."""
    try:
        root = reverse("qforge:console")
    except NoReverseMatch:
        return "-"
    return format_html('<a href="{}{}">Open in console</a>', root, path)
