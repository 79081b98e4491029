"""Reads HotpotQA in its list form and in the column form of the dataset card, and draws a stored sample.

Options: `split` (train, dev; else from the file's name), `sample` (how many instances to draw), `seed`, and
`opposite` (yes, the default, or no: whether a yes/no question offers the opposite word as a candidate); an empty one
counts as not given. The sample is the instances with the smallest keyed hashes, so that it depends on the seed and the
ids alone, neither on the order of the file nor on what else is imported.
"""

import hashlib
import heapq
import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tasks.base import SourceItem, SourceProblem
from tasks.r4c.candidates import candidates
from tasks.sources import NoItem, keyed, told_by_name

SPLITS = {"train": "train", "dev": "dev", "validation": "dev"}
MOST_CHARACTERS = 200_000
MOST_ARTICLES = 50


def read(path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
    """The instances of a file as items, or the reasons why one is refused."""
    try:
        split = told_by_name("split", SPLITS, path, options)
        sample, seed = _number(options, "sample"), options.get("seed", "").strip() or "0"
        offer_opposite = _yes_or_no(options, "opposite")
    except NoItem as problem:
        yield SourceProblem(path.name, 0, str(problem))
        return
    items = _instances(path, split, offer_opposite)
    yield from items if sample is None else _drawn(items, sample, seed)


def _drawn(items: Iterator[SourceItem | SourceProblem], size: int, seed: str) -> Iterator[SourceItem | SourceProblem]:
    """`size` of the items, drawn by seed; problems pass. Keeps no more than the sample in memory."""
    kept: list[tuple[int, str, SourceItem]] = []
    for item in items:
        if isinstance(item, SourceProblem):
            yield item
            continue
        rank = int.from_bytes(hashlib.sha256(f"{seed}:{item.key}".encode()).digest()[:8], "big")
        # heapq keeps the smallest on top; the largest rank must be there to be pushed out.
        entry = (-rank, item.key, item)
        if len(kept) < size:
            heapq.heappush(kept, entry)
        elif size:
            heapq.heappushpop(kept, entry)
    yield from (item for _, _, item in sorted(kept, key=lambda entry: (-entry[0], entry[1])))


def _instances(path: Path, split: str, offer_opposite: bool) -> Iterator[SourceItem | SourceProblem]:
    for found in keyed(path, instance_of):
        if isinstance(found, SourceProblem):
            yield found
            continue
        identifier, payload = found
        titles = [article["title"] for article in payload["articles"]]
        payload["candidates"] = candidates(identifier, payload["answer"], titles, offer_opposite=offer_opposite)
        yield SourceItem(identifier, payload, split)


def instance_of(record: Any) -> tuple[str, dict]:
    """Id and item payload of a record in either form. Raises `NoItem` with the reason."""
    if not isinstance(record, dict):
        raise NoItem("expected an object")
    identifier = _text(record, "_id" if "_id" in record else "id")
    if re.search(r"\s", identifier) or len(identifier) > 100:
        raise NoItem(f"expected an id without blanks of at most 100 characters, found {identifier[:40]!r}")
    articles = _articles(record.get("context"))
    sentences = {article["title"]: len(article["sentences"]) for article in articles}
    facts = _facts(record.get("supporting_facts"))
    gold = {title for title, _ in facts} | set(_texts(record.get("supporting_titles") or [], "supporting_titles"))
    if missing := sorted(gold - sentences.keys()):
        raise NoItem(f"gold article missing from the context: {', '.join(missing)}")
    # HotpotQA cites sentences that its articles do not have now and then.
    cited = [{"title": title, "sentence": number} for title, number in facts if number < sentences[title]]
    return identifier, {
        "question": _text(record, "question").strip(),
        "answer": _text(record, "answer").strip(),
        "articles": articles,
        "supporting_facts": cited,
    }


def _articles(context: Any) -> list[dict]:
    """Articles from pairs of title and sentences, or from a column of each; empty sentences keep their number."""
    if isinstance(context, dict):
        titles, columns = context.get("title"), context.get("sentences")
        if not isinstance(titles, list) or not isinstance(columns, list) or len(titles) != len(columns):
            raise NoItem("expected context.title and context.sentences to be lists of one length")
        context = list(zip_longest(titles, columns))
    if not isinstance(context, list) or not context:
        raise NoItem("expected context to be a list of articles")
    if len(context) > MOST_ARTICLES:
        raise NoItem(f"expected at most {MOST_ARTICLES} articles, found {len(context)}")
    articles = []
    for pair in context:
        match pair:
            case (str(title), list(sentences)) if title.strip():
                articles.append({"title": title, "sentences": _texts(sentences, f"sentences of {title!r}")})
            case _:
                raise NoItem(f"expected [title, [sentences]] in context, found {str(pair)[:40]!r}")
    titles = [article["title"] for article in articles]
    if doubled := next((title for title in titles if titles.count(title) > 1), ""):
        raise NoItem(f"two articles bear the title {doubled!r}")
    if sum(len(sentence) for article in articles for sentence in article["sentences"]) > MOST_CHARACTERS:
        raise NoItem(f"expected articles of at most {MOST_CHARACTERS:,} characters together")
    return articles


def _facts(facts: Any) -> list[tuple[str, int]]:
    """Supporting facts from pairs or columns; none where the source has none."""
    if facts is None:
        return []
    if isinstance(facts, dict):
        titles, numbers = facts.get("title"), facts.get("sent_id")
        if not isinstance(titles, list) or not isinstance(numbers, list) or len(titles) != len(numbers):
            raise NoItem("expected supporting_facts.title and .sent_id to be lists of one length")
        facts = list(zip_longest(titles, numbers))
    if not isinstance(facts, list):
        raise NoItem("expected supporting_facts to be a list")
    found = []
    for pair in facts:
        match pair:
            case (str(title), int(number)) if number >= 0:
                found.append((title, number))
            case _:
                raise NoItem(f"expected [title, sentence number] in supporting_facts, found {str(pair)[:40]!r}")
    return list(dict.fromkeys(found))


def _text(record: dict, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NoItem(f"expected {name} to be a text that is not empty")
    return value


def _texts(values: Any, name: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise NoItem(f"expected {name} to be a list of texts")
    return values


def _number(options: Mapping[str, str], name: str) -> int | None:
    given = options.get(name, "")
    if given and not (given.isascii() and given.isdigit()):
        raise NoItem(f"expected {name} to be a whole number, found {given!r}")
    return int(given) if given else None


def _yes_or_no(options: Mapping[str, str], name: str) -> bool:
    given = options.get(name, "").strip().lower() or "yes"
    if given not in ("yes", "no"):
        raise NoItem(f"expected {name} to be yes or no, found {given!r}")
    return given == "yes"
