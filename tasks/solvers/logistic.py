"""Logistic regression that learns one example at a time: log loss, with a step for each weight of its own (AdaGrad).

Some 60 lines of numpy instead of a library: a model is then two arrays in a file that nobody has to unpickle, the same
on every machine, and the worker that loads it grows by megabytes and not by a hundred.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

Row = tuple[np.ndarray, np.ndarray]
_FILE = "weights.npy"


class Logistic:
    """Weights over hashed features and a bias. A row is (feature numbers, their values)."""

    def __init__(self, features: int, *, rate: float = 0.3, pull: float = 1e-4):
        self.rate, self.pull = rate, pull
        # The last weight is the bias. Beside each weight stands the sum of its squared steps.
        self.weights = np.zeros(features + 1, dtype=np.float32)
        self.squares = np.full(features + 1, 1e-2, dtype=np.float32)

    def score(self, row: Row) -> float:
        """The probability of yes."""
        numbers, values = row
        raw = float(self.weights[numbers] @ values) + float(self.weights[-1])
        return float(1 / (1 + np.exp(-np.clip(raw, -30, 30))))

    def learn(self, rows: Iterable[tuple[Row, bool]]) -> None:
        for (numbers, values), is_yes in rows:
            fault = self.score((numbers, values)) - float(is_yes)
            places, steps = np.append(numbers, -1), np.append(values, 1).astype(np.float32) * np.float32(fault)
            steps += np.float32(self.pull) * self.weights[places]
            # A feature number may stand in a row only once: see `features`.
            self.squares[places] += steps**2
            self.weights[places] -= np.float32(self.rate) * steps / np.sqrt(self.squares[places])

    def save(self, folder: Path) -> None:
        np.save(folder / _FILE, np.stack([self.weights, self.squares]), allow_pickle=False)

    def load(self, folder: Path) -> None:
        stored = np.load(folder / _FILE, allow_pickle=False)
        if stored.shape != (2, len(self.weights)) or stored.dtype != np.float32:
            expected = f"(2, {len(self.weights)}) float32"
            raise ValueError(f"{folder / _FILE}: expected {expected}, found {stored.shape} {stored.dtype}")
        self.weights, self.squares = stored[0].copy(), stored[1].copy()
