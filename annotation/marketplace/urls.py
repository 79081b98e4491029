"""The marketplace's addresses. The root is the API's for a POST, everybody's for a GET."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from annotation.marketplace.views import entry, submitting, work

urlpatterns = [
    path("", entry.root, name="home"),
    path("healthz", entry.healthz, name="healthz"),
    path("sign-up/", entry.sign_up, name="sign-up"),
    path("sign-in/", entry.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(next_page="home"), name="sign-out"),
    # Workers
    path("hits/", work.find, name="work"),
    path("groups/<str:group_id>/preview", work.preview, name="preview"),
    path("groups/<str:group_id>/accept", work.accept_group, name="accept-group"),
    path("hits/<str:hit_id>/accept", work.accept_hit, name="accept-hit"),
    path("queue/", work.queue, name="queue"),
    path("assignments/<str:assignment_id>/", work.assignment_page, name="assignment"),
    path("assignments/<str:assignment_id>/state", work.assignment_state, name="assignment-state"),
    path("assignments/<str:assignment_id>/return", work.give_back, name="return"),
    path("history/", work.history, name="history"),
    path("earnings/", work.earnings, name="earnings"),
    # The frame
    path("mturk/externalSubmit", submitting.external_submit, name="external-submit"),
    path("mturk/preview", work.old_address, name="old-preview"),
    path("confirm/<str:key>", submitting.confirm, name="confirm"),
]
