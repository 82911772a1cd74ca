"""What a page is told: every change, in ids where they fit, and nothing that did not happen."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models.functions import Now

from jobs import lifecycle
from jobs.errors import InvalidInput
from jobs.live import changes, feed
from jobs.live.changes import Changes, Place, look
from jobs.live.counters import Marks, counters
from jobs.live.topics import Topics
from jobs.models import Queue, Schedule, WorkerPool
from jobs.states import EventKind
from jobs.store import queues, transitions
from tests.support import factories
from tests.support.database import lent, second_connection
from tests.support.factories import USING

MARKS = Marks("a" * 8, "b" * 8, "c" * 8)


def note(*rows: Any) -> None:
    transitions.note(USING, rows, EventKind.CANCEL_REQUESTED, {})


def here() -> Place:
    return look(USING, None, MARKS)[1]


@pytest.mark.usefixtures("committed_db")
def test_a_change_names_its_jobs_once_and_then_all_is_told() -> None:
    place, rows = here(), factories.jobs(2)
    note(*rows)
    note(rows[0])
    found, place = look(USING, place, MARKS)
    assert found == Changes(jobs=frozenset(row.pk for row in rows), queues=True)
    assert look(USING, place, MARKS) == (Changes(), place)


@pytest.mark.usefixtures("committed_db")
def test_while_nothing_happens_the_place_stays_the_same_text() -> None:
    place = here()
    factories.job()  # Written without an event: other tables of a project change all the time.
    found, later = look(USING, place, MARKS)
    assert (found, later.encode()) == (Changes(), place.encode())


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_change_that_commits_late_is_told() -> None:
    early, late = factories.jobs(2)
    with second_connection() as other:
        other.set_autocommit(False)
        place = here()
        with lent(other):
            note(late)
        note(early)
        found, place = look(USING, place, MARKS)
        assert found.jobs == {early.pk}
        other.commit()
        assert look(USING, place, MARKS)[0].jobs == {late.pk}


@pytest.mark.usefixtures("committed_db")
def test_failures_are_flagged_when_they_come_and_when_they_go() -> None:
    running = factories.job("running", attempts=3)
    place = here()
    factories.finish(factories.failed(running))
    found, place = look(USING, place, MARKS)
    assert found.failures
    lifecycle.retry(USING, running.pk, actor="me", reason="")
    found, place = look(USING, place, MARKS)
    assert found.failures
    note(running)
    assert not look(USING, place, MARKS)[0].failures


@pytest.mark.usefixtures("committed_db")
def test_too_much_to_list_is_an_overflow_and_leads_to_the_present(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "MAX_EVENTS", 3)
    place = here()
    note(*factories.jobs(4))
    found, place = look(USING, place, MARKS)
    assert (found.overflow, found.jobs) == (True, frozenset())
    assert look(USING, place, MARKS)[0] == Changes()


@pytest.mark.usefixtures("committed_db")
def test_more_jobs_than_fit_are_an_overflow() -> None:
    place = here()
    note(*factories.jobs(changes.MAX_IDS + 1))
    found, _ = look(USING, place, MARKS)
    assert (found.overflow, found.jobs) == (True, frozenset())


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_a_place_of_another_database_is_an_overflow_and_no_error() -> None:
    future = feed.SnapshotCursor(feed.Snapshot.parse("9000000000000000:9000000000000000:"))
    found, place = look(USING, Place(future.encode(), MARKS), MARKS)
    assert found.overflow
    assert look(USING, place, MARKS)[0] == Changes()


@pytest.mark.parametrize("text", ["", ".", "x", "x.0", "." + "0" * 24, "!!.{}".format("0" * 24)])
def test_a_garbled_place_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Place.decode(text)
    assert (caught.value.field, caught.value.code) == ("cursor", "bad-cursor")


@pytest.mark.usefixtures("committed_db")
def test_a_place_comes_back_as_it_was() -> None:
    place = here()
    assert Place.decode(place.encode()) == place


@pytest.mark.usefixtures("committed_db")
def test_tables_without_events_are_flagged_by_their_marks() -> None:
    def marks() -> Marks:
        counters.forget()
        return counters.get(USING).marks

    def told() -> Changes:
        nonlocal place
        found, place = look(USING, place, marks())
        return found

    place = look(USING, None, marks())[1]
    queues.pause(USING, "mail", by="ada", reason="")
    assert told() == Changes(queues=True)
    Queue.objects.update(pause_reason="why")
    assert told() == Changes(queues=True)
    WorkerPool.objects.create(name="p", host="h", pid=1, version="1", threads=1)
    assert told() == Changes(workers=True)
    WorkerPool.objects.update(heartbeat_at=Now())
    assert told() == Changes()
    WorkerPool.objects.update(busy=1)
    assert told() == Changes(workers=True)
    Schedule.objects.create(name="s", task="t", interval_seconds=60)
    assert told() == Changes(schedules=True)
    Schedule.objects.update(last_run_at=Now())
    assert told() == Changes(schedules=True)
    assert told() == Changes()


def test_changes_add_up_and_stay_within_bounds() -> None:
    some = Changes(jobs=frozenset(range(150)), queues=True)
    more = Changes(jobs=frozenset(range(100, 200)), workers=True)
    assert some | more == Changes(jobs=frozenset(range(200)), queues=True, workers=True)
    assert (some | Changes(jobs=frozenset(range(300, 400)))).overflow


def test_topics_leave_out_ids_but_no_flag() -> None:
    every = Changes(frozenset([1]), frozenset([5, 6]), failures=True)
    assert Topics.parse("stats").of(every) == Changes(failures=True)
    chosen = Topics.parse("jobs, workflow:6,workflow:7").of(every)
    assert chosen == Changes(frozenset([1]), frozenset([6]), failures=True)
    assert Topics.parse("workflows").of(every).workflows == {5, 6}


@pytest.mark.parametrize("text", ["", "job", "workflow:", "workflow:x", "stats,,", "jobs," * 60])
def test_unknown_topics_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="topics"):
        Topics.parse(text)
