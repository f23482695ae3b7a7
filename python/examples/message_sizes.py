#!/usr/bin/env python3
"""How large are the messages of a run, and how many bytes go into each size?

    python3 message_sizes.py TRACE

One line a power of two: messages of 2^k to 2^(k+1) - 1 bytes, their number, and what they moved together. Sizes are
those of matched messages, as the sender gave them.
"""
import argparse

import numpy
import waitstate


def histogram(trace: waitstate.EventTrace) -> list[tuple[int, int, int]]:
    """(smallest size, number of messages, bytes) for each power of two from the smallest message to the largest."""
    lengths = trace.messages().len
    # Exponent of the power of two at or below the size; an empty message counts as one of its own, at -1.
    exponents = numpy.where(lengths > 0, numpy.frexp(lengths.astype(float))[1] - 1, -1)
    rows = []
    for exponent in range(int(exponents.min(initial=0)), int(exponents.max(initial=-1)) + 1):
        here = lengths[exponents == exponent]
        rows.append((1 << exponent if exponent >= 0 else 0, len(here), int(here.sum())))
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description="Prints a histogram of message sizes.")
    arguments.add_argument("trace", metavar="TRACE", help="an OTF2 archive, or a file in the text notation")
    rows = histogram(waitstate.EventTrace(arguments.parse_args().trace))
    widest = max((count for _, count, _ in rows), default=0)
    print(f"{'bytes from':>12} {'messages':>10} {'bytes':>14}")
    for smallest, count, moved in rows:
        print(f"{smallest:12} {count:10} {moved:14} {'#' * round(40 * count / widest)}")


if __name__ == "__main__":
    main()
