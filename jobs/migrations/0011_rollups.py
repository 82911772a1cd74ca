# The sums of events that charts are drawn from.

import django.db.models.functions.datetime
from django.db import migrations, models


def _leave_room(apps, schema_editor):
    # The rows of the present minute are written again every few seconds.
    if schema_editor.connection.vendor == "postgresql":
        for table in ("job_rollups", "job_taskrollups"):
            schema_editor.execute(f"ALTER TABLE {table} SET (fillfactor = 70)")


class Migration(migrations.Migration):

    dependencies = [
        ('qforge', '0010_tasks_backend'),
    ]

    operations = [
        migrations.CreateModel(
            name='Rollup',
            fields=[
                ('outcome', models.CharField(choices=[('enqueued', 'enqueued'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('retrying', 'retrying')], max_length=16)),
                ('jobs', models.BigIntegerField(default=0)),
                ('wait_sum', models.FloatField(default=0)),
                ('wait_max', models.FloatField(default=0)),
                ('run_sum', models.FloatField(default=0)),
                ('run_max', models.FloatField(default=0)),
                ('wait_0', models.IntegerField(default=0)),
                ('wait_1', models.IntegerField(default=0)),
                ('wait_2', models.IntegerField(default=0)),
                ('wait_3', models.IntegerField(default=0)),
                ('wait_4', models.IntegerField(default=0)),
                ('wait_5', models.IntegerField(default=0)),
                ('wait_6', models.IntegerField(default=0)),
                ('wait_7', models.IntegerField(default=0)),
                ('wait_8', models.IntegerField(default=0)),
                ('wait_9', models.IntegerField(default=0)),
                ('wait_10', models.IntegerField(default=0)),
                ('wait_11', models.IntegerField(default=0)),
                ('wait_12', models.IntegerField(default=0)),
                ('wait_13', models.IntegerField(default=0)),
                ('wait_14', models.IntegerField(default=0)),
                ('wait_15', models.IntegerField(default=0)),
                ('run_0', models.IntegerField(default=0)),
                ('run_1', models.IntegerField(default=0)),
                ('run_2', models.IntegerField(default=0)),
                ('run_3', models.IntegerField(default=0)),
                ('run_4', models.IntegerField(default=0)),
                ('run_5', models.IntegerField(default=0)),
                ('run_6', models.IntegerField(default=0)),
                ('run_7', models.IntegerField(default=0)),
                ('run_8', models.IntegerField(default=0)),
                ('run_9', models.IntegerField(default=0)),
                ('run_10', models.IntegerField(default=0)),
                ('run_11', models.IntegerField(default=0)),
                ('run_12', models.IntegerField(default=0)),
                ('run_13', models.IntegerField(default=0)),
                ('run_14', models.IntegerField(default=0)),
                ('run_15', models.IntegerField(default=0)),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('span_seconds', models.IntegerField()),
                ('at', models.DateTimeField()),
                ('queue', models.CharField(max_length=64)),
            ],
            options={
                'db_table': 'job_rollups',
                'constraints': [models.UniqueConstraint(fields=('span_seconds', 'at', 'queue', 'outcome'), name='job_rollups_of_span'), models.CheckConstraint(condition=models.Q(('span_seconds__in', (60, 300, 900, 3600))), name='job_rollups_span_known'), models.CheckConstraint(condition=models.Q(('outcome__in', ['enqueued', 'succeeded', 'failed', 'cancelled', 'retrying'])), name='job_rollups_outcome_known'), models.CheckConstraint(condition=models.Q(('jobs__gte', 1), ('run_sum__gte', 0), ('wait_max__gte', 0), ('wait_sum__gte', 0), ('run_max__gte', 0)), name='job_rollups_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='RollupPosition',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('cursor', models.TextField(blank=True, db_default='', default='')),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('complete_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'db_table': 'job_rollupstate',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='job_rollupstate_is_one')],
            },
        ),
        migrations.CreateModel(
            name='TaskRollup',
            fields=[
                ('outcome', models.CharField(choices=[('enqueued', 'enqueued'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('retrying', 'retrying')], max_length=16)),
                ('jobs', models.BigIntegerField(default=0)),
                ('wait_sum', models.FloatField(default=0)),
                ('wait_max', models.FloatField(default=0)),
                ('run_sum', models.FloatField(default=0)),
                ('run_max', models.FloatField(default=0)),
                ('wait_0', models.IntegerField(default=0)),
                ('wait_1', models.IntegerField(default=0)),
                ('wait_2', models.IntegerField(default=0)),
                ('wait_3', models.IntegerField(default=0)),
                ('wait_4', models.IntegerField(default=0)),
                ('wait_5', models.IntegerField(default=0)),
                ('wait_6', models.IntegerField(default=0)),
                ('wait_7', models.IntegerField(default=0)),
                ('wait_8', models.IntegerField(default=0)),
                ('wait_9', models.IntegerField(default=0)),
                ('wait_10', models.IntegerField(default=0)),
                ('wait_11', models.IntegerField(default=0)),
                ('wait_12', models.IntegerField(default=0)),
                ('wait_13', models.IntegerField(default=0)),
                ('wait_14', models.IntegerField(default=0)),
                ('wait_15', models.IntegerField(default=0)),
                ('run_0', models.IntegerField(default=0)),
                ('run_1', models.IntegerField(default=0)),
                ('run_2', models.IntegerField(default=0)),
                ('run_3', models.IntegerField(default=0)),
                ('run_4', models.IntegerField(default=0)),
                ('run_5', models.IntegerField(default=0)),
                ('run_6', models.IntegerField(default=0)),
                ('run_7', models.IntegerField(default=0)),
                ('run_8', models.IntegerField(default=0)),
                ('run_9', models.IntegerField(default=0)),
                ('run_10', models.IntegerField(default=0)),
                ('run_11', models.IntegerField(default=0)),
                ('run_12', models.IntegerField(default=0)),
                ('run_13', models.IntegerField(default=0)),
                ('run_14', models.IntegerField(default=0)),
                ('run_15', models.IntegerField(default=0)),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('task', models.CharField(max_length=255)),
            ],
            options={
                'db_table': 'job_taskrollups',
                'constraints': [models.UniqueConstraint(fields=('at', 'task', 'outcome'), name='job_taskrollups_of_hour'), models.CheckConstraint(condition=models.Q(('outcome__in', ['enqueued', 'succeeded', 'failed', 'cancelled', 'retrying'])), name='job_taskrollups_outcome_known'), models.CheckConstraint(condition=models.Q(('jobs__gte', 1), ('run_sum__gte', 0), ('wait_max__gte', 0), ('wait_sum__gte', 0), ('run_max__gte', 0)), name='job_taskrollups_not_negative')],
            },
        ),
        migrations.RunPython(_leave_room, migrations.RunPython.noop),
    ]
