#!/usr/bin/env bash
# Checks .github/workflows with actionlint: syntax, expressions, shell (where shellcheck is there), permissions.
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/releases/tools.sh
"$tools/actionlint" -color .github/workflows/*.yml
echo "workflows: $(ls .github/workflows/*.yml | wc -l) files are in order"
