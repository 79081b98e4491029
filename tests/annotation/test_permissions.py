"""Who may do what in the admin: one row for every admin class there is. A new class without a row fails.

A row says for each kind of person what they may do there: `v`iew, `a`dd, `c`hange, `d`elete. Everything else
is refused, whether by the permission methods or through the pages themselves.
"""

import pytest
from django.contrib import admin
from django.contrib.admin.sites import site
from django.test import RequestFactory
from django.urls import reverse

from annotation.checking.models import CheckResult, LiveCheck
from annotation.events.actions import record
from annotation.events.models import Event
from annotation.hits.models import HIT, Answer, Assignment
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.providers.models import Intent
from annotation.releases.models import Release
from annotation.review.actions import decide, settle
from annotation.review.models import Outcome, Review
from annotation.solving.models import Attempt, Challenge, SolverVersion
from annotation.trials.models import Programme, Trial
from annotation.workers.models import Grant, Qualification, Worker
from annotation.workers.qualifying import grant, make_qualification
from tests.factories import make_answered_item, make_project, make_user

admin.autodiscover()

PEOPLE = ["superuser", "owner", "researcher", "reviewer", "staff", "outsider"]
NOTHING = dict.fromkeys(PEOPLE, "")
RUNNERS_LOOK = NOTHING | {"superuser": "v", "owner": "v", "researcher": "v"}
SUPERUSER = {"superuser"}

# "outsider" is an owner in another project: they may enter the class, but see none of these rows.
MATRIX = {
    "auth.user": NOTHING | {"superuser": "vacd"},
    "axes.accessattempt": NOTHING | {"superuser": "vd"},
    "checking.checkresult": RUNNERS_LOOK,
    "checking.livecheck": RUNNERS_LOOK,
    "events.event": RUNNERS_LOOK,
    "hits.answer": RUNNERS_LOOK,
    "hits.assignment": RUNNERS_LOOK,
    "hits.hit": RUNNERS_LOOK,
    "projects.item": RUNNERS_LOOK,
    "projects.membership": NOTHING | {"superuser": "vacd", "owner": "vacd"},
    "projects.project": RUNNERS_LOOK,
    "projects.stage": RUNNERS_LOOK,
    "providers.intent": RUNNERS_LOOK,
    "releases.release": RUNNERS_LOOK,
    # `c` is to decide, through the review page alone.
    "review.outcome": NOTHING | {"superuser": "vc", "owner": "vc", "researcher": "vc", "reviewer": "vc"},
    "review.review": RUNNERS_LOOK | {"reviewer": "v"},
    "solving.attempt": RUNNERS_LOOK,
    "solving.challenge": RUNNERS_LOOK,
    "solving.solverversion": RUNNERS_LOOK,
    # `c` is to grade, through the grading page alone.
    "trials.trial": NOTHING | {"superuser": "vc", "owner": "vc", "researcher": "vc", "reviewer": "vc"},
    "workers.grant": RUNNERS_LOOK,
    "workers.qualification": RUNNERS_LOOK,
    "workers.worker": RUNNERS_LOOK,
}
LETTERS = {"v": "view", "a": "add", "c": "change", "d": "delete"}
CLASSES = {model._meta.label_lower: model_admin for model, model_admin in site._registry.items()}
RUBRIC = [{"name": "right", "question": "Is it right?", "levels": ["no", "yes"]}]
VALUE = {"question": "What falls?", "answers": [{"text": "gravity", "from_answers": [], "origin": "worker"}]}


@pytest.fixture
def people(db):
    project, other = make_project("ours"), make_project("theirs")
    people = {role: make_user(role, project=project, role=role) for role in ["owner", "researcher", "reviewer"]}
    people["superuser"] = make_user("superuser", is_superuser=True)
    people["staff"] = make_user("staff")
    people["outsider"] = make_user("outsider", project=other, role="owner")
    return people


