#!/usr/bin/env python3
"""Measures `waitstate serve`: how long it takes until the timeline of a trace is there, and each of its answers.

usage: serve.py WAITSTATE TRACE...

The answers: views of the whole run and of parts from a half to a millionth of it, of 64 and of 512 rows, of processes and nodes; each is
asked for three times, and the middle one counts. Then one run with the default patterns, and the same views with its waits. A large trace
comes from `generate_trace --locations 10000 --events 100000000 FOLDER`. Prints a line of a table for each trace.
"""
import argparse
import os
import statistics
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "serve"))


def views(length):
    """Queries from the widest part to the narrowest."""
    parts = [1, 2, 5, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000]
    for rows in (64, 512):
        for part in parts:
            begin = int(length * 0.43) if part > 1 else 0
            yield f"from={begin}&to={min(length, begin + max(1, length // part))}&rows={rows}&width=1200"
    for level in ("process", "node"):
        for part in (1, 100):
            yield f"from=0&to={max(1, length // part)}&rows=512&width=1200&level={level}"


def measured(server, query):
    """Milliseconds, milliseconds of processors, and bytes; the first two are the middle of three."""
    times, busy = [], []
    for _ in range(3):
        begin, worked = time.perf_counter(), processor_time(server.process.pid)
        answer = server.ask("/api/timeline?" + query)
        times.append(1000 * (time.perf_counter() - begin))
        busy.append(1000 * (processor_time(server.process.pid) - worked))
        assert answer.status == 200, (query, answer.body)
    zlib.decompress(answer.body)
    return statistics.median(times), statistics.median(busy), len(answer.body)


def row(numbers):
    times, busy, sizes = zip(*numbers)
    return f"{statistics.median(times):.0f} | {max(times):.0f} | {max(busy):.0f} | {max(sizes) / 1000:.0f}"


def children_of(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def processor_time(pid):
    """Seconds that the first threads of the server and of its processes have worked, which nobody else's work makes longer."""
    files = (Path(f"/proc/{p}/schedstat") for p in [pid, *children_of(pid)])
    return sum(int(f.read_text(encoding="ascii").split()[0]) for f in files if f.exists()) / 1e9


def memory(pid):
    """Megabytes that the process that keeps the timeline has for itself."""
    totals = []
    for child in children_of(pid):
        lines = Path(f"/proc/{child}/smaps_rollup").read_text(encoding="ascii").splitlines()
        totals.append(sum(int(x.split()[1]) for x in lines if x.startswith("Private")))
    return max(totals) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("traces", type=Path, nargs="+")
    arguments = parser.parse_args()
    os.environ["WAITSTATE_BUILD"] = str(arguments.program.resolve().parent)
    from client import Server

    print("trace | events | locations | address after s | timeline after s | memory MB | answers: middle ms | worst ms | worst ms of processors | largest KB | run s | with waits: middle ms | worst ms | worst ms of processors | largest KB")
    for trace in arguments.traces:
        begin = time.perf_counter()
        with Server(trace) as server:
            started = time.perf_counter() - begin
            while server.ask("/api/timeline?width=1&rows=1").status == 202:
                time.sleep(0.01)
            ready = time.perf_counter() - begin
            facts = server.get("trace").json()
            length = facts["end"] - facts["begin"]
            plain = [measured(server, q) for q in views(length)]
            kept = memory(server.process.pid)
            begin = time.perf_counter()
            run_id = server.done()
            ran = time.perf_counter() - begin
            server.timeline(f"?run={run_id}&rows=1")  # looks at all of them once
            waits = [measured(server, f"{q}&run={run_id}") for q in views(length)]
        print(f"{trace.name} | {facts['events']:,} | {len(facts['locations']):,} | {started:.2f} | {ready:.1f} | {kept:.0f} | {row(plain)} | {ran:.1f} | {row(waits)}", flush=True)


if __name__ == "__main__":
    main()
