#!/usr/bin/python3
"""Whole commands on one trace, side by side: raw OTF2 decode, OTF2's global reader, otf2-print, and waitstate.

usage: run.py [--repeat N] [--json] [--build DIR]… [TRACE.otf2]

Without a trace, one of 64 locations and 10 million events is generated in a temporary directory. Every command runs
once to warm the page cache, then all commands run in turn, N rounds, so that other load on the machine hits all alike;
what counts is the median wall time, and the processor time beside it tells whether the machine was busy. Peak memory is
wait4's ru_maxrss, whose floor is this script's own size (printed). Programs are looked for in build/bench and
build/release, --build adds a folder in front; one that is missing is named, and its rows are left out.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFERENCE = "raw decode, 2 threads"


def find_program(name, folders):
    """Path of the program in one of the build folders, or on PATH, or None."""
    for folder in folders:
        for inner in ("", "tests", "bin"):
            path = os.path.join(folder, inner, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return shutil.which(name)


def run(command):
    """Wall seconds, processor seconds, peak KiB and output of a command; raises RuntimeError if it fails."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped above
        out.seek(0)
        err.seek(0)
        if process.returncode:
            words = err.read().decode(errors="replace").strip() or "no message"
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {words}")
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out.read().decode(errors="replace")


def commands(trace, folders, scratch, missing):
    """(name, command) of what can be run."""
    found = []
    raw = find_program("raw_decode", folders)
    if raw:
        found += [("raw decode, 1 thread", [raw, "--threads", "1", trace]),
                  (REFERENCE, [raw, "--threads", "2", trace]),
                  ("OTF2 global reader", [raw, "--global", trace])]
    else:
        missing.append("raw_decode: build it with `cmake --build --preset bench --target raw_decode`")
    printer = find_program("otf2-print", [])
    if printer:
        found.append(("otf2-print --silent", [printer, "--silent", trace]))
    else:
        missing.append("otf2-print: install otf2-tools")
    program = find_program("waitstate", folders)
    if program:
        for threads in ("1", "2"):
            found.append((f"waitstate analyze, {threads} thread{'s' if threads != '1' else ''}",
                          [program, "analyze", trace, "--threads", threads, "--format", "csv",
                           "-o", os.path.join(scratch, "report.csv")]))
    else:
        missing.append("waitstate: build it with `cmake --build --preset release`")
    return found


def count_events(trace, folders):
    """Number of events, as decoded; None if no program at hand can tell."""
    raw = find_program("raw_decode", folders)
    match = re.match(r"events (\d+)", run([raw, trace])[3]) if raw else None
    return int(match[1]) if match else None


def measure(todo, repeat):
    """One row a command; a command that fails is an error row, the others still run."""
    rows = {name: {"name": name, "command": command, "wall": [], "cpu": [], "peak_kib": 0} for name, command in todo}
    for round_number in range(repeat + 1):
        for row in rows.values():
            if "error" in row:
                continue
            try:
                wall, cpu, peak, _ = run(row["command"])
            except RuntimeError as error:
                row["error"] = str(error)
                continue
            if round_number:  # the first round warms the page cache
                row["wall"].append(wall)
                row["cpu"].append(cpu)
            row["peak_kib"] = max(row["peak_kib"], peak)
    return list(rows.values())


def summarise(rows, events):
    reference = next((statistics.median(r["wall"]) for r in rows if r["name"] == REFERENCE and r["wall"]), None)
    for row in rows:
        if not row["wall"] or "error" in row:
            continue
        row["median_seconds"] = statistics.median(row["wall"])
        row["best_seconds"] = min(row["wall"])
        row["cpu_seconds"] = statistics.median(row["cpu"])
        row["events_per_second"] = events / row["median_seconds"] if events else None
        row["ratio"] = row["median_seconds"] / reference if reference else None


def print_table(result):
    events = f"{result['events']:,} events" if result["events"] else "number of events unknown"
    print(f"{result['trace']}: {events}, {result['trace_bytes'] / 2**20:.0f} MiB; median of {result['repeat']}, "
          f"{os.cpu_count()} processors, floor of the peak {result['floor_kib'] / 1024:.0f} MiB\n")
    print("| | seconds | best | processor s | million events/s | ÷ raw 2 threads | peak MiB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for row in result["rows"]:
        if "median_seconds" not in row:
            print(f"| {row['name']} | failed | | | | | |")
            continue
        rate = f"{row['events_per_second'] / 1e6:.2f}" if row["events_per_second"] else ""
        ratio = f"{row['ratio']:.2f}" if row["ratio"] else ""
        print(f"| {row['name']} | {row['median_seconds']:.3f} | {row['best_seconds']:.3f} | {row['cpu_seconds']:.3f} "
              f"| {rate} | {ratio} | {row['peak_kib'] / 1024:.0f} |")
    print()
    for row in result["rows"]:
        print(f"    {' '.join(row['command'])}")


def size_of_archive(trace):
    stem = os.path.splitext(trace)[0]
    files = [trace, stem + ".def"] + [os.path.join(stem, f) for f in (os.listdir(stem) if os.path.isdir(stem) else [])]
    return sum(os.path.getsize(f) for f in files if os.path.isfile(f))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trace", nargs="?", help="anchor file; default: one is generated")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    parser.add_argument("--events", type=int, default=10_000_000, help="of the generated trace")
    parser.add_argument("--locations", type=int, default=64, help="of the generated trace")
    parser.add_argument("--pattern", default="mixed", help="of the generated trace")
    parser.add_argument("--build", action="append", default=[], metavar="DIR",
                        help="folder with programs, looked at first")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.repeat < 1:
        parser.error("--repeat: expected a number above 0")
    if arguments.trace and not os.path.isfile(arguments.trace):
        sys.exit(f"run.py: {arguments.trace}: no such file, expected the anchor file (.otf2) of an OTF2 archive")
    folders = arguments.build + [os.path.join(ROOT, "build", preset) for preset in ("bench", "release")]

    with tempfile.TemporaryDirectory(prefix="waitstate-bench-") as scratch:
        trace = arguments.trace
        if trace is None:
            generator = find_program("generate_trace", folders)
            if generator is None:
                sys.exit("run.py: generate_trace is missing, build it with `cmake --build --preset bench`, "
                         "or name a trace")
            run([generator, "--pattern", arguments.pattern, "--locations", str(arguments.locations),
                 "--events", str(arguments.events), os.path.join(scratch, "trace")])
            trace = os.path.join(scratch, "trace", "traces.otf2")
        missing = []
        todo = commands(trace, folders, scratch, missing)
        for sentence in missing:
            print(f"run.py: without {sentence}", file=sys.stderr)
        if not todo:
            sys.exit("run.py: nothing to run")
        try:
            events = count_events(trace, folders)
        except RuntimeError as error:
            sys.exit(f"run.py: {error}")
        rows = measure(todo, arguments.repeat)
        summarise(rows, events)
        result = {"trace": trace, "trace_bytes": size_of_archive(trace), "events": events,
                  "repeat": arguments.repeat, "floor_kib": run(["true"])[2], "missing": missing, "rows": rows}
    for row in rows:
        if "error" in row:
            print(f"run.py: {row['error']}", file=sys.stderr)
    if arguments.json:
        json.dump(result, sys.stdout, indent=2)
        print()
    else:
        print_table(result)
    return 1 if any("error" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