@pytest.fixture
def rows(people):
    """One row of each table, all of the project "ours"."""
    project = Project.objects.get(slug="ours")
    gravity = {"answers": ["gravity"], "category": "single"}
    item = make_answered_item(project, gravity, gravity, key="OURS_1")
    settle(project=project)
    outcome = Outcome.objects.get()
    decide(outcome=outcome, reviewer=people["reviewer"], decision="accept", version=0)
    assignment = Assignment.objects.first()
    CheckResult.objects.create(assignment=assignment, item=item, check_name="x", version=1, level="warn", message="x")
    LiveCheck.objects.create(assignment=assignment, revision=1)
    Release.objects.create(project=project, version="1.0.0", created_by="user:1")
    Intent.objects.create(
        environment="own",
        kind="bonus",
        key="bonus:1",
        request={"WorkerId": "A1SECRETWORKERID"},
        request_hash="x",
        project_id=project.pk,
        due_at=item.created_at,
        asked_by="clock",
        error="WorkerId A1SECRETWORKERID is unknown",
    )
    record("project.changed", subject=project, project_id=project.pk)
    challenge = Challenge.objects.create(assignment=assignment, item=item, text="Is it?", text_hash="x", right="yes")
    Attempt.objects.create(challenge=challenge, solver="words", version="0", answer="yes", score=0.5, is_right=True)
    SolverVersion.objects.create(stage=item.stage, solver="words", number=1)
    qualification = make_qualification(project=project, name="Ours alone", description="Passed our test.")
    grant(qualification=qualification, worker=assignment.worker, value=1)
    stage = project.stages.get()
    programme = Programme.objects.create(
        qualification=qualification, stage=stage, cents_per_item=1, items_per_trial=1, minutes_allowed=1, rubric=RUBRIC
    )
    Trial.objects.create(programme=programme, worker=assignment.worker, assignment=assignment, attempt=1)
    models = [CheckResult, LiveCheck, Event, HIT, Assignment, Answer, Project, Membership, Stage, Item, Intent]
    models += [Release, Outcome, Review, Worker, Qualification, Grant, Trial, Challenge, Attempt, SolverVersion]
    found = {model._meta.label_lower: model.objects.order_by("pk").first() for model in models}
    found["projects.membership"] = Membership.objects.get(user=people["researcher"])
    found["auth.user"] = people["staff"]
    return found


def test_every_admin_class_has_a_row_and_every_row_a_class():
    assert sorted(CLASSES) == sorted(MATRIX)


def test_no_class_has_other_ways_to_change_rows_than_the_row_says():
    for label, model_admin in CLASSES.items():
        assert not model_admin.list_editable and not model_admin.inlines, label
        assert not model_admin.actions, label
        # The box that completes a name would list rows to whoever may see the class.
        assert not model_admin.autocomplete_fields, label


def test_the_vault_of_worker_ids_is_registered_nowhere():
    assert "workers.workeridentity" not in CLASSES


@pytest.mark.parametrize("label", sorted(MATRIX))
def test_the_permissions_of_a_class_are_those_of_its_row(people, label):
    for name, person in people.items():
        request = RequestFactory().get("/")
        request.user = person
        # An owner elsewhere may do there what owners may.
        expected = MATRIX[label]["owner" if name == "outsider" else name]
        found = "".join(
            letter for letter, verb in LETTERS.items() if getattr(CLASSES[label], f"has_{verb}_permission")(request)
        )
        assert found == expected, name
        assert CLASSES[label].has_module_permission(request) == bool(expected), name


@pytest.mark.parametrize("label", sorted(set(MATRIX) - {"axes.accessattempt"}))
def test_the_pages_of_a_class_obey_its_row(people, rows, client, label):
    prefix = f"admin:{label.replace('.', '_')}"
    row = rows[label]
    for name, person in people.items():
        client.force_login(person)
        may = MATRIX[label][name]
        statuses = {
            "v": client.get(reverse(f"{prefix}_change", args=[row.pk])).status_code,
            "a": client.get(reverse(f"{prefix}_add")).status_code,
            "d": client.get(reverse(f"{prefix}_delete", args=[row.pk])).status_code,
        }
        history = client.get(reverse(f"{prefix}_history", args=[row.pk])).status_code
        assert (history == 200) == ("v" in may), (name, history)
        for letter, status in statuses.items():
            if letter == "a" and name == "outsider":
                continue  # an owner elsewhere adds there, see below
            assert (status == 200) == (letter in may), (name, letter, status)
            assert status in (200, 403, 404), (name, letter, status)
        if name == "outsider" and MATRIX[label]["owner"]:
            assert statuses["v"] == 404


# The rest: their pages take posts, and are tested by what these change.
TAKES_POSTS = {"axes.accessattempt", "auth.user", "projects.membership", "review.outcome", "trials.trial"}


@pytest.mark.parametrize("label", sorted(set(MATRIX) - TAKES_POSTS))
def test_a_read_only_page_takes_no_post(people, rows, client, label):
    row = rows[label]
    before = type(row).objects.filter(pk=row.pk).values().get()
    for person in people.values():
        client.force_login(person)
        for name, args in [("change", [row.pk]), ("add", []), ("delete", [row.pk]), ("changelist", [])]:
            address = reverse(f"admin:{label.replace('.', '_')}_{name}", args=args)
            body = {
                "post": "yes",
                "action": "delete_selected",
                "_selected_action": row.pk,
                "name": "x",
                "state": "open",
            }
            client.post(address, body)
    assert type(row).objects.filter(pk=row.pk).values().get() == before


@pytest.mark.parametrize("label", sorted(set(MATRIX) - {"axes.accessattempt", "review.outcome", "trials.trial"}))
def test_a_list_opens_and_names_no_other_project_s_rows(people, rows, client, label):
    address = reverse(f"admin:{label.replace('.', '_')}_changelist")
    for name, person in people.items():
        client.force_login(person)
        answer = client.get(address)
        visible = MATRIX[label]["owner" if name == "outsider" else name]
        assert answer.status_code == (200 if visible else 403), name
        if name == "outsider" and visible:
            page = answer.content.decode()
            assert "Ours" not in page and "OURS_1" not in page, name
            change = reverse(f"admin:{label.replace('.', '_')}_change", args=[rows[label].pk])
            assert change not in page


