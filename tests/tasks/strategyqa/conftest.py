"""The public StrategyQA questions, read once."""

import gzip
import json

import pytest


@pytest.fixture(scope="session")
def public_rows(shared_data):
    folder = shared_data / "strategyqa"
    rows = json.loads(gzip.decompress((folder / "train.json.gz").read_bytes()))
    return rows + json.loads((folder / "dev.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def rejected_rows(shared_data):
    return json.loads(gzip.decompress((shared_data / "strategyqa" / "strategyqa_train_filtered.json.gz").read_bytes()))
