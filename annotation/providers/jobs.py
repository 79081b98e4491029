from celery import shared_task

from annotation.providers.dispatching import dispatch


@shared_task
def sweep() -> int:
    """Carries out what is due. Messages only shorten the wait: this finds whatever they missed."""
    return dispatch()
