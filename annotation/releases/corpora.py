"""Which corpora the workers of a stage searched, as their answers carry it."""

from __future__ import annotations

from django.db.models import Count

from annotation.corpus.models import Corpus
from annotation.hits.models import Answer
from annotation.projects.models import Stage

COUNTS = ("paragraphs", "pages", "words")


def corpora_of(stage: Stage) -> list[dict]:
    """Digest, name, counts, and how many answers that count were given with it, by digest.

    The same content may stand under several names: it is called as the project calls it, else by the
    first of them. A name is empty where the corpus is here no more.
    """
    answers = Answer.objects.filter(counts=True, assignment__hit__stage=stage).exclude(assignment__corpus_digest="")
    used = answers.order_by().values_list("assignment__corpus_digest").annotate(judgements=Count("id"))
    own = stage.project.corpus
    found = []
    for digest, judgements in sorted(used):
        known = sorted(Corpus.objects.filter(digest=digest), key=lambda corpus: (corpus != own, corpus.name))
        facts = {name: getattr(known[0], name) for name in ("name", *COUNTS)} if known else {"name": ""}
        found.append({"digest": digest, **facts, "judgements": judgements})
    return found
