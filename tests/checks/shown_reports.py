#!/usr/bin/env python3
"""Checks that `show` says the same of a JSON report as `analyze` of the trace that it was written from.

usage: shown_reports.py PROGRAM FOLDER [FOLDER…]

For each archive and each trace in the text notation (*.trace) below the folders: `show run.json`, `show run.json --full` and
`show run.json --format json` give the same bytes as `analyze` with these options. A folder that does not exist has none. Prints
each difference, exits 1 if there is one.
"""
import pathlib
import subprocess
import sys
import tempfile


OPTIONS: list[list[str]] = [[], ["--full"], ["--format", "json"]]


def traces(folders):
    for folder in map(pathlib.Path, folders):
        yield from sorted([*folder.rglob("traces.otf2"), *folder.rglob("*.trace")])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, *folders = sys.argv[1:]

    def output(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, check=True).stdout

    number, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "run.json"
        for trace in traces(folders):
            output("analyze", trace, "-o", report)
            for options in OPTIONS:
                shown, expected = output("show", report, *options), output("analyze", trace, *options)
                number += 1
                if shown != expected:
                    wrong += 1
                    pairs = zip(shown.splitlines() + [b"(the end)"], expected.splitlines() + [b"(the end)"])
                    first = next((a, b) for a, b in pairs if a != b)
                    print(f"{trace} {' '.join(options)}: show says {first[0][:300]!r}, analyze says {first[1][:300]!r}")
    print(f"{number} reports, {wrong} differ")
    return 1 if wrong or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
