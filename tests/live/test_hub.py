"""The hub: one reader for all, which waits for nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import AsyncClient

from jobs import lifecycle
from jobs.api.views import stream
from jobs.live import hub as hubs
from jobs.live.changes import MAX_IDS, Changes, Place
from jobs.live.counters import Marks
from jobs.live.hub import Hub
from jobs.live.subscriber import Subscriber, Update
from tests.support import factories
from tests.support.factories import USING
from tests.support.waiting import wait_until

PLACE = Place("x", Marks("a" * 8, "b" * 8, "c" * 8))


def enqueue_one() -> int:
    try:
        return lifecycle.enqueue(USING, [factories.new_job()])[0].id
    finally:
        connections.close_all()


def update(*jobs: int) -> Update:
    counters: Any = None
    return Update(Changes(jobs=frozenset(jobs)), PLACE, counters)


def test_what_a_slow_stream_has_not_sent_is_added_up() -> None:
    async def main() -> list[Changes]:
        subscriber = Subscriber()
        found = []
        for wave in ([1, 2], [2, 3]), (range(MAX_IDS), [MAX_IDS]):
            for jobs in wave:
                subscriber.offer(update(*jobs))
            await asyncio.sleep(0)
            got = await subscriber.next(5)
            assert got is not None
            found.append(got.changes)
        assert await subscriber.next(0.01) is None
        return found

    few, many = asyncio.run(main())
    assert few == Changes(jobs=frozenset([1, 2, 3]))
    assert many == Changes(overflow=True)


def test_a_closed_stream_hears_of_it_at_once() -> None:
    async def main() -> bool:
        subscriber = Subscriber()
        subscriber.close()
        assert not await subscriber.ready()
        assert await subscriber.next(60) is None
        return subscriber.closed

    assert asyncio.run(main())


def test_a_stream_whose_loop_has_ended_does_no_harm() -> None:
    async def main() -> Subscriber:
        return Subscriber()

    asyncio.run(main()).offer(update(1))


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_many_listeners_cost_one_look_and_all_hear_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "LOOK_SECONDS", 0.1)
    source = Hub(USING)

    async def main() -> tuple[list[frozenset[int]], int, int]:
        subscribers = [Subscriber() for _ in range(20)]
        for subscriber in subscribers:
            source.subscribe(subscriber)
        assert all([await subscriber.ready() for subscriber in subscribers])
        job = await asyncio.to_thread(enqueue_one)
        before = source.looks

        async def listen(subscriber: Subscriber) -> frozenset[int]:
            while True:
                got = await subscriber.next(10)
                assert got is not None
                if got.changes.jobs:
                    return got.changes.jobs

        heard = await asyncio.gather(*map(listen, subscribers))
        looks = source.looks - before
        for subscriber in subscribers:
            source.unsubscribe(subscriber)
        return heard, job, looks

    heard, job, looks = asyncio.run(main())
    assert heard == [frozenset([job])] * 20
    assert looks < 20
    wait_until(lambda: not source.reading)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
def test_when_the_database_fails_the_streams_end_and_the_next_one_starts_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Hub(USING)

    async def listen() -> bool:
        subscriber = Subscriber()
        source.subscribe(subscriber)
        try:
            return await subscriber.ready()
        finally:
            source.unsubscribe(subscriber)

    with monkeypatch.context() as patch:
        patch.setattr("jobs.live.counters.stats.BOUND", "no number")
        assert not asyncio.run(listen())
    wait_until(lambda: not source.reading)
    assert asyncio.run(listen())
    wait_until(lambda: not source.reading)


@pytest.mark.postgres
@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}, None])
def test_a_reader_who_may_no_longer_read_is_cut_off(
    change: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "RECHECK_SECONDS", 0.2)
    users: Any = get_user_model().objects
    user = users.create_user("ada", is_staff=True, is_superuser=True)
    client = AsyncClient()
    client.force_login(user)

    async def main() -> list[bytes]:
        response: Any = await client.get("/api/live/stream/")
        assert response.status_code == 200
        chunks = []
        async with asyncio.timeout(30):
            async for chunk in response.streaming_content:
                chunks.append(chunk)
                if len(chunks) == 2:
                    rows = users.filter(pk=user.pk)
                    await (rows.aupdate(**change) if change else Session.objects.all().adelete())
                    await sync_to_async(connections.close_all)()
        return chunks

    try:
        chunks = asyncio.run(main())
        assert chunks[0].startswith(b"retry")
        assert chunks[1].startswith(b"id: ")
    finally:
        users.filter(pk=user.pk).delete()
    wait_until(lambda: not hubs.hub(USING).reading)


@pytest.mark.usefixtures("committed_db")
def test_who_may_not_read_gets_no_stream() -> None:
    async def main() -> int:
        response = await AsyncClient().get("/api/live/stream/")
        await sync_to_async(connections.close_all)()
        return int(response.status_code)

    assert asyncio.run(main()) == 403
