"""The room as a Django app: it keeps the vault, and tells the ledger how a worker's number is looked up there."""

from django.apps import AppConfig


class WorkersConfig(AppConfig):
    name = "annotation.workers"

    def ready(self) -> None:
        from annotation.providers.people import keep_vault
        from annotation.workers.queries import provider_id_by_number

        keep_vault(provider_id_by_number)
