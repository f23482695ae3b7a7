"""Idle time of each process: what it lost in wait states, by kind, and the share of its time that this is.

    python3 idle_time.py TRACE
"""

import argparse

import numpy as np
import numpy.typing as npt

import waitstate

Ticks = npt.NDArray[np.int64]


def outermost_waits(result: waitstate.Result) -> list[str]:
    """Wait states that occurred and are not a share of another one, so that no wait counts twice."""
    waits = result.waits
    found = []
    for ref in waits:
        above = result.metric(ref).parent
        while above is not None and above.id not in waits:
            above = above.parent
        if above is None and result.metric(ref).unit == "sec":
            found.append(ref)
    return [ref for ref in found if not any(groups_anew(result, ref, other) for other in found)]


def groups_anew(result: waitstate.Result, one: str, other: str) -> bool:
    """True if a wait state of many regions may have the same waits as another one, which is of some of them alone."""
    group, below = result.metric(one).parent, result.metric(other).parent
    while below is not None and below.parent != group:
        below = below.parent
    return below is not None and group is not None


def by_process(result: waitstate.Result, metric: str) -> Ticks:
    """Ticks by process: those of all its locations together."""
    ticks = np.zeros(len(result.definitions.processes), dtype=np.int64)
    by_location = result.by_location(metric)
    for process in result.definitions.processes:
        ticks[process.id] = sum(by_location[location.id] for location in process.locations)
    return ticks


def idle_times(result: waitstate.Result) -> dict[str, Ticks]:
    """Dict of wait state to ticks by process."""
    return {metric: by_process(result, metric) for metric in outermost_waits(result)}


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Prints what each process lost in wait states.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    result = waitstate.analyze(arguments.parse_args().trace)
    time, idle = by_process(result, "time"), idle_times(result)
    print("process  idle s    of its time  " + "  ".join(idle))
    for process in result.definitions.processes:
        own = [ticks[process.id] for ticks in idle.values()]
        share = sum(own) / time[process.id] if time[process.id] else 0
        print(f"{process.id:7d}  {result.seconds(sum(own)):8.6f}  {share:11.3f}  " +
              "  ".join(f"{result.seconds(t):{len(metric)}.6f}" for metric, t in zip(idle, own)))
