#!/usr/bin/env python3
"""Measures the cost of patterns in Python: Late Sender with arrays against the C++ pattern, and calls of an event callback a second.

    PYTHONPATH=build/bench/python tests/bench/python_patterns.py [TRACE] [--rounds N] [--only arrays]

The time of a pattern is that of an analysis with it less that of an analysis without it, of which all else is the same:
without patterns at all, or, since both Late Senders count below the messages received, with those alone; where a pattern
sees events, one that orders events and gives them to nobody. Processor time, so that other programs count little; one
thread, so that nothing hides behind decoding; all kinds in turn in each round, one round before the first to warm up.
Differences are taken of the medians over the rounds, with the range from the lower to the upper quartile behind them.
That the pattern in Python finds what the C++ pattern finds is checked each time.
"""

import argparse
import pathlib
import time

import numpy as np

import waitstate
from waitstate import MpiFunction, Pattern

SOURCE = pathlib.Path(__file__).resolve().parents[2]


# By MpiFunction: 1 for calls that never wait, 2 for calls that wait for several receives at once.
TEST, TOGETHER = 1, 2
KIND = np.array([TEST if MpiFunction.test <= f <= MpiFunction.request_get_status else
                 TOGETHER if f in (MpiFunction.waitall, MpiFunction.waitsome) else 0 for f in range(256)], np.uint8)


def all_but_longest(number, ticks):
    """Of rows with one number, which follow each other, all but the first of those with most ticks: their indices."""
    order = np.lexsort((-ticks, number))
    return order[1:][number[order[1:]] == number[order[:-1]]]


class LateSenderBatch(Pattern):
    """The pattern mpi_latesender with arrays: waits with their culprits, and counts of messages with and without bytes."""

    parent = "mpi_point2point"
    metrics = [{"id": "batch_cls", "unit": "occ", "parent": "comms_recv"},
               {"id": "batch_sls", "unit": "occ", "parent": "syncs_recv"}]

    def completed_receives_batch(self, messages):
        recv, send = messages["recv"], messages["send"]
        ticks = np.minimum(send["enter"], recv["exit"]) - recv["enter"]
        late = (ticks > 0).nonzero()[0]
        kind = KIND[recv["function"][late]]
        if kind.any():
            together = (kind == TOGETHER).nonzero()[0]
            rows = late[together]
            kind[together[all_but_longest(messages["number"][rows], ticks[rows])]] = TEST  # one call waits once
            late = late[kind != TEST]
        self.add_waits(recv, ticks, send, where=late)
        with_bytes = messages["bytes"][late] > 0
        self.add_calls(recv, 1, metric=1, where=late[with_bytes])
        self.add_calls(recv, 1, metric=2, where=late[~with_bytes])


class LateSenderSingle(Pattern):
    """The pattern mpi_latesender with one call of Python per completed receive."""

    parent = "mpi_point2point"

    def completed_receives_callback(self, receives):
        waits = [min(m.send.enter, m.recv.exit) - m.recv.enter for m in receives.messages]
        longest = max(waits)  # a call that completes several receives waits once
        if longest > 0:
            m = receives.messages[waits.index(longest)]
            self.add_wait(m.recv, longest, m.send)


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


class WrongOrderOfThePaper(Pattern):
    """At every receive, looks in the message queue for an older message to the same target, as the EXPERT paper does."""

    needs_queue = True

    def init(self):
        self.found = 0

    def recv_callback(self, recv):
        queue = self.trace.queue(dest=recv["loc"])
        if queue and queue[0] < recv["sendptr"]:
            self.found += 1


class Receives(Pattern):
    """A callback for receives that does nothing."""

    def recv_callback(self, recv):
        pass


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


def seconds(trace, patterns):
    begin = time.process_time()
    waitstate.analyze(trace, patterns=patterns, threads=1)
    return time.process_time() - begin


def check(trace):
    """The figures would mean nothing if the two did not find the same."""
    result = waitstate.analyze(trace, patterns=["mpi_latesender", LateSenderBatch], threads=1)
    for cpp, python in (("mpi_latesender", "late_sender_batch"), ("mpi_cls_count", "batch_cls"), ("mpi_sls_count", "batch_sls")):
        assert np.array_equal(result.array(cpp), result.array(python)), f"{python} differs from {cpp}"
    assert result.waits["mpi_latesender"].pairs == result.waits["late_sender_batch"].pairs
    return result


KINDS = {
    "no pattern": [],
    "messages received (comms_recv)": ["comms_recv"],
    "C++ mpi_latesender": ["mpi_latesender"],
    "Python, arrays": [LateSenderBatch],
    "Python, a call per receive": [LateSenderSingle],
    "events ordered": [Ordered],
    "Python, as in the paper": [LateSenderOfThePaper],
    "Python, recv_callback: pass": [Receives],
    "Python, wrong order as in the paper": [WrongOrderOfThePaper],
    "Python, enter_callback: pass": [Enters],
    "Python, enter_callback: sum += enter['time']": [Counted],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace", nargs="?", default=str(SOURCE / "traces" / "halo"))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", choices=("all", "arrays"), default="all", help="arrays: Late Sender with arrays only")
    options = parser.parse_args()
    kinds = dict(list(KINDS.items())[:4]) if options.only == "arrays" else KINDS
    result = check(options.trace)
    times = {name: [] for name in kinds}
    for turn in range(options.rounds + 1):
        for name, patterns in kinds.items():
            taken = seconds(options.trace, patterns)
            if turn > 0:
                times[name].append(taken)

    late = result.waits["mpi_latesender"].statistics.count if "mpi_latesender" in result.waits else 0
    print(f"{options.trace}: {result.events} events, {result.messages} messages, {late} of them late")
    for name, taken in times.items():
        low, median, high = np.quantile(taken, (0.25, 0.5, 0.75))
        print(f"{name:45} {median:8.3f} s ({low:.3f} to {high:.3f}, least {min(taken):.3f})")

    def alone(name, base):
        return np.median(times[name]) - np.median(times[base]), min(times[name]) - min(times[base])

    for base in ("no pattern", "messages received (comms_recv)"):
        cpp, arrays = alone("C++ mpi_latesender", base), alone("Python, arrays", base)
        print(f"Late Sender with arrays / C++, less {base}: {arrays[0] / max(cpp[0], 1e-9):.2f} ({arrays[0] * 1e3:.1f} against "
              f"{cpp[0] * 1e3:.1f} ms, {arrays[0] / result.messages * 1e9:.0f} against {cpp[0] / result.messages * 1e9:.0f} ns "
              f"a message); of the least times {arrays[1] / max(cpp[1], 1e-9):.2f} ({arrays[1] * 1e3:.1f} against "
              f"{cpp[1] * 1e3:.1f} ms)")
    if options.only == "arrays":
        return
    enters = result.events_by_type["enter"]
    receives = result.events_by_type.get("recv", 0) + result.events_by_type.get("irecv", 0)
    for name, calls in (("Python, enter_callback: pass", enters), ("Python, enter_callback: sum += enter['time']", enters),
                        ("Python, as in the paper", receives), ("Python, recv_callback: pass", receives),
                        ("Python, wrong order as in the paper", receives)):
        beside, whole = alone(name, "events ordered")[0], np.median(times[name])
        print(f"{name}: {calls / max(beside, 1e-9) / 1e6:.2f} million calls a second beside the ordering of events, "
              f"{calls / whole / 1e6:.2f} million in the whole analysis")


if __name__ == "__main__":
    main()
