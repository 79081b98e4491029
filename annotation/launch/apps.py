"""The room as a Django app: registers what `manage.py check --deploy` asks."""

from django.apps import AppConfig


class LaunchConfig(AppConfig):
    name = "annotation.launch"

    def ready(self) -> None:
        from annotation.launch import checks, corpora  # noqa: F401
