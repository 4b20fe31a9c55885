"""Behind a TLS proxy, with a database server and a key of one's own. Refuses to start on the embedded defaults."""

from django.core.exceptions import ImproperlyConfigured

from settings import env
from settings.development import *

for _name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"):
    if not env.text(_name):
        raise ImproperlyConfigured(f"{_name} must be set in production.")

DEBUG = False
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.number("SECURE_HSTS_SECONDS", 3600)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
