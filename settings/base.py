"""Django itself: apps, middleware, database, files, languages. Libraries are in `third_party`, knobs in `pipeline`."""

from __future__ import annotations

import os
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from settings import env

ROOT = env.ROOT
GLEANER_HOME = env.folder("GLEANER_HOME", ROOT / "var")
"""Everything the embedded set-up writes: database, files, keys, sockets, logs."""

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret("SECRET_KEY", GLEANER_HOME / "secret-key")
ALLOWED_HOSTS = list(env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]"))
CSRF_TRUSTED_ORIGINS = list(env.words("CSRF_TRUSTED_ORIGINS"))

INSTALLED_APPS = [
    "review",
    "ingest",
    "resumes",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_celery_results",
]

MIDDLEWARE = [
    "resumes.correlation.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "resumes.api.handlers.Common",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "resumes.csp.ContentSecurityPolicy",
]

ROOT_URLCONF = "settings.urls"
WSGI_APPLICATION = "settings.wsgi.application"
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
    }
]


def database(url: str) -> dict[str, Any]:
    """Connection settings of a database URL.

    SQLite: WAL lets readers go on while one writes; IMMEDIATE takes the write lock at BEGIN, so that a transaction
    never fails half-way with "database is locked"; NORMAL is durable across a crash of the process.
    """
    if url.partition(":")[0] not in environ.Env.DB_SCHEMES:
        raise ImproperlyConfigured("DATABASE_URL must look like postgres://user:password@host:5432/name.")
    config: dict[str, Any] = environ.Env.db_url_config(url)
    if "sqlite" in config["ENGINE"]:
        config["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000; "
            "PRAGMA temp_store=MEMORY;",
        }
    else:
        config["CONN_MAX_AGE"] = 60
        config["CONN_HEALTH_CHECKS"] = True
    return config


DATABASES = {"default": database(env.text("DATABASE_URL") or f"sqlite:///{GLEANER_HOME / 'gleaner.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

GLEANER_WORDS = env.text("GLEANER_WORDS") or str(GLEANER_HOME / "words")
# The word lists are read in the sandbox, which knows no settings and gets this variable from the environment.
os.environ["GLEANER_WORDS"] = GLEANER_WORDS

GLEANER_STORAGE = env.text("GLEANER_STORAGE") or str(GLEANER_HOME / "files")
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": GLEANER_STORAGE}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
if GLEANER_STORAGE.startswith("s3://"):
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": GLEANER_STORAGE.removeprefix("s3://"), "file_overwrite": False, "default_acl": "private"},
    }

STATIC_URL = "static/"
STATIC_ROOT = GLEANER_HOME / "static"
# A multipart upload of a whole batch is one request; each file is bounded by GLEANER_MAX_FILE_MB and streamed to disk.
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 << 20  # names and digests of the most files that may be declared
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese")), ("ru", _("Russian"))]
LOCALE_PATHS = [ROOT / "resumes" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.text("TIME_ZONE", "UTC")

vars().update(environ.Env.email_url_config(env.text("EMAIL_URL") or "smtp://localhost:25"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL") or "gleaner@localhost"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "admin:login"
SESSION_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
