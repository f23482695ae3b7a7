#!/usr/bin/env python3
"""Damaged traces of one-sided communication: the program must take them the same whatever the threads and chunks.

usage: damaged_one_sided.py [--traces N] [--seed S] [--keep FOLDER] PROGRAM

The traces of one_sided.py lose lines, get some twice, or in another order, or with another time stamp or number (see
damaged_threads.py). Nobody knows what then is right; but the complete report, the epochs, and the stream with the starts
and ends of transfers must be the same for each number of threads and each size of chunks.
"""
import random
import sys

import one_sided
from damaged_threads import REPORT, campaign, damaged

STREAMS = [["print", "--epochs"], ["print", "--transfers", "--links"], ["print", "--epochs", "--rma-model", "basic"],
           ["print", "--transfers", "--links", "--rma-model", "basic"]]


def made(seed):
    rng = random.Random(seed)
    return damaged(one_sided.Trace(rng).text(), rng)


if __name__ == "__main__":
    sys.exit(campaign(__doc__, 40, made, lambda seed: [REPORT, random.Random(seed).choice(STREAMS)]))
