"""Open positions: an app labelled `jobs`, with a model `Job`, that has nothing to do with ours."""

from django.db import models


class Job(models.Model):
    STATUSES = [("queued", "Advertised"), ("running", "Interviews")]

    title = models.CharField(max_length=100)
    status = models.CharField(max_length=10, choices=STATUSES)


class Workflow(models.Model):
    job = models.ForeignKey(Job, models.CASCADE, related_name="events")
