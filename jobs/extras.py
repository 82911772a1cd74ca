"""Packages that only some projects need: imported when they are used, and missed clearly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jobs.errors import MissingExtra


@contextmanager
def extra(name: str, package: str) -> Iterator[None]:
    """Around an import: that `package` is not there is told as the extra that brings it.

    Raises:
        MissingExtra: the package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise MissingExtra(name) from None
