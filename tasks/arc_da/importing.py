"""Reads ARC's multiple-choice questions: the flat form of the dataset card and the nested form of AI2's files.

Set (Easy or Challenge) and split come from the file's name, or from the options `set` and `split`. An
item's key is the release's `question_id`: `ARCEZ_` or `ARCCH_` and the id in the file.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tasks.base import SourceItem, SourceProblem
from tasks.sources import NoItem, keyed, told_by_name

PREFIXES = {"easy": "ARCEZ_", "challenge": "ARCCH_"}
SPLITS = {"train": "train", "dev": "dev", "validation": "dev", "valid": "dev", "val": "dev", "test": "test"}
FEWEST_OPTIONS, MOST_OPTIONS = 2, 10
MOST_ID_CHARACTERS = 100
MOST_CHARACTERS = 10_000


def read(path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
    """The questions of a file as items, or the reasons why a line is none."""
    try:
        prefix = set_prefix(path, options)
        split = told_by_name("split", SPLITS, path, options)
    except NoItem as problem:
        yield SourceProblem(path.name, 0, str(problem))
        return
    for found in questions(path):
        yield found if isinstance(found, SourceProblem) else SourceItem(prefix + found[0], found[1], split)


def questions(path: Path) -> Iterator[tuple[str, dict] | SourceProblem]:
    """Id and item payload of every question of a file, whatever its name, or the reasons why a line is none."""
    return keyed(path, question_of)


def set_prefix(path: Path, options: Mapping[str, str]) -> str:
    """What stands before an id in the release, by the set that the question is from. Raises `NoItem`."""
    return PREFIXES[told_by_name("set", {name: name for name in PREFIXES}, path, options)]


def question_of(record: Any) -> tuple[str, dict]:
    """Id and item payload of a record in either form. Raises `NoItem` with the reason."""
    if not isinstance(record, dict):
        raise NoItem(f"expected an object, found {_kind(record)}")
    identifier = _text(record, "id", most=MOST_ID_CHARACTERS)
    if re.search(r"\s", identifier):
        raise NoItem(f"expected an id without blanks, found {identifier!r}")
    question, choices = _parts(record)
    if not FEWEST_OPTIONS <= len(choices) <= MOST_OPTIONS:
        raise NoItem(f"expected {FEWEST_OPTIONS} to {MOST_OPTIONS} options, found {len(choices)}")
    labels = [choice["label"] for choice in choices]
    if doubled := next((label for label in labels if labels.count(label) > 1), ""):
        raise NoItem(f"two options bear the label {doubled!r}")
    key = _text(record, "answerKey")
    if key not in labels:
        raise NoItem(f"answerKey {key!r} is not among the labels {', '.join(labels)}")
    return identifier, {"question": question, "choices": choices, "answer_key": key}


def _parts(record: dict) -> tuple[str, list[dict]]:
    """Question and options of the nested form (`question.stem`, `question.choices`) or the flat one."""
    question = record.get("question")
    if isinstance(question, dict):
        options = _list(question, "choices", "question.choices")
        for place, option in enumerate(options):
            if not isinstance(option, dict):
                raise NoItem(f"expected question.choices[{place}] to be an object, found {_kind(option)}")
        return _text(question, "stem", "question.stem"), [
            {"label": _text(option, "label", "choices.label"), "text": _text(option, "text", "choices.text")}
            for option in options
        ]
    stem = _text(record, "question")
    choices = record.get("choices")
    if not isinstance(choices, dict):
        raise NoItem(f"expected choices to be an object with text and label, found {_kind(choices)}")
    labels, texts = _list(choices, "label", "choices.label"), _list(choices, "text", "choices.text")
    if len(labels) != len(texts):
        raise NoItem(f"choices.label has {len(labels)} entries and choices.text has {len(texts)}")
    pairs = [{"label": label, "text": text} for label, text in zip(labels, texts, strict=True)]
    return stem, [
        {"label": _text(pair, "label", "choices.label"), "text": _text(pair, "text", "choices.text")} for pair in pairs
    ]


def _text(record: dict, name: str, shown: str = "", most: int = MOST_CHARACTERS) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise NoItem(f"expected {shown or name} to be a text, found {_kind(value)}")
    if not value.strip():
        raise NoItem(f"{shown or name} is empty")
    if len(value) > most:
        raise NoItem(f"{shown or name} has {len(value):,} characters; at most {most:,} are taken")
    return value


def _list(record: dict, name: str, shown: str) -> list:
    value = record.get(name)
    if not isinstance(value, list):
        raise NoItem(f"expected {shown} to be a list, found {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")
