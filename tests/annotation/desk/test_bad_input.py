"""Whatever strangers send, the answer is a 4xx with a reason, on SQLite and PostgreSQL alike."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.projects.models import Item, Project
from annotation.providers.models import Intent
from annotation.workers.queries import release_pseudonym
from tests.factories import make_assignment, make_hit, make_item

pytestmark = pytest.mark.django_db
GOOD = {"slug": "waves", "name": "Waves", "pipeline": "arc_da", "budget_cap_cents": 500}

BODIES = {
    "not JSON": b"{",
    "cut off": b'{"name": "x',
    "a list": b"[]",
    "a text": b'"name"',
    "a number": b"7",
    "null": b"null",
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"name": "x"}',
    "NaN": b'{"budget_cap_cents": NaN}',
    "infinity": b'{"budget_cap_cents": 1e999}',
    "minus infinity": b'{"budget_cap_cents": -Infinity}',
    "NUL in a text": b'{"name": "a\\u0000b"}',
    "NUL in a name": b'{"settings": {"a\\u0000b": 1}}',
    "NUL deep inside": b'{"settings": {"a": [{"b": "\\u0000"}]}}',
    "lone surrogate": b'{"name": "a\\ud800b"}',
    "lone surrogate in settings": b'{"settings": {"filter_reading": "\\udfff"}}',
    "a name twice": b'{"name": "x", "name": "y"}',
    "deep arrays": b"[" * 100_000,
    "deep closed arrays": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "a little too deep": b'{"settings": ' + b"[" * 40 + b"]" * 40 + b"}",
    "huge integer": b'{"budget_cap_cents": ' + b"9" * 30 + b"}",
    "5,000 digits": b'{"budget_cap_cents": ' + b"9" * 5_000 + b"}",
    "huge integer in settings": b'{"settings": {"a": 99999999999999999999}}',
    "3 MB": b'{"name": "' + b"x" * 3_000_000 + b'"}',
    "list for a text": b'{"name": ["x"]}',
    "object for a text": b'{"name": {}}',
    "boolean for a text": b'{"name": true}',
    "null for a text": b'{"name": null}',
    "text for a number": b'{"budget_cap_cents": "much"}',
    "boolean for a number": b'{"budget_cap_cents": true}',
    "fraction for a number": b'{"budget_cap_cents": 1.5}',
    "negative money": b'{"budget_cap_cents": -1}',
    "list for settings": b'{"settings": []}',
    "unknown setting": b'{"settings": {"colour": "red"}}',
    "wrong setting": b'{"settings": {"filter_reading": "by_feeling"}}',
    "blank name": b'{"name": "  "}',
    "endless name": json.dumps({"name": "x" * 121}).encode(),
    "unknown field": b'{"colour": "red"}',
    "prototype": b'{"__proto__": {"name": "x"}}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_bad_body_is_refused_and_nothing_changes(project, call, body):
    before = Project.objects.values().get(pk=project.pk)
    response = call("owner").patch("/api/v1/projects/forces", body, content_type="application/json")
    assert 400 <= response.status_code < 500, response.content
    assert response.json()
    assert Project.objects.values().get(pk=project.pk) == before


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_bad_body_makes_no_project(call, body):
    response = call("owner").post("/api/v1/projects", body, content_type="application/json")
    assert 400 <= response.status_code < 500, response.content
    assert not Project.objects.filter(slug="waves").exists()


MODEL_FIELDS = {field.name for field in Project._meta.get_fields()} - set(GOOD)
FOREIGN = ["is_staff", "is_superuser", "role", "owner", "id", "pk", "status", "verified", "project", "reward_cents"]


@pytest.mark.parametrize("name", sorted(MODEL_FIELDS - {"settings", "environment", "wage_floor_cents", "contact"}))
def test_fields_of_the_table_that_are_not_of_the_api_can_not_be_set(call, name):
    response = call("owner").post("/api/v1/projects", {**GOOD, name: "closed"}, format="json")
    assert (response.status_code, list(response.json())) == (400, [name])


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_fields_are_refused_everywhere(project, call, name):
    stage = project.stages.get().name
    work = make_assignment(make_hit(project, make_item(project)), state="approved")
    one = f"/api/v1/projects/forces/assignments/{work.pk}"
    requests = [
        ("post", f"{one}/approve", {}),
        ("post", f"{one}/reject", {"reason": "Empty."}),
        ("post", f"{one}/bonus", {"cents": 1, "reason": "Care", "purpose": "care"}),
        ("post", f"{one}/settle", {"how": "not_owed", "reason": "Empty."}),
        (
            "put",
            f"/api/v1/projects/forces/workers/{release_pseudonym(project, work.worker.pseudonym)}",
            {"is_barred": True, "reason": "Empty."},
        ),
        ("post", "/api/v1/projects", GOOD),
        ("patch", "/api/v1/projects/forces", {}),
        ("put", "/api/v1/projects/forces/state", {"state": "paused"}),
        ("post", "/api/v1/projects/forces/members", {"username": "stranger", "role": "reviewer"}),
        ("put", f"/api/v1/projects/forces/stages/{stage}/state", {"state": "paused"}),
        ("post", f"/api/v1/projects/forces/stages/{stage}/publish", {"confirmed_cents": 0, "digest": "x"}),
        ("post", "/api/v1/projects/forces/releases", {}),
    ]
    for method, address, body in requests:
        foreign = "frobnicate" if name in body else name
        response = getattr(call("owner"), method)(address, {**body, foreign: 1}, format="json")
        assert response.status_code == 400, address
        assert foreign in response.json(), address
    project.refresh_from_db()
    assert project.state == "open"
    assert project.releases.count() == 0
    assert not Intent.objects.exists()


QUERIES = [
    "cursor=%00",
    "cursor=zzz",
    "cursor=cD1hYmM%3D",  # a cursor whose position is "abc"
    "cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk%3D",  # … or beyond 64 bits
    "item=abc",
    "item=99999999999999999999999",
    "item=-1",
    "item=%D9%A1",
    "item=1&item=2",
    "stage=a%00b",
    "unknown=1",
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_bad_query_is_refused(project, items, call, query):
    response = call("owner").get(f"/api/v1/projects/forces/answers?{query}")
    assert response.status_code in (400, 404), response.content


@pytest.mark.parametrize("query", ["after=x", "after=-5", "after=9e9", "after=%00", "after=1&after=2", "verb=a%00"])
def test_a_bad_position_in_the_log_is_refused(project, call, query):
    assert call("owner").get(f"/api/v1/projects/forces/events?{query}").status_code == 400


PATHS = [
    "/projects/forces/items/99999999999999999999999/",
    "/projects/forces/assignments/99999999999999999999999/",
    "/api/v1/projects/forces/assignments/99999999999999999999999",
    "/api/v1/projects/forces/workers/w-%00",
    "/projects/forces/people/99999999999999999999999/",
    "/projects/forces/releases/%00/",
    "/projects/forces/releases/compare/?from=%00&to=1.0.0",
    "/projects/%00/",
    "/api/v1/projects/forces/members/%00",
    "/projects/forces/stages/no-such-stage/",
    "/api/v1/projects/forces/items/99999999999999999999999",
    "/api/v1/projects/forces/releases/%00",
    "/api/v1/projects/forces/compare?from=%00&to=1",
]


@pytest.mark.parametrize("path", PATHS)
def test_an_impossible_address_is_not_found(project, browse, call, path):
    asking = call("owner") if path.startswith("/api/") else browse("owner")
    assert asking.get(path).status_code in (400, 404, 405)


@pytest.mark.parametrize(
    "query",
    [
        "text=%00",
        "text=%ED%A0%80",
        "after=abc",
        "before=99999999999999999999",
        "state=no",
        "stage=%00",
        "split=" + "x" * 99,
        "worker=%00",
        "worker=" + "x" * 99,
    ],
)
def test_a_strange_filter_still_shows_a_table(project, items, browse, query):
    assert browse("owner").get(f"/projects/forces/items/?{query}").status_code == 200
    assert browse("owner").get(f"/projects/forces/assignments/?{query}").status_code == 200


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.jsonl", b""),
        ("ARC-Easy-train.jsonl", b"\x00\x01\x02"),
        ("ARC-Easy-train.jsonl", b"\xff\xfe{}"),
        ("ARC-Easy-train.jsonl", b"[" * 100_000),
        ("ARC-Easy-train.jsonl", b'{"id": "x", "question": "a\\u0000b", "choices": []}\n'),
        ("ARC-Easy-train.jsonl", b'{"id": "x", "question": "a\\ud800b", "choices": []}\n'),
        ("../../etc/passwd", b"root"),
        ("x" * 300 + ".jsonl", b"{}"),
        (".jsonl", b"{}\n{}"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason_and_imports_nothing(project, browse, call, name, content):
    page = browse("owner").post("/projects/forces/import/", {"files": [SimpleUploadedFile(name, content)]})
    assert page.status_code == 422
    answer = call("owner").post("/api/v1/projects/forces/items", {"files": [SimpleUploadedFile(name, content)]})
    assert answer.status_code == 400
    assert Item.objects.count() == 0


def test_a_form_with_a_NUL_is_sent_back(project, browse):
    response = browse("owner").post("/projects/forces/settings/", {"name": "a\x00b"})
    assert response.status_code == 422
    project.refresh_from_db()
    assert project.name == "Forces"
