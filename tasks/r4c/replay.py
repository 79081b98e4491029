"""Replaying R4C's public release: what to import, what the crowd knows, and whether the same comes out.

Three workers submit the three published derivations of each instance, which of them is whose is not known.
Where an article lacks a cited sentence (copies that were cut otherwise), or is not there at all, an article
that holds the cited places stands in for it. For most instances no article is public with R4C: `whole` replays
those, too, every sentence made of the steps that cite it.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tasks import published
from tasks.replaying import compared
from tasks.simulation import Replay

# HotpotQA as it is published, or slices of it with what R4C asks.
HOTPOTQA = "hotpot_dev_distractor_v1.json"
SLICES = ("r4c_instances_original.json", "r4c_instances_rebuilt.json")
RELEASED = {"dev": "dev_csf.json", "train": "train.json"}
SEATS = 3
DOWNLOADS = (
    "r4c/ holds train.json and dev_csf.json of R4C (https://github.com/naoya-i/r4c, in corpus/), and hotpotqa/ "
    f"{HOTPOTQA} of HotpotQA (https://hotpotqa.github.io)"
)


def prepare(data: Path, folder: Path, *, limit: int | None = None, whole: bool = False) -> Replay:
    """The released dev instances with real articles (the first `limit` of them); `whole`: all of both splits.

    Who judges the derivations further is not published, so the whole replay leaves that out. `data` holds
    `hotpotqa/` and `r4c/`; what is imported and known is written to `folder`. Raises FileNotFoundError.
    """
    derived = {split: json.loads(published.text(data / "r4c", name)) for split, name in RELEASED.items()}
    instances = _with_articles(data / "hotpotqa", derived["dev"])
    if whole:
        asked = _asked(data / "r4c")
        instances = {
            key: _stand_in(key, steps, asked.get(key)) for split in derived.values() for key, steps in split.items()
        } | instances
    folder.mkdir(parents=True, exist_ok=True)
    drawn = set(sorted(instances)[:limit])
    sources, known, expected = [], [], {}
    for split, name in RELEASED.items():
        derivations = {key: derived[split][key] for key in sorted(drawn & derived[split].keys())}
        if not derivations:
            continue
        source = folder / f"hotpot-{split}.jsonl"
        records = [_with_cited_places(instances[key], several) for key, several in derivations.items()]
        source.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records), encoding="utf-8")
        (folder / name).write_text(json.dumps(derivations, ensure_ascii=False), encoding="utf-8")
        sources.append(source)
        known.append(folder / name)
        expected[split] = [{"id": key, "derivations": several} for key, several in derivations.items()]
    settings = {"derivability_share": 0.0}
    if whole:
        settings |= {"answerability_splits": [], "answerability_share": 0.0, "answerable_splits": []}
    return Replay(tuple(sources), (*sources, *known), expected, seats=SEATS, settings=settings)


def _with_articles(folder: Path, wanted: Mapping[str, list]) -> dict[str, dict]:
    names = [name for name in (HOTPOTQA, *SLICES) if published.find(folder, name)] or [HOTPOTQA]
    return {
        instance["_id"]: instance
        for name in names
        for instance in json.loads(published.text(folder, name))
        if instance["_id"] in wanted
    }


def _asked(folder: Path) -> dict[str, dict]:
    """Questions and answers of instances whose articles are not at hand, where somebody collected them."""
    name = "dev_questions_answers.json"
    return json.loads(published.text(folder, name)) if published.find(folder, name) else {}


def _stand_in(key: str, derivations: Sequence[Sequence], asked: Mapping[str, str] | None) -> dict:
    """An instance without articles: the cited sentences say what the steps that cite them say."""
    articles: dict[str, list[str]] = {}
    for title, number, triplet in (step for derivation in derivations for step in derivation):
        sentences = articles.setdefault(title, [])
        sentences.extend([""] * (number + 1 - len(sentences)))
        sentences[number] = f"{sentences[number]} {' '.join(triplet)}.".strip()
    last = derivations[0][-1][2][2]
    return {
        "_id": key,
        "question": asked["question"] if asked else f"What do the articles of {key} lead to?",
        "answer": asked["answer"] if asked else last,
        "context": list(articles.items()),
        "supporting_facts": [],
    }


def _with_cited_places(instance: Mapping, derivations: Sequence[Sequence]) -> dict:
    """The instance, its articles long enough for every sentence that a derivation cites."""
    articles = {title: list(sentences) for title, sentences in instance["context"]}
    for title, number, _ in (step for derivation in derivations for step in derivation):
        sentences = articles.setdefault(title, [])
        sentences.extend(["(This sentence is missing.)"] * (number + 1 - len(sentences)))
    return {**instance, "context": [[title, sentences] for title, sentences in articles.items()]}


def differences(expected: Mapping[str, Sequence[dict]], released: Mapping[str, Sequence[dict]]) -> list[str]:
    """Where a release is not the public one, record by record; neither the order of records nor that of an
    instance's three derivations is part of it: nobody knows who was first."""
    return compared(expected, released, key="id", named="an instance", form=_counted, faults=_lost_and_found)


def _lost_and_found(wanted: Counter, given: Counter) -> Iterator[str]:
    if lost := wanted - given:
        yield f"lacks {' and '.join(lost)}, has {' and '.join(given - wanted)}"


def _counted(row: Mapping) -> Counter:
    """A record's derivations, however often each stands there, steps in their order."""
    return Counter(json.dumps([_listed(step) for step in one], ensure_ascii=False) for one in row["derivations"])


def _listed(step: Mapping | Sequence) -> list:
    if not isinstance(step, Mapping):
        return list(step)
    return [step["title"], step["sentence"], [step["head"], step["relation"], step["tail"]]]
