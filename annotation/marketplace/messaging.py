"""What people tell each other, and the blocks between them."""

from django.db import transaction

from annotation.marketplace import clock
from annotation.marketplace.errors import OutOfRange, Refusal
from annotation.marketplace.limits import at_most
from annotation.marketplace.models import HIT, Account, Appeal, Assignment, Message, Report, WorkerBlock

MOST_BLOCKS = 100_000
REPORT_REASONS = {
    "broken": "It does not work",
    "personal": "It asks for personal data",
    "rules": "It breaks the rules of this marketplace",
    "pay": "The pay or the time stated is not true",
    "other": "Something else",
}


def worker_of(worker_id: str) -> Account:
    """The worker with this id on this marketplace."""
    worker = Account.objects.filter(customer_id=worker_id, is_worker=True).first()
    if worker is None:
        raise OutOfRange(f'The value "{worker_id}" is invalid for WorkerId: this marketplace has no such worker.')
    return worker


def has_worked_for(worker: Account, requester: Account) -> bool:
    """Whether the requester approved or rejected work of this worker before."""
    decided = Assignment.objects.filter(worker=worker, hit__requester=requester)
    return decided.filter(status__in=("Approved", "Rejected")).exists()


def notify_workers(*, requester: Account, subject: str, body: str, worker_ids: list[str]) -> list[tuple[str, str]]:
    """Write to workers who worked for this requester; returns (worker id, reason) for those not reached."""
    if not 1 <= len(worker_ids) <= 100:
        raise OutOfRange(f"WorkerIds takes 1 to 100 worker ids, got {len(worker_ids)}.")
    at_most("Subject", subject, 200)
    at_most("MessageText", body, 4096)
    failures = []
    with transaction.atomic():
        known = Account.objects.filter(customer_id__in=worker_ids, is_worker=True)
        workers = {worker.customer_id: worker for worker in known}
        for worker_id in worker_ids:
            worker = workers.get(worker_id)
            if worker is None:
                failures.append((worker_id, "This marketplace has no such worker."))
            elif not has_worked_for(worker, requester):
                failures.append((worker_id, "You have not approved or rejected work of this worker before."))
            else:
                send(sender=requester, recipient=worker, subject=subject, body=body)
    return failures


def send(*, sender: Account, recipient: Account, subject: str, body: str, hit: HIT | None = None) -> Message:
    """Put one message in the recipient's box."""
    return Message.objects.create(sender=sender, recipient=recipient, subject=subject, body=body, hit=hit)


def read(*, message: Message) -> None:
    """Note that the recipient saw it."""
    if message.read_at is None:
        message.read_at = clock.now()
        message.save(update_fields=["read_at"])


@transaction.atomic
def appeal(*, worker: Account, assignment: Assignment, text: str) -> Appeal:
    """Object to a rejection; the requester finds it beside the work."""
    if not text.strip():
        raise Refusal("Say in a sentence or two why the rejection is wrong.")
    # One after the other, with a requester who takes the rejection back just now, and with a double click.
    HIT.objects.select_for_update().only("pk").get(pk=assignment.hit_id)
    if not Assignment.objects.filter(pk=assignment.pk, worker=worker, status="Rejected").exists():
        raise Refusal("Only the worker whose work was rejected can appeal.", "InvalidAssignmentState")
    appeal, new = Appeal.objects.get_or_create(assignment=assignment, defaults={"text": text[:4000]})
    if not new:
        raise Refusal("You appealed this rejection already; the requester has your text.")
    return appeal


@transaction.atomic
def answer_appeal(*, appeal: Appeal, answer: str, upheld: bool) -> Appeal:
    """Close an appeal; one that is not upheld with words. Paying is `reviewing.approve(override=True)`."""
    if appeal.answered_at:
        raise Refusal("This appeal is answered already.")
    if not upheld and not answer.strip():
        raise Refusal("Say why the rejection stands; the worker reads it. Nothing was changed.")
    appeal.answer, appeal.answered_at, appeal.upheld = answer[:4000], clock.now(), upheld
    appeal.save()
    return appeal


@transaction.atomic
def report(*, worker: Account, hit: HIT, reason: str, text: str) -> Report:
    """Tell the operator that something is wrong with a HIT."""
    if reason not in REPORT_REASONS:
        raise Refusal(f"Choose one of the reasons: {', '.join(REPORT_REASONS.values())}.")
    return Report.objects.create(worker=worker, hit=hit, reason=reason, text=text[:4000])


@transaction.atomic
def block(*, requester: Account, worker: Account, reason: str) -> WorkerBlock:
    """Refuse this worker for all of the requester's HITs."""
    if not reason.strip():
        raise OutOfRange("The value of Reason is invalid: a block needs a reason.")
    others = WorkerBlock.objects.filter(requester=requester).exclude(worker=worker)
    if others.count() >= MOST_BLOCKS:
        raise OutOfRange(f"A requester can block at most {MOST_BLOCKS} workers.")
    made, new = WorkerBlock.objects.get_or_create(requester=requester, worker=worker, defaults={"reason": reason})
    if not new:
        made.reason = reason
        made.save(update_fields=["reason"])
    return made


def unblock(*, requester: Account, worker: Account) -> None:
    """Take back a block; not having made one is no error."""
    WorkerBlock.objects.filter(requester=requester, worker=worker).delete()
