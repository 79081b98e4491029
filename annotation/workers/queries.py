from annotation.projects.models import Project
from annotation.workers.models import Worker, WorkerIdentity
from annotation.workers.pseudonyms import pseudonym as keyed_name


def release_pseudonym(project: Project, pseudonym: str) -> str:
    """What a worker is called in a project's releases: keyed by the project, so that two releases can't be joined."""
    return keyed_name(project.release_key, pseudonym)


def provider_id_of(worker: Worker) -> str:
    """The marketplace's id of a worker, for calls to that marketplace and nothing else."""
    return WorkerIdentity.objects.values_list("provider_id", flat=True).get(worker=worker)


def worker_called(project: Project, release_name: str) -> Worker | None:
    """The worker behind a pseudonym of a project's releases: it can't be undone, so all are asked."""
    names = Worker.objects.filter(environment=project.environment).values_list("pk", "pseudonym")
    found = next((pk for pk, name in names.iterator() if release_pseudonym(project, name) == release_name), None)
    return Worker.objects.filter(pk=found).first() if found else None
