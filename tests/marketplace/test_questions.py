"""Question documents: what is taken, what is refused, and how those we draw ourselves are answered."""

import re

import pytest
import requests
from lxml import etree

from tests.marketplace.people import EXTERNAL, frame_of
from tests.marketplace.test_qualifications import TEST as FORM

SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
HTML = f"""<HTMLQuestion xmlns="{SCHEMA}/2011-11-11/HTMLQuestion.xsd"><HTMLContent><![CDATA[
<!DOCTYPE html><html><head><script src="https://s3.amazonaws.com/mturk-public/externalHIT_v1.js"></script></head>
<body><form id="mturk_form" method="post" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" name="assignmentId" value=""><textarea name="why"></textarea><input type="submit">
</form><script>turkSetAssignmentID();</script></body></html>]]></HTMLContent><FrameHeight>450</FrameHeight></HTMLQuestion>"""


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("not xml", "XMLParseError"),
        ("", "InvalidParameterValue"),
        (EXTERNAL.replace("</ExternalQuestion>", ""), "XMLParseError"),
        ("<Other xmlns='x'/>", "XMLParseError"),
        (re.sub(r' xmlns="[^"]+"', "", EXTERNAL), "XMLParseError"),
        (EXTERNAL.replace("<FrameHeight>0</FrameHeight>", ""), "XMLParseError"),
        (EXTERNAL.replace(">0<", ">tall<"), "XMLParseError"),
        (EXTERNAL.replace(">0<", ">-5<"), "XMLParseError"),
        (EXTERNAL.replace("http://localhost:8102/task/abc", "javascript:alert(1)"), "InvalidParameterValue"),
        (EXTERNAL.replace("http://localhost:8102/task/abc", "data:text/html,x"), "InvalidParameterValue"),
        (EXTERNAL.replace("http://localhost:8102/task/abc", "http://"), "InvalidParameterValue"),
        (EXTERNAL.replace("http://localhost:8102/task/abc", "//host/x"), "InvalidParameterValue"),
        (EXTERNAL.replace("http://localhost:8102/task/abc", "http://x/?a=1&b=2"), "XMLParseError"),
        ('<!DOCTYPE a [<!ENTITY e "x">]>' + EXTERNAL, "XMLParseError"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd">' + EXTERNAL, "XMLParseError"),
        (EXTERNAL.replace("task/abc", "&unknown;"), "XMLParseError"),
        (HTML.replace("450", ""), "XMLParseError"),
        (FORM.replace("<QuestionIdentifier>float</QuestionIdentifier>", ""), "XMLParseError"),
        (FORM.replace(">why<", ">float<"), "XMLParseError"),
        (re.sub(r"<SelectionAnswer>.*</SelectionAnswer>", "", FORM, flags=re.DOTALL), "XMLParseError"),
    ],
)
def test_a_bad_question_is_refused_with_its_code(requester, question, code):
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.hit(Question=question)
    assert caught.value.response["TurkErrorCode"] == f"AWS.MechanicalTurk.{code}"


def test_a_billion_laughs_cost_nothing(requester):
    layers = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE a [<!ENTITY l0 "ha">{layers}]>' + EXTERNAL.replace("task/abc", "&l9;")
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.hit(Question=bomb)


def test_a_query_of_the_address_is_kept_and_added_to(requester, worker):
    url = "http://localhost:8102/task/abc?survey=1&amp;lang=en"
    hit = requester.hit(Question=EXTERNAL.replace("http://localhost:8102/task/abc", url))
    _, given = frame_of(worker.accept(hit["HITId"]))
    assert given["survey"] == "1"
    assert given["lang"] == "en"
    assert given["hitId"] == hit["HITId"]


