"""Hugging Face sequence classifiers (RoBERTa and kin) as solvers, by name or folder: the optional extra `models`.

torch and transformers are installed only where somebody wants them (`pip install -r requirements-models.txt`), and
imported only when such a solver is first asked. Models are read from a folder, or by name from the hub or its cache.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.solvers.base import NO, YES, Guess, Lesson, Solver, SolverUnavailable

MOST_TOKENS = 256
BATCH = 16
EPOCHS = 3
RATE = 2e-5
# How classifiers call what we call yes and no. A third label (neutral) is no answer and is left out.
_MEANS = {
    YES: {"yes", "true", "entailment", "label_1", "1"},
    NO: {"no", "false", "contradiction", "not_entailment", "label_0", "0"},
}


class Transformer(Solver):
    """A sequence classifier that reads the question alone. It learns at trainings, not between them."""

    name = "transformer"
    learns_online = False

    def __init__(self, source: str):
        self.source = source
        self._loaded: tuple[Any, Any, tuple[int, int]] | None = None

    def answer(self, question: str) -> Guess:
        torch, _ = _packages()
        tokenizer, model, (yes, no) = self._model()
        with torch.inference_mode():
            encoded = tokenizer([question], truncation=True, max_length=MOST_TOKENS, return_tensors="pt")
            chances = torch.softmax(model(**encoded).logits[0, [yes, no]].double(), dim=0)
        return Guess.of(float(chances[0]))

    def train(self, lessons: Sequence[Lesson]) -> None:
        """Fine-tunes the model that the policy names, from its beginning."""
        self._loaded = None
        self.learn(lessons)

    def learn(self, lessons: Sequence[Lesson]) -> None:
        torch, _ = _packages()
        tokenizer, model, (yes, no) = self._model()
        torch.manual_seed(len(lessons))
        optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
        model.train()
        try:
            for _ in range(EPOCHS):
                order = torch.randperm(len(lessons)).tolist()
                for start in range(0, len(order), BATCH):
                    batch = [lessons[place] for place in order[start : start + BATCH]]
                    texts = [lesson.text for lesson in batch]
                    encoded = tokenizer(
                        texts, truncation=True, padding=True, max_length=MOST_TOKENS, return_tensors="pt"
                    )
                    labels = torch.tensor([yes if lesson.answer == YES else no for lesson in batch])
                    optimizer.zero_grad()
                    model(**encoded, labels=labels).loss.backward()
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    optimizer.step()
        finally:
            model.eval()

    def save(self, folder: Path) -> None:
        tokenizer, model, _ = self._model()
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    def load(self, folder: Path) -> None:
        self._loaded = _load(str(folder))

    def _model(self) -> tuple[Any, Any, tuple[int, int]]:
        if self._loaded is None:
            self._loaded = _load(self.source)
        return self._loaded


def yes_and_no(labels: Mapping[int, str]) -> tuple[int, int]:
    """Which outputs of a classifier mean yes and no, by their names. Raises SolverUnavailable where unclear."""
    found = {}
    for meaning, names in _MEANS.items():
        places = [place for place, label in labels.items() if str(label).lower() in names]
        if len(places) != 1:
            raise SolverUnavailable(
                f"expected one label that means {meaning} ({', '.join(sorted(names))}), "
                f"found {', '.join(map(str, labels.values()))}"
            )
        found[meaning] = places[0]
    return found[YES], found[NO]


def _packages() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as missing:
        raise SolverUnavailable(
            f"a transformer solver needs the optional packages (pip install -r requirements-models.txt): {missing}"
        ) from missing
    return torch, transformers


def _load(source: str) -> tuple[Any, Any, tuple[int, int]]:
    _, transformers = _packages()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(source)
    except (OSError, ValueError) as fault:
        raise SolverUnavailable(f"the classifier {source!r} can't be loaded: {str(fault).splitlines()[0]}") from fault
    model.eval()
    return tokenizer, model, yes_and_no(model.config.id2label)
