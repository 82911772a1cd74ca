"""Values written out in the text of a statement."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField, Expression, Func, Q, Value

from jobs.states import JobStatus


class Literal(Expression):
    """A text of ours as part of the statement, never as a parameter.

    The planner uses a partial index only where it can see that the statement asks for its rows.
    In a generic plan of a prepared statement it does not see what a parameter will be.
    """

    output_field = CharField()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def as_sql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, tuple[()]]:
        return f"'{self.text}'", ()


def literal(status: JobStatus) -> Any:
    """For `filter(status=…)` in statements that lean on a partial index."""
    return Literal(status.value)


def with_fingerprint() -> Q:
    """Jobs that belong to a group of failures, so that its partial index is seen to hold them."""
    return ~Q(error_fingerprint=Literal(""))


def unseen(status: JobStatus) -> Any:
    """For `filter(status=…)` where a partial index of that status must not look as good as the
    one that is meant: with old statistics all of it would be read. The planner does not see it."""
    value = Value(status.value)
    return Func(value, template="(SELECT %(expressions)s)", output_field=CharField())
