"""Licences for a CycloneDX bill of materials, from THIRD_PARTY_NOTICES.txt; the result is checked by its schema.

licences_in_sbom.py parts.cdx.json overpaint-0.1.0.cdx.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[2]
NOTICES = ROOT / "resources" / "notices" / "THIRD_PARTY_NOTICES.txt"


def main() -> None:
    """Writes the second file from the first."""
    parts, target = Path(sys.argv[1]), Path(sys.argv[2])
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \|$", NOTICES.read_text("utf-8"), re.MULTILINE)
    licences = {(name, version): licence for name, version, licence in rows}
    bill = json.loads(parts.read_text("utf-8"))
    for component in bill["components"]:
        licence = licences.get((component["name"], component["version"]))
        if licence is None:
            sys.exit(f"sbom: no licence of {component['name']} {component['version']}: make notices")
        component["licenses"] = [{"expression": licence}]
    text = json.dumps(bill, indent=2) + "\n"
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        sys.exit(f"sbom: {fault}")
    target.write_text(text, "utf-8")
    print(f"sbom: {target.name}: {len(bill['components'])} parts")


if __name__ == "__main__":
    main()
