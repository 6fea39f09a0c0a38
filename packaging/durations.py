"""Table of test durations by module, from the JUnit files that the test suites write to dist/.

Arguments: JUnit files; ``--rows`` limits the table to the slowest modules.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree


def seconds_by_module(report: Path) -> dict[str, tuple[int, float]]:
    """Number of tests and seconds of each module of a JUnit file."""
    found: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for case in ElementTree.parse(report).iter("testcase"):
        parts = case.attrib["classname"].split(".")
        while not parts[-1].startswith("test_"):  # classes in a module
            parts.pop()
        module = "/".join(parts[1:]) + ".py"
        count, seconds = found[module]
        found[module] = (count + 1, seconds + float(case.attrib["time"]))
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("reports", nargs="+", type=Path)
    arguments.add_argument("--rows", type=int, default=30)
    given = arguments.parse_args()
    for report in given.reports:
        modules = seconds_by_module(report)
        tests, total = (sum(each[place] for each in modules.values()) for place in (0, 1))
        print(f"{report.stem}: {tests:,} tests, {total:,.0f} s in all workers together\n")
        print("| module | tests | s |\n| --- | --- | --- |")
        slowest = sorted(modules.items(), key=lambda item: -item[1][1])[: given.rows]
        for module, (count, seconds) in slowest:
            print(f"| `{module}` | {count} | {seconds:.1f} |")
        print()


if __name__ == "__main__":
    main()
