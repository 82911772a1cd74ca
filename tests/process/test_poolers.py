from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connections

from jobs import JobSpec, cancel, enqueue, enqueue_many, retry
from tests.process import MARKS
from tests.process.servers import ALIAS, OwnServer, own_server
from tests.support import history
from tests.support.evidence import Evidence
from tests.support.faults.proxy import PosingProxy, connect_to
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS

# What lives longer than a transaction does not survive a pooler that changes sessions between
# them, or reaches a stranger.
SESSION_STATE = re.compile(
    r"\bLISTEN\b|\bPREPARE\b|\bTEMP\b|\bWITH HOLD\b|pg_(try_)?advisory_lock"
    r"|^SET (?!LOCAL\b)|set_config\([^)]*false\)|;\s*SET (?!LOCAL\b)",
    re.IGNORECASE | re.MULTILINE,
)


@pytest.fixture
def server(workers: Workers) -> Iterator[OwnServer]:
    with own_server({"log_statement": "all", "log_line_prefix": ""}) as started:
        address = connections[ALIAS].settings_dict
        with PosingProxy(connect_to(address["HOST"], address["PORT"])) as pooler:
            workers.database = f"postgres://postgres@127.0.0.1:{pooler.port}/qforge"
            yield started
            workers.close()


def test_without_listen_nothing_is_asked_of_a_session_beyond_its_transaction(
    workers: Workers, evidence: Evidence, all_done: Callable[..., None], server: OwnServer
) -> None:
    before = len(server.log())
    worker = workers.start("--no-listen", **SHORT_LEASE)
    enqueue_many(JobSpec(task="check.mark", payload={"key": str(n)}) for n in range(20))
    enqueue("check.mark", {"key": "later"}, delay_seconds=0.3)
    failing = enqueue("check.fail", {"key": "failing", "times": 2}, max_attempts=1)
    stopping = enqueue("check.patient", {"key": "stopping", "seconds": 60})
    wait_until(lambda: evidence.starts("stopping"))
    cancel(stopping.id)
    all_done(using=ALIAS)
    retry(failing.id)
    enqueue("check.slow_first", {"key": "long", "seconds": 2.5})
    all_done(using=ALIAS)
    assert not worker.said("worker.listening")
    assert worker.stop() == 0
    log = server.log()[before:]
    statements = re.findall(r"(?:statement|execute [^:]*): (.*)", log)
    history.assert_sound(ALIAS)
    assert len(statements) > 100
    assert [text for text in statements if SESSION_STATE.search(text)] == []
    assert set(re.findall(r"execute ([^:]*): ", log)) <= {"<unnamed>"}
