"""The demo's tasks. Each may run twice for one job, and each says why that does no harm.

A job runs at least once: a worker that dies after the work and before the commit leaves the job
to be run again. What a handler leaves behind is therefore named after the job or its input, so
that a second run finds or replaces it instead of adding to it.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import PurePosixPath
from typing import Any

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email

from demo import files, images, reports, webhooks
from demo.outbox import outbox_name
from jobs import JobContext, PermanentError, RetryPolicy, task

QUICK = RetryPolicy(base_seconds=0.5, cap_seconds=10, jitter=0.2)
MAX_SLOW_SECONDS = 3600.0
_STEPS = 20


@task(name="demo.add")
def add(a: float, b: float) -> float:
    """The sum of two numbers. Idempotent: it changes nothing."""
    return a + b


@task(name="demo.echo")
def echo(**payload: Any) -> dict[str, Any]:
    """The payload, as it arrived. Idempotent: it changes nothing."""
    return payload


@task(name="demo.slow")
def slow(seconds: float, context: JobContext) -> dict[str, Any]:
    """Takes its time, reports progress and stops when asked. Idempotent: it changes nothing."""
    if not _is_number(seconds) or not 0 <= seconds <= MAX_SLOW_SECONDS:
        raise PermanentError(f"seconds: must be from 0 to {MAX_SLOW_SECONDS:g}, not {seconds!r}")
    for step in range(_STEPS):
        context.progress(100 * step / _STEPS, f"step {step + 1} of {_STEPS}")
        context.sleep(seconds / _STEPS)
    context.progress(100, "done")
    return {"slept_seconds": seconds}


class Flaked(Exception):
    """The failure that `demo.flaky` was asked for."""


@task(name="demo.flaky", max_attempts=6, backoff=QUICK)
def flaky(failure_rate: float, context: JobContext, seed: str | None = None) -> dict[str, Any]:
    """Fails in about `failure_rate` (0 to 1) of its attempts.

    Idempotent: it changes nothing. Whether attempt n fails hangs on `seed` and n alone, and on
    the job's id without a seed, so a run can be repeated.
    """
    if not _is_number(failure_rate) or not 0 <= failure_rate <= 1:
        raise PermanentError(f"failure_rate: must be from 0 to 1, not {failure_rate!r}")
    if flakes(str(context.job_id) if seed is None else seed, context.attempt, failure_rate):
        raise Flaked(f"attempt {context.attempt} of {context.max_attempts} failed, as asked for")
    return {"attempt": context.attempt}


def flakes(seed: str, attempt: int, failure_rate: float) -> bool:
    """Whether `demo.flaky` fails in this attempt."""
    digest = hashlib.sha256(f"{seed}:{attempt}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64 < failure_rate


@task(name="demo.send_email", queue="mail", backoff=QUICK, timeout=60)
def send_email(to: str, subject: str, body: str, context: JobContext) -> dict[str, Any]:
    """Send an e-mail through Django's mail framework.

    Idempotent: the Message-ID is made from the job's id, so a copy that is sent again is
    recognised, and in the demo's outbox it takes the place of the first.
    """
    try:
        validate_email(to)
    except ValidationError:
        raise PermanentError(f"to: {to!r:.200} is not an e-mail address") from None
    if "\n" in subject or "\r" in subject:
        raise PermanentError("subject: must be one line")
    message_id = f"<job-{context.job_id}@demo.qforge>"
    email = EmailMessage(
        subject=subject,
        body=body,
        from_email="QForge demo <demo@demo.qforge>",
        to=[to],
        headers={"Message-ID": message_id},
    )
    email.send()
    return {"message_id": message_id, "file": outbox_name(message_id)}


@task(name="demo.post_webhook", queue="webhooks", max_attempts=5, backoff=QUICK, timeout=60)
def post_webhook(url: str, data: dict[str, Any], context: JobContext) -> dict[str, Any]:
    """Post `data` as JSON to a host that DEMO_WEBHOOK_HOSTS names.

    Idempotent: every attempt carries the same Idempotency-Key, made from the job's id, and the
    receiver stores one delivery for each key.
    """
    key = f"job-{context.job_id}"
    answer = webhooks.post(url, {"job": context.job_id, "data": data}, key=key)
    return {"status": answer.status, "answer": answer.text[:1000]}


@task(
    name="demo.resize_image",
    backoff=QUICK,
    timeout=120,
    permanent=(FileNotFoundError, IsADirectoryError),
)
def resize_image(source: str, width: int, height: int) -> dict[str, Any]:
    """Fit an uploaded image into `width` by `height` pixels.

    Idempotent: the result is named after the source and the size, and replaced whole.
    """
    picture = images.shrink(files.media_path(source).read_bytes(), width, height)
    stem = PurePosixPath(source).stem
    name = f"resized/{stem}-{width}x{height}{images.SUFFIXES[picture.format]}"
    files.write(name, picture.data)
    return {
        "file": name,
        "width": picture.width,
        "height": picture.height,
        "bytes": len(picture.data),
    }


@task(name="demo.write_report", queue="reports", backoff=QUICK, timeout=120)
def write_report(context: JobContext) -> dict[str, Any]:
    """Write the number of jobs per task and status as CSV.

    Idempotent: the file is named after the job and replaced whole; it tells of the last run.
    """
    data, rows = reports.jobs_by_task()
    name = f"reports/jobs-{context.job_id}.csv"
    files.write(name, data)
    return {"file": name, "rows": rows, "bytes": len(data)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
