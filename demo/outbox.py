"""An e-mail backend that files each message under its Message-ID in MEDIA_ROOT/outbox.

A message that is sent again has the same Message-ID and takes the place of the first copy, as
mail programs do with duplicates that reach them through a real mail server.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from demo import files

_UNSAFE = re.compile(r"[^A-Za-z0-9.@-]+")


class OutboxBackend(BaseEmailBackend):
    """Writes `outbox/<message id>.eml`, in the format that mail programs open."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for email in email_messages:
            message = email.message()
            files.write(outbox_name(message["Message-ID"]), message.as_bytes())
        return len(email_messages)


def outbox_name(message_id: str) -> str:
    """The file of a message, relative to MEDIA_ROOT."""
    return f"outbox/{_UNSAFE.sub('-', message_id.strip('<>'))[:200]}.eml"
