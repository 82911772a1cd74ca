"""Which jobs a filter means, by the names that the list of jobs and operations on many share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q

from jobs.store.literals import with_fingerprint

_LOOKUPS: Final = {
    "status": "status__in",
    "queue": "queue",
    "task": "task",
    "priority": "priority",
    "workflow": "workflow_id",
    "created_after": "created_at__gte",
    "created_before": "created_at__lt",
    "error_fingerprint": "error_fingerprint",
    "finished_after": "finished_at__gte",
    "finished_before": "finished_at__lt",
}


def matching(given: Mapping[str, Any], *, in_errors: bool = True) -> Q:
    """The condition that `given` says; each name is one that `jobs.api.filters` reads.

    Without `in_errors` words are looked for in names only: who may not see errors may not ask
    what stands in them either.

    Times may be text, as JSON has them. Raises KeyError for a name that is none.
    """
    conditions = Q(*[(_LOOKUPS[name], value) for name, value in given.items() if name != "q"])
    if "error_fingerprint" in given:
        conditions &= with_fingerprint()
    if "q" in given:
        words = Q(task__icontains=given["q"])
        conditions &= words | Q(error__icontains=given["q"]) if in_errors else words
    return conditions
