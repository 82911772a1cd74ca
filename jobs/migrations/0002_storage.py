"""PostgreSQL storage settings of the two busy tables.

A job row is rewritten a few times in its short life, so vacuum must come by size of the change and
not by a share of a table that may hold millions of finished rows.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations

_SET = (
    "ALTER TABLE jobs SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.01,"
    " autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02,"
    " autovacuum_vacuum_cost_delay = 0)",
    "ALTER TABLE job_events SET (autovacuum_vacuum_scale_factor = 0.05,"
    " autovacuum_vacuum_insert_scale_factor = 0.1)",
)
_RESET = (
    "ALTER TABLE jobs RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold,"
    " autovacuum_analyze_scale_factor, autovacuum_vacuum_cost_delay)",
    "ALTER TABLE job_events RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)",
)


def _run(statements: tuple[str, ...]) -> Any:
    def execute(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            for statement in statements:
                schema_editor.execute(statement)

    return execute


class Migration(migrations.Migration):
    dependencies: ClassVar = [("qforge", "0001_initial")]
    operations: ClassVar = [migrations.RunPython(_run(_SET), _run(_RESET))]
