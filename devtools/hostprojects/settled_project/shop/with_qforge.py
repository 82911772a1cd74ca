"""The project's settings with QForge added, and nothing else changed."""

from shop.settings import *

INSTALLED_APPS = [*INSTALLED_APPS, "jobs"]
ROOT_URLCONF = "shop.urls_with_qforge"
