from django.urls import path

from tests.benchmarks.bare import views

urlpatterns = [path("read/<int:pk>", views.read), path("write/<int:pk>", views.write)]
