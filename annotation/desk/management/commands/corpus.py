"""Imports, lists, searches and removes corpora, and gives them to projects."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.command import ExampleFormatter, whole_number
from annotation.corpus import actions, asking, queries
from annotation.corpus.base import IndexFailed, IndexMissing
from annotation.corpus.forms import FORMS
from annotation.corpus.models import Corpus
from annotation.corpus.paragraphs import Hit
from annotation.desk.words import plural
from annotation.events.commanding import ActingCommand
from annotation.hits.models import Assignment
from annotation.projects.actions import use_corpus
from annotation.projects.commanding import find_project

WIDTH = 300


class Command(ActingCommand):
    help = (
        "Import paragraph collections, search them, and give them to projects. What people search is a corpus.\n\n"
        "An import brings in all files or nothing, with every problem by file and line. The same content is the same\n"
        "corpus; other content under the same name is a newer one, and projects keep theirs until `corpus use`."
    )
    example = (
        "./crowdwright corpus import wikipedia strategyqa_train_paragraphs.json\n"
        "  ./crowdwright corpus search wikipedia 'the \"great flood\" of 1891'\n"
        "  ./crowdwright corpus use my-project wikipedia\n"
        "  ./crowdwright corpus list --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="import|list|search|use|remove")
        forms = "\n".join(f"  {name:<11} {about}" for name, about in FORMS.items())
        take = verbs.add_parser(
            "import",
            help="Import files as a corpus.",
            description=f"Import files as a corpus: all of them, or nothing and every problem by file and line.\n\n"
            f"forms:\n{forms}",
            formatter_class=ExampleFormatter,
        )
        take.add_argument("name", help="What to call it: letters, digits, - and _.")
        take.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Files, plain or gzip; a folder of .txt.")
        take.add_argument("--form", choices=sorted(FORMS), default="", help="Their form; seen in them where not said.")
        verbs.add_parser("list", help="All corpora, with counts, digest and the projects that use them.")
        search = verbs.add_parser("search", help="Search a corpus as workers do.")
        search.add_argument("name", help="The corpus.")
        search.add_argument("question", nargs="+", help='Words, and "phrases" in quotes.')
        search.add_argument(
            "--limit", type=whole_number(1, asking.MOST_HITS), default=5, help="How many paragraphs to show (5)."
        )
        use = verbs.add_parser("use", help="Give a project a corpus, or another one.")
        use.add_argument("project", help="The project's short name.")
        use.add_argument("name", nargs="?", default="", help="The corpus; its newest content where it has several.")
        use.add_argument("--none", action="store_true", help="Take the corpus away from the project.")
        remove = verbs.add_parser("remove", help="Remove a corpus that no project or answer needs, and its index.")
        remove.add_argument("name", help="The corpus.")
        for verb in (search, use, remove):
            verb.add_argument("--digest", default="", help="The beginning of a digest: this content, not the newest.")

    def handle(self, *, verb: str, **options: Any) -> None:
        verbs = {"import": self._import, "list": self._list, "search": self._search}
        verbs |= {"use": self._use, "remove": self._remove}
        try:
            verbs[verb](**options)
        except (actions.Refused, IndexMissing, IndexFailed) as problem:
            raise CommandError(str(problem)) from None

    def _import(self, *, name: str, files: list[Path], form: str, **options: Any) -> None:
        began = time.monotonic()
        try:
            done = actions.import_corpus(
                name=name, paths=files, form=form, progress=self.counting("paragraphs imported:")
            )
        except actions.ImportRefused as refusal:
            self.refuse_files(refusal.problems)
        seconds = time.monotonic() - began
        corpus = done.corpus
        text = (
            f"{corpus.name}: {plural(corpus.paragraphs, 'paragraph')} of {plural(corpus.pages, 'page')} "
            f"({seconds:.1f} s, {corpus.paragraphs / max(seconds, 0.001):,.0f} a second), digest {corpus.digest[:12]}"
        )
        text += f"; {done.empty:,} without text passed over" if done.empty else ""
        text += "." if done.is_new else ".\nThis content was here already: nothing changed."
        self.report(_facts(corpus) | {"new": done.is_new, "empty": done.empty, "seconds": round(seconds, 3)}, text)

    def _list(self, **options: Any) -> None:
        corpora = list(queries.corpora())
        lines = [
            f"{corpus.name:<20} {corpus.digest[:12]}  {corpus.paragraphs:>11,} paragraphs  {corpus.pages:>9,} pages  "
            f"{corpus.backend:<10}  {_standing(corpus)}"
            for corpus in corpora
        ]
        none = "There is no corpus yet: ./crowdwright corpus import NAME FILE..."
        self.report([_facts(corpus) for corpus in corpora], "\n".join(lines) or none)

    def _search(self, *, name: str, digest: str, question: list[str], limit: int, **options: Any) -> None:
        index = queries.index_of(_found(name, digest))
        began = time.perf_counter()
        found = index.search(" ".join(question), limit=limit)
        milliseconds = (time.perf_counter() - began) * 1000
        head = f"{plural(found.total, 'paragraph')} ({milliseconds:.1f} ms)"
        hits = [hit.paragraph._asdict() | {"score": hit.score, "marks": hit.marks} for hit in found.hits]
        text = "\n\n".join([head, *map(_shown, found.hits)])
        self.report({"total": found.total, "digest": index.digest, "hits": hits}, text)

    def _use(self, *, project: str, name: str, digest: str, none: bool, **options: Any) -> None:
        if bool(name) == none:
            raise CommandError("which corpus? Expected its name, or --none")
        used, corpus = find_project(project), None if none else _found(name, digest)
        if corpus is not None:
            queries.index_of(corpus)
        use_corpus(project=used, corpus=corpus)
        text = f"{project} searches {corpus} now." if corpus else f"{project} has no corpus now."
        self.report({"project": project, "corpus": corpus and _facts(corpus)}, text)

    def _remove(self, *, name: str, digest: str, **options: Any) -> None:
        corpus = _found(name, digest)
        facts = _facts(corpus)
        if Assignment.objects.filter(corpus_digest=corpus.digest).exists():
            raise CommandError(f"answers were given with {corpus}: it stays, so that releases can say what it was")
        actions.remove_corpus(corpus=corpus)
        self.report(facts, f"{name} ({facts['digest'][:12]}) is removed.")


def _found(name: str, digest: str) -> Corpus:
    corpus = queries.corpus_named(name, digest=digest)
    if corpus is None:
        there = ", ".join(map(str, queries.corpora()[:20])) or "none yet"
        content = f" with a digest that begins with {digest}" if digest else ""
        raise CommandError(f"no corpus {name!r}{content}; there are: {there}")
    return corpus


def _facts(corpus: Corpus) -> dict[str, Any]:
    names = ("name", "digest", "backend", "form", "files", "paragraphs", "pages", "words")
    return {name: getattr(corpus, name) for name in names} | {
        "imported_at": corpus.imported_at.isoformat(),
        "searchable": queries.is_searchable(corpus),
        "projects": [project.slug for project in corpus.projects.order_by("slug")],
    }


def _standing(corpus: Corpus) -> str:
    users = ", ".join(project.slug for project in corpus.projects.order_by("slug"))
    used = f"used by {users}" if users else "used by no project"
    return used if queries.is_searchable(corpus) else f"{used}; THE INDEX IS MISSING, import the files again"


def _shown(hit: Hit) -> str:
    """A hit for people: what was asked for between brackets."""
    text, place, parts = hit.paragraph.text, 0, []
    for start, end in hit.marks:
        parts += [text[place:start], "[", text[start:end], "]"]
        place = end
    whole = "".join([*parts, text[place:]])
    section = f" · {hit.paragraph.section}" if hit.paragraph.section else ""
    cut = f"{whole[:WIDTH]} …" if len(whole) > WIDTH else whole
    return f"{hit.paragraph.id}{section}\n  {cut}"
