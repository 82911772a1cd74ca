"""PostgreSQL storage settings of the two busy tables.

A job row is rewritten a few times in its short life, so vacuum must come by size of the change and
not by a share of a table that may hold millions of finished rows.
"""

from django.db import migrations

from jobs.online import StorageSettings


class Migration(migrations.Migration):

    dependencies = [
        ('qforge', '0001_initial'),
    ]

    operations = [
        StorageSettings(
            'jobs',
            fillfactor=85,
            autovacuum_vacuum_scale_factor=0.01,
            autovacuum_vacuum_threshold=1000,
            autovacuum_analyze_scale_factor=0.02,
            autovacuum_vacuum_cost_delay=0,
        ),
        StorageSettings(
            'job_events',
            autovacuum_vacuum_scale_factor=0.05,
            autovacuum_vacuum_insert_scale_factor=0.1,
        ),
    ]
