"""Question documents: an address to frame, HTML of the requester's, or a form for us to draw."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml import etree

from annotation.marketplace import documents, forms
from annotation.marketplace.documents import local_name
from annotation.marketplace.errors import Refusal

KINDS = {"ExternalQuestion": "external", "HTMLQuestion": "html", "QuestionForm": "form"}
CHILDREN = {"external": ["ExternalURL", "FrameHeight"], "html": ["HTMLContent", "FrameHeight"]}


@dataclass(frozen=True)
class Question:
    """A question document, read."""

    kind: str
    url: str = ""
    html: str = ""
    frame_height: int = 0


def read(text: str) -> Question:
    """Read the question of a HIT."""
    root = documents.parse(text, "Question")
    kind = KINDS.get(local_name(root))
    if kind is None:
        raise Refusal(
            f"Question must be an ExternalQuestion, HTMLQuestion or QuestionForm; found {local_name(root)}.",
            "XMLParseError",
        )
    if not etree.QName(root).namespace:
        raise Refusal(f"{local_name(root)} needs its xmlns attribute, the address of its schema.", "XMLParseError")
    if kind == "form":
        forms.read(root)
        return Question("form")
    return _read_framed(root, kind)


def _read_framed(root: etree._Element, kind: str) -> Question:
    children = documents.children(root)
    names = [local_name(child) for child in children]
    if names != CHILDREN[kind]:
        raise Refusal(
            f"{local_name(root)} must hold {' and '.join(CHILDREN[kind])} in this order; "
            f"found {', '.join(names) or 'nothing'}.",
            "XMLParseError",
        )
    content = (children[0].text or "").strip()
    height = (children[1].text or "").strip()
    if not (height.isascii() and height.isdigit() and len(height) < 6):
        raise Refusal(f"FrameHeight must be a whole number of pixels; found {height[:20]!r}.", "XMLParseError")
    if kind == "html":
        if not content:
            raise Refusal("HTMLContent is empty.", "XMLParseError")
        return Question(kind, html=content, frame_height=int(height))
    return Question(kind, url=_checked_url(content), frame_height=int(height))


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise Refusal(f"ExternalURL must be an http or https address; found {url[:200]!r}.", "InvalidParameterValue")
    return url


def form_of(text: str) -> forms.Form:
    """The parts of a stored QuestionForm."""
    return forms.read(documents.parse(text, "Question"))
