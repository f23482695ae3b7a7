#!/usr/bin/env python3
"""Checks that no folder of src/ has become a room for several things.

usage: full_folders.py PROJECT

A folder has at most MOST source files of its own, those in folders below it not counted; one that needs more has several
jobs, each of which is a folder. patterns/ is flat, because each of its files is a pattern. KNOWN are the folders that are
still to be divided, with the number of files that they may have until then; one that fits must leave the list. Prints
what is wrong, exits 1 if something is.
"""
import sys
from collections import Counter
from pathlib import Path

MOST = 24
KNOWN = {"src/record/mpi": 31}
SOURCES = {".hpp", ".cpp", ".h", ".c", ".ipp", ".inc"}


def violations(root, known=None):
    """Yields a line for each folder that has too many files, and for each that is in the list without need."""
    known = KNOWN if known is None else known
    files = Counter(f.parent.relative_to(root).as_posix() for f in (root / "src").rglob("*") if f.suffix in SOURCES)
    for folder, number in sorted(files.items()):
        if number > known.get(folder, MOST):
            yield f"{folder}: {number} source files, expected at most {known.get(folder, MOST)}: divide it into folders"
    for folder in sorted(known):
        if files[folder] <= MOST:
            yield f"{folder}: {files[folder]} source files, so it no longer belongs in the list of tests/checks/full_folders.py"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(violations(Path(sys.argv[1])))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
