"""The demo project with the jobs app below a prefix."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "prefixed_urls"
