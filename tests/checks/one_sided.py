#!/usr/bin/env python3
"""Compares the one-sided wait states of random traces with a slow, obvious computation of the same definitions.

Long because the slow computation and the writer of traces stand here whole.

usage: one_sided.py [--cases N] [--seed S] PROGRAM

Each case is a random but valid use of MPI windows and SHMEM: fences, post/start/complete/wait, locks of one and of all
targets, flushes, windows on sub-communicators, barriers, broadcasts, locks and waits for changes, a second thread that
operates while the first is in a fence; attempts and tests that fail. Times are chance: what waits for what follows from the definitions alone, so clocks need not agree. The computation below
knows the whole trace and looks through all of it for each number; it shares nothing with the program. Each trace is
analysed in several ways (threads, chunk sizes) that must not matter.
"""
import argparse
import collections
import csv
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

METRICS = """mpi_rma_wait_at_create mpi_rma_wait_at_free mpi_rma_wait_at_fence mpi_rma_early_fence mpi_rma_sync_late_post
mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_late_complete mpi_rma_sync_lock_competition
mpi_rma_comm_lock_competition mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress mpi_rma_pairsync_count
mpi_rma_pairsync_unneeded_count comms_rma_puts comms_rma_gets comms_rma_atomics bytes_put bytes_get shmem_barrier_wait
shmem_latebroadcast shmem_wait_nxn shmem_lock_completion shmem_wait_until""".split()
COUNTS = {"mpi_rma_pairsync_count", "mpi_rma_pairsync_unneeded_count", "comms_rma_puts", "comms_rma_gets",
          "comms_rma_atomics", "bytes_put", "bytes_get"}
SHMEM_REGIONS = ["shmem_barrier_all", "shmem_broadcast32", "shmem_collect32", "shmem_set_lock", "shmem_clear_lock",
                 "shmem_test_lock", "shmem_long_wait_until", "shmem_long_p", "shmem_long_g"]
OPERATIONS = {"put": "MPI_Put", "get": "MPI_Get", "atomic": "MPI_Accumulate"}
EXCLUSIVE, SHARED, ALL = "exclusive", "shared", "none"


class Call:
    """One region instance: its records are (time, text)."""

    def __init__(self, location, process, name, enter):
        self.location, self.process, self.name, self.enter, self.exit = location, process, name, enter, enter
        self.records = []
        self.mpi = name.startswith("MPI_")


Operation = collections.namedtuple("Operation", "kind win origin target sent got call")


