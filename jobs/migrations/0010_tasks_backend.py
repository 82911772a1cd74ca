from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("qforge", "0009_operations"),
    ]

    operations = [
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
