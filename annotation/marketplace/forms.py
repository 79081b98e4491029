"""QuestionForm documents: read into plain parts that a template draws, and the posted answers read back."""

import math
import re
from dataclasses import dataclass, field

from lxml import etree

from annotation.marketplace import formatted
from annotation.marketplace.documents import child, children, local_name, text_of
from annotation.marketplace.errors import Refusal

TEXT, CHOICE = "text", "choice"
STYLES = ("radiobutton", "checkbox", "list", "dropdown", "combobox", "multichooser")


@dataclass(frozen=True)
class Content:
    """A piece of an overview or question: `title`, `text`, `list`, `image`, `link` or `html`."""

    kind: str
    text: str = ""
    items: tuple[str, ...] = ()
    url: str = ""


@dataclass(frozen=True)
class Selection:
    """One thing that can be chosen."""

    identifier: str
    content: tuple[Content, ...]


@dataclass(frozen=True)
class Asked:
    """One question of a form."""

    identifier: str
    display_name: str
    required: bool
    content: tuple[Content, ...]
    kind: str
    default: str = ""
    lines: int = 0
    least: int | None = None
    most: int | None = None
    numeric: bool = False
    style: str = "radiobutton"
    selections: tuple[Selection, ...] = ()
    least_selections: int = 1
    most_selections: int = 1
    other: bool = False

    @property
    def several(self) -> bool:
        """Whether more than one selection may be made."""
        return self.most_selections > 1


@dataclass(frozen=True)
class Form:
    """A whole form: overviews and questions in their order."""

    parts: tuple[tuple[Content, ...] | Asked, ...] = field(default_factory=tuple)

    @property
    def questions(self) -> list[Asked]:
        """The questions alone."""
        return [part for part in self.parts if isinstance(part, Asked)]


def _wrong(message: str) -> Refusal:
    return Refusal(f"QuestionForm: {message}", "XMLParseError")


def read(root: etree._Element) -> Form:
    """Read a parsed QuestionForm, or say which part is not right."""
    parts = []
    for one in children(root):
        name = local_name(one)
        if name == "Overview":
            parts.append(_content(one))
        elif name == "Question":
            parts.append(_question(one))
        else:
            raise _wrong(f"expected Overview or Question, found {name}.")
    form = Form(tuple(parts))
    identifiers = [asked.identifier for asked in form.questions]
    if not identifiers:
        raise _wrong("it holds no Question.")
    if len(set(identifiers)) < len(identifiers):
        raise _wrong("two questions have the same QuestionIdentifier.")
    return form


def _content(element: etree._Element) -> tuple[Content, ...]:
    readers = {"Title": "title", "Text": "text", "FormattedContent": "html"}
    pieces = []
    for one in children(element):
        name = local_name(one)
        if name == "FormattedContent":
            _check_xhtml(one)
        if name in readers:
            pieces.append(Content(readers[name], text_of(one)))
        elif name == "List":
            pieces.append(Content("list", items=tuple(text_of(item) for item in children(one))))
        elif name in ("Binary", "Application", "EmbeddedBinary"):
            pieces.append(_binary(one))
    return tuple(pieces)


