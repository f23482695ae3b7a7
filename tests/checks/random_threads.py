#!/usr/bin/env python3
"""Random traces of thread teams, locks and created threads, analysed by the program and by a slow reference.

Long because the reference and the writer of traces stand here whole.

usage: random_threads.py [--traces N] [--seed S] PROGRAM

A trace is one process or two, of a first thread that forks teams of changing sizes one after the other. Their threads work,
stand in barriers, want critical sections, locks, nested locks and mutexes that others have - some keep one to the end, some had
one before the trace began - wait for conditions, create threads, and fork teams of their own from threads that are free. Times
may be equal, and what is recorded of a lock may lie a little before or after what happened. In every fourth trace the teams are
known by numbers only, as recorders write them that have no team records: a region for each thread's implicit task. The reference knows who forked,
who was in which call path and who had a lock before, because it made it up: what is compared are time without idle threads,
visits, fork and management, waits at barriers and for locks, idle threads and limited parallelism, by call path and thread.
The program must give the same with several threads and with chunks of one event.
"""
import argparse
import collections
import csv
import io
import pathlib
import random
import subprocess
import sys
import tempfile

REGIONS = ["main", "!$omp parallel @a.c:1", "!$omp parallel @a.c:5", "!$omp barrier @a.c:2", "!$omp implicit barrier @a.c:3",
           "!$omp critical @a.c:4", "!$omp critical sblock @a.c:4", "omp_set_lock", "omp_unset_lock", "omp_set_nest_lock",
           "omp_unset_nest_lock", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait", "pthread_create", "work",
           "more", "!$omp implicit_task"]
(MAIN, OUTER, INNER, BARRIER, IBARRIER, CRITICAL, SBLOCK, SET, UNSET, SET_NEST, UNSET_NEST, LOCK, UNLOCK, COND_WAIT, CREATE, WORK,
 MORE, IMPLICIT) = range(len(REGIONS))
ROLES = {OUTER: "parallel", INNER: "parallel", IMPLICIT: "parallel", BARRIER: "barrier", IBARRIER: "implicit_barrier", CRITICAL: "critical",
         SBLOCK: "critical_sblock"}
PTHREAD = {LOCK, UNLOCK, COND_WAIT, CREATE}
METRICS = ("execution", "visits", "omp_fork", "omp_management", "omp_ebarrier_wait", "omp_ibarrier_wait",
           "omp_lock_contention_critical", "omp_lock_contention_api", "pthread_lock_contention_mutex_lock",
           "pthread_lock_contention_conditional", "omp_idle_threads", "omp_limited_parallelism")
WAITS = {CRITICAL: METRICS[6], SET: METRICS[7], SET_NEST: METRICS[7], LOCK: METRICS[8], COND_WAIT: METRICS[9]}


class Lock:
    def __init__(self, number, rng):
        self.number, self.order = number, rng.choice([0, 0, 7])
        self.free, self.owner, self.released, self.kept = 0, None, 0, False


