"""Our stemmer against NLTK's, which Google's ROUGE package uses."""

import random

from nltk.stem.porter import PorterStemmer

from tasks.stemming import stem

SUFFIXES = (
    "ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti "
    "iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent "
    "ion ou ism ate iti ous ive ize ed ing eed ies ied sses s y e ll"
).split()


def test_stems_are_those_of_nltk_for_words_of_every_shape():
    reference, dice = PorterStemmer(), random.Random(7)
    words = ["", "s", "skies", "dying", "geology", "flies", "dies", "died", "enjoyment", "syzygy", "yyyy", "feed"]
    for _ in range(30_000):
        beginning = "".join(dice.choices("aeiouybtslzwxe", k=dice.randint(0, 6)))
        words.append(beginning + "".join(dice.choices(SUFFIXES, k=dice.choice([1, 1, 2]))))
    assert [word for word in words if stem(word) != reference.stem(word)] == []


def test_a_word_of_many_letters_costs_no_more_than_its_length():
    assert stem("y" * 50_000 + "ing").startswith("yyy")
