"""The demo's own endpoints: an upload that jobs work on, and a receiver of webhooks."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.module_loading import import_string
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from demo import files, images, webhooks
from jobs import PermanentError
from jobs.conf import conf
from jobs.permissions import Permission

_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class ImageParser(BaseParser):
    """The body as it is, one byte over the limit at most.

    No form: a foreign web page can make a browser send a form to this machine, but not an
    `image/…` body, for which the browser asks first.
    """

    media_type = "image/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, bytes]:
        return {"image": stream.read(settings.DEMO_UPLOAD_MAX_BYTES + 1)}


@extend_schema(exclude=True)
class UploadView(APIView):
    """Takes one image as the body of a POST, from those who may use the jobs API."""

    parser_classes = [ImageParser]
    requires = Permission.ENQUEUE_JOB

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [import_string(path)() for path in conf.AUTHENTICATION_CLASSES]

    def get_permissions(self) -> list[BasePermission]:
        return [import_string(path)() for path in conf.PERMISSION_CLASSES]

    def post(self, request: Request) -> Response:
        """Store the image under the hash of its content, whatever type the client says it has."""
        body: Any = request.data
        data, limit = body.get("image", b""), settings.DEMO_UPLOAD_MAX_BYTES
        if len(data) > limit:
            return Response({"detail": f"at most {limit:,} bytes are allowed"}, status=413)
        try:
            picture = images.inspect(data)
        except PermanentError as error:
            return Response({"detail": str(error)}, status=415)
        digest = hashlib.sha256(data).hexdigest()[:32]
        name = f"uploads/{digest}{images.SUFFIXES[picture.format]}"
        files.write_once(name, data)
        size = {"width": picture.width, "height": picture.height, "bytes": len(data)}
        return Response({"file": name} | size, status=201)


@csrf_exempt  # The signature proves the sender; a browser has none to send.
@require_POST
def receive_webhook(request: HttpRequest) -> JsonResponse:
    """Store a signed delivery, once for each Idempotency-Key, as webhooks/<key>.json."""
    key = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        return _answer(400, "Idempotency-Key: 1 to 100 letters, digits, '.', '_' or '-' are needed")
    body = request.body
    if not webhooks.is_signed(key, body, request.headers.get("X-Demo-Signature", "")):
        return _answer(403, "X-Demo-Signature: does not match")
    try:
        delivery: Any = json.loads(body)
    except ValueError:
        return _answer(400, "the body is not JSON")
    new = files.write_once(f"webhooks/{key}.json", json.dumps(delivery, indent=2).encode())
    return _answer(201 if new else 200, "stored" if new else "seen before")


@require_safe
def media_file(request: HttpRequest, name: str) -> HttpResponse:
    """A file that a job has made. Routed in DEBUG only; whole, since all of them are small."""
    try:
        data = files.media_path(name).read_bytes()
    except (OSError, PermanentError) as error:
        raise Http404(name) from error
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return HttpResponse(data, content_type=content_type)


def _answer(status: int, detail: str) -> JsonResponse:
    return JsonResponse({"detail": detail}, status=status)
