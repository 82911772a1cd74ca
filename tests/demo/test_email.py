from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core import mail

from demo import tasks
from jobs import JobContext, PermanentError


def test_an_email_becomes_a_file_that_mail_programs_can_read(
    outbox: Path, media: Path, context: Callable[..., JobContext]
) -> None:
    result = tasks.send_email("ada@example.com", "Grüße", "Hello, Ada.", context(7))
    parsed = email.message_from_bytes(
        (media / result["file"]).read_bytes(), policy=email.policy.default
    )
    assert parsed["To"] == "ada@example.com"
    assert parsed["Subject"] == "Grüße"
    assert parsed["Message-ID"] == result["message_id"]
    assert parsed.get_content().strip() == "Hello, Ada."


def test_a_second_run_of_one_job_leaves_one_email(
    outbox: Path, context: Callable[..., JobContext]
) -> None:
    for _ in range(2):
        tasks.send_email("ada@example.com", "Hello", "Once.", context(7))
    tasks.send_email("ada@example.com", "Hello", "Another job.", context(8))
    assert len(list(outbox.iterdir())) == 2


def test_an_email_goes_through_the_mail_framework(context: Callable[..., JobContext]) -> None:
    tasks.send_email("ada@example.com", "Hello", "Text.", context(9))
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["ada@example.com"], "Hello", "Text.")
    assert sent.message()["Message-ID"] == "<job-9@demo.qforge>"


@pytest.mark.parametrize(
    "address", ["", "ada", "ada@", "a@b.com\nBcc: c@d.com", "a@b.com, c@d.com"]
)
def test_no_attempt_helps_a_wrong_address(address: str, context: Callable[..., JobContext]) -> None:
    with pytest.raises(PermanentError, match="to: "):
        tasks.send_email(address, "Hello", "Text.", context())
    assert mail.outbox == []


def test_a_subject_cannot_bring_headers_along(context: Callable[..., JobContext]) -> None:
    with pytest.raises(PermanentError, match="subject: "):
        tasks.send_email("ada@example.com", "Hello\nBcc: eve@example.com", "", context())
    assert mail.outbox == []
