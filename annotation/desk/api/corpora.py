"""Endpoints over corpora: which there are, which one a project searches, and what is found in it."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus import queries
from annotation.corpus.asking import DEEPEST, MOST_CHARACTERS
from annotation.desk import corpora
from annotation.desk.access import may_create_projects
from annotation.desk.api.base import ProjectView, Refusal, StrictSerializer, View
from annotation.projects.actions import use_corpus


class CorpusOut(serializers.Serializer):
    name = serializers.CharField()
    digest = serializers.CharField(help_text="hash of the content; answers and releases carry it")
    backend = serializers.CharField()
    form = serializers.CharField()
    files = serializers.ListField(child=serializers.CharField())
    paragraphs = serializers.IntegerField()
    pages = serializers.IntegerField()
    words = serializers.IntegerField()
    imported_at = serializers.DateTimeField()
    searchable = serializers.BooleanField(help_text="whether its index is where it should be")


class CorpusIn(StrictSerializer):
    name = serializers.CharField(max_length=60, allow_null=True, help_text="null: the project has none from now on")
    digest = serializers.RegexField(
        r"^[0-9a-f]{0,64}\Z",
        default="",
        allow_blank=True,
        help_text="its beginning; the newest content of the name if not given",
    )


class UsedCorpus(serializers.Serializer):
    corpus = CorpusOut(allow_null=True)


class HitOut(serializers.Serializer):
    id = serializers.CharField()
    title = serializers.CharField()
    section = serializers.CharField()
    text = serializers.CharField()
    marks = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="[start, end) of what was asked for"
    )


class FoundOut(serializers.Serializer):
    total = serializers.IntegerField()
    index = serializers.CharField(help_text="digest of the corpus")
    hits = HitOut(many=True)


class Corpora(View):
    @extend_schema(operation_id="list_corpora", responses=CorpusOut(many=True))
    def get(self, request: Request) -> Response:
        """All corpora, by name, the newest content of a name first."""
        self.parameters()
        if not may_create_projects(request.user):
            raise PermissionDenied("Seeing all corpora takes the role of owner or researcher in a project.")
        return Response(CorpusOut([corpora.facts_of(corpus) for corpus in queries.corpora()], many=True).data)


class ProjectCorpus(ProjectView):
    powers: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_project_corpus", responses=UsedCorpus)
    def get(self, request: Request, slug: str) -> Response:
        """The corpus that the project's workers search."""
        self.parameters()
        return self._told()

    @extend_schema(operation_id="use_corpus", request=CorpusIn, responses=UsedCorpus)
    def put(self, request: Request, slug: str) -> Response:
        """Gives the project a corpus, another one, or none. Answers given from then on carry it."""
        asked = self.read(CorpusIn)
        corpus = None
        if asked["name"] is not None:
            corpus = queries.corpus_named(asked["name"], digest=asked["digest"])
            if corpus is None:
                raise ValidationError({"name": ["There is no corpus with this name and digest."]})
        use_corpus(project=self.project, corpus=corpus)
        return self._told()

    def _told(self) -> Response:
        corpus = self.project.corpus
        return Response(UsedCorpus({"corpus": corpus and corpora.facts_of(corpus)}).data)


class Paragraphs(ProjectView):
    powers: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="search_paragraphs",
        parameters=[
            OpenApiParameter("q", str, description='words, and "phrases" in quotes'),
            OpenApiParameter("offset", int, description="how many hits to pass over"),
        ],
        responses=FoundOut,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Ten paragraphs of the project's corpus, as its workers would find them."""
        asked = self.parameters("q", "offset")
        offset = asked["offset"] or "0"
        if not (offset.isascii() and offset.isdigit() and len(offset) < 6 and int(offset) <= DEEPEST):
            raise ValidationError({"offset": [f"Expected a whole number from 0 to {DEEPEST}."]})
        corpus = self.project.corpus
        if corpus is None:
            raise Refusal(status.HTTP_409_CONFLICT, detail="The project has no corpus.")
        found = corpora.search(corpus, asked["q"][:MOST_CHARACTERS], offset=int(offset))
        if found is None:
            raise Refusal(status.HTTP_503_SERVICE_UNAVAILABLE, detail="The index is missing or does not answer.")
        hits = [{**hit.paragraph._asdict(), "marks": hit.marks} for hit in found.hits]
        return Response(FoundOut({"total": found.total, "index": corpus.digest, "hits": hits}).data)
