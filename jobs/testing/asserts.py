"""What a test may ask of the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jobs.models import Job
from jobs.store.connections import alias

_SHOWN: Final = 10


def enqueued(
    task: Any = None,
    *,
    payload: Mapping[str, Any] | None = None,
    args: Sequence[Any] | None = None,
    queue: str | None = None,
) -> list[Job]:
    """The jobs that match, in any status, oldest first.

    `task` is a task of QForge's or of Django's, or a name. `payload` names the keys that must be
    there with these values; others may be there too. `args` must be equal.
    """
    rows = Job.objects.using(alias()).order_by("pk")
    if task is not None:
        rows = rows.filter(task=_name(task))
    if queue is not None:
        rows = rows.filter(queue=queue)
    return [
        job
        for job in rows
        if (args is None or job.args == list(args)) and _holds(job.payload, payload or {})
    ]


def assert_enqueued(
    task: Any = None,
    *,
    payload: Mapping[str, Any] | None = None,
    args: Sequence[Any] | None = None,
    queue: str | None = None,
    count: int | None = None,
) -> list[Job]:
    """Assert that jobs like this were enqueued, `count` of them or at least one; returns them.

    The parameters are those of `enqueued`. Raises AssertionError that shows what there is instead.
    """
    __tracebackhide__ = True
    found = enqueued(task, payload=payload, args=args, queue=queue)
    if len(found) == count or (count is None and found):
        return found
    asked = {"task": task and _name(task), "payload": payload, "args": args, "queue": queue}
    words = ", ".join(f"{name}={value!r}" for name, value in asked.items() if value is not None)
    wanted = "at least 1" if count is None else str(count)
    raise AssertionError(
        f"{wanted} wanted with {words or 'anything'}, {len(found)} found.\n{_there(task)}"
    )


def assert_not_enqueued(
    task: Any = None,
    *,
    payload: Mapping[str, Any] | None = None,
    args: Sequence[Any] | None = None,
    queue: str | None = None,
) -> None:
    """Assert that no job like this was enqueued."""
    __tracebackhide__ = True
    assert_enqueued(task, payload=payload, args=args, queue=queue, count=0)


def _name(task: Any) -> str:
    if isinstance(task, str):
        return task
    # Tasks of Django's have a path, ours a name.
    name: str = getattr(task, "module_path", None) or task.name
    return name


def _holds(payload: dict[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in payload and payload[key] == value for key, value in wanted.items())


def _there(task: Any) -> str:
    rows = Job.objects.using(alias()).order_by("-pk")
    same = rows.filter(task=_name(task)) if task is not None else rows
    shown = list((same if same.exists() else rows)[:_SHOWN])
    if not shown:
        return "The queue is empty."
    lines = [f"  {j.task} {j.payload} args={j.args} queue={j.queue} {j.status}" for j in shown]
    return "The latest jobs:\n" + "\n".join(lines)
