#!/usr/bin/env python3
"""What patterns in Python cost: Late Sender with arrays against the C++ pattern, and calls of an event callback a second.

    PYTHONPATH=build/bench/python tests/bench/python_patterns.py [TRACE] [--rounds N]

Analyses with one thread, so that nothing hides behind decoding; all kinds in turn in each round, the best of each is taken.
The time of a pattern is that of the analysis with it less that of an analysis without patterns. Where a pattern sees
events, the analysis without them is one that orders events, and gives them to nobody.
"""

import argparse
import pathlib
import time

import numpy as np

import waitstate
from waitstate import MpiFunction, Pattern

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class LateSenderBatch(Pattern):
    """What mpi_latesender does, with arrays: waits with their culprits, and counts of messages with and without bytes."""

    parent = "mpi_point2point"
    metrics = [{"id": "batch_cls", "unit": "occ"}, {"id": "batch_sls", "unit": "occ"}]

    def recv_batch(self, messages):
        recv = messages["recv"]
        ticks = np.minimum(messages["send"]["enter"], recv["exit"]) - recv["enter"]
        late = ticks > 0
        function = recv["function"]
        if function.max() >= MpiFunction.waitall:
            late &= (function < MpiFunction.test) | (function > MpiFunction.request_get_status)
            together = (function == MpiFunction.waitall) | (function == MpiFunction.waitsome)
            if together.any():
                first = np.flatnonzero(np.diff(messages["number"], prepend=-1))
                worst = np.maximum.reduceat(ticks, first)
                call = np.repeat(np.arange(len(first)), np.diff(first, append=len(ticks)))
                candidates = np.flatnonzero(ticks == worst[call])
                chosen = np.zeros(len(ticks), bool)
                chosen[candidates[np.unique(call[candidates], return_index=True)[1]]] = True
                late &= chosen | ~together
        self.add_waits(recv, ticks, messages["send"], where=late)
        with_bytes = messages["bytes"] > 0
        self.add_calls(recv, 1, metric=1, where=late & with_bytes)
        self.add_calls(recv, 1, metric=2, where=late & ~with_bytes)


class LateSenderSingle(Pattern):
    """The same with one call of Python per completed receive."""

    parent = "mpi_point2point"

    def completed_receives_callback(self, receives):
        for m in receives.messages:
            ticks = min(m.send.enter, m.recv.exit) - m.recv.enter
            if ticks > 0:
                self.add_wait(m.recv, ticks, m.send)


class LateSenderOfThePaper(Pattern):
    """As the EXPERT paper writes it."""

    def init(self):
        self.sum_idle_time = 0

    def recv_callback(self, recv):
        recv_start = self.trace.event(recv["enterptr"])
        send = self.trace.event(recv["sendptr"])
        send_start = self.trace.event(send["enterptr"])
        idle_time = send_start["time"] - recv_start["time"]
        if idle_time > 0 and send_start["region"] == "MPI_Send" and recv_start["region"] == "MPI_Recv":
            self.sum_idle_time += idle_time


class Enters(Pattern):
    """An event callback that does nothing."""

    def enter_callback(self, enter):
        pass


class Counted(Pattern):
    """One that looks at its event and keeps a sum."""

    def init(self):
        self.sum = 0

    def enter_callback(self, enter):
        self.sum += enter["time"]


class Ordered(Pattern):
    """An analysis that orders events, with a callback for a type that is not there."""

    def event_callback(self, event):
        pass


def seconds(trace, pattern):
    begin = time.process_time()
    if pattern is None:
        waitstate.analyze(trace, patterns=[], threads=1)
    else:
        waitstate.analyze(trace, patterns=[pattern], threads=1)
    return time.process_time() - begin


def main():
    options = argparse.ArgumentParser()
    options.add_argument("trace", nargs="?", default=str(SOURCE / "traces" / "halo"))
    options.add_argument("--rounds", type=int, default=5)
    options = options.parse_args()
    kinds = {"no pattern": None, "C++ mpi_latesender": "mpi_latesender", "Python, arrays": LateSenderBatch,
             "Python, a call per receive": LateSenderSingle, "events ordered": Ordered,
             "Python, as in the paper": LateSenderOfThePaper, "Python, enter_callback: pass": Enters,
             "Python, enter_callback: sum += enter['time']": Counted}
    best = dict.fromkeys(kinds, float("inf"))
    for _ in range(options.rounds):
        for name, pattern in kinds.items():
            best[name] = min(best[name], seconds(options.trace, pattern))
    result = waitstate.analyze(options.trace, patterns=["mpi_latesender"])
    enters, base, ordered = result.events_by_type["enter"], best["no pattern"], best["events ordered"]
    receives = result.events_by_type.get("recv", 0) + result.events_by_type.get("irecv", 0)
    late = result.waits["mpi_latesender"].statistics.count if "mpi_latesender" in result.waits else 0
    print(f"{options.trace}: {result.events} events, {enters} enters, {result.messages} messages, {late} of them late")
    for name, value in best.items():
        print(f"{name:45} {value:8.3f} s")
    cpp, arrays = best["C++ mpi_latesender"], best["Python, arrays"]
    print(f"Late Sender with arrays / C++: whole analysis {arrays / cpp:.2f}, the patterns alone "
          f"{(arrays - base) / max(cpp - base, 1e-9):.2f} ({(arrays - base) / result.messages * 1e9:.0f} against "
          f"{(cpp - base) / result.messages * 1e9:.0f} ns a message)")
    for name, calls in (("Python, enter_callback: pass", enters), ("Python, enter_callback: sum += enter['time']", enters),
                        ("Python, as in the paper", receives)):
        print(f"{name}: {calls / max(best[name] - ordered, 1e-9) / 1e6:.2f} million calls a second beside the ordering of "
              f"events, {calls / best[name] / 1e6:.2f} million in the whole analysis")


if __name__ == "__main__":
    main()
