#!/usr/bin/env python3
"""How much is read of a trace at a time, who is read first, and how many workers share it, must not change a byte of its report.

usage: order_of_reading.py [--traces N] [--seed S] [--keep FOLDER] PROGRAM [TRACE…]

Each trace is analysed with chunks of 1 to 5,000 events, and by two and three workers that hear of each other late, the causes
of waits included, as JSON, which is complete. Compared are
N random traces and a few that went wrong once, the traces of the project's cases (one in three of them with fewer than 100 random traces, one in ten with
fewer than 50), those of ORDERS below, which went wrong once, and the archives TRACE. A random trace has messages, requests
and collective operations of processes with one to three threads, or is one of one_sided.py, random_tasks.py or
random_threads.py; its clock is coarse more often than not, so that many events have the same time; and it may be damaged
(damaged_threads.py).
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import one_sided
import random_tasks
import random_threads
from damaged_threads import damaged

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases"
CHUNKS = [1, 7, 50, 300, 1000, 5000]
SHARED = [(2, 7), (3, 50), (3, 1)]  # workers, and events of a chunk
WORLD = "comm 0 name=MPI_COMM_WORLD members=all\n"


class Messages:
    """A random run of processes with one to three threads that exchange messages and meet in collective operations."""

    def __init__(self, rng):
        self.rng = rng
        self.definitions, self.threads, self.now, self.lines = "", [], [], []
        for process in range(rng.randint(2, 5)):
            self.definitions += f"process {process}\n"
            self.threads.append([])
            for _ in range(rng.choice([1, 1, 2, 3])):
                location = len(self.now)
                self.definitions += f"location {location} process={process}\n"
                self.threads[-1].append(location)
                self.now.append(0)
                self.lines.append([])
                self.write(location, "enter main")
        self.requests = 0
        for _ in range(rng.randint(5, 40)):
            rng.choice([self.work, self.message, self.message, self.shift, self.operation])()
        for location in range(len(self.now)):
            self.now[location] = max(self.now) + 20
            self.write(location, "exit")

    def write(self, location, what, later=0):
        self.now[location] += later
        self.lines[location].append(f"{location} {self.now[location]} {what}")

    def work(self):
        for location in range(len(self.now)):
            for region in self.rng.sample("abcdef", self.rng.randint(0, 3)):
                self.write(location, f"enter {region}")
                self.write(location, "exit", self.rng.choice([0, 10, self.rng.randint(0, 40)]))

    def message(self):
        """Between two processes, or not received at all; by any thread of either."""
        a, b = self.rng.sample(range(len(self.threads)), 2)
        sender, receiver = self.rng.choice(self.threads[a]), self.rng.choice(self.threads[b])
        tag, lost = self.rng.randint(0, 1), self.rng.random()
        sent = self.now[sender]
        if lost > .03:
            self.write(sender, "enter MPI_Send")
            self.write(sender, f"send dest={self.threads[b][0]} tag={tag} com=0 len={self.rng.randint(0, 3)}")
            if self.rng.random() < .4:
                self.now[sender] = max(self.now[sender], self.now[receiver] + self.rng.randint(0, 10))
            self.write(sender, "exit", self.rng.randint(0, 15))
        if lost < .97:
            self.write(receiver, "enter MPI_Recv")
            self.now[receiver] = max(self.now[receiver], sent) + self.rng.randint(0, 10)
            self.write(receiver, f"recv src={self.threads[a][0]} tag={tag} com=0 len=0")
            self.write(receiver, "exit", self.rng.randint(0, 5))

    def shift(self):
        """Each process sends to another one without blocking, and waits for all in one call."""
        n, by = len(self.threads), self.rng.randint(1, len(self.threads) - 1)
        chosen = [self.rng.choice(threads) for threads in self.threads]
        requests, sent = [], []
        for process, l in enumerate(chosen):
            requests.append((self.requests + 1, self.requests + 2))
            self.requests += 2
            self.write(l, "enter MPI_Irecv")
            self.write(l, f"irecv_request request={requests[-1][0]}")
            self.write(l, "exit")
            self.write(l, "enter MPI_Isend", self.rng.randint(0, 12))
            sent.append(self.now[l])
            self.write(l, f"isend dest={self.threads[(process + by) % n][0]} tag=5 com=0 len=4 request={requests[-1][1]}")
            self.write(l, "exit", self.rng.randint(0, 8))
        for process, l in enumerate(chosen):
            origin = (process - by) % n
            self.write(l, "enter MPI_Waitall")
            self.now[l] = max(self.now[l], sent[origin]) + self.rng.randint(0, 10)
            self.write(l, f"irecv src={self.threads[origin][0]} tag=5 com=0 len=4 request={requests[process][0]}")
            self.write(l, f"isend_complete request={requests[process][1]}", self.rng.randint(0, 5))
            self.write(l, "exit", self.rng.randint(0, 3))

    def operation(self):
        name, op, moved = self.rng.choice([("MPI_Barrier", "barrier", 0), ("MPI_Allreduce", "allreduce", 8)])
        chosen = [self.rng.choice(threads) for threads in self.threads]
        last = max(self.now[l] for l in chosen)
        for l in chosen:
            if self.rng.random() < .01:
                continue
            self.write(l, f"enter {name}")
            self.write(l, "collective_begin")
            self.now[l] = last + self.rng.randint(0, 20)
            self.write(l, f"collective_end op={op} com=0 root=none sent={moved} received={moved}")
            self.write(l, "exit")

    def text(self):
        return self.definitions + WORLD + "\n".join(line for lines in self.lines for line in lines) + "\n"


def coarse(text, step):
    """The trace with a clock that ticks once every so many ticks."""
    return re.sub(r"^(\d+) (\d+) ", lambda m: f"{m[1]} {int(m[2]) // step * step} ", text, flags=re.MULTILINE)


def made(seed):
    rng = random.Random(seed)
    kind = rng.random()
    if kind < .6:
        text = Messages(rng).text()
    elif kind < .8:
        text = one_sided.Trace(rng).text()
    elif kind < .9:
        tasks = random_tasks.Run(rng, rng.randint(1, 4))
        tasks.make()
        text = tasks.text()
    else:
        text = random_threads.Trace(rng, seed % 4 == 3).text()
    text = coarse(text, rng.choice([1, 10, 10, 25, 100]))
    return damaged(text, rng) if rng.random() < .5 else text


def calls(location, *texts):
    """The lines of a location; `time what` or `time name: record`, which is a call that lasts one tick."""
    lines = []
    for text in texts:
        time, what = text.split(" ", 1)
        name, colon, record = what.partition(": ")
        steps = [(0, f"enter {name}"), (0, record), (1, "exit")] if colon else [(0, what)]
        lines += [f"{location} {int(time) + after} {step}" for after, step in steps]
    return "\n".join(lines) + "\n"


def several_threads():
    """Two threads of one process receive at one time what another process sent."""
    text = "process 0\nprocess 1\nlocation 0 process=0\nlocation 1 process=1\nlocation 2 process=1\n" + WORLD
    for k in range(40):
        t = 100 * k
        text += calls(0, f"{t + 10 + k} MPI_Send: send dest=1 tag=1 com=0 len={k}",
                      f"{t + 50 + k} MPI_Send: send dest=1 tag=1 com=0 len={100 + k}")
        text += calls(1, *[f"{t + 100} enter f", f"{t + 100} exit"] * 3, f"{t + 100} enter MPI_Recv",
                      f"{t + 100} recv src=0 tag=1 com=0 len=8", f"{t + 100} exit")
        text += calls(2, f"{t} enter MPI_Recv", f"{t + 100} recv src=0 tag=1 com=0 len=8", f"{t + 100} exit")
    return text


def unequal_epochs():
    """The origin opens 1,500 access epochs, the target 200 exposure epochs."""
    sync = "rma_group_sync level=0x1 win=0 group="
    text = WORLD + "rma_win 0 name=w comm=0\n" + "".join(f"group {g} type=locations members=({g})\n" for g in (0, 1))
    for l, opens, closes, times in ((0, "start", "complete", range(10, 15010, 10)),
                                    (1, "post", "wait", range(5000, 19000, 70))):
        text += calls(l, *[call for t in times for call in (f"{t} MPI_Win_{opens}: {sync}{1 - l}",
                                                            f"{t + 2} MPI_Win_{closes}: {sync}{1 - l}")])
        text += calls(l, f"{100000 + l} enter f", f"{100010 + l} exit")
    return text


def unequal_fences():
    """Two members of a window have 1,500 fences in the time in which the third has 100."""
    text = WORLD + "rma_win 0 name=w comm=0\n"
    end = "rma_collective_end op=barrier level=0x1 win=0 root=none sent=0 received=0"
    for l, times in ((0, range(10, 15010, 10)), (1, range(11, 15011, 10)), (2, range(10, 14010, 140))):
        text += calls(l, *[step for t in times for step in (f"{t} enter MPI_Win_fence", f"{t} rma_collective_begin",
                                                            f"{t + 2} {end}", f"{t + 4} exit")])
        text += calls(l, "40000 enter f", "40001 exit")
    return text


def epochs_never_closed():
    text = WORLD + "rma_win 0 name=w comm=0\n" + "".join(f"group {g} type=locations members=({g})\n" for g in (0, 1))
    for l, opens in ((0, "start"), (1, "post")):
        busy = [step for k in range(40 - 20 * l) for step in (f"{k} enter f", f"{k} exit")]
        text += calls(l, *busy, *[f"{t} MPI_Win_{opens}: rma_group_sync level=0x1 win=0 group={1 - l}" for t in (100, 200)])
    return text


def operations_that_disagree():
    """Of three members two come, to different operations."""
    busy = [step for k in range(60) for step in (f"{k} enter f", f"{k} exit")]
    return (WORLD + calls(0, *busy, "70 enter MPI_Barrier", "70 collective_begin",
                          "90 collective_end op=barrier com=0 root=none sent=0 received=0", "91 exit")
            + calls(1, "5 enter MPI_Allreduce", "5 collective_begin",
                    "6 collective_end op=allreduce com=0 root=none sent=8 received=8", "7 exit")
            + calls(2, "0 enter f", "200 exit"))


def equal_work():
    """The culprit worked as long in one call path as in another; others enter them in the other order."""
    early = [f"{t} MPI_Send: send dest=1 tag=2 com=0 len=1" for t in range(1, 60, 2)]
    late = [f"{t} MPI_Recv: recv src=0 tag=2 com=0 len=1" for t in range(1, 60, 2)]
    text = WORLD + calls(0, "0 enter main", *early, "70 enter MPI_Recv", "272 recv src=1 tag=1 com=0 len=8", "273 exit",
                         "400 exit")
    text += calls(1, "0 enter main", *late, "70 enter b", "170 exit", "170 enter a", "270 exit",
                  "270 MPI_Send: send dest=0 tag=1 com=0 len=8", "400 exit")
    for l in (2, 3):
        text += calls(l, "0 enter main", "1 enter a", "2 exit", "3 enter b", "4 exit", "400 exit")
    return text


WRONG_ONCE = [9, 117, 148, 171, 284, 1207]  # seeds
ORDERS = [several_threads, unequal_epochs, unequal_fences, epochs_never_closed, operations_that_disagree, equal_work]


def output(program, trace, chunk, workers=1):
    delayed = ["--exchange-delay", str(workers + chunk)] if workers > 1 else []
    result = subprocess.run([program, "analyze", trace, "--format", "json", "--pattern", "all,critical_path,delay,mpi_ideal_wait",
                             "--threads", str(workers), "--chunk-events", str(chunk), *delayed], capture_output=True)
    return result.returncode, result.stdout, result.stderr


def differences(program, trace):
    """How many outputs were compared, and what is wrong with them, as texts."""
    expected = output(program, trace, CHUNKS[0])
    if expected[0] == 3:
        return 0, []
    if expected[0] != 0:
        return 0, [f"ended with {expected[0]}: {expected[2].decode(errors='replace')}"]
    events = sum(json.loads(expected[1])["events_by_type"].values())
    chunks = [chunk for smaller, chunk in zip(CHUNKS, CHUNKS[1:]) if smaller < events]  # one that holds all is enough
    ways = [(1, chunk) for chunk in chunks] + SHARED
    return len(ways), [f"by {workers} with chunks of {chunk} not what it is by one with chunks of {CHUNKS[0]}"
                       for workers, chunk in ways if output(program, trace, chunk, workers) != expected]


def traces(arguments):
    """Pairs of a name and a trace, as text or as a path."""
    for order in ORDERS:
        yield order.__name__, order()
    cases = sorted(CASES.glob("*/*.case"))
    step = 1 if arguments.traces >= 100 else 3 if arguments.traces >= 50 else 10
    for case in cases[arguments.seed % step::step]:
        lines = case.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        end = next((i for i, line in enumerate(lines) if line.startswith("---")), len(lines))
        kept = [line for line in lines[:end] if not re.match(r"(metrics|patterns|plugins|set|options)\b.*:", line)]
        yield f"{case.parent.name}/{case.stem}", "\n".join(kept) + "\n"
    for seed in sorted({*WRONG_ONCE, *range(arguments.seed, arguments.seed + arguments.traces)}):
        text = made(seed)
        if text is not None:
            yield f"seed {seed}", text
    for archive in arguments.archives:
        yield archive, pathlib.Path(archive)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the traces that fail there")
    parser.add_argument("program")
    parser.add_argument("archives", nargs="*", metavar="trace")
    arguments = parser.parse_args()
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, trace in traces(arguments):
            path = trace
            if isinstance(trace, str):
                path = pathlib.Path(folder) / "trace.txt"
                path.write_text(trace, encoding="utf-8", errors="surrogateescape")
            count, wrong = differences(arguments.program, path)
            compared += count
            if not wrong:
                continue
            failed += 1
            print(f"{name}: {'; '.join(wrong)}", flush=True)
            if arguments.keep and isinstance(trace, str):
                pathlib.Path(arguments.keep).mkdir(exist_ok=True)
                kept = pathlib.Path(arguments.keep) / (re.sub(r"\W", "_", name) + ".txt")
                kept.write_text(trace, encoding="utf-8", errors="surrogateescape")
    print(f"{compared} outputs compared, {failed} traces failed")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
