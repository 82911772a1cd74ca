"""What the end of steps does to those below them, under the lock of their workflow."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from jobs.states import JobStatus, Verb
from jobs.store import notify, steps, transitions, workflows

_NOTHING: Final[Mapping[str, Any]] = {}


def close(
    using: str,
    *,
    succeeded: Sequence[int] = (),
    dead: Sequence[int] = (),
    origin: Mapping[str, Any] = _NOTHING,
) -> list[int]:
    """These steps have just ended: cancel what can no longer run, unblock and count the rest.

    Returns what was cancelled below them; `origin` is what its events remember besides the cause.
    """
    doomed = cancel_below(using, dead, origin) if dead else []
    ended = [*succeeded, *dead, *doomed]
    if not ended:
        return []
    closed = workflows.close(using, ended)
    messages = {notify.QUEUE + queue for queue in closed.queues}
    if closed.scheduled:
        messages.add(notify.SCHEDULED)
    if messages:
        notify.after_commit(using, messages)
    return doomed


def stop(using: str, waiting: Sequence[steps.Node], data: dict[str, Any]) -> None:
    """Cancel waiting steps because somebody asked for it."""
    transitions.change(
        using,
        Verb.CANCEL,
        waiting,
        to_status=JobStatus.CANCELLED,
        values=transitions.STOPPED,
        data=data,
    )
    close(using, dead=[node.pk for node in waiting])


def cancel_below(
    using: str, roots: Sequence[int], origin: Mapping[str, Any] = _NOTHING
) -> list[int]:
    """Cancel every blocked step below those of `roots` that ended without success; returns them.

    The caller counts them. What is blocked below a blocked step cannot run either, so the walk
    goes through blocked steps alone: each step is met here once in its life, or once a retry.
    """
    doomed = steps.doomed(using, roots)
    if doomed:
        causes = _causes(using, roots, doomed)
        told = {pk: _told(cause) for pk, cause in causes.items()}
        rows = [(pk, told[pk][0], {**origin, **told[pk][1]}) for pk in sorted(doomed)]
        workflows.cancel_steps(using, rows)
    return doomed


def _causes(using: str, roots: Sequence[int], doomed: Collection[int]) -> dict[int, steps.Node]:
    """For each doomed step the root that dooms it; of several, the nearest."""
    children = defaultdict(list)
    for parent, child in steps.edges_between(using, [*roots, *doomed], doomed):
        children[parent].append(child)
    # A step that succeeded, or lets the others continue, dooms nobody.
    nodes = steps.nodes(using, [root for root in roots if root in children])
    causes = {pk: node for pk, node in sorted(nodes.items()) if node.dead and not node.satisfied}
    waiting = deque(causes)
    while waiting:
        parent = waiting.popleft()
        for child in children[parent]:
            if child not in causes:
                causes[child] = causes[parent]
                waiting.append(child)
    return causes


def _told(cause: steps.Node) -> tuple[str, dict[str, Any]]:
    """The text of the step that is cancelled, and what its event remembers."""
    how = "failed" if cause.status is JobStatus.FAILED else "was cancelled"
    reason = f"step {cause.name!r} {how}"
    return f"not run: {reason}", {"reason": reason, "cause": cause.pk}
