#!/usr/bin/env python3
"""Runs the program on traces with several threads and small chunks, and expects what one thread gives, byte for byte.

usage: threads.py [--long] [--below MIB] PROGRAM TRACE [TRACE…]

Under the thread sanitizer this is the test that sees them: all threads of the library are the workers of an analysis, are
started by the one pass over a trace of a single worker (`print`, which brings all events into one order), or look back over what causes of waits have noted. TRACE is an archive,
a file in the text notation, or a folder of traces.

Some ways are tried in the tests. All are with --long: 1 to 16 threads, each with chunks of 1, 2, 7, 64 and 1,000 events and
of the default size, for `analyze` as JSON (which is complete) and for `print`; CSV and CUBE reports with each number of
threads; and 20 times the same command. --below leaves out traces that are larger.
"""
import argparse
import concurrent.futures
import itertools
import pathlib
import subprocess
import sys
import tempfile

SHORT = [(2, 0), (8, 0), (4, 64), (3, 7)]  # more than two: several workers where there is one-sided communication, too
LONG = list(itertools.product((1, 2, 3, 4, 5, 8, 16), (0, 1, 2, 7, 64, 1000)))
REPEATS = 20
JOBS = 2  # traces at a time: much of a run is one thread
LARGE = 4 << 20  # bytes; takes too long in every way under a sanitizer, and the small ones show the same


def traces(arguments):
    """Archives at any depth below a folder, each by the folder of its only anchor or by the anchor."""
    for argument in map(pathlib.Path, arguments):
        if not argument.is_dir() or any(argument.glob("*.otf2")):
            yield argument
            continue
        for folder in sorted({anchor.parent for anchor in argument.rglob("*.otf2")}):
            anchors = sorted(folder.glob("*.otf2"))
            yield from [folder] if len(anchors) == 1 else anchors


def size_of(trace):
    folder = trace if trace.is_dir() else trace.parent if trace.suffix == ".otf2" else None
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) if folder else trace.stat().st_size


CAUSES = ["analyze", "--format", "json", "--pattern", "critical_path,delay,mpi_ideal_wait"]
DIVIDED = ["analyze", "--format", "csv", "--pattern", "critical_path,delay,mpi_ideal_wait"]  # by all threads, however small


def options(command, threads, chunk):
    parts = ["--set", f"delay.parts={threads}", "--exchange-delay", str(threads - 1)] if command is DIVIDED else []
    return ["--threads", str(threads)] + (["--chunk-events", str(chunk)] if chunk else []) + parts


def output(command):
    """Exit code, standard output and messages; what is written to FILE stands for standard output."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.cubex"
        result = subprocess.run([file if word == "FILE" else word for word in command], capture_output=True)
        written = file.read_bytes() if "FILE" in command and file.exists() else result.stdout
    return result.returncode, written, result.stderr


def ways(long, size):
    """The command behind the trace, and the options that must not matter."""
    json, csv, cubex = ["analyze", "--format", "json"], ["analyze", "--format", "csv"], ["analyze", "-o", "FILE"]
    if not long:
        for way in SHORT if size < LARGE else SHORT[1:2]:
            yield json, way
            if size < LARGE:
                yield ["print"], way
        yield CAUSES, SHORT[1]
        if size < LARGE:
            yield CAUSES, SHORT[3]
        yield DIVIDED, SHORT[1]
        return
    for way in LONG:
        yield json, way
        yield ["print"], way
    for threads in range(1, 9):
        yield csv, (threads, 0)
        yield cubex, (threads, 0)
        yield CAUSES, (threads, 0)
        yield DIVIDED, (threads, 0)
    for command in [json, cubex] * (REPEATS // 2):
        yield command, (4, 0)


def compare(program, trace, size, long):
    """How many outputs were compared, how many differ, how many commands failed; and what is to be said of them."""
    compared, differ, failed, expected, said = 0, 0, 0, {}, []
    for command, way in ways(long, size):
        call = [program, command[0], trace, *command[1:]]
        if tuple(command) not in expected:
            expected[tuple(command)] = output([*call, *options(command, 1, 0)])
            code, _, message = expected[tuple(command)]
            if code not in (0, 3):
                failed += 1
                said.append(f"{' '.join(map(str, call))} ended with {code}: {message.decode(errors='replace')}")
        compared += 1
        if output([*call, *options(command, *way)]) != expected[tuple(command)]:
            differ += 1
            said.append(f"{' '.join(command)} {trace} {' '.join(options(command, *way))}: not what one thread gives")
    return compared, differ, failed, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--below", type=float, default=float("inf"), metavar="MIB")
    parser.add_argument("program")
    parser.add_argument("traces", nargs="+", metavar="trace")
    arguments = parser.parse_args()
    sizes = [(trace, size_of(trace)) for trace in traces(arguments.traces)]
    chosen = [(trace, size) for trace, size in sizes if size <= arguments.below * (1 << 20)]
    compared, differ, failed = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = [pool.submit(compare, arguments.program, trace, size, arguments.long) for trace, size in chosen]
        for (trace, _), result in zip(chosen, results):
            *counts, said = result.result()
            compared, differ, failed = (a + b for a, b in zip((compared, differ, failed), counts))
            if said:
                print("\n".join(said), flush=True)
            if arguments.long:
                print(f"{trace}: {compared} outputs compared so far, {differ} differ", flush=True)
    print(f"{compared} outputs compared, {differ} differ")
    return 1 if differ or failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
