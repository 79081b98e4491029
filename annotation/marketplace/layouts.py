"""HIT layouts: question documents with `${placeholders}` that a requester keeps here and HITs fill in."""

import re

from lxml import etree

from annotation.marketplace import documents, questions
from annotation.marketplace.errors import OutOfRange, Refusal, does_not_exist, not_yours
from annotation.marketplace.limits import at_most
from annotation.marketplace.models import Account, HITLayout

PLACEHOLDER = re.compile(r"\$\{([^{}\s]{1,100})\}")
HTML_QUESTION = (
    '<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd">'
    "<HTMLContent>{content}</HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>"
)


def create(*, requester: Account, name: str, content: str) -> HITLayout:
    """Keep a layout: a whole question document, or HTML that becomes one."""
    if not name.strip():
        raise OutOfRange("A layout needs a name.")
    at_most("Name", name, 200)
    content = content.replace("\r\n", "\n").strip()
    if not content:
        raise OutOfRange("The layout is empty.")
    if not re.match(r"(<\?xml[^>]*\?>\s*)?<(ExternalQuestion|HTMLQuestion|QuestionForm)\b", content):
        content = HTML_QUESTION.format(content=_cdata(content))
    layout = HITLayout(requester=requester, name=name.strip(), question=content)
    # Filled with something it must be a question that a HIT can have.
    questions.read(_fill(layout, dict.fromkeys(placeholders(layout), "1")))
    layout.save()
    return layout


def _cdata(text: str) -> str:
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"


def layout_of(requester: Account, layout_id: str) -> HITLayout:
    """One of the requester's own layouts."""
    layout = HITLayout.objects.filter(layout_id=layout_id).first()
    if layout is None:
        raise does_not_exist("HITLayout", layout_id, "HITLayout")
    if layout.requester_id != requester.pk:
        raise not_yours("HITLayout", layout_id)
    return layout


def placeholders(layout: HITLayout) -> list[str]:
    """The names that a HIT has to give values for, in the order they stand."""
    return list(dict.fromkeys(PLACEHOLDER.findall(layout.question)))


def filled(layout: HITLayout, parameters: list[dict]) -> str:
    """The question document with `HITLayoutParameters` put in; every placeholder needs a value."""
    values = {parameter["Name"]: parameter["Value"] for parameter in parameters}
    if len(values) < len(parameters):
        raise Refusal("HITLayoutParameters names a parameter twice.", "InvalidParameterValue")
    wanted = placeholders(layout)
    missing = [name for name in wanted if name not in values]
    unknown = [name[:100] for name in values if name not in wanted]
    if missing or unknown:
        parts = [f"without a value: {', '.join(missing)}"] * bool(missing)
        parts += [f"not in the layout: {', '.join(unknown)}"] * bool(unknown)
        raise Refusal(
            f"HITLayoutParameters do not fit the layout {layout.layout_id}; {'; '.join(parts)}.",
            "InvalidParameterValue",
        )
    return _fill(layout, values)


def _fill(layout: HITLayout, values: dict[str, str]) -> str:
    """Values go into the parsed document, so that none can become markup of the question itself."""

    def put(text: str | None) -> str | None:
        return PLACEHOLDER.sub(lambda found: values[found[1]], text) if text else text

    root = documents.parse(layout.question, "HITLayout")
    for element in root.iter(etree.Element):
        element.text, element.tail = put(element.text), put(element.tail)
        for name, value in element.attrib.items():
            element.set(name, put(value) or "")
        if documents.local_name(element) == "HTMLContent" and element.text and "]]>" not in element.text:
            element.text = etree.CDATA(element.text)
    return etree.tostring(root, encoding="unicode")
