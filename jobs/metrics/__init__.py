"""Numbers for Prometheus: of the queue from the database, of a worker from its own memory.

What the database knows is read when it is asked for, so that no number can drift; what only a
process knows is counted there, from the events of `jobs.instrument`. The library is imported when
one of the two is wanted: `pip install 'django-qforge[metrics]'`.
"""

from __future__ import annotations

from collections.abc import Callable

from jobs.conf import BOUNDS, conf
from jobs.errors import InvalidInput
from jobs.extras import extra

_HIGHEST = int(BOUNDS["METRICS_PORT"][1])


def exposition(using: str) -> tuple[bytes, str]:
    """The numbers of the queue in a database, and the media type they are written in.

    Raises:
        MissingExtra: prometheus-client is not installed.
    """
    with extra("metrics", "prometheus_client"):
        from jobs.metrics import queue
    return queue.exposition(using)


def serve(port: int) -> Callable[[], None]:
    """Count what happens in this process and serve it over HTTP; returns the way out.

    Raises:
        InvalidInput: nothing can listen there.
        MissingExtra: prometheus-client is not installed.
    """
    with extra("metrics", "prometheus_client"):
        from jobs.metrics import worker
    address = conf.METRICS_ADDRESS
    try:
        return worker.serve(address, port)
    except OSError as error:
        raise InvalidInput("metrics_port", f"{address}:{port}: {error}") from None


def check_ports(first: int, processes: int) -> None:
    """Whether `processes` processes can serve, the first at `first`; 0 serves none.

    Raises:
        InvalidInput: there are not as many ports.
        MissingExtra: prometheus-client is not installed.
    """
    if not first:
        return
    if first + processes - 1 > _HIGHEST:
        raise InvalidInput("metrics_port", f"no {processes} ports from {first} to {_HIGHEST}")
    with extra("metrics", "prometheus_client"):
        import prometheus_client  # noqa: F401
