"""The project's own jobs in the admin."""

from django.contrib import admin

from shop.jobs.models import Job

admin.site.register(Job)
