"""Which corpora the workers of a stage searched, as their answers carry it, and what paragraphs of them say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count

from annotation.corpus.base import MOST_IDS, Index, IndexFailed, IndexMissing
from annotation.corpus.models import Corpus
from annotation.corpus.queries import index_of, is_searchable
from annotation.hits.models import Answer
from annotation.projects.models import Project, Stage
from annotation.releases.results import ReleaseRefused

COUNTS = ("paragraphs", "pages", "words")


def corpora_of(stage: Stage) -> list[dict]:
    """Digest, name, counts, and how many answers that count were given with it, by digest.

    The same content may stand under several names: it is called as the project calls it, else by the
    first of them. A name is empty where the corpus is here no more.
    """
    answers = Answer.objects.filter(counts=True, assignment__hit__stage=stage).exclude(assignment__corpus_digest="")
    used = answers.order_by().values_list("assignment__corpus_digest").annotate(judgements=Count("id"))
    found = []
    for digest, judgements in sorted(used):
        known = _with(digest, stage.project)
        facts = {name: getattr(known[0], name) for name in ("name", *COUNTS)} if known else {"name": ""}
        found.append({"digest": digest, **facts, "judgements": judgements})
    return found


def _with(digest: str, project: Project) -> list[Corpus]:
    """The corpora of a content, the project's own before the others."""
    return sorted(Corpus.objects.filter(digest=digest), key=lambda corpus: (corpus != project.corpus, corpus.name))


@dataclass
class Cited:
    """The paragraphs that rows cite, by id. `missing`: ids that no corpus has which was searched.

    `differing`: ids under which the corpora that were searched have several texts; that of the most searched counts.
    """

    wanted: int = 0
    found: dict[str, dict[str, Any]] = field(default_factory=dict)
    differing: set[str] = field(default_factory=set)

    @property
    def missing(self) -> int:
        return self.wanted - len(self.found)


def paragraphs_cited(project: Project, used: Iterable[Mapping], ids: Iterable[str]) -> Cited:
    """Paragraphs by id, from the corpora that were searched: `used` as `corpora_of` gives them, of any stages.

    Where no answer carries any, from the project's own. Raises ReleaseRefused where one of them can't be read: its
    texts would be missing, or another corpus' paragraph of the same name would stand for them.
    """
    wanted = sorted(ids)
    cited = Cited(wanted=len(wanted))
    if not wanted:
        return cited
    for digest in _digests(project, used):
        index = _index(project, digest)
        try:
            _look_up(index, wanted, cited)
        except (IndexMissing, IndexFailed) as fault:
            raise ReleaseRefused(f"the paragraphs that rows cite can't be read: {fault}") from None
    return cited


def _digests(project: Project, used: Iterable[Mapping]) -> list[str]:
    """The most searched first."""
    counts: Counter[str] = Counter()
    for corpus in used:
        counts[corpus["digest"]] += corpus["judgements"]
    if not counts and project.corpus:
        return [project.corpus.digest]
    return sorted(counts, key=lambda digest: (-counts[digest], digest))


def _index(project: Project, digest: str) -> Index:
    known = _with(digest, project)
    if not known:
        raise ReleaseRefused(
            f"rows cite paragraphs, and the corpus {digest[:12]}… that workers searched is gone: import it again"
        )
    try:
        return index_of(next((corpus for corpus in known if is_searchable(corpus)), known[0]))
    except (IndexMissing, IndexFailed) as fault:
        raise ReleaseRefused(f"the paragraphs that rows cite can't be read: {fault}") from None


def _look_up(index: Index, wanted: list[str], cited: Cited) -> None:
    for start in range(0, len(wanted), MOST_IDS):
        for name, paragraph in index.paragraphs(wanted[start : start + MOST_IDS]).items():
            text = paragraph._asdict()
            if cited.found.setdefault(name, text) != text:
                cited.differing.add(name)
