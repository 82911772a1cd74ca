"""Runs the demo's scenario against a server and says whether each job came to what it should."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from demo import files, flows
from demo.flows import Flow
from demo.scenario import Order
from jobs.management.api_client import ApiClient
from jobs.states import TERMINAL, JobStatus

_TICK_SECONDS = 0.2


@dataclass
class Placed:
    """An order and the job that it became."""

    order: Order
    id: int
    job: dict[str, Any] = field(default_factory=dict)
    """The API's representation, as last seen."""
    cancelled: bool = False
    wrong: list[str] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return self.job.get("status") in TERMINAL


def upload(client: ApiClient, picture: bytes) -> str:
    """Upload a PNG; returns the name under which it is stored. Raises ApiError."""
    answer = client.request("POST", "/demo/upload/", picture, {"Content-Type": "image/png"})
    return str(answer["file"])


def place(
    client: ApiClient, orders: Sequence[Order], progress: Callable[[str], None]
) -> list[Placed]:
    """Enqueue every order. Raises ApiError."""
    placed = []
    for order in orders:
        answer = client.post("/api/jobs/", order.document)
        placed.append(Placed(order, int(answer["id"]), answer))
        progress(f"enqueued {len(placed)} of {len(orders)}")
    return placed


def follow(
    client: ApiClient,
    placed: Sequence[Placed],
    submitted: Sequence[Flow],
    *,
    deadline: float,
    progress: Callable[[str], None],
) -> None:
    """Look at everything until all has ended, or `deadline` by `time.monotonic`; raises ApiError.

    Those that are to be stopped are asked to, once they run.
    """
    while True:
        for one in placed:
            if not one.ended:
                one.job = client.get(f"/api/jobs/{one.id}/")
                _stop(client, one)
        open_flows = flows.look(client, submitted)
        open_jobs = sum(not one.ended for one in placed)
        left = open_jobs + open_flows
        progress(f"finished {len(placed) - open_jobs} of {len(placed)}")
        if not left or time.monotonic() >= deadline:
            return
        time.sleep(_TICK_SECONDS)


def _stop(client: ApiClient, one: Placed) -> None:
    if one.order.cancel and not one.cancelled and one.job["status"] == JobStatus.RUNNING:
        client.post(f"/api/jobs/{one.id}/cancel/", {"reason": "shown by manage.py demo"})
        one.cancelled = True


def judge(placed: Sequence[Placed], *, files_here: bool) -> None:
    """Note what is wrong with each job; `files_here` also looks at what the jobs have made."""
    for one in placed:
        one.wrong = list(_wrong_state(one))
        if files_here and not one.wrong and one.job["status"] == JobStatus.SUCCEEDED:
            one.wrong += _wrong_file(one)


def _wrong_state(one: Placed) -> Iterator[str]:
    status, attempts = one.job["status"], one.job["attempts"]
    if status != one.order.status:
        error = str(one.job.get("error") or "").strip().splitlines()
        yield f"is {status}, not {one.order.status}" + (f": {error[-1][:200]}" if error else "")
    elif attempts < one.order.least_attempts:
        yield f"took {attempts} attempts, at least {one.order.least_attempts} were due"


def _wrong_file(one: Placed) -> Iterator[str]:
    name = made_file(one)
    if name is None:
        return
    path = files.media_path(name)
    if not path.is_file():
        yield f"{path} is not there; do the workers have another MEDIA_ROOT?"
    elif one.order.kind == "image":
        payload = one.order.document["payload"]
        with Image.open(path) as image:
            if image.width > payload["width"] or image.height > payload["height"]:
                yield f"{path} is {image.width} x {image.height} pixels"
    elif one.order.kind == "webhook":
        delivery = json.loads(path.read_text(encoding="utf-8"))
        if delivery != {"job": one.id, "data": one.order.document["payload"]["data"]}:
            yield f"{path} holds another delivery"


def made_file(one: Placed) -> str | None:
    """The file a job has made, relative to MEDIA_ROOT; None for jobs that make none."""
    if one.order.kind == "webhook":
        return f"webhooks/job-{one.id}.json"
    result = one.job.get("result")
    return result.get("file") if isinstance(result, dict) else None
