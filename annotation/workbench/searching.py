"""What a worker's page asks of the project's corpus: paragraphs for a question, titles, a whole page.

For task types that say `searches_corpus`. Like all below `/t/<token>/`: the signed context says who asks,
and nothing is written. A preview has no context, and searches nothing.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from functools import wraps

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from annotation.corpus import backends
from annotation.corpus.asking import DEEPEST, MOST_CHARACTERS
from annotation.corpus.base import MOST_IDS, MOST_TITLE, Index, IndexFailed, IndexMissing
from annotation.corpus.paragraphs import Hit
from annotation.hits.sheets import Sheet
from annotation.prepared import Prepared
from annotation.projects.models import Project
from annotation.workbench.framing import Stop, context_of, in_frame, sheet_at
from annotation.workbench.pacing import Pace

logger = logging.getLogger(__name__)

HITS_A_PAGE = 10
TITLES = 10
# Nobody types faster; a program that reads the corpus through a page does.
PACE = Pace(burst=40, a_second=4)


def corpus_digest(sheet: Sheet) -> str:
    """Which corpus a page searches; empty where none."""
    found = _corpus.first(sheet.project_id) if sheet.kind.searches_corpus else None
    return (found and found[1]) or ""


@Prepared
def _corpus(project_id: int) -> QuerySet[Project]:
    return Project.objects.filter(pk=project_id).values_list("corpus__name", "corpus__digest", "corpus__backend")


def of_the_corpus(view: Callable[[HttpRequest, Index], dict]) -> Callable[..., HttpResponse]:
    """The view of an address that asks the corpus: who may ask, how often, and what is said where it can't answer."""

    @in_frame
    @require_GET
    @wraps(view)
    def asked(request: HttpRequest, token: str) -> HttpResponse:
        context = context_of(request, token)
        index = _index(sheet_at(token))
        if wait := PACE.seconds_to_wait(context.assignment_pk):
            response = JsonResponse({"problem": "pace", "message": "too many searches; wait a moment"}, status=429)
            response["Retry-After"] = str(math.ceil(wait))
            return response
        try:
            return JsonResponse(view(request, index))
        except IndexFailed:
            logger.exception("the corpus %s did not answer", index.name)
            raise Stop("corpus", 503, problem="the search does not answer at the moment") from None

    return asked


def _index(sheet: Sheet) -> Index:
    if not sheet.kind.searches_corpus:
        raise Stop("corpus", 404, problem=f"pages of {sheet.kind.name} search no corpus")
    name, digest, backend = _corpus.first(sheet.project_id) or (None, None, None)
    if digest is None:
        raise Stop("corpus", 404, problem="this project has no corpus to search")
    try:
        return backends.opened(name=name, digest=digest, backend=backend)
    except IndexMissing as error:
        logger.error("%s", error)
        raise Stop("corpus", 503, problem="the texts can't be searched at the moment") from None


@of_the_corpus
def paragraphs(request: HttpRequest, index: Index) -> dict:
    """`?q=&offset=`: ten paragraphs, best first. `?id=&id=`: these, as far as there are such, to show them again."""
    if ids := request.GET.getlist("id"):
        kept = index.paragraphs(ids[:MOST_IDS])
        hits = [Hit(kept[each], 0, []) for each in kept]
        return {"total": len(hits), "index": index.digest, "hits": [_shown(hit) for hit in hits]}
    found = index.search(_asked(request, MOST_CHARACTERS), limit=HITS_A_PAGE, offset=_offset(request))
    return {"total": found.total, "index": index.digest, "hits": [_shown(hit) for hit in found.hits]}


def _shown(hit: Hit) -> dict:
    found = hit.paragraph
    return {"id": found.id, "title": found.title, "section": found.section, "text": found.text, "marks": hit.marks}


@of_the_corpus
def titles(request: HttpRequest, index: Index) -> dict:
    """`?q=`: titles of pages that begin so."""
    return {"titles": index.titles(_asked(request, MOST_TITLE), TITLES)}


@of_the_corpus
def page(request: HttpRequest, index: Index) -> dict:
    """`?title=`: all paragraphs of the page with this title."""
    found = index.page(request.GET.get("title", ""))
    if not found:
        raise Stop("title", 404, problem="there is no page with this title")
    return {
        "title": found[0].title,
        "index": index.digest,
        "paragraphs": [{"id": each.id, "section": each.section, "text": each.text} for each in found],
    }


def _asked(request: HttpRequest, most: int) -> str:
    return request.GET.get("q", "")[:most]


def _offset(request: HttpRequest) -> int:
    given = request.GET.get("offset", "0")
    return min(int(given), DEEPEST) if given.isascii() and given.isdigit() and len(given) < 10 else 0
