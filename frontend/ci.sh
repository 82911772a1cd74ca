#!/usr/bin/env bash
# What the console must pass: types, style, tests, and that the committed build is what the sources
# give. Needs Node 20.19 or later.
set -euo pipefail
cd "$(dirname "$0")"

npm ci --no-audit --no-fund
npm run check
npm test

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
OUT_DIR="$built" npm run build
for name in app.js app.css theme.js icon.svg; do
    cmp "$built/$name" "../jobs/static/qforge/$name" || {
        echo "jobs/static/qforge/$name is not what frontend/ builds. Run: npm --prefix frontend run build" >&2
        exit 1
    }
done
npm run size
