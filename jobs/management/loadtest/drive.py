"""Enqueueing over HTTP from many threads at once, then waiting for the jobs to end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from jobs.management.api_client import ApiClient, ApiError
from jobs.management.loadtest.plan import PlannedJob
from jobs.models import Job
from jobs.states import TERMINAL

Progress = Callable[[int], None]
"""Called with the number of jobs done so far."""

_TICK_SECONDS = 0.2
_CHUNK = 5000
_MAX_REFUSALS = 20


@dataclass
class Enqueued:
    """What the API said. `ids` and `seconds` (one round trip each) are by number in the plan."""

    ids: dict[int, int] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    wall_seconds: float = 0.0


class Enqueuer:
    """Posts planned jobs from several threads, each over a connection of its own."""

    def __init__(
        self,
        planned: Sequence[PlannedJob],
        *,
        run: str,
        queue: str,
        connect: Callable[[], ApiClient],
        deadline: float,
    ) -> None:
        """`deadline` is on the clock of `time.monotonic`."""
        self.done = Enqueued()
        self._planned = planned
        self._run, self._queue = run, queue
        self._connect = connect
        self._deadline = deadline
        self._waiting = iter(planned)
        self._taking = threading.Lock()
        self._stopping = threading.Event()

    def work(self, concurrency: int, progress: Progress) -> Enqueued:
        """Post everything; gives up after 20 refusals, or at the deadline."""
        started = time.perf_counter()
        threads = [
            threading.Thread(target=self._post_all, name=f"loadtest-{n}", daemon=True)
            for n in range(min(concurrency, len(self._planned)))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(_TICK_SECONDS)
                    progress(len(self.done.ids))
        finally:
            self._stopping.set()
        self.done.wall_seconds = time.perf_counter() - started
        return self.done

    def _post_all(self) -> None:
        with closing(self._connect()) as client:
            while not self._stopping.is_set() and time.monotonic() < self._deadline:
                with self._taking:
                    job = next(self._waiting, None)
                if job is None:
                    return
                self._post(client, job)

    def _post(self, client: ApiClient, job: PlannedJob) -> None:
        started = time.perf_counter()
        try:
            answer = client.post("/api/jobs/", job.document(self._run, self._queue))
            self.done.ids[job.number] = int(answer["id"])
            self.done.seconds[job.number] = time.perf_counter() - started
        except (ApiError, KeyError, TypeError, ValueError) as error:
            self.done.refusals.append(f"job {job.number}: {error}")
            if len(self.done.refusals) >= _MAX_REFUSALS:
                self._stopping.set()


def wait(using: str, ids: Sequence[int], *, deadline: float, progress: Progress) -> list[int]:
    """Wait until these jobs have ended; returns those that have not by `deadline`."""
    left = sorted(ids)
    while True:
        ended: set[int] = set()
        for start in range(0, len(left), _CHUNK):
            ended.update(
                Job.objects.using(using)
                .filter(pk__in=left[start : start + _CHUNK], status__in=TERMINAL)
                .values_list("pk", flat=True)
            )
        left = [job_id for job_id in left if job_id not in ended]
        progress(len(ids) - len(left))
        if not left or time.monotonic() >= deadline:
            return left
        # Looking must not cost what is to be measured.
        time.sleep(max(_TICK_SECONDS, len(left) / 50_000))
