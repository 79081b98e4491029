"""Verbs told without a language model."""

import pytest

from tasks.checks.verbs import holds_a_verb


@pytest.mark.parametrize(
    "phrase", ["is a town in", "served as", "stars Shirley Temple as", "was born in", "died in", "featuring", "has"]
)
def test_relations_with_a_verb_are_recognised(phrase):
    assert holds_a_verb(phrase)


@pytest.mark.parametrize("phrase", ["in", "the king of", "'s", "during", "", "of the red bed", "boss of"])
def test_phrases_without_one_are_too(phrase):
    assert not holds_a_verb(phrase)
