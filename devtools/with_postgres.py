"""Runs a command with DATABASE_URL set to an empty database on a PostgreSQL of its own.

`python -m devtools.with_postgres python manage.py check`
"""

from __future__ import annotations

import os
import subprocess
import sys

from devtools.ephemeral import ephemeral
from devtools.errors import PostgresError


def main(command: list[str]) -> int:
    """Run the command; returns its exit code."""
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with ephemeral() as server:
            server.create_database("qforge")
            environment = os.environ | {"DATABASE_URL": server.url("qforge")}
            return subprocess.run(command, env=environment, check=False).returncode
    except (PostgresError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
