"""What holds of money, HITs and assignments whatever happened before."""

from django.db.models import Count, Sum

from annotation.marketplace.models import HIT, Assignment, Book, Entry, Qualification


def books_add_up() -> bool:
    """All books together are zero, and each balance is the sum of its entries."""
    incoming = dict(Entry.objects.values_list("target").annotate(Sum("cents")))
    outgoing = dict(Entry.objects.values_list("source").annotate(Sum("cents")))
    books = list(Book.objects.all())
    assert sum(book.balance_cents for book in books) == 0
    for book in books:
        assert book.balance_cents == incoming.get(book.pk, 0) - outgoing.get(book.pk, 0)
        assert book.kind == Book.OUTSIDE or book.balance_cents >= 0
    return True


def holds_are_the_hits() -> None:
    """Each requester's hold is what their HITs hold."""
    held = dict(HIT.objects.values_list("requester").annotate(Sum("held_cents")))
    for book in Book.objects.filter(kind=Book.HOLD):
        assert book.balance_cents == held.get(book.owner_id, 0)


def counters_are_the_assignments() -> None:
    """A HIT's counters say where its assignments are, and none is lost; freed ids are nobody's."""
    for hit in HIT.objects.all():
        counts = dict(hit.assignments.values_list("status").annotate(Count("pk")))
        assert hit.accepted == counts.get("Accepted", 0)
        assert hit.submitted == counts.get("Submitted", 0)
        assert hit.decided == counts.get("Approved", 0) + counts.get("Rejected", 0)
        assert hit.available + hit.accepted + hit.submitted + hit.decided == hit.max_assignments
        live = set(hit.assignments.filter(status__in=Assignment.LIVE).values_list("assignment_id", flat=True))
        assert not live & set(hit.freed_ids)
        assert len(set(hit.freed_ids)) == len(hit.freed_ids)


def each_approved_assignment_is_paid_once() -> None:
    """One reward for each approval and none for anything else."""
    paid = dict(Entry.objects.filter(kind="reward").values_list("assignment").annotate(Count("pk")))
    approved = Assignment.objects.filter(status="Approved").values_list("pk", flat=True)
    assert paid == dict.fromkeys(approved, 1)


def check_invariants() -> None:
    """All of them."""
    books_add_up()
    holds_are_the_hits()
    counters_are_the_assignments()
    each_approved_assignment_is_paid_once()
    scores = Qualification.objects.values("worker", "qualification_type").annotate(number=Count("pk"))
    assert all(row["number"] == 1 for row in scores)
