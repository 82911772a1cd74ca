import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from jobs.online import TakeLock


class Migration(migrations.Migration):

    dependencies = [
        ('qforge', '0006_workflow_lists'),
    ]

    operations = [
        TakeLock('job'),
        migrations.CreateModel(
            name='ErrorGroup',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('fingerprint', models.CharField(max_length=32, unique=True)),
                ('task', models.CharField(max_length=255)),
                ('queue', models.CharField(max_length=64)),
                ('exception', models.CharField(max_length=255)),
                ('culprit', models.CharField(blank=True, default='', max_length=255)),
                ('message', models.TextField(blank=True, default='')),
                ('occurrences', models.BigIntegerField()),
                ('first_seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('first_release', models.CharField(blank=True, default='', max_length=100)),
                ('last_release', models.CharField(blank=True, default='', max_length=100)),
                ('status', models.CharField(choices=[('open', 'open'), ('ignored', 'ignored'), ('resolved', 'resolved')], default='open', max_length=8)),
                ('ignore_until_count', models.BigIntegerField(blank=True, null=True)),
                ('reopened_at', models.DateTimeField(blank=True, null=True)),
                ('note', models.TextField(blank=True, default='')),
                ('changed_by', models.CharField(blank=True, default='', max_length=150)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'db_table': 'job_error_groups',
            },
        ),
        migrations.CreateModel(
            name='ErrorHour',
            fields=[
                ('pk', models.CompositePrimaryKey('group_id', 'hour', blank=True, editable=False, primary_key=True, serialize=False)),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hours', to='qforge.errorgroup')),
                ('hour', models.DateTimeField()),
                ('occurrences', models.IntegerField()),
            ],
            options={
                'db_table': 'job_error_hours',
            },
        ),
        migrations.AddField(
            model_name='job',
            name='error_fingerprint',
            field=models.CharField(blank=True, db_default='', default='', max_length=32),
        ),
        migrations.AddIndex(
            model_name='errorgroup',
            index=models.Index(fields=['last_seen_at', 'id'], name='job_error_groups_seen'),
        ),
        migrations.AddIndex(
            model_name='errorgroup',
            index=models.Index(fields=['status', 'last_seen_at', 'id'], name='job_error_groups_status'),
        ),
        migrations.AddConstraint(
            model_name='errorgroup',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['open', 'ignored', 'resolved'])), name='job_error_groups_status_known'),
        ),
        migrations.AddConstraint(
            model_name='errorgroup',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('fingerprint', ''), _negated=True), models.Q(('task', ''), _negated=True), models.Q(('queue', ''), _negated=True), models.Q(('exception', ''), _negated=True)), name='job_error_groups_names_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='errorgroup',
            constraint=models.CheckConstraint(condition=models.Q(('last_seen_at__gte', models.F('first_seen_at')), ('occurrences__gte', 1)), name='job_error_groups_seen_in_order'),
        ),
        migrations.AddConstraint(
            model_name='errorgroup',
            constraint=models.CheckConstraint(condition=models.Q(('ignore_until_count__isnull', True), models.Q(('ignore_until_count__gt', models.F('occurrences')), ('status', 'ignored')), _connector='OR'), name='job_error_groups_limit_needs_ignored'),
        ),
        migrations.AddConstraint(
            model_name='errorgroup',
            constraint=models.CheckConstraint(condition=models.Q(('reopened_at__isnull', True), ('status', 'open'), _connector='OR'), name='job_error_groups_reopened_is_open'),
        ),
        migrations.AddIndex(
            model_name='errorhour',
            index=models.Index(fields=['hour'], name='job_error_hours_hour'),
        ),
        migrations.AddConstraint(
            model_name='errorhour',
            constraint=models.CheckConstraint(condition=models.Q(('occurrences__gte', 1)), name='job_error_hours_not_empty'),
        ),
    ]
