#!/usr/bin/python3
"""Measures speed, memory and scale against targets, and writes the tables of README.md beside this script.

Whole commands, all built-in patterns, a complete report written, page cache warm; what is compared runs in turn within
one run (measure.py). Traces are made once into --traces (traces.py; 5 GiB in all). --quick uses a tenth of the events,
to try the script: its figures mean nothing. Some 25 minutes in all.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile

import predict
import show
from measure import ROOT, Bench
from targets import PARTS
from traces import Traces

PREDICT = "predict"
README = os.path.join(ROOT, "tests", "bench", "README.md")


def machine():
    model = "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {"processor": model, "processors": os.cpu_count(), "memory_gib": round(memory),
            "system": f"{platform.system()} {platform.release()}", "load": round(os.getloadavg()[0], 2)}


def commit():
    described = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12"],
                               capture_output=True, text=True, check=False)
    return described.stdout.strip() or "not a repository"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*PARTS, PREDICT]
    parser.add_argument("--only", default=",".join(names), metavar="PART,…", help="of " + ", ".join(names))
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds (5); of the longest commands 3")
    parser.add_argument("--quick", action="store_true", help="a tenth of the events")
    parser.add_argument("--traces", metavar="DIR", default=os.path.join(ROOT, "build", "bench", "bench-traces"),
                        help="where traces are made, and found again (build/bench/bench-traces)")
    parser.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build", "bench"),
                        help="folder with the programs (build/bench)")
    parser.add_argument("--write", nargs="?", const=README, metavar="FILE",
                        help="put the tables of a complete run between the markers of tests/bench/README.md, or of FILE")
    parser.add_argument("--json", action="store_true", help="print everything measured, every round of it")
    a = parser.parse_args()
    a.parts = a.only.split(",")
    for part in a.parts:
        if part not in names:
            parser.error(f"--only: unknown part '{part}', expected some of {', '.join(names)}")
    if a.repeat < 1:
        parser.error("--repeat: expected a number above 0")
    if a.write and (a.quick or a.json or set(a.parts) != set(names)):
        parser.error("--write: only a complete run is written, without --quick, --json and --only")
    return a


def main():
    a = arguments()
    result = {"machine": machine(), "commit": commit(), "command": " ".join(["tests/bench/run.py", *sys.argv[1:]]),
              "targets": [], "samples": {}}
    rows, failures = [], []
    with tempfile.TemporaryDirectory(prefix="waitstate-bench-") as scratch:
        bench = Bench([a.build], None, scratch, a.repeat)
        if bench.missing():
            sys.exit("run.py: " + "\nrun.py: ".join(bench.missing()))
        bench.traces = Traces(a.traces, bench.programs, 0.1 if a.quick else 1.0)
        result["floor_mib"] = round(bench.floor_mib, 1)
        for part in a.parts:
            print(part, file=sys.stderr)
            try:
                if part == PREDICT:
                    result[PREDICT] = predict.predict(bench)
                else:
                    found, result["samples"][part] = PARTS[part](bench)
                    rows += found
            except RuntimeError as error:  # the other parts still run
                failures.append(f"{part}: {error}")
                print(f"run.py: {failures[-1]}", file=sys.stderr)
    result |= {"targets": [row.as_dict() for row in rows], "failures": failures}
    if a.json:
        json.dump(result, sys.stdout, indent=1)
        print()
    elif a.write and not failures:
        write(a.write, result, rows)
    else:
        print_markdown(result, rows, a.quick)
    return 1 if failures else 0


def write(path, result, rows):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    stages = show.stages(result["samples"]["stages"])
    text = show.replace(text, "figures", [*show.conditions(result), "", *show.targets(rows), "", *stages])
    text = show.replace(text, "predictions", [*show.conditions(result), "", *show.prediction(result[PREDICT])])
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def print_markdown(result, rows, quick):
    print(*show.conditions(result))
    print("--quick: sizes a tenth, the figures mean nothing\n" if quick else "")
    if rows:
        print("\n".join(show.targets(rows)) + "\n")
    if "stages" in result["samples"]:
        print("\n".join(show.stages(result["samples"]["stages"])) + "\n")
    if PREDICT in result:
        print("\n".join(show.prediction(result[PREDICT])) + "\n")
    for failure in result["failures"]:
        print(f"failed: {failure}")


if __name__ == "__main__":
    sys.exit(main())
