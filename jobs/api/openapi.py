"""The OpenAPI document, from the operations. The only module that imports drf-spectacular."""

from __future__ import annotations

from typing import Any, Final

from django.urls import include, path
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from jobs import __version__
from jobs.api.base import documented
from jobs.api.operations import Operation
from jobs.api.permissions import needed
from jobs.api.problems import MEDIA_TYPE
from jobs.api.serializers.problems import ProblemSerializer

PREFIX: Final = "QForge"
"""Begins the name of every component, so that none meets one of the host project."""

_WHEN: Final = {
    400: "The body is not JSON.",
    403: "Not logged in, or not allowed.",
    404: "There is no such job.",
    409: "The job's status does not allow this.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    422: "A value is wrong; `errors` says which and why.",
    501: "The server cannot hold a stream open.",
    503: "The database cannot be reached, or took too long.",
}

_TITLES: Final = {
    "TITLE": "QForge",
    "DESCRIPTION": "Background jobs and workflows for Django, on PostgreSQL.",
    "VERSION": __version__,
}


class QForgeSchema(AutoSchema):
    """Writes an operation as `jobs.api.operations` has it; nothing is guessed."""

    @property
    def _operation(self) -> Operation:
        method = getattr(self.view, self.method.lower())
        described: Operation = method.qforge_operation
        return described

    def get_operation_id(self) -> str:
        return self._operation.id

    def get_tags(self) -> list[str]:
        return [self._operation.tag]

    def get_summary(self) -> str:
        return self._doc()[0]

    def get_description(self) -> str:  # type: ignore[override]
        return self._doc()[1]

    def _doc(self) -> tuple[str, str]:
        method = getattr(self.view, self.method.lower())
        first, _, rest = get_doc(method).partition("\n")
        return first.rstrip("."), rest.strip()

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return f"{PREFIX}{super().get_serializer_name(serializer, direction)}"

    def get_extensions(self) -> dict[str, Any]:
        permission = needed(self.view, self.method)
        return {} if permission is None else {"x-required-permission": permission.full_name}

    def get_override_parameters(self) -> list[Any]:
        return [
            OpenApiParameter(
                item.name,
                dict(item.schema) if not item.many else {"type": "array", "items": item.schema},
                OpenApiParameter.HEADER if item.header else OpenApiParameter.QUERY,
                description=item.description,
            )
            for item in self._operation.parameters
        ]

    def get_request_serializer(self) -> Any:
        return self._operation.request

    def get_response_serializers(self) -> Any:
        answers: dict[Any, Any] = dict(self._operation.responses)
        for status in sorted(self._operation.problems):
            described = OpenApiResponse(ProblemSerializer, description=_WHEN[status])
            answers[str(status), MEDIA_TYPE] = described
        return answers


class EnumFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """One component for each enum, whatever the host project's settings make of choices."""

    target_class = "jobs.api.fields.EnumField"

    def get_name(self) -> str:
        return f"{PREFIX}{self.target.enum_name}"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.target.choices)}


def document(mounted_at: str) -> dict[str, Any]:
    """The OpenAPI document of this app alone, whose routes stand below `mounted_at`."""
    generator: Any = SchemaGenerator(  # type: ignore[no-untyped-call]
        patterns=[path(mounted_at, include("jobs.urls"))]
    )
    with patched_settings(_TITLES), documented():
        found: dict[str, Any] = generator.get_schema(request=None, public=True)
    return found
