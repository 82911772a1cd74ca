"""A small client: JSON in, JSON out, and every error a problem."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client


class Answer:
    def __init__(self, response: Any) -> None:
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        self.json = json.loads(response.content) if response.content else None
        if self.status >= 400:
            assert response.headers["Content-Type"] == "application/problem+json", response.content
            assert self.json["status"] == self.status
            assert self.json["type"].endswith(self.json["code"])
            assert self.json["title"]
            assert self.json["detail"]

    def __getitem__(self, name: str) -> Any:
        return self.json[name]

    @property
    def fields(self) -> dict[str, str]:
        """What is wrong: field to code."""
        return {error["field"]: error["code"] for error in self.json["errors"]}


class Api:
    def __init__(self, client: Client | None = None, **headers: str) -> None:
        self.client = client or Client()
        self.headers = headers

    def get(self, path: str, params: Any = None, **extra: Any) -> Answer:
        return Answer(self.client.get(path, params, **self.headers, **extra))

    def post(self, path: str, document: Any = None, **extra: Any) -> Answer:
        body = "" if document is None else json.dumps(document)
        return self.raw(path, body, **extra)

    def raw(
        self, path: str, body: str | bytes, content_type: str = "application/json", **extra: Any
    ) -> Answer:
        return Answer(
            self.client.post(path, body, content_type=content_type, **self.headers, **extra)
        )

    def enqueue(self, task: str = "tests.echo", **fields: Any) -> Answer:
        return self.post("/api/jobs/", {"task": task, **fields})