class Trace:
    """A random run, as calls and as what they mean to each other."""

    def __init__(self, chance):
        self.chance = chance
        self.size = chance.randint(2, 4)
        self.second_thread = chance.random() < 0.3
        self.clock = [chance.randint(0, 20) for _ in range(self.size + self.second_thread)]
        self.calls = [[] for _ in self.clock]
        self.windows = [list(range(self.size)), list(range(self.size)), sorted(chance.sample(range(self.size), 2))]
        self.shmem = len(self.windows)  # the window after those of MPI
        self.groups = []
        self.collectives = []  # (kind, win, [(call, begin, end)] by rank, [operations], root)
        self.accesses = []     # (start, complete, [(target, post)], [operations])
        self.exposures = []    # (wait, [(complete, [operations])])
        self.releases = []     # (time, call, win, target or ALL, lock, type)
        self.passive = []      # [call, [(win, target or ALL, lock, type, progress)]]
        self.operations, self.changes = [], []
        self.epoch = collections.defaultdict(list)  # (win, process) → operations since the last collective
        self.matches = itertools.count(1)
        for _ in range(chance.randint(1, 14)):
            chance.choice([self.collective, self.collective, self.pairs, self.pairs, self.locks, self.locks, self.locks,
                           self.progress, self.progress, self.symmetric, self.symmetric_locks, self.change])()

    def pick(self, most=12):
        return self.chance.choice([0, 1, 2, self.chance.randint(0, most), self.chance.randint(0, 4 * most)])

    def call(self, location, name, *records):
        """Records are texts; they are spread over the call."""
        process = location if location < self.size else 0
        self.clock[location] += self.pick()
        call = Call(location, process, name, self.clock[location])
        for text in records:
            self.clock[location] += self.pick(6)
            call.records.append((self.clock[location], text))
        self.clock[location] += self.pick(6)
        call.exit = self.clock[location]
        self.calls[location].append(call)
        return call

    def group(self, members):
        if members not in self.groups:
            self.groups.append(members)
        return self.groups.index(members)

    def operate(self, process, win, target, name=None, location=None):
        kind = self.chance.choice(["put", "get", "atomic"])
        sent, got = {"put": (8, 0), "get": (0, 16), "atomic": (4, 4)}[kind]
        match = next(self.matches)
        what = f"remote={target} " + {"put": f"bytes={sent}", "get": f"bytes={got}",
                                      "atomic": f"type=accumulate sent={sent} received={got}"}[kind]
        # A rank of the window is named by its location.
        call = self.call(process if location is None else location, name or OPERATIONS[kind], f"rma_{kind} win={win} {what} match={match}")
        operation = Operation(kind, win, process, target, sent, got, call)
        self.operations.append(operation)
        return operation, match

    # --- what happens ---

    def collective(self):
        win = self.chance.randrange(len(self.windows))
        kind = self.chance.choice(["fence", "fence", "fence", "create", "free"])
        members = self.windows[win]
        name, op = {"fence": ("MPI_Win_fence", "barrier"), "create": ("MPI_Win_create", "create_handle"),
                    "free": ("MPI_Win_free", "destroy_handle")}[kind]
        for process in members:
            for _ in range(self.chance.choice([0, 0, 1, 2])):
                operation, _ = self.operate(process, win, self.chance.choice(members))
                self.epoch[win, process].append(operation)
        beside = self.second_thread and 0 in members and self.chance.random() < 0.7
        if beside:
            self.clock[self.size] = max(self.clock[self.size], self.clock[0] + self.pick())
            operation, _ = self.operate(0, win, self.chance.choice(members), location=self.size)
        self.together(kind, win, members, name, op, beside=[operation] if beside else [])

    def together(self, kind, win, members, name, op, root=None, beside=()):
        """`beside`: what process 0's second thread does at about that time. It is part of the epoch that ends if its
        record comes before the end of the operation."""
        # Sometimes all at about the same time, so that all overlap.
        if self.chance.random() < 0.7:
            latest = max(self.clock[p] for p in members)
            for process in members:
                self.clock[process] = max(self.clock[process], latest - self.pick())
        parts, operations = [], []
        latest = 0
        for process in members:
            call = self.call(process, name, "rma_collective_begin",
                             f"rma_collective_end op={op} level=0x3 win={win}"
                             f"{'' if root is None else f' root={root}'} sent=0 received=0")
            latest = max(latest, call.records[0][0])
            parts.append(call)
            operations += self.epoch.pop((win, process), [])
        if self.chance.random() < 0.7:  # nobody leaves before all have begun
            for call in parts:
                if call.records[1][0] <= latest:
                    shift = latest + 1 - call.records[1][0]
                    call.records[1] = (latest + 1, call.records[1][1])
                    call.exit += shift
                    self.clock[call.location] = call.exit
        for operation in beside:
            if operation.call.records[0][0] < parts[members.index(0)].records[1][0]:
                operations.append(operation)
            else:
                self.epoch[win, 0].append(operation)
                self.clock[0] = max(self.clock[0], operation.call.exit)
        self.collectives.append((kind, win, parts, operations, root))

    def pairs(self):
        win = self.chance.randrange(len(self.windows))
        members = self.windows[win]
        origins = self.chance.sample(members, self.chance.randint(1, len(members)))
        targets = self.chance.sample(members, self.chance.randint(1, len(members)))
        posts = {t: self.call(t, "MPI_Win_post", f"rma_group_sync level=0x1 win={win} group={self.group(origins)}")
                 for t in targets}
        done = {}
        for o in origins:
            start = self.call(o, "MPI_Win_start", f"rma_group_sync level=0x1 win={win} group={self.group(targets)}")
            operations = [self.operate(o, win, self.chance.choice(targets))[0] for _ in range(self.chance.randint(0, 3))]
            complete = self.call(o, "MPI_Win_complete",
                                 f"rma_group_sync level=0x3 win={win} group={self.group(targets)}")
            self.accesses.append((start, complete, [(t, posts[t]) for t in targets], operations))
            done[o] = complete, operations
        for t in targets:
            name = self.chance.choice(["MPI_Win_wait", "MPI_Win_wait", "MPI_Win_test"])
            wait = self.call(t, name, f"rma_group_sync level=0x3 win={win} group={self.group(origins)}")
            self.exposures.append((wait, t, [done[o] for o in origins]))

    def meet(self, members):
        """Some of them, at about the same time."""
        some = self.chance.sample(members, self.chance.randint(1, len(members)))
        latest = max(self.clock[p] for p in some)
        for process in some:
            self.clock[process] = max(self.clock[process], latest - self.pick())
        return some

    def locks(self):
        win = self.chance.randrange(len(self.windows))
        target = self.chance.choice(self.windows[win])
        for process in self.meet(self.windows[win]):
            for _ in range(self.chance.randint(1, 2)):
                self.lock(win, process, target)

    def lock(self, win, process, target):
        everywhere = self.chance.random() < 0.2
        target = ALL if everywhere else target
        kind = SHARED if everywhere else self.chance.choice([EXCLUSIVE, EXCLUSIVE, SHARED])
        suffix = "_all" if everywhere else ""
        call = self.call(process, "MPI_Win_lock" + suffix,
                         f"rma_request_lock win={win} remote={target} lock=0 type={kind}")
        self.passive.append([call, [(win, target, 0, kind, not everywhere)]])
        open_matches = []
        for _ in range(self.chance.randint(0, 4)):
            if self.chance.random() < 0.7:
                to = self.chance.choice(self.windows[win]) if everywhere else target
                operation, match = self.operate(process, win, to)
                self.passive.append([operation.call, [(win, to, 0, kind, True)]])
                open_matches.append((to, match))
                if self.chance.random() < 0.2:
                    self.call(process, "MPI_Test", f"rma_op_test win={win} match={match}")
            elif open_matches:
                call = self.call(process, "MPI_Win_flush_all",
                                 *(f"rma_op_complete_nonblocking win={win} match={m}" for _, m in open_matches))
                self.passive.append([call, [(win, to, 0, kind, True) for to, _ in open_matches]])
                open_matches = []
        completed = open_matches if self.chance.random() < 0.5 else []
        call = self.call(process, "MPI_Win_unlock" + suffix,
                         *(f"rma_op_complete_nonblocking win={win} match={m}" for _, m in completed),
                         f"rma_release_lock win={win} remote={target} lock=0")
        # The release completes what no record has completed.
        self.passive.append([call, [(win, to, 0, kind, True) for to, _ in open_matches] +
                             [(win, target, 0, kind, not everywhere)]])
        self.releases.append((call.records[-1][0], call, win, target, 0, kind))

    def progress(self):
        location = self.chance.randrange(len(self.clock))
        self.clock[location] += self.pick()
        self.call(location, "MPI_Barrier")

    def symmetric(self):
        name, op = self.chance.choice([("shmem_barrier_all", "barrier"), ("shmem_broadcast32", "bcast"),
                                       ("shmem_collect32", "allgatherv")])
        root = self.chance.randrange(self.size) if op == "bcast" else None
        self.together(name, self.shmem, list(range(self.size)), name, op, root)

    def symmetric_locks(self):
        for process in self.meet(list(range(self.size))):
            self.symmetric_lock(process, self.chance.choice([64, 64, 128]))

    def symmetric_lock(self, process, offset):
        address = 4096 * (7 + 3 * process) + offset
        if self.chance.random() < 0.3:
            self.call(process, "shmem_test_lock",
                      f"rma_try_lock win={self.shmem} remote=none lock={address} type=exclusive")
        call = self.call(process, "shmem_set_lock",
                         f"rma_acquire_lock win={self.shmem} remote=none lock={address} type=exclusive")
        self.passive.append([call, [(self.shmem, ALL, offset, EXCLUSIVE, False)]])
        call = self.call(process, "shmem_clear_lock",
                         f"rma_release_lock win={self.shmem} remote=none lock={address}")
        self.releases.append((call.records[0][0], call, self.shmem, ALL, offset, EXCLUSIVE))

    def change(self):
        some = self.meet(list(range(self.size)))
        for process in some[1:] * self.chance.randint(1, 2):
            operation, match = self.operate(process, self.shmem, self.chance.choice(some[:1] * 3 + some), "shmem_long_p")
            operation.call.records.append((operation.call.exit,
                                           f"rma_op_complete_blocking win={self.shmem} match={match}"))
        self.changes.append(self.call(some[0], "shmem_long_wait_until", f"rma_wait_change win={self.shmem}"))

    def text(self):
        lines = ["region 0 name=main"]
        lines += [f"region {i + 1} name={name} paradigm=shmem role=function" for i, name in enumerate(SHMEM_REGIONS)]
        lines += [f"process {p}" for p in range(self.size)]
        lines += [f"location {l} process={l if l < self.size else 0}" for l in range(len(self.clock))]
        lines += ["comm 0 name=MPI_COMM_WORLD members=all"]
        first = ",".join(map(str, range(self.size)))
        lines += [f"group {i} type=locations members=({','.join(map(str, g))})" for i, g in enumerate(self.groups)]
        for win, members in enumerate(self.windows):
            lines += [f"comm {win + 1} members=({','.join(map(str, members))})", f"rma_win {win} comm={win + 1}"]
        lines += [f"comm {self.shmem + 1} paradigm=shmem members=({first})", f"rma_win {self.shmem} comm={self.shmem + 1}"]
        for location, calls in enumerate(self.calls):
            lines.append(f"{location} 0 enter main")
            for call in calls:
                lines.append(f"{location} {call.enter} enter {call.name}")
                lines += [f"{location} {time} {text}" for time, text in call.records]
                lines.append(f"{location} {call.exit} exit")
            lines.append(f"{location} {self.clock[location]} exit")
        return "\n".join(lines) + "\n"


