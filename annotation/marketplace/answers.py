"""Answers as MTurk stores them: a QuestionFormAnswers document."""

import re

from lxml import etree

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"
# Fields that belong to the hand-over and are no answers.
ENVELOPE = {"assignmentId", "csrfmiddlewaretoken"}
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(fields: list[tuple[str, str]]) -> str:
    """One `Answer` per posted field, in the order posted."""
    root = etree.Element("QuestionFormAnswers", nsmap={None: NAMESPACE})
    for name, value in fields:
        answer = etree.SubElement(root, "Answer")
        etree.SubElement(answer, "QuestionIdentifier").text = _writable(name)
        etree.SubElement(answer, "FreeText").text = _writable(value)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True).decode()


def _writable(text: str) -> str:
    """XML has no place for most control characters; everything else stays as typed."""
    return UNWRITABLE.sub("\ufffd", text)


def write_form(given) -> str:
    """The answers to a QuestionForm: texts as FreeText, choices as SelectionIdentifier."""
    root = etree.Element("QuestionFormAnswers", nsmap={None: NAMESPACE})
    for identifier in {**given.texts, **given.selections}:
        answer = etree.SubElement(root, "Answer")
        etree.SubElement(answer, "QuestionIdentifier").text = _writable(identifier)
        if identifier in given.texts:
            etree.SubElement(answer, "FreeText").text = _writable(given.texts[identifier])
        for name in given.selections.get(identifier, ()):
            etree.SubElement(answer, "SelectionIdentifier").text = _writable(name)
        if identifier in given.others:
            etree.SubElement(answer, "OtherSelectionText").text = _writable(given.others[identifier])
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True).decode()


def read(answer: str) -> list[tuple[str, str]]:
    """The answers of a stored document as (field, text) pairs, for people to look at."""
    if not answer:
        return []
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(answer.encode(), parser)
    return [
        (one[0].text or "", "; ".join(part.text or "" for part in one[1:]))
        for one in root
        if isinstance(one.tag, str) and len(one)
    ]
