"""The test suite: a throw-away home, quick password hashing, no throttles; the broker is what the fixture starts."""

import atexit
import os
import shutil
import tempfile

if "GLEANER_HOME" not in os.environ:
    os.environ["GLEANER_HOME"] = tempfile.mkdtemp(prefix="gleaner-test-")
    atexit.register(shutil.rmtree, os.environ["GLEANER_HOME"], ignore_errors=True)
os.environ.setdefault("SECRET_KEY", "only-for-tests")

from settings.development import *

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
