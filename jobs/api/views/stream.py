"""What has changed, for pages that hold a stream open (server-sent events)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, Final, cast

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError, InterfaceError, connections
from django.http import Http404, StreamingHttpResponse
from django.utils.functional import SimpleLazyObject
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from jobs.api import live, scope
from jobs.api.base import JobsView, bounded
from jobs.api.operations import operation, query
from jobs.api.problems import Problem
from jobs.api.serializers.live import LiveSerializer
from jobs.conf import conf
from jobs.live.changes import Place, look
from jobs.live.counters import counters
from jobs.live.hub import hub
from jobs.live.subscriber import Subscriber, Update
from jobs.live.topics import EVERYTHING, Topics
from jobs.permissions import Permission
from jobs.store.connections import alias

PING_SECONDS: Final = 15.0
"""A stream that says nothing for longer is cut by proxies."""
LIFE_SECONDS: Final = 600.0
"""After so long the page connects anew, with everything that is checked then."""
RECHECK_SECONDS: Final = 30.0
"""Whether the reader may still read is looked up so often."""
_HEADERS: Final = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


class LiveStreamView(JobsView):
    requires = Permission.VIEW_JOB

    @operation(
        "live_stream",
        tag="live",
        parameters=live.PARAMETERS,
        responses={200: LiveSerializer},
        problems=[422, 501],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Hear what has changed since a cursor as it happens, as server-sent events.

        Each event's `data` is a document like that of `/api/live/`, its `id` the cursor. It ends
        after ten minutes with an event `bye`: connect again. Only where the server speaks ASGI;
        others would give a whole worker to each stream.
        """
        live.require_enabled()
        given = query(request, live.PARAMETERS)
        http: Any = request._request
        if conf.LIVE_TRANSPORT == "poll" or not isinstance(http, ASGIRequest):
            detail = "This server cannot hold a stream open; poll `/api/live/` instead."
            raise Problem(501, "stream-unsupported", detail)
        place = given.get("cursor")
        if last := request.headers.get("Last-Event-ID"):
            place = Place.decode(last)
        stream = _Stream(self, http, place, given.get("topics", EVERYTHING))
        return StreamingHttpResponse(
            stream.events(), content_type="text/event-stream", headers=_HEADERS
        )


class _Stream:
    """One open stream. It holds no database connection while it waits."""

    def __init__(
        self, view: LiveStreamView, http: Any, place: Place | None, topics: Topics
    ) -> None:
        self._view = view
        self._request = view.request
        self._http = http
        self._place = place
        self._topics = topics
        self._using = alias()

    async def events(self) -> AsyncIterator[bytes]:
        subscriber, source = Subscriber(), hub(self._using)
        # Before the first look, so that nothing falls between that and the hub's next one.
        source.subscribe(subscriber)
        try:
            yield b"retry: 3000\n\n"
            if not await subscriber.ready():
                return
            yield self._event(await self._in_thread(self._first))
            async for chunk in self._follow(subscriber):
                yield chunk
        finally:
            source.unsubscribe(subscriber)

    async def _follow(self, subscriber: Subscriber) -> AsyncIterator[bytes]:
        started = checked = time.monotonic()
        while not subscriber.closed:
            update = await subscriber.next(min(PING_SECONDS, RECHECK_SECONDS))
            now = time.monotonic()
            if now - started > LIFE_SECONDS:
                yield b"event: bye\ndata: {}\n\n"
                return
            if now - checked > RECHECK_SECONDS:
                checked = now
                if not await self._in_thread(self._may_still_read):
                    return
            if update is not None:
                yield self._event(await self._visible(update))
            elif not subscriber.closed:
                yield b": ping\n\n"

    def _event(self, update: Update) -> bytes:
        document = live.message(update.changes, update.place, update.counters, self._topics)
        text = json.dumps(document, separators=(",", ":"))
        return f"id: {document['cursor']}\ndata: {text}\n\n".encode()

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        """The request's own thread, whose connections are closed as soon as the work is done."""

        def run() -> Any:
            try:
                with scope.of(lambda: self._request.user):
                    return work()
            finally:
                connections.close_all()

        return await asyncio.shield(sync_to_async(run, thread_sensitive=True)())

    def _first(self) -> Update:
        """What has changed since the page's own place, which may lie far behind the hub's."""
        with bounded() as using:
            counted = counters.get(using)
            changes, place = look(using, self._place, counted.marks)
            return Update(live.visible(using, changes), place, counted)

    async def _visible(self, update: Update) -> Update:
        """What the hub tells everybody, without the ids of what this reader may not see."""
        if conf.FILTER_QUERYSET is None:
            return update

        def narrowed() -> Update:
            with bounded() as using:
                return replace(update, changes=live.visible(using, update.changes))

        return cast(Update, await self._in_thread(narrowed))

    def _may_still_read(self) -> bool:
        """Look at the session, the user and the permissions anew."""
        http = self._http
        if hasattr(http, "_cached_user"):
            http.session = type(http.session)(http.session.session_key)
            del http._cached_user
            http.user = SimpleLazyObject(lambda: get_user(http))
        request = self._view.initialize_request(http)
        try:
            self._view.perform_authentication(request)
            self._view.check_permissions(request)
        except (APIException, PermissionDenied, Http404, DatabaseError, InterfaceError):
            return False
        self._request = request
        return True
