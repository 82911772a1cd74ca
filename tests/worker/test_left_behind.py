"""What handlers leave behind: in the thread, in the process, in the interpreter."""

from __future__ import annotations

import contextvars
import datetime as dt
import decimal
import logging
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone, translation

from jobs import client
from jobs.models import Job
from jobs.states import JobStatus, Verb
from jobs.worker.executor import execute
from jobs.worker.runs import Runs
from tests.support import factories
from tests.support.waiting import wait_until
from tests.worker.attempts import attempts, claimed
from tests.worker.bench import Bench, wait_for_event

Register = Callable[..., client.Task]

tenant: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="none")


def state() -> list[Any]:
    """What a job finds: tenant, time zone, language, decimal precision."""
    return [
        tenant.get(),
        timezone.get_current_timezone_name(),
        translation.get_language(),
        decimal.getcontext().prec,
    ]


def change() -> None:
    tenant.set("acme")
    timezone.activate(dt.timezone(dt.timedelta(hours=9), "Tokyo"))
    translation.activate("de")
    decimal.getcontext().prec = 3


def test_every_job_begins_in_a_fresh_context(register: Register) -> None:
    def dirty() -> list[Any]:
        change()
        return state()

    jobs = [
        claimed(register(state, name="tests.probe")),
        claimed(register(dirty, name="tests.dirty")),
        claimed(register(state, name="tests.probe")),
    ]
    fresh, changed, after = (outcome.result for outcome in attempts(jobs))
    assert changed == '["acme","Tokyo","de",3]'
    assert fresh == after == '["none","UTC","en-us",28]'


def test_every_coroutine_begins_in_a_fresh_context(register: Register) -> None:
    async def probe() -> list[Any]:
        return state()

    async def dirty() -> list[Any]:
        change()
        return state()

    jobs = [
        claimed(register(probe, name="tests.probe")),
        claimed(register(dirty, name="tests.dirty")),
        claimed(register(probe, name="tests.probe")),
    ]
    fresh, changed, after = (outcome.result for outcome in attempts(jobs))
    assert changed == '["acme","Tokyo","de",3]'
    assert fresh == after == '["none","UTC","en-us",28]'


def test_a_job_does_not_see_the_context_of_whoever_started_the_thread(register: Register) -> None:
    token = tenant.set("of the starter")
    try:
        (outcome,) = attempts([claimed(register(state, name="tests.probe"))])
    finally:
        tenant.reset(token)
    assert outcome.result == '["none","UTC","en-us",28]'


def leave_a_thread_that_exits() -> None:
    def work() -> None:
        raise SystemExit(3)

    threading.Thread(target=work).start()


def replace_hooks() -> None:
    def hook(*arguments: Any) -> None:
        raise RuntimeError("the hook itself fails")

    threading.excepthook = hook
    sys.excepthook = hook


def make_warnings_errors() -> None:
    warnings.resetwarnings()
    warnings.simplefilter("error")


def stop_logging() -> None:
    logging.disable(logging.CRITICAL)
    logging.shutdown()


def change_process() -> None:
    os.chdir("/")
    os.umask(0o777)
    os.environ["TZ"] = "Asia/Tokyo"
    socket.setdefaulttimeout(0.001)


LEFT_BEHIND = [
    leave_a_thread_that_exits,
    replace_hooks,
    make_warnings_errors,
    stop_logging,
    change_process,
]


@pytest.fixture
def restored() -> Iterator[None]:
    """Puts back what the handlers of these tests change in the process."""
    hooks, folder, environ = (threading.excepthook, sys.excepthook), os.getcwd(), dict(os.environ)
    disabled, mask = logging.root.manager.disable, os.umask(0o022)
    # Python's own, which passes over SystemExit as the worker's process does.
    threading.excepthook = threading.__excepthook__
    with warnings.catch_warnings():
        yield
    threading.excepthook, sys.excepthook = hooks
    os.umask(mask)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    logging.disable(disabled)
    socket.setdefaulttimeout(None)


@pytest.mark.usefixtures("restored")
@pytest.mark.postgres
@pytest.mark.parametrize("leave", LEFT_BEHIND, ids=lambda leave: leave.__name__)
def test_what_a_handler_leaves_in_the_process_does_not_stop_the_jobs_after_it(
    register: Register, bench: Bench, leave: Callable[[], None]
) -> None:
    runs = Runs()
    exchange = bench.exchange()
    first = factories.job(task=register(leave, name="tests.leave").name)
    bench.drive(exchange, 2, lambda job: execute(job, runs)[0])
    wait_for_event(first.pk, "succeeded")

    # Later jobs need new connections, which a changed default timeout must not break.
    exchange._engine.discard()
    probe = register(lambda: Job.objects.count(), name="tests.count")
    later = [row.pk for row in factories.jobs(4, task=probe.name)]
    done = Job.objects.filter(pk__in=later, status=JobStatus.SUCCEEDED)
    wait_until(lambda: done.count() == 4)
    assert set(done.values_list("attempts", flat=True)) == {1}


def test_a_handler_cannot_install_signal_handlers_and_only_its_job_fails(
    register: Register,
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    bad = register(lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN), name="tests.signal")
    good = register(lambda: 1, name="tests.good")
    outcomes = attempts([claimed(bad), claimed(good)])
    assert [o.verb for o in outcomes] == [Verb.FAIL, Verb.SUCCEED]
    assert outcomes[0].error.startswith("ValueError: signal only works in main thread")
    assert signal.getsignal(signal.SIGTERM) is before
