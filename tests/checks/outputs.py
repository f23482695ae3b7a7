#!/usr/bin/env python3
"""Disturbs the program while it writes, at many points, and expects the old file or the whole new one, and nothing else.

usage: outputs.py [--points N] PROGRAM TRACE

Each disturbance is repeated at N points that are spread over a whole run: SIGINT, SIGTERM and SIGHUP after so many
milliseconds, a limit of so many bytes a file, and (as root) a file system of so many pages. What is expected holds for
each point, so the result does not depend on how fast the machine is. TRACE should be a folder with an archive whose
report is not tiny; tests/cli/output_test.cpp has the single cases and their messages.
"""
import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KINDS = ["run.json", "run.csv", "run.cubex", "run.txt"]
OLD = b"old"


class Check:
    def __init__(self, program, trace, points):
        self.program, self.trace, self.points = program, trace, points
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="waitstate_outputs_"))
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.runs, self.wrong, self.whole = 0, [], 0

    def start(self, output, limit=None):
        def set_limit():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        environment = dict(os.environ, TMPDIR=str(self.temporary))
        return subprocess.Popen([self.program, "analyze", "--full", self.trace, "-o", output], env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=set_limit)

    def expected(self, kind):
        folder = self.folder / "expected"
        folder.mkdir(exist_ok=True)
        begin = time.monotonic()
        process = self.start(folder / kind)
        process.communicate()
        if process.returncode != 0:
            sys.exit(f"{kind} cannot be written at all: {process.returncode}")
        return {f.name: f.read_bytes() for f in folder.iterdir()}, time.monotonic() - begin

    def judge(self, what, process, folder, expected, allowed):
        """`allowed`: exit codes of a disturbed run; one that was too late to be disturbed ends with 0."""
        out, err = process.communicate(timeout=120)
        self.runs += 1

        def complain(text):
            self.wrong.append(f"{what}: {text}")

        code = process.returncode
        if code != 0 and code not in allowed:
            complain(f"ended with {code}, expected one of {allowed}: {err.decode(errors='replace')}")
        if code >= 0 and out + err != b"" and code == 0 or code > 0 and err.count(b"\n") != 1:
            complain(f"wrote {out!r} and {err!r}")
        for file in folder.iterdir():
            if file.name not in expected:
                complain(f"left {file.name}")
            elif file.read_bytes() not in (OLD, expected[file.name]):
                complain(f"{file.name} is neither the old one nor the new one")
            elif code == 0 and file.read_bytes() == OLD and file.name != "trace.stat":
                complain(f"{file.name} is still the old one, but the exit code is 0")
            elif code > 0 and file.read_bytes() != OLD:
                complain(f"{file.name} is the new one, but the exit code is {code}")
        self.whole += code == 0
        for file in self.temporary.iterdir():
            complain(f"left {file}")
            shutil.rmtree(file, ignore_errors=True)

    def fresh(self, kind, at=None):
        folder = at or self.folder / "out"
        if at is None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        else:
            for file in folder.iterdir():
                file.unlink()
        (folder / kind).write_bytes(OLD)
        return folder

    def signals(self, kind, expected, duration):
        for point in range(self.points):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[point % 3]
            folder = self.fresh(kind)
            process = self.start(folder / kind)
            time.sleep(duration * point / self.points)
            process.send_signal(number)
            self.judge(f"{kind}, {number.name} at point {point}", process, folder, expected, [-number])

    def limits(self, kind, expected):
        for point in range(self.points):
            limit = len(expected[kind]) * point // self.points
            folder = self.folder / "out"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            self.judge(f"{kind}, at most {limit} bytes", self.start(folder / kind, limit), folder, expected, [2])

    def full_disks(self, kind, expected):
        disk = self.folder / "disk"
        disk.mkdir(exist_ok=True)
        sizes = [(8192 + len(expected[kind]) * point // self.points, True) for point in range(self.points)]
        pages = -(-len(expected[kind]) // 4096)  # has room for the report alone, where a second file belongs to it
        for size, replaces in sizes + [(4096 * (pages + more), False) for more in range(3)]:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True)
            if mounted.returncode != 0:
                return False
            try:
                self.fresh(kind, disk)
                if not replaces:
                    (disk / kind).unlink()
                self.judge(f"{kind}, a disk of {size} bytes", self.start(disk / kind), disk, expected, [2])
            finally:
                subprocess.run(["umount", disk], check=True)
        return True

    def run(self):
        disks = os.geteuid() == 0
        for kind in KINDS:
            shutil.rmtree(self.folder / "expected", ignore_errors=True)
            expected, duration = self.expected(kind)
            self.signals(kind, expected, duration)
            self.limits(kind, expected)
            disks = disks and self.full_disks(kind, expected)
        shutil.rmtree(self.folder)
        print(f"{self.runs} runs disturbed, {self.whole} of them complete all the same, {len(self.wrong)} complaints"
              + ("" if disks else "; without full disks, which only root can mount"))
        for line in self.wrong[:20]:
            print(line)
        return 1 if self.wrong or self.whole == self.runs else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=9)
    parser.add_argument("program")
    parser.add_argument("trace")
    arguments = parser.parse_args()
    return Check(arguments.program, arguments.trace, arguments.points).run()


if __name__ == "__main__":
    sys.exit(main())
