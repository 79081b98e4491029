"""What later stages of StrategyQA say goes back to an author, to an expert, or to others; what falls is replaced.

One project with a rule for each kind of feedback, four terms with a fate each, and people who follow a script:

- Kettle: the answer is called wrong, its author puts it right;
- Lamp: the same, but the author insists, so that it is dropped and another question takes its place;
- Pillow: called indefinite, an expert keeps it, and it is decomposed again;
- Spoon: three matchers find nothing for a step, and somebody else decomposes it again.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from annotation.simulation.workers import Account, Turn, Worker
from tasks.fields import Evidence, Steps
from tasks.simulation import CAREFUL, Person, Seen
from tests.flows.service import OF_PROJECT, Service

SLUG = "fates"
TERMS = ("Kettle", "Lamp", "Pillow", "Spoon")
SETTINGS = {
    "questions_per_term": 1,
    "tries_per_term": 3,
    "answer_incorrect": "author",
    "not_definitive": "expert",
    "no_evidence": "again",
    "verification_share": 0.0,
}
NOT_THERE = {"paragraphs": None, "is_operation": False, "lacks_evidence": True}
FOUND = {"paragraphs": ["Kettle-1"], "is_operation": False, "lacks_evidence": False}
OPERATION = {"paragraphs": None, "is_operation": True, "lacks_evidence": False}


class Script:
    """What everybody enters: by the term that a page names, and by how often it was asked before."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()

    def answer_for(self, seen: Seen, worker: Person, rng: Random, knowledge: Any) -> dict[str, list[str]]:
        term = next(term for term in TERMS if term in seen.text)
        stage = next(name for name in ("facts", "steps", "matched") if name in seen.fields)
        self.asked[stage, term] += 1
        return getattr(self, stage)(term, seen.text)

    def facts(self, term: str, text: str) -> dict[str, list[str]]:
        takes = self.asked["facts", term]
        is_wrong = (term in ("Kettle", "Lamp") and takes == 1) or (term == "Lamp" and takes == 2)
        question = f"Could a {term} {'sink' if is_wrong else 'float'} for {takes} days?"
        return {"question": [question], "facts": [f"A {term} is light.\nLight things float."]}

    def steps(self, term: str, text: str) -> dict[str, list[str]]:
        if "sink" in text:
            return {"steps": [""], "flags": ["answer_incorrect"], "reason": [f"A {term} never sinks."]}
        texts = [f"Is a {term} light?", "Do light things float?", "Are #1 and #2 both yes?"]
        steps = [Steps().present([{"text": text, "page": term} for text in texts])]
        if term == "Pillow" and self.asked["steps", term] == 1:
            return {"steps": steps, "flags": ["not_definitive"], "reason": ["It depends on the pillow."]}
        return {"steps": steps, "flags": [], "reason": [""]}

    def matched(self, term: str, text: str) -> dict[str, list[str]]:
        first = NOT_THERE if term == "Spoon" and self.asked["matched", term] <= 3 else FOUND
        return {"matched": [Evidence().present([first, FOUND, OPERATION])], "flags": [], "reason": [""]}


