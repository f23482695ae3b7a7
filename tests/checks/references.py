#!/usr/bin/env python3
"""Compares `waitstate analyze` with every reference.csv, row by row.

usage: references.py PROGRAM TRACES [TRACES…]

Each TRACES is a folder of traces; one that does not exist is passed over. All metrics of compare_reference.py are
compared, and the causes, which run on request. The references leave out non-blocking collectives, which waitstate
analyses.
"""
import pathlib
import subprocess
import sys
import tempfile

EXCEPTIONS = {
    "coll": ["--exclude-callpath", r"/icoll/MPI_(Iallreduce|Wait)$"],
}
DELAYS = [f"delay_{t}{term}" for t in ("latesender", "latereceiver", "barrier", "n2n", "12n", "n21", "ompbarrier", "ompidle")
          for term in ("", "_longterm")]
CAUSES = ["critical_path", "critical_path_activities", "non_critical_path_activities", "critical_imbalance_impact",
          "inter_partition_imbalance", *DELAYS, "mpi_wait_indirect_latesender", "mpi_wait_indirect_latereceiver",
          "mpi_wait_propagating_ls", "mpi_wait_propagating_lr"]


def differences(program, trace, analysis, comparison):
    """0 if no row differs."""
    compare = pathlib.Path(__file__).parent.parent / "support" / "compare_reference.py"
    with tempfile.TemporaryDirectory() as scratch:
        ours = pathlib.Path(scratch) / "ours.csv"
        subprocess.run([program, "analyze", trace, "--format", "csv", "-o", ours, *analysis], check=True)
        result = subprocess.run([sys.executable, compare, ours, trace / "reference.csv", *comparison],
                                capture_output=True, text=True)
    print(f"{trace}: {result.stdout.splitlines()[-1] if result.stdout else result.stderr}")
    if result.returncode != 0:
        print(result.stdout, result.stderr)
    return result.returncode


def main():
    program, folders = sys.argv[1], [pathlib.Path(f) for f in sys.argv[2:]]
    differ = compared = 0
    for reference in sorted(r for f in folders if f.is_dir() for r in f.rglob("reference.csv")):
        trace = reference.parent
        codes = [differences(program, trace, [], EXCEPTIONS.get(trace.name, []))]
        codes.append(differences(program, trace, ["--pattern", "critical_path,delay"], ["--metrics", ",".join(CAUSES)]))
        compared += 1
        differ += any(codes)
    print(f"{compared} traces compared, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
