"""The settings of QForge: one dict, `QFORGE`, whose keys, types and defaults stand here.

Values are read when they are asked for, so `override_settings(QFORGE=…)` works; the dict itself is
kept until Django says that it was changed. `problems()` says what is wrong with the dict; the
system checks and the worker command show it.
"""

from __future__ import annotations

import difflib
from functools import cache
from typing import Any, Final, get_args, get_type_hints

from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from jobs import timing
from jobs.errors import InvalidInput, shown

_DAY = 86400.0


@cache
def _given() -> dict[str, Any]:
    values: dict[str, Any] = getattr(django_settings, "QFORGE", {})
    return values


@receiver(setting_changed)
def _forget(*, setting: str, **change: Any) -> None:
    if setting == "QFORGE":
        _given.cache_clear()


class Settings:
    """Reads `settings.QFORGE`, falling back to the defaults below."""

    DATABASE: str | None = None
    """Alias of the database that holds the queue. None asks the project's routers."""

    TASK_MODULES: tuple[str, ...] = ("tasks", "jobs")
    """Modules of each installed app that are imported to register tasks."""

    MAX_ATTEMPTS: int = 3
    """Total tries of a job whose task does not say otherwise."""

    BACKOFF_BASE_SECONDS: float = 5.0
    """Wait after the first failed attempt; doubles with each further one."""

    BACKOFF_CAP_SECONDS: float = 3600.0
    """The longest wait between two attempts."""

    BACKOFF_JITTER: float = 0.2
    """The largest share by which a wait is shortened at random, 0 to 1."""

    TIMEOUT_SECONDS: float | None = None
    """Deadline of an attempt, counted from its start; None is no deadline."""

    LEASE_SECONDS: float = 30.0
    """How long a claim holds without being renewed."""

    HEARTBEAT_SECONDS: float = 5.0
    """Time between two renewals; at most a third of the lease."""

    POLL_SECONDS: float = 1.0
    """The longest an idle pool sleeps between two looks at the database."""

    RESCUE_SECONDS: float = 5.0
    """Time between two looks for expired leases."""

    PROMOTE_SECONDS: float = 5.0
    """The longest wait between two looks for scheduled jobs and schedules that are due."""

    PRUNE_SECONDS: float = 60.0
    """Time between two rounds of pruning."""

    ROLLUP_SECONDS: float = 5.0
    """Time between two rounds of summing up events for the charts."""

    ROLLUP_RETENTION_SECONDS: float = 7 * _DAY
    """Age after which the sums by queue are pruned."""

    ROLLUP_TASK_RETENTION_SECONDS: float = 90 * _DAY
    """Age after which the hourly sums by task are pruned."""

    GRACE_SECONDS: float = 25.0
    """How long running jobs may go on after the first SIGTERM or Ctrl-C."""

    THREADS: int = 8
    """Worker threads in one process."""

    ASYNC_JOBS: int = 100
    """The most async jobs at once on the event loop of one process; 0 runs them on the threads."""

    PROCESSES: int = 1
    """Worker processes; with 1 the pool runs in the command's own process."""

    METRICS_PORT: int = 0
    """Port on which a worker serves its metrics to Prometheus; 0 serves none. Further processes
    take the ports after it."""

    METRICS_ADDRESS: str = "127.0.0.1"
    """Address of that port; `0.0.0.0` is open to all who reach the machine."""

    TRACING: bool = False
    """Run each handler within a span of OpenTelemetry; needs the extra `otel`."""

    QUEUES: tuple[str, ...] = ()
    """Queues a worker serves; empty is all of them."""

    BATCH_SIZE: int = 200
    """The most jobs one exchange finishes or claims."""

    PREFETCH_SECONDS: float = 0.05
    """A job is claimed ahead of a free thread only if it would start within this time."""

    LISTEN: bool = True
    """Wake up by LISTEN/NOTIFY where the connection allows it; polling goes on underneath."""

    PAYLOAD_MAX_BYTES: int = 256 * 1024
    """Largest payload, as JSON text in UTF-8."""

    PAYLOAD_MAX_DEPTH: int = 64
    """Deepest nesting of lists and objects in a payload or result."""

    RESULT_MAX_BYTES: int = 256 * 1024
    """Largest result a handler may return; a larger one fails the attempt."""

    ERROR_MAX_CHARS: int = 16 * 1024
    """Longest traceback kept of a failed attempt; the middle of a longer one is cut out."""

    ERROR_FINGERPRINT: str = ""
    """Dotted path of `f(task, error) -> str | None`, which says what failures have in common. Those
    of a task with the same text become one group; None leaves it to QForge. It must be quick."""

    AUDIT_RETENTION_SECONDS: float | None = 365 * _DAY
    """Age after which entries of the audit are pruned; None keeps them."""

    OPERATION_RETENTION_SECONDS: float | None = 90 * _DAY
    """Age, since it ended, after which an operation on many jobs is pruned; None keeps it."""

    ERROR_GROUP_RETENTION_SECONDS: float | None = 90 * _DAY
    """Age, since it was last seen, after which a group of failures without jobs is pruned; None
    keeps it."""

    RELEASE: str = ""
    """Name of the running release, up to 100 characters; groups of failures remember in which one
    they were first and last seen."""

    BULK_MAX_JOBS: int = 10_000
    """Most jobs in one request to the bulk endpoint."""

    OPERATIONS_QUEUE: str = "default"
    """Queue of the jobs that carry out operations on many jobs. Some worker must serve it."""

    WORKFLOW_MAX_STEPS: int = 20_000
    """Most steps of one workflow, appended ones included."""

    WORKFLOW_MAX_DEPENDENCIES: int = 1_000_000
    """Most dependencies between the steps of one workflow as it is submitted."""

    RETENTION_SECONDS: dict[str, float | None] = {
        "succeeded": 7 * _DAY,
        "cancelled": 7 * _DAY,
        "failed": 30 * _DAY,
    }
    """Age, per final status, after which a job and its events are pruned; None keeps them. A
    status that is left out has its default."""

    SCHEDULES: dict[str, dict[str, Any]] = {}
    """Schedules by name. Each has a `task`, and `cron` or `interval_seconds`; it may have
    `payload`, `queue`, `priority`, `timezone`, `missed`, `missed_limit` and `overlap`."""

    ADMIN_ENABLED: bool = True
    """Register the tables with Django's admin, where that is installed."""

    ENVIRONMENT_NAME: str = ""
    """Shown on every page of the console, so that production is not taken for a test."""

    OPEN_ON_LOOPBACK: bool = False
    """Serve the API without login to requests from this machine. Works only with DEBUG on."""

    READ_ONLY: bool = False
    """Refuse every change through the API, the console and the admin, whoever asks. Commands are
    not bound by it: whoever has a shell there has the database too."""

    FILTER_QUERYSET: str | None = None
    """Dotted path of `f(user, queryset)`, which narrows a queryset of jobs or of workflows to those
    the user may see. Numbers, queues, groups of failures, workers, schedules and the audit are not
    narrowed."""

    PERMISSION_CLASSES: tuple[str, ...] = ("jobs.api.permissions.HasPermission",)
    """Dotted paths of the DRF permission classes of the API. The default asks for active staff with
    Django's permission for what is done; `jobs.api.permissions.IsStaffOrOpenOnLoopback` lets staff
    do everything."""

    AUTHENTICATION_CLASSES: tuple[str, ...] = (
        "rest_framework.authentication.SessionAuthentication",
        "rest_framework.authentication.BasicAuthentication",
    )
    """Dotted paths of the DRF authentication classes of the API."""

    IN_PROJECT_SCHEMA: bool = False
    """List the API in the OpenAPI document that drf-spectacular makes of the whole project, too."""

    REDACT: tuple[str, ...] = (
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "authorization",
        "api_key",
        "private_key",
        "credential",
        "cookie",
        "card",
        "cvv",
        "cvc",
    )
    """Parts of the keys whose values people are never shown, whatever the case and the separators,
    at any depth of payloads, results and events, and in texts of errors."""

    FORMAT_PAYLOAD: str | None = None
    """Dotted path of `f(task, kind, value)`, whose answer is shown instead of a payload, args or
    result (the `kind`) after redaction. In lists the value is only the beginning of a payload."""

    API_TIMEOUT_SECONDS: float = 5.0
    """Statement timeout of the API's reads; a slower one is answered with 503."""

    LIVE_ENABLED: bool = True
    """Tell open pages of the console what has changed. Without it they are brought up to date by
    hand."""

    LIVE_MIN_INTERVAL_SECONDS: float = 2.0
    """The shortest time between two polls of an open page."""

    LIVE_TRANSPORT: str = "auto"
    """`poll`: pages ask again and again. `auto`: they hold a stream where the server speaks ASGI,
    and poll elsewhere. `sse`: the same, with a warning where it does not."""

    def __getattribute__(self, name: str) -> Any:
        if name.isupper():
            values = _given()
            if name == "RETENTION_SECONDS":
                return super().__getattribute__(name) | values.get(name, {})
            if name in values:
                return values[name]
        return super().__getattribute__(name)


