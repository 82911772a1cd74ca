#!/bin/sh
# Every container may start first: each waits for the database and migrates, one at a time.
set -eu
python -m config.migrate
exec "$@"