@pytest.mark.parametrize(
    "probe",
    [
        "assignments__assignment_id__startswith=A",
        "identity__provider_id__startswith=A",
        "pseudonym__startswith=w",
        "release_key__startswith=a",
        "draft__contains=x",
        "project__release_key__startswith=a",
    ],
)
def test_no_list_answers_questions_about_columns_that_it_does_not_filter_by(people, rows, client, probe):
    client.force_login(people["owner"])
    for label in sorted(set(MATRIX) - {"axes.accessattempt", "auth.user", "review.outcome", "trials.trial"}):
        answer = client.get(reverse(f"admin:{label.replace('.', '_')}_changelist") + f"?{probe}")
        assert answer.status_code in (302, 400), label


def test_nobody_is_shown_a_marketplace_s_worker_id(people, rows, client):
    for name in ["superuser", "owner", "researcher", "reviewer"]:
        client.force_login(people[name])
        for label, row in rows.items():
            for address in [
                reverse(f"admin:{label.replace('.', '_')}_change", args=[row.pk]),
                reverse(f"admin:{label.replace('.', '_')}_changelist"),
            ]:
                page = client.get(address).content.decode()
                assert "ATESTWORKER" not in page and "A1SECRETWORKERID" not in page, address
                assert "ASSIGNMENTTEST" not in page, address


# --- Memberships: the one table that is changed here ----------------------------------------------


def add_member(client, **fields):
    return client.post(reverse("admin:projects_membership_add"), fields)


def test_an_owner_adds_members_to_their_own_project_only(people, client):
    ours, theirs = Project.objects.get(slug="ours"), Project.objects.get(slug="theirs")
    client.force_login(people["owner"])
    assert add_member(client, project=ours.pk, user=people["staff"].pk, role="reviewer").status_code == 302
    assert ours.memberships.get(user=people["staff"]).role == "reviewer"
    refused = add_member(client, project=theirs.pk, user=people["staff"].pk, role="reviewer")
    assert refused.status_code == 200  # the form again, with the error
    assert not theirs.memberships.filter(user=people["staff"]).exists()


def test_a_change_of_members_is_in_the_log(people, client):
    client.force_login(people["owner"])
    ours = Project.objects.get(slug="ours")
    add_member(client, project=ours.pk, user=people["staff"].pk, role="reviewer")
    event = Event.objects.get(verb="project.changed")
    assert (event.data["member"], event.actor) == (f"user:{people['staff'].pk}", f"user:{people['owner'].pk}")


def test_nobody_changes_their_own_role(people, client):
    ours = Project.objects.get(slug="ours")
    for name in ["owner", "researcher", "reviewer"]:
        client.force_login(people[name])
        own = ours.memberships.get(user=people[name])
        client.post(reverse("admin:projects_membership_change", args=[own.pk]), {"role": "owner"})
        client.post(reverse("admin:projects_membership_delete", args=[own.pk]), {"post": "yes"})
        add_member(client, project=ours.pk, user=people[name].pk, role="owner")
        assert ours.memberships.get(user=people[name]).role == name


def test_an_owner_changes_and_removes_others(people, client):
    ours = Project.objects.get(slug="ours")
    client.force_login(people["owner"])
    row = ours.memberships.get(user=people["researcher"])
    client.post(reverse("admin:projects_membership_change", args=[row.pk]), {"role": "reviewer"})
    assert ours.memberships.get(user=people["researcher"]).role == "reviewer"
    client.post(reverse("admin:projects_membership_delete", args=[row.pk]), {"post": "yes"})
    assert not ours.memberships.filter(user=people["researcher"]).exists()


def test_the_last_owner_stays(people, client):
    client.force_login(people["superuser"])
    row = Membership.objects.get(user=people["owner"])
    answer = client.post(reverse("admin:projects_membership_delete", args=[row.pk]), {"post": "yes"})
    assert answer.status_code == 403
    assert Membership.objects.filter(pk=row.pk).exists()


def test_who_is_not_staff_does_not_enter(people, client):
    people["reviewer"].is_staff = False
    people["reviewer"].save()
    client.force_login(people["reviewer"])
    for address in [reverse("admin:index"), reverse("admin:review_outcome_changelist")]:
        answer = client.get(address)
        assert answer.status_code == 302 and "login" in answer.url


def test_the_sidebar_names_only_what_a_person_may_open(people, client):
    for name, person in people.items():
        client.force_login(person)
        page = client.get(reverse("admin:index")).content.decode()
        for label, row in MATRIX.items():
            link = reverse(f"admin:{label.replace('.', '_')}_changelist")
            assert (f'href="{link}"' in page) == bool(row["owner" if name == "outsider" else name]), (name, label)
