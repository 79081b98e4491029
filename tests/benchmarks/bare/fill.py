"""Makes the table and its rows: `python -m tests.benchmarks.bare.fill ROWS`."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.bare.settings")
django.setup()

from django.db import connection  # noqa: E402

from tests.benchmarks.bare.models import Note  # noqa: E402

with connection.schema_editor() as editor:
    if Note._meta.db_table in connection.introspection.table_names():
        editor.delete_model(Note)
    editor.create_model(Note)
Note.objects.bulk_create((Note(text="x" * 1_500) for _ in range(int(sys.argv[1]))), batch_size=1_000)
