"""HIT layouts: kept on the requester's page, filled by calls, refused with the protocol's words."""

import pytest
from django.test import Client

from annotation.marketplace import layouts, questions
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, HITLayout
from tests.marketplace.people import EXTERNAL

HTML = (
    '<!doctype html><form action="https://www.mturk.com/mturk/externalSubmit" method="post">'
    "<p>${sentence}</p><p>${sentence} or ${other}?</p></form>"
)


@pytest.fixture
def layout(requester):
    return layouts.create(requester=requester.account, name="Pairs", content=HTML)


def publish(requester, layout, **values):
    parameters = [{"Name": name, "Value": value} for name, value in values.items()]
    return requester.hit(Question=None, HITLayoutId=layout.layout_id, HITLayoutParameters=parameters)


def refusal(requester, code, **given):
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.hit(Question=None, **given)
    assert caught.value.response["TurkErrorCode"] == f"AWS.MechanicalTurk.{code}"
    return str(caught.value)


def test_a_hit_of_a_layout_holds_its_values_and_names_it(requester, layout):
    hit = publish(requester, layout, sentence="Birds fly.", other="Fish swim.")
    assert hit["HITLayoutId"] == layout.layout_id
    html = questions.read(hit["Question"]).html
    assert "<p>Birds fly.</p><p>Birds fly. or Fish swim.?</p>" in html
    assert requester.client.get_hit(HITId=hit["HITId"])["HIT"]["HITLayoutId"] == layout.layout_id


@pytest.mark.parametrize(
    "value", ["]]></HTMLContent><FrameHeight>9</FrameHeight>", "a & b < c", "${other}", "\\1 $& é"]
)
def test_a_value_stays_a_value(requester, layout, value):
    hit = publish(requester, layout, sentence=value, other="x")
    read = questions.read(hit["Question"])
    assert f"<p>{value}</p>" in read.html
    assert read.frame_height == 0


def test_a_whole_document_is_a_layout_too(requester):
    kept = layouts.create(
        requester=requester.account, name="Ours", content=EXTERNAL.replace("task/abc", "task/${item}?a=1&amp;b=${item}")
    )
    hit = publish(requester, kept, item="q&7")
    assert HIT.objects.get(hit_id=hit["HITId"]).external_url.endswith("/task/q&7?a=1&b=q&7")


def test_parameters_must_fit_the_layout(requester, layout):
    words = refusal(
        requester,
        "InvalidParameterValue",
        HITLayoutId=layout.layout_id,
        HITLayoutParameters=[{"Name": "sentence", "Value": "x"}, {"Name": "colour", "Value": "x"}],
    )
    assert "without a value: other" in words
    assert "not in the layout: colour" in words
    twice = [{"Name": "sentence", "Value": "x"}] * 2
    assert "twice" in refusal(
        requester, "InvalidParameterValue", HITLayoutId=layout.layout_id, HITLayoutParameters=twice
    )
    assert HIT.objects.count() == 0


def test_an_unknown_layout_and_somebody_elses_are_refused(requester, make_requester, layout):
    assert "does not exist" in refusal(requester, "HITLayoutDoesNotExist", HITLayoutId="3LAYOUT")
    refusal(make_requester("other"), "PermissionDenied", HITLayoutId=layout.layout_id)


def test_a_hit_has_a_question_or_a_layout_and_not_both(requester, layout):
    refusal(requester, "InvalidParameterValue")
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.hit(HITLayoutId=layout.layout_id)


def test_a_layout_that_no_hit_could_have_is_not_kept(requester):
    for content in ("", EXTERNAL.replace("http://", "${scheme}://"), "<ExternalQuestion>${a}</ExternalQuestion>"):
        with pytest.raises(Refusal):
            layouts.create(requester=requester.account, name="Bad", content=content)
    assert HITLayout.objects.count() == 0


def test_a_requester_keeps_sees_and_deletes_a_layout_on_the_page(requester):
    page = Client()
    page.force_login(requester.account)
    made = page.post("/requester/layouts/", {"name": "Pairs", "content": HTML}, follow=True)
    assert "“Pairs” is kept." in made.content.decode()
    assert '{"Name": "other", "Value": "…"}' in made.content.decode().replace("&quot;", '"')
    assert "<code>sentence</code>" in page.get("/requester/layouts/").content.decode()
    kept = HITLayout.objects.get()
    hit = publish(requester, kept, sentence="a", other="b")
    page.post(f"/requester/layouts/{kept.layout_id}/")
    assert HITLayout.objects.count() == 0
    assert requester.client.get_hit(HITId=hit["HITId"])["HIT"]["HITLayoutId"] == kept.layout_id


def test_what_was_typed_comes_back_when_a_layout_is_refused(requester):
    page = Client()
    page.force_login(requester.account)
    answer = page.post("/requester/layouts/", {"name": "", "content": "<p>An hour of typing</p>"})
    assert answer.status_code == 409
    assert "&lt;p&gt;An hour of typing&lt;/p&gt;" in answer.content.decode()


def test_somebody_elses_layout_has_no_page(make_requester, layout):
    page = Client()
    page.force_login(make_requester("other").account)
    assert page.get(f"/requester/layouts/{layout.layout_id}/").status_code == 409
    page.post(f"/requester/layouts/{layout.layout_id}/")
    assert HITLayout.objects.count() == 1
