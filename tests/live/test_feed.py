"""The feed: nothing is missed, nothing comes twice, in whatever order transactions commit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from jobs import lifecycle
from jobs.errors import InvalidInput
from jobs.live import feed
from jobs.live.cursor import SerialCursor, Snapshot, SnapshotCursor
from jobs.models import JobEvent
from jobs.states import EventKind
from jobs.store import transitions
from tests.support import factories
from tests.support.database import lent, scalar, second_connection
from tests.support.factories import USING


def write(job: Any) -> int:
    """One event, in the transaction that is open; its id."""
    transitions.note(USING, [job], EventKind.CANCEL_REQUESTED, {})
    last = JobEvent.objects.order_by("-id").values_list("id", flat=True).first()
    assert last is not None
    return last


@contextmanager
def writer() -> Iterator[Any]:
    """A second connection in a transaction of its own."""
    with second_connection() as other:
        other.set_autocommit(False)
        yield other
        other.rollback()


def write_on(other: Any, job: Any) -> int:
    with lent(other):
        return write(job)


def drain(cursor: str, *, limit: int = 1) -> tuple[list[int], str]:
    """Every id after the cursor, read `limit` at a time, and the cursor then."""
    ids: list[int] = []
    while True:
        page = feed.read(USING, cursor, limit=limit)
        ids += [event.id for event in page.events]
        cursor = page.cursor
        assert len(page.events) <= limit
        if not page.more:
            return ids, cursor


def here() -> str:
    return feed.read(USING, None, limit=1).cursor


@pytest.mark.usefixtures("committed_db")
def test_without_a_cursor_the_feed_begins_now() -> None:
    write(factories.job())
    page = feed.read(USING, None, limit=10)
    assert (page.events, page.more) == ([], False)
    assert feed.read(USING, page.cursor, limit=10).events == []


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("start", ["0", "start"])
def test_from_the_start_every_event_comes_once(start: str) -> None:
    job = factories.job()
    written = [write(job) for _ in range(5)]
    ids, cursor = drain(start, limit=2)
    assert ids == written
    assert drain(cursor)[0] == []


@pytest.mark.usefixtures("committed_db")
def test_an_event_says_what_happened_to_which_job() -> None:
    cursor = here()
    row = factories.job("running", task="tests.said", queue="mail")
    factories.finish(factories.succeeded(row))
    (event,) = feed.read(USING, cursor, limit=10).events
    assert (event.job, event.task, event.queue) == (row.pk, "tests.said", "mail")
    assert (event.kind, event.from_status, event.to_status) == (
        "succeeded",
        "running",
        "succeeded",
    )
    assert (event.attempt, event.worker) == (1, factories.WORKER)
    assert event.data == {"run_seconds": 0.1, "wait_seconds": 0.0}
    assert event.at.tzinfo is not None


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_an_event_that_commits_late_is_not_skipped() -> None:
    job, cursor = factories.job(), here()
    with writer() as other:
        early = write_on(other, job)
        late = write(job)
        assert early < late
        seen, cursor = drain(cursor)
        assert seen == [late]
        other.commit()
        seen, cursor = drain(cursor)
        assert seen == [early]
        assert drain(cursor)[0] == []


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_page_of_one_event_is_exact_while_others_commit_in_between() -> None:
    job, cursor = factories.job(), here()
    with ExitStack() as stack:
        others = [stack.enter_context(writer()) for _ in range(3)]
        held = [write_on(other, job) for other in others]
        written = [write(job) for _ in range(4)]
        seen = []
        # Each round reads one event of the window, and one more transaction commits behind it.
        for other in others:
            page = feed.read(USING, cursor, limit=1)
            assert page.more
            seen += [event.id for event in page.events]
            cursor = page.cursor
            other.commit()
            written.append(write(job))
        rest, cursor = drain(cursor)
        more, cursor = drain(cursor)
    assert sorted(seen + rest + more) == sorted(held + written)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_writer_that_stays_open_holds_nothing_back_and_costs_nothing() -> None:
    job, cursor = factories.job(), here()
    with writer() as other:
        late = write_on(other, job)
        for _ in range(3):
            written = [write(job) for _ in range(4)]
            seen, cursor = drain(cursor, limit=3)
            assert seen == written
        # An old transaction is one look-up in the index, not a walk over all that came since.
        for _ in range(300):
            write(job)
        _, cursor = drain(cursor, limit=1000)
        with connection.cursor() as statement:
            statement.execute("ANALYZE job_events")
        # With statistics the planner itself looks at both ends of the index.
        assert scan_rows(cursor) <= 4
        other.commit()
        assert drain(cursor)[0] == [late]


def scan_rows(cursor: str) -> int:
    """How many rows of job_events one read looks at."""
    read = """
        SELECT COALESCE(sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0)
        FROM pg_stat_xact_user_tables WHERE relname = 'job_events'
    """
    with transaction.atomic():
        # A table as small as this one is rightly read as a whole once it has been analysed.
        with connection.cursor() as statement:
            statement.execute("SET LOCAL enable_seqscan = off")
        before = scalar(read)
        feed.read(USING, cursor, limit=100)
        return int(scalar(read) - before)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_an_event_of_a_transaction_that_is_rolled_back_never_comes() -> None:
    job, cursor = factories.job(), here()
    with writer() as other:
        write_on(other, job)
        _, cursor = drain(cursor)
        other.rollback()
    kept = write(job)
    assert drain(cursor)[0] == [kept]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_events_of_a_savepoint_and_of_the_transaction_around_it_come_once() -> None:
    job, cursor = factories.job(), here()
    with transaction.atomic():
        outer = write(job)
        with transaction.atomic():
            inner = write(job)
        # The reader's own transaction is no different from any other: it has not committed.
        assert drain(cursor)[0] == []
    assert drain(cursor)[0] == [outer, inner]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_order_of_commits_each_event_comes_exactly_once(seed: int) -> None:
    chance = random.Random(seed)
    job, cursor = factories.job(), here()
    seen: list[int] = []
    kept: list[int] = []
    with ExitStack() as stack:
        others = [stack.enter_context(writer()) for _ in range(4)]
        pending: dict[int, list[int]] = {n: [] for n in range(len(others))}
        for _ in range(80):
            n = chance.randrange(len(others))
            action = chance.choice(["write", "write", "commit", "rollback", "read", "read", "own"])
            if action == "write":
                pending[n].append(write_on(others[n], job))
            elif action == "own":
                kept.append(write(job))
            elif action == "read":
                page = feed.read(USING, cursor, limit=chance.randint(1, 4))
                seen += [event.id for event in page.events]
                cursor = page.cursor
            else:
                getattr(others[n], action)()
                kept += pending[n] if action == "commit" else []
                pending[n] = []
        for other in others:
            other.rollback()
    for _ in range(2):
        rest, cursor = drain(cursor, limit=2)
        seen += rest
    assert len(seen) == len(set(seen))
    assert sorted(seen) == sorted(kept)


@pytest.mark.usefixtures("committed_db")
def test_the_events_of_one_job_are_in_their_order_within_an_answer() -> None:
    cursor = here()
    answer = lifecycle.enqueue(USING, [factories.new_job()])[0]
    lifecycle.cancel(USING, answer.id, actor="me", reason="")
    lifecycle.retry(USING, answer.id, actor="me", reason="")
    page = feed.read(USING, cursor, limit=10)
    assert [event.kind for event in page.events] == ["enqueued", "cancelled", "retried"]


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_cursor_from_the_future_is_refused_instead_of_reading_nothing() -> None:
    future = SnapshotCursor(Snapshot.parse("9000000000000000:9000000000000000:")).encode()
    with pytest.raises(InvalidInput, match="another database"):
        feed.read(USING, future, limit=10)


@pytest.mark.usefixtures("committed_db")
def test_a_cursor_of_another_kind_of_database_is_refused() -> None:
    serial, snapshot = SerialCursor(1), SnapshotCursor(Snapshot.parse("9:9:"))
    other = serial if connection.vendor == "postgresql" else snapshot
    with pytest.raises(InvalidInput, match="another database"):
        feed.read(USING, other.encode(), limit=10)
