"""What people see when something of ours breaks."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_fault_of_ours_is_said_in_words_and_tells_nothing(monkeypatch):
    def breaks(*args, **kwargs):
        raise RuntimeError("a secret path: /home/ana/key")

    monkeypatch.setattr("django.contrib.auth.views.LoginView.get_context_data", breaks)
    response = Client(raise_request_exception=False).get("/sign-in/")
    page = response.content.decode()
    assert response.status_code == 500
    assert "This is a fault of ours" in page and 'href="/static/css/base.css"' in page
    assert "secret" not in page and "Traceback" not in page
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
