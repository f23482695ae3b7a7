"""Runs the program on traces with several threads and small chunks, and expects what one thread gives, byte for byte.

usage: threads.py PROGRAM TRACE [TRACE…]

Under the thread sanitizer this is the test that sees them: all threads of the library are started by the one pass over a
trace, which `analyze` (compound events) and `print` (all events in one order) run in its two forms. TRACE is an archive,
a file in the text notation, or a folder of traces.
"""
import pathlib
import subprocess
import sys

WAYS = [("2", "0"), ("4", "0"), ("4", "64"), ("3", "7")]


def traces(arguments):
    for argument in map(pathlib.Path, arguments):
        inside = sorted(p.parent for p in argument.glob("*/*.otf2")) if not any(argument.glob("*.otf2")) else [argument]
        yield from inside or [argument]


def output(command):
    result = subprocess.run(command, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr.decode(errors='replace')}")
    return result.stdout


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, compared, differ = sys.argv[1], 0, 0
    for trace in traces(sys.argv[2:]):
        size = sum(f.stat().st_size for f in trace.rglob("*")) if trace.is_dir() else trace.stat().st_size
        for command in (["analyze", "--format", "json"], ["print"]):
            if command == ["print"] and size > 4 << 20:
                continue  # a large trace takes too long under a sanitizer; the small ones show the same
            expected = output([program, command[0], trace, *command[1:], "--threads", "1"])
            for threads, chunk in WAYS if size < 4 << 20 else WAYS[1:2]:
                way = ["--threads", threads] + (["--chunk-events", chunk] if command[0] == "analyze" else [])
                compared += 1
                if output([program, command[0], trace, *command[1:], *way]) != expected:
                    differ += 1
                    print(f"{command[0]} {trace} {' '.join(way)}: not what one thread gives")
    print(f"{compared} outputs compared, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