class Process:
    """Makes up what the threads `first` … of a process do, and does the sums on the way."""

    def __init__(self, rng, first, first_comm, trace):
        self.numbered, self.teams = trace.numbered, 0
        self.rng, self.first, self.first_comm, self.trace = rng, first, first_comm, trace
        self.team, self.pools = rng.randint(1, 4), rng.randint(0, 2)
        # Threads: those of the outer team, then a pool of one or two for each of the first of them, then created ones.
        self.pool_of, n = {}, self.team
        for i in range(min(self.pools, self.team)):
            size = rng.randint(1, 2)
            self.pool_of[i] = list(range(n, n + size))
            n += size
        self.omp_threads = n
        self.threads = n
        self.now, self.path, self.sums = collections.defaultdict(int), collections.defaultdict(tuple), collections.Counter()
        self.locks = {}

    def emit(self, t, what):
        self.trace.events.append(f"{self.first + t} {self.now[t]} {what}")

    def pass_time(self, t, ticks):
        if self.path[t]:
            self.sums["execution", self.path[t], t] += ticks
        self.now[t] += ticks

    def enter(self, t, region, number=""):
        self.path[t] += (region,)
        self.sums["visits", self.path[t], t] += 1
        self.emit(t, f"enter #{region}{number}")
        return self.now[t]

    def exit(self, t):
        self.emit(t, f"exit #{self.path[t][-1]}")
        self.path[t] = self.path[t][:-1]

    # --- what threads do -----------------------------------------------------------------------------------------------

    def work(self, t):
        self.enter(t, self.rng.choice([WORK, MORE]))
        self.pass_time(t, self.rng.randint(0, 20))
        if self.rng.random() < .3:
            self.enter(t, MORE)
            self.pass_time(t, self.rng.randint(0, 9))
            self.exit(t)
        self.exit(t)
        self.pass_time(t, self.rng.randint(0, 3))

    def barrier(self, members, region, metric):
        enters = {t: self.enter(t, region) for t in members}
        last = max(enters.values())
        for t in members:
            self.pass_time(t, last - enters[t] + self.rng.randint(0, 3))
            if last > enters[t] and len(members) > 1:
                self.sums[metric, self.path[t], t] += last - enters[t]
            self.exit(t)

    def lock_of(self, members, kind):
        key = (members[0], kind)
        if key not in self.locks:
            self.locks[key] = Lock(len(self.locks), self.rng)
        return self.locks[key]

    def acquired(self, t, lock, paradigm, entered, region):
        """Writes the acquisition of a lock that is free by now; the record's time may be a little off."""
        lock.order += 1
        self.emit(t, f"thread_acquire_lock paradigm={paradigm} lock={lock.number} order={lock.order}")
        if lock.owner not in (None, t):
            wait = min(lock.released, self.now[t]) - entered
            if wait > 0:
                self.sums[WAITS[region], self.path[t], t] += wait

    def release(self, t, lock, paradigm, order):
        self.emit(t, f"thread_release_lock paradigm={paradigm} lock={lock.number} order={order}")
        lock.owner, lock.released, lock.free = t, self.now[t], self.now[t] + self.rng.randint(-1, 2)

    def wait_until_free(self, t, lock):
        self.pass_time(t, max(0, lock.free - self.now[t]) + self.rng.randint(0, 2))

    def use_lock(self, t, lock, kind):
        rng = self.rng
        if lock.kept:
            return
        paradigm = "pthread" if kind == LOCK else "openmp"
        entered = self.enter(t, kind)
        self.wait_until_free(t, lock)
        self.acquired(t, lock, paradigm, entered, kind)
        first = lock.order
        if kind == CRITICAL:
            self.enter(t, SBLOCK)
        else:
            self.pass_time(t, rng.randint(0, 1))
            self.exit(t)
        if rng.random() < .03 and kind != CRITICAL:
            lock.kept = True
            return
        self.pass_time(t, rng.randint(0, 15))
        if kind == CRITICAL:
            self.exit(t)
            self.release(t, lock, paradigm, first)
            self.exit(t)
            return
        if kind == SET_NEST:
            for _ in range(rng.randint(0, 2)):
                self.enter(t, SET_NEST)
                lock.order += 1
                self.emit(t, f"thread_acquire_lock paradigm=openmp lock={lock.number} order={lock.order}")
                self.exit(t)
                self.pass_time(t, rng.randint(0, 5))
            for order in range(lock.order, first, -1):
                self.enter(t, UNSET_NEST)
                self.emit(t, f"thread_release_lock paradigm=openmp lock={lock.number} order={order}")
                self.exit(t)
                self.pass_time(t, rng.randint(0, 2))
        elif kind == LOCK and rng.random() < .3:
            # The mutex is given back, perhaps another thread has it meanwhile, and it is had again.
            entered = self.enter(t, COND_WAIT)
            self.release(t, lock, "pthread", first)
            return lambda: self.awake(t, lock, entered)
        self.unlock(t, lock, kind, paradigm, first)

    def awake(self, t, lock, entered):
        if lock.kept:  # it is waited for to the end of the trace, and here for no time
            self.exit(t)
            return
        self.wait_until_free(t, lock)
        self.acquired(t, lock, "pthread", entered, COND_WAIT)
        self.exit(t)
        self.pass_time(t, self.rng.randint(0, 9))
        self.unlock(t, lock, LOCK, "pthread", lock.order)

    def unlock(self, t, lock, kind, paradigm, order):
        self.enter(t, {SET: UNSET, SET_NEST: UNSET_NEST, LOCK: UNLOCK}[kind])
        self.release(t, lock, paradigm, order)
        self.exit(t)

    def use_locks(self, members):
        kind = self.rng.choice([CRITICAL, SET, SET_NEST, LOCK])
        lock = self.lock_of(members, kind)
        if self.rng.random() < .1 and lock.owner is None and lock.order == 7:
            # Had by somebody from before the trace.
            t = self.rng.choice(members)
            paradigm = "pthread" if kind == LOCK else "openmp"
            self.release(t, lock, paradigm, lock.order)
        later = [self.use_lock(t, lock, kind) for t in sorted(members, key=lambda t: (self.now[t], self.rng.random()))]
        for awake in later:
            if awake:
                awake()

    def create(self, t):
        self.enter(t, CREATE)
        new = self.threads
        self.threads += 1
        self.emit(t, f"thread_create contingent={self.created_comm()} sequence={new}")
        self.now[new], self.path[new] = self.now[t] + self.rng.randint(0, 5), self.path[t]
        self.pass_time(t, self.rng.randint(0, 5))
        self.exit(t)
        self.emit(new, f"thread_begin contingent={self.created_comm()} sequence={new}")
        self.work(new)
        if self.rng.random() < .5:
            self.work(new)
        # Between its regions the thread is in what created it.
        self.emit(new, f"thread_end contingent={self.created_comm()} sequence={new}")

    # --- teams -----------------------------------------------------------------------------------------------------------

    def created_comm(self):
        return self.first_comm if self.numbered else self.first_comm + 1 + len(self.pool_of)

    def fork(self, master, members, comm, region, asked):
        rng, forked, caller = self.rng, self.now[master], self.path[master]
        self.teams += 1
        if self.numbered:
            self.begin_numbered(master, members, region)
        else:
            self.emit(master, f"thread_fork paradigm=openmp requested={asked}")
        for t in members if not self.numbered else []:
            if t != master:
                self.now[t], self.path[t] = forked, caller
            self.now[t] += rng.randint(0, 3)
            self.emit(t, f"thread_team_begin team={comm}")
            self.now[t] += rng.randint(0, 3)
            self.enter(t, region)
            self.manage(t, "omp_fork", self.now[t] - forked)
            self.manage(t, "omp_management", self.now[t] - forked)
            self.pass_time(t, rng.randint(0, 3))
        for _ in range(rng.randint(0, 5)):
            choice = rng.random()
            if choice < .3:
                for t in members:
                    self.work(t)
            elif choice < .5:
                self.barrier(members, BARRIER, "omp_ebarrier_wait")
            elif choice < .75:
                self.use_locks(members)
            elif choice < .8:
                self.create(rng.choice(members))
            elif region == OUTER:
                for t in members:
                    if t in self.pool_of and rng.random() < .7:
                        size = rng.randint(1, 1 + len(self.pool_of[t]))
                        self.fork(t, [t] + self.pool_of[t][:size - 1], self.first_comm + 1 + list(self.pool_of).index(t), INNER,
                                  size)
        if rng.random() < .8:
            self.barrier(members, IBARRIER, "omp_ibarrier_wait")
        over = max(self.now[t] for t in members) + rng.randint(0, 3)
        if self.numbered:
            return self.end_numbered(master, members, caller + (region,), over)
        for t in members:
            path = self.path[t]
            self.exit(t)
            self.path[t] = path
            self.manage(t, "omp_management", over - self.now[t])
            self.path[t] = ()
            if t == master:
                self.now[t] = over - rng.randint(0, min(3, over - self.now[t]))
            self.emit(t, f"thread_team_end team={comm}")
        self.path[master], self.now[master] = caller, over
        self.emit(master, "thread_join paradigm=openmp")

    def begin_numbered(self, master, members, region):
        forked, number = self.now[master], f" @0=uint64:{self.teams}"
        self.enter(master, region, number)
        caller = self.path[master]
        for t in members:
            self.now[t], self.path[t] = forked + self.rng.randint(0, 3), caller
            ticks = self.now[t] - forked
            if t != master:
                self.path[t] += (IMPLICIT,)
            self.manage(t, "omp_fork", ticks)
            self.manage(t, "omp_management", ticks)
            self.path[t] = caller
            self.enter(t, IMPLICIT, number)
            self.pass_time(t, self.rng.randint(0, 3))

    def end_numbered(self, master, members, region, over):
        for t in members:
            path = self.path[t]
            self.exit(t)
            self.path[t] = self.path[t] if t == master else path
            self.manage(t, "omp_management", over - self.now[t])
            self.path[t] = ()
        self.path[master], self.now[master] = region, over
        self.exit(master)

    def manage(self, t, metric, ticks):
        """Time of the parallel region that is none of the thread's own."""
        self.sums[metric, self.path[t], t] += ticks
        if metric == "omp_management":
            self.sums["execution", self.path[t], t] += ticks

    def make(self):
        self.now[0] = self.rng.randint(0, 5)
        self.enter(0, MAIN)
        for _ in range(self.rng.randint(1, 4)):
            self.pass_time(0, self.rng.randint(0, 5))
            if self.rng.random() < .5:
                self.work(0)
            size = self.rng.randint(1, self.team)
            self.fork(0, list(range(size)), self.first_comm, OUTER, size)
        self.pass_time(0, self.rng.randint(0, 5))
        self.exit(0)
        self.idle()

    def idle(self):
        def outermost(path):
            at = next((i for i, r in enumerate(path) if r in (OUTER, INNER)), None)
            return None if at is None else path[:at + 1]

        workers = range(1, self.omp_threads)
        inside = collections.Counter()
        for (metric, path, t), ticks in list(self.sums.items()):
            if metric != "execution":
                continue
            region = outermost(path)
            if region is not None:
                inside[region, t] += ticks
            elif t == 0:
                for w in workers:
                    self.sums["omp_idle_threads", path, w] += ticks
        for (region, t), ticks in list(inside.items()):
            if t == 0:
                for w in workers:
                    less = max(0, ticks - inside[region, w])
                    self.sums["omp_limited_parallelism", region, w] += less
                    self.sums["omp_idle_threads", region, w] += less


