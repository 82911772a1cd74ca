"""What the library refuses, as errors of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import OperationalError

from jobs.api.problems import Problem
from jobs.errors import InvalidInput, JobsError


@contextmanager
def as_command_errors() -> Iterator[None]:
    """Exit code 2 for what cannot be asked for, 1 for what is not so or not there."""
    try:
        yield
    except Problem as problem:
        said = "; ".join(str(error).removeprefix("filter.") for error in problem.errors)
        raise CommandError(said or problem.detail, returncode=2) from None
    except InvalidInput as error:
        raise CommandError(str(error), returncode=2) from None
    except JobsError as error:
        raise CommandError(str(error), returncode=1) from None
    except OperationalError as error:
        raise CommandError(f"database: {str(error).strip()}", returncode=1) from None
