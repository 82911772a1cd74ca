from django.db import migrations, models

from jobs.online import TakeLock


class Migration(migrations.Migration):
    dependencies = [
        ("qforge", "0009_operations"),
    ]

    operations = [
        TakeLock("job"),
        migrations.AddField(
            model_name="job",
            name="run_after",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="tasks_backend",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
