"""Replaying StrategyQA's public train file: what to import, what the crowd knows, and whether the same comes out.

A question's term goes in with the answer that it should have, under the published id. One worker writes the published
question and facts, one the steps, and three (for ten questions four) each give one annotator's evidence; which of
them was first is not known. The texts of the paragraphs are not public: others stand under the published ids. What no
form keeps stays out: blanks at the ends of questions and facts, and invisible characters.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks import published
from tasks.replaying import compared
from tasks.simulation import Replay
from tasks.strategyqa import release
from tasks.strategyqa.evidence import page_of
from tasks.strategyqa.simulation import typed, visible

# The public files hold the official train set in two parts.
PARTS = ("train.json", "dev.json")
DOWNLOADS = (
    "strategyqa/ holds train.json and dev.json of StrategyQA (https://github.com/eladsegal/strategyqa, in "
    "data/strategyqa/)"
)
MATCHERS = 3


def prepare(data: Path, folder: Path, *, limit: int | None = None) -> Replay:
    """The official train questions (the first `limit` of them, the ones with four matchers before all).

    `data` holds `strategyqa/`; what is imported and known is written to `folder`. Raises FileNotFoundError.
    """
    rows = [row for name in PARTS for row in json.loads(published.text(data / "strategyqa", name))]
    rows.sort(key=lambda row: (len(row["evidence"]) == MATCHERS, row["qid"]))
    rows = rows[:limit]
    folder.mkdir(parents=True, exist_ok=True)
    terms, known, paragraphs = folder / "terms.jsonl", folder / "questions.json", folder / "paragraphs.json"
    terms.write_text("".join(f"{json.dumps(_term(row), ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    known.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    paragraphs.write_text(json.dumps(_stand_ins(rows), ensure_ascii=False), encoding="utf-8")
    return Replay(
        sources=(terms,),
        knowledge=(known,),
        corpus=(paragraphs,),
        expected={"train": rows},
        seats=1,
        workers=MATCHERS,
        # The same three people do all stages after the first, and no solver stands in the way of what was accepted.
        settings={"others_only": False, "verification_share": 0.0},
        stages={
            "question": {"items_per_hit": 10, "settings": {"groups": []}},
            "decomposition": {"items_per_hit": 10},
            "evidence": {"items_per_hit": 5},
        },
        more_answers={
            "evidence": {row["qid"]: len(row["evidence"]) - MATCHERS for row in rows if len(row["evidence"]) > MATCHERS}
        },
    )


def _term(row: Mapping[str, Any]) -> dict:
    expected = "yes" if row["answer"] else "no"
    return {"key": row["qid"], "term": row["term"], "description": row["description"], "expected": expected}


def _stand_ins(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict]:
    """A paragraph for every id that any annotator gave."""
    names = {name for row in rows for one in row["evidence"] for step in one for name in _paragraphs(step)}
    found = {}
    for name in sorted(names):
        title, number = page_of(name), int(name.rpartition("-")[2])
        text = f"This text stands for paragraph {number} of the page “{title}”, which is not public."
        found[name] = {"title": title, "section": "", "headers": [], "para_index": number, "content": text}
    return found


def _paragraphs(step: Sequence[Any]) -> list[str]:
    return [name for part in step if isinstance(part, list) for name in part]


def differences(expected: Mapping[str, Sequence[dict]], released: Mapping[str, Sequence[dict]]) -> list[str]:
    """Where a release is not the public one, record by record and field by field. A question's annotators have no
    order, and texts are compared as forms keep them."""
    return compared(
        expected,
        released,
        key="qid",
        named="a question",
        form=_comparable,
        released_form=lambda row: _comparable(release.published(row)),
    )


def _comparable(row: Mapping[str, Any]) -> dict[str, Any]:
    evidence = Counter(json.dumps(annotator, ensure_ascii=False) for annotator in row["evidence"])
    texts = {
        "question": typed(row["question"]),
        "facts": list(map(typed, row["facts"])),
        "decomposition": list(map(visible, row["decomposition"])),
    }
    return {**row, **texts, "evidence": evidence}
