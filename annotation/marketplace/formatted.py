"""Requesters' formatted text (`FormattedContent`), cut down to what cannot do anything."""

import re
from html.entities import name2codepoint

from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from django.utils.safestring import SafeString, mark_safe

ALLOWED = {
    "a", "b", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6",
    "hr", "i", "img", "li", "ol", "p", "pre", "q", "small", "span", "strong", "sub", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "tt", "u", "ul",
}  # fmt: skip
DROPPED_WHOLE = {"script", "style", "iframe", "object", "embed", "template", "noscript", "svg", "math", "form"}
ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt", "width", "height"}, "td": {"colspan", "rowspan"}, "th": {"colspan"}}
ADDRESSES = {"href", "src"}


_NAMED = re.compile(r"&(\w+);")
_OF_XML = {"amp", "lt", "gt", "quot", "apos"}


def as_xml(text: str) -> str:
    """The text inside one element, with XHTML's names of characters as numbers: XML itself knows five only."""

    def numbered(found: re.Match) -> str:
        name = found[1]
        return f"&#{name2codepoint[name]};" if name in name2codepoint and name not in _OF_XML else found[0]

    return f"<div>{_NAMED.sub(numbered, text)}</div>"


def safe_html(text: str) -> SafeString:
    """The text with allowed elements and attributes only; addresses are http or https."""
    soup = BeautifulSoup(text, "html.parser")
    for written in soup.find_all(string=True):
        # Comments, CDATA, declarations and the like are written as they stand, and a browser reads markup in them.
        if isinstance(written, PreformattedString):
            written.extract()
    for element in soup.find_all(DROPPED_WHOLE):
        element.decompose()
    for element in soup.find_all(True):
        if element.name not in ALLOWED:
            element.unwrap()
            continue
        allowed = ATTRIBUTES.get(element.name, set())
        element.attrs = {
            name: value
            for name, value in element.attrs.items()
            if name in allowed and (name not in ADDRESSES or str(value).startswith(("http://", "https://")))
        }
        if element.name == "a":
            element.attrs |= {"target": "_blank", "rel": "noopener nofollow"}
    return mark_safe(soup.decode(formatter="html"))  # noqa: S308 - rebuilt from the lists above
