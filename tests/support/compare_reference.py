#!/usr/bin/env python3
"""Compares a table of severities with a reference table.

Both files are CSV with the columns metric, callpath, location, value (`waitstate analyze --csv`, traces/*/reference.csv).
Rows with the same metric, call path and location are added up, and a row that is missing counts as 0. Two values agree
if they differ by at most ABS + REL * |reference|. Without --metrics the metrics are those that the analyzer of
traces/*/reference.csv computes and that need no root-cause analysis: one that only we report shows up too. A reference
without a row of omp_idle_threads has no idle time of threads in `time` either: ours is compared without it.
Prints one line a metric and the worst rows; exits 0 if all agree, 1 if not, 2 on wrong usage or input.
"""
import argparse
import csv
import fnmatch
import math
import re
import sys
from collections import defaultdict

COLUMNS = ("metric", "callpath", "location", "value")
METRICS = """
    time visits mpi_init_completion mpi_finalize_wait mpi_barrier_wait mpi_barrier_completion
    mpi_latesender mpi_latesender_wo mpi_lswo_different mpi_lswo_same mpi_latereceiver
    mpi_earlyreduce mpi_earlyscan mpi_latebroadcast mpi_wait_nxn mpi_nxn_completion
    syncs_send syncs_recv syncs_coll comms_send comms_recv comms_cxch comms_csrc comms_cdst
    bytes_sent bytes_rcvd bytes_cout bytes_cin
    mpi_slr_count mpi_sls_count mpi_slswo_count mpi_clr_count mpi_cls_count mpi_clswo_count
    omp_management omp_fork omp_ebarrier_wait omp_ibarrier_wait omp_lock_contention_critical omp_lock_contention_api
    """.split()


def read_table(path):
    """{metric: {(callpath, location): value}} of a CSV file."""
    table = defaultdict(lambda: defaultdict(float))
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path}: no column {', '.join(missing)}; expected {','.join(COLUMNS)}")
        for row in reader:
            try:
                location, value = int(row["location"]), float(row["value"])
            except (TypeError, ValueError):
                raise ValueError(f"{path}:{reader.line_num}: location {row['location']!r} or value {row['value']!r} "
                                 "is no number") from None
            if not math.isfinite(value):
                raise ValueError(f"{path}:{reader.line_num}: value {row['value']} is not finite")
            table[row["metric"]][row["callpath"], location] += value
    return table


def differing(ours, reference, relative, absolute):
    """[(difference, key)] of the rows that do not agree, the worst first."""
    wrong = []
    for key in ours.keys() | reference.keys():
        a, b = ours.get(key, 0.0), reference.get(key, 0.0)
        if abs(a - b) > absolute + relative * abs(b):
            wrong.append((abs(a - b), key))
    return sorted(wrong, key=lambda entry: (-entry[0], entry[1]))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("reference")
    parser.add_argument("--metrics", metavar="ID,…", help="metrics to compare (default: see above)")
    parser.add_argument("--exclude-metrics", metavar="ID,…", default="", help="metrics to leave out, e.g. 'omp_*'")
    parser.add_argument("--only-locations", metavar="N,…", help="locations to compare (default: all)")
    parser.add_argument("--exclude-callpath", metavar="REGEX", help="leave out call paths in which REGEX is found")
    parser.add_argument("--rel", type=float, default=1e-6, help="relative tolerance (default 1e-6)")
    parser.add_argument("--abs", type=float, default=2e-9, help="absolute tolerance (default 2e-9)")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="worst rows to print a metric (default 3)")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        ours, reference = read_table(options.ours), read_table(options.reference)
        exclude = re.compile(options.exclude_callpath) if options.exclude_callpath else None
        locations = {int(n) for n in options.only_locations.split(",")} if options.only_locations else None
    except (OSError, ValueError, re.error) as error:
        print(f"compare_reference: {error}", file=sys.stderr)
        return 2

    if "omp_idle_threads" not in reference:
        for key, idle in ours.get("omp_idle_threads", {}).items():
            ours["time"][key] -= idle

    def chosen(rows):
        return {(callpath, location): value for (callpath, location), value in rows.items()
                if (locations is None or location in locations) and not (exclude and exclude.search(callpath))}

    left_out = options.exclude_metrics.split(",")
    metrics = [metric for metric in (options.metrics.split(",") if options.metrics else METRICS)
               if not any(fnmatch.fnmatch(metric, pattern) for pattern in left_out)]
    bad = compared = 0
    for metric in metrics:
        a, b = chosen(ours.get(metric, {})), chosen(reference.get(metric, {}))
        rows = len(a.keys() | b.keys())
        if not rows and not options.metrics:
            continue
        wrong = differing(a, b, options.rel, options.abs)
        print(f"{metric:32} {rows:6} rows {len(wrong):6} differ   ours {sum(a.values()):.9g}   "
              f"reference {sum(b.values()):.9g}")
        for _, (callpath, location) in wrong[: options.show]:
            key = callpath, location
            print(f"    {callpath} @ {location}: ours {a.get(key, 0.0):.9g}, reference {b.get(key, 0.0):.9g}")
        bad += len(wrong)
        compared += rows
    if compared == 0:
        print("compare_reference: nothing to compare: no row of the chosen metrics, locations and call paths",
              file=sys.stderr)
        return 2
    print(f"{bad} of {compared} rows differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
