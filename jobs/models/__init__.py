"""The nouns: one table, one file."""

from jobs.models.job import Job
from jobs.models.job_event import JobEvent
from jobs.models.queue import Queue
from jobs.models.worker import WorkerPool

__all__ = ["Job", "JobEvent", "Queue", "WorkerPool"]
