"""manage.py with a wrong clock: `python -m tests.support.faults.skewed run_job_workers`.

CLOCK_SKEW_SECONDS shifts this process's clock; the database keeps the true time.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
import time

from django.core.management import execute_from_command_line
from django.utils import timezone

VARIABLE = "CLOCK_SKEW_SECONDS"


def shift_clock(seconds: float) -> None:
    """From now on this process takes the time to be `seconds` later than it is."""
    true_time = time.time

    def wrong_time() -> float:
        return true_time() + seconds

    time.time = wrong_time
    timezone.now = lambda: dt.datetime.fromtimestamp(wrong_time(), dt.UTC)


if __name__ == "__main__":
    shift_clock(float(os.environ[VARIABLE]))
    execute_from_command_line(["manage.py", *sys.argv[1:]])
