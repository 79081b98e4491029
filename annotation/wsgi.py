"""The door for the web server (gunicorn); `CROWDWRIGHT_SITE` says which site it serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
application = get_wsgi_application()
