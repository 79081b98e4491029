"""Replaying R4C's public release: what to import, what the crowd knows, and whether the same comes out.

Three workers submit the three published derivations of each instance, which of them is whose is not known.
Where an article lacks a cited sentence (copies that were cut otherwise), or is not there at all, an article
that holds the cited places stands in for it. For most instances no article is public with R4C: `whole` replays
those, too, every sentence made of the steps that cite it.
"""

import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tasks.simulation import Replay

INSTANCES = ("r4c_instances_original.json.gz", "r4c_instances_rebuilt.json.gz")
RELEASED = {"dev": "dev_csf.json", "train": "train.json"}
SEATS = 3


def prepare(data: Path, folder: Path, *, limit: int | None = None, whole: bool = False) -> Replay:
    """The released dev instances with real articles (the first `limit` of them); `whole`: all of both splits.

    Who judges the derivations further is not published, so the whole replay leaves that out. `data` holds
    `hotpotqa/` and `r4c/`; what is imported and known is written to `folder`. Raises FileNotFoundError.
    """
    published = {
        split: json.loads((data / "r4c" / name).read_text(encoding="utf-8")) for split, name in RELEASED.items()
    }
    instances = _with_articles(data, published["dev"])
    if whole:
        asked = json.loads((data / "r4c" / "dev_questions_answers.json").read_text(encoding="utf-8"))
        instances = {
            key: _stand_in(key, steps, asked.get(key)) for split in published.values() for key, steps in split.items()
        } | instances
    folder.mkdir(parents=True, exist_ok=True)
    drawn = set(sorted(instances)[:limit])
    sources, known, expected = [], [], {}
    for split, name in RELEASED.items():
        derivations = {key: published[split][key] for key in sorted(drawn & published[split].keys())}
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


def _with_articles(data: Path, published: Mapping[str, list]) -> dict[str, dict]:
    return {
        instance["_id"]: instance
        for name in INSTANCES
        for instance in json.loads(gzip.decompress((data / "hotpotqa" / name).read_bytes()))
        if instance["_id"] in published
    }


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
    found = []
    for split in sorted(set(expected) | set(released)):
        wanted = {row["id"]: _counted(row) for row in expected.get(split, ())}
        given = {row["id"]: _counted(row) for row in released.get(split, ())}
        found += [f"{split}: {key} is missing" for key in wanted if key not in given]
        found += [f"{split}: {key} should not be there" for key in given if key not in wanted]
        if len(given) != len(released.get(split, ())):
            found.append(f"{split}: an instance stands there twice")
        for key in wanted.keys() & given.keys():
            if lost := wanted[key] - given[key]:
                found.append(f"{split}: {key} lacks {' and '.join(lost)}, has {' and '.join(given[key] - wanted[key])}")
    return sorted(found)


def _counted(row: Mapping) -> Counter:
    """A record's derivations, however often each stands there, steps in their order."""
    return Counter(json.dumps([_listed(step) for step in one], ensure_ascii=False) for one in row["derivations"])


def _listed(step: Mapping | Sequence) -> list:
    if not isinstance(step, Mapping):
        return list(step)
    return [step["title"], step["sentence"], [step["head"], step["relation"], step["tail"]]]
