"""Pages for people, rendered here: strict about where their parts may come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.http import HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from rest_framework.request import Request

from jobs.api import problems
from jobs.api.base import JobsView
from jobs.api.login import login_url

_FORBIDDEN: Final = 403


class PageView(JobsView):
    """A page. Who may not see it is asked to log in; what goes wrong is shown as a page, too."""

    schema = None
    sources: Mapping[str, str] = {}
    """Directives of the content security policy beside the strict ones; `{static}` is where
    static files come from."""

    def get_exception_handler(self) -> Callable[..., Any]:
        return self._show_problem

    def page(self, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
        """The answer that shows a template of this app."""
        request = self.request._request
        text = render_to_string(f"qforge/{template}", dict(context), request)
        response = HttpResponse(text, status=status)
        response["Content-Security-Policy"] = _policy(self.sources)
        response["Cache-Control"] = "no-store"
        return response

    def _show_problem(self, error: Exception, context: Mapping[str, Any]) -> HttpResponse:
        answer = problems.handle(error, context)
        request: Request = context["request"]
        if answer.status_code == _FORBIDDEN and not getattr(
            request.user, "is_authenticated", False
        ):
            asked = urlencode({"next": request.get_full_path()})
            return HttpResponseRedirect(f"{login_url()}?{asked}")
        response = self.page("problem.html", {"problem": answer.data}, status=answer.status_code)
        if "Retry-After" in answer.headers:
            response["Retry-After"] = answer.headers["Retry-After"]
        return response


def _policy(sources: Mapping[str, str]) -> str:
    host = urlsplit(static("qforge/app.css"))
    origin = f"{host.scheme or 'https'}://{host.netloc}" if host.netloc else "'self'"
    strict = {
        "default-src": "'none'",
        "style-src": "{static}",
        "img-src": "{static}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(
        f"{name} {value.format(static=origin)}" for name, value in {**strict, **sources}.items()
    )