class Fates:
    """The project, its people, and what was seen on the way."""

    def __init__(self, service: Service, folder: Path):
        self.service, self.script, self.seen = service, Script(), {}
        self.people = {name: self.hire(name) for name in ("author", "first", "second", "m1", "m2", "m3")}
        terms, paragraphs = folder / "terms.jsonl", folder / "paragraphs.jsonl"
        lines = [{"term": term, "expected": "yes"} for term in TERMS]
        terms.write_text("".join(json.dumps(line) + "\n" for line in lines))
        paragraphs.write_text(json.dumps({"title": "Kettle", "text": "A kettle is light, and light things float."}))
        service.run(
            "from annotation.corpus.actions import import_corpus\n"
            "from annotation.projects.actions import *\n"
            "from annotation.projects.importing import import_items\n"
            f"project = create_project(pipeline='strategyqa', name='Fates', slug={SLUG!r}, settings={SETTINGS!r},\n"
            "    budget_cap_cents=100_000)\n"
            f"use_corpus(project=project, corpus=import_corpus(name={SLUG!r}, paths=[{str(paragraphs)!r}]).corpus)\n"
            "change_stage(stage=project.stages.get(name='question'), settings={'groups': []})\n"
            f"import_items(project=project, paths=[{str(terms)!r}])\n"
        )

    def hire(self, name: str) -> Worker:
        worker = Worker(
            endpoint=self.service.marketplace,
            account=Account(f"fates-{name}", f"the password of {name}"),
            person=Person(CAREFUL),
            rng=Random(name),
            simulation=SimpleNamespace(answer_for=self.script.answer_for),
            knowledge=None,
            wanted=self.is_ours,
        )
        worker.enter()
        return worker

    def is_ours(self, hit: str) -> bool:
        return bool(self.service.rows(f"select 1 from hits_hit h {OF_PROJECT} and h.remote_id = ?", SLUG, hit))

    def publish(self, *stages: str) -> None:
        words = [["publish", SLUG, "--stage", stage, "--yes", "--below-floor"] for stage in stages]
        self.service.run(
            f"from django.core.management import call_command\nfor words in {words!r}: call_command(*words)"
        )
        planned = f"select count(*) from hits_hit h {OF_PROJECT} and h.state = 'planned'"
        self.service.wait_until(lambda: self.service.count(planned, SLUG) == 0, "all HITs are offered")

    def turns(self, name: str, number: int) -> None:
        for _ in range(number):
            assert self.people[name].turn() is Turn.DONE, name

    def items(self) -> dict[tuple[str, str], dict]:
        rows = self.service.rows(
            "select s.name as stage, i.key, i.state, i.reason, i.id from projects_item i join projects_stage s "
            "on s.id = i.stage_id join projects_project p on p.id = i.project_id where p.slug = ?",
            SLUG,
        )
        return {(row["stage"], row["key"]): row for row in rows}

    def wait_for(self, stage: str, **states: str) -> None:
        """Until items of a stage stand so; keys with `_` for what a name can't hold."""
        wanted = {(stage, key.replace("__", "~").replace("_", "/")): state for key, state in states.items()}

        def are_there() -> bool:
            items = self.items()
            return all(items.get(place, {}).get("state") == state for place, state in wanted.items())

        self.service.wait_until(are_there, f"{wanted} in {stage}", seconds=180)


