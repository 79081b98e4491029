"""The map of addresses of the main site. The marketplace has its own in `annotation/marketplace/urls.py`."""

from django.contrib import admin
from django.http import HttpResponse
from django.urls import include, path
from django.views.generic import RedirectView

urlpatterns = [
    # First, for it is what most requests are for.
    path("t/", include("annotation.workbench.urls")),
    path("healthz", lambda request: HttpResponse("ok\n", content_type="text/plain"), name="healthz"),
    path("admin/", admin.site.urls),
    # The API's addresses end without a slash; people who read type one.
    path("api/v1/docs/", RedirectView.as_view(pattern_name="api:docs")),
    path("api/v1/schema/", RedirectView.as_view(pattern_name="api:schema")),
    path("api/v1/", include("annotation.desk.api.urls")),
    path("", include("annotation.desk.urls")),
]
