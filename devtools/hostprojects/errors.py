"""What the host projects raise."""

from __future__ import annotations


class Unmet(Exception):
    """Something a user relies on does not hold; the text says what."""
