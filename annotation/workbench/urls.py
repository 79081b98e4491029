"""What lies below `/t/`."""

from django.urls import path

from annotation.workbench import searching, trying, views

app_name = "workbench"
urlpatterns = [
    path("<str:token>/", views.task, name="task"),
    path("<str:token>/draft", views.draft, name="draft"),
    path("<str:token>/findings", views.findings, name="findings"),
    path("<str:token>/suggest", views.suggest, name="suggest"),
    path("<str:token>/try", trying.try_it, name="try"),
    path("<str:token>/paragraphs", searching.paragraphs, name="paragraphs"),
    path("<str:token>/titles", searching.titles, name="titles"),
    path("<str:token>/page", searching.page, name="page"),
    path("<str:token>/context", views.fresh_context, name="context"),
]
