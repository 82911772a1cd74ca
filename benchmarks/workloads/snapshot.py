"""A long drain while another session holds a snapshot: no dead row can be cleaned away meanwhile.

The claim must step over what others have claimed, and every job leaves row versions behind. What
counts is the last tenth against the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings

from benchmarks import database, workers
from benchmarks.scale import Scale

_TENTHS = """
SELECT tenth, (count(*) - 1) / extract(epoch FROM max(finished_at) - min(finished_at))
FROM (SELECT finished_at, ntile(10) OVER (ORDER BY finished_at) AS tenth FROM jobs) ended
GROUP BY tenth ORDER BY tenth
"""


def measure(scale: Scale) -> dict[str, float]:
    database.empty()
    database.fill_noops(scale.held)
    with _held_snapshot():
        workers.drain("--threads", "10", "--processes", "2")
    workers.jobs_per_second()
    rates = [float(rate) for _, rate in database.execute(_TENTHS)]
    return {
        f"{scale.held:,} jobs beside a held snapshot, first tenth, jobs/s": rates[0],
        f"{scale.held:,} jobs beside a held snapshot, last tenth, jobs/s": rates[-1],
        f"{scale.held:,} jobs beside a held snapshot, last tenth over first": rates[-1] / rates[0],
    }


@contextmanager
def _held_snapshot() -> Iterator[None]:
    """Another session's transaction, as of a dump, that sees what there is now until the end."""
    address = settings.DATABASES["default"]
    with psycopg.connect(
        dbname=address["NAME"],
        user=address["USER"],
        password=address["PASSWORD"],
        host=address["HOST"],
        port=address["PORT"] or None,
    ) as other:
        other.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        other.execute("SELECT count(*) FROM jobs")
        yield
