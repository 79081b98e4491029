"""A worker for tests: signs up at the marketplace and works through its pages, over HTTP only."""

from __future__ import annotations

import itertools
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from bs4 import BeautifulSoup

_numbers = itertools.count(1)
_hired: dict[str, itertools.cycle] = {}


def hire(endpoint: str) -> MarketplaceWorker:
    """One of three workers of a marketplace, in turn: signing up costs a slow password hash each time."""
    if endpoint not in _hired:
        _hired[endpoint] = itertools.cycle([MarketplaceWorker(endpoint) for _ in range(3)])
    return next(_hired[endpoint])


class MarketplaceWorker:
    """One person with a browser's cookies, at one marketplace."""

    def __init__(self, endpoint: str):
        self.endpoint = endpoint
        self.session = requests.Session()
        self.name = f"tester{next(_numbers)}"
        self.post("/sign-up/", {"username": self.name, "password": "a long enough secret 1", "consent": "on"})

    @property
    def worker_id(self) -> str:
        """The marketplace's id of this person, as their profile shows it."""
        return self.get("/profile/").select_one("[data-customer-id]").text

    def get(self, path: str) -> BeautifulSoup:
        answer = self.session.get(urljoin(self.endpoint, path), timeout=20)
        return BeautifulSoup(answer.text, "html.parser")

    def post(self, path: str, fields: dict | None = None) -> requests.Response:
        """Posts a form to `path`, as the worker's browser would."""
        if path.endswith(("up/", "in/")):
            self.get(path)
        # The cookie's value is a valid form token too, whichever page gave it.
        token = next((cookie.value for cookie in self.session.cookies if cookie.name.endswith("csrf")), "")
        data = {"csrfmiddlewaretoken": token, **(fields or {})}
        return self.session.post(
            urljoin(self.endpoint, path), data=data, timeout=20, headers={"Referer": urljoin(self.endpoint, path)}
        )

    def accept(self, hit_id: str) -> dict[str, str]:
        """Accepts a HIT and gives the four parameters that its frame receives, and `src`."""
        page = BeautifulSoup(self.post(f"/hits/{hit_id}/accept").text, "html.parser")
        frame = page.find("iframe", id="task")
        assert frame, page.get_text(" ", strip=True)[:400]
        query = parse_qs(urlsplit(frame["src"]).query)
        return {name: values[0] for name, values in query.items()} | {"src": frame["src"]}

    def submit(self, assignment_id: str, **fields: str) -> requests.Response:
        """What the task page's last form does: a bare cross-site POST."""
        return requests.post(
            urljoin(self.endpoint, "/mturk/externalSubmit"),
            data={"assignmentId": assignment_id, **(fields or {"receipt": "r"})},
            timeout=20,
        )

    def give_back(self, assignment_id: str) -> requests.Response:
        return self.post(f"/assignments/{assignment_id}/return")
