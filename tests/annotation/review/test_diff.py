import pytest

from annotation.review.diff import words_changed


def test_only_the_words_that_changed_are_marked():
    assert words_changed("The force is the", "The force is called what?") == [
        ("same", "The force is "),
        ("removed", "the"),
        ("added", "called what?"),
    ]


@pytest.mark.parametrize("pair", [("", "a b"), ("a b", ""), ("Which gas, then?", "Which gas?"), ("x\ny  z", "x y z ")])
def test_the_pieces_add_up_to_both_texts(pair):
    before, after = pair
    changes = words_changed(before, after)
    assert "".join(text for kind, text in changes if kind != "added") == before
    assert "".join(text for kind, text in changes if kind != "removed") == after
