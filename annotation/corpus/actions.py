"""What changes corpora: an import makes one, whole or not at all; a removal takes one away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from django.core.validators import slug_re
from django.db import transaction
from django.db.models import ProtectedError

from annotation.corpus import backends, forms
from annotation.corpus.base import Builder
from annotation.corpus.forms import Unfit
from annotation.corpus.ledger import Ledger
from annotation.corpus.models import Corpus
from annotation.corpus.paragraphs import record_of
from annotation.events.actions import record
from tasks.base import SourceProblem

MOST_PROBLEMS = 100


class Refused(ValueError):
    """A change that the rules don't allow; the message is for the person who asked."""


class ImportRefused(Refused):
    """Files with faults: nothing was imported. `problems` has file, line and reason of each (the first hundred)."""

    def __init__(self, problems: list[SourceProblem]):
        self.problems = problems
        shown = "; ".join(map(str, problems[:5]))
        more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
        super().__init__(f"nothing was imported: {shown}{more}")


@dataclass(frozen=True)
class Imported:
    """What an import did. `is_new`: this content was not here under this name; `empty`: paragraphs without text."""

    corpus: Corpus
    is_new: bool
    empty: int


def import_corpus(
    *,
    name: str,
    paths: Iterable[Path | str],
    form: str = "",
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Reads files into a new index and makes it a corpus under this name.

    The index is built beside those there are and put in place when all is well: no search ever meets
    half of it, and a fault of one line imports nothing. The same content again changes nothing.
    Raises Refused, or ImportRefused with file and line of every fault.
    """
    if not slug_re.fullmatch(name) or len(name) > 60:
        raise Refused(f"a corpus is named by letters, digits, - and _ (60 at most), found {name!r}")
    files = _files(paths)
    form = form or _form(files)
    if form not in forms.FORMS:
        raise Refused(f"no form {form!r}; there are {', '.join(forms.FORMS)}")
    backend = backends.for_imports()
    with backends.builder(backend) as builder:
        reading = _Reading(builder, progress)
        reading.read(files, form)
        ledger, digest = reading.ledger, reading.ledger.digest()
        builder.publish(digest)
    with transaction.atomic():
        corpus, is_new = Corpus.objects.get_or_create(
            name=name,
            digest=digest,
            defaults={
                "backend": backend,
                "form": form,
                "files": [file.name for file in files][:100],
                "paragraphs": ledger.paragraphs,
                "pages": ledger.pages,
                "words": ledger.words,
            },
        )
        if not is_new and corpus.backend != backend:
            # It was just built where imports go now.
            corpus.backend = backend
            corpus.save(update_fields=["backend"])
        if is_new:
            record("corpus.imported", subject=corpus, name=name, digest=digest, paragraphs=ledger.paragraphs)
    return Imported(corpus, is_new, reading.empty)


def _files(paths: Iterable[Path | str]) -> list[Path]:
    try:
        files = forms.files_of(map(Path, paths))
    except Unfit as problem:
        raise Refused(str(problem)) from None
    if not files:
        raise Refused("no file was given")
    return files


def _form(files: list[Path]) -> str:
    found = {forms.form_of(file) for file in files[:20]}
    if len(found) > 1:
        raise Refused(f"the files have several forms ({', '.join(sorted(found))}): import them one form at a time")
    return found.pop()


@dataclass
class _Reading:
    """Files on their way into a builder. After the first fault it only looks for more of them."""

    builder: Builder
    progress: Callable[[int], None] | None
    ledger: Ledger = field(default_factory=Ledger)
    problems: list[SourceProblem] = field(default_factory=list)
    empty: int = 0

    def read(self, files: list[Path], form: str) -> None:
        """Raises ImportRefused."""
        for file in files:
            for entry in forms.read(file, form):
                if isinstance(entry, SourceProblem):
                    self._fault(entry)
                elif entry.paragraph is None:
                    self.empty += 1
                else:
                    self._take(entry, file.name)
        self.ledger.look_for_doubles()
        self._doubles()
        if not self.problems and not self.ledger.paragraphs:
            self.problems.append(SourceProblem(files[0].name, 0, "there is no paragraph in it"))
        if self.problems:
            raise ImportRefused(self.problems)

    def _take(self, entry: forms.Read, file: str) -> None:
        content = record_of(entry.paragraph)
        self.ledger.add(entry.paragraph, content, file=file, line=entry.line)
        if self.ledger.doubles:
            self._doubles()
        if not self.problems:
            self.builder.add(entry.paragraph, content)
        if self.progress and self.ledger.paragraphs % 1_000 == 0:
            self.progress(self.ledger.paragraphs)

    def _doubles(self) -> None:
        for file, line, key in self.ledger.doubles:
            self._fault(SourceProblem(file, line, f"{key} stands a second time"))
        self.ledger.doubles.clear()

    def _fault(self, problem: SourceProblem) -> None:
        self.problems.append(problem)
        if len(self.problems) >= MOST_PROBLEMS:
            raise ImportRefused(self.problems)


def remove_corpus(*, corpus: Corpus) -> None:
    """Takes a corpus away, and its index unless another corpus has the same content. Raises Refused while in use."""
    with transaction.atomic():
        try:
            key, name, digest, backend = corpus.pk, corpus.name, corpus.digest, corpus.backend
            corpus.delete()
        except ProtectedError as error:
            users = ", ".join(sorted(str(user) for user in error.protected_objects)[:5])
            raise Refused(f"corpus {name} is used by {users}: give them another one first") from None
        record("corpus.removed", corpus=key, name=name, digest=digest)
        is_shared = Corpus.objects.filter(digest=digest, backend=backend).exists()
    if not is_shared:
        backends.remove(backend, digest)
