"""The OpenAPI document: complete, valid, committed, and the same as what is answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.urls import get_resolver
from jsonschema import Draft4Validator

from jobs.api.inputs import SPEC_FIELDS
from jobs.api.serializers.jobs import JobRequestSerializer
from jobs.states import EventKind, JobStatus
from tests.api.client import Api
from tests.support import factories

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "docs" / "openapi.yaml"


@pytest.fixture(scope="module")
def document() -> Any:
    return yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))


def test_the_committed_document_is_valid_current_and_without_warnings(tmp_path: Path) -> None:
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(made))
    again = "write it anew: manage.py spectacular --file docs/openapi.yaml"
    assert made.read_text(encoding="utf-8") == COMMITTED.read_text(encoding="utf-8"), again


def test_every_operation_and_component_has_a_name_of_ours(document: Any) -> None:
    ids = [op["operationId"] for path in document["paths"].values() for op in path.values()]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"qforge_[a-z_]+[a-z]", name) for name in ids)
    names = document["components"]["schemas"]
    assert [name for name in names if not name.removeprefix("Patched").startswith("QForge")] == []


def test_every_operation_says_what_it_does_and_what_can_go_wrong(document: Any) -> None:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert operation["summary"], path
            assert operation["tags"], path
            problems = [code for code in operation["responses"] if code >= "400"]
            if path != "/healthz/":
                assert "503" in problems, path
            for code in problems:
                content = operation["responses"][code]["content"]
                assert list(content) == ["application/problem+json"]


def test_statuses_and_events_are_enums_with_a_name(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["QForgeJobStatus"]["enum"] == [status.value for status in JobStatus]
    assert schemas["QForgeEventKind"]["enum"] == [kind.value for kind in EventKind]
    inline = [name for name, schema in schemas.items() if "Enum" in name]
    assert inline == []


def test_every_route_is_documented(document: Any) -> None:
    named = [p for p in get_resolver("jobs.urls").url_patterns if p.name and "schema" not in p.name]
    routes = {
        "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in named
        if pattern.name not in ("console", "docs", "metrics", "nowhere")
    }
    assert set(document["paths"]) == routes


def test_the_request_has_the_fields_that_are_taken() -> None:
    assert set(JobRequestSerializer().fields) == set(SPEC_FIELDS)


def conforms(document: Any, component: str, answer: Any) -> list[str]:
    """What of an answer the document does not allow."""
    schema = {"$ref": f"#/components/schemas/{component}", "components": document["components"]}
    found = Draft4Validator(nullable_as_type(schema)).iter_errors(answer)
    return [error.message for error in found]


def nullable_as_type(schema: Any) -> Any:
    """OpenAPI 3.0's `nullable` in the words of JSON Schema, and no other properties allowed."""
    if isinstance(schema, list):
        return [nullable_as_type(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: nullable_as_type(value) for key, value in schema.items() if key != "nullable"}
    if "properties" in plain and isinstance(plain.get("type"), str):
        plain["additionalProperties"] = False
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


@pytest.mark.parametrize(
    ("path", "component"),
    [
        ("jobs/", "QForgeJobPage"),
        ("jobs/{}/", "QForgeJob"),
        ("jobs/{}/events/", "QForgeEventPage"),
        ("tasks/", "QForgeTaskList"),
        ("queues/", "QForgeQueueList"),
        ("workers/", "QForgeWorkerList"),
        ("stats/", "QForgeStats"),
        ("events/?after=start", "QForgeFeed"),
        ("jobs/?status=x&page_size=y", "QForgeProblem"),
        ("jobs/0/", "QForgeProblem"),
    ],
)
def test_answers_are_as_documented(api: Api, document: Any, path: str, component: str) -> None:
    for status in JobStatus:
        factories.job(status)
    job_id = api.enqueue()["id"]
    answer = api.get(f"/api/{path.format(job_id)}")
    assert conforms(document, component, answer.json) == []


def test_answers_to_writes_are_as_documented(api: Api, document: Any) -> None:
    job = api.enqueue()
    assert conforms(document, "QForgeJob", job.json) == []
    conflict = api.post(f"/api/jobs/{job['id']}/retry/")
    assert conforms(document, "QForgeProblem", conflict.json) == []
    many = api.post("/api/jobs/bulk/", {"jobs": [{"task": "tests.echo"}]})
    assert conforms(document, "QForgeBulkAnswer", many.json) == []
    queue = api.post("/api/queues/mail/pause/")
    assert conforms(document, "QForgeQueueControl", queue.json) == []
    assert conforms(document, "QForgeJob", conflict.json) != []


def test_the_document_is_served_as_yaml_and_as_json(api: Api, document: Any) -> None:
    as_yaml = api.client.get("/api/schema/")
    assert as_yaml["Content-Type"] == "application/vnd.oai.openapi"
    served = yaml.safe_load(as_yaml.content)
    for ask in ({"data": {"format": "json"}}, {"HTTP_ACCEPT": "application/json"}):
        as_json = api.client.get("/api/schema/", **ask)
        assert as_json["Content-Type"] == "application/json"
        assert json.loads(as_json.content) == served
    assert served["paths"] == document["paths"]
    assert served["components"] == document["components"]
