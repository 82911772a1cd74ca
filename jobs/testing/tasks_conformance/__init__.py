"""What every backend of Django's Tasks should do, as tests to hold one to.

Each class is a mixin for a `TransactionTestCase`, with a worker of the backend's to run:

    class MyEnqueueTests(EnqueueTests, TransactionTestCase):
        api = "django.tasks"

    class MyWorkerTests(WorkerTests, TransactionTestCase):
        api = "django.tasks"

        def run_worker(self, queue="default"):
            call_command("my_worker", queue=queue, batch=True)

`TASKS["default"]` must be the backend under test and serve the queues `default` and `other`. What
a backend says it does not support (`supports_…`) is skipped with that reason.
"""

from __future__ import annotations

from jobs.testing.tasks_conformance.enqueue import EnqueueTests as EnqueueTests
from jobs.testing.tasks_conformance.retries import RetryTests as RetryTests
from jobs.testing.tasks_conformance.signals import SignalTests as SignalTests
from jobs.testing.tasks_conformance.values import ValueTests as ValueTests
from jobs.testing.tasks_conformance.worker import WorkerTests as WorkerTests

__all__ = ["EnqueueTests", "RetryTests", "SignalTests", "ValueTests", "WorkerTests"]
