"""Requests made up from the OpenAPI document: whatever is sent, the answer is one it describes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks

from jobs import client
from jobs.api import openapi
from jobs.states import JobStatus
from tests.support import factories

pytestmark = pytest.mark.long
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]


class OnThisMachine(WSGIHandler):
    """The project as a client on loopback reaches it."""

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return super().__call__(environ | {"REMOTE_ADDR": "127.0.0.1"}, start_response)


@pytest.fixture
def contract(committed_db: None, settings: Any, register: Callable[..., client.Task]) -> Any:
    """The document, narrowed to a task and jobs that exist, so that requests go deeper."""
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.QFORGE = {"OPEN_ON_LOOPBACK": True}
    document = openapi.document("")
    # Refused outside ASGI by a 501 that is documented, which is a server's error all the same.
    del document["paths"]["/api/live/stream/"]
    ids = [factories.job(status).pk for status in JobStatus]
    schemas = document["components"]["schemas"]
    schemas["QForgeJobRequest"]["properties"]["task"]["enum"] = ["tests.echo", "tests.nowhere"]
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", []):
                if parameter["name"] == "job_id":
                    parameter["schema"]["enum"] = [*ids, 0]
    loaded = schemathesis.openapi.from_dict(document)
    loaded.app = OnThisMachine()
    loaded.config.update(base_url="http://localhost")
    return loaded


@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def ask(operation: Any, data: Any) -> None:
    mode = data.draw(st.sampled_from(list(GenerationMode)))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    case.call_and_validate(checks=CHECKS)


@pytest.mark.timeout(600)
def test_no_request_gets_an_answer_that_is_not_documented(contract: Any) -> None:
    operations = [found.ok() for found in contract.get_all_operations()]
    assert len(operations) >= 17
    for operation in operations:
        ask(operation)
