"""A scripted expert: signs in to the admin and works through the review queue by posting its pages."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

from django.conf import settings

from annotation.simulation.browser import SECONDS_TO_ANSWER, Browser, Page
from tasks.simulation import Sheet, Verdict

SECONDS_BETWEEN_LOOKS = 0.5
# The sign of the review pages that a program wants to read them.
AS_JSON = {"Accept": "application/json"}


class Expert:
    """One reviewer of a project. `show="blind"`: gives second decisions, without sight of the first."""

    def __init__(
        self,
        *,
        site: str,
        name: str,
        password: str,
        project: str,
        simulation: ModuleType,
        knowledge: Any,
        show: str = "",
    ):
        self.site, self.name, self.password = site.rstrip("/"), name, password
        self.project, self.show = project, show
        self.simulation, self.knowledge = simulation, knowledge
        self.browser = Browser()
        self.decisions: Counter = Counter()

    def enter(self) -> None:
        """Signs in. Raises Unexpected, with what the page says."""
        page = self.browser.get(f"{self.site}/admin/")
        form = page.form('.//input[@name="password"]')
        if form is None:
            raise page.unexpected("a form with a password")
        page = self.browser.submit(form, username=self.name, password=self.password)
        if page.status != 200 or page.form('.//input[@name="password"]') is not None:
            raise page.unexpected(f"{self.name} to be let in")

    def review(self, *, until: Callable[[], bool] = lambda: True, decided: Callable[[], None] = lambda: None) -> None:
        """Decides what waits, until nothing does and `until` says that nothing more will come."""
        pause = threading.Event()
        while True:
            # Asked first: what came in before everybody was done is still there to be found.
            is_last = until()
            if not self._go_through(decided) and is_last:
                return
            if not is_last:
                pause.wait(SECONDS_BETWEEN_LOOKS)

    def look_again(self, *, decided: Callable[[], None] = lambda: None) -> int:
        """Accepts after all what a rule rejected although the expert knows it to be good. Gives how many."""
        pardoned = 0
        for address in self._rejected():
            sheet = self._get(address)
            verdict = self._verdict(sheet)
            if verdict.decision == "accept":
                self._post(address, sheet, verdict)
                pardoned += 1
                decided()
        return pardoned

    # --- One question ---

    def _go_through(self, decided: Callable[[], None]) -> int:
        shown = f"&show={self.show}" if self.show else ""
        address = self._get(f"{self.site}/admin/review/outcome/next/?project={self.project}{shown}")["next"]
        count = 0
        while address:
            sheet = self._get(address)
            address = self._post(address, sheet, self._verdict(sheet))
            count += 1
            decided()
        return count

    def _verdict(self, found: dict) -> Verdict:
        value = found["value"]
        sheet = Sheet(
            page=found["key"],
            texts={name: part for name, part in value.items() if isinstance(part, str)},
            lists={
                name: [entry["text"] for entry in part]
                for name, part in value.items()
                if isinstance(part, list) and all(isinstance(entry, dict) and "text" in entry for entry in part)
            },
        )
        return self.simulation.verdict_on(sheet, self.knowledge)

    def _get(self, address: str) -> dict:
        answer = self.browser.session.get(urljoin(self.site, address), headers=AS_JSON, timeout=SECONDS_TO_ANSWER)
        return answer_in_json(answer)

    def _post(self, address: str, sheet: dict, verdict: Verdict) -> str:
        """Sends the decision, a second time with a yes to what the page warns of. Gives the next address."""
        url = urljoin(self.site, address)
        fields = {
            "csrfmiddlewaretoken": self.browser.session.cookies[settings.CSRF_COOKIE_NAME],
            "decision": verdict.decision,
            "reason_text": verdict.reason,
            "version": str(sheet["version"]),
            "mode": sheet["mode"],
            "show": self.show,
            "operations": json.dumps(operations_of(verdict, sheet["value"])),
        }
        answer = self.browser.session.post(url, data=fields, headers=AS_JSON, timeout=SECONDS_TO_ANSWER)
        if answer.status_code == 422 and answer.json().get("error") == "confirm":
            self.decisions["confirmed"] += 1
            fields["confirmed"] = "1"
            answer = self.browser.session.post(url, data=fields, headers=AS_JSON, timeout=SECONDS_TO_ANSWER)
        told = answer_in_json(answer)
        self.decisions[verdict.decision] += 1
        return told["next"] or ""

    def _rejected(self) -> list[str]:
        """Addresses of all rejected questions, page by page of the queue."""
        page: Page | None = self.browser.get(f"{self.site}/admin/review/outcome/?project={self.project}&show=rejected")
        found: list[str] = []
        while page is not None:
            found += [link.get("href") for link in page.all('//td[contains(@class, "question")]//a')]
            following = page.find('//nav[contains(@class, "pages")]//a[contains(@href, "after=")]')
            page = self.browser.get(page.address(following.get("href"))) if following is not None else None
        return found

    def close(self) -> None:
        self.browser.close()


def operations_of(verdict: Verdict, value: dict) -> list[dict]:
    """A verdict as the review page's operations; what it leaves as it was needs none."""
    if verdict.decision != "accept":
        return []
    operations = [
        {"op": "reword", "field": name, "text": text} for name, text in verdict.texts.items() if text != value[name]
    ]
    operations += [
        {"op": "choose", "field": name, "value": option}
        for name, option in verdict.choices.items()
        if option != value[name]
    ]
    for name, places in verdict.removed.items():
        operations += [{"op": "remove", "field": name, "index": place} for place in places]
    for name, texts in verdict.added.items():
        operations += [{"op": "add", "field": name, "text": text} for text in texts]
    return operations


def answer_in_json(answer: Any) -> dict:
    """What a page answers to a program. Raises Unexpected, with what it says instead."""
    is_json = answer.headers.get("Content-Type", "").startswith("application/json")
    if answer.status_code != 200 or not is_json:
        raise Page(answer.url, answer.status_code, answer.text).unexpected("an answer in JSON")
    return answer.json()
