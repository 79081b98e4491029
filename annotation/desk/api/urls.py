"""The API's addresses, all below `/api/v1/`."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

import annotation.desk.converters  # noqa: F401 - gives addresses their forms
from annotation.desk.api import assignments, calls, corpora, items, log, members, projects, releases, stages
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
    path("projects", projects.Projects.as_view(), name="projects"),
    path(PROJECT, projects.OneProject.as_view(), name="project"),
    path(f"{PROJECT}/state", projects.ProjectState.as_view(), name="project_state"),
    path(f"{PROJECT}/figures", projects.Figures.as_view(), name="figures"),
    path(f"{PROJECT}/corpus", corpora.ProjectCorpus.as_view(), name="corpus"),
    path(f"{PROJECT}/paragraphs", corpora.Paragraphs.as_view(), name="paragraphs"),
    path(f"{PROJECT}/board", projects.Board.as_view(), name="board"),
    path(f"{PROJECT}/feedback", items.FeedbackList.as_view(), name="feedback"),
    path(f"{PROJECT}/members", members.Members.as_view(), name="members"),
    path(f"{PROJECT}/members/<username:username>", members.OneMember.as_view(), name="member"),
    path(f"{PROJECT}/stages", stages.Stages.as_view(), name="stages"),
    path(STAGE, stages.OneStage.as_view(), name="stage"),
    path(f"{STAGE}/state", stages.StageState.as_view(), name="stage_state"),
    path(f"{STAGE}/quote", stages.Quote.as_view(), name="quote"),
    path(f"{STAGE}/publish", stages.Publish.as_view(), name="publish"),
    path(f"{PROJECT}/items", items.Items.as_view(), name="items"),
    path(f"{PROJECT}/items/<int:pk>", items.OneItem.as_view(), name="item"),
    path(f"{PROJECT}/answers", items.Answers.as_view(), name="answers"),
    path(f"{PROJECT}/assignments", assignments.Assignments.as_view(), name="assignments"),
    path(ASSIGNMENT, assignments.OneAssignment.as_view(), name="assignment"),
    path(f"{ASSIGNMENT}/approve", assignments.Approve.as_view(), name="approve"),
    path(f"{ASSIGNMENT}/reject", assignments.Reject.as_view(), name="reject"),
    path(f"{ASSIGNMENT}/bonus", assignments.Bonus.as_view(), name="bonus"),
    path(f"{ASSIGNMENT}/settle", assignments.Settle.as_view(), name="settle"),
    path(f"{PROJECT}/qualifications", tests.Qualifications.as_view(), name="qualifications"),
    path(TEST, tests.OneQualification.as_view(), name="qualification"),
    path(f"{TEST}/items", tests.TestItems.as_view(), name="test_items"),
    path(f"{TEST}/quote", tests.TestQuote.as_view(), name="test_quote"),
    path(f"{TEST}/publish", tests.TestOffer.as_view(), name="publish_test"),
    path(f"{TEST}/grants", tests.Grants.as_view(), name="grants"),
    path(f"{TEST}/revoke", tests.Revoke.as_view(), name="revoke"),
    path(f"{PROJECT}/workers/<pseudonym:worker>", assignments.OneWorker.as_view(), name="worker"),
    path(f"{PROJECT}/calls", calls.Calls.as_view(), name="calls"),
    path(f"{PROJECT}/calls/<int:call>/again", calls.TryAgain.as_view(), name="try_again"),
    path(f"{PROJECT}/calls/<int:call>/tell", calls.Tell.as_view(), name="tell_of_call"),
    path(f"{PROJECT}/outcomes", items.Outcomes.as_view(), name="outcomes"),
    path(f"{PROJECT}/releases", releases.Releases.as_view(), name="releases"),
    path(f"{PROJECT}/compare", releases.Compare.as_view(), name="compare"),
    path(RELEASE, releases.OneRelease.as_view(), name="release"),
    path(f"{RELEASE}/download", releases.Download.as_view(), name="download"),
    path(f"{RELEASE}/verify", releases.Verify.as_view(), name="verify"),
    path(f"{PROJECT}/events", log.Events.as_view(), name="events"),
]