def _check_xhtml(element: etree._Element) -> None:
    if children(element):
        raise Refusal("QuestionForm: FormattedContent takes its XHTML in a CDATA section.", "XHTMLParseError")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        etree.fromstring(formatted.as_xml(text_of(element)), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Refusal(f"QuestionForm: FormattedContent is not well-formed XHTML: {error}", "XHTMLParseError") from error


def _binary(element: etree._Element) -> Content:
    url = text_of(child(element, "DataURL"))
    if not url.startswith(("http://", "https://")):
        raise _wrong(f"DataURL must be an http or https address; found {url[:100]!r}.")
    kind = text_of(child(child(element, "MimeType"), "Type")) if child(element, "MimeType") is not None else ""
    text = text_of(child(element, "AltText"))
    return Content("image" if kind == "image" else "link", text or url, url=url)


def _question(element: etree._Element) -> Asked:
    identifier = text_of(child(element, "QuestionIdentifier"))
    if not identifier:
        raise _wrong("a Question has no QuestionIdentifier.")
    content, specification = child(element, "QuestionContent"), child(element, "AnswerSpecification")
    if content is None or specification is None:
        raise _wrong(f"question {identifier} needs QuestionContent and AnswerSpecification.")
    common = {
        "identifier": identifier,
        "display_name": text_of(child(element, "DisplayName")),
        "required": text_of(child(element, "IsRequired")).lower() in ("true", "1"),
        "content": _content(content),
    }
    kinds = children(specification)
    if [local_name(kind) for kind in kinds] == ["FileUploadAnswer"]:
        raise _wrong(f"question {identifier} asks for a file; uploads ended in 2017 and are not taken here.")
    readers = {
        "FreeTextAnswer": _free_text,
        "SelectionAnswer": _selection,
    }
    if len(kinds) != 1 or local_name(kinds[0]) not in readers:
        raise _wrong(f"AnswerSpecification of {identifier} must hold one of {', '.join(readers)}.")
    return Asked(**common, **readers[local_name(kinds[0])](kinds[0], identifier))


def _whole(text: str | None, where: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise _wrong(f"{where} must be a whole number; found {text[:20]!r}.")
    return int(text)


def _free_text(element: etree._Element, identifier: str) -> dict:
    found: dict = {"kind": TEXT, "default": text_of(child(element, "DefaultText"))}
    found["lines"] = _whole(text_of(child(element, "NumberOfLinesSuggestion")), "NumberOfLinesSuggestion") or 1
    constraints = child(element, "Constraints")
    if constraints is None:
        return found
    for one in children(constraints):
        if local_name(one) == "IsNumeric":
            found |= {"numeric": True}
            found |= _bounds(one.get("minValue"), one.get("maxValue"), identifier)
        elif local_name(one) == "Length":
            found |= _bounds(one.get("minLength"), one.get("maxLength"), identifier)
    return found


def _bounds(least: str | None, most: str | None, identifier: str) -> dict:
    return {
        "least": _whole(least, f"the minimum of {identifier}"),
        "most": _whole(most, f"the maximum of {identifier}"),
    }


def _selection(element: etree._Element, identifier: str) -> dict:
    selections = child(element, "Selections")
    if selections is None or not children(selections):
        raise _wrong(f"SelectionAnswer of {identifier} holds no Selections.")
    read_ones = []
    for one in children(selections):
        if local_name(one) == "OtherSelection":
            continue
        name = text_of(child(one, "SelectionIdentifier"))
        if not name:
            raise _wrong(f"a Selection of {identifier} has no SelectionIdentifier.")
        read_ones.append(Selection(name, _content(one)))
    style = text_of(child(element, "StyleSuggestion")) or "radiobutton"
    most = _whole(text_of(child(element, "MaxSelectionCount")), "MaxSelectionCount")
    least = _whole(text_of(child(element, "MinSelectionCount")), "MinSelectionCount")
    return {
        "kind": CHOICE,
        "style": style if style in STYLES else "radiobutton",
        "selections": tuple(read_ones),
        "least_selections": 1 if least is None else least,
        "most_selections": max(1, most or 1),
        "other": child(selections, "OtherSelection") is not None,
    }


@dataclass(frozen=True)
class Given:
    """The answers to a form, as posted."""

    texts: dict[str, str]
    selections: dict[str, tuple[str, ...]]
    others: dict[str, str]
    faults: dict[str, str]


def answers_to(form: Form, posted) -> Given:
    """Read posted fields (a `QueryDict`): `q.ID` for texts and choices, `other.ID` for a choice of one's own."""
    texts, selections, others, faults = {}, {}, {}, {}
    for asked in form.questions:
        values = posted.getlist(f"q.{asked.identifier}")
        if asked.kind == CHOICE:
            known = [selection.identifier for selection in asked.selections]
            selections[asked.identifier] = tuple(name for name in known if name in values)
            if asked.other and posted.get(f"other.{asked.identifier}", "").strip():
                others[asked.identifier] = posted[f"other.{asked.identifier}"].strip()
            fault = _choice_fault(asked, selections[asked.identifier], others.get(asked.identifier))
        else:
            texts[asked.identifier] = values[0] if values else ""
            fault = _text_fault(asked, texts[asked.identifier].strip())
        if fault:
            faults[asked.identifier] = fault
    return Given(texts, selections, others, faults)


def _choice_fault(asked: Asked, chosen: tuple[str, ...], other: str | None) -> str:
    count = len(chosen) + bool(other)
    if chosen and other and not asked.several:
        return "Please choose one: an answer of the list, or your own words."
    if count == 0:
        return "Please choose an answer." if asked.required else ""
    if count > asked.most_selections:
        return f"Please choose at most {asked.most_selections}."
    if count < asked.least_selections:
        return f"Please choose at least {asked.least_selections}."
    return ""


def _number(text: str) -> float | None:
    """The number that stands there as people write one: no `nan`, no `1_000`."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def _text_fault(asked: Asked, text: str) -> str:
    if not text:
        return "Please answer this question." if asked.required else ""
    if asked.numeric:
        size, what = _number(text), ""
        if size is None:
            return "Please enter a number."
    else:
        size, what = len(text), " characters"
    if asked.least is not None and size < asked.least:
        return f"At least {asked.least}{what}, please."
    if asked.most is not None and size > asked.most:
        return f"At most {asked.most}{what}, please."
    return ""
