"""Licences for a CycloneDX bill of materials, from THIRD_PARTY_NOTICES.txt.

licences_in_sbom.py parts.cdx.json overpaint-0.1.0.cdx.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTICES = ROOT / "resources" / "notices" / "THIRD_PARTY_NOTICES.txt"


def main() -> None:
    """Writes the second file from the first."""
    parts, target = Path(sys.argv[1]), Path(sys.argv[2])
    rows = re.findall(r"^\| (\S+) \| (\d\S*) \| (.+?) \|$", NOTICES.read_text("utf-8"), re.MULTILINE)
    licences = {(name, version): licence for name, version, licence in rows}
    bill = json.loads(parts.read_text("utf-8"))
    # The lock has parts that no system gets, by conditions that contradict each other.
    bill["components"] = [each for each in bill["components"] if (each["name"], each["version"]) in licences]
    for component in bill["components"]:
        component["licenses"] = [{"expression": licences[component["name"], component["version"]]}]
        component["bom-ref"] = component["purl"]
        del component["description"]
    named = sorted({each["bom-ref"] for each in bill["components"]})
    whole = bill["metadata"]["component"]["bom-ref"]
    bill["dependencies"] = [{"ref": whole, "dependsOn": named}, *({"ref": each} for each in named)]
    if len(named) != len(licences):
        sys.exit("sbom: lock and notices name different parts: make notices")
    text = json.dumps(bill, indent=2) + "\n"
    target.write_text(text, "utf-8")
    print(f"sbom: {target.name}: {len(bill['components'])} parts")


if __name__ == "__main__":
    main()
