"""The OpenAPI document, a page to try it out, and an answer for routes that do not exist."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from rest_framework.request import Request

from jobs.api.base import JobsView, PublicView
from jobs.api.pages import PageView
from jobs.api.problems import Problem

_MISSING: Final = "The API's docs are not installed here: pip install 'django-qforge[openapi]'."
_SIDECAR: Final = "drf_spectacular_sidecar"
_ROUTE: Final = "api/schema"


class SchemaView(JobsView):
    """The OpenAPI document: YAML, or JSON for who accepts that or asks for `format=json`."""

    schema = None
    requires = None

    def get(self, request: Request) -> HttpResponse:
        try:
            from drf_spectacular.renderers import OpenApiYamlRenderer

            from jobs.api import openapi
        except ModuleNotFoundError:
            raise Problem(404, "not-found", _MISSING) from None
        match = request.resolver_match
        mounted_at = match.route.rstrip("/").removesuffix(_ROUTE) if match else ""
        document = openapi.document(mounted_at)
        wanted = request.query_params.get("format") or request.headers.get("Accept", "")
        if "json" in wanted:
            return JsonResponse(document)
        renderer: Any = OpenApiYamlRenderer()
        text = renderer.render(document, renderer_context={})
        return HttpResponse(text, content_type="application/vnd.oai.openapi")


class DocsView(PageView):
    """Swagger UI, from the files that drf-spectacular-sidecar brings."""

    requires = None

    sources = {
        "script-src": "{static}",
        # Swagger UI styles its elements one by one and has its icons in its style sheet.
        "style-src": "{static} 'unsafe-inline'",
        "img-src": "{static} data:",
        "connect-src": "'self'",
    }

    def get(self, request: Request) -> HttpResponse:
        if not apps.is_installed(_SIDECAR):
            raise Problem(404, "not-found", f"{_MISSING} {_SIDECAR} must be in INSTALLED_APPS.")
        session = bool(request.user and request.user.is_authenticated)
        context: dict[str, Any] = {
            "schema_url": reverse("qforge:schema") + "?format=json",
            "csrf_token_value": get_token(request._request) if session else "",
            "csrf_header": settings.CSRF_HEADER_NAME.removeprefix("HTTP_").replace("_", "-"),
        }
        return self.page("docs.html", context)


class NowhereView(PublicView):
    """Routes below the API that do not exist: a problem, not the project's page."""

    schema = None

    def get(self, request: Request) -> HttpResponse:
        raise Problem(404, "not-found", f"There is nothing at {request.path}.")

    post = put = patch = delete = get
