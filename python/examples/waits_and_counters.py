"""Wait time beside hardware counters, per call path; and what an MPI library counts while its process waits.

    python3 waits_and_counters.py TRACE
    waitstate analyze --plugin waits_and_counters.py TRACE

As a program: of each call path in which processes waited, the time, the part of it that they waited, and every counter per
second. As a plug-in: a metric, what the trace's first counter came to where most of the time was waited. A library that
polls counts on while it waits, one that sleeps does not.
"""

import argparse

import numpy
import numpy.typing

import waitstate

Ticks = numpy.typing.NDArray[numpy.int64]


class CountedWhileWaiting(waitstate.Pattern):
    """The values of the first counter of the trace in call paths that spent at least `share` of their time waiting.

    severity    differences of successive values of the trace's first counter, where waits are at least that share of the
                call path's time
    charged to  the call path and location in which the counter was recorded
    """

    id = "counted_while_waiting"
    parent, unit = "", "occ"
    needs = ("mpi_latesender", "mpi_latereceiver", "mpi_wait_nxn")
    parameters = {"share": (0.5, "", "Smallest part of the time that has to be waited.", 0, 1)}
    share: float  # for type checkers: parameters become attributes

    def init(self) -> None:
        self.last: dict[int, float] = {}
        self.counted: dict[tuple[int, int], float] = {}

    def metric_callback(self, record: waitstate.Event) -> None:
        value, last = record["counters"][0], self.last.get(record.loc.id)
        self.last[record.loc.id] = value
        if last is not None and value > last and record.callpath is not None:
            place = record.callpath.id, record.loc.id
            self.counted[place] = self.counted.get(place, 0) + value - last

    def wrapup(self) -> None:
        for (callpath, location), counted in self.counted.items():
            waits = sum(self.value(metric, callpath, location) for metric in self.needs)
            if waits > 0 and waits >= self.share * self.value("time", callpath, location):
                self.add(callpath, location, int(counted))


def waited(result: waitstate.Result, metric: waitstate.Metric) -> Ticks:
    """Ticks of a metric that were waited, call path x location, none of them twice. Wait states lie in each other, and a
    wait state of many regions may have the same waits as those of single regions: then the greater value counts."""
    if metric.id in result.waits:
        return result.array(metric)
    shares = parts = 0 * result.array(metric)
    for child in result.metrics:
        if child.parent == metric and child.within_parent:
            shares = shares + waited(result, child)
        elif child.parent == metric:
            parts = parts + waited(result, child)
    return numpy.maximum(shares, parts)


def waits_and_rates(result: waitstate.Result) -> list[tuple[str, float, float, dict[str, float]]]:
    """Of each call path with waits, the longest first: its path, seconds, share of waits, and dict of counter to rate."""
    time = result.by_callpath("time")
    waits = waited(result, result.metric("time")).sum(axis=1)
    rows = []
    for path in sorted(result.call_paths, key=lambda path: -waits[path.id] if result.waits else 0):
        if not result.waits or waits[path.id] == 0:
            break
        seconds = result.seconds(int(time[path.id]))
        rates = {}
        for counter in result.counters.values():
            total = sum(row.sum for row in counter.values if row.callpath == path)
            rates[counter.metric.id] = total / seconds
        rows.append((path.path, seconds, waits[path.id] / time[path.id], rates))
    return rows


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Prints waits beside counters, per call path.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    for path, seconds, share, rates in waits_and_rates(waitstate.analyze(arguments.parse_args().trace)):
        print(f"{seconds:10.6f} s  {100 * share:5.1f} % waiting  {path}")
        for counter, rate in rates.items():
            print(f"{'':12}{rate:12.6g} {counter} per second")
