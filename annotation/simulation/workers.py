"""One simulated worker: signs up, looks for work, accepts, types, is objected to, hands in or gives back."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from lxml.html import HtmlElement

from annotation.simulation.browser import Browser, Form, Page, form_of, text_of
from annotation.simulation.characters import HABITS
from tasks.simulation import Person, Seen

# What a page's form posts, by name.
Values = dict[str, list[str]]

MARKETPLACE_FORM = './/input[@name="receipt"][@value!=""]'
TASK_FRAME = '//iframe[@id="task"]'
# The page says that solvers are still at it.
STILL_TRIED = '//*[@data-check="is_being_tried"]'
SECONDS_TO_TRY = 1.0
MOST_WAITS = 30
WORK_FORM = './/input[@name="context"]'


class Turn(Enum):
    """What became of one look for work."""

    DONE = "handed in"
    RETURNED = "given back"
    REFUSED = "given back, since the task is not for this worker"
    NOTHING = "nothing on offer"


@dataclass
class Tally:
    """What a worker has done, as they could tell themselves."""

    character: str
    assignments: int = 0
    returned: int = 0
    refused: int = 0
    drafts: int = 0
    findings: Counter = field(default_factory=Counter)
    earned_cents: int = 0

    def add(self, other: Tally) -> None:
        for name in ("assignments", "returned", "refused", "drafts", "earned_cents"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.findings += other.findings


@dataclass(frozen=True)
class Account:
    """A worker's name and password at the marketplace."""

    name: str
    password: str


