"""Constraints of columns that earlier migrations have added to tables with rows."""

from django.db import migrations, models

from jobs.online import AddCheck, AddUnique


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('qforge', '0013_operation_cancels'),
    ]

    operations = [
        AddCheck(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('open_dependencies__gt', 0), ('status', 'blocked')), models.Q(models.Q(('status', 'blocked'), _negated=True), ('open_dependencies', 0)), _connector='OR'), name='jobs_blocked_by_open_dependencies'),
        ),
        AddCheck(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('on_failure', ''), ('step_name', ''), ('workflow__isnull', True)), models.Q(('on_failure__in', ['cancel', 'continue']), ('workflow__isnull', False), models.Q(('step_name', ''), _negated=True)), _connector='OR'), name='jobs_step_of_workflow'),
        ),
        AddUnique(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('workflow__isnull', False)), fields=('workflow', 'step_name'), name='jobs_step_name'),
        ),
        AddCheck(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('run_after__isnull', True), models.Q(('tasks_backend', ''), _negated=True), _connector='OR'), name='jobs_run_after_of_backend'),
        ),
        AddCheck(
            model_name='operation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cancel_reason', ''), ('cancelled_by', '')), ('status', 'cancelled'), _connector='OR'), name='job_operations_cancel_of_cancelled'),
        ),
    ]