# --- the definitions, one after the other -----------------------------------------------------------------------------

def inside(call, time):
    return call.enter < time <= call.exit


def expected(trace):
    table = collections.Counter()

    def add(metric, call, value):
        if value > 0:
            table[metric, "main/" + call.name, call.location] += value

    for kind, win, parts, operations, root in trace.collectives:
        begins = [c.records[0][0] for c in parts]
        ends = [c.records[1][0] for c in parts]
        if win == trace.shmem:
            culprit = max(c.enter for c in parts) if root is None else parts[root].enter
            metric = {"shmem_barrier_all": "shmem_barrier_wait", "shmem_broadcast32": "shmem_latebroadcast",
                      "shmem_collect32": "shmem_wait_nxn"}[kind]
            for call in parts:
                add(metric, call, min(culprit, call.exit) - call.enter)
            continue
        overlap = min(ends) > max(begins)
        for i, call in enumerate(parts):
            process = trace.windows[win][i]
            if kind != "fence" or overlap:
                add("mpi_rma_wait_at_" + kind, call, min(max(begins), ends[i]) - begins[i])
            if kind != "fence":
                continue
            mine = [o.call.exit for o in operations if o.target == process != o.origin]
            if overlap and mine:
                add("mpi_rma_early_fence", call, min(max(mine), max(begins)) - begins[i])
            partners = {o.origin if o.target == process else o.target for o in operations
                        if process in (o.origin, o.target)}
            add("mpi_rma_pairsync_count", call, len(parts))
            add("mpi_rma_pairsync_unneeded_count", call, len(parts) - len(partners))

    for start, complete, targets, operations in trace.accesses:
        latest = max(post.enter for _, post in targets)
        if inside(complete, latest):
            add("mpi_rma_sync_late_post", complete, latest - complete.enter)
        elif inside(start, latest):
            add("mpi_rma_sync_late_post", start, latest - start.enter)
        else:
            for o in operations:
                post = dict(targets)[o.target]
                if inside(o.call, post.enter):
                    add("mpi_rma_comm_late_post", o.call, post.enter - o.call.enter)
        add("mpi_rma_pairsync_count", complete, len(targets))
        add("mpi_rma_pairsync_unneeded_count", complete, len({t for t, _ in targets} - {o.target for o in operations}))

    for wait, target, origins in trace.exposures:
        add("mpi_rma_pairsync_count", wait, len(origins))
        add("mpi_rma_pairsync_unneeded_count", wait,
            sum(all(o.target != target for o in operations) for _, operations in origins))
        if wait.name == "MPI_Win_test":
            continue
        until = min(max(complete.enter for complete, _ in origins), wait.exit)
        last = max([wait.enter] + [o.call.exit for _, operations in origins for o in operations if o.target == target])
        add("mpi_rma_early_wait", wait, until - wait.enter)
        add("mpi_rma_late_complete", wait, until - last)

    def conflicts(release, win, target, lock, kind):
        _, _, of_win, of_target, of_lock, of_kind = release
        return (win, lock) == (of_win, of_lock) and EXCLUSIVE in (kind, of_kind) and (
            target == of_target or target == ALL or of_target == ALL)

    library = collections.defaultdict(list)
    for call in itertools.chain(*trace.calls):
        if call.mpi:
            library[call.process].append(call)
    for call, uses in trace.passive:
        own = max((r[0] for r in trace.releases if r[1] is call), default=call.exit)
        waits = [r[0] for win, target, lock, kind, _ in uses for r in trace.releases
                 if conflicts(r, win, target, lock, kind) and r[1].process != call.process and inside(call, r[0])
                 and r[0] <= own]
        release = max(waits, default=call.enter)
        if call.name.startswith("shmem"):
            add("shmem_lock_completion", call, release - call.enter)
            continue
        form = "sync" if "_Win_" in call.name else "comm"
        add(f"mpi_rma_{form}_lock_competition", call, release - call.enter)
        waiting = set()  # moments
        for _, target, _, _, progress in uses:
            if not progress or target == call.process:
                continue
            inside_mpi = {t for c in library[target] for t in range(max(c.enter, release), min(c.exit, call.exit))}
            entered = sorted(c.enter for c in library[target] if release < c.enter <= call.exit)
            if not entered:
                continue
            if any(c.exit >= call.exit for c in library[target] if release < c.enter <= call.exit):
                waiting |= set(range(release, entered[-1])) - inside_mpi
            elif not any(c.enter == release or c.enter < release < c.exit for c in library[target]):
                waiting |= set(range(release, entered[0]))
        add(f"mpi_rma_{form}_wait_for_progress", call, len(waiting))

    for o in trace.operations:
        add({"put": "comms_rma_puts", "get": "comms_rma_gets", "atomic": "comms_rma_atomics"}[o.kind], o.call, 1)
        add("bytes_put", o.call, o.sent)
        add("bytes_get", o.call, o.got)

    for call in trace.changes:
        writes = [o.call for o in trace.operations if o.win == trace.shmem and o.kind != "get" and
                  o.target == call.process != o.origin and o.call.enter < call.exit]
        last = max(writes, key=lambda w: (w.enter, w.location, trace.calls[w.location].index(w)), default=None)
        if last is None or last.exit <= call.enter:
            add("shmem_wait_until", call, call.exit - call.enter)
        else:
            add("shmem_wait_until", call, last.enter - call.enter)
    return table


