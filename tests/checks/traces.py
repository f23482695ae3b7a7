#!/usr/bin/env python3
"""Checks that every trace is complete and that its manifest says what its files say.

usage: traces.py PROJECT

Each folder of traces/ has one OTF2 anchor, named in its MANIFEST.md; the manifest's table of expected answers
(`| `metric` | sum | rows |`) holds the sums and row counts of reference.csv, and there is one exactly where there is a
reference.csv. Prints every difference, exits 1 if there is one.
"""
import csv
import math
import re
import sys
from collections import defaultdict
from pathlib import Path

EXPECTED = re.compile(r"^\| `(\w+)` \| ([0-9.e+-]+) \| (\d+) \|$", re.MULTILINE)


def sums(path):
    """{metric: (sum, rows)} of a reference.csv."""
    table = defaultdict(lambda: (0.0, 0))
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            total, rows = table[row["metric"]]
            table[row["metric"]] = total + float(row["value"]), rows + 1
    return table


def problems(trace):
    """The errors of the trace in this folder, a sentence each."""
    manifest, reference = trace / "MANIFEST.md", trace / "reference.csv"
    anchors = sorted(trace.glob("*.otf2"))
    if len(anchors) != 1:
        return [f"{len(anchors)} files *.otf2, expected the one anchor"]
    if not manifest.is_file():
        return ["no MANIFEST.md"]
    text = manifest.read_text(encoding="utf-8")
    found = [] if f"`{anchors[0].name}`" in text else [f"MANIFEST.md does not name the anchor {anchors[0].name}"]
    for needed in (anchors[0].with_suffix(".def"), anchors[0].with_suffix("")):
        if not needed.exists():
            found.append(f"no {needed.name}")
    expected = EXPECTED.findall(text)
    if bool(expected) != reference.is_file():
        found.append("expected answers in MANIFEST.md and reference.csv: one is there without the other")
    elif expected:
        table = sums(reference)
        for metric, total, rows in expected:
            if not math.isclose(float(total), table[metric][0], rel_tol=1e-8) or int(rows) != table[metric][1]:
                found.append(f"{metric}: MANIFEST.md has {total} in {rows} rows, "
                             f"reference.csv {table[metric][0]:.9g} in {table[metric][1]} rows")
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    traces = sorted(path for path in (Path(sys.argv[1]) / "traces").iterdir() if path.is_dir())
    if not traces:
        sys.exit(f"{sys.argv[1]}/traces: no trace there")
    found = [f"traces/{trace.name}: {problem}" for trace in traces for problem in problems(trace)]
    print("\n".join(found) if found else f"{len(traces)} traces are as their manifests say")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
