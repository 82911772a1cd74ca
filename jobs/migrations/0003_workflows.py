import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models

from jobs.online import StorageSettings, TakeLock


class Migration(migrations.Migration):

    dependencies = [
        ('qforge', '0002_storage'),
    ]

    operations = [
        TakeLock('job'),
        migrations.AddField(
            model_name='job',
            name='on_failure',
            field=models.CharField(blank=True, choices=[('cancel', 'cancel'), ('continue', 'continue')], db_default='', default='', max_length=8),
        ),
        migrations.AddField(
            model_name='job',
            name='open_dependencies',
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='job',
            name='step_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.CreateModel(
            name='Dependency',
            fields=[
                ('pk', models.CompositePrimaryKey('parent_id', 'child_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('appended', models.BooleanField(default=False)),
                ('child', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parent_edges', to='qforge.job')),
                ('parent', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='child_edges', to='qforge.job')),
            ],
            options={
                'db_table': 'job_dependencies',
            },
        ),
        migrations.CreateModel(
            name='Workflow',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=255)),
                ('status', models.CharField(choices=[('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled')], max_length=16)),
                ('steps', models.IntegerField()),
                ('open_steps', models.IntegerField()),
                ('failed_steps', models.IntegerField(default=0)),
                ('cancelled_steps', models.IntegerField(default=0)),
                ('tolerated_failures', models.IntegerField(default=0)),
                ('tolerated_cancels', models.IntegerField(default=0)),
                ('idempotency_key', models.CharField(blank=True, max_length=255, null=True)),
                ('idempotency_hash', models.CharField(blank=True, default='', max_length=64)),
                ('rerun_of', models.BigIntegerField(blank=True, null=True)),
                ('cancel_requested_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'db_table': 'job_workflows',
                'indexes': [models.Index(fields=['status', 'finished_at', 'id'], name='job_workflows_finished')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['running', 'succeeded', 'failed', 'cancelled'])), name='job_workflows_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('idempotency_key', ''), _negated=True)), name='job_workflows_names_not_empty'), models.CheckConstraint(condition=models.Q(('cancelled_steps__gte', models.F('tolerated_cancels')), ('failed_steps__gte', models.F('tolerated_failures')), ('open_steps__gte', 0), ('steps__gte', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('open_steps'), '+', models.F('failed_steps')), '+', models.F('cancelled_steps'))), ('tolerated_cancels__gte', 0), ('tolerated_failures__gte', 0), ('steps__gte', 1)), name='job_workflows_counts_in_range'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('open_steps__gt', 0), ('status', 'running')), models.Q(('status', 'failed'), ('finished_at__isnull', False), ('open_steps', 0), ('failed_steps__gt', models.F('tolerated_failures')), models.Q(('cancel_requested_at__isnull', False), ('cancelled_steps__gt', 0), _negated=True)), models.Q(('status', 'cancelled'), ('finished_at__isnull', False), ('open_steps', 0), models.Q(models.Q(('cancel_requested_at__isnull', False), ('cancelled_steps__gt', 0)), models.Q(('cancelled_steps__gt', models.F('tolerated_cancels')), models.Q(('failed_steps__gt', models.F('tolerated_failures')), _negated=True)), _connector='OR')), models.Q(('status', 'succeeded'), ('finished_at__isnull', False), ('open_steps', 0), models.Q(('cancel_requested_at__isnull', False), ('cancelled_steps__gt', 0), _negated=True), models.Q(('failed_steps__gt', models.F('tolerated_failures')), _negated=True), models.Q(('cancelled_steps__gt', models.F('tolerated_cancels')), _negated=True)), _connector='OR'), name='job_workflows_ended_as'), models.UniqueConstraint(condition=models.Q(('idempotency_key__isnull', False)), fields=('idempotency_key',), name='job_workflows_idempotency_key')],
            },
        ),
        migrations.AddField(
            model_name='job',
            name='workflow',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='qforge.workflow'),
        ),
        migrations.AddIndex(
            model_name='dependency',
            index=models.Index(fields=['child'], name='job_dependencies_child'),
        ),
        migrations.AddConstraint(
            model_name='dependency',
            constraint=models.CheckConstraint(condition=models.Q(('parent_id', models.F('child_id')), _negated=True), name='job_dependencies_not_self'),
        ),
        # The row of a workflow is rewritten with every batch of its steps: room on its page keeps that cheap.
        StorageSettings('job_workflows', fillfactor=50, autovacuum_vacuum_scale_factor=0.02),
    ]
