#!/usr/bin/python3
"""Measures analyses by several processes of an MPI: time, memory of each, and bytes that they send each other.

One process, and 2 and 4 of each MPI, with one worker each, on generated traces of several shapes; the best of --repeat
runs, the launcher's own time included. Bytes are counted by a library that stands before MPI_Issend, the only call by
which processes send. Beyond that: how long E events take N processes, start + E / N * (time of an event), with
constants of the smallest trace and of one process, beside what larger traces take; and so for 1e12 events.
"""
import argparse
import os
import re
import subprocess
import tempfile
import threading
import time

from measure import ROOT, Bench
from traces import Traces

MILLION = 1_000_000
SHAPES = (("halo", 64, 10), ("halo", 64, 40), ("halo", 64, 100), ("halo", 4096, 8), ("halo", 100_000, 8),
          ("random", 64, 10))
COUNTS = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long bytes;
int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  bytes += (unsigned long)count;
  return PMPI_Issend(buffer, count, type, to, tag, comm, request);
}
int MPI_Finalize(void) {
  FILE* const file = fopen(getenv("SENT_BYTES"), "a");
  fprintf(file, "%lu\\n", bytes);
  fclose(file);
  return PMPI_Finalize();
}
"""
os.environ.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"})


class Watch(threading.Thread):
    """The largest memory of each process whose command line names the trace, in KiB."""

    def __init__(self, trace):
        super().__init__()
        self.trace, self.over, self.peaks = str(trace).encode(), threading.Event(), {}

    def run(self):
        while not self.over.is_set():
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                    if not words[0].endswith(b"waitstate") or self.trace not in words:
                        continue
                    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                        peak = re.search(r"VmHWM:\s+(\d+)", file.read())
                    if peak:
                        self.peaks[pid] = max(self.peaks.get(pid, 0), int(peak.group(1)))
                except OSError:
                    continue  # it has ended
            self.over.wait(0.005)


def timed(command, trace, processes, env):
    """Seconds of a run, and the memory of each process in MiB, the largest first."""
    watch = Watch(trace)
    watch.start()
    begin = time.perf_counter()
    try:
        subprocess.run(command, check=True, capture_output=True, env=env)
    finally:
        took = time.perf_counter() - begin
        watch.over.set()
        watch.join()
    # Beside each process stands the one that guards it, which is small.
    return took, [kib // 1024 for kib in sorted(watch.peaks.values(), reverse=True)[:processes]]


def launched(mpi, processes, words):
    return [f"mpirun.{mpi}", "-n", str(processes), *words] if processes > 1 else list(words)


def sent_bytes(mpi, processes, words, scratch):
    """Bytes that all processes of a run send."""
    library, counts = os.path.join(scratch, f"count-{mpi}.so"), os.path.join(scratch, "sent")
    if not os.path.exists(library):
        source = os.path.join(scratch, "count.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(COUNTS)
        subprocess.run([f"mpicc.{mpi}", "-shared", "-fPIC", source, "-o", library], check=True)
    inner = ["env", f"LD_PRELOAD={library}", f"SENT_BYTES={counts}", *words]
    subprocess.run(launched(mpi, processes, inner), check=True, capture_output=True)
    with open(counts, encoding="utf-8") as file:
        total = sum(map(int, file))
    os.remove(counts)
    return total


def measure(a, bench, shape):
    """{(mpi, processes): (seconds, MiB of each, bytes sent)} of a trace."""
    pattern, locations, millions = shape
    trace = bench.traces.generated(pattern, locations, millions * MILLION)
    words = [str(w) for w in bench.analyze(trace, 1)]
    rows = {}
    for mpi in a.mpis:
        for processes in (1, 2, 4):
            if (None, 1) in rows and processes == 1:
                continue
            command = launched(mpi, processes, words)
            took, memory = min((timed(command, str(trace), processes, os.environ) for _ in range(a.repeat)),
                               key=lambda run: run[0])
            sent = sent_bytes(mpi, processes, words, bench.scratch) if processes > 1 else 0
            rows[(mpi, processes) if processes > 1 else (None, 1)] = (took, memory, sent)
    return rows


def predictions(a, results):
    """How long the larger halo traces take N processes, and 1e12 events of 100,000 locations 4,096."""
    small, large = results["halo", 64, 10], results["halo", 64, 100]
    event = (large[None, 1][0] - small[None, 1][0]) / (90 * MILLION)
    print(f"\nAn event takes {event * 1e9:.1f} ns.\n\n| | predicted | measured |\n|---|---:|---:|")
    for mpi in a.mpis:
        for processes in (2, 4):
            start = small[mpi, processes][0] - 10 * MILLION * event / min(processes, os.cpu_count() or 1)
            for millions in (40, 100):
                predicted = start + millions * MILLION * event / min(processes, os.cpu_count() or 1)
                measured = results["halo", 64, millions][mpi, processes][0]
                print(f"| {millions} million events, {processes} of {mpi} | {predicted:.2f} s | {measured:.2f} s |")
    cores = 64 * 64
    for pattern in ("halo", "random"):
        sent = max(row[2] for row in results[pattern, 64, 10].values()) / (10 * MILLION)
        print(f"| 1e12 events, 64 machines of 64 cores, {pattern} | {1e12 * event / cores:.0f} s of each core, "
              f"{1e12 * sent / 64 / 1e9:.0f} GB sent by each machine | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each command (3)")
    parser.add_argument("--mpis", default="mpich,openmpi", metavar="MPI,…", help="the ones to measure (mpich,openmpi)")
    parser.add_argument("--traces", metavar="DIR", default=os.path.join(ROOT, "build", "bench", "bench-traces"),
                        help="where traces are made, and found again (build/bench/bench-traces)")
    parser.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build", "bench"),
                        help="folder with the programs (build/bench)")
    a = parser.parse_args()
    a.mpis = a.mpis.split(",")
    results = {}
    print("| trace | processes | time | memory of each, MiB | bytes sent an event |\n|---|---|---:|---|---:|")
    with tempfile.TemporaryDirectory(prefix="waitstate-bench-") as scratch:
        bench = Bench([a.build], None, scratch, a.repeat)
        bench.traces = Traces(a.traces, bench.programs, 1.0)
        for shape in SHAPES:
            results[shape] = measure(a, bench, shape)
            pattern, locations, millions = shape
            for (mpi, processes), (took, memory, sent) in results[shape].items():
                print(f"| {pattern}, {locations:,} locations, {millions} million events | "
                      f"{f'{processes} of {mpi}' if mpi else 'one'} | {took:.2f} s | {', '.join(map(str, memory))} | "
                      f"{sent / (millions * MILLION):.1f} |", flush=True)
    predictions(a, results)


if __name__ == "__main__":
    main()