def found(program, path, *options):
    result = subprocess.run([program, "analyze", path, "--format", "csv", *options], capture_output=True, text=True,
                            check=True)
    table = collections.Counter()
    for row in csv.DictReader(result.stdout.splitlines()):
        if row["metric"] in METRICS:
            scale = 1 if row["metric"] in COUNTS else 1e9  # ticks are nanoseconds
            table[row["metric"], row["callpath"], int(row["location"])] = round(float(row["value"]) * scale)
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program")
    arguments = parser.parse_args()
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.txt"
        for case in range(arguments.cases):
            trace = Trace(random.Random(f"{arguments.seed} {case}"))
            path.write_text(trace.text())
            table = expected(trace)
            for options in ("", "--chunk-events 1 --threads 1", "--chunk-events 7 --threads 3"):
                ours = found(arguments.program, path, *options.split())
                wrong = [f"{key}: expected {table[key]}, found {ours[key]}" for key in sorted(table | ours)
                         if table[key] != ours[key]]
                if wrong:
                    print(f"case {case} of seed {arguments.seed}, options {options}:", *wrong, "in", trace.text(), sep="\n")
                    return 1
            seen.update(metric for metric, _, _ in table)
    print(f"{arguments.cases} traces agree;", ", ".join(f"{m} {seen[m]}" for m in METRICS))
    never = [m for m in METRICS if not seen[m]]
    if never:
        print("never occurred:", *never)
    return bool(never)


if __name__ == "__main__":
    sys.exit(main())
