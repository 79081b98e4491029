"""No middleware, no sessions, no templates: what Django costs by itself. The database is tuned as ours is."""

import os
from pathlib import Path

from annotation import settings as ours

HOME = Path(os.environ["BENCHMARK_HOME"])
SECRET_KEY = "nothing here is secret"
DEBUG = False
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["tests.benchmarks.bare"]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "tests.benchmarks.bare.urls"
WSGI_APPLICATION = "tests.benchmarks.bare.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
DATABASES = {"default": {**ours.DATABASES["default"]}}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["NAME"] = str(HOME / "bare.sqlite3")
