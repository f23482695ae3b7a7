#!/usr/bin/env python3
"""Who sends how much to whom, by rank in MPI_COMM_WORLD.

    python3 communication_matrix.py TRACE

Prints a matrix of bytes: senders down, receivers across. Messages on sub-communicators count where they went in the
world: the library has translated their ranks, so a location's process tells its rank whatever communicator was used.
"""
import argparse

import numpy
import numpy.typing
import waitstate

Counts = numpy.typing.NDArray[numpy.int64]


def matrix(trace: waitstate.EventTrace) -> tuple[Counts, Counts]:
    """(messages, bytes): two arrays of size ranks x ranks, [sender, receiver]; processes without a rank are left out."""
    ranks = numpy.array([-1 if location.rank is None else location.rank for location in trace.locations], dtype=int)
    size = int(ranks.max(initial=-1)) + 1
    messages = trace.messages()
    src, dest = ranks[messages.src], ranks[messages.dest]
    known = (src >= 0) & (dest >= 0)
    counts = numpy.zeros((size, size), dtype=numpy.int64)
    moved = numpy.zeros((size, size), dtype=numpy.int64)
    numpy.add.at(counts, (src[known], dest[known]), 1)
    numpy.add.at(moved, (src[known], dest[known]), messages.len[known].astype(numpy.int64))
    return counts, moved


def main() -> None:
    arguments = argparse.ArgumentParser(description="Prints who sent how many bytes to whom, by rank.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    _, moved = matrix(waitstate.EventTrace(arguments.parse_args().trace))
    width = max(len(str(moved.max(initial=0))), 4) + 1
    print("from\\to" + "".join(f"{receiver:{width}}" for receiver in range(len(moved))))
    for sender, row in enumerate(moved):
        print(f"{sender:7}" + "".join(f"{number:{width}}" for number in row))


if __name__ == "__main__":
    main()
