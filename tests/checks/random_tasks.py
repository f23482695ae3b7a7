#!/usr/bin/env python3
"""Random traces of tasks, analysed by the program and by a slow reference that keeps one stack a task.

usage: random_tasks.py [--traces N] [--seed S] PROGRAM

A trace is one parallel region, or several in a row, of a few threads that enter and leave regions, create tasks, switch to
any task that is not executed elsewhere - so that tasks move between threads - and back, complete some and leave others,
and stand in barriers and taskwaits. Times may be equal. The reference goes through all events in order of time, and then of
location, and has every answer at hand: what is compared are time and visits by call path and thread, and the time without a
ready task. The program must give the same with several threads and with chunks of one event.
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

REGIONS = ["main", "!$omp parallel @a.c:1", "!$omp implicit barrier @a.c:9", "!$omp create task @a.c:4",
           "!$omp task @a.c:4", "!$omp taskwait @a.c:6", "work", "more"]
ROLES = {1: "parallel", 2: "implicit_barrier", 3: "task_create", 4: "task", 5: "task_wait"}
MAIN, PARALLEL, BARRIER, CREATE, TASK, TASKWAIT, WORK, MORE = range(8)
METRICS = ("execution", "visits", "omp_task_starvation")  # execution: time less that of idle threads


class Run:
    """Makes up a run of `threads` threads and does its sums on the way."""

    def __init__(self, rng, threads):
        self.rng, self.threads, self.events = rng, threads, []
        self.sums = collections.Counter()
        self.tasks, self.created = {}, 0     # number → [stack, executed by, begun, base]
        self.calls, self.log = [], []        # idle calls; (time, ready, running, made)
        self.now = 0

    def path_of(self, l):
        task = self.executed[l]
        if task is None:
            return tuple(self.implicit[l])
        return self.tasks[task]["base"] + tuple(self.tasks[task]["stack"])

    def stack(self, l):
        return self.implicit[l] if self.executed[l] is None else self.tasks[self.executed[l]]["stack"]

    def step(self, l):
        """Books what thread l did since its last event."""
        path = self.path_of(l)
        if path:
            self.sums["execution", path, l] += self.now - self.last[l]
        self.last[l] = self.now

    def emit(self, l, what):
        self.events.append((l, f"{l} {self.now} {what}"))

    def enter(self, l, region):
        self.step(l)
        if region in (BARRIER, TASKWAIT) and self.executed[l] is None:
            self.open[l] = [self.now, []]
        self.stack(l).append(region)
        self.sums["visits", self.path_of(l), l] += 1
        self.emit(l, f"enter #{region}")

    def exit(self, l):
        self.step(l)
        path = self.path_of(l)
        region = self.stack(l).pop()
        if self.open[l] and self.executed[l] is None and region in (BARRIER, TASKWAIT):
            self.calls.append((l, path, self.open[l][0], self.now, self.open[l][1]))
            self.open[l] = None
        self.emit(l, f"exit #{region}")

    def note(self, made):
        ready = sum(not t["begun"] for t in self.tasks.values())
        running = sum(t["begun"] for t in self.tasks.values())
        self.log.append((self.now, ready, running, made))

    def create(self, l):
        self.created += 1
        n = self.created
        path = self.path_of(l)
        base = next(path[:i + 1] for i in range(len(path)) if path[i] == path[-1])
        self.step(l)
        self.tasks[n] = {"stack": [], "by": None, "begun": False, "base": base}
        self.emit(l, f"thread_task_create team=0 creator=0 generation={n}")
        self.note(True)

    def leave(self, l):
        """The thread does not execute its task any more."""
        task = self.executed[l]
        if task is None:
            return
        self.executed[l] = None
        if task in self.tasks:
            self.tasks[task]["by"] = None
        if self.open[l]:
            self.open[l][1].append((self.since[l], self.now))

    def switch(self, l, task):
        self.step(l)
        self.leave(l)
        self.emit(l, f"thread_task_switch team=0 creator=0 generation={task}")
        if task == 0:
            return
        self.executed[l], self.since[l] = task, self.now
        t = self.tasks[task]
        t["by"] = l
        if not t["begun"]:
            t["begun"] = True
            self.note(False)

    def complete(self, l):
        while self.stack(l):
            self.exit(l)
        self.step(l)
        task = self.executed[l]
        del self.tasks[task]
        self.leave(l)
        self.emit(l, f"thread_task_complete team=0 creator=0 generation={task}")
        self.note(False)

    def region(self, steps):
        rng, n = self.rng, self.threads
        self.now += 1
        for l in range(n):
            if l == 0:
                self.step(0)
                self.emit(0, f"thread_fork paradigm=openmp requested={n}")
            else:
                self.last[l], self.implicit[l] = self.now, [MAIN]
            self.emit(l, "thread_team_begin team=0")
            self.enter(l, PARALLEL)
        at = 0
        for _ in range(steps):
            # Equal times go by location: that is the order in which the program takes them.
            if rng.random() < .7 or at == n - 1:
                self.now += rng.randint(1, 9)
                at = rng.randrange(n)
            else:
                at = rng.randint(at + 1, n - 1)
            self.act(at)
        for l in range(n):
            self.now += rng.randint(1, 3)
            if self.executed[l] is not None:
                self.switch(l, 0)
            while self.implicit[l][-1] != PARALLEL:
                self.exit(l)
        self.now += 1
        for l in range(n):
            self.exit(l)
            self.emit(l, "thread_team_end team=0")
            if l == 0:
                self.emit(0, "thread_join paradigm=openmp")
            else:
                self.implicit[l] = []

    def act(self, l):
        rng, stack, task = self.rng, self.stack(l), self.executed[l]
        in_wait = bool(self.implicit[l]) and self.implicit[l][-1] in (BARRIER, TASKWAIT)
        free = [n for n, t in self.tasks.items() if t["by"] is None]
        choice = rng.random()
        if choice < .2 and free:
            self.switch(l, rng.choice(free))
        elif task is not None and choice < .24:
            self.complete(l)
        elif task is not None and choice < .4:
            self.switch(l, 0)
        elif choice < .6 and not (in_wait and task is None):
            self.enter(l, CREATE)
            self.create(l)
            self.exit(l)
        elif choice < .7 and task is None and not in_wait:
            self.enter(l, rng.choice([BARRIER, TASKWAIT]))
        elif choice < .82 and len(stack) < 6 and not (in_wait and task is None):
            self.enter(l, rng.choice([WORK, MORE, TASK if task is not None and not stack else WORK]))
        elif stack and (task is not None or stack[-1] != PARALLEL):
            self.exit(l)

    def make(self):
        n = self.threads
        self.executed: list = [None] * n
        self.open: list = [None] * n
        self.implicit, self.last, self.since = [[] for _ in range(n)], [0] * n, [0] * n
        self.enter(0, MAIN)
        for _ in range(self.rng.randint(1, 2)):
            self.region(self.rng.randint(5, 150))
        self.now += 1
        self.exit(0)
        self.starvation()

    def starvation(self):
        """Tick by tick."""
        times = [t for t, *_ in self.log]
        for l, path, begin, end, tasks in self.calls:
            for tick in range(begin, end):
                if any(a <= tick < b for a, b in tasks):
                    continue
                before = max((i for i, t in enumerate(times) if t <= tick), default=None)
                ready, running = (0, 0) if before is None else self.log[before][1:3]
                if ready:
                    continue
                created = any(made and tick < t <= end for t, _, _, made in self.log)
                if running or created:
                    self.sums["omp_task_starvation", path, l] += 1

    def text(self):
        lines = [f'region {i} name="{name}"' + (f" role={ROLES[i]} paradigm=openmp" if i in ROLES else "")
                 for i, name in enumerate(REGIONS)]
        lines += ["process 0"] + [f"location {l} process=0" for l in range(self.threads)]
        members = ",".join(map(str, range(self.threads)))
        lines.append(f"comm 0 paradigm=openmp members=({members})")
        return "\n".join(lines + [line for _, line in self.events]) + "\n"

    def expected(self):
        return {(metric, "/".join(REGIONS[r] for r in path), l): value
                for (metric, path, l), value in self.sums.items() if value}


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
    parser.add_argument("program")
    arguments = parser.parse_args()
    wrong = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "tasks.trace"
        for seed in range(arguments.seed, arguments.seed + arguments.traces):
            rng = random.Random(seed)
            run = Run(rng, rng.randint(1, 4))
            run.make()
            trace.write_text(run.text())
            for options in (["--threads", "1"], ["--threads", "3", "--chunk-events", "1"],
                            ["--threads", "2", "--chunk-events", "7"]):
                rows = found(arguments.program, trace, options)
                compared += len(rows)
                if rows == run.expected():
                    continue
                wrong += 1
                print(f"seed {seed}, {' '.join(options)}: not what the reference gives")
                for key in sorted(rows.keys() | run.expected().keys()):
                    if rows.get(key, 0) != run.expected().get(key, 0):
                        print(f"  {key}: {rows.get(key, 0)}, expected {run.expected().get(key, 0)}")
                break
    print(f"{arguments.traces} traces, {compared} rows compared, {wrong} traces differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
