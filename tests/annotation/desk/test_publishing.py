"""A quote is shown, and only exactly what it says is published: from the page, the API and the command."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.hits.models import HIT
from annotation.hits.publishing import quote
from annotation.projects.models import Project, Stage
from annotation.providers.models import Intent
from tests.factories import make_item

PAGE = "/projects/forces/stages/direct_answer/quote/"
API = "/api/v1/projects/forces/stages/direct_answer"
# 7 items: HITs of five and two, five workers each: 10 assignments of $0.50 and a fee of 20 %.
TOTAL = 600


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """No job is woken: the tests look at what is planned."""
    monkeypatch.setattr("annotation.hits.publishing.wake", lambda *args: None)


def agreed(cents=TOTAL, **more) -> dict:
    """What a form or a program sends back of the quote as it is now."""
    return {"confirmed_cents": cents, "digest": quote(Stage.objects.get(project__slug="forces")).digest} | more


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def test_the_quote_names_each_part_of_the_price(items, browse):
    shown = text_of(browse("researcher").get(PAGE))
    assert "Rewards, $0.50 an assignment</dt><dd>$5.00</dd>" in shown
    assert "fees, 20% of the rewards</dt><dd>$1.00</dd>" in shown
    assert 'Total</dt><dd class="total">$6.00</dd>' in shown
    assert "Publish for $6.00" in shown


def test_confirming_the_quote_publishes_it_once(items, browse):
    form = agreed(below_floor_ok="on")
    for _ in range(3):
        response = browse("researcher").post(PAGE, form)
    assert response.status_code == 422
    assert HIT.objects.count() == 2
    assert sum(Intent.objects.filter(kind="create_hit").values_list("cents", flat=True)) == TOTAL


@pytest.mark.parametrize("cents", ["599", "601", "0", "6", "60000", "-600", "", "6.00", "1e3", "600 ", "٦٠٠"])
def test_any_other_amount_publishes_nothing(items, browse, cents):
    response = browse("researcher").post(PAGE, agreed(cents, below_floor_ok="on"))
    published = HIT.objects.count()
    if cents in ("600 ", "٦٠٠"):  # the same number, otherwise written
        assert published == 2
    else:
        assert (response.status_code, published) == (422, 0)


def test_pay_below_the_floor_takes_a_word_of_its_own(project, items, browse):
    Project.objects.update(wage_floor_cents=10_000)
    assert "below your floor" in text_of(browse("researcher").get(PAGE))
    refused = browse("researcher").post(PAGE, agreed())
    assert "below the project's floor" in text_of(refused).replace("&#x27;", "'")
    assert HIT.objects.count() == 0
    browse("researcher").post(PAGE, agreed(below_floor_ok="on"))
    assert HIT.objects.count() == 2


def test_beyond_the_cap_there_is_no_button(project, items, browse):
    Project.objects.update(budget_cap_cents=TOTAL - 1)
    shown = text_of(browse("researcher").get(PAGE))
    assert "budget cap of $5.99 would be exceeded by $0.01" in shown
    assert "Publish for" not in shown
    browse("researcher").post(PAGE, agreed(below_floor_ok="on"))
    assert HIT.objects.count() == 0


def test_a_large_total_has_to_be_typed(project, items, browse):
    project.stages.update(reward_cents=20_000)
    Project.objects.update(budget_cap_cents=10_000_000, wage_floor_cents=0)
    total = 10 * (20_000 + 4_000)
    assert "Type the total to confirm" in text_of(browse("researcher").get(PAGE))
    browse("researcher").post(PAGE, agreed(total))
    browse("researcher").post(PAGE, agreed(total, typed_dollars="240000"))
    assert HIT.objects.count() == 0
    browse("researcher").post(PAGE, agreed(total, typed_dollars="$2,400.00"))
    assert HIT.objects.count() == 2


def test_real_money_takes_the_switch_and_the_typed_total(project, items, browse, settings):
    Project.objects.update(environment="mturk_production", wage_floor_cents=0)
    typed = agreed(typed_dollars="6.00")
    assert "ALLOW_REAL_MONEY is off" in text_of(browse("researcher").get(PAGE))
    browse("researcher").post(PAGE, typed)
    assert HIT.objects.count() == 0
    settings.ALLOW_REAL_MONEY = True
    browse("researcher").post(PAGE, agreed())
    assert HIT.objects.count() == 0
    browse("researcher").post(PAGE, typed)
    assert HIT.objects.count() == 2


def test_the_api_quotes_and_publishes_once(items, call):
    client = call("researcher")
    quote = client.get(f"{API}/quote").json()
    assert (quote["total_cents"], quote["hits"], quote["fits"]) == (TOTAL, 2, True)
    body = {"confirmed_cents": TOTAL, "digest": quote["digest"], "below_floor_ok": True}
    first = client.post(f"{API}/publish", body, format="json")
    assert (first.status_code, first.json()) == (201, {"hits": 2, "cents": TOTAL})
    again = client.post(f"{API}/publish", body, format="json")
    assert (again.status_code, again.json()["quote"]["total_cents"]) == (409, 0)
    assert HIT.objects.count() == 2


def test_the_api_publishes_the_first_items_only(items, call):
    quote = call("researcher").get(f"{API}/quote?limit=5").json()
    assert quote["total_cents"] == 300
    body = {"confirmed_cents": 300, "digest": quote["digest"], "limit": 5, "below_floor_ok": True}
    assert call("researcher").post(f"{API}/publish", body, format="json").status_code == 201
    assert HIT.objects.get().items.count() == 5


def test_the_first_items_are_published_once_though_the_next_would_cost_the_same(project, items, call):
    for number in range(3):
        make_item(project, f"more-{number}")
    quote = call("researcher").get(f"{API}/quote?limit=5").json()
    body = {"confirmed_cents": 300, "digest": quote["digest"], "limit": 5, "below_floor_ok": True}
    assert call("researcher").post(f"{API}/publish", body, format="json").status_code == 201
    again = call("researcher").post(f"{API}/publish", body, format="json")
    assert (again.status_code, again.json()["quote"]["total_cents"]) == (409, 300)
    assert "for other HITs now" in again.json()["detail"]
    assert HIT.objects.count() == 1


@pytest.mark.parametrize("query", ["limit=0", "limit=-1", "limit=x", "only_unfinished=yes"])
def test_the_api_refuses_a_quote_of_nonsense(items, call, query):
    assert call("researcher").get(f"{API}/quote?{query}").status_code == 400


def run(name, *words, capsys):
    call_command(name, "forces", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_command_publishes_what_was_confirmed(items, capsys):
    assert run("quote", capsys=capsys)["total_cents"] == TOTAL
    with pytest.raises(CommandError, match=r"the quote is \$6.00 now, not the \$5.99 that was confirmed"):
        call_command("publish", "forces", "--confirm", "599", "--below-floor")
    assert HIT.objects.count() == 0
    assert run("publish", "--confirm", "600", "--below-floor", capsys=capsys)["hits"] == 2


def test_a_command_that_names_its_quote_publishes_it_once(project, items, capsys):
    for number in range(3):
        make_item(project, f"more-{number}")
    quote = run("quote", "--limit", "5", capsys=capsys)
    words = ("--limit", "5", "--confirm", "300", "--quote", quote["digest"], "--below-floor")
    assert run("publish", *words, capsys=capsys)["hits"] == 1
    with pytest.raises(CommandError, match="for other HITs now"):
        call_command("publish", "forces", *words)
    assert HIT.objects.count() == 1


def test_the_command_asks_where_nobody_said_the_total(items, monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda: "6.00")
    with pytest.raises(CommandError, match="expected 600"):
        call_command("publish", "forces", "--below-floor")
    assert HIT.objects.count() == 0
    monkeypatch.setattr("builtins.input", lambda: "600")
    call_command("publish", "forces", "--below-floor", "--json")
    assert HIT.objects.count() == 2
    told = capsys.readouterr()
    assert "$6.00" in told.err and "Type the total" in told.err
    assert json.loads(told.out)["hits"] == 2


def test_pay_below_the_floor_is_said_before_anybody_is_asked(items, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda: pytest.fail("asked about money"))
    with pytest.raises(CommandError, match=r"pays \$6.00 an hour, below the project's floor of \$10.00.*--below-floor"):
        call_command("publish", "forces")


def test_yes_is_not_enough_for_real_money(project, items, settings):
    settings.ALLOW_REAL_MONEY = True
    Project.objects.update(environment="mturk_production")
    with pytest.raises(CommandError, match="--confirm 600"):
        call_command("publish", "forces", "--yes", "--below-floor")
    assert HIT.objects.count() == 0


def test_topping_up_nothing_says_what_is_missing_though_items_are_open(items):
    with pytest.raises(CommandError, match="no open item of this stage was out before"):
        call_command("top_up", "forces", "--yes", "--below-floor")


def test_topping_up_offers_what_came_back_and_nothing_else(project, items, browse, capsys):
    from tests.factories import make_hit

    make_hit(project, *items[:2], state="closed")
    quote = browse("researcher").get(f"{PAGE}?only=unfinished")
    assert "Publish for $3.00" in text_of(quote)
    assert run("top_up", "--confirm", "300", "--below-floor", capsys=capsys)["hits"] == 1
    assert set(HIT.objects.get(state="planned").items.all()) == set(items[:2])
