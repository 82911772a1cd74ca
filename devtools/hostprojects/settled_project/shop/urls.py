"""The project's routes; its own jobs have the names that one would think of first."""

from django.contrib import admin
from django.urls import include, path
from rest_framework.routers import DefaultRouter

from shop.jobs.views import JobViewSet

router = DefaultRouter()
router.register("jobs", JobViewSet, basename="jobs")

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include(router.urls)),
]
