"""The API's addresses, all below `/api/v1/`."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

import annotation.desk.converters  # noqa: F401 - gives addresses their forms
from annotation.desk.api import corpora
from annotation.desk.api import endpoints as at
from annotation.desk.api import qualifications as tests

app_name = "api"

PROJECT = "projects/<slug:slug>"
STAGE = f"{PROJECT}/stages/<slug:name>"
RELEASE = f"{PROJECT}/releases/<version:version>"

TEST = f"{PROJECT}/qualifications/<int:number>"
ASSIGNMENT = f"{PROJECT}/assignments/<int:assignment>"

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path(
        "docs",
        SpectacularSwaggerSplitView.as_view(
            url_name="api:schema", template_name="desk/api_docs.html", title="Crowdwright API"
        ),
        name="docs",
    ),
    path("corpora", corpora.Corpora.as_view(), name="corpora"),
    path("projects", at.Projects.as_view(), name="projects"),
    path(PROJECT, at.OneProject.as_view(), name="project"),
    path(f"{PROJECT}/state", at.ProjectState.as_view(), name="project_state"),
    path(f"{PROJECT}/figures", at.Figures.as_view(), name="figures"),
    path(f"{PROJECT}/corpus", corpora.ProjectCorpus.as_view(), name="corpus"),
    path(f"{PROJECT}/paragraphs", corpora.Paragraphs.as_view(), name="paragraphs"),
    path(f"{PROJECT}/board", at.Board.as_view(), name="board"),
    path(f"{PROJECT}/feedback", at.FeedbackList.as_view(), name="feedback"),
    path(f"{PROJECT}/members", at.Members.as_view(), name="members"),
    path(f"{PROJECT}/members/<username:username>", at.OneMember.as_view(), name="member"),
    path(f"{PROJECT}/stages", at.Stages.as_view(), name="stages"),
    path(STAGE, at.OneStage.as_view(), name="stage"),
    path(f"{STAGE}/state", at.StageState.as_view(), name="stage_state"),
    path(f"{STAGE}/quote", at.Quote.as_view(), name="quote"),
    path(f"{STAGE}/publish", at.Publish.as_view(), name="publish"),
    path(f"{PROJECT}/items", at.Items.as_view(), name="items"),
    path(f"{PROJECT}/items/<int:pk>", at.OneItem.as_view(), name="item"),
    path(f"{PROJECT}/answers", at.Answers.as_view(), name="answers"),
    path(f"{PROJECT}/assignments", at.Assignments.as_view(), name="assignments"),
    path(ASSIGNMENT, at.OneAssignment.as_view(), name="assignment"),
    path(f"{ASSIGNMENT}/approve", at.Approve.as_view(), name="approve"),
    path(f"{ASSIGNMENT}/reject", at.Reject.as_view(), name="reject"),
    path(f"{ASSIGNMENT}/bonus", at.Bonus.as_view(), name="bonus"),
    path(f"{ASSIGNMENT}/settle", at.Settle.as_view(), name="settle"),
    path(f"{PROJECT}/qualifications", tests.Qualifications.as_view(), name="qualifications"),
    path(TEST, tests.OneQualification.as_view(), name="qualification"),
    path(f"{TEST}/items", tests.TestItems.as_view(), name="test_items"),
    path(f"{TEST}/quote", tests.TestQuote.as_view(), name="test_quote"),
    path(f"{TEST}/publish", tests.TestOffer.as_view(), name="publish_test"),
    path(f"{TEST}/grants", tests.Grants.as_view(), name="grants"),
    path(f"{TEST}/revoke", tests.Revoke.as_view(), name="revoke"),
    path(f"{PROJECT}/workers/<pseudonym:worker>", at.OneWorker.as_view(), name="worker"),
    path(f"{PROJECT}/calls", at.Calls.as_view(), name="calls"),
    path(f"{PROJECT}/calls/<int:call>/again", at.TryAgain.as_view(), name="try_again"),
    path(f"{PROJECT}/calls/<int:call>/tell", at.Tell.as_view(), name="tell_of_call"),
    path(f"{PROJECT}/outcomes", at.Outcomes.as_view(), name="outcomes"),
    path(f"{PROJECT}/releases", at.Releases.as_view(), name="releases"),
    path(f"{PROJECT}/compare", at.Compare.as_view(), name="compare"),
    path(RELEASE, at.OneRelease.as_view(), name="release"),
    path(f"{RELEASE}/download", at.Download.as_view(), name="download"),
    path(f"{RELEASE}/verify", at.Verify.as_view(), name="verify"),
    path(f"{PROJECT}/events", at.Events.as_view(), name="events"),
]
