from __future__ import annotations

from jobs import enqueue
from tests.process import MARKS
from tests.support.processes import Workers

pytestmark = MARKS


def test_a_worker_traces_where_the_settings_ask_for_it(workers: Workers) -> None:
    runner = ("-m", "tests.process.traced")
    for setting in ("true", "false"):
        enqueue("check.mark", {"key": setting})
        worker = workers.start("--once", wait=False, runner=runner, QFORGE_TRACING=setting)
        assert worker.wait(40) == 0, worker.output()
        traced = '"name": "process check.mark"' in worker.output()
        assert traced == (setting == "true"), worker.output()
