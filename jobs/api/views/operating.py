"""Tasks, queues, workers and numbers."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import registry, stats
from jobs.api import inputs
from jobs.api.base import JobsView, actor, bounded
from jobs.api.operations import no_query, operation
from jobs.api.serializers import operating as shapes
from jobs.api.serializers.jobs import ReasonRequestSerializer
from jobs.conf import conf
from jobs.errors import shown
from jobs.models import Queue
from jobs.payload import clean_text
from jobs.permissions import Permission
from jobs.store import queues

_MAX_TEXT: Final = 2000


class TaskListView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "tasks_list", tag="tasks", responses={200: shapes.TaskListSerializer}, problems=[422]
    )
    def get(self, request: Request) -> Response:
        """List the tasks this process knows, with the parameters of their handlers."""
        no_query(request)
        document = {"results": [_task(task) for task in registry.all_tasks()]}
        return Response(shapes.TaskListSerializer(document).data)


def _task(task: registry.Task) -> dict[str, Any]:
    parameters = [
        _parameter(parameter)
        for parameter in task.signature.parameters.values()
        if not (task.takes_context and parameter.name == "context")
    ]
    own, timeout = task.max_attempts, task.timeout_seconds
    return {
        "name": task.name,
        "doc": clean_text(inspect.getdoc(task.handler) or "", _MAX_TEXT),
        "queue": task.queue,
        "priority": task.priority,
        "max_attempts": conf.MAX_ATTEMPTS if own is None else own,
        "timeout_seconds": conf.TIMEOUT_SECONDS if timeout is None else timeout,
        "parameters": parameters,
    }


def _parameter(parameter: inspect.Parameter) -> dict[str, Any]:
    empty, kind = inspect.Parameter.empty, parameter.kind
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    has_default = parameter.default is not empty
    annotation = parameter.annotation
    return {
        "name": parameter.name,
        "kind": shapes.PARAMETER_KINDS[kind],
        "required": not has_default and kind not in optional,
        "default": _as_json(parameter.default) if has_default else None,
        "default_text": _text(shown(parameter.default, _MAX_TEXT)) if has_default else "",
        "annotation": "" if annotation is empty else _annotation(annotation),
    }


def _annotation(annotation: Any) -> str:
    # Under `from __future__ import annotations` it is the text as it was written.
    written = isinstance(annotation, str)
    return _text(annotation if written else inspect.formatannotation(annotation))


def _text(text: str) -> str:
    return clean_text(text, _MAX_TEXT)


def _as_json(value: Any) -> Any:
    """The value as JSON has it; None for what JSON cannot hold, or not in a bounded size."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return json.loads(text) if len(text) <= _MAX_TEXT else None


class QueueListView(JobsView):
    requires = Permission.VIEW_QUEUE

    @operation(
        "queues_list", tag="queues", responses={200: shapes.QueueListSerializer}, problems=[422]
    )
    def get(self, request: Request) -> Response:
        """List the queues, with how much waits in each and since when, and how fast each is.

        Counts are bounded: one that is not exact says that there are at least as many.
        """
        no_query(request)
        with bounded() as using:
            states, rates = stats.queue_states(using), stats.queue_rates(using)
        none = stats.QueueRates()
        names = [field.name for field in fields(stats.QueueState)]
        results = [
            {name: getattr(state, name) for name in names} | {"rates": rates.get(state.name, none)}
            for state in states
        ]
        return Response(shapes.QueueListSerializer({"results": results}).data)


class QueuePauseView(JobsView):
    requires = Permission.PAUSE_QUEUE

    @operation(
        "queues_pause",
        tag="queues",
        request=ReasonRequestSerializer,
        responses={200: shapes.QueueControlSerializer},
        problems=[422],
    )
    def post(self, request: Request, name: str) -> Response:
        """Pause a queue: its jobs wait, those that run go on."""
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        with bounded() as using:
            queue = queues.pause(using, name, by=actor(request), reason=reason)
        return Response(shapes.QueueControlSerializer(queue).data)


class QueueResumeView(JobsView):
    requires = Permission.PAUSE_QUEUE

    @operation(
        "queues_resume",
        tag="queues",
        request=ReasonRequestSerializer,
        responses={200: shapes.QueueControlSerializer},
        problems=[422],
    )
    def post(self, request: Request, name: str) -> Response:
        """Let a paused queue go on; one that is not paused stays as it is."""
        no_query(request)
        reason = inputs.reason(inputs.body(request, ["reason"]))
        registry.check_queue(name)
        with bounded() as using:
            queues.resume(using, name, reason=reason)
        return Response(shapes.QueueControlSerializer(Queue(name=name)).data)


class WorkerListView(JobsView):
    requires = Permission.VIEW_WORKERPOOL

    @operation(
        "workers_list", tag="workers", responses={200: shapes.WorkerListSerializer}, problems=[422]
    )
    def get(self, request: Request) -> Response:
        """List the pools of workers, as they last told of themselves."""
        no_query(request)
        with bounded() as using:
            pools = stats.pool_states(using)
        return Response(shapes.WorkerListSerializer({"results": pools}).data)


class StatsView(JobsView):
    requires = Permission.VIEW_JOB

    @operation("stats_get", tag="stats", responses={200: shapes.StatsSerializer}, problems=[422])
    def get(self, request: Request) -> Response:
        """Look at all jobs in numbers: how many, how fast, how late.

        Counts are bounded, and so is the time this takes, whatever the number of jobs.
        """
        no_query(request)
        with bounded() as using:
            found = stats.glance(using)
        return Response(shapes.StatsSerializer(found).data)