conf: Final = Settings()

SCHEDULE_KEYS: Final = ("task", "payload", "queue", "priority", "timezone", *timing.DEFAULTS)
"""What a schedule in `SCHEDULES` may say."""


def default_timezone() -> str:
    """The zone of a schedule that names none: the project's."""
    return django_settings.TIME_ZONE or "UTC"


_HOUR, _YEAR = 3600.0, 365 * _DAY
BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "MAX_ATTEMPTS": (1, 10_000),
    "BACKOFF_BASE_SECONDS": (0, _YEAR),
    "BACKOFF_CAP_SECONDS": (0, _YEAR),
    "BACKOFF_JITTER": (0, 1),
    "TIMEOUT_SECONDS": (0.001, 30 * _DAY),
    "LEASE_SECONDS": (1, _DAY),
    "HEARTBEAT_SECONDS": (0.05, _HOUR),
    "POLL_SECONDS": (0.01, _HOUR),
    "RESCUE_SECONDS": (0.05, _HOUR),
    "PROMOTE_SECONDS": (0.05, _HOUR),
    "PRUNE_SECONDS": (0.05, _DAY),
    "ROLLUP_SECONDS": (0.05, _HOUR),
    "ROLLUP_RETENTION_SECONDS": (_HOUR, 10 * _YEAR),
    "ROLLUP_TASK_RETENTION_SECONDS": (_HOUR, 10 * _YEAR),
    "GRACE_SECONDS": (0, _DAY),
    "THREADS": (1, 1000),
    "ASYNC_JOBS": (0, 100_000),
    "PROCESSES": (1, 256),
    "METRICS_PORT": (0, 65_535),
    "BATCH_SIZE": (1, 5000),
    "PREFETCH_SECONDS": (0, 10),
    "PAYLOAD_MAX_BYTES": (2, 64 * 1024 * 1024),
    "PAYLOAD_MAX_DEPTH": (1, 200),
    "RESULT_MAX_BYTES": (2, 64 * 1024 * 1024),
    "ERROR_MAX_CHARS": (200, 1024 * 1024),
    "AUDIT_RETENTION_SECONDS": (_HOUR, 100 * _YEAR),
    "OPERATION_RETENTION_SECONDS": (_HOUR, 100 * _YEAR),
    "ERROR_GROUP_RETENTION_SECONDS": (_HOUR, 100 * _YEAR),
    "BULK_MAX_JOBS": (1, 100_000),
    "WORKFLOW_MAX_STEPS": (1, 1_000_000),
    "WORKFLOW_MAX_DEPENDENCIES": (0, 50_000_000),
    "API_TIMEOUT_SECONDS": (0.1, _HOUR),
    "LIVE_MIN_INTERVAL_SECONDS": (0.5, _HOUR),
}
"""Smallest and largest value of each number."""
CHOICES: Final[dict[str, tuple[str, ...]]] = {"LIVE_TRANSPORT": ("auto", "poll", "sse")}
"""The words a setting may be."""


