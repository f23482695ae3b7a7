#!/usr/bin/env python3
"""Compares `waitstate analyze` with what generated and enlarged traces must give by construction, row by row, and with
itself where so many messages are open that sends are spilled: with several threads, by the workers of both sides.

usage: generated.py PROGRAM GENERATE_TRACE ENLARGE_TRACE TRACES
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

COMPARE = pathlib.Path(__file__).parent.parent / "support" / "compare_reference.py"
METRICS = "time,visits,syncs_send,syncs_recv,comms_send,comms_recv,bytes_sent,bytes_rcvd,mpi_latesender"
RMA_METRICS = METRICS + (
    ",comms_rma_puts,comms_rma_gets,comms_rma_atomics,bytes_put,bytes_get,syncs_rma_active,syncs_rma_passive,"
    "mpi_rma_pairsync_count,mpi_rma_pairsync_unneeded_count,mpi_rma_wait_at_create,mpi_rma_wait_at_free,"
    "mpi_rma_wait_at_fence,mpi_rma_early_fence,mpi_rma_sync_late_post,mpi_rma_comm_late_post,mpi_rma_early_wait,"
    "mpi_rma_late_complete,mpi_rma_sync_lock_competition,mpi_rma_comm_lock_competition,"
    "mpi_rma_sync_wait_for_progress,mpi_rma_comm_wait_for_progress")
GENERATED = [["--pattern", p, "--locations", "6", "--events", "6000", "--seed", s]
             for p, s in [("halo", "1"), ("ring", "2"), ("random", "3"), ("master", "4"), ("tags", "5"),
                          ("mixed", "6")]]
GENERATED += [["--pattern", "inflight", "--locations", "6", "--events", "6000", "--in-flight", "301", "--order", order]
              for order in ("fifo", "reverse", "random")]
GENERATED.append(["--pattern", "halo", "--locations", "8", "--events", "8000", "--clock-error", "5000"])
GENERATED += [["--pattern", "rma", "--locations", n, "--events", "6000", "--seed", n, *more]
              for n, *more in [("2",), ("7", "--late-ticks", "700"), ("16", "--late-sender", "0.5"),
                               ("8", "--threads-per-process", "2", "--late-sender", "0")]]
ENLARGED = ["p2p", "coll", "lammps"]  # recorded completely, and without locks
ONCE = ["mpi_init_completion", "mpi_finalize_wait"]  # however often the program begins and ends
TIMES = 3
SPILLED = {"150,000 messages in flight": ["--pattern", "inflight", "--in-flight", "150000", "--order", "random",
                                          "--events", "800000"],
           "260,000 messages that nobody receives": ("eztrace_lammps", 40)}


def multiply(table, result):
    with open(table, encoding="utf-8", newline="") as source, open(result, "w", encoding="utf-8", newline="") as out:
        rows = csv.DictReader(source)
        writer = csv.DictWriter(out, ["metric", "callpath", "location", "value"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(row | {"value": repr((1 if row["metric"] in ONCE else TIMES) * float(row["value"]))}
                         for row in rows)


def main():
    program, generate, enlarge, traces = sys.argv[1:]
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)

        def analyze(trace):
            table = scratch / (pathlib.Path(trace).name + ".csv")
            subprocess.run([program, "analyze", trace, "--format", "csv", "-o", table], check=True)
            return table

        def compare(what, ours, expected, *options):
            nonlocal differ
            result = subprocess.run([sys.executable, COMPARE, ours, expected, *options], capture_output=True, text=True)
            differ += result.returncode != 0
            print(what, ":", result.stdout.splitlines()[-1] if result.stdout else result.stderr)

        for number, options in enumerate(GENERATED):
            trace = scratch / f"generated{number}"
            subprocess.run([generate, *options, trace], check=True, stdout=subprocess.DEVNULL)
            compare(" ".join(options), analyze(trace), trace / "expected.csv", "--metrics",
                    RMA_METRICS if "rma" in options else METRICS)
        for name in ENLARGED:
            recorded = pathlib.Path(traces) / name
            trace, expected = scratch / f"{name}-enlarged", scratch / f"{name}-expected.csv"
            subprocess.run([enlarge, recorded / "traces.otf2", trace, str(TIMES)], check=True,
                           stdout=subprocess.DEVNULL)
            multiply(analyze(recorded), expected)
            compare(f"{name} {TIMES} times", analyze(trace), expected)
        for what, made in SPILLED.items():
            trace = scratch / what.replace(" ", "-")
            command = ([enlarge, pathlib.Path(traces) / made[0] / "eztrace_log.otf2", trace, str(made[1])]
                       if isinstance(made, tuple) else [generate, *made, trace])
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            reports = {threads: subprocess.run(
                [program, "analyze", trace, "--pattern", "all,critical_path,delay", "--format", "json", "--threads", threads],
                capture_output=True, check=True).stdout for threads in ("1", "2", "3", "8")}
            other = [threads for threads, report in reports.items() if report != reports["1"]]
            differ += len(other)
            print(what, ":", f"other reports with {', '.join(other)} threads" if other else "the same with any threads")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
