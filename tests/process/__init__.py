"""Real worker processes on a real PostgreSQL, and everything that can go wrong between them."""

from __future__ import annotations

import pytest

# Each starts interpreters, on a machine that may be busy with other tests.
MARKS = [pytest.mark.process, pytest.mark.postgres, pytest.mark.timeout(150)]
