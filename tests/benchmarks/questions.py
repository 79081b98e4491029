"""Questions to fill a database with: different from one another, and none that the filter excludes."""

import json
from pathlib import Path

THINGS = "seed leaf pebble cloud raindrop feather shadow lantern magnet kite snail river glacier comet ember".split()
FORCES = "wind water heat light sound gravity friction pressure".split()


def question(number: int) -> dict:
    """In the shape of an item."""
    thing, force = THINGS[number % len(THINGS)], FORCES[number % len(FORCES)]
    text = (
        f"In experiment {number} a class watches a {thing} near a window for {number % 9 + 2} days and writes down "
        f"what {force} does to it. The {thing} is found in another place in the morning. What moved the {thing}?"
    )
    options = [{"label": label, "text": f"the {FORCES[(number + place) % 8]}"} for place, label in enumerate("ABCD")]
    return {"question": text, "choices": options, "answer_key": "A"}


def write_questions(path: Path, count: int) -> None:
    """As a file of ARC's."""
    with path.open("w") as out:
        for number in range(count):
            shown = question(number)
            choices = {
                "text": [one["text"] for one in shown["choices"]],
                "label": [one["label"] for one in shown["choices"]],
            }
            row = {"id": f"B{number}", "question": shown["question"], "choices": choices, "answerKey": "A"}
            out.write(json.dumps(row) + "\n")


def write_release(folder: Path, count: int) -> None:
    """Data that `replay` brings out again: so many questions, half of them for training."""
    (folder / "arc").mkdir(parents=True)
    (folder / "arc-da").mkdir()
    for level in ("Easy", "Challenge"):
        for split in ("train", "test"):
            (folder / "arc" / f"ARC-{level}-{split}.jsonl").touch()
    for split, numbers in (("train", range(0, count, 2)), ("test", range(1, count, 2))):
        sources, rows = [], []
        for number in numbers:
            shown = question(number)
            choices = {"text": [one["text"] for one in shown["choices"]], "label": list("ABCD")}
            sources.append({"id": f"B{number}", "question": shown["question"], "choices": choices, "answerKey": "A"})
            force = FORCES[number % len(FORCES)]
            answers = [f"the {force}", force, f"the {force} moved it", f"{force} of the night"][: number % 4 + 1]
            tag = f"EASY-{split.upper()}"
            rows.append(
                {"question_id": f"ARCEZ_B{number}", "tag": tag, "question": shown["question"], "answers": answers}
            )
        for path, lines in (
            (folder / "arc" / f"ARC-Easy-{split}.jsonl", sources),
            (folder / "arc-da" / f"{split}.jsonl", rows),
        ):
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
