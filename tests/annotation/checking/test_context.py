"""Checks get what they declare under `needs`, and nothing else."""

import pytest

from annotation.checking import context
from tasks.base import Check


def reads(item, answer, given):
    return None


def test_only_what_is_asked_for_is_gathered(monkeypatch):
    monkeypatch.setattr(
        context, "NEEDS", {"a": context.Need(lambda scope: "A"), "b": context.Need(lambda scope: 1 / 0)}
    )
    assert context.gather([Check(reads, "warn", needs=("a",)), Check(reads, "warn")]) == {"a": "A"}


def test_an_unknown_need_is_an_error_that_lists_what_exists():
    with pytest.raises(LookupError, match=r"no provider for the need 'crystal_ball'; there are .*language"):
        context.gather([Check(reads, "warn", needs=("crystal_ball",))])


def test_a_need_has_one_provider():
    with pytest.raises(ValueError, match="has a provider already"):
        context.provides("language")(lambda scope: None)


def test_the_language_pipeline_reads_no_more_than_its_limit():
    read = context.gather([Check(reads, "warn", needs=("language",))])["language"]
    assert [token.pos_ for token in read("Plants need light.")][:2] == ["NOUN", "VERB"]
    assert len(read("word " * 5_000).text) == context.MOST_CHARACTERS
