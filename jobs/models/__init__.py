"""The nouns: one table, one file."""

from jobs.models.audit_entry import AuditEntry
from jobs.models.dependency import Dependency
from jobs.models.error_group import ErrorGroup, ErrorHour
from jobs.models.job import Job
from jobs.models.job_event import JobEvent
from jobs.models.operation import Operation, OperationItem
from jobs.models.queue import Queue
from jobs.models.rollup import Rollup, RollupPosition, TaskRollup
from jobs.models.schedule import Schedule
from jobs.models.worker import WorkerPool
from jobs.models.workflow import Workflow

__all__ = [
    "AuditEntry",
    "Dependency",
    "ErrorGroup",
    "ErrorHour",
    "Job",
    "JobEvent",
    "Operation",
    "OperationItem",
    "Queue",
    "Rollup",
    "RollupPosition",
    "Schedule",
    "TaskRollup",
    "WorkerPool",
    "Workflow",
]
