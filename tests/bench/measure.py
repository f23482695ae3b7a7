"""Programs of the build, commands run in interleaved rounds, and what they took.

Other load on a machine hits neighbouring commands alike, so commands that are compared run in turn, round after round,
after one round that warms the page cache. A ratio is given twice: of the medians, and as the median of the ratios
within each round, which a few disturbed rounds cannot move. Peak memory is wait4's ru_maxrss, that of the largest
process of the command; its floor is this script's own size.
"""
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEEDED = {  # program: how it is come by
    "waitstate": "cmake --build --preset bench",
    "raw_decode": "cmake --build --preset bench",
    "generate_trace": "cmake --build --preset bench",
    "enlarge_trace": "cmake --build --preset bench",
    "event_trace": "cmake --build --preset bench",
    "stages": "cmake --build --preset bench",
    "otf2-print": "the package otf2-tools",
    "valgrind": "the package valgrind",
}


@dataclass
class Run:
    wall: float
    cpu: float
    peak_kib: int
    output: str


@dataclass
class Samples:
    """All rounds of one command."""
    command: list
    runs: list = field(default_factory=list)

    def median(self, what="wall"):
        return statistics.median(getattr(r, what) for r in self.runs)

    def best(self):
        return min(r.wall for r in self.runs)

    def peak_mib(self):
        return max(r.peak_kib for r in self.runs) / 1024

    def figures(self, name):
        """The median of the last `name value` or `name=value` in each output."""
        values = [float(re.findall(rf"\b{name}[ =]+([0-9.]+)", r.output)[-1]) for r in self.runs]
        return statistics.median(values)


def find_program(name, folders):
    """Path of the program in one of the build folders, or on PATH, or None."""
    for folder in folders:
        for inner in ("", "tests", "bin"):
            path = os.path.join(folder, inner, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return shutil.which(name)


def run(command):
    """A command's Run; raises RuntimeError if it fails."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped above
        out.seek(0)
        err.seek(0)
        if process.returncode:
            words = err.read().decode(errors="replace").strip() or "no message"
            raise RuntimeError(f"{' '.join(map(str, command))} ended with {process.returncode}: {words}")
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out.read().decode(errors="replace"))


class Bench:
    """The common parts of all measurements: the programs, the traces, a folder for reports, the number of rounds."""

    def __init__(self, folders, traces, scratch, repeat):
        self.programs = {name: find_program(name, folders) for name in NEEDED}
        self.traces, self.scratch, self.repeat = traces, scratch, repeat
        self.floor_mib = run(["true"]).peak_kib / 1024

    def missing(self):
        return [f"{name} is missing: {how}" for name, how in NEEDED.items() if self.programs[name] is None]

    def raw(self, trace, threads=2, *more):
        return [self.programs["raw_decode"], "--threads", threads, *more, trace]

    def analyze(self, trace, threads=2, *more, report="report.json"):
        return [self.programs["waitstate"], "analyze", trace, "--threads", threads, *more,
                "-o", os.path.join(self.scratch, report)]

    def instructions(self, command):
        """Instructions that the command executes, of its processes the one with most."""
        counts = os.path.join(self.scratch, "instructions.")
        run([self.programs["valgrind"], "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={counts}%p",
             *command])
        found = []
        for path in glob.glob(counts + "*"):
            with open(path, encoding="utf-8") as file:
                found += [int(line.split()[1]) for line in file if line.startswith("summary:")]
            os.remove(path)
        print(f"    {' '.join(map(str, command))}: {max(found):,} instructions", file=sys.stderr)
        return max(found)

    def rounds(self, commands, repeat=None):
        """{name: Samples} of {name: command}, interleaved."""
        repeat = repeat or self.repeat
        samples = {name: Samples([str(word) for word in command]) for name, command in commands.items()}
        for number in range(repeat + 1):
            for s in samples.values():
                result = run(s.command)
                if number:  # the first round warms the page cache
                    s.runs.append(result)
        for name, s in samples.items():
            print(f"    {name}: {s.median():.3f} s, {s.median('cpu'):.3f} processor s, {s.peak_mib():.0f} MiB",
                  file=sys.stderr)
        return samples


def ratio(above, below, what="wall"):
    """Ratio of the medians, and median of the ratios of each round."""
    each = [getattr(a, what) / getattr(b, what) for a, b in zip(above.runs, below.runs)]
    return above.median(what) / below.median(what), statistics.median(each)


def describe(samples):
    """{name: Samples} for --json."""
    return {name: {"command": s.command, "wall": [r.wall for r in s.runs], "cpu": [r.cpu for r in s.runs],
                   "median_seconds": s.median(), "peak_mib": s.peak_mib()} for name, s in samples.items()}
