"""The project's routes with QForge's added."""

from django.urls import include, path

from shop.urls import urlpatterns

urlpatterns = [*urlpatterns, path("qforge/", include("jobs.urls"))]
