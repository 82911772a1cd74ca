"""Live updates for users who may see some jobs only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import AsyncClient, Client

from jobs.live import hub as hubs
from tests.api.client import Api
from tests.api.test_scope import own
from tests.support.factories import USING
from tests.support.waiting import wait_until
from tests.workflows import helpers

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("committed_db")]


@pytest.fixture
def ada(settings: Any, committed_db: None, register: Callable[..., Any]) -> Iterator[Any]:
    """A user who may see the jobs of one queue."""
    settings.QFORGE = {"FILTER_QUERYSET": f"{own.__module__}.{own.__name__}"}
    register(lambda: None, name=helpers.TASK)
    user = get_user_model().objects.create_user("ada", is_staff=True, is_superuser=True)
    yield user
    user.delete()


def happen() -> dict[str, list[int]]:
    """A job and a workflow each of two queues; the ids of those that Ada may see."""
    helpers.submit({"a": []}, a={"queue": "bob"})
    workflow = helpers.submit({"a": []}, a={"queue": "ada"})
    return {"jobs": list(workflow.jobs.values()), "workflows": [workflow.id]}


def ids(document: Any) -> dict[str, list[int]]:
    return {name: document["changed"][name] for name in ("jobs", "workflows")}


def test_a_poll_names_ones_own_jobs_and_workflows(ada: Any) -> None:
    api = Api(Client())
    api.client.force_login(ada)
    cursor = api.get("/api/live/")["cursor"]
    mine = happen()
    assert ids(api.get("/api/live/", {"cursor": cursor})) == mine


async def told(user: Any, query: dict[str, str]) -> AsyncIterator[dict[str, list[int]]]:
    """What each message of a stream names."""
    reader = AsyncClient()
    await reader.aforce_login(user)
    response: Any = await reader.get("/api/live/stream/", query)
    async with asyncio.timeout(30):
        async for chunk in response.streaming_content:
            if b"data: " in chunk:
                yield ids(json.loads(chunk.decode().partition("data: ")[2]))
                await sync_to_async(connections.close_all)()


def test_a_stream_names_ones_own_jobs_and_workflows(ada: Any) -> None:
    async def main() -> None:
        mine: dict[str, list[int]] = {}
        async for found in told(ada, {}):
            if mine and any(found.values()):
                assert found == mine
                return
            mine = mine or await sync_to_async(happen)()
        raise AssertionError("the stream ended")

    asyncio.run(main())
    wait_until(lambda: not hubs.hub(USING).reading)


def test_a_stream_that_goes_on_names_ones_own_jobs_and_workflows(ada: Any) -> None:
    api = Api(Client())
    api.client.force_login(ada)
    cursor = api.get("/api/live/")["cursor"]
    mine = happen()

    async def first() -> dict[str, list[int]]:
        return await anext(told(ada, {"cursor": cursor}))

    assert asyncio.run(first()) == mine
    wait_until(lambda: not hubs.hub(USING).reading)
