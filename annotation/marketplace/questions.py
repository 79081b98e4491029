"""Question documents: an address to frame, HTML of the requester's, or a form for us to draw.

XML comes from strangers: no document types, no entities, no network.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml import etree

from annotation.marketplace import forms
from annotation.marketplace.errors import OutOfRange, Refusal
from annotation.marketplace.forms import local_name

MOST_BYTES = 65_535
KINDS = {"ExternalQuestion": "external", "HTMLQuestion": "html", "QuestionForm": "form"}
CHILDREN = {"external": ["ExternalURL", "FrameHeight"], "html": ["HTMLContent", "FrameHeight"]}


@dataclass(frozen=True)
class Question:
    """A question document, read."""

    kind: str
    url: str = ""
    html: str = ""
    frame_height: int = 0


def parse_xml(text: str, what: str) -> etree._Element:
    """The root of a document without document type, or a refusal that says where it breaks."""
    check_size(text, what)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(text.encode(), parser)
    except (etree.XMLSyntaxError, ValueError, UnicodeEncodeError) as error:
        raise Refusal(f"There was an error parsing the XML of {what}: {error}", "XMLParseError") from error
    if root.getroottree().docinfo.doctype:
        raise Refusal(f"The XML of {what} must not have a document type declaration.", "XMLParseError")
    return root


def check_size(text: str, what: str) -> None:
    """Amazon's limits: 65,535 bytes, and no characters outside the basic plane (emoji, rare ideographs)."""
    size = len(text.encode(errors="surrogatepass"))
    if size > MOST_BYTES:
        raise OutOfRange(f"{what} takes at most {MOST_BYTES} bytes, got {size}.")
    if any(ord(character) > 0xFFFF for character in text):
        raise OutOfRange(
            f"The value of {what} holds 4-byte characters (such as emoji), which are not allowed; "
            "write them as numeric character references."
        )


def read(text: str) -> Question:
    """Read the question of a HIT."""
    root = parse_xml(text, "Question")
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
    children = [child for child in root if local_name(child)]
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
    return forms.read(parse_xml(text, "Question"))
