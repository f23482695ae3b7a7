#!/usr/bin/env python3
"""Runs clang-tidy with the list of .clang-tidy over the library, the program and the Python module.

usage: cpp_tidy.py PROJECT FOLDER

Configures the project without tests in FOLDER as a unity build and checks the files that include many sources at a time:
each header is read a dozen times instead of three hundred, which takes four minutes instead of an hour on two cores. Such a
file is not checked again if it has passed before and nothing has changed in it or in what it includes of the project: their
digests are kept in FOLDER/passed.txt, so it pays to keep FOLDER. Prints the messages of clang-tidy; exits 1 if there is one.
Without clang-tidy, or where WAITSTATE_WITHOUT_TIDY is set, says so and exits 77, which ctest shows as skipped.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TIDY = "clang-tidy-14"
PASSED = "passed.txt"
NOT_READ = ("src/serve/http/http_server.cpp",)  # clang 14 knows no coroutines with the C++ library of GCC
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def configure(project, folder):
    """The commands that compile what is to be checked."""
    ran = subprocess.run(["cmake", "-S", project, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                          "-DWAITSTATE_TESTS=OFF", "-DWAITSTATE_RECORDERS=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_UNITY_BUILD=ON",
                          "-DCMAKE_UNITY_BUILD_BATCH_SIZE=50", f"-DPython3_EXECUTABLE={sys.executable}"],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stdout + ran.stderr)
    return json.loads((folder / "compile_commands.json").read_text())


class Source:
    """A file to check: its digest is that of all that clang-tidy reads of the project."""

    def __init__(self, command, project, folder):
        self.path = command["file"]
        self.folders = [Path(f) for f in re.findall(r"-I(\S+)", command["command"])]
        self.files: dict[Path, str] = {}
        self.read(Path(self.path))
        rules = (project / ".clang-tidy").read_text()
        text = "\0".join([TIDY, command["command"], rules, *(self.files[f] for f in sorted(self.files))])
        for root in (str(folder), str(project)):  # independent of the clone
            text = text.replace(root, "")
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self.size = sum(len(t) for t in self.files.values())

    def read(self, file):
        if file in self.files:
            return
        text = self.files[file] = file.read_text()
        for name in INCLUDE.findall(text):
            for place in [file.parent, *self.folders]:
                if (place / name).is_file():
                    self.read((place / name).resolve())
                    break


def check(project, folder, source):
    """The messages of clang-tidy about a source; empty if there are none."""
    ran = subprocess.run([TIDY, "-p", folder, "--quiet", source.path], cwd=project, capture_output=True, text=True)
    if ran.returncode == 0:
        return ""
    return ran.stdout or ran.stderr  # the latter counts what was found in headers of the system


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which(TIDY):
        print(f"skipped: no {TIDY} here (Debian: apt-get install {TIDY})")
        sys.exit(77)
    if os.environ.get("WAITSTATE_WITHOUT_TIDY"):
        print("WAITSTATE_WITHOUT_TIDY is set: nothing is checked")
        sys.exit(77)
    project, folder = (Path(a).resolve() for a in sys.argv[1:])
    sources = [Source(c, project, folder) for c in configure(project, folder) if not c["file"].endswith(NOT_READ)]
    record = folder / PASSED
    passed = set(record.read_text().split()) if record.is_file() else set()
    passed &= {s.digest for s in sources}
    new = sorted((s for s in sources if s.digest not in passed), key=lambda s: s.size, reverse=True)  # long ones first
    if record.is_file():
        print(f"{len(sources) - len(new)} of {len(sources)} files are what they were when they passed", flush=True)
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:  # two: what ctest is told to reserve
        wrong = False
        for source, text in zip(new, pool.map(lambda s: check(project, folder, s), new)):
            print(text, end="", flush=True)
            wrong |= bool(text)
            if not text:
                passed.add(source.digest)
                record.write_text("".join(f"{d}\n" for d in sorted(passed)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