def names() -> list[str]:
    """The keys `QFORGE` may have."""
    return [name for name in get_type_hints(Settings) if name.isupper()]


def problems(values: Any) -> list[str]:
    """What is wrong with a `QFORGE` dict, one sentence a finding; empty when it is right."""
    if not isinstance(values, dict):
        return [f"must be a dict, not {shown(values)}"]
    known = names()
    found: list[str] = []
    for key, value in values.items():
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            found.append(
                f"unknown key {key!r}" + (f"; did you mean {close[0]!r}?" if close else "")
            )
        elif (wrong := _problem(key, value)) is not None:
            found.append(f"{key} {wrong}")
    if not found:
        effective = {key: values.get(key, getattr(Settings, key)) for key in known}
        if effective["HEARTBEAT_SECONDS"] * 3 > effective["LEASE_SECONDS"]:
            found.append("HEARTBEAT_SECONDS must be at most a third of LEASE_SECONDS")
        if effective["BACKOFF_BASE_SECONDS"] > effective["BACKOFF_CAP_SECONDS"]:
            found.append("BACKOFF_BASE_SECONDS must not be above BACKOFF_CAP_SECONDS")
    return found


def _problem(key: str, value: Any) -> str | None:
    hint = get_type_hints(Settings)[key]
    if key == "RETENTION_SECONDS":
        return _retention_problem(value)
    if key == "SCHEDULES":
        return _schedules_problem(value)
    if value is None:
        return None if type(None) in get_args(hint) else "must not be None"
    if key in BOUNDS:
        low, high = BOUNDS[key]
        whole = hint is int
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            return f"must be a {'whole number' if whole else 'number'}, not {shown(value)}"
        bounds = f"{low:,.10g} and {high:,.10g}"
        return None if low <= value <= high else f"must be between {bounds}, not {shown(value)}"
    if key in CHOICES:
        known = ", ".join(CHOICES[key])
        return None if value in CHOICES[key] else f"must be one of {known}, not {shown(value)}"
    if hint is bool:
        return None if isinstance(value, bool) else f"must be True or False, not {shown(value)}"
    if "tuple" in str(hint):
        good = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        return None if good else f"must be a list of strings, not {shown(value)}"
    return None if isinstance(value, str) else f"must be a string, not {shown(value)}"


def _retention_problem(value: Any) -> str | None:
    kept = Settings.RETENTION_SECONDS
    if not isinstance(value, dict) or not set(value) <= set(kept):
        return f"must be a dict with keys out of {', '.join(kept)}"
    ages = [age for age in value.values() if age is not None]
    if any(
        isinstance(a, bool) or not isinstance(a, int | float) or not 0 <= a <= 100 * _YEAR
        for a in ages
    ):
        return "must hold ages in seconds from 0 to 100 years, or None"
    return None


def _schedules_problem(value: Any) -> str | None:
    if not isinstance(value, dict) or not all(isinstance(o, dict) for o in value.values()):
        return f"must be a dict that gives each name a dict, not {shown(value)}"
    for name, options in value.items():
        if unknown := sorted(str(key) for key in options if key not in SCHEDULE_KEYS):
            return f"[{name!r}] has unknown keys: {', '.join(unknown)}"
        complete = {"timezone": default_timezone(), **timing.DEFAULTS, **options}
        try:
            timing.check_times(complete)
            timing.check_policy(complete)
        except InvalidInput as error:
            return f"[{name!r}] {error}"
    return None