def test_requesters_html_is_framed_without_an_origin_and_hands_in_here(requester, worker):
    hit = requester.hit(Question=HTML)
    page = worker.accept(hit["HITId"])
    sandbox = re.search(r'<iframe id="task"[^>]* sandbox="([^"]+)"', page.text)[1]
    assert "allow-same-origin" not in sandbox
    assert 'height="450"' in page.text
    src, given = frame_of(page)
    framed = requests.get(src, params=given, timeout=10)
    policy = framed.headers["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "X-Frame-Options" not in framed.headers
    assert f'action="{requester.url}/mturk/externalSubmit"' in framed.text
    assert "/static/marketplace/external-hit.js" in framed.text
    assert worker.submit(given["assignmentId"], why="because").status_code == 200


def test_a_form_is_drawn_answered_and_stored_as_amazon_does(requester, worker):
    hit = requester.hit(Question=FORM)
    src, given = frame_of(worker.accept(hit["HITId"]))
    drawn = requests.get(src, params=given, timeout=10)
    assert "Why does ice float?" in drawn.text
    form = {**given, "q.float": "dense", "q.why": "it is lighter"}
    assert requests.post(f"{requester.url}/mturk/formSubmit", data=form, timeout=10).status_code == 200
    row = requester.client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"][0]
    root = etree.fromstring(row["Answer"].encode())
    answers = [[(etree.QName(part).localname, part.text) for part in one] for one in root]
    assert answers == [
        [("QuestionIdentifier", "why"), ("FreeText", "it is lighter")],
        [("QuestionIdentifier", "float"), ("SelectionIdentifier", "dense")],
    ]


def test_a_form_with_missing_answers_comes_back_with_what_was_typed(requester, worker):
    hit = requester.hit(Question=FORM)
    _, given = frame_of(worker.accept(hit["HITId"]))
    back = requests.post(f"{requester.url}/mturk/formSubmit", data={**given, "q.why": "my words"}, timeout=10)
    assert back.status_code == 400
    assert "my words" in back.text
    assert given["assignmentId"] in back.text
    assert requester.client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"] == []


def test_the_preview_of_a_form_cannot_be_handed_in(requester, worker):
    hit = requester.hit(Question=FORM)
    src, given = frame_of(worker.get(f"/groups/{hit['HITGroupId']}/preview"))
    drawn = requests.get(src, params=given, timeout=10)
    assert "This is a preview" in drawn.text
    assert "<button" not in drawn.text


def test_formatted_content_keeps_its_form_and_loses_its_teeth():
    from annotation.marketplace.formatted import safe_html

    text = (
        '<p onclick="x()">Read <b>this</b><script>alert(1)</script><a href="javascript:x()">a</a>'
        '<a href="https://example.org/">b</a><img src="http://h/i.png" onerror="x()" style="x"><!-- c -->'
        "<svg><script>1</script></svg><form><input></form><blink>old</blink></p>"
    )
    assert safe_html(text) == (
        '<p>Read <b>this</b><a rel="noopener nofollow" target="_blank">a</a>'
        '<a href="https://example.org/" rel="noopener nofollow" target="_blank">b</a>'
        '<img src="http://h/i.png"/>old</p>'
    )


LIVE = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    "text",
    [
        f"<p>a<![CDATA[>{LIVE}]]>b</p>",
        f"<![CDATA[]]>{LIVE}",
        f"<?php >{LIVE}?>",
        f"<!--> {LIVE} -->",
        f"<!-- --!>{LIVE}",
        f"<!DOCTYPE x [<!ENTITY a '{LIVE}'>]>",
        f"<!ELEMENT a '>{LIVE}'>",
        f"<!>{LIVE}",
        f"</ {LIVE}>",
        f"<textarea>{LIVE}</textarea>",
        f"<title>{LIVE}</title>",
        f"<xmp>{LIVE}</xmp>",
        f"<plaintext>{LIVE}",
        f"<noembed>{LIVE}</noembed>",
        f"<script>{LIVE}</script>",
        f"<svg><style>{LIVE}</style></svg>",
        f"<math><mtext><table><mglyph><style><!--</style>{LIVE}",
        f"<template>{LIVE}</template>",
        '<a href="https://x/&quot; onclick=&quot;alert(1)">a</a>',
        "<a href='https://x/\"><img src=x onerror=alert(1)>'>a</a>",
        '<img src="https://x/" alt="`><img src=x onerror=alert(1)>">',
        "<IMG SRC=x ONERROR=alert(1)>",
        "<img/src=x/onerror=alert(1)>",
        '<a href=" javascript:alert(1)">a</a>',
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<b><i></b><script>alert(1)",
        "\x00<script\x00>alert(1)</script>",
    ],
)
def test_formatted_content_from_an_enemy_is_harmless(text):
    from annotation.marketplace.formatted import ALLOWED, safe_html

    made = safe_html(text)
    tag = r"""</?([a-z0-9]+)((?: [a-z]+=(?:"[^"<>]*"|'[^'<>]*'))*)/?>"""
    assert set(name for name, _ in re.findall(tag, made)) <= ALLOWED
    attributes = {
        name for _, given in re.findall(tag, made) for name in re.findall(r""" ([a-z]+)=(?:"[^"]*"|'[^']*')""", given)
    }
    assert attributes <= {"href", "src", "alt", "width", "height", "target", "rel", "colspan", "rowspan"}
    assert "<" not in re.sub(tag, "", made)
    assert not re.search(r"""(?:href|src)=["'](?!https?://)""", made)


def test_files_are_not_asked_for_any_more(requester):
    asks = re.sub(r"<FreeTextAnswer>.*</FreeTextAnswer>", "<FileUploadAnswer/>", FORM, flags=re.DOTALL)
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.hit(Question=asks)
    assert "uploads ended in 2017" in str(caught.value)


def test_the_address_of_an_upload_is_good_for_a_minute_and_says_there_is_none(requester, submitted):
    url = requester.client.get_file_upload_url(AssignmentId=submitted[1], QuestionIdentifier="q 1")["FileUploadURL"]
    answer = requests.get(url, timeout=10)
    assert (answer.status_code, "no uploaded file" in answer.text) == (404, True)
    assert "not made here" in requests.get(url[:-3], timeout=10).text


def test_html_can_stand_at_an_address_of_its_own(requester, worker, settings, site):
    settings.MARKETPLACE_CONTENT_URL = site.replace("127.0.0.1", "localhost")
    page = worker.accept(requester.hit(Question=HTML)["HITId"])
    address, parameters = frame_of(page)
    assert address.startswith(settings.MARKETPLACE_CONTENT_URL + "/questions/")
    framed = requests.get(address, params=parameters, timeout=30)
    assert f"frame-ancestors 'self' {site}" in framed.headers["Content-Security-Policy"]
    assert f'action="{site}/mturk/externalSubmit"' in framed.text
    assert f'src="{settings.MARKETPLACE_CONTENT_URL}/static/' in framed.text
