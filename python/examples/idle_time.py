"""Idle time of each process: what it lost in wait states, by kind, and the share of its time that this is.

    python3 idle_time.py TRACE
"""

import sys

import numpy as np

import waitstate


def outermost_waits(result):
    """Wait states that occurred and are not a share of another one, so that no wait counts twice."""
    waits = result.waits
    found = []
    for ref in waits:
        above = result.metric(ref).parent
        while above is not None and above.id not in waits:
            above = above.parent
        if above is None and result.metric(ref).unit == "sec":
            found.append(ref)
    return found


def by_process(result, metric):
    """Ticks by process: those of all its locations together."""
    ticks = np.zeros(len(result.definitions.processes), dtype=np.int64)
    by_location = result.by_location(metric)
    for process in result.definitions.processes:
        ticks[process.id] = sum(by_location[location.id] for location in process.locations)
    return ticks


def idle_times(result):
    """Dict of wait state to ticks by process."""
    return {metric: by_process(result, metric) for metric in outermost_waits(result)}


if __name__ == "__main__":
    result = waitstate.analyze(sys.argv[1])
    time, idle = by_process(result, "time"), idle_times(result)
    print("process  idle s    of its time  " + "  ".join(idle))
    for process in result.definitions.processes:
        own = [ticks[process.id] for ticks in idle.values()]
        share = sum(own) / time[process.id] if time[process.id] else 0
        print(f"{process.id:7d}  {result.seconds(sum(own)):8.6f}  {share:11.3f}  " +
              "  ".join(f"{result.seconds(t):{len(metric)}.6f}" for metric, t in zip(idle, own)))
