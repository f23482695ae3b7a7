#!/usr/bin/env python3
"""Damages traces in thousands of ways and looks how the program takes it.

usage: faults.py PROGRAM TRACE... [--mutations 2000] [--seed 1] [--jobs 2] [--generate GENERATE_TRACE]
                 [--timeout 10] [--memory 1024] [--keep FOLDER] [--only NUMBER]

TRACE is the folder of an OTF2 archive; --generate adds one whose files have several chunks. Each mutant (the kinds are
in tests/support/mutations) is read once, mostly by `analyze --format json`, now and then by another command. Right is
 - exit 0, nothing on standard error, a whole report; and where the mutation took something away that a careful reader
   must miss, the report says so: its diagnostics are not those of the undamaged trace;
 - exit 3 with one line on standard error that is no internal error, and no report. Not for a file of one location: the
   others can be analysed;
within the time, the memory (of the largest process, sanitizers' own included; no allocation beyond it is tried either)
and without a file left behind. Everything else fails; failing mutants are kept, with the command that repeats them.

The same seed gives the same mutants, whatever their number.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import mutations

# Memory that the OTF2 library leaks when it refuses a clock offset, an id map or an anchor: a few bytes, once a file.
LIBRARY_LEAKS = "leak:OTF2_IdMap_Create\nleak:otf2_file_posix_open\nleak:otf2_archive_open\n"
NOTHING = b"Nothing is missing from this trace, and it has no anomalies."
Ran = collections.namedtuple("Ran", "code seconds mebibytes out err left")
Verdict = collections.namedtuple("Verdict", "number kind what command must_tell code seconds mebibytes failure err")


def commands(rng):
    threads = rng.choice([[], ["--threads", "1"], ["--threads", "2"]])
    choice = rng.random()
    if choice < 0.65:
        return ["analyze", "--format", "json", *threads]
    if choice < 0.75:
        return ["analyze", *threads, *rng.choice([[], ["--full"]])]
    if choice < 0.83:
        return ["analyze", "-o", "report.cubex", *threads]
    if choice < 0.90:
        return ["info"]
    return ["print", *threads, *rng.choice([[], ["--links"], ["--attributes"], ["--transfers"], ["--epochs"]])]


def environment(scratch, mebibytes):
    """Sanitizers: what they find ends the program; little memory of their own; no allocation beyond the limit."""
    suppressions = scratch.parent / "leaks"
    suppressions.write_text(LIBRARY_LEAKS)

    def joined(name, more):
        return ":".join(filter(None, [os.environ.get(name), more]))
    return {**os.environ, "TMPDIR": str(scratch),
            "ASAN_OPTIONS": joined("ASAN_OPTIONS", f"quarantine_size_mb=8:max_allocation_size_mb={mebibytes}:"
                                                   "allocator_may_return_null=0:detect_leaks=1"),
            "LSAN_OPTIONS": joined("LSAN_OPTIONS", f"suppressions={suppressions}:print_suppressions=0"),
            "UBSAN_OPTIONS": joined("UBSAN_OPTIONS", "print_stacktrace=1")}


def run(command, scratch, seconds, mebibytes):
    """Runs it in the folder `scratch`; `left` are the files that it leaves there."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=scratch, start_new_session=True,
                                   env=environment(scratch, mebibytes))
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)
        timer = threading.Timer(seconds, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - begin
        out.seek(0), err.seek(0)
        left = sorted(p.name for p in scratch.iterdir())
        code = "late" if late.is_set() else process.returncode
        return Ran(code, took, usage.ru_maxrss / 1024, out.read(), err.read(), left)


def refuse_constant(text):
    raise ValueError(f"{text} is no number")


def complaints(command, ran):
    """Missing and odd things that the output names, for some formats only whether it names any; None if it cannot say."""
    if "json" in command:
        return json.loads(ran.out.decode("utf-8"), parse_constant=refuse_constant)["diagnostics"]
    if command[0] == "print":
        return [line for line in ran.out.split(b"\n") if line.startswith((b"# missing: ", b"# odd: "))]
    return None if "-o" in command else NOTHING not in ran.out


def failure(command, ran, mutant, whole, local, seconds, mebibytes):
    """The error of a run; empty if there is none. `whole` are the complaints about the undamaged trace."""
    report = ["report.cubex", "trace.stat"] if "-o" in command else []
    if ran.code == "late":
        return f"still running after {seconds} s"
    if ran.mebibytes > mebibytes:
        return f"{ran.mebibytes:.0f} MiB"
    if ran.code == 3:
        text = ran.err.decode("utf-8", "replace")
        if text.count("\n") != 1 or not text.startswith("waitstate: error: "):
            return "exit 3 without exactly one message"
        if "internal error" in text or "the trace could not be read (signal" in text:
            return "exit 3 for a failure of the program"
        if local:
            return "exit 3 for the file of one location"
        if command[0] == "analyze" and ran.out:
            return "exit 3 with a report"
        return "" if not ran.left else f"left behind: {ran.left}"
    if ran.code != 0:
        return f"exit code {ran.code}"
    if ran.err:
        return "exit 0 with a message"
    if ran.left not in (report, report[:1]):
        return f"left behind: {ran.left}"
    try:
        now = complaints(command, ran)
    except (ValueError, KeyError, RecursionError) as error:
        return f"no JSON report: {error}"
    if mutant.must_tell and now is not None and now is not True and now == whole:  # True: said, but not what
        return "the loss is not told"
    return ""


class Campaign:
    """The mutants of one trace; made anew in each worker."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.trace = mutations.Trace(self.folder)
        self.whole = {}

    def mutant(self, number):
        rng = random.Random(f"{self.options.seed}:{self.folder.name}:{number}")
        kind = mutations.KINDS[number % len(mutations.KINDS)]
        return kind.__name__, kind(self.trace, rng, number // len(mutations.KINDS)), commands(rng)

    def write(self, mutant, folder, links):
        """The damaged archive; files that are as they were may be links."""
        for name in self.trace.names:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name not in mutant.files and links:
                path.symlink_to((self.folder / name).resolve())
            else:
                mutations.write(path, mutant.files.get(name, self.trace.bytes[name]))

    def complaints_about_the_whole(self, command, scratch):
        key = "json" if "json" in command else " ".join(command)
        if key not in self.whole:
            ran = run([self.options.program, command[0], str(self.folder), *command[1:]], scratch, 600, 16384)
            self.whole[key] = complaints(command, ran) if ran.code == 0 else None
            for name in ran.left:
                (scratch / name).unlink()
        return self.whole[key]

    def judge(self, number):
        options = self.options
        kind, mutant, command = self.mutant(number)
        with tempfile.TemporaryDirectory(prefix="waitstate-faults-") as place:
            scratch, archive = pathlib.Path(place) / "scratch", pathlib.Path(place) / self.folder.name
            scratch.mkdir()
            self.write(mutant, archive, links=True)
            whole = self.complaints_about_the_whole(command, scratch)
            ran = run([options.program, command[0], str(archive), *command[1:]], scratch, options.timeout,
                      options.memory)
        local = bool(mutant.files) and all("/" in name for name in mutant.files)
        wrong = failure(command, ran, mutant, whole, local, options.timeout, options.memory)
        if wrong:
            self.write(mutant, self.kept(number), links=False)
        return Verdict(number, kind, mutant.what, command, mutant.must_tell, ran.code, ran.seconds, ran.mebibytes,
                       wrong, ran.err.decode("utf-8", "replace"))

    def kept(self, number):
        folder = self.options.keep / f"{self.folder.name}-{self.options.seed}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        return folder


campaign: Campaign  # set in each worker process


def start_worker(options, folder):
    global campaign
    campaign = Campaign(options, folder)


def judge(number):
    return campaign.judge(number)


def table(name, verdicts):
    print(f"\n{name}: {len(verdicts)} mutants\n{'kind':24}{'mutants':>9}{'exit 0':>9}{'exit 3':>9}{'must tell':>11}"
          f"{'failures':>10}{'slowest s':>11}{'MiB':>7}")
    kinds = list(dict.fromkeys(v.kind for v in verdicts))
    for kind, some in [(k, [v for v in verdicts if v.kind == k]) for k in kinds] + [("all", verdicts)]:
        print(f"{kind:24}{len(some):9}{sum(v.code == 0 for v in some):9}{sum(v.code == 3 for v in some):9}"
              f"{sum(v.must_tell for v in some):11}{sum(bool(v.failure) for v in some):10}"
              f"{max(v.seconds for v in some):11.2f}{max(v.mebibytes for v in some):7.0f}")


def show_failures(options, folder, verdicts):
    for v in verdicts:
        if not v.failure:
            continue
        kept = options.keep / f"{folder.name}-{options.seed}-{v.number}"
        lines = [line for line in v.err.splitlines() if line.strip()]
        print(f"\nFAILED {folder.name} {v.number} ({v.kind}: {v.what}): {v.failure}\n"
              f"  {' '.join([options.program, v.command[0], str(kept), *v.command[1:]])}\n"
              f"  faults.py {options.program} {folder} --seed {options.seed} --only {v.number}")
        for line in lines[:12]:
            print("  | " + line[:200])
    sys.stdout.flush()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("traces", nargs="*", type=pathlib.Path, metavar="TRACE")
    parser.add_argument("--mutations", type=int, default=2000, help="of each trace")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--generate", metavar="GENERATE_TRACE")
    parser.add_argument("--timeout", type=float, default=10, help="seconds")
    parser.add_argument("--memory", type=int, default=1024, help="MiB")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "waitstate-faults")
    parser.add_argument("--only", type=int, help="the number of one mutant")
    options = parser.parse_args()
    options.program, options.keep = str(pathlib.Path(options.program).resolve()), options.keep.resolve()
    return options


def main():
    options = arguments()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    failures = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        traces = [t.resolve() for t in options.traces]
        if options.generate:
            traces.append(pathlib.Path(scratch) / "generated")
            subprocess.run([options.generate, "--pattern", "mixed", "--locations", "4", "--events", "60000", "--chunk",
                            str(1 << 18), "--seed", "1", traces[-1]], check=True, stdout=subprocess.DEVNULL)
        for folder in traces:
            numbers = range(options.mutations) if options.only is None else [options.only]
            with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=start_worker,
                                                        initargs=(options, folder)) as pool:
                verdicts = list(pool.map(judge, numbers, chunksize=8))
            table(folder.name, verdicts)
            show_failures(options, folder, verdicts)
            failures += sum(bool(v.failure) for v in verdicts)
            total += len(verdicts)
    print(f"\n{total} mutants, {failures} failures" + (f", kept in {options.keep}" if failures else ""))
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
