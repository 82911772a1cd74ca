"""The project's own API of jobs."""

from rest_framework import serializers, viewsets

from shop.jobs.models import Job


class JobSerializer(serializers.ModelSerializer):
    class Meta:
        model = Job
        fields = ["id", "title", "status"]


class JobViewSet(viewsets.ModelViewSet):
    queryset = Job.objects.order_by("pk")
    serializer_class = JobSerializer
