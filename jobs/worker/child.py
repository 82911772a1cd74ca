"""Entry point of a supervised pool: a fresh interpreter, where Django is not set up yet."""

from __future__ import annotations

from typing import NoReturn

import django

from jobs.worker.options import PoolOptions


def main(options: PoolOptions) -> NoReturn:
    """Set Django up, then run the pool; never returns."""
    django.setup()
    # Models can be imported only from here on.
    from jobs.worker.process import run_child

    run_child(options)
