"""The researcher's addresses. The API's are in `annotation/desk/api/urls.py`."""

from django.urls import path

import annotation.desk.converters  # noqa: F401 - gives addresses their forms
from annotation.desk.views import (
    account,
    assignments,
    board,
    corpora,
    imports,
    items,
    people,
    problems,
    projects,
    qualifications,
    releases,
    stages,
)

app_name = "desk"

ASSIGNMENT = "projects/<slug:slug>/assignments/<int:assignment>"
TEST = "projects/<slug:slug>/qualifications/<int:number>"
CALL = "projects/<slug:slug>/problems/calls/<int:call>"

urlpatterns = [
    path("", projects.home, name="home"),
    path("sign-in/", account.sign_in, name="sign_in"),
    path("sign-out/", account.sign_out, name="sign_out"),
    path("account/", account.account, name="account"),
    path("account/token/", account.make_token, name="make_token"),
    path("account/token/revoke/", account.revoke_token, name="revoke_token"),
    path("account/password/", account.change_password, name="change_password"),
    path("projects/new/", projects.choose_pipeline, name="choose_pipeline"),
    path("projects/new/<slug:pipeline>/", projects.new_project, name="new_project"),
    path("projects/<slug:slug>/", projects.overview, name="project"),
    path("projects/<slug:slug>/settings/", projects.change, name="settings"),
    path("projects/<slug:slug>/state/", projects.move, name="move_project"),
    path("projects/<slug:slug>/log/", projects.log, name="log"),
    path("projects/<slug:slug>/import/", imports.upload, name="import"),
    path("projects/<slug:slug>/stages/<slug:name>/", stages.change, name="stage"),
    path("projects/<slug:slug>/stages/<slug:name>/quote/", stages.quote_page, name="quote"),
    path("projects/<slug:slug>/stages/<slug:name>/state/", stages.move, name="move_stage"),
    path("projects/<slug:slug>/corpus/", corpora.page, name="corpus"),
    path("projects/<slug:slug>/corpus/use/", corpora.use, name="use_corpus"),
    path("projects/<slug:slug>/board/", board.board, name="board"),
    path("projects/<slug:slug>/items/", items.table, name="items"),
    path("projects/<slug:slug>/items/<int:pk>/", items.page, name="item"),
    path("projects/<slug:slug>/assignments/", assignments.table, name="assignments"),
    path(f"{ASSIGNMENT}/", assignments.page, name="assignment"),
    path(f"{ASSIGNMENT}/approve/", assignments.approve, name="approve_assignment"),
    path(f"{ASSIGNMENT}/reject/", assignments.reject, name="reject_assignment"),
    path(f"{ASSIGNMENT}/override/", assignments.override, name="override_rejection"),
    path(f"{ASSIGNMENT}/bonus/", assignments.bonus, name="bonus"),
    path(f"{ASSIGNMENT}/worker/", assignments.worker, name="bar_worker"),
    path(f"{ASSIGNMENT}/settle/", assignments.settle, name="settle_assignment"),
    path("projects/<slug:slug>/releases/", releases.table, name="releases"),
    path("projects/<slug:slug>/releases/compare/", releases.compare, name="compare_releases"),
    path("projects/<slug:slug>/releases/<version:version>/", releases.page, name="release"),
    path("projects/<slug:slug>/releases/<version:version>/download/", releases.download, name="download_release"),
    path("projects/<slug:slug>/releases/<version:version>/verify/", releases.check, name="verify_release"),
    path("projects/<slug:slug>/qualifications/", qualifications.table, name="qualifications"),
    path("projects/<slug:slug>/stages/<slug:name>/test/", qualifications.make, name="new_qualification"),
    path(f"{TEST}/", qualifications.show, name="qualification"),
    path(f"{TEST}/settings/", qualifications.change, name="change_qualification"),
    path(f"{TEST}/items/", qualifications.add_items, name="add_trial_items"),
    path(f"{TEST}/offer/", qualifications.offer, name="offer_trials"),
    path(f"{TEST}/end/", qualifications.end, name="end_trials"),
    path(f"{TEST}/grant/", qualifications.give, name="grant"),
    path(f"{TEST}/revoke/", qualifications.take, name="revoke"),
    path(f"{TEST}/ask/<slug:name>/", qualifications.ask, name="ask_for_qualification"),
    path(f"{TEST}/grants/<int:grant>/again/", qualifications.send_again, name="grant_again"),
    path("projects/<slug:slug>/people/", people.table, name="people"),
    path("projects/<slug:slug>/people/<int:user_id>/", people.change, name="member"),
    path("projects/<slug:slug>/workers/", people.workers, name="workers"),
    path("projects/<slug:slug>/problems/", problems.table, name="problems"),
    path("projects/<slug:slug>/problems/look/", problems.look, name="look_again"),
    path(f"{CALL}/again/", problems.again, name="try_again"),
    path(f"{CALL}/call-off/", problems.call_off, name="call_off"),
    path(f"{CALL}/tell/", problems.tell, name="tell_of_call"),
]
