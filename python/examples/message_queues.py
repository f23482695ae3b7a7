#!/usr/bin/env python3
"""How full were MPI's message queues, and how long did receives and messages stay in them?

    python3 message_queues.py TRACE

A table for each queue, a line a process, as the logging tool MEL of the MPI_T events paper (Hermanns et al., 2019)
prints it, and how the longest stays are spread over the processes, as in that paper's Figure 3. MEL was told by the
library; here the trace bounds the values: a receive was posted at least, a message unexpected at most so long.
"""
from __future__ import annotations

import argparse
import operator
import os
from typing import Sequence

import waitstate


def analyzed(trace: str | os.PathLike[str]) -> tuple[waitstate.Result, waitstate.MessageQueues]:
    result = waitstate.analyze(trace, patterns=["mpi_posted_count"])
    if result.queues is None or not result.queues.profiles:
        raise SystemExit("the trace has no messages that were in a queue for some time")
    return result, result.queues


def histogram(values: Sequence[float], bins: int) -> list[tuple[float, int]]:
    """(smallest value, how many) of equal steps from the smallest value to the largest."""
    least, most = min(values), max(values)
    if least == most:
        return [(float(least), len(values))]
    width = (most - least) / bins
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - least) / width))] += 1
    return [(least + i * width, count) for i, count in enumerate(counts)]


def show(name: str, rows: list[tuple[str, waitstate.QueueProfile]], seconds: float) -> None:
    print(f"\n{name}\n{'':12} {'number':>9} {'longest':>8} {'populated s':>12} {'average s':>12} {'least s':>12} {'most s':>12} "
          f"{'place':>6}")
    for label, queue in rows:
        print(f"{label:12} {queue.entered:9} {queue.greatest_length:8} {queue.populated_ticks * seconds:12.6f} "
              f"{queue.average_ticks * seconds:12.6f} {queue.least_ticks * seconds:12.6f} {queue.greatest_ticks * seconds:12.6f} "
              f"{queue.average_search:6.1f}")
    print("processes by the longest stay of an entry:")
    bars = histogram([queue.greatest_ticks * seconds for _, queue in rows], 10)
    for least, count in bars:
        print(f"  from {least:12.6f} s {count:5} {'#' * round(40 * count / len(rows))}")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Prints a profile of MPI's message queues.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    result, found = analyzed(arguments.parse_args().trace)
    seconds = result.seconds(1)
    labels = [f"rank {p.rank}" if p.rank is not None else p.name for p in result.definitions.processes]
    for name, queue_of in (("posted receives (at least)", operator.attrgetter("posted")),
                           ("unexpected messages (at most)", operator.attrgetter("unexpected"))):
        rows = [(labels[row.process.id], queue_of(row)) for row in found.processes if queue_of(row).entered]
        if rows:
            show(name, rows, seconds)


if __name__ == "__main__":
    main()
