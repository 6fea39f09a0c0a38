#!/usr/bin/env bash
# The bill of materials, dist/overpaint-VERSION.cdx.json (CycloneDX 1.6): every locked part with its version, hashes and
# licence. C libraries inside wheels (FFmpeg, x264, Qt …) are no parts of their own there: docs/licences.md names them.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$PWD/dist/build/sbom/bin
if ! cmp -s packaging/releases/requirements.txt "$tools/../ready"; then
    "${PYTHON:-python3}" -m venv "$tools/.."
    "$tools/python" -m pip install -qq --disable-pip-version-check -r packaging/releases/requirements.txt
    cp packaging/releases/requirements.txt "$tools/../ready"
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
PYTHONWARNINGS=ignore "$tools/cyclonedx-py" requirements requirements.lock --pyproject pyproject.toml --mc-type application \
    --spec-version 1.6 --output-format JSON --output-reproducible --output-file dist/build/parts.cdx.json
"$tools/python" packaging/releases/licences_in_sbom.py dist/build/parts.cdx.json "dist/overpaint-$version.cdx.json"
"$tools/python" - "dist/overpaint-$version.cdx.json" <<'END'
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1], encoding="utf-8").read())
sys.exit(f"sbom: {fault}" if fault else 0)
END
