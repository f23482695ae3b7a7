#!/usr/bin/env python3
"""Damaged traces of one-sided communication: the program must take them the same whatever the threads and chunks.

usage: damaged_one_sided.py [--traces N] [--seed S] [--keep FOLDER] PROGRAM

The traces of one_sided.py lose lines, get some twice, or in another order, or with another time stamp or number (see
damaged_threads.py). Nobody knows what then is right; but the complete report, the epochs, and the stream with the starts
and ends of transfers must be the same for each number of threads and each size of chunks.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import one_sided
from damaged_threads import WAYS, damaged

COMMANDS = [["analyze", "--format", "json"], ["print", "--epochs"], ["print", "--transfers", "--links"],
            ["print", "--epochs", "--rma-model", "basic"], ["print", "--transfers", "--links", "--rma-model", "basic"]]


def made(seed):
    rng = random.Random(seed)
    return damaged(one_sided.Trace(rng).text(), rng)


def run(program, trace, command, options):
    result = subprocess.run([program, command[0], trace, *command[1:], *options], capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the traces that fail there")
    parser.add_argument("program")
    arguments = parser.parse_args()
    failed = compared = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "damaged.trace"
        for seed in range(arguments.seed, arguments.seed + arguments.traces):
            text = made(seed)
            if text is None:
                continue
            trace.write_text(text)
            wrong = []
            for command in [COMMANDS[0], random.Random(seed).choice(COMMANDS[1:])]:
                expected = run(arguments.program, trace, command, ["--threads", "1"])
                refused += expected[0] == 3
                if expected[0] not in (0, 3):
                    wrong.append(f"{' '.join(command)} ended with {expected[0]}: {expected[2]}")
                for way in WAYS if expected[0] == 0 else []:
                    compared += 1
                    if run(arguments.program, trace, command, way) != expected:
                        wrong.append(f"{' '.join(command + way)}: not what one thread gives")
            if wrong:
                failed += 1
                print(f"seed {seed}: {'; '.join(wrong)}", flush=True)
                if arguments.keep:
                    pathlib.Path(arguments.keep).mkdir(exist_ok=True)
                    (pathlib.Path(arguments.keep) / f"{seed}.trace").write_text(text)
    print(f"{arguments.traces} traces, {compared} outputs compared, {refused} refused, {failed} failed")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
