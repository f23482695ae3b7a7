#!/usr/bin/env python3
"""Damaged traces of teams, locks and tasks: the program must take them the same whatever the threads and chunks.

usage: damaged_threads.py [--traces N] [--seed S] [--keep FOLDER] PROGRAM

The traces of random_tasks.py and random_threads.py lose lines, or a whole location, get some twice, or in another order, or
with another time stamp or number. Nobody knows what then is right; but the complete report must come, and be the same for
each number of threads and each size of chunks.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import random_tasks
import random_threads

REPORT = ["analyze", "--format", "json"]
WAYS = [["--threads", "2", "--chunk-events", "1"], ["--threads", "1", "--chunk-events", "3"],
        ["--threads", "3", "--chunk-events", "50"]]


def damaged(text, rng):
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line[0].isdigit())
    if rng.random() < .3:  # a location is gone, or the rest of it
        location = rng.choice(lines[first:]).split()[0]
        own = [i for i in range(first, len(lines)) if lines[i].split()[0] == location]
        gone = set(own[rng.choice([0, rng.randrange(len(own))]):])
        lines = [line for i, line in enumerate(lines) if i not in gone]
        return "\n".join(lines) + "\n" if len(lines) > first else None
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        i, j = rng.randrange(first, len(lines)), rng.randrange(first, len(lines))
        kind = rng.random()
        if kind < .4 and len(lines) > first + 5:
            del lines[i]
        elif kind < .5:
            lines.insert(j, lines[i])
        elif kind < .6:
            lines[i], lines[j] = lines[j], lines[i]
        elif kind < .7:
            del lines[i:i + rng.randint(1, 10)]
            if len(lines) <= first:
                return None
        elif kind < .85:
            lines[i] = re.sub(r"^(\d+) (\d+)", lambda m: f"{m[1]} {max(0, int(m[2]) + rng.randint(-30, 30))}", lines[i])
        else:
            numbers = list(re.finditer(r"=(\d+)\b", lines[i]))
            if numbers:
                m = rng.choice(numbers)
                lines[i] = f"{lines[i][:m.start(1)]}{rng.choice([0, 1, 2, int(m[1]) + 1])}{lines[i][m.end(1):]}"
    return "\n".join(lines) + "\n"


def made(seed):
    rng = random.Random(seed)
    if rng.random() < .5:
        run = random_tasks.Run(rng, rng.randint(1, 4))
        run.make()
        text = run.text()
    else:
        text = random_threads.Trace(rng, seed % 4 == 3).text()
    return damaged(text, rng)


def run(program, trace, command, options):
    result = subprocess.run([program, command[0], trace, *command[1:], *options], capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def campaign(description, traces, made, commands):
    """main() of a check of damaged traces: made(seed) is one, as text, or None; commands(seed) what is asked of it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=traces)
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
            for command in commands(seed):
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
    sys.exit(campaign(__doc__, 60, made, lambda seed: [REPORT]))
