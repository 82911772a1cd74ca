"""Settings of the demo project, from environment variables and `.env`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
import environ

from config import environment

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")

DEBUG = env.bool("DEBUG", default=False)
# Empty outside DEBUG: Django then refuses to use it, so a forgotten key cannot go live.
SECRET_KEY = env.str("SECRET_KEY", default="") or ("for development only" if DEBUG else "")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "jobs",
    "demo",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": environment.database(env, BASE_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

LOGIN_URL = "admin:login"

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"

# What the demo's jobs make: sent e-mails, received webhooks, images and reports.
MEDIA_URL = "media/"
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(BASE_DIR / "media")))
if django.VERSION >= (6, 1):
    MAILERS = {"default": {"BACKEND": "demo.outbox.OutboxBackend"}}
else:
    EMAIL_BACKEND = "demo.outbox.OutboxBackend"
DEMO_UPLOAD_MAX_BYTES = env.int("DEMO_UPLOAD_MAX_BYTES", default=10 * 1024 * 1024)
# Where the workers reach this project, if not where `manage.py demo` does, and the only hosts
# (host:port) that webhooks may go to.
DEMO_URL = env.str("DEMO_URL", default="")
_reached = DEMO_URL or f"http://127.0.0.1:{env.str('PORT', default='8000')}"
DEMO_WEBHOOK_HOSTS = env.list("DEMO_WEBHOOK_HOSTS", default=[urlsplit(_reached).netloc])

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS", default=False)
SECURE_SSL_REDIRECT = env.bool("HTTPS", default=False)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=0)
# Whether other sites of the domain follow is their owner's decision.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
)

REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
SPECTACULAR_SETTINGS = {
    "TITLE": "QForge",
    "DESCRIPTION": "Background jobs and workflows for Django, on PostgreSQL.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

TASKS = {"default": {"BACKEND": "jobs.tasks_backend.QForgeBackend"}}
QFORGE: dict[str, Any] = {"OPEN_ON_LOOPBACK": DEBUG, "IN_PROJECT_SCHEMA": True}
QFORGE |= environment.prefixed(os.environ, "QFORGE_")
