"""What the review page shows of one outcome, gathered in a handful of queries: values, no decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from annotation.checking.models import CheckResult
from annotation.hits.models import Answer
from annotation.projects.queries import task_type_of
from annotation.review import evidence
from annotation.review.diff import Change, words_changed
from annotation.review.models import Feedback, Outcome, Review
from annotation.review.operations import BadOperation, Part, parts_of
from annotation.review.queries import is_blind_for
from tasks.base import TAKEN_FROM, TaskType
from tasks.fields import (
    AnswerList,
    Chips,
    Choice,
    Derivations,
    EvidenceSets,
    Field,
    ItemChoice,
    Lines,
    StepAnswers,
    Steps,
    Text,
    fields_of,
)

MOST_ANCESTORS = 10
# Shown where they belong, not in the list of remaining details.
DETAILS_SHOWN_ELSEWHERE = {"votes", "variants", "short_versions", "unreadable", "no_answers", TAKEN_FROM}
# The parts of a payload that name the right option.
KEY_NAMES = ("answer_key", "answerKey", "key")


@dataclass(frozen=True)
class Fact:
    """One part of a payload: a text, or options with the right one marked. `is_hidden`: workers don't see it."""

    label: str
    text: str = ""
    options: Sequence[tuple[str, str, bool]] = ()
    is_hidden: bool = False


@dataclass(frozen=True)
class Said:
    """One field of a worker's answer, as texts."""

    label: str
    texts: Sequence[str]
    is_choice: bool = False


@dataclass(frozen=True)
class WorkersAnswer:
    """One worker's answer with what the checks said of it. Workers are pseudonyms here."""

    pk: int
    pseudonym: str
    said: Sequence[Said]
    seconds: int | None
    comment: str
    findings: Sequence[CheckResult] = ()

    @property
    def minutes(self) -> str:
        """The time for the whole HIT, in words."""
        return time_in_words(self.seconds)


@dataclass(frozen=True)
class Votes:
    """How workers' choices spread over the options of one field."""

    label: str
    total: int
    options: Sequence[tuple[str, int]]
    unchosen: Sequence[str]


@dataclass(frozen=True)
class Entry:
    """One answer of the outcome's list, with who gave it and in which wordings."""

    index: int
    text: str
    origin: str
    givers: Sequence[str]
    wordings: Sequence[tuple[str, Sequence[str]]]
    removed: bool
    suggestion: str
    short: str


@dataclass(frozen=True)
class EditedField:
    """A field of the outcome on the form. `entries` and `added` are of answer lists, `options` of choices."""

    name: str
    label: str
    hint: str
    template: str
    original: Any
    value: Any = None
    lines: int = 1
    most_characters: int = 0
    options: Sequence[tuple[str, str]] = ()
    entries: Sequence[Entry] = ()
    added: Sequence[str] = ()


@dataclass(frozen=True)
class Decision:
    """An earlier decision, with the rewording as a diff."""

    review: Review
    changes: Sequence[tuple[str, Sequence[Change]]]
    operations: Sequence[str]


@dataclass(frozen=True)
class Ancestor:
    """What an earlier stage made of the item that this one came from."""

    stage: str
    title: str
    facts: Sequence[Fact]
    outcome: Sequence[Fact]
    # What it came to is not shown to who may be asked to decide it without sight of that.
    is_hidden: bool = False


@dataclass(frozen=True)
class ReviewPage:
    outcome: Outcome
    kind: TaskType
    title: str
    is_blind: bool
    source: Sequence[Fact]
    votes: Sequence[Votes]
    answers: Sequence[WorkersAnswer]
    fields: Sequence[EditedField]
    details: Sequence[Fact]
    unreadable: Mapping[str, str] = field(default_factory=dict)
    decisions: Sequence[Decision] = ()
    ancestors: Sequence[Ancestor] = ()
    feedback: Sequence[Feedback] = ()


