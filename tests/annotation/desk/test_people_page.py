import re
import threading

import pytest
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import Client
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from annotation.projects.actions import Refused, add_member, remove_member
from annotation.projects.models import Membership

PLACE = "/projects/forces/people/"


def role_of(user, project):
    return Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()


def test_an_owner_adds_a_person_who_has_an_account(project, people, browse):
    browse("owner").post(PLACE, {"username": "stranger", "role": "researcher"})
    assert role_of(people.stranger, project) == "researcher"


def test_an_owner_makes_an_account_whose_password_is_shown_once(project, people, browse):
    refused = browse("owner").post(PLACE, {"username": "newcomer", "role": "reviewer"})
    assert (refused.status_code, get_user_model().objects.filter(username="newcomer").exists()) == (422, False)
    made = browse("owner").post(PLACE, {"username": "newcomer", "role": "reviewer", "make_account": "on"})
    password = re.search(r'id="secret"[^>]*>([^<]+)<', made.content.decode()).group(1)
    assert made["Cache-Control"] == "no-store"
    assert password not in browse("owner").get(PLACE).content.decode()
    assert Client().post("/sign-in/", {"username": "newcomer", "password": password}).status_code == 302
    newcomer = get_user_model().objects.get(username="newcomer")
    assert (role_of(newcomer, project), newcomer.is_staff, newcomer.is_superuser) == ("reviewer", True, False)


@pytest.mark.parametrize("name", ["", "a b", "x" * 151, "<b>"])
def test_an_impossible_user_name_makes_no_account(project, browse, name):
    count = get_user_model().objects.count()
    response = browse("owner").post(PLACE, {"username": name, "role": "reviewer", "make_account": "on"})
    assert (response.status_code, get_user_model().objects.count()) == (422, count)


def test_an_owner_changes_roles_and_takes_them_away(project, people, browse):
    address = f"{PLACE}{people.reviewer.pk}/"
    browse("owner").post(address, {"role": "researcher"})
    assert role_of(people.reviewer, project) == "researcher"
    browse("owner").post(address, {"role": "emperor"})
    assert role_of(people.reviewer, project) == "researcher"
    browse("owner").post(address, {"role": "none"})
    assert role_of(people.reviewer, project) is None


def test_nobody_changes_their_own_role(project, people, browse, call):
    browse("owner").post(f"{PLACE}{people.owner.pk}/", {"role": "reviewer"})
    browse("owner").post(f"{PLACE}{people.owner.pk}/", {"role": "none"})
    browse("owner").post(PLACE, {"username": "owner", "role": "reviewer"})
    api = call("owner")
    own = {"username": "owner", "role": "reviewer"}
    assert api.post("/api/v1/projects/forces/members", own, format="json").status_code == 403
    assert api.delete("/api/v1/projects/forces/members/owner").status_code == 403
    assert role_of(people.owner, project) == "owner"


@pytest.mark.parametrize("person", ["researcher", "reviewer"])
def test_nobody_but_an_owner_adds_people(project, people, browse, person):
    response = browse(person).post(PLACE, {"username": "stranger", "role": "owner"})
    assert (response.status_code, role_of(people.stranger, project)) == (403, None)


def test_the_api_manages_members(project, people, call):
    api = call("owner")
    added = api.post("/api/v1/projects/forces/members", {"username": "stranger", "role": "reviewer"}, format="json")
    assert added.status_code == 201
    unknown = api.post("/api/v1/projects/forces/members", {"username": "nobody", "role": "reviewer"}, format="json")
    assert unknown.status_code == 400
    assert {"username": "stranger", "role": "reviewer"} in api.get("/api/v1/projects/forces/members").json()
    assert api.delete("/api/v1/projects/forces/members/stranger").status_code == 204
    assert role_of(people.stranger, project) is None


def test_a_token_is_shown_once_works_and_is_revoked(people, browse):
    client = browse("owner")
    made = client.post("/account/token/")
    key = Token.objects.get(user=people.owner).key
    assert key in made.content.decode() and made["Cache-Control"] == "no-store"
    assert key not in client.get("/account/").content.decode()
    api = APIClient(HTTP_AUTHORIZATION=f"Token {key}")
    assert api.get("/api/v1/projects").status_code == 200
    client.post("/account/token/")
    assert api.get("/api/v1/projects").status_code == 401, "a new token replaces the old one"
    newer = APIClient(HTTP_AUTHORIZATION=f"Token {Token.objects.get(user=people.owner).key}")
    client.post("/account/token/revoke/")
    assert newer.get("/api/v1/projects").status_code == 401


def test_a_session_may_read_the_api_but_writes_take_a_csrf_token(project, people):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(people.owner)
    assert client.get("/api/v1/projects/forces").status_code == 200
    response = client.put("/api/v1/projects/forces/state", {"state": "closed"}, format="json")
    assert response.status_code == 403
    project.refresh_from_db()
    assert project.state == "open"


@pytest.mark.parametrize("written", ["\ufb01ona", "fiona"])
def test_a_name_is_the_same_in_whichever_letters_it_is_written(project, browse, call, written):
    known = get_user_model().objects.create_user("fiona")
    answer = browse("owner").post(PLACE, {"username": written, "role": "reviewer", "make_account": "on"})
    assert (answer.status_code, role_of(known, project)) == (302, "reviewer")
    body = {"username": written, "role": "researcher"}
    assert call("owner").post("/api/v1/projects/forces/members", body, format="json").status_code == 201
    assert role_of(known, project) == "researcher"


def test_an_account_without_a_place_in_the_project_is_not_left_behind(project, browse, monkeypatch):
    def refuse(**_):
        raise Refused("not now")

    monkeypatch.setattr("annotation.desk.accounts.add_member", refuse)
    answer = browse("owner").post(PLACE, {"username": "newcomer", "role": "reviewer", "make_account": "on"})
    assert (answer.status_code, "not now" in answer.content.decode()) == (422, True)
    assert not get_user_model().objects.filter(username="newcomer").exists()


def test_the_last_owner_keeps_the_role(project, people):
    with pytest.raises(Refused, match="at least one owner"):
        add_member(project=project, user=people.owner, role="reviewer")
    add_member(project=project, user=people.reviewer, role="owner")
    add_member(project=project, user=people.owner, role="reviewer")
    assert role_of(people.owner, project) == "reviewer"


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_remove_each_other_at_once_leave_one(project, people):
    add_member(project=project, user=people.reviewer, role="owner")
    barrier, refused = threading.Barrier(2), []

    def remove(user) -> None:
        barrier.wait()
        try:
            remove_member(project=project, user=user)
        except Refused as refusal:
            refused.append(str(refusal))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=remove, args=[user]) for user in (people.owner, people.reviewer)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["a project keeps at least one owner"]
    assert Membership.objects.filter(project=project, role="owner").count() == 1
