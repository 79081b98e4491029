"""XML that strangers sent, read without what it could do to us: no document types, no entities, no network."""

from lxml import etree

from annotation.marketplace.errors import OutOfRange, Refusal

MOST_BYTES = 65_535


def parse(text: str, what: str) -> etree._Element:
    """The root of a document without document type, or a refusal that says where it breaks."""
    check_size(text, what)
    # What its declaration says of an encoding held for the file it was read from; here it is UTF-8.
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
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


def local_name(element: etree._Element) -> str:
    """An element's name without its namespace; empty for comments."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: etree._Element, name: str = "") -> list[etree._Element]:
    """The elements directly inside, all or those of one name."""
    return [child for child in element if local_name(child) and name in ("", local_name(child))]


def child(element: etree._Element, name: str) -> etree._Element | None:
    """The first element of this name directly inside."""
    return next(iter(children(element, name)), None)


def text_of(element: etree._Element | None) -> str:
    """All text inside, without the space around it; empty where there is no element."""
    return "" if element is None else "".join(element.itertext()).strip()
