#!/usr/bin/env bash
# The browser tests: Debian's Chromium against the real API, PostgreSQL and workers.
# Needs .venv (bin/_setup) and Node; installs Chromium where apt-get can.
set -euo pipefail
cd "$(dirname "$0")/.."

chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ]; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
[ -d node_modules ] || npm ci --no-audit --no-fund
cd ..
exec .venv/bin/python -m devtools.with_postgres node frontend/e2e/run.mjs "$@"
