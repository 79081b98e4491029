"""ARC-DA: multiple-choice science questions become direct-answer questions (Bhakthavatsalam et al. 2021)."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import pydantic

from tasks.arc_da import importing, release, statistics
from tasks.arc_da.filtering import DEFAULT_READING, READING_HINTS, READINGS, excluding_phrases
from tasks.base import (
    SPLIT_OPTION,
    Accepted,
    Figure,
    Pipeline,
    ReadOption,
    Screened,
    Shape,
    SourceItem,
    SourceProblem,
    StagePlan,
)
from tasks.sources import NoItem

STAGE = "direct_answer"


class Settings(Shape):
    """The choice that the paper leaves open before any HIT."""

    filter_reading: Literal[*READINGS] = pydantic.Field(
        DEFAULT_READING,
        description="How the paper's filter phrases are read: "
        + "; ".join(f"{name}: {hint}" for name, hint in READING_HINTS.items()),
    )


class ArcDa(Pipeline):
    title = "ARC-DA: direct-answer science questions"
    description = (
        "Multiple-choice questions are filtered by phrases, answered by five workers in their own words, filtered "
        "by overlap of the answers, and reviewed by experts, who reword questions and put the answer lists right."
    )
    Settings = Settings
    Row = release.Row
    stages = [StagePlan(STAGE, "arc_da.direct_answer", review="all", blind_share=0.1)]
    licence = "CC-BY-SA-4.0"
    sources = "AI2 Reasoning Challenge (ARC) V1, Allen Institute for AI, CC BY-SA 4.0"
    citation = (
        "S. Bhakthavatsalam, D. Khashabi, T. Khot, B. Dalvi Mishra, K. Richardson, A. Sabharwal, C. Schoenick, "
        "O. Tafjord, P. Clark: Think you have Solved Direct-Answer Question Answering? Try ARC-DA, the "
        "Direct-Answer AI2 Reasoning Challenge. arXiv:2102.03315, 2021."
    )

    read_options = (
        ReadOption(
            "set",
            "Set of ARC",
            "Only where the file’s name does not say it.",
            (("easy", "Easy"), ("challenge", "Challenge")),
        ),
        SPLIT_OPTION,
    )

    def read(self, path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
        return importing.read(path, options)

    def screen(self, payload: dict, settings: Settings) -> str:
        """The filter phrases that exclude a question, parted by "|"."""
        return "|".join(excluding_phrases(payload["question"], settings.filter_reading))

    def screen_file(self, path: Path, settings: Settings) -> Iterator[Screened | SourceProblem]:
        """As for any pipeline, but the file's name need not tell set and split: the filter asks for neither."""
        try:
            prefix = importing.set_prefix(path, {})
        except NoItem:
            prefix = ""
        for found in importing.questions(path):
            if isinstance(found, SourceProblem):
                yield found
            else:
                identifier, payload = found
                yield Screened(identifier, prefix and prefix + identifier, self.screen(payload, settings))

    def release_rows(self, accepted: Iterable[Accepted], settings: Settings) -> dict[str, list[dict]]:
        return release.rows(accepted, STAGE)

    def statistics(self, rows: Mapping[str, list[dict]], accepted: list[Accepted], settings: Settings) -> list[Figure]:
        return statistics.figures(rows, accepted, STAGE)
