"""The edges of workflows: which step waits for which."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q


class Dependency(models.Model):
    """The child starts after the parent has ended.

    Without foreign keys in the database: they would cost more than the edges when a workflow is
    submitted, and every plain job two look-ups when it is pruned. Edges come in the transaction
    of their steps and go in that of their workflow; `workflows.check` finds one that does not.
    """

    pk = models.CompositePrimaryKey("parent_id", "child_id")
    parent = models.ForeignKey(
        "qforge.Job",
        on_delete=models.CASCADE,
        related_name="child_edges",
        db_index=False,
        db_constraint=False,
    )
    child = models.ForeignKey(
        "qforge.Job",
        on_delete=models.CASCADE,
        related_name="parent_edges",
        db_index=False,
        db_constraint=False,
    )
    appended = models.BooleanField(default=False)
    """The parent added the child while it ran."""

    class Meta:
        db_table = "job_dependencies"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="job_dependencies_not_self", condition=~Q(parent_id=F("child_id"))
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["child"], name="job_dependencies_child"),
        ]

    def __str__(self) -> str:
        return f"{self.parent_id} -> {self.child_id}"
