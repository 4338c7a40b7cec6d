#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of ctest skipped and why, from the JUnit file that it wrote. The last line counts functions and rows of Qt tests, and each other program once.

A Qt test that skips a row ends as passed; here the row counts as skipped.
"""
import re
import sys
import xml.etree.ElementTree as xml

SKIPPED_ROW = re.compile(r"^SKIP\s*: (\S.*?\)) (.*(?:\n(?!   Loc:|[A-Z]+\s*:).+)*)", re.M)
TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed, (\d+) skipped", re.M)


def summary(root):
    counts, reasons = [0, 0, 0], {}
    for case in root.iter("testcase"):
        name, output = case.get("name"), case.findtext("system-out") or ""
        totals = TOTALS.findall(output)
        failed = case.get("status") == "fail" or case.find("failure") is not None
        for total in totals:
            counts = [a + int(b) for a, b in zip(counts, total)]
        if failed and not any(int(total[1]) for total in totals):
            counts[1] += 1  # a crash, a time-out, or no Qt test
        elif not totals and not failed:
            skipped = case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None
            counts[2 if skipped else 0] += 1
            if skipped:
                said = re.search(r"^skipped: (.*)", output, re.M)
                reasons.setdefault(said.group(1) if said else "it could not be started", []).append(name)
        for row, why in SKIPPED_ROW.findall(output):
            reasons.setdefault(" ".join(why.split()), []).append(f"{name} {row.split('::', 1)[-1]}")
    return counts, reasons


def main():
    counts, reasons = summary(xml.parse(sys.argv[1]).getroot())
    if reasons:
        print("\nSkipped, and why:")
    for why, rows in sorted(reasons.items()):
        print(f"  {why}")
        for row in rows:
            print(f"      {row}")
    print("\n{} passed, {} failed, {} skipped".format(*counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
