"""The Celery app. Jobs are woken by messages and found again by sweeps: see `CELERY_BEAT_SCHEDULE`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

app = Celery("crowdwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(related_name="jobs")
