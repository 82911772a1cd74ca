"""The index and the constraint of the fingerprints on `jobs`."""

from django.db import migrations, models

from jobs.online import AddCheck, AddIndex


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('qforge', '0007_failures'),
    ]

    operations = [
        AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('error_fingerprint', ''), _negated=True), fields=['error_fingerprint', 'status', 'id'], name='jobs_error_group'),
        ),
        AddCheck(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('error_fingerprint', ''), models.Q(('error', ''), _negated=True), _connector='OR'), name='jobs_fingerprint_needs_error'),
        ),
    ]
