"""Sums of events that real workers keep, while some of them die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.db.models import Sum

from jobs import JobSpec, enqueue_many
from jobs.models import JobEvent, Rollup, TaskRollup
from jobs.states import TERMINAL
from tests.process import MARKS
from tests.support.processes import SHORT_LEASE, Workers
from tests.support.waiting import wait_until

pytestmark = MARKS
OFTEN = {"QFORGE_ROLLUP_SECONDS": "0.05"} | SHORT_LEASE


def of_events() -> Counter[str]:
    """What the sums must come to: how often each outcome stands in the events."""
    found: Counter[str] = Counter()
    for kind, after in JobEvent.objects.values_list("kind", "to_status"):
        if kind == "enqueued":
            found["enqueued"] += 1
        elif after in TERMINAL:
            found[after] += 1
        elif kind in ("failed", "rescued"):
            found["retrying"] += 1
    return found


def of_sums(model: type[Rollup | TaskRollup], **matching: int) -> Counter[str]:
    rows = model.objects.filter(**matching).values_list("outcome")
    return Counter(dict(rows.annotate(n=Sum("jobs"))))


def test_workers_side_by_side_that_are_killed_count_every_event_once(
    workers: Workers, all_done: Callable[..., None]
) -> None:
    good = [{"key": f"good {n}", "seconds": 0.02} for n in range(150)]
    bad = [{"key": f"bad {n}", "times": 1} for n in range(20)]
    specs = [JobSpec(task="check.mark", payload=payload) for payload in good]
    specs += [JobSpec(task="check.fail", payload=payload) for payload in bad]
    started = [workers.start(**OFTEN) for _ in range(2)]
    enqueue_many(specs)
    for worker in started:
        wait_until(lambda: JobEvent.objects.filter(kind="succeeded").count() > 20)
        worker.kill()
        workers.start(**OFTEN)
    all_done(seconds=60)
    wait_until(lambda: of_sums(Rollup, span_seconds=60) == of_events(), seconds=20)
    assert of_events()["succeeded"] == len(specs)
    for seconds in (300, 900, 3600):
        assert of_sums(Rollup, span_seconds=seconds) == of_events()
    assert of_sums(TaskRollup) == of_events()
    timed = Rollup.objects.filter(span_seconds=60, outcome="succeeded")
    assert all(row.wait_sum >= 0 and row.run_max > 0 for row in timed)
