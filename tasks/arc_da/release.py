"""The published form of ARC-DA: one object a question, Easy and Challenge merged, ARC's splits kept."""

from collections.abc import Iterable

from tasks.arc_da.importing import PREFIXES
from tasks.base import Accepted, Shape

SPLITS = ("train", "dev", "test")


class Row(Shape):
    """A released question: the field names of the public files."""

    question_id: str
    tag: str
    question: str
    answers: list[str]


def rows(accepted: Iterable[Accepted], stage: str) -> dict[str, list[dict]]:
    """Rows by split; Easy before Challenge, as in the public files, and by id within."""
    splits: dict[str, list[dict]] = {split: [] for split in SPLITS}
    for item in accepted:
        splits.setdefault(item.split, []).append(row(item, stage))
    for released in splits.values():
        released.sort(key=lambda row: (not row["tag"].startswith("EASY"), row["question_id"]))
    return {split: released for split, released in splits.items() if released}


def row(item: Accepted, stage: str) -> dict:
    """One question as released: the wording and the answers that the experts left, each text once."""
    outcome = item.outcomes[stage]
    texts = [answer["text"].strip() for answer in outcome["answers"]]
    return {
        "question_id": item.key,
        "tag": tag_of(item.key, item.split),
        "question": outcome["question"].strip(),
        "answers": [text for text in dict.fromkeys(texts) if text],
    }


def tag_of(key: str, split: str) -> str:
    """EASY or CHALLENGE by the prefix of a question's id, and the split; questions from elsewhere have no set."""
    sets = [name.upper() for name, prefix in PREFIXES.items() if key.startswith(prefix)]
    return "-".join([*sets, split.upper()])
