"""`manage.py run_job_workers`: arguments in, a pool or a supervisor of pools out."""

from __future__ import annotations

import os
import sys
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser, SystemCheckError
from django.db import DatabaseError, InterfaceError, connections

from jobs import metrics, tracing
from jobs.conf import Settings, conf
from jobs.errors import InvalidInput, MissingExtra
from jobs.management.banner import banner
from jobs.worker import log, preflight
from jobs.worker.exits import Exit
from jobs.worker.options import PoolOptions, from_settings
from jobs.worker.process import leave, restart, run_pool
from jobs.worker.supervisor import Supervisor

# Option, type, setting that gives its default, help.
_OPTIONS: Final[tuple[tuple[str, Any, str, str], ...]] = (
    ("threads", int, "THREADS", "worker threads in each process"),
    ("async-jobs", int, "ASYNC_JOBS", "async jobs at once in each process; 0 gives them threads"),
    ("processes", int, "PROCESSES", "worker processes; 1 runs in the foreground process"),
    ("lease", float, "LEASE_SECONDS", "seconds a claim holds without renewal"),
    ("heartbeat", float, "HEARTBEAT_SECONDS", "seconds between renewals"),
    ("poll-interval", float, "POLL_SECONDS", "longest sleep of an idle pool, in seconds"),
    ("grace", float, "GRACE_SECONDS", "seconds running jobs may go on after the first signal"),
    ("batch-size", int, "BATCH_SIZE", "most jobs in one exchange with the database"),
    ("metrics-port", int, "METRICS_PORT", "port for Prometheus; further processes take the next"),
)
_FIELDS: Final = {
    "lease": "lease_seconds",
    "heartbeat": "heartbeat_seconds",
    "poll_interval": "poll_seconds",
    "grace": "grace_seconds",
}


class Command(BaseCommand):
    help = "Run worker threads that claim and run jobs."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        for name, kind, setting, text in _OPTIONS:
            variable = f"QFORGE_{setting}"
            parser.add_argument(
                f"--{name}", type=kind, metavar="N", help=f"{text} [env {variable}]"
            )
        parser.add_argument(
            "--queues", help="comma-separated; all when not given [env QFORGE_QUEUES]"
        )
        parser.add_argument("--name", default="", help="name of the worker instead of host:pid")
        parser.add_argument("--once", action="store_true", help="run at most one job, then exit")
        parser.add_argument("--drain", action="store_true", help="exit when no job is ready")
        parser.add_argument("--max-jobs", type=int, metavar="N", help="exit after N jobs")
        parser.add_argument("--no-listen", action="store_true", help="poll only, without LISTEN")
        parser.add_argument(
            "--no-maintenance", action="store_true", help="no rescue, promote and prune in here"
        )
        parser.add_argument(
            "--log-format",
            choices=("auto", "text", "json"),
            default="auto",
            help="of the lines on stderr; auto is text",
        )
        parser.add_argument("--quiet", action="store_true", help="log warnings and errors only")
        parser.add_argument(
            "--fail-on-error", action="store_true", help="exit 6 if a job failed an attempt"
        )
        parser.add_argument("--expect-job", action="store_true", help="exit 1 if no job was run")
        parser.add_argument(
            "--db-timeout",
            type=float,
            default=30.0,
            metavar="N",
            help="seconds to wait for the database at the start",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print the settings in force and exit"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            values, sources = _resolve(given)
            processes = values.pop("processes")
            options = _pool_options(values, given)
            if not 1 <= processes <= 256:
                raise InvalidInput("processes", f"must be between 1 and 256, not {processes}")
            metrics.check_ports(options.metrics_port, processes)
            if conf.TRACING:
                tracing.check()
            if processes > 1 and options.max_jobs is not None:
                raise InvalidInput("max_jobs", "a number of jobs needs --processes 1")
        except (InvalidInput, MissingExtra, ValueError) as error:
            raise CommandError(str(error), returncode=Exit.USAGE) from None
        log.install(options.log_format, quiet=options.quiet)
        self._preflight(given["db_timeout"])
        if given["dry_run"] or (sys.stderr.isatty() and options.log_format == "text"):
            self.stderr.write(banner(options, processes, sources))
        if given["dry_run"]:
            return
        if processes > 1:
            leave(Supervisor(options, processes).run())
        self._foreground(options, expect_job=given["expect_job"])

    def _foreground(self, options: PoolOptions, *, expect_job: bool) -> None:
        try:
            code, pool = run_pool(options)
        except InvalidInput as error:
            raise CommandError(str(error), returncode=Exit.USAGE) from None
        if code == Exit.RECYCLE:
            if options.max_jobs is None:
                restart()
            # A fresh start would forget how many jobs have been run.
            code = Exit.OK
        if code == Exit.OK and pool.failed_jobs and options.fail_on_error:
            code = Exit.JOB_FAILED
        if code == Exit.OK and expect_job and not pool.finished_jobs:
            code = Exit.ERROR
        leave(code)

    def _preflight(self, db_timeout: float) -> None:
        try:
            self.check()
        except SystemCheckError as error:
            raise CommandError(str(error), returncode=Exit.NOT_READY) from None
        try:
            missing = preflight.missing_migrations(db_timeout)
        except (DatabaseError, InterfaceError) as error:
            trouble = str(error).strip()
            raise CommandError(f"database: {trouble}", returncode=Exit.DATABASE) from None
        # This thread needs the database no more, and a small connection pool needs every one.
        connections.close_all()
        if missing:
            raise CommandError(
                f"not migrated: {', '.join(missing)}; run manage.py migrate first",
                returncode=Exit.NOT_READY,
            )


def _resolve(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Values by the order command line, environment, settings, default; and which of them won."""
    values, sources = {}, {}
    for name, kind, setting, _ in _OPTIONS:
        key = name.replace("-", "_")
        values[key], sources[key] = _one(given[key], f"QFORGE_{setting}", setting, kind)
    queues, sources["queues"] = _one(given["queues"], "QFORGE_QUEUES", "QUEUES", str)
    values["queues"] = _split(queues) if isinstance(queues, str) else tuple(queues)
    return values, sources


def _one(given: Any, variable: str, setting: str, kind: Any) -> tuple[Any, str]:
    if given is not None:
        return given, "command line"
    if os.environ.get(variable, "") != "":
        try:
            return kind(os.environ[variable]), f"environment {variable}"
        except ValueError:
            raise InvalidInput(variable, f"is not a number: {os.environ[variable]!r}") from None
    value = getattr(conf, setting)
    return value, "default" if value == getattr(Settings, setting) else "settings"


def _split(queues: str) -> tuple[str, ...]:
    return tuple(name for part in queues.strip("[]").split(",") if (name := part.strip(" \"'")))


def _pool_options(values: dict[str, Any], given: dict[str, Any]) -> PoolOptions:
    fields = {_FIELDS.get(key, key): value for key, value in values.items()}
    log_format = given["log_format"]
    if log_format == "auto":
        log_format = "text"
    return from_settings(
        **fields,
        name=given["name"],
        max_jobs=1 if given["once"] else given["max_jobs"],
        drain=given["drain"] or given["once"] or None,
        listen=False if given["no_listen"] else None,
        maintenance=False if given["no_maintenance"] else None,
        fail_on_error=given["fail_on_error"],
        quiet=given["quiet"],
        log_format=log_format,
    )
