from django.db.models import Q, QuerySet

from annotation.prepared import Prepared
from annotation.projects.models import Project, Stage
from annotation.workers.models import Grant, Qualification, Worker, WorkerIdentity
from annotation.workers.pseudonyms import pseudonym as keyed_name


def known_worker(environment: str, provider_id: str) -> Worker | None:
    """The worker whom a marketplace calls so, if we have met."""
    return _worker.first(environment, provider_id)


@Prepared
def _worker(environment: str, provider_id: str) -> QuerySet[Worker]:
    return Worker.objects.filter(identity__environment=environment, identity__provider_id=provider_id)


def release_pseudonym(project: Project, pseudonym: str) -> str:
    """What a worker is called in a project's releases: keyed by the project, so that two releases can't be joined."""
    return keyed_name(project.release_key, pseudonym)


def provider_id_by_number(worker_id: int) -> str | None:
    """The marketplace's id of a worker, by our own number of them, for calls to that marketplace and nothing else.

    None where the vault has no entry (any more).
    """
    return WorkerIdentity.objects.filter(worker=worker_id).values_list("provider_id", flat=True).first()


def requirements_of(stage: Stage) -> list[dict]:
    """QualificationRequirements of the qualifications that a stage asks for and that are at the marketplace."""
    return [
        {
            "QualificationTypeId": one.type_id,
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [one.least_value],
        }
        for one in stage.qualifications.filter(state=Qualification.State.READY).order_by("id")
    ]


def not_ready(stage: Stage) -> list[Qualification]:
    """What a stage asks for that no worker could show yet: its HITs would be open to everybody."""
    return list(stage.qualifications.exclude(state=Qualification.State.READY).order_by("id"))


def qualifications_of(project: Project) -> QuerySet[Qualification]:
    """A project's own qualifications, and those of others that its stages ask for."""
    return Qualification.objects.filter(Q(project=project) | Q(stages__project=project)).distinct().order_by("id")


def standing_grants(qualification: Qualification) -> QuerySet[Grant]:
    """Who holds a qualification now, well enough for its stages."""
    return qualification.grants.filter(revoked_at=None, value__gte=qualification.least_value)


def worker_called(project: Project, release_name: str) -> Worker | None:
    """The worker behind a pseudonym of a project's releases: it can't be undone, so all are asked."""
    names = Worker.objects.filter(environment=project.environment).values_list("pk", "pseudonym")
    found = next((pk for pk, name in names.iterator() if release_pseudonym(project, name) == release_name), None)
    return Worker.objects.filter(pk=found).first() if found else None
