"""The tasks this process knows: names, handlers and their options.

`@task` (from `jobs`) registers a handler when its module is imported; `autodiscover` imports the
modules named by `QFORGE["TASK_MODULES"]` of every installed app.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from django.utils.module_loading import autodiscover_modules

from jobs.backoff import RetryPolicy as RetryPolicy
from jobs.conf import BOUNDS, conf
from jobs.cron import parse
from jobs.errors import InvalidInput, UnknownTask, shown
from jobs.zones import get_zone

if TYPE_CHECKING:
    from jobs.context import JobContext
    from jobs.store.values import Claimed, Outcome

Backoff = RetryPolicy | Callable[[int, BaseException], float | None]
"""A policy, or `f(attempt, error) -> seconds to wait`; None means no further attempt."""

NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:\-]{0,254}")
QUEUE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:\-]{0,63}")
PRIORITIES: Final = (-100, 100)
DEFAULT_QUEUE: Final = "default"
_MAX_SHAPES: Final = 64

_tasks: dict[str, Task] = {}
_resolvers: list[Resolver] = []


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """A registered task. Calling it runs the handler here and now, as a plain function."""

    name: str
    handler: Callable[..., Any]
    queue: str = DEFAULT_QUEUE
    priority: int = 0
    max_attempts: int | None = None
    timeout_seconds: float | None = None
    backoff: Backoff | None = None
    permanent: tuple[type[BaseException], ...] = ()
    cron: str | None = None
    timezone: str | None = None
    sensitive: tuple[str, ...] = ()
    """Keys of the payload and the result, at any depth, whose values people are not shown."""
    tasks_backend: str = ""
    """Of a Django task: its alias in `TASKS`."""
    waits: ClassVar[bool] = False
    """Whether `begin` and `ended` may take their time, with the database or code of the project."""
    signature: inspect.Signature = field(init=False, repr=False)
    takes_context: bool = field(init=False)
    is_async: bool = field(init=False)
    _fits: set[tuple[int, tuple[str, ...]]] = field(init=False, repr=False, default_factory=set)
    """How many arguments and which keywords were found to fit the signature; a bounded number."""

    def __post_init__(self) -> None:
        check_name(self.name)
        signature = _signature(self.handler)
        context = signature.parameters.get("context")
        takes = context is not None and context.kind in _BY_NAME
        object.__setattr__(self, "signature", signature)
        object.__setattr__(self, "takes_context", takes)
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.handler))
        check_queue(self.queue)
        check_priority(self.priority)
        if self.max_attempts is not None:
            check_max_attempts(self.max_attempts)
        if self.timeout_seconds is not None:
            check_timeout(self.timeout_seconds, field="timeout")
        if not (self.backoff is None or isinstance(self.backoff, RetryPolicy | Callable)):
            message = f"must be a RetryPolicy or a function, not {shown(self.backoff)}"
            raise InvalidInput("backoff", message)
        _check_permanent(self.permanent)
        _check_sensitive(self.sensitive)
        self._check_schedule()

    def _check_schedule(self) -> None:
        if self.cron is not None:
            parse(self.cron)
            # A schedule of the decorator has no payload to give.
            self.check_arguments((), {})
        elif self.timezone is not None:
            raise InvalidInput("timezone", "is the zone of cron, which is not given")
        if self.timezone is not None:
            get_zone(self.timezone)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.handler(*args, **kwargs)

    def check_arguments(self, args: Sequence[Any], payload: Mapping[str, Any]) -> None:
        """Raises InvalidInput when the handler cannot be called with these arguments."""
        shape = (len(args), tuple(payload))
        if shape in self._fits:
            return
        context = {"context": None} if self.takes_context else {}
        try:
            # Bound as the worker calls it.
            self.signature.bind(*args, **payload, **context)
        except TypeError as error:
            message = f"does not fit {self.name}{self.signature}: {error}"
            raise InvalidInput("payload", message, code="signature") from None
        if len(self._fits) < _MAX_SHAPES:
            self._fits.add(shape)

    def retry_after(self, attempt: int, error: BaseException) -> float | None:
        """Seconds to wait after failed attempt `attempt`; None when the error is permanent."""
        if isinstance(error, self.permanent):
            return None
        if self.backoff is None:
            return default_policy().delay_seconds(attempt)
        if isinstance(self.backoff, RetryPolicy):
            return None if self.backoff.is_permanent(error) else self.backoff.delay_seconds(attempt)
        return self.backoff(attempt, error)

    # What the worker calls, in this order, on the thread of the handler. Another kind of task has
    # its own way with each.

    def begin(self, job: Claimed) -> Task:
        """What stands for this task in one attempt."""
        return self

    def invoke(self, context: JobContext, args: Sequence[Any], payload: Mapping[str, Any]) -> Any:
        """Call the handler; what comes back is to be awaited when `is_async`."""
        keywords = {**payload, "context": context} if self.takes_context else payload
        return self.handler(*args, **keywords)

    def plain(self, result: Any) -> Any:
        """What the handler returned, in types that JSON has."""
        return result

    def ended(self, outcome: Outcome, *, stopping: bool) -> None:
        """The attempt has ended so; an error is being handled. `stopping`: told to cancel."""


_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _signature(handler: Any) -> inspect.Signature:
    try:
        signature = inspect.signature(handler)
    except (TypeError, ValueError):
        message = f"must be a function whose parameters can be read, not {shown(handler)}"
        raise InvalidInput("handler", message) from None
    if inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler):
        message = f"{shown(handler)} is a generator: calling it would run nothing"
        raise InvalidInput("handler", message)
    return signature


def _check_permanent(permanent: Any) -> None:
    if not isinstance(permanent, tuple) or not all(
        isinstance(kind, type) and issubclass(kind, BaseException) for kind in permanent
    ):
        message = f"must be a tuple of exception classes, not {shown(permanent)}"
        raise InvalidInput("permanent", message)


def _check_sensitive(names: Any) -> None:
    if not isinstance(names, tuple) or not all(isinstance(n, str) and n for n in names):
        raise InvalidInput("sensitive", f"must be a tuple of names, not {shown(names)}")


def default_policy() -> RetryPolicy:
    """The backoff of the settings."""
    return RetryPolicy(conf.BACKOFF_BASE_SECONDS, conf.BACKOFF_CAP_SECONDS, conf.BACKOFF_JITTER)


class Resolver(Protocol):
    """Knows tasks that are declared in another way than by `@task`."""

    def find(self, name: str, *, load: bool) -> Task | None:
        """The task of this name; with `load` its module may be imported. Raises nothing."""

    def names(self) -> Iterable[str]:
        """Those whose modules have been imported."""


def add_resolver(resolver: Resolver) -> None:
    """Ask `resolver` for names that are not registered."""
    _resolvers.append(resolver)


def register(task: Task) -> None:
    """Add a task. Raises ValueError when another handler already has its name."""
    other = _tasks.get(task.name)
    if other is not None and _home(other) != _home(task):
        raise ValueError(f"two handlers are named {task.name!r}: {_home(other)} and {_home(task)}")
    _tasks[task.name] = task


def _home(task: Task) -> str:
    return f"{task.handler.__module__}.{task.handler.__qualname__}"


def unregister(name: str) -> None:
    """Forget a task; unknown names are ignored."""
    _tasks.pop(name, None)


def get(name: str) -> Task:
    """The task of this name. Raises UnknownTask, with the closest name as a hint."""
    # The name may come from anywhere, so nothing is imported for it.
    found = _find(name, load=False) if isinstance(name, str) else None
    if found is None:
        close = difflib.get_close_matches(name, _tasks, n=1) if isinstance(name, str) else []
        raise UnknownTask(name, hint=f"; did you mean {close[0]!r}?" if close else "")
    return found


def find(name: str, *, load: bool = False) -> Task | None:
    """The task of this name, if any. With `load` its module may be imported."""
    return _find(name, load=load)


def _find(name: str, *, load: bool) -> Task | None:
    if (registered := _tasks.get(name)) is not None:
        return registered
    found = (resolver.find(name, load=load) for resolver in _resolvers)
    return next((task for task in found if task is not None), None)


def all_tasks() -> list[Task]:
    """Every task known in this process, by name."""
    names = _tasks.keys() | {name for resolver in _resolvers for name in resolver.names()}
    found = (_find(name, load=False) for name in sorted(names))
    return [task for task in found if task is not None]


def async_names() -> frozenset[str]:
    """Names of the known tasks whose handlers are async."""
    return frozenset(task.name for task in all_tasks() if task.is_async)


def autodiscover() -> None:
    """Import the task modules of all installed apps."""
    autodiscover_modules(*conf.TASK_MODULES)


def check_name(name: Any) -> str:
    return _matching(name, NAME, "task", 255)


def check_queue(queue: Any) -> str:
    return _matching(queue, QUEUE, "queue", 64)


def _matching(value: Any, pattern: re.Pattern[str], name: str, longest: int) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        allowed = f"1 to {longest} letters, digits, '_', '.', ':' or '-'"
        raise InvalidInput(name, f"must be {allowed}, not {shown(value)}")
    return value


def check_priority(priority: Any) -> int:
    return check_whole(priority, "priority", *PRIORITIES)


def check_max_attempts(max_attempts: Any) -> int:
    low, high = BOUNDS["MAX_ATTEMPTS"]
    return check_whole(max_attempts, "max_attempts", int(low), int(high))


def check_timeout(seconds: Any, *, field: str = "timeout_seconds") -> float:
    return check_seconds(seconds, field, *BOUNDS["TIMEOUT_SECONDS"])


def check_whole(value: Any, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(name, f"must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def check_seconds(value: Any, name: str, low: float, high: float) -> float:
    """`value` as a float. Raises InvalidInput unless it is a number from `low` to `high`."""
    # NaN fails the comparison, and so does infinity.
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        bounds = f"from {low:g} to {high:,.0f}"
        raise InvalidInput(name, f"must be a number of seconds {bounds}, not {shown(value)}")
    return float(value)