@pytest.fixture(scope="module")
def fates(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Fates:
    """All that happened, from the first question to the last evidence."""
    fates = Fates(service, tmp_path_factory.mktemp("fates"))
    fates.publish("question")
    fates.turns("author", 4)
    fates.wait_for("decomposition", Kettle_1="open", Lamp_1="open", Pillow_1="open", Spoon_1="open")
    fates.publish("decomposition")
    fates.turns("first", 4)
    fates.wait_for("question", Kettle_1__2="open", Lamp_1__2="open", Pillow_1="settled")
    fates.wait_for("evidence", Spoon_1="open")

    fates.publish("question")
    fates.seen["stranger"] = fates.people["second"].turn()
    fates.turns("author", 2)
    _expert_keeps_the_pillow(service)
    fates.publish("evidence")
    for matcher in ("m1", "m2", "m3"):
        fates.turns(matcher, 1)
    fates.wait_for("decomposition", Kettle_1__2="open", Lamp_1__2="open", Pillow_1__2="open", Spoon_1__2="open")

    fates.publish("decomposition")
    fates.turns("second", 4)
    fates.wait_for("question", Lamp_1__2="rejected", Lamp_2="open")
    fates.publish("question")
    fates.turns("author", 1)
    fates.wait_for("decomposition", Lamp_2="open")
    fates.publish("decomposition")
    fates.turns("first", 1)
    fates.wait_for("evidence", Lamp_2="open", Kettle_1__2="open", Pillow_1__2="open", Spoon_1__2="open")
    fates.publish("evidence")
    for matcher in ("m1", "m2", "m3"):
        fates.turns(matcher, 4)
    fates.wait_for("evidence", Lamp_2="accepted", Kettle_1__2="accepted", Pillow_1__2="accepted", Spoon_1__2="accepted")
    return fates


def _expert_keeps_the_pillow(service: Service) -> None:
    service.run(
        "from django.contrib.auth import get_user_model\n"
        "from annotation.review.actions import decide\n"
        "from annotation.review.models import Outcome\n"
        "expert = get_user_model().objects.create(username='fates-expert')\n"
        "outcome = Outcome.objects.get(project__slug='fates', state='pending')\n"
        "decide(outcome=outcome, reviewer=expert, decision='accept', version=outcome.version)\n"
    )


@pytest.fixture(scope="module")
def folder(service: Service, fates: Fates) -> Path:
    release = service.command("release", "build", SLUG)["location"]
    assert service.command("release", "verify", release)["problems"] == []
    return Path(release)


def reason(fates: Fates, stage: str, key: str) -> str:
    return fates.items()[stage, key]["reason"]


def test_an_author_gets_a_question_back_and_puts_it_right(fates: Fates) -> None:
    assert reason(fates, "question", "Kettle/1") == "sent_back: answer incorrect"
    assert reason(fates, "decomposition", "Kettle/1") == "answer_incorrect: A Kettle never sinks."
    assert fates.items()["question", "Kettle/1~2"]["state"] == "accepted"


def test_nobody_else_can_take_what_goes_back_to_its_author(fates: Fates) -> None:
    assert fates.seen["stranger"] in (Turn.REFUSED, Turn.NOTHING)
    rows = fates.service.rows(
        "select w.pseudonym from hits_answer a join hits_assignment s on s.id = a.assignment_id "
        "join workers_worker w on w.id = s.worker_id join projects_item i on i.id = a.item_id "
        "join projects_project p on p.id = i.project_id join projects_stage g on g.id = i.stage_id "
        "where p.slug = ? and g.name = 'question'",
        SLUG,
    )
    assert len({row["pseudonym"] for row in rows}) == 1


def test_a_second_objection_drops_it_and_another_question_takes_its_place(fates: Fates) -> None:
    assert reason(fates, "question", "Lamp/1~2") == "answer_incorrect: A Lamp never sinks."
    assert fates.items()["question", "Lamp/2"]["state"] == "accepted"
    assert ("question", "Lamp/3") not in fates.items()


def test_what_an_expert_keeps_is_decomposed_again(fates: Fates) -> None:
    assert fates.items()["question", "Pillow/1"]["state"] == "accepted"
    assert reason(fates, "decomposition", "Pillow/1") == "withdrawn: not definitive"


def test_steps_without_evidence_are_written_anew_by_somebody_else(fates: Fates) -> None:
    assert reason(fates, "decomposition", "Spoon/1") == "collected_again: no evidence"
    makers = fates.service.rows(
        "select distinct s.worker_id from hits_answer a join hits_assignment s on s.id = a.assignment_id "
        "join projects_item i on i.id = a.item_id join projects_stage g on g.id = i.stage_id "
        "join projects_project p on p.id = i.project_id "
        "where p.slug = ? and g.name = 'decomposition' and i.key like 'Spoon/1%'",
        SLUG,
    )
    assert len(makers) == 2


def test_everybody_is_paid_whatever_became_of_their_work(fates: Fates) -> None:
    service = fates.service
    unpaid = (
        "select count(*) from hits_assignment a join hits_hit h on h.id = a.hit_id join projects_project p "
        "on p.id = h.project_id where p.slug = ? and a.receipt != '' and a.state != 'approved'"
    )
    service.wait_until(lambda: service.count(unpaid, SLUG) == 0, "all work is paid")


def test_the_board_tells_it(fates: Fates) -> None:
    effects = fates.service.rows(
        "select f.kind, f.effect, f.note from review_feedback f join projects_project p on p.id = f.project_id "
        "where p.slug = ? order by f.id",
        SLUG,
    )
    told = Counter((row["kind"], row["effect"]) for row in effects)
    assert told == {
        ("answer_incorrect", "author"): 2,
        ("answer_incorrect", "drop"): 1,
        ("not_definitive", "expert"): 1,
        ("no_evidence", "again"): 1,
    }


def test_the_release_holds_what_came_through_and_why_the_rest_did_not(folder: Path) -> None:
    published = json.loads((folder / "published" / "strategyqa_train.json").read_text(encoding="utf-8"))
    assert {row["term"] for row in published} == set(TERMS)
    assert all(len(row["evidence"]) == 3 for row in published)
    paragraphs = json.loads((folder / "published" / "strategyqa_train_paragraphs.json").read_text(encoding="utf-8"))
    assert paragraphs["Kettle-1"]["content"].startswith("A kettle is light")
    rejected = [json.loads(line) for line in (folder / "raw" / "rejected.jsonl").read_text("utf-8").splitlines()]
    codes = Counter((row["stage"], row["code"]) for row in rejected)
    assert codes["question", "answer_incorrect"] == 1
    assert codes["question", "sent_back"] == 2
    assert codes["decomposition", "collected_again"] == 1
