"""The marketplace's addresses. The root is the API's for a POST, everybody's for a GET."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from annotation.marketplace.views import about, entry, operator, qualifications, questions, submitting, work
from annotation.marketplace.views.requester import hits, layouts, money, workers
from annotation.marketplace.views.requester import qualifications as own_qualifications


class IdConverter:
    """The ids of HITs, assignments, groups and types in an address; anything else is not found."""

    regex = "[A-Z0-9]{1,64}"

    def to_python(self, value: str) -> str:
        """As it stands."""
        return value

    def to_url(self, value: str) -> str:
        """As it stands."""
        return value


register_converter(IdConverter, "id")

urlpatterns = [
    path("", entry.root, name="home"),
    path("healthz", entry.healthz, name="healthz"),
    path("sign-up/", entry.sign_up, name="sign-up"),
    path("sign-in/", entry.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(next_page="home"), name="sign-out"),
    # Workers
    path("hits/", work.find, name="work"),
    path("groups/<id:group_id>/preview", work.preview, name="preview"),
    path("groups/<id:group_id>/accept", work.accept_group, name="accept-group"),
    path("hits/<id:hit_id>/accept", work.accept_hit, name="accept-hit"),
    path("queue/", work.queue, name="queue"),
    path("assignments/<id:assignment_id>/", work.assignment_page, name="assignment"),
    path("assignments/<id:assignment_id>/state", work.assignment_state, name="assignment-state"),
    path("assignments/<id:assignment_id>/return", work.give_back, name="return"),
    path("history/", work.history, name="history"),
    path("history.csv", about.history_csv, name="history-csv"),
    path("earnings/", work.earnings, name="earnings"),
    path("assignments/<id:assignment_id>/appeal", about.appeal, name="appeal"),
    path("hits/<id:hit_id>/report", about.report, name="report"),
    path("hits/<id:hit_id>/contact", about.contact, name="contact"),
    path("messages/", about.inbox, name="messages"),
    path("messages/<int:pk>/reply", about.reply, name="reply"),
    path("profile/", about.profile, name="profile"),
    path("qualifications/", qualifications.overview, name="qualifications"),
    path("qualifications/<id:type_id>/", qualifications.detail, name="qualification"),
    path("qualifications/<id:type_id>/ask", qualifications.ask, name="ask"),
    path("qualifications/<id:type_id>/test", qualifications.test, name="test"),
    # Requesters
    path("requester/", money.overview, name="requester"),
    path("requester/ledger/", money.entries, name="ledger"),
    path("requester/ledger.csv", money.entries_csv, name="ledger-csv"),
    path("requester/groups/<id:type_id>/", hits.group, name="requester-group"),
    path("requester/hits/<id:hit_id>/", hits.hit, name="requester-hit"),
    path("requester/assignments/<id:assignment_id>/decide", hits.decide, name="decide"),
    path("requester/workers/", workers.workers, name="requester-workers"),
    path("requester/qualifications/", own_qualifications.overview, name="requester-qualifications"),
    path("requester/qualifications/<id:type_id>/", own_qualifications.detail, name="requester-qualification"),
    path("requester/layouts/", layouts.overview, name="layouts"),
    path("requester/layouts/<id:layout_id>/", layouts.detail, name="layout"),
    path("requester/keys/", money.access_keys, name="keys"),
    # The operator
    path("operator/", operator.overview, name="operator"),
    path("operator/accounts/<int:pk>/", operator.account, name="operator-account"),
    path("operator/payouts/", operator.payouts, name="payouts"),
    path("operator/payouts/<int:pk>.csv", operator.payout_csv, name="payout-csv"),
    path("operator/reports/", operator.reports, name="reports"),
    path("operator/market/", operator.market_page, name="market"),
    # The frame
    path("mturk/externalSubmit", submitting.external_submit, name="external-submit"),
    path("uploads/<path:named>", questions.upload, name="upload"),
    path("mturk/formSubmit", questions.form_submit, name="form-submit"),
    path("questions/<id:hit_id>", questions.question, name="question"),
    path("mturk/preview", work.old_address, name="old-preview"),
    path("confirm/<str:key>", submitting.confirm, name="confirm"),
]

handler400 = "annotation.marketplace.views.pages.bad_request"
handler403 = "annotation.marketplace.views.pages.forbidden"
handler404 = "annotation.marketplace.views.pages.not_found"
handler500 = "annotation.marketplace.views.pages.server_error"
