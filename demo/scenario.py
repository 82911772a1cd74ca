"""What `manage.py demo` enqueues: a spread of jobs as a shop might have them."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, ImageDraw

from demo.tasks import flakes

SMALLEST: Final = 15
LARGEST: Final = 1000
FORBIDDEN: Final = "http://169.254.169.254/latest/meta-data/"
"""Where a cloud keeps its machines' secrets: what an allow list of webhooks is for."""
_FAILURE_RATE: Final = 0.5
_PEOPLE: Final = ("ada", "grace", "edsger", "barbara", "donald", "margaret", "tony", "frances")
# The kinds that fill up to the number asked for, in these proportions.
_FILL: Final = (
    "e-mail",
    "webhook",
    "priority",
    "e-mail",
    "delayed",
    "flaky",
    "webhook",
    "priority",
)
_SIZES: Final = ((1024, 1024), (320, 320), (64, 64))


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One job to enqueue, and what must become of it."""

    kind: str
    """The line of the summary it belongs to."""
    document: dict[str, Any]
    """What is posted to the API."""
    status: str = "succeeded"
    least_attempts: int = 1
    cancel: bool = False
    """Ask for it to be stopped once it runs."""


def orders(count: int, *, run: str, image: str, receiver: str) -> list[Order]:
    """`count` orders. `run` makes their keys unique, `image` is the name of an uploaded file and
    `receiver` the URL that webhooks go to."""
    rng = random.Random(run)  # noqa: S311 - a spread, not a secret
    fixed = list(_fixed(image))
    fill = itertools.islice(itertools.cycle(_FILL), max(count - len(fixed), 0))
    made = fixed + [_make(kind, n, rng, run, receiver) for n, kind in enumerate(fill, 1)]
    for n, order in enumerate(made):
        # A request whose answer was lost is sent again and must not make a second job.
        order.document["idempotency_key"] = f"demo:{run}:{n}"
    return made


def _fixed(image: str) -> Iterator[Order]:
    for width, height in _SIZES:
        payload = {"source": image, "width": width, "height": height}
        yield Order(kind="image", document={"task": "demo.resize_image", "payload": payload})
    # Late, so that it has something to tell.
    report = {"task": "demo.write_report", "payload": {}, "delay_seconds": 3}
    yield Order(kind="report", document=report)
    yield Order(kind="slow", document={"task": "demo.slow", "payload": {"seconds": 3}})
    # Ahead of the others, so that it runs, and can be stopped, at once.
    stopped = {"task": "demo.slow", "payload": {"seconds": 600}, "priority": 50}
    yield Order(kind="stopped", document=stopped, status="cancelled", cancel=True)
    payload = {"url": FORBIDDEN, "data": {}}
    refused = {"task": "demo.post_webhook", "payload": payload}
    yield Order(kind="dead letter", document=refused, status="failed")


def _make(kind: str, n: int, rng: random.Random, run: str, receiver: str) -> Order:
    person = rng.choice(_PEOPLE)
    document: dict[str, Any]
    if kind == "e-mail":
        document = {
            "task": "demo.send_email",
            "payload": {
                "to": f"{person}@example.com",
                "subject": f"Your order {1000 + n}",
                "body": f"Hello {person.title()},\n\nyour order is on its way.\n",
            },
        }
    elif kind == "webhook":
        data = {"event": "order.shipped", "order": 1000 + n, "customer": person}
        document = {"task": "demo.post_webhook", "payload": {"url": receiver, "data": data}}
    elif kind == "priority":
        payload = {"a": n, "b": rng.randint(1, 100)}
        document = {
            "task": "demo.add",
            "payload": payload,
            "priority": rng.choice((-20, -10, 10, 20)),
        }
    elif kind == "delayed":
        document = {
            "task": "demo.echo",
            "payload": {"reminder": person},
            "delay_seconds": round(rng.uniform(1, 4), 1),
        }
    else:
        seed = _flaky_seed(f"{run}:{n}")
        document = {
            "task": "demo.flaky",
            "payload": {"failure_rate": _FAILURE_RATE, "seed": seed},
        }
        return Order(kind=kind, document=document, least_attempts=2)
    return Order(kind=kind, document=document)


def _flaky_seed(prefix: str) -> str:
    """A seed with which the first attempt fails, and one of the next two does not."""
    seeds = (f"{prefix}:{n}" for n in itertools.count())
    return next(seed for seed in seeds if _recovers(seed))


def _recovers(seed: str) -> bool:
    first, second, third = (flakes(seed, attempt, _FAILURE_RATE) for attempt in (1, 2, 3))
    return first and not (second and third)


def picture() -> bytes:
    """A photo of sorts, as PNG: something that can be seen to have been made smaller."""
    image = Image.linear_gradient("L").resize((1600, 1200)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for step in range(12):
        box = (100 + 110 * step, 200, 180 + 110 * step, 280 + 60 * step)
        draw.rectangle(box, fill=(20 * step, 120, 255 - 20 * step))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
