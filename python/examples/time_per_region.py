#!/usr/bin/env python3
"""How the time of each region is spread over the run: is a routine slow all the time, or only at the start?

usage: time_per_region.py TRACE [BINS]

Divides the run into BINS (20) equal parts and prints for each region the seconds of exclusive time, over all locations
together, in each part.
"""
import sys

import numpy
import waitstate


def spans(trace):
    """(region, begin, end) of every span of time in which a location was in a region itself, not in what it called."""
    regions, begins, ends = [], [], []
    moves = trace.columns("enter", "exit", "program_begin", "program_end")
    opens = numpy.isin(moves.type, [waitstate.event_types.index(t) for t in ("enter", "program_begin")])
    for location in range(len(trace.locations)):
        here = numpy.flatnonzero(moves.loc == location)
        stack, before = [], 0
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


def binned(trace, bins):
    """Exclusive ticks by region name: {name: array of `bins` numbers}, and the bins' edges in ticks."""
    regions, begins, ends = spans(trace)
    if len(trace) == 0 or len(regions) == 0:
        return {}, numpy.zeros(bins + 1)
    edges = numpy.linspace(begins.min(), ends.max(), bins + 1)
    result = {}
    for number in numpy.unique(regions):
        here = regions == number
        # What lies before an edge, in all spans together; the difference of two edges is what lies between them.
        before = [numpy.clip(edge - begins[here], 0, ends[here] - begins[here]).sum() for edge in edges]
        name = "(program)" if number < 0 else trace.regions[number].name
        result[name] = result.get(name, 0) + numpy.diff(before)
    return result, edges


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.split("\n\n")[1])
    trace = waitstate.EventTrace(sys.argv[1])
    table, edges = binned(trace, int(sys.argv[2]) if len(sys.argv) == 3 else 20)
    width = max(map(len, table), default=0)
    print(f"{'seconds from':{width}}" + "".join(f"{trace.seconds(edge):8.3f}" for edge in edges[:-1].astype(int)))
    for name, ticks in sorted(table.items(), key=lambda item: -item[1].sum()):
        print(f"{name:{width}}" + "".join(f"{seconds:8.3f}" for seconds in trace.duration_seconds(ticks)))


if __name__ == "__main__":
    main()
