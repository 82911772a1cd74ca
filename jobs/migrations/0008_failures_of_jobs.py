"""The index and the constraint of the fingerprints on `jobs`, without stopping who works with it.

On PostgreSQL the index is built while rows are written, and the constraint is checked after it has
been added; both need transactions of their own.
"""

from django.db import migrations, models


class _AddIndex(migrations.AddIndex):
    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            model = to_state.apps.get_model(app_label, self.model_name)
            schema_editor.add_index(model, self.index, concurrently=True)
        else:
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            model = from_state.apps.get_model(app_label, self.model_name)
            schema_editor.remove_index(model, self.index, concurrently=True)
        else:
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class _AddConstraint(migrations.AddConstraint):
    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            model = to_state.apps.get_model(app_label, self.model_name)
            create = self.constraint.create_sql(model, schema_editor)
            schema_editor.execute(f'{create} NOT VALID', params=None)
            schema_editor.execute(f'ALTER TABLE jobs VALIDATE CONSTRAINT {self.constraint.name}')
        else:
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('qforge', '0007_failures'),
    ]

    operations = [
        _AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('error_fingerprint', ''), _negated=True), fields=['error_fingerprint', 'status', 'id'], name='jobs_error_group'),
        ),
        _AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('error_fingerprint', ''), models.Q(('error', ''), _negated=True), _connector='OR'), name='jobs_fingerprint_needs_error'),
        ),
    ]