def page_of(
    outcome: Outcome, *, is_blind: bool, reader: Any = None, form: Mapping[str, Sequence[str]] | None = None
) -> ReviewPage:
    """The page of an outcome for a reader; with `form`, what was posted stands in its fields again."""
    kind = task_type_of(outcome.stage)
    shape = kind.Item.model_validate(outcome.item.payload)
    answers = answers_shown(outcome, kind)
    decisions = [] if is_blind else _decisions(outcome, kind)
    standing = next((entry.review for entry in reversed(decisions) if _stands(entry.review)), None)
    givers = {answer.pk: answer.pseudonym for answer in answers}
    return ReviewPage(
        outcome=outcome,
        kind=kind,
        title=kind.label(shape),
        is_blind=is_blind,
        source=facts_of_item(kind, shape, seen=kind.shown_to_workers(shape)),
        votes=_votes(kind, outcome, answers),
        answers=answers,
        fields=[
            _edited_field(part, outcome, givers, form)
            for part in parts_of(kind.Outcome, outcome.value, standing.operations if standing else ()).values()
        ],
        details=_details(outcome),
        unreadable=outcome.details.get("unreadable", {}),
        decisions=decisions,
        ancestors=_ancestors(outcome, reader),
        # Later stages speak of what was accepted: that would tell the first decision.
        feedback=[] if is_blind else list(outcome.item.feedback.select_related("item__stage").order_by("id")),
    )


def time_in_words(seconds: int | None) -> str:
    """How long somebody worked; empty where it is not known."""
    if not seconds:
        return ""
    return f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"


def title_of(outcome: Outcome) -> str:
    """One line that names an outcome in lists."""
    kind = task_type_of(outcome.stage)
    return kind.label(kind.Item.model_validate(outcome.item.payload))


def _stands(review: Review) -> bool:
    return review.undone_at is None and not review.is_blind


# --- The item -------------------------------------------------------------------------------------


def facts_of(shape: BaseModel | Mapping, seen: Collection[str] | None = None) -> list[Fact]:
    """A payload in readable parts. A list of `{"label", "text"}` is taken for options, its key marked.

    `seen`: the parts that workers see (None: no word on that).
    """
    values = shape.model_dump() if isinstance(shape, BaseModel) else dict(shape)
    key = next((values[name] for name in KEY_NAMES if isinstance(values.get(name), str)), None)
    facts = []
    for name, value in values.items():
        is_hidden = seen is not None and name not in seen
        if _are_options(value):
            options = [(option["label"], option["text"], option["label"] == key) for option in value]
            facts.append(Fact(_readable(name), options=options, is_hidden=is_hidden))
        elif not (name in KEY_NAMES and any(map(_are_options, values.values()))):
            facts.append(Fact(_readable(name), text=_as_text(value), is_hidden=is_hidden))
    return [fact for fact in facts if fact.text or fact.options]


def facts_of_item(kind: TaskType, item: BaseModel, seen: Collection[str] | None = None) -> list[Fact]:
    """An item as its task type tells it, or its fields as they are."""
    told = kind.facts(item)
    return [Fact(label, text=text) for label, text in told.items() if text] if told else facts_of(item, seen)


def _facts_of_outcome(kind: TaskType, value: Mapping) -> list[Fact]:
    """An outcome's fields; what lists stored answers is told in words, without their ids, and steps by number."""
    fields = fields_of(kind.Outcome)
    in_words = Derivations | EvidenceSets | Steps | StepAnswers
    listed = {name for name, field_ in fields.items() if isinstance(field_, in_words)}
    facts = facts_of({name: part for name, part in value.items() if name not in listed})
    told = [Fact(fields[name].label, text="\n".join(fields[name].told(value.get(name)))) for name in sorted(listed)]
    return [*facts, *(fact for fact in told if fact.text)]


def _are_options(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, Mapping) and {"label", "text"} <= set(entry) for entry in value)
    )


