"""A browser without eyes: fetches pages, finds the forms on them, fills them in and posts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urljoin

import lxml.html
import requests
from lxml.html import HtmlElement
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

SECONDS_TO_ANSWER = 60
# A connection that the server closed in the meantime is opened anew; what is posted is posted once.
_AGAIN = Retry(total=3, connect=3, read=2, other=0, status=0, allowed_methods=["GET"], backoff_factor=0.1)
_UNSENT = {"submit", "button", "image", "reset", "file"}


class Unexpected(Exception):
    """A page that is not what a person would have expected there; says which page, and how it begins."""


@dataclass
class Form:
    """A form as it stands on a page: where it goes, and what it would send now."""

    action: str
    method: str
    values: dict[str, list[str]]
    element: HtmlElement = field(repr=False)

    @property
    def names(self) -> set[str]:
        """All fields that it has, also those that are empty."""
        return {part.get("name") for part in self.element.iter("input", "textarea", "select") if part.get("name")}


@dataclass
class Page:
    """What a server answered."""

    url: str
    status: int
    text: str

    @cached_property
    def root(self) -> HtmlElement:
        # Without a declared encoding in front, since the text is decoded already.
        return lxml.html.document_fromstring(self.text or "<html></html>")

    def find(self, path: str) -> HtmlElement | None:
        """The first element at this XPath."""
        found = self.root.xpath(path)
        return found[0] if found else None

    def all(self, path: str) -> list[HtmlElement]:
        return self.root.xpath(path)

    def form(self, holding: str) -> Form | None:
        """The first form that holds what this relative XPath finds."""
        element = self.find(f"//form[{holding}]")
        return form_of(element, self.url) if element is not None else None

    def address(self, relative: str) -> str:
        return urljoin(self.url, relative)

    def unexpected(self, wanted: str) -> Unexpected:
        """An error that says what was wanted here and what was found."""
        body = self.find("//main") if self.text else None
        shown = text_of(body if body is not None else self.root)[:300]
        return Unexpected(f"expected {wanted} at {self.url}, found status {self.status}: {shown}")


class Browser:
    """One person's browser: cookies and open connections."""

    def __init__(self) -> None:
        self.session = requests.Session()
        self.session.trust_env = False  # the services are near, whatever proxy the machine uses
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(pool_connections=4, pool_maxsize=1, max_retries=_AGAIN))

    def get(self, url: str) -> Page:
        return _page(self.session.get(url, timeout=SECONDS_TO_ANSWER))

    def post(self, url: str, values: Mapping[str, Sequence[str]]) -> Page:
        """Posts fields and follows where the answer leads."""
        body = {name: list(given) for name, given in values.items()}
        return _page(self.session.post(url, data=body, timeout=SECONDS_TO_ANSWER))

    def submit(self, form: Form, **changes: str | Sequence[str]) -> Page:
        """Sends a form with these fields changed."""
        values = form.values | {name: [v] if isinstance(v, str) else list(v) for name, v in changes.items()}
        return self.post(form.action, values)

    def close(self) -> None:
        self.session.close()


def _page(answer: requests.Response) -> Page:
    answer.encoding = "utf-8"
    return Page(answer.url, answer.status_code, answer.text)


def form_of(element: HtmlElement, url: str) -> Form:
    """What this form would send if it were submitted as it stands."""
    values: dict[str, list[str]] = {}
    for part in element.iter("input", "textarea", "select"):
        name = part.get("name")
        if name and part.get("disabled") is None:
            values.setdefault(name, []).extend(_values_of(part))
    return Form(urljoin(url, element.get("action") or url), (element.get("method") or "get").lower(), values, element)


def _values_of(part: HtmlElement) -> list[str]:
    if part.tag == "textarea":
        # A line break right after the tag is not part of the text.
        return [(part.text or "").removeprefix("\n")]
    if part.tag == "select":
        chosen = part.xpath(".//option[@selected]") or part.xpath(".//option")[:1]
        return [option.get("value", text_of(option)) for option in chosen]
    kind = (part.get("type") or "text").lower()
    if kind in _UNSENT or (kind in ("checkbox", "radio") and part.get("checked") is None):
        return []
    return [part.get("value", "on" if kind in ("checkbox", "radio") else "")]


def text_of(element: HtmlElement) -> str:
    """The words of an element with single blanks."""
    return " ".join(element.text_content().split())
