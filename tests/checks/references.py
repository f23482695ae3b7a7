#!/usr/bin/env python3
"""Compares `waitstate analyze` with every reference.csv, row by row.

usage: references.py PROGRAM TRACES [TRACES…]

Each TRACES is a folder of traces; one that does not exist is passed over. All metrics of compare_reference.py are
compared. The references leave out non-blocking collectives, which waitstate analyses.
"""
import pathlib
import subprocess
import sys
import tempfile

EXCEPTIONS = {
    "coll": ["--exclude-callpath", r"/icoll/MPI_(Iallreduce|Wait)$"],
}


def main():
    program, folders = sys.argv[1], [pathlib.Path(f) for f in sys.argv[2:]]
    compare = pathlib.Path(__file__).parent.parent / "support" / "compare_reference.py"
    differ = compared = 0
    for reference in sorted(r for f in folders if f.is_dir() for r in f.rglob("reference.csv")):
        trace = reference.parent
        with tempfile.TemporaryDirectory() as scratch:
            ours = pathlib.Path(scratch) / "ours.csv"
            subprocess.run([program, "analyze", trace, "--format", "csv", "-o", ours], check=True)
            result = subprocess.run(
                [sys.executable, compare, ours, reference, *EXCEPTIONS.get(trace.name, [])],
                capture_output=True, text=True)
        compared += 1
        differ += result.returncode != 0
        print(f"{trace}: {result.stdout.splitlines()[-1] if result.stdout else result.stderr}")
        if result.returncode != 0:
            print(result.stdout, result.stderr)
    print(f"{compared} traces compared, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
