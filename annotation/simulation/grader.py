"""A scripted grader: signs in to the admin and reads qualification tests by posting the grading page."""

from __future__ import annotations

from types import ModuleType
from typing import Any
from urllib.parse import urljoin

from django.conf import settings

from annotation.simulation.browser import SECONDS_TO_ANSWER
from annotation.simulation.expert import AS_JSON, Expert, answer_in_json
from tasks.simulation import Mark, Paper, TestedAnswer, usual_mark


class Grader(Expert):
    """One grader of a project. Two who differ in strictness differ in verdicts now and then, as people do."""

    def __init__(self, *, is_strict: bool, simulation: ModuleType, **more: Any):
        super().__init__(simulation=simulation, knowledge=None, **more)
        self.mark = getattr(simulation, "mark_of", usual_mark)
        self.is_strict = is_strict

    def grade(self, *, show: str = "") -> int:
        """Grades all that waits for this grader (`show="talk"`: settles what two differ on). Gives how many."""
        asked = f"?project={self.project}" + (f"&show={show}" if show else "")
        address = self._get(f"{self.site}/admin/trials/trial/next/{asked}")["next"]
        count = 0
        while address:
            page = self._get(address)
            address = self._post_mark(address, self.mark(paper_of(page), self.is_strict), show)
            count += 1
        return count

    def _post_mark(self, address: str, mark: Mark, show: str) -> str:
        fields = {
            "csrfmiddlewaretoken": self.browser.session.cookies[settings.CSRF_COOKIE_NAME],
            "verdict": mark.verdict,
            "feedback": mark.feedback,
            "show": show,
            **{f"points.{name}": str(given) for name, given in mark.points.items()},
        }
        url = urljoin(self.site, address)
        answer = self.browser.session.post(url, data=fields, headers=AS_JSON, timeout=SECONDS_TO_ANSWER)
        self.decisions[mark.verdict] += 1
        return answer_in_json(answer)["next"] or ""


def paper_of(page: dict) -> Paper:
    """The grading page, as JSON, as a dataset's simulation reads it."""
    return Paper(
        answers=[
            TestedAnswer(one["facts"], one["said"], one["reference"], tuple(one["findings"])) for one in page["answers"]
        ],
        most={one["name"]: len(one["levels"]) - 1 for one in page["rubric"]},
    )
