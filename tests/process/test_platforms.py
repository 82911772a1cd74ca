from __future__ import annotations

import signal

from jobs import JobSpec, enqueue_many
from tests.process import MARKS
from tests.support.evidence import Evidence
from tests.support.processes import Workers
from tests.support.waiting import wait_until

pytestmark = MARKS

# What Windows has not.
WITHOUT_SIGNALS = """
import signal, sys
for name in ("SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGHUP", "SIGKILL", "SIGCHLD"):
    delattr(signal, name)
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""


def test_the_worker_needs_only_the_signals_that_every_system_has(
    workers: Workers, evidence: Evidence
) -> None:
    worker = workers.start(runner=("-c", WITHOUT_SIGNALS))
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(5))
    wait_until(lambda: len(evidence.ends()) == 5)
    worker.signal(signal.SIGINT)
    assert worker.wait() == 0