def _readable(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _as_text(value: Any) -> str:
    match value:
        case None | "" | []:  # not {}: as a pattern it fits every mapping
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case list():
            return "; ".join(filter(None, map(_as_text, value)))
        case Mapping():
            return (
                _as_text(value["text"])
                if "text" in value
                else ", ".join(f"{_readable(name)}: {text}" for name, part in value.items() if (text := _as_text(part)))
            )
        case _:
            return str(value)


def _details(outcome: Outcome) -> list[Fact]:
    shown = {name: value for name, value in outcome.details.items() if name not in DETAILS_SHOWN_ELSEWHERE}
    return [Fact(_readable(name), text=text) for name, value in shown.items() if (text := _as_text(value))]


def _ancestors(outcome: Outcome, reader: Any) -> list[Ancestor]:
    """The outcomes that this item was promoted from, nearest first."""
    found, origin = [], outcome.item.origin_id
    while origin is not None and len(found) < MOST_ANCESTORS:
        earlier = Outcome.objects.select_related("item", "stage").filter(pk=origin, project=outcome.project_id).first()
        if earlier is None:
            break
        kind = task_type_of(earlier.stage)
        facts = facts_of_item(kind, kind.Item.model_validate(earlier.item.payload))
        is_hidden = reader is not None and is_blind_for(reader, earlier)
        came_to = [] if is_hidden else _facts_of_outcome(kind, earlier.final)
        found.append(Ancestor(earlier.stage.name, kind.title, facts, came_to, is_hidden))
        origin = earlier.item.origin_id
    return found


# --- The workers' answers -------------------------------------------------------------------------


def answers_shown(outcome: Outcome, kind: TaskType) -> list[WorkersAnswer]:
    """The answers that the outcome was made of, oldest first, with what the checks said of them."""
    rows = Answer.objects.filter(pk__in=outcome.contributors).select_related("assignment__worker").order_by("id")
    findings: dict[int, list[CheckResult]] = {}
    for finding in CheckResult.objects.filter(item=outcome.item_id).order_by("id"):
        findings.setdefault(finding.assignment_id, []).append(finding)
    return [
        WorkersAnswer(
            pk=answer.pk,
            pseudonym=answer.assignment.worker.pseudonym,
            said=said_of(kind, answer.data),
            seconds=answer.assignment.seconds_spent,
            comment=answer.assignment.comment,
            findings=findings.get(answer.assignment_id, []),
        )
        for answer in rows
    ]


def said_of(kind: TaskType, data: Mapping) -> list[Said]:
    """An answer in readable parts, field by field."""
    return [
        Said(field_.label or _readable(name), texts, isinstance(field_, Choice))
        for name, field_ in kind.fields.items()
        if (texts := _texts(field_, data.get(name)))
    ]


def _texts(kind: Field, value: Any) -> list[str]:
    if value in (None, "", []):
        return []
    if isinstance(kind, Choice):
        return [dict(kind.options).get(value, str(value))]
    if isinstance(kind, Chips) and isinstance(value, list):
        return [str(text) for text in value]
    return kind.told(value)


def _votes(kind: TaskType, outcome: Outcome, answers: Sequence[WorkersAnswer]) -> list[Votes]:
    found = []
    for name, choice in kind.fields.items():
        # Options that each item brings are said beside each answer; they have no list of their own here.
        if not isinstance(choice, Choice) or isinstance(choice, ItemChoice):
            continue
        label = choice.label or _readable(name)
        counts = Counter(said.texts[0] for answer in answers for said in answer.said if said.label == label)
        options = [(text, counts[text]) for _, text in choice.options if counts[text]]
        unchosen = [text for _, text in choice.options if not counts[text]]
        found.append(Votes(label, sum(counts.values()), options, unchosen))
    return found


# --- The form -------------------------------------------------------------------------------------


def _edited_field(
    part: Part, outcome: Outcome, givers: Mapping[int, str], form: Mapping[str, Sequence[str]] | None
) -> EditedField:
    kind = part.kind
    filled = part.editor.fill(part.name, part.original, part.working, form)
    widget = kind.widget if part.editor.operations else "other"
    shared = {
        "name": part.name,
        "label": kind.label or _readable(part.name),
        "hint": kind.hint,
        "template": f"review/fields/{widget}.html",
        "original": part.original,
    }
    if isinstance(kind, AnswerList):
        return EditedField(**shared, entries=_entries(part, outcome, givers, filled), added=filled["added"])
    if isinstance(kind, Text):
        most = kind.most_characters
        return EditedField(**shared, value=filled["value"], lines=max(kind.lines, 2), most_characters=most)
    if isinstance(kind, Choice):
        return EditedField(**shared, value=filled["value"], options=kind.options)
    if isinstance(kind, Steps | Lines):
        lined = shared | {"original": kind.present(part.original)}
        return EditedField(**lined, value=filled["value"], lines=6, most_characters=kind.most_characters)
    if isinstance(kind, EvidenceSets):
        filled = {"value": _evidence(part, outcome, givers)}
    if isinstance(kind, Derivations | EvidenceSets | StepAnswers):
        value = kind.told(part.working) if isinstance(kind, StepAnswers) else filled["value"]
        return EditedField(**shared | {"template": f"review/fields/{kind.widget}.html"}, value=value)
    return EditedField(**shared, value=_as_text(filled["value"]))


def _evidence(part: Part, outcome: Outcome, givers: Mapping[int, str]) -> list[evidence.StepOfEvidence]:
    sets = [(_givers_of(one, givers), one["matched"]) for one in part.working]
    return evidence.by_step(sets, part.kind.steps_of(outcome.item.payload), outcome.project)


def _givers_of(entry: Mapping, givers: Mapping[int, str]) -> str:
    return ", ".join(givers.get(key, "no longer counted") for key in entry["from_answers"]) or "a reviewer"


def _entries(part: Part, outcome: Outcome, givers: Mapping[int, str], filled: Mapping) -> list[Entry]:
    variants = outcome.details.get("variants", {})
    suggestions = outcome.details.get("short_versions", {})
    return [
        Entry(
            index=index,
            text=entry["text"],
            origin=entry.get("origin", "worker"),
            givers=[givers[key] for key in entry.get("from_answers", []) if key in givers],
            wordings=_wordings(variants.get(entry["text"], []), givers),
            removed=index in filled["removed"],
            suggestion=suggestions.get(entry["text"], ""),
            short="; ".join(filled["short"].get(index, [])),
        )
        for index, entry in enumerate(part.original)
    ]


def _wordings(variants: Sequence[Mapping], givers: Mapping[int, str]) -> list[tuple[str, list[str]]]:
    """Each wording of a merged answer with its givers."""
    found: dict[str, list[str]] = {}
    for variant in variants:
        found.setdefault(variant["text"], []).append(givers.get(variant.get("from_answer"), "?"))
    return list(found.items())


# --- Decisions so far -----------------------------------------------------------------------------


def _decisions(outcome: Outcome, kind: TaskType) -> list[Decision]:
    return [told(review, outcome, kind) for review in outcome.reviews.select_related("reviewer").order_by("id")]


def told(review: Review, outcome: Outcome, kind: TaskType) -> Decision:
    """A decision in words: rewordings as diffs, and what was removed and added."""
    changes, said = [], []
    try:
        parts = parts_of(kind.Outcome, outcome.value, review.operations)
    except BadOperation:  # of an earlier value of the outcome, which had other answers
        return Decision(review, [], ["made on an earlier set of answers"])
    for part in parts.values():
        if isinstance(part.kind, AnswerList):
            given = len(part.original)
            said += [f"removed “{entry['text']}”" for entry in part.working[:given] if entry["removed"]]
            said += [f"added “{entry['text']}”" for entry in part.working[given:] if not entry["removed"]]
        elif isinstance(part.kind, Text) and part.working != part.original:
            changes.append((part.kind.label or _readable(part.name), words_changed(part.original, part.working)))
        elif isinstance(part.kind, Steps) and part.working != part.original:
            before, after = ("\n".join(part.kind.told(steps)) for steps in (part.original, part.working))
            changes.append((part.kind.label or _readable(part.name), words_changed(before, after)))
        elif part.working != part.original:
            said.append(f"{_readable(part.name)}: {_as_text(part.original)} → {_as_text(part.working)}")
    return Decision(review, changes, said)
