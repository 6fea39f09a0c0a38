#!/usr/bin/env bash
# Checks .github/workflows with actionlint: syntax, expressions, permissions, and shell where shellcheck is there. Takes the
# actionlint that is installed; else Go fetches and builds it, checked by Go's checksum database.
set -euo pipefail
cd "$(dirname "$0")/../.."
linter=(actionlint)
command -v actionlint >/dev/null || linter=(go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12)
"${linter[@]}" .github/workflows/*.yml
echo "workflows: no faults"
