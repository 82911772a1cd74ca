"""Lists of tables that may have millions of rows: estimated, cut off in time, newest first."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db import OperationalError, connections, transaction

from jobs.conf import conf
from jobs.stats import BOUND
from jobs.store.connections import alias
from jobs.store.dialects import dialect

MAX_PAGES: Final = 100
"""Pages are skipped row by row, so the last ones of many would cost as much as all before."""
_ESTIMATE: Final = "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(%s)"


if TYPE_CHECKING:
    _Paginator = Paginator[Any]
else:
    _Paginator = Paginator


class EstimatingPaginator(_Paginator):
    """Counts up to a bound; of a whole large table it asks PostgreSQL's planner instead."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        connection = connections[rows.db]
        if connection.vendor == "postgresql" and not rows.query.where:
            with connection.cursor() as cursor:
                cursor.execute(_ESTIMATE, [f'"{rows.model._meta.db_table}"'])
                found = cursor.fetchone()
            if found and found[0] is not None and found[0] > BOUND:
                return int(found[0])
        # In the order of ids, so that the planner does not hope to find enough in the whole table.
        return int(rows.order_by("-pk")[:BOUND].count())

    @cached_property
    def num_pages(self) -> int:
        return min(super().num_pages, MAX_PAGES)


class BoundedChangeList(ChangeList):
    """One page, read at once, in the order of ids alone, whatever the query string asks for."""

    def get_ordering(self, request: Any, queryset: Any) -> list[Any]:
        return ["-pk"]

    def get_results(self, request: Any) -> None:
        using = alias()
        try:
            with transaction.atomic(using=using):
                dialect(using).statement_timeout(using, conf.API_TIMEOUT_SECONDS)
                self._read(request)
        except OperationalError:
            limit = f"{conf.API_TIMEOUT_SECONDS:g} s"
            messages.error(request, f"This took over {limit}; use a narrower filter.")
            raise IncorrectLookupParameters from None

    def _read(self, request: Any) -> None:
        paginator = self.model_admin.get_paginator(request, self.queryset, self.list_per_page)
        count, size = paginator.count, self.list_per_page
        if self.page_num < 1 or self.page_num > paginator.num_pages:
            raise IncorrectLookupParameters
        start = (self.page_num - 1) * size
        # Sliced always: where an estimate is too low there are more rows than it says.
        self.result_list: Any = list(self.queryset[start : start + size])
        self.result_count = count
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.full_result_count = None
        self.can_show_all = False
        self.multi_page = count > size
        self.paginator = paginator
