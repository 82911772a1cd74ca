"""The workflows of `manage.py demo`: one slow enough to be watched, and one that fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from jobs.management.api_client import ApiClient
from jobs.states import WorkflowStatus


@dataclass(slots=True)
class Flow:
    """A workflow to submit, and what must become of it."""

    document: dict[str, Any]
    """What is posted to the API."""
    status: WorkflowStatus
    id: int = 0
    shown: dict[str, Any] = field(default_factory=dict)
    """The API's summary, as last seen."""

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def ended(self) -> bool:
        return self.shown.get("finished_at") is not None

    def wrong(self) -> Iterator[str]:
        if self.shown["status"] != self.status:
            yield f"is {self.shown['status']}, not {self.status}"


def flows(run: str) -> list[Flow]:
    """What to submit; `run` makes the keys unique."""
    return [
        Flow(_document("release", run, _release()), WorkflowStatus.SUCCEEDED),
        Flow(_document("nightly-import", run, _import()), WorkflowStatus.FAILED),
    ]


def _document(name: str, run: str, steps: Iterator[dict[str, Any]]) -> dict[str, Any]:
    return {"name": name, "idempotency_key": f"demo:{run}:{name}", "steps": list(steps)}


def _slow(step: str, seconds: float, *after: str, **more: Any) -> dict[str, Any]:
    payload = {"seconds": seconds}
    # Ahead of the jobs of the demo, so that it moves while these are worked off.
    fixed = {"task": "demo.slow", "payload": payload, "priority": 30}
    return {"step": step, "depends_on": [*after], **fixed, **more}


def _release() -> Iterator[dict[str, Any]]:
    yield _slow("checkout", 0.5)
    yield _slow("build", 1.5, "checkout")
    yield _slow("lint", 1, "checkout", on_failure="continue")
    parts = [f"test {part}" for part in ("orders", "payments", "search", "mail")]
    for n, part in enumerate(parts):
        yield _slow(part, 1 + n / 2, "build")
    yield _slow("package", 0.5, "lint", *parts)
    yield _slow("deploy staging", 1, "package")
    yield _slow("smoke test", 0.5, "deploy staging")
    yield _slow("deploy production", 1, "smoke test")
    result = {"released": {"$result": "package", "path": "slept_seconds"}}
    yield {
        "step": "announce",
        "task": "demo.echo",
        "payload": result,
        "depends_on": ["package", "deploy production"],
    }


def _import() -> Iterator[dict[str, Any]]:
    add = {"task": "demo.add", "payload": {"a": 1, "b": 2}}
    broken = {"task": "demo.flaky", "payload": {"failure_rate": 1}, "max_attempts": 2}
    yield {"step": "fetch", **add}
    yield {"step": "parse orders", "depends_on": ["fetch"], **add}
    yield {"step": "parse returns", "depends_on": ["fetch"], **broken}
    yield {"step": "reconcile", "depends_on": ["parse orders", "parse returns"], **add}
    yield {"step": "publish", "depends_on": ["reconcile"], **add}


def place(client: ApiClient, submitted: Sequence[Flow]) -> None:
    """Submit every workflow. Raises ApiError."""
    for flow in submitted:
        flow.shown = client.post("/api/workflows/", flow.document)
        flow.id = int(flow.shown["id"])


def look(client: ApiClient, submitted: Sequence[Flow]) -> int:
    """Look at those that have not ended; how many are left. Raises ApiError."""
    for flow in submitted:
        if not flow.ended:
            flow.shown = client.get(f"/api/workflows/{flow.id}/summary/")
    return sum(not flow.ended for flow in submitted)
