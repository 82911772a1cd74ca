"""One pool as a process: signals in, exit code out."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import multiprocessing
import os
import signal
import sys
import threading
from typing import Any, NoReturn

from jobs import metrics, tracing
from jobs.conf import conf
from jobs.worker import log
from jobs.worker.exits import FORCED, Exit
from jobs.worker.interrupts import ignore_interrupts
from jobs.worker.options import PoolOptions
from jobs.worker.pool import Pool


class _Signals:
    """First SIGTERM or SIGINT: stop within the grace. Second: give everything back now."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.forced_by: int | None = None
        self._asked = False

    def install(self, *, supervised: bool) -> None:
        signal.signal(signal.SIGTERM, self._handle)
        if supervised:
            # The supervisor passes it on, as SIGTERM.
            ignore_interrupts()
        else:
            signal.signal(signal.SIGINT, self._handle)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if hasattr(signal, "SIGUSR1"):
            faulthandler.register(signal.SIGUSR1, all_threads=True)

    def _handle(self, number: int, frame: Any) -> None:
        if self._asked:
            self.forced_by = number
            self.pool.force()
        else:
            self._asked = True
            self.pool.stop()


def run_pool(options: PoolOptions, *, supervised: bool = False) -> tuple[int, Pool]:
    """Run a pool in this process, in its main thread; returns its exit code and the pool.

    Raises:
        InvalidInput: its metrics cannot be served where they should.
    """
    pool = Pool(options)
    if options.metrics_port:
        metrics.serve(options.metrics_port)
    if conf.TRACING:
        tracing.install()
    signals = _Signals(pool)
    signals.install(supervised=supervised)
    if supervised:
        threading.Thread(target=_follow_parent, args=[pool], daemon=True).start()
    code: int = pool.run()
    if signals.forced_by is not None:
        code = FORCED.get(signal.Signals(signals.forced_by), 1)
    return code, pool


def run_child(options: PoolOptions) -> NoReturn:
    """Run a supervised pool and exit with its code."""
    log.install(options.log_format, quiet=options.quiet)
    try:
        code, pool = run_pool(options, supervised=True)
        if pool.failed_jobs and code == Exit.OK and options.fail_on_error:
            code = Exit.JOB_FAILED
    except Exception:
        logging.getLogger("jobs.worker").exception("the pool died")
        code = Exit.ERROR
    leave(code)


def leave(code: int) -> NoReturn:
    """Exit at once. A thread still inside a handler must not keep the process, nor go on."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    logging.shutdown()
    os._exit(code)


def restart() -> NoReturn:
    """Start this command anew in the same process, which is the only way to end stuck threads."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606


def _follow_parent(pool: Pool) -> None:
    """Stop when the supervisor is gone, even by SIGKILL."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        pool.stop("the supervisor is gone")
