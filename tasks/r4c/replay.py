"""Replaying R4C's public release: what to import, what the crowd knows, and whether the same comes out.

Three workers submit the three published derivations of each instance, which of them is whose is not known.
Where an article lacks a cited sentence (copies that were cut otherwise), or is not there at all, an article
that holds the cited places stands in for it.
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


def prepare(data: Path, folder: Path, *, limit: int | None = None) -> Replay:
    """The released dev instances with real articles (the first `limit` of them).

    `data` holds `hotpotqa/` and `r4c/`; what is imported and known is written to `folder`. Raises
    FileNotFoundError.
    """
    published = json.loads((data / "r4c" / RELEASED["dev"]).read_text(encoding="utf-8"))
    instances = {
        instance["_id"]: instance
        for name in INSTANCES
        for instance in json.loads(gzip.decompress((data / "hotpotqa" / name).read_bytes()))
        if instance["_id"] in published
    }
    keys = sorted(instances)[:limit]
    folder.mkdir(parents=True, exist_ok=True)
    source, known = folder / "hotpot-dev.jsonl", folder / "dev_csf.json"
    lines = [json.dumps(_with_cited_places(instances[key], published[key]), ensure_ascii=False) for key in keys]
    source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    known.write_text(json.dumps({key: published[key] for key in keys}, ensure_ascii=False), encoding="utf-8")
    return Replay(
        sources=(source,),
        knowledge=(source, known),
        expected={"dev": [{"id": key, "derivations": published[key]} for key in keys]},
        seats=SEATS,
        settings={"derivability_share": 0.0},
    )


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
