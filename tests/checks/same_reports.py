#!/usr/bin/env python3
"""Compares what two builds of the program say of many traces, byte by byte.

usage: same_reports.py OLD NEW [FOLDER...]

For changes that must not change a result: runs both programs on every archive below the folders (default: traces/ of this
project and ../shared/traces beside it, where that exists) and on the trace of every case in tests/cases. Of each trace:
`analyze` as text, with --full, as JSON, CSV and CUBE, with 1, 2 and 5 threads; `info`; and `print` with --links and,
where there is one-sided communication, --epochs. Of a case: text, JSON and `print --links`, with one thread. Standard
output, standard error, exit codes and files are compared. Prints what differs, with its first differing line, and how much
was compared; exits 1 if something differs.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPORTS: list[list[str]] = [[], ["--full"], ["--format", "json"], ["--format", "csv"], ["-o", "run.cubex"]]


def commands(trace, is_case):
    """Arguments of every run on a trace."""
    if is_case:
        return [["analyze", trace], ["analyze", trace, "--format", "json"], ["print", trace, "--links"]]
    runs = [["analyze", trace, *report, "--threads", threads] for report in REPORTS for threads in ("1", "2", "5")]
    return [*runs, ["info", trace], ["print", trace, "--links"],
            ["print", trace, "--epochs", "--location", "0", "--time", "0", "1000"]]


def outcome(program, arguments):
    """Everything that a run leaves: {name: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=600, env={**os.environ, "NO_COLOR": "1"})
        left = {"exit code": str(done.returncode).encode(), "stdout": done.stdout, "stderr": done.stderr}
        for file in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
            left[file.name] = file.read_bytes()
        return left


def difference(old, new, arguments):
    """What differs between the programs' outcomes, in a line; empty if nothing does. And the number of bytes compared."""
    a, b = outcome(old, arguments), outcome(new, arguments)
    for name in sorted({*a, *b}):
        before, after = a.get(name), b.get(name)
        if before == after:
            continue
        if before is None or after is None:
            return f"{name} is written by one program only", 0
        lines = zip(before.split(b"\n") + [b"(end)"], after.split(b"\n") + [b"(end)"])
        first = next((pair for pair in lines if pair[0] != pair[1]), (b"", b""))
        return f"{name}: {first[0][:160]!r} became {first[1][:160]!r}", 0
    return "", sum(map(len, a.values()))


def case_traces(folder):
    """Writes the trace of every case into the folder, without what follows it, and yields the files."""
    for case in sorted((ROOT / "tests/cases").glob("*/*.case")):
        lines = case.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        end = next((i for i, line in enumerate(lines) if line.startswith("---")), len(lines))
        file = Path(folder) / f"{case.parent.name}.{case.stem}.trace"
        kept = [line for line in lines[:end] if not re.match(r"(metrics|patterns|plugins|set|options)\b.*:", line)]
        file.write_text("\n".join(kept) + "\n", encoding="utf-8", errors="surrogateescape")
        yield file


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    old, new = (str(Path(p).resolve()) for p in sys.argv[1:3])
    folders = [Path(p) for p in sys.argv[3:]] or [ROOT / "traces", ROOT.parent / "shared/traces"]
    anchors = sorted({p.resolve() for f in folders if f.is_dir() for p in f.rglob("*.otf2")})
    with tempfile.TemporaryDirectory() as scratch:
        runs = [c for a in anchors for c in commands(str(a), False)]
        runs += [c for t in case_traces(scratch) for c in commands(str(t), True)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda arguments: difference(old, new, arguments), runs))
    for arguments, (text, _) in zip(runs, results):
        if text:
            print(" ".join(arguments), "\n    " + text)
    differ = sum(bool(text) for text, _ in results)
    print(f"{len(anchors)} archives, {len(runs)} runs of each program, {sum(n for _, n in results)} equal bytes: "
          f"{differ} runs differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
