"""Publishes HITs of a type without the network: `python -m tests.benchmarks.marketplace_filling TYPE NUMBER`."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
django.setup()

from django.db import transaction  # noqa: E402

from annotation.marketplace import publishing  # noqa: E402
from annotation.marketplace.models import HITType  # noqa: E402
from tests.benchmarks.marketplace_question import QUESTION  # noqa: E402

kind = HITType.objects.get(type_id=sys.argv[1])
with transaction.atomic():
    for _ in range(int(sys.argv[2])):
        publishing.create_hit(
            requester=kind.requester, hit_type=kind, question=QUESTION, lifetime=86_400, max_assignments=9
        )
