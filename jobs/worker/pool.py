"""A pool: one process's threads, its exchange, and the services around them."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from typing import Any, Final

from django.db import connections

import jobs
from jobs import instrument, registry
from jobs.maintenance.loop import Service
from jobs.maintenance.promote import Promote
from jobs.maintenance.prune import Prune
from jobs.maintenance.rescue import Rescue
from jobs.maintenance.rollup import Rollup
from jobs.maintenance.schedules import Schedules
from jobs.store import notify, workers
from jobs.store.connections import EngineConnection
from jobs.store.values import Claimed, Outcome
from jobs.worker import failures, handler_connections
from jobs.worker.exchange import Exchange
from jobs.worker.executor import execute
from jobs.worker.exits import Exit
from jobs.worker.flush import Flush
from jobs.worker.heartbeat import Heartbeat
from jobs.worker.listener import Listener
from jobs.worker.loop import JobLoop
from jobs.worker.options import PoolOptions
from jobs.worker.runs import Runs
from jobs.worker.watchdog import Watchdog

_logger = logging.getLogger("jobs.worker")

RELEASE_DELAY_SECONDS: Final = 1.0
"""A running job given back at the end of the grace waits so long, so that this process is gone
before another starts it."""
_END_SECONDS: Final = 5.0
_FORCED_END_SECONDS: Final = 2.5
_LOOK_SECONDS: Final = 0.1
_STEP_SECONDS: Final = 0.02


class Pool:
    """Runs jobs until told to stop, drained, or in need of a fresh process."""

    def __init__(self, options: PoolOptions) -> None:
        self.options = options
        prefix = options.name or f"{socket.gethostname()}:{os.getpid()}"
        # Random, so that a pool that comes back under the same name is not taken for the old one.
        self.name = f"{prefix[:110]}:{secrets.token_hex(4)}"
        self._engine = EngineConnection()
        self._beat_engine = EngineConnection()
        self.runs = Runs()
        self.exchange = Exchange(self._engine, options, name=self.name)
        self.finished_jobs = 0
        self.failed_jobs = 0
        # Plain flags: a signal handler may not take the lock of an Event, which the very thread
        # that it interrupts may hold.
        self._asked_to_stop = self._forced = self._ending = False
        self._reason = "shutdown"
        self._threads: list[threading.Thread] = []
        self._heartbeat = Heartbeat(
            self._beat_engine, self.exchange, self.runs, options, describe=self._describe
        )
        self._flush = Flush(self._engine, self.exchange, self.runs)
        self._loop = self._make_loop()
        self._watched = [self._engine, self._beat_engine]
        self._watchdog = Watchdog(
            self._engine,
            self.exchange,
            self.runs,
            watched=self._watched,
            stall_seconds=max(options.lease_seconds / 3, 3.0),
            loop=self._loop,
        )
        self._promote = Promote(self._engine)
        self._schedules = Schedules(self._engine)
        self._services = self._make_services()

    def _make_loop(self) -> JobLoop | None:
        if not self.options.async_jobs:
            return None
        return JobLoop(
            self.exchange,
            self.runs,
            room=self.options.async_jobs,
            threads=self.options.threads,
            ended=self._count,
            call_flush=self._flush.wake,
        )

    def _make_services(self) -> list[Service]:
        services: list[Service] = [self._watchdog, self._flush, self._heartbeat]
        if self.options.maintenance:
            beat = self.options.heartbeat_seconds
            rescue = Rescue(self._engine, worker=self.name, heartbeat_seconds=beat)
            services += [rescue, self._promote, self._schedules]
            # Under load it has as much to do as the exchange, which must not wait for it.
            summing = EngineConnection()
            self._watched.append(summing)
            services += [Prune(self._engine), Rollup(summing)]
        if self.options.listen and connections[self._engine.alias].vendor == "postgresql":
            listening = EngineConnection()
            self._watched.append(listening)
            services.append(Listener(listening, self._engine, self._on_message, self._on_listening))
        return services

    # Life ----------------------------------------------------------------------------------------

    def run(self) -> Exit:
        """Work until `stop`, a drained queue or a spent budget; returns the exit code."""
        self.start()
        stuck = False
        while not (self._asked_to_stop or stuck) and self._at_work():
            time.sleep(_LOOK_SECONDS)
            stuck = self._watchdog.stuck > 0
        if stuck and not self._asked_to_stop:
            self._reason = "threads are stuck past their deadline"
        released = self.shut_down()
        # Whoever has asked for an end meanwhile does not want a fresh process.
        if stuck and not self._asked_to_stop:
            return Exit.RECYCLE
        return Exit.RELEASED if released else Exit.OK

    def _at_work(self) -> bool:
        in_loop = self._loop is not None and self._loop.busy
        return in_loop or any(thread.is_alive() for thread in self._threads)

    def start(self) -> None:
        if self._loop is not None:
            self._loop.start()
        for service in self._services:
            service.start()
        for number in range(self.options.threads):
            thread = threading.Thread(target=self._work, name=f"qforge-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()
        instrument.emit("worker.started", worker=self.name, options=self.options)

    def stop(self, reason: str = "shutdown") -> None:
        """Claim nothing more; running jobs may finish within the grace. For signal handlers too."""
        self._reason = reason
        self._asked_to_stop = True

    def force(self) -> None:
        """Skip what is left of the grace."""
        self._asked_to_stop = self._forced = True

    def shut_down(self) -> int:
        """End everything; returns how many running jobs had to be given back.

        After the grace this takes five seconds at most, whether the database answers or not.
        """
        self._ending = True
        instrument.emit(
            "worker.stopping", worker=self.name, reason=self._reason, busy=len(self.runs)
        )
        self.exchange.stop_claiming(self._reason)
        self._wait_for_handlers(self.options.grace_seconds)
        end = time.monotonic() + (_FORCED_END_SECONDS if self._forced else _END_SECONDS)
        # Jobs are given back last: a moment later they may start elsewhere.
        needed: list[Service] = [self._heartbeat, self._flush, self._watchdog]
        _stop([service for service in self._services if service not in needed], end)
        released = self._watchdog.release_all(self._reason, RELEASE_DELAY_SECONDS)
        if self._loop is not None:
            self._loop.cancel()
        # Written by the flush service: this thread must not wait for the database.
        while self.exchange.pending and time.monotonic() < end:
            self._flush.wake()
            time.sleep(0.01)
        _stop(needed, end)
        if self._loop is not None:
            self._loop.stop(timeout_seconds=max(end - time.monotonic(), 0))
        leaving = threading.Thread(target=self._leave, daemon=True)
        leaving.start()
        leaving.join(max(end - time.monotonic(), 0.1))
        instrument.emit("worker.stopped", worker=self.name, released=released)
        return released

    def _leave(self) -> None:
        try:
            with self._engine.borrowed():
                workers.leave(self._engine.alias, self.name)
        except Exception:
            _logger.warning("the pool's own row stays until it is pruned", exc_info=True)
        for engine in {service.engine for service in self._services}:
            engine.close()

    def _wait_for_handlers(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._at_work() and time.monotonic() < end and not self._forced:
            if self._watchdog.stuck and len(self.runs) <= self._watchdog.stuck:
                return
            time.sleep(_STEP_SECONDS)

    # Work ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        outcome = None
        try:
            while True:
                try:
                    job = self.exchange.swap(outcome)
                except Exception:
                    # Outcomes are kept by the exchange; only this round is lost.
                    _logger.exception("the exchange failed")
                    outcome = None
                    time.sleep(0.5)
                    continue
                if job is None:
                    return
                outcome, seconds = self._execute(job)
                self.exchange.forecast.observe(job.task, seconds)
                self._count(outcome)
        finally:
            handler_connections.close_all()

    def _count(self, outcome: Outcome | None) -> None:
        self.finished_jobs += 1
        if outcome is None or outcome.error:
            self.failed_jobs += 1

    def _execute(self, job: Claimed) -> tuple[Outcome | None, float]:
        try:
            return execute(job, self.runs)
        except BaseException as error:
            # Nothing is meant to get here. If it does, out of memory perhaps, the thread must live
            # on, and the attempt must end: held for ever, it would be renewed for ever.
            _logger.exception("job %s: its attempt could not be carried out", job.id)
            return failures.outcome_of(job, None, error, 0.0), 0.0

    # Messages ------------------------------------------------------------------------------------

    def _on_message(self, message: str) -> None:
        if message.startswith(notify.QUEUE):
            queue = message.removeprefix(notify.QUEUE)
            if not queue or not self.options.queues or queue in self.options.queues:
                self.exchange.wake()
        elif message == notify.SCHEDULED:
            self._promote.wake()
            self._schedules.wake()
        elif message == notify.CANCEL:
            self._heartbeat.wake()
        elif message == notify.CONTROL:
            self.exchange.wake(controls=True)

    def _on_listening(self) -> None:
        self.exchange.wake(controls=True)
        self._promote.wake()
        self._schedules.wake()

    def _describe(self) -> dict[str, Any]:
        return {
            "host": socket.gethostname()[:255],
            "pid": os.getpid(),
            "version": jobs.__version__,
            "queues": list(self.options.queues),
            "tasks": [task.name for task in registry.all_tasks()],
            "threads": self.options.threads,
            "busy": len(self.runs) - (0 if self._loop is None else self._loop.running),
            "stopping": self._ending,
            "services": {
                s.name: {"failures": s.failures, "age_seconds": s.age_seconds}
                for s in self._services
            },
        }


def _stop(services: list[Service], end: float) -> None:
    """Tell all to stop, then wait for each until `end`."""
    for service in services:
        service.stop(timeout_seconds=0)
    for service in services:
        service.stop(timeout_seconds=max(end - time.monotonic(), 0))
