"""What a project's people search: which corpus, its counts, and a search to try it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.corpus import queries
from annotation.corpus.asking import MOST_CHARACTERS
from annotation.desk import corpora
from annotation.desk.access import Access, project_page
from annotation.desk.forms.corpora import ChosenCorpus
from annotation.desk.views.frame import page as project_frame
from annotation.projects.actions import use_corpus


@project_page()
@require_safe
def page(request: HttpRequest, access: Access) -> HttpResponse:
    return _page(request, access, ChosenCorpus(initial={"corpus": access.project.corpus}))


@project_page("run")
@require_POST
def use(request: HttpRequest, access: Access) -> HttpResponse:
    """Gives the project another corpus, or none."""
    form = ChosenCorpus(request.POST)
    if not form.is_valid():
        return _page(request, access, form, status=422)
    corpus = form.cleaned_data["corpus"]
    use_corpus(project=access.project, corpus=corpus)
    messages.success(request, f"Workers search {corpus.name} now." if corpus else "Workers search nothing now.")
    return redirect("desk:corpus", slug=access.project.slug)


def _page(request: HttpRequest, access: Access, form: ChosenCorpus, status: int = 200) -> HttpResponse:
    corpus, question = access.project.corpus, request.GET.get("q", "")[:MOST_CHARACTERS]
    found = corpora.search(corpus, question) if corpus and question else None
    context = {
        "corpus": corpus,
        "is_searchable": bool(corpus) and queries.is_searchable(corpus),
        "form": form,
        "corpora": queries.corpora() if access.may("run") else [],
        "question": question,
        "found": found,
        "hits": [(hit, corpora.parts_of(hit)) for hit in found.hits] if found else [],
    }
    return project_frame(request, access, "corpus", context, status=status)
