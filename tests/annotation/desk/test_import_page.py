import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.events.models import Event
from annotation.projects.actions import Refused
from annotation.projects.importing import import_items
from annotation.projects.models import Membership
from tests.factories import make_project


def line(key, question="What force pulls a ball down?"):
    choices = [{"label": "A", "text": "gravity"}, {"label": "B", "text": "friction"}]
    return json.dumps({"id": key, "question": {"stem": question, "choices": choices}, "answerKey": "A"})


def upload(*lines, name="ARC-Easy-Train.jsonl"):
    return SimpleUploadedFile(name, "\n".join(lines).encode())


@pytest.fixture
def send(browse):
    def sent(*files, **fields):
        return browse("researcher").post("/projects/forces/import/", {"files": list(files), **fields}, follow=True)

    return sent


def test_good_files_come_in_and_the_removed_share_is_said(project, send):
    response = send(
        upload(line("1"), line("2", "Which of these is a gas?"), line("3")),
        upload(line("4"), name="ARC-Easy-Dev.jsonl"),
    )
    shown = response.content.decode()
    assert "4 items imported; the filter excludes 1 of them (25.0%)." in shown
    assert sorted(project.items.values_list("split", flat=True)) == ["dev", "train", "train", "train"]


def test_the_same_file_again_adds_nothing(project, send):
    send(upload(line("1")))
    shown = send(upload(line("1"))).content.decode()
    assert "Nothing new was in these files. 1 item had been imported before." in shown
    assert project.items.count() == 1
    assert Event.objects.filter(verb="items.imported").count() == 1


def test_one_bad_line_stops_all_files_and_is_named(project, send):
    response = send(upload(line("1"), "{broken"), upload(line("2"), name="ARC-Easy-Dev.jsonl"))
    shown = response.content.decode()
    assert response.status_code == 422
    assert "Nothing was imported: 1 problem" in shown
    assert '<td>ARC-Easy-Train.jsonl</td><td class="number">2</td>' in shown
    assert project.items.count() == 0


def test_no_file_at_all_is_said(project, send):
    response = send()
    assert response.status_code == 422
    assert "required" in response.content.decode()


def test_two_files_of_one_name_are_refused(project, send):
    assert send(upload(line("1")), upload(line("2"))).status_code == 422
    assert project.items.count() == 0


def test_more_files_than_allowed_are_refused(project, send):
    files = [upload(line(str(number)), name=f"ARC-Easy-Train-{number}.jsonl") for number in range(21)]
    response = send(*files)
    assert response.status_code == 422
    assert "At most 20 files at once, found 21." in response.content.decode()


def test_the_api_imports_the_same_way(project, call):
    client = call("researcher")
    good = client.post("/api/v1/projects/forces/items", {"files": [upload(line("1"))]})
    assert (good.status_code, good.json()) == (201, {"added": 1, "known": 0, "excluded": 0})
    bad = client.post("/api/v1/projects/forces/items", {"files": [upload("{broken")]})
    assert bad.status_code == 400
    problem = bad.json()["problems"][0]
    assert (problem["file"], problem["line"]) == ("ARC-Easy-Train.jsonl", 1)
    foreign = client.post("/api/v1/projects/forces/items", {"files": [upload(line("2"))], "project": "elsewhere"})
    assert (foreign.status_code, list(foreign.json())) == (400, ["project"])


def test_a_file_whose_name_says_nothing_is_told_its_set_and_split(project, send):
    assert (
        "1 item imported"
        in send(upload(line("1"), name="questions.jsonl"), set="challenge", split="dev").content.decode()
    )
    item = project.items.get()
    assert (item.key, item.split) == ("ARCCH_1", "dev")


def test_the_page_offers_what_the_pipeline_s_reader_knows(db, people, browse):
    project = make_project("derivations", pipeline="r4c")
    Membership.objects.create(project=project, user=people.owner, role="owner")
    shown = browse("owner").get("/projects/derivations/import/").content.decode()
    for name in ("split", "sample", "seed", "opposite"):
        assert f'name="{name}"' in shown
    assert 'name="set"' not in shown
    refused = browse("owner").post(
        "/projects/derivations/import/", {"files": [upload("{}", name="r4c-dev.jsonl")], "sample": "ten"}
    )
    assert "expected sample to be a whole number, found &#x27;ten&#x27;" in refused.content.decode()


def test_an_option_that_no_reader_knows_is_refused_by_name(project, tmp_path):
    (tmp_path / "ARC-Easy-Train.jsonl").write_text(line("1"))
    with pytest.raises(Refused, match="knows no option sample; expected set, split"):
        import_items(project=project, paths=[tmp_path / "ARC-Easy-Train.jsonl"], options={"sample": "2"})


@pytest.mark.parametrize(
    "name", ["\u0416" * 200 + ".jsonl", "a" * 250 + ".train.jsonl", ".hidden", "...", "..\\..\\secrets.jsonl"]
)
def test_a_file_of_any_name_is_read(project, send, name):
    response = send(upload(line("1"), name=name))
    assert response.status_code in (200, 422)
    assert "1 item imported" in response.content.decode() or "problem" in response.content.decode()


def test_files_whose_names_differ_by_a_dot_are_two_files(project, send):
    send(upload(line("1"), name=".ARC-Easy-Train.jsonl"), upload(line("2")))
    assert project.items.count() == 2
