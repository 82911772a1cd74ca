"""The tables in Django's admin, to look at; what is changed goes through the library's verbs.

Django imports this package when `django.contrib.admin` is installed, and not otherwise.
`QFORGE["ADMIN_ENABLED"]` leaves the registering to the project; the classes are there all the same.
"""

from django.contrib import admin

from jobs.admin.jobs import JobAdmin, JobEventAdmin
from jobs.admin.operating import QueueAdmin, ScheduleAdmin, WorkerPoolAdmin
from jobs.admin.records import AuditEntryAdmin, ErrorGroupAdmin, OperationAdmin
from jobs.admin.workflows import WorkflowAdmin
from jobs.conf import conf
from jobs.models import (
    AuditEntry,
    ErrorGroup,
    Job,
    JobEvent,
    Operation,
    Queue,
    Schedule,
    WorkerPool,
    Workflow,
)

__all__ = [
    "AuditEntryAdmin",
    "ErrorGroupAdmin",
    "JobAdmin",
    "JobEventAdmin",
    "OperationAdmin",
    "QueueAdmin",
    "ScheduleAdmin",
    "WorkerPoolAdmin",
    "WorkflowAdmin",
]

if conf.ADMIN_ENABLED:
    admin.site.register(Job, JobAdmin)
    admin.site.register(JobEvent, JobEventAdmin)
    admin.site.register(Workflow, WorkflowAdmin)
    admin.site.register(Schedule, ScheduleAdmin)
    admin.site.register(Queue, QueueAdmin)
    admin.site.register(WorkerPool, WorkerPoolAdmin)
    admin.site.register(ErrorGroup, ErrorGroupAdmin)
    admin.site.register(Operation, OperationAdmin)
    admin.site.register(AuditEntry, AuditEntryAdmin)
