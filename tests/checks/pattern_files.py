#!/usr/bin/env python3
"""Checks that every built-in pattern is one file.

usage: pattern_files.py PROJECT

Each pattern has a row in patterns/patterns.cpp, a file patterns/ID.cpp that defines it, and a case in tests/cases/ID; no
file is without a row. What is said about a pattern stands in its file: the id of none of its metrics is a string in src/,
where only the help texts of the program (src/cli) name some as examples, and what compares metrics with numbers of others
or makes numbers or text of them (COMPARE) says of which. Prints what is wrong, exits 1 if something is.
"""
import re
import sys
from pathlib import Path

COMPARE = ("src/report/facts/ideal_machine.cpp", "src/report/facts/software_counters.cpp", "src/report/text/critical_path_text.cpp")


def violations(root):
    rows = re.findall(r"^  X\((\w+)\)", (root / "patterns/patterns.cpp").read_text(encoding="utf-8"), re.M)
    for row in sorted({row for row in rows if rows.count(row) > 1}):
        yield f"patterns/patterns.cpp: {row} has more than one row"
    metrics = {}
    files = {f.stem: f for f in (root / "patterns").glob("*.cpp") if f.stem != "patterns"}
    for pattern in rows:
        if pattern not in files:
            yield f"patterns/patterns.cpp: {pattern} has a row, but no file patterns/{pattern}.cpp"
        if not any((root / "tests/cases" / pattern).glob("*.case")):
            yield f"patterns/patterns.cpp: {pattern} has no case in tests/cases/{pattern}"
    for pattern, file in sorted(files.items()):
        text = file.read_text(encoding="utf-8")
        ids = re.findall(r'\.id = "(\w+)"', text)
        if pattern not in rows:
            yield f"patterns/{pattern}.cpp: has no row in patterns.cpp"
        if pattern not in ids[:1]:
            yield f"patterns/{pattern}.cpp: its first metric is {(ids or ['missing'])[0]}, expected {pattern}"
        if not re.search(rf"^PatternHandle {pattern}\(\) \{{", text, re.M):
            yield f"patterns/{pattern}.cpp: does not define {pattern}()"
        metrics.update(dict.fromkeys(ids, pattern))
    for file in sorted(f for f in (root / "src").rglob("*.?pp") if f.relative_to(root).parts[1] != "cli" and
                       str(f.relative_to(root)) not in COMPARE):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for text in re.findall(r'"(\w+)"', line.split("//")[0]):
                if text in metrics:
                    yield (f"{file.relative_to(root)}:{number}: names {text}, which patterns/{metrics[text]}.cpp alone "
                           f"should know")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(violations(Path(sys.argv[1])))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