class Trace:
    def __init__(self, rng, numbered=False):
        self.numbered = numbered
        self.events, self.processes, first, comm = [], [], 0, 0
        for _ in range(rng.randint(1, 2)):
            process = Process(rng, first, comm, self)
            process.make()
            self.processes.append(process)
            first += process.threads
            comm = process.created_comm() + 1

    def text(self):
        def paradigm(i):
            return "pthread" if i in PTHREAD else "openmp" if i not in (MAIN, WORK, MORE) else "user"

        lines = [f'region {i} name="{name}" paradigm={paradigm(i)}' + (f" role={ROLES[i]}" if i in ROLES else "")
                 for i, name in enumerate(REGIONS)]
        lines += [f"process {i}" for i in range(len(self.processes))]
        for i, p in enumerate(self.processes):
            lines += [f"location {p.first + t} process={i}" for t in range(p.threads)]

        def comm(number, what, members):
            lines.append(f"comm {number} paradigm={what} members=({','.join(map(str, members))})")

        if self.numbered:
            lines.append("attribute 0 name=OMPT_PARALLEL_REGION_ID type=uint64")
            threads = [str(p.first + t) for p in self.processes for t in range(p.omp_threads)]
            lines.append(f"group 0 type=comm_locations paradigm=openmp members=({','.join(threads)})")
        for p in self.processes:
            if self.numbered:
                comm(p.created_comm(), "pthread", [p.first + t for t in range(p.threads)])
                continue
            comm(p.first_comm, "openmp", [p.first + t for t in range(p.team)])
            for i, (master, pool) in enumerate(p.pool_of.items()):
                comm(p.first_comm + 1 + i, "openmp", [p.first + t for t in [master, *pool]])
            comm(p.created_comm(), "pthread", [p.first + t for t in range(p.threads)])
        return "\n".join(lines + self.events) + "\n"

    def expected(self):
        return {(metric, "/".join(REGIONS[r] for r in path), p.first + t): value
                for p in self.processes for (metric, path, t), value in p.sums.items() if value}


