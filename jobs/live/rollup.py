"""Summing up the events of the feed, each once, however late its transaction commits."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.db import transaction

from jobs.errors import InvalidInput
from jobs.live import feed
from jobs.store import rollups

_logger = logging.getLogger("jobs.live")


@dataclass(frozen=True, slots=True)
class Advanced:
    events: int
    more: bool
    """Further events are waiting already."""


def advance(using: str, *, limit: int) -> Advanced | None:
    """Sum up the next `limit` events; None while another process does.

    The place and the sums are written in one transaction. A place this database does not know, as
    after a restore, is given up for the present one: what lies between is not summed up.
    """
    with transaction.atomic(using=using):
        cursor = rollups.lock_position(using)
        if cursor is None:
            return None
        try:
            page = feed.read_ids(using, cursor or "start", limit=limit)
        except InvalidInput as error:
            _logger.warning("the charts have a gap: %s", error)
            rollups.move_position(using, feed.here(using), complete=True)
            return Advanced(0, more=False)
        if page.ids:
            rollups.add(using, page.ids)
        rollups.move_position(using, page.cursor, complete=not page.more)
    return Advanced(len(page.ids), page.more)
