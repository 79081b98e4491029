"""Pages cut out once and filled in: spots, and runs of pieces in another order."""

from annotation.workbench.stencils import HOLD, Stencil, end, piece, spot

PAGE = f"<ol>{piece('r')}<li>a{spot('x')}</li>{piece('r')}<li>b</li>{piece('r')}<li>c</li>{end('r')}</ol>{spot('y')}"


def test_what_is_not_filled_in_is_empty():
    assert Stencil(PAGE).fill({}) == "<ol><li>a</li><li>b</li><li>c</li></ol>"


def test_pieces_stand_in_the_order_that_is_asked_for_with_what_is_filled_into_them():
    stencil = Stencil(PAGE)
    assert stencil.fill({"x": "!", "y": "."}, {"r": [2, 0, 1]}) == "<ol><li>c</li><li>a!</li><li>b</li></ol>."
    assert stencil.fill({"x": "!"}) == "<ol><li>a!</li><li>b</li><li>c</li></ol>", "and the stencil stays as it was"


def test_a_run_inside_an_item_survives_the_filling_of_its_card():
    run = f"{HOLD}.r"
    card = Stencil(f"<p>{spot('body')}</p>", keep=HOLD)
    html = card.fill({"body": f"{piece(run)}a{piece(run)}b{end(run)}"}).replace(HOLD, "7")
    assert Stencil(html).fill({}, {"7.r": [1, 0]}) == "<p>ba</p>"