def found(program, trace, options):
    command = [program, "analyze", trace, "--format", "csv", *options]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = {}
    for row in csv.DictReader(io.StringIO(output)):
        if row["metric"] in METRICS:
            value = float(row["value"])
            ticks = value if row["metric"] == "visits" else value * 1e9
            rows[row["metric"], row["callpath"], int(row["location"])] = round(ticks)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FILE", help="leave the last trace there")
    parser.add_argument("program")
    arguments = parser.parse_args()
    wrong, compared = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(arguments.keep or pathlib.Path(folder) / "threads.trace")
        for seed in range(arguments.seed, arguments.seed + arguments.traces):
            trace = Trace(random.Random(seed), seed % 4 == 3)
            file.write_text(trace.text())
            expected = trace.expected()
            for options in (["--threads", "1"], ["--threads", "3", "--chunk-events", "1"],
                            ["--threads", "2", "--chunk-events", "7"]):
                rows = found(arguments.program, file, options)
                compared.update(metric for metric, _, _ in rows)
                if rows == expected:
                    continue
                wrong += 1
                print(f"seed {seed}, {' '.join(options)}: not what the reference gives")
                for key in sorted(rows.keys() | expected.keys()):
                    if rows.get(key, 0) != expected.get(key, 0):
                        print(f"  {key}: {rows.get(key, 0)}, expected {expected.get(key, 0)}")
                break
    print(f"{arguments.traces} traces, {sum(compared.values())} rows compared "
          f"({', '.join(f'{m} {compared[m]}' for m in METRICS)}), {wrong} traces differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
