#!/usr/bin/env python3
"""How the time of each region is spread over the run: is a routine slow all the time, or only at the start?

    python3 time_per_region.py TRACE [BINS]

Divides the run into BINS (20) equal parts and prints for each region the seconds of exclusive time, over all locations
together, in each part.
"""
import argparse
from typing import Any

import numpy
import numpy.typing
import waitstate

Array = numpy.typing.NDArray[Any]


def spans(trace: waitstate.EventTrace) -> tuple[Array, Array, Array]:
    """(region, begin, end) of every span of time in which a location was in a region itself, not in what it called."""
    regions: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    moves = trace.columns("enter", "exit", "program_begin", "program_end")
    opens = numpy.isin(moves.type, [waitstate.event_types.index(t) for t in ("enter", "program_begin")])
    for location in range(len(trace.locations)):
        here = numpy.flatnonzero(moves.loc == location)
        stack: list[int] = []
        before = 0
        for time, region, opening in zip(moves.time[here].tolist(), moves.region[here].tolist(), opens[here].tolist()):
            if stack:
                regions.append(stack[-1])
                begins.append(before)
                ends.append(time)
            before = time
            if opening:
                stack.append(region)
            elif stack:
                stack.pop()
    return numpy.array(regions, dtype=int), numpy.array(begins), numpy.array(ends)


def binned(trace: waitstate.EventTrace, bins: int) -> tuple[dict[str, Array], Array]:
    """Exclusive ticks by region name: {name: array of `bins` numbers}, and the bins' edges in ticks."""
    regions, begins, ends = spans(trace)
    if len(trace) == 0 or len(regions) == 0:
        return {}, numpy.zeros(bins + 1)
    edges = numpy.linspace(begins.min(), ends.max(), bins + 1)
    result: dict[str, Array] = {}
    for number in numpy.unique(regions):
        here = regions == number
        # The time before an edge, in all spans together; the difference of two edges is the time between them.
        before = [numpy.clip(edge - begins[here], 0, ends[here] - begins[here]).sum() for edge in edges]
        name = "(program)" if number < 0 else trace.regions[number].name
        result[name] = result.get(name, numpy.zeros(bins)) + numpy.diff(before)
    return result, edges


def main() -> None:
    arguments = argparse.ArgumentParser(description="Prints the seconds of each region by parts of the run.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    arguments.add_argument("bins", metavar="BINS", nargs="?", type=int, default=20, help="number of parts (default: 20)")
    given = arguments.parse_args()
    trace = waitstate.EventTrace(given.trace)
    table, edges = binned(trace, given.bins)
    width = max(map(len, table), default=0)
    print(f"{'seconds from':{width}}" + "".join(f"{trace.seconds(edge):8.3f}" for edge in edges[:-1].astype(int)))
    for name, ticks in sorted(table.items(), key=lambda item: -float(item[1].sum())):
        print(f"{name:{width}}" + "".join(f"{seconds:8.3f}" for seconds in trace.duration_seconds(ticks)))


if __name__ == "__main__":
    main()
