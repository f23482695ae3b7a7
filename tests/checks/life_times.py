#!/usr/bin/env python3
"""Checks that the exclusive times of each location add up to its life time.

usage: life_times.py PROGRAM TRACE [TRACE…]

TRACE is an archive, or a folder of such at any depth. A location's life time is counted from its events alone, as `print` gives
them: the intervals in which some region is open; of a created thread, from its begin to its end. `time` without what threads
are idle (omp_idle_threads) must be that. A worker of an OpenMP team is in a parallel region from fork to join, longer than its
own events say: for it the difference must be omp_management. And with idle time each such worker must have at least what the master has: it was there all the time.
"""
import collections
import csv
import io
import pathlib
import subprocess
import sys


def archives(arguments):
    for argument in map(pathlib.Path, arguments):
        folders = sorted({anchor.parent for anchor in argument.rglob("*.otf2")}) if argument.is_dir() else [argument]
        yield from folders


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def lives(text):
    """Life times from the output of print: ({location: ticks}, {worker: its outermost regions}, ticks a second)."""
    stack, since, last, life = collections.defaultdict(list), {}, collections.Counter(), collections.Counter()
    workers, resolution = {}, None

    def enter(location, time, what):
        if not stack[location]:
            since[location] = time
            if location in workers:
                workers[location].add(what.strip('"'))
        stack[location].append(what)

    def leave(location, time, what):
        if what not in stack[location]:
            return
        while stack[location].pop() != what:  # regions that are never left
            pass
        if not stack[location]:
            life[location] += time - since[location]

    for line in text.splitlines():
        words = line.split(maxsplit=3)
        if words[0] == "clock":
            resolution = next(int(w.split("=")[1]) for w in line.split() if w.startswith("resolution="))
        if not words[0].isdigit() or len(words) < 3:
            continue
        location, kind, what = int(words[0]), words[2], words[3] if len(words) > 3 else ""
        time = last[location] = max(int(words[1]), last[location])
        if kind in ("enter", "calling_context_enter"):
            if not stack[location] and "implicit_task" in what:  # written by a recorder without team records
                workers.setdefault(location, set())
            enter(location, time, what)
        elif kind in ("exit", "calling_context_exit"):
            leave(location, time, what)
        elif kind == "program_begin" or (kind == "thread_begin" and "contingent=none" not in what):
            enter(location, time, kind)  # a thread that nobody created is in no region yet
        elif kind in ("program_end", "thread_end"):
            leave(location, time, kind.replace("end", "begin"))
        elif kind == "thread_team_begin" and not stack[location]:
            workers.setdefault(location, set())
    for location, regions in stack.items():
        if regions:
            life[location] += last[location] - since[location]
    return life, workers, resolution


def main():
    program, traces = sys.argv[1], list(archives(sys.argv[2:]))
    wrong = locations = idle_checked = 0
    for trace in traces:
        life, workers, resolution = lives(run(program, "print", trace))
        sums = collections.defaultdict(collections.Counter)
        for row in csv.DictReader(io.StringIO(run(program, "analyze", trace, "--format", "csv"))):
            location = int(row["location"])
            if row["metric"] == "omp_management" and row["callpath"].rpartition("/")[2] not in workers.get(location, ()):
                continue  # part of a team that the thread has forked itself: inside of its own regions
            if row["metric"] in ("time", "omp_idle_threads", "omp_management"):
                sums[row["metric"]][location] += float(row["value"])
        most = max(life.values(), default=0) / resolution
        for location in sorted(life.keys() | sums["time"].keys()):
            locations += 1
            expected = life[location] / resolution
            if location in workers:
                expected += sums["omp_management"][location]
            found = sums["time"][location] - sums["omp_idle_threads"][location]
            if abs(found - expected) > 1e-7 * most + 1e-9:
                wrong += 1
                print(f"{trace}: location {location} lives {expected:.9f} s, and its exclusive times add up to {found:.9f} s")
            if sums["omp_idle_threads"][location]:
                idle_checked += 1
                if sums["time"][location] < min(sums["time"][m] for m in life if m not in workers) * (1 - 1e-7):
                    wrong += 1
                    print(f"{trace}: location {location} has less time, idle time included, than its master")
    print(f"{len(traces)} traces, {locations} locations, {idle_checked} with idle time, {wrong} wrong")
    return 1 if wrong or not locations else 0


if __name__ == "__main__":
    sys.exit(main())
