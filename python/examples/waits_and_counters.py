"""Wait time beside hardware counters, per call path; and what an MPI library counts while its process waits.

    python3 waits_and_counters.py TRACE
    waitstate analyze --plugin waits_and_counters.py TRACE

As a program: of each call path in which processes waited, the time, the part of it that they waited, and every counter per
second. As a plug-in: a metric, what the trace's first counter came to where most of the time was waited. A library that
polls counts on while it waits, one that sleeps does not.
"""

import sys

import waitstate


class CountedWhileWaiting(waitstate.Pattern):
    """What the first counter of the trace counted in call paths that spent at least `share` of their time waiting.

    severity    differences of successive values of the trace's first counter, where waits are at least that share of the
                call path's time
    charged to  the call path and location in which the counter was recorded
    """

    id = "counted_while_waiting"
    parent, unit = "", "occ"
    needs = ("mpi_latesender", "mpi_latereceiver", "mpi_wait_nxn")
    parameters = {"share": (0.5, "", "Smallest part of the time that has to be waited.")}

    def init(self):
        self.last, self.counted = {}, {}

    def metric_callback(self, record):
        value, last = record["counters"][0], self.last.get(record.loc.id)
        self.last[record.loc.id] = value
        if last is not None and value > last and record.callpath is not None:
            place = record.callpath.id, record.loc.id
            self.counted[place] = self.counted.get(place, 0) + value - last

    def wrapup(self):
        for (callpath, location), counted in self.counted.items():
            waits = sum(self.value(metric, callpath, location) for metric in self.needs)
            if waits > 0 and waits >= self.share * self.value("time", callpath, location):
                self.add(callpath, location, int(counted))


def waits_and_rates(result):
    """Of each call path with waits, the longest first: its path, seconds, share of waits, and dict of counter to rate."""
    time = result.by_callpath("time")
    waits = 0 * time
    for metric in result.waits:
        parent = result.metric(metric).parent
        if parent is None or parent.id not in result.waits:  # no wait twice
            waits = waits + result.by_callpath(metric)
    rows = []
    for path in sorted(result.call_paths, key=lambda path: -waits[path.id] if result.waits else 0):
        if not result.waits or waits[path.id] == 0:
            break
        seconds = result.seconds(int(time[path.id]))
        rates = {}
        for counter in result.counters.values():
            total = sum(row.sum for row in counter.rows if row.callpath == path.id)
            rates[counter.metric.id] = total / seconds
        rows.append((path.path, seconds, waits[path.id] / time[path.id], rates))
    return rows


if __name__ == "__main__":
    for path, seconds, share, rates in waits_and_rates(waitstate.analyze(sys.argv[1])):
        print(f"{seconds:10.6f} s  {100 * share:5.1f} % waiting  {path}")
        for counter, rate in rates.items():
            print(f"{'':12}{rate:12.6g} {counter} per second")
