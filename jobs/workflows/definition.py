"""What a workflow may look like: steps as callers describe them, checked before any SQL."""

from __future__ import annotations

import datetime as dt
import difflib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from jobs import registry
from jobs.conf import conf
from jobs.errors import InvalidInput
from jobs.payload import normalise
from jobs.specs import JobSpec, fingerprint, prepare
from jobs.states import OnFailure
from jobs.store.values import NewStep
from jobs.workflows import graph, references

_MAX_NAME: Final = 200
_MAX_WORKFLOW_NAME: Final = 255


@dataclass(frozen=True)
class Step:
    """A step to run. None stands for the task's own value, or the settings'."""

    name: str
    task: str | registry.Task | None = None
    """None: the task that is named like the step."""
    payload: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the handler; may hold `$result` references to parents."""
    _: KW_ONLY
    after: str | Sequence[str] = ()
    """Names of the parents: the step starts when all of them have ended."""
    before: str | Sequence[str] = ()
    """Names of steps that wait for this one too. Only for steps appended to a running workflow."""
    on_failure: str = OnFailure.CANCEL.value
    """`cancel`: without success of this step nothing below it runs; `continue`: it runs anyway."""
    queue: str | None = None
    priority: int | None = None
    max_attempts: int | None = None
    timeout_seconds: float | None = None
    available_at: dt.datetime | None = None
    """Not to start before this time, even when all parents have ended."""


def check_workflow_name(name: Any) -> str:
    return _text(name, "name", _MAX_WORKFLOW_NAME)


def check(steps: Sequence[Step]) -> list[NewStep]:
    """Check a whole workflow; touches no database.

    Raises InvalidInput, whose field is the path of the offence (`steps[2].depends_on`) and whose
    message names the step.
    """
    if not steps:
        raise InvalidInput("steps", "a workflow needs at least one step", code="empty")
    parents = _checked_names(steps)
    for n, step in enumerate(steps):
        _check_known(n, step.name, parents[step.name], parents)
        if step.before:
            raise at(
                n,
                step.name,
                InvalidInput("before", "is only for steps added to a running workflow"),
            )
    _check_acyclic(steps, parents)
    return [_prepared(n, step, parents[step.name]) for n, step in enumerate(steps)]


def check_appended(steps: Sequence[Step], appender: str) -> list[NewStep]:
    """Check steps that `appender` adds while it runs, as far as they alone can tell.

    Every one of them waits for the appender, named or not. Names that are not among `steps` are
    left for the workflow itself to know. Raises InvalidInput.
    """
    parents = _checked_names(steps)
    for n, step in enumerate(steps):
        if step.name == appender:
            raise at(n, step.name, InvalidInput("name", "is the step that is running"))
    inside = {
        name: [parent for parent in above if parent in parents] for name, above in parents.items()
    }
    _check_acyclic(steps, inside)
    prepared = []
    for n, step in enumerate(steps):
        above = parents[step.name]
        if appender not in above:
            above = (appender, *above)
        before = _names(n, step.name, "before", step.before)
        clash = set(before) & {*parents, *above}
        if clash:
            raise at(
                n, step.name, InvalidInput("before", f"{min(clash)!r} cannot wait for this step")
            )
        prepared.append(_prepared(n, step, above, before))
    return prepared


def fingerprint_of(name: str, steps: Sequence[Step], prepared: Sequence[NewStep]) -> str:
    """Hash of what was asked for, in whatever order the steps and their parents were listed."""
    asked = {
        made.name: {
            "task": made.job.task,
            "payload": json.loads(made.job.payload),
            "depends_on": sorted(made.after),
            "on_failure": made.on_failure.value,
            "queue": step.queue,
            "priority": step.priority,
            "max_attempts": step.max_attempts,
            "timeout_seconds": step.timeout_seconds,
            "available_at": step.available_at and step.available_at.astimezone(dt.UTC).isoformat(),
        }
        for step, made in zip(steps, prepared, strict=True)
    }
    return fingerprint({"name": name, "steps": asked})


def _checked_names(steps: Sequence[Step]) -> dict[str, tuple[str, ...]]:
    """Parents by step. Raises for bad or repeated names and for more than the settings allow."""
    limit = conf.WORKFLOW_MAX_STEPS
    if len(steps) > limit:
        raise InvalidInput(
            "steps", f"{len(steps):,} steps, at most {limit:,} are allowed", code="too-many-steps"
        )
    parents: dict[str, tuple[str, ...]] = {}
    for n, step in enumerate(steps):
        name = _text(step.name, f"steps[{n}].step", _MAX_NAME)
        if name in parents:
            raise InvalidInput(
                f"steps[{n}].step", f"step {name!r} is there twice", code="duplicate-step"
            )
        parents[name] = _names(n, name, "depends_on", step.after)
    edges = sum(map(len, parents.values()))
    if edges > (most := conf.WORKFLOW_MAX_DEPENDENCIES):
        raise InvalidInput(
            "steps",
            f"{edges:,} dependencies, at most {most:,} are allowed",
            code="too-many-dependencies",
        )
    return parents


def _names(n: int, step: str, field_name: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise at(
            n, step, InvalidInput(field_name, f"must be a list of step names, not {value!r:.80}")
        )
    seen: set[str] = set()
    for name in names:
        if name == step:
            raise at(
                n, step, InvalidInput(field_name, "a step cannot wait for itself", code="self")
            )
        if name in seen:
            raise at(
                n,
                step,
                InvalidInput(field_name, f"names {name!r:.80} twice", code="duplicate-dependency"),
            )
        seen.add(name)
    return tuple(names)


def _check_known(n: int, step: str, after: Sequence[str], known: Collection[str]) -> None:
    for name in after:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1) if len(known) <= 1000 else []
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise at(
                n,
                step,
                InvalidInput(
                    "depends_on", f"no step is named {name!r:.80}{hint}", code="unknown-dependency"
                ),
            )


def _check_acyclic(steps: Sequence[Step], parents: Mapping[str, Sequence[str]]) -> None:
    cycle = graph.find_cycle(parents)
    if cycle is not None:
        n = next(n for n, step in enumerate(steps) if step.name == cycle[0])
        shown = graph.show_cycle(cycle)
        raise at(
            n, cycle[0], InvalidInput("depends_on", f"waits for itself: {shown}", code="cycle")
        )


def _prepared(n: int, step: Step, after: Sequence[str], before: Sequence[str] = ()) -> NewStep:
    try:
        on_failure = _check_on_failure(step.on_failure)
        job = prepare(
            JobSpec(
                task=step.name if step.task is None else step.task,
                payload=step.payload,
                queue=step.queue,
                priority=step.priority,
                max_attempts=step.max_attempts,
                timeout_seconds=step.timeout_seconds,
                available_at=step.available_at,
            )
        )
        if references.KEY in job.payload:
            _check_references(step.payload, after)
    except InvalidInput as error:
        raise at(n, step.name, error) from None
    return NewStep(
        name=step.name, job=job, after=tuple(after), before=tuple(before), on_failure=on_failure
    )


def _check_references(payload: Mapping[str, Any], after: Sequence[str]) -> None:
    plain = normalise(dict(payload), "payload", max_depth=conf.PAYLOAD_MAX_DEPTH)
    for reference in references.find(plain):
        if reference.parent not in after:
            raise InvalidInput(
                reference.field,
                f"refers to {reference.parent!r:.80}, which is not among depends_on",
                code="reference",
            )


def _check_on_failure(value: Any) -> OnFailure:
    try:
        return OnFailure(value)
    except ValueError:
        choices = " or ".join(repr(choice.value) for choice in OnFailure)
        raise InvalidInput("on_failure", f"must be {choices}, not {value!r:.80}") from None


def _text(value: Any, field_name: str, longest: int) -> str:
    if (
        not isinstance(value, str)
        or not 1 <= len(value) <= longest
        or value != value.strip()
        or not value.isprintable()
    ):
        raise InvalidInput(
            field_name,
            f"must be 1 to {longest} printable characters without white space at the ends,"
            f" not {value!r:.80}",
        )
    return value


def at(n: int, step: str, error: InvalidInput) -> InvalidInput:
    """The same error, with the place of the step in its field and its name in the message."""
    error.field = f"steps[{n}].{error.field}"
    error.message = f"step {step!r}: {error.message}"
    error.args = (f"{error.field}: {error.message}",)
    return error