class Worker:
    """A person with a browser at a marketplace. `wanted`: take HITs with these ids only; None: whatever there is."""

    def __init__(
        self,
        *,
        endpoint: str,
        account: Account,
        person: Person,
        rng: Random,
        simulation: ModuleType,
        knowledge: Any,
        wanted: Callable[[str], bool] | None = None,
        seconds_to_think: float = 0.0,
    ):
        self.endpoint = endpoint.rstrip("/")
        self.account, self.person, self.rng = account, person, rng
        self.simulation, self.knowledge = simulation, knowledge
        self.wanted, self.seconds_to_think = wanted, seconds_to_think
        self.habits = HABITS[person.character]
        self.browser = Browser()
        self.tally = Tally(person.character)
        self.earned_before = 0
        # How the task page tells one open tab from another.
        self.tab = "".join(filter(str.isalnum, account.name))[-40:]
        self._group: Form | None = None
        self._queued: list[str] | None = None
        # What the task's own page did not let this worker do: not tried again.
        self._refused: set[str] = set()

    # --- At the marketplace ---

    def enter(self) -> None:
        """Signs up, or signs in where the name is taken already. Raises Unexpected, with what the page says."""
        name, password = self.account.name, self.account.password
        refused = self._fill_in("/sign-up/", username=name, password=password, consent="on")
        if _is_inside(refused):
            return
        page = self._fill_in("/sign-in/", username=name, password=password)
        if not _is_inside(page):
            raise refused.unexpected(f"{name} to be let in")

    def _fill_in(self, path: str, **values: str) -> Page:
        page = self.browser.get(self.endpoint + path)
        if (form := page.form('.//input[@name="password"]')) is None:
            raise page.unexpected("a form with a password")
        return self.browser.submit(form, **values)

    def turn(self) -> Turn:
        """One HIT from finding it to handing it in or giving it back."""
        page = self._accept()
        if page is None:
            return Turn.NOTHING
        frame = page.find(TASK_FRAME)
        if frame is None:
            raise page.unexpected("the task's frame")
        task = self.browser.get(page.address(frame.get("src")))
        if (form := task.form(WORK_FORM)) is None:
            # The task's own page refuses this worker: it asks to return the HIT.
            self.tally.refused += 1
            is_new = (hit := _hit_in(page)) not in self._refused
            self._refused.add(hit)
            self._give_back(page)
            return Turn.REFUSED if is_new else Turn.NOTHING
        if self.habits.returns and self.rng.randrange(self.habits.returns) == 0:
            self._type(task, form, self._answers(task, form), half=True)
            self._give_back(page)
            return Turn.RETURNED
        receipt = self._work(task, form)
        if receipt is None:
            self._give_back(page)
            return Turn.RETURNED
        self._hand_in(receipt)
        return Turn.DONE

    def _accept(self) -> Page | None:
        """The page of the next HIT: one left in the queue, of the group worked on last, or found in the list."""
        if (page := self._resume()) is not None:
            return page
        if self.wanted is None and self._group is not None:
            page = self._press(self._group)
            if page is not None:
                return page
        for address, form in self._offers():
            page = self._press(form)
            if page is not None:
                self._group = address
                return page
        return None

    def _resume(self) -> Page | None:
        """Work that was accepted before, perhaps in an earlier run that broke off. Looked for once."""
        if self._queued is None:
            page = self.browser.get(f"{self.endpoint}/queue/")
            self._queued = [page.address(link.get("href")) for link in page.all("//article[@data-assignment]//h2/a")]
        while self._queued:
            page = self.browser.get(self._queued.pop())
            if page.find(TASK_FRAME) is not None and (self.wanted is None or self.wanted(_hit_in(page))):
                return page
        return None

    def _offers(self) -> Iterator[tuple[Form, Form]]:
        """Forms that accept: (the group's, the one to press now), for each group on the list that has wanted work."""
        listed = self.browser.get(f"{self.endpoint}/hits/")
        for group in listed.all("//article[@data-group]"):
            elements = group.xpath('.//form[contains(@action, "/accept")]')
            if not elements:
                continue
            form = form_of(elements[0], listed.url)
            if self.wanted is None:
                yield form, form
            elif (preview := self._wanted_preview(group.get("data-group"))) is not None:
                yield form, preview

    def _wanted_preview(self, group: str) -> Form | None:
        """The form that accepts the first wanted HIT of a group, skipping the others one by one."""
        seen: set[str] = set()
        after = ""
        while True:
            page = self.browser.get(f"{self.endpoint}/groups/{group}/preview{after and f'?after={after}'}")
            if page.find(TASK_FRAME) is None or (hit := _hit_in(page)) in seen:
                return None
            seen.add(hit)
            if self.wanted is not None and hit not in self._refused and self.wanted(hit):
                form = page.find('//form[contains(@action, "/accept")]')
                return form_of(form, page.url) if form is not None else None
            after = hit

    def _press(self, form: Form) -> Page | None:
        """The work page that accepting leads to; None where somebody else was faster or nothing is left."""
        page = self.browser.submit(form)
        return page if page.status == 200 and page.find(TASK_FRAME) is not None else None

    def _give_back(self, page: Page) -> None:
        form = page.form('.//*[@name="reason"]')
        if form is None:
            raise page.unexpected("a way to return the HIT")
        self.browser.submit(form, reason="I could not go on")
        self.tally.returned += 1

    def _hand_in(self, receipt: Page) -> None:
        form = receipt.form(MARKETPLACE_FORM)
        page = self.browser.submit(form)
        if page.find("//*[@data-status]") is None:
            raise page.unexpected("a word that the work is handed in")
        self.tally.assignments += 1

    def earned_cents(self) -> int:
        """What the marketplace says it owes for approved work."""
        page = self.browser.get(f"{self.endpoint}/earnings/")
        shown = page.find("//*[@data-rewards]")
        if shown is None:
            raise page.unexpected("the sum of rewards")
        return int(shown.get("data-rewards")) + int(shown.get("data-bonuses"))

    # --- On the task's page ---

    def _work(self, task: Page, form: Form) -> Page | None:
        """Types and hands over until the page gives a receipt. None: the worker lost patience."""
        answers = self._answers(task, form)
        self._type(task, form, answers)
        attempts, waited = 0, 0
        while attempts < self.habits.patience:
            attempts += 1
            page = self.browser.post(task.url, form.values | answers)
            if page.form(MARKETPLACE_FORM) is not None:
                return page
            form = page.form(WORK_FORM)
            if form is None:
                raise page.unexpected("a receipt, or the form again")
            if waited < MOST_WAITS and page.find(STILL_TRIED) is not None:
                # Not the worker's fault: the same words again in a moment.
                attempts, waited = attempts - 1, waited + 1
                time.sleep(SECONDS_TO_TRY)
                continue
            if form.values.get("confirmed", [""])[0] and self.habits.confirms:
                self._note_findings(page)
                continue
            objections = self._note_findings(page)
            answers |= self._answers(page, form, objections)
        return None

    def _answers(self, page: Page, form: Form, objections: dict[str, list[str]] | None = None) -> Values:
        """What to enter: for all items, or for those that the page objected to."""
        self._think()
        values: Values = {}
        for article in _items(page, form):
            item = article.get("data-item")
            if objections is not None and item not in objections:
                continue
            shown = article.xpath('.//*[contains(concat(" ", @class, " "), " shown ")]')
            asked = [field.get("data-field").partition(".")[2] for field in article.xpath(".//*[@data-field]")]
            text = text_of(shown[0] if shown else article)
            seen = Seen(text, tuple((objections or {}).get(item, ())), tuple(asked), item)
            answer = self.simulation.answer_for(seen, self.person, self.rng, self.knowledge)
            values |= {f"{item}.{name}": given for name, given in answer.items()}
        return values

    def _note_findings(self, page: Page) -> dict[str, list[str]]:
        """What the page objects to, by item; only what blocks is to be put right."""
        objections: dict[str, list[str]] = {}
        for said in page.all('//*[@data-findings]//*[contains(concat(" ", @class, " "), " finding ")]'):
            place = said.xpath("ancestor::*[@data-findings]")[0].get("data-findings")
            level = next((level for level in ("block", "warn", "note") if level in said.get("class").split()), "")
            self.tally.findings[level] += 1
            if level == "block":
                objections.setdefault(place.partition(".")[0], []).append(text_of(said))
        return objections

    def _type(self, task: Page, form: Form, answers: Values, *, half: bool = False) -> None:
        """Saves drafts on the way, as the page's script does while somebody types."""
        names = list(answers)
        if half:
            names = names[: max(1, len(names) // 2)]
        saves = max(1, self.habits.drafts) if half else self.habits.drafts
        revision = int(json.loads(task.find('//script[@id="page-data"]').text).get("revision") or 0)
        for turn in range(1, saves + 1):
            typed = {name: answers[name] for name in names[: -(-len(names) * turn // saves)]}
            revision = self._save(task, form, typed, revision, turn)
            self._think()

    def _save(self, task: Page, form: Form, typed: Values, revision: int, turn: int) -> int:
        answer = self.browser.session.post(
            urlsplit(task.url)._replace(query="").geturl() + "draft",
            json={"base_revision": revision, "values": typed, "tab": self.tab, "turn": turn},
            headers={"X-Context": form.values["context"][0]},
            timeout=60,
        )
        if answer.status_code != 200:
            raise Page(answer.url, answer.status_code, answer.text).unexpected("the draft to be saved")
        self.tally.drafts += 1
        return answer.json()["revision"]

    def _think(self) -> None:
        if self.seconds_to_think:
            time.sleep(self.rng.expovariate(1 / self.seconds_to_think))


def _items(page: Page, form: Form) -> list[HtmlElement]:
    """The items in the form to work on; worked examples stand outside it."""
    return form.element.xpath(".//*[@data-item]")


def _hit_in(page: Page) -> str:
    """The HIT that a page's frame shows."""
    return parse_qs(urlsplit(page.find(TASK_FRAME).get("src")).query).get("hitId", [""])[0]


def _is_inside(page: Page) -> bool:
    """Whether a sign-in or sign-up led somewhere: the page asks for no password any more."""
    return page.status == 200 and page.form('.//input[@name="password"]') is None
