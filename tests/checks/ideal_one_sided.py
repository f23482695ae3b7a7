#!/usr/bin/env python3
"""Compares the waits of an ideal machine in one-sided communication with a slow, obvious replay.

usage: ideal_one_sided.py [--cases N] [--seed S] PROGRAM

The traces are those of one_sided.py. Here all calls of all locations are written down with the calls that they need, by
the definition of mpi_ideal_wait, and then done one after the other, whichever can be. Traces in which it
depends on what came first at one tick who waited for whom are left out.
"""
import argparse
import collections
import csv
import pathlib
import random
import subprocess
import sys
import tempfile

from one_sided import ALL, EXCLUSIVE, Trace, inside


class Undecided(Exception):
    pass


def last_release(trace, call, uses):
    """The last release of a conflicting lock of another process within the call, before its own, or None."""
    own = max((r[0] for r in trace.releases if r[1] is call), default=call.exit)

    def conflicts(release, win, target, lock, kind):
        _, by, of_win, of_target, of_lock, of_kind = release
        return ((win, lock) == (of_win, of_lock) and EXCLUSIVE in (kind, of_kind) and by.process != call.process
                and (target == of_target or ALL in (target, of_target)) and inside(call, release[0]) and release[0] <= own)
    found = [r for r in trace.releases if any(conflicts(r, *use[:4]) for use in uses)]
    last = [r for r in found if r[0] == max(r[0] for r in found)]
    if len(last) > 1:
        raise Undecided
    return last[0] if last else None


class Needs:
    """The needs of each call: other processes that have come to a call, or that have let go of a lock."""

    def __init__(self, trace):
        self.arrivals = collections.defaultdict(list)
        self.locks = collections.defaultdict(list)  # releases
        self.released = {}                          # release time of an unlock
        for kind, win, parts, _, _ in trace.collectives:
            ends = [c.records[1][0] for c in parts]
            begins = [c.records[0][0] for c in parts]
            if win == trace.shmem or (kind == "fence" and min(ends) <= max(begins)):
                continue
            for call, end in zip(parts, ends):
                self.arrivals[call] += [c for c, begin in zip(parts, begins) if c is not call and begin <= end]
        for _, complete, targets, _ in trace.accesses:
            self.arrivals[complete] += [post for _, post in targets if post.enter < complete.exit]
        for wait, _, origins in trace.exposures:
            self.arrivals[wait] += [complete for complete, _ in origins if complete.enter < wait.exit]
        for time, call, win, *_ in trace.releases:
            if win != trace.shmem:
                self.released[call] = time
        uses = {call: of for call, of in trace.passive if call.mpi}
        for calls in trace.calls:
            since = []  # operations since the last unlock that other calls waited for
            for call in (c for c in calls if c in uses):
                release = last_release(trace, call, uses[call])
                if "unlock" in call.name:
                    self.locks[call] = since + [release] * (release is not None)
                    since = []
                elif "lock" in call.name:
                    self.locks[call] = [release] * (release is not None)
                elif release:
                    since.append(release)


def replay(trace):
    needs = Needs(trace)
    table = collections.Counter()
    clocks = [[0, 0] for _ in trace.calls]  # ideal; recorded up to where it has been followed
    came, let_go = {}, {}
    following = [0] * len(trace.calls)

    def has(call, releases):
        return all(r[1] in let_go for r in releases)

    def does(location, call):
        clock = clocks[location]
        if call not in came:
            came[call] = clock[0] + call.enter - clock[1]
        if not all(c in came for c in needs.arrivals[call]):
            return False
        until = max([came[call]] + [came[c] for c in needs.arrivals[call]])
        own = needs.released.get(call)
        first = [r for r in needs.locks[call] if own is None or r[0] < own]
        if not has(call, first):
            return False
        until = max([until] + [let_go[r[1]] for r in first])
        if own is not None:
            let_go[call] = until
        if not has(call, needs.locks[call]):
            return False
        until = max([until] + [let_go[r[1]] for r in needs.locks[call]])
        if until > came[call]:
            table["main/" + call.name, location] += until - came[call]
        clock[:] = until, call.exit
        return True

    moved = True
    while moved:
        moved = False
        for location, calls in enumerate(trace.calls):
            while following[location] < len(calls):
                call, known = calls[following[location]], len(came) + len(let_go)
                done = True
                if call.mpi:
                    done = does(location, call)
                moved = moved or done or len(came) + len(let_go) > known
                if not done:
                    break
                following[location] += 1
    if following != [len(calls) for calls in trace.calls]:  # calls that end at one tick may need each other
        raise Undecided
    return table


def found(program, path, *options):
    result = subprocess.run([program, "analyze", path, "--format", "csv", "--pattern", "mpi_ideal_wait", *options],
                            capture_output=True, text=True, check=True)
    return collections.Counter({(row["callpath"], int(row["location"])): round(float(row["value"]) * 1e9)
                                for row in csv.DictReader(result.stdout.splitlines())
                                if row["metric"] == "mpi_ideal_wait"})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program")
    arguments = parser.parse_args()
    seen, undecided = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.txt"
        for case in range(arguments.cases):
            trace = Trace(random.Random(f"{arguments.seed} {case}"))
            try:
                table = replay(trace)
            except Undecided:
                undecided += 1
                continue
            path.write_text(trace.text())
            for options in ("", "--chunk-events 1 --threads 1", "--chunk-events 7 --threads 3"):
                ours = found(arguments.program, path, *options.split())
                wrong = [f"{key}: expected {table[key]}, found {ours[key]}" for key in sorted(table | ours)
                         if table[key] != ours[key]]
                if wrong:
                    print(f"case {case} of seed {arguments.seed}, options {options}:", *wrong, "in", trace.text(), sep="\n")
                    return 1
            seen.update(callpath for callpath, _ in table)
    print(f"{arguments.cases - undecided} traces agree, {undecided} are undecided;",
          ", ".join(f"{callpath} {n}" for callpath, n in sorted(seen.items())))
    never = [f for f in ("fence", "create", "free", "complete", "wait", "lock", "unlock") if not seen[f"main/MPI_Win_{f}"]]
    if never:
        print("never occurred:", *never)
    return bool(never)


if __name__ == "__main__":
    sys.exit(main())
