#!/usr/bin/env python3
"""Runs clang-tidy with the list of .clang-tidy over the library, the program and the Python module.

usage: cpp_tidy.py PROJECT FOLDER

Configures the project without tests in FOLDER as a unity build and checks the files that include many sources at a time:
each header is read a dozen times instead of three hundred, which takes four minutes instead of an hour on two cores. Prints what
is found; exits 1 if there is something. Without clang-tidy, says so and exits 77, which ctest shows as skipped.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

TIDY = "clang-tidy-14"


def configure(project, folder):
    ran = subprocess.run(["cmake", "-S", project, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                          "-DWAITSTATE_TESTS=OFF", "-DWAITSTATE_RECORDERS=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_UNITY_BUILD=ON",
                          "-DCMAKE_UNITY_BUILD_BATCH_SIZE=50", f"-DPython3_EXECUTABLE={sys.executable}"],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stdout + ran.stderr)
    commands = json.loads((Path(folder) / "compile_commands.json").read_text())
    return sorted({c["file"] for c in commands}, key=size, reverse=True)  # long ones first: all cores are busy to the end


def size(source):
    """Bytes of a source and of those that it includes by their whole path."""
    text = Path(source).read_text()
    included = [line.split('"')[1] for line in text.splitlines() if line.startswith('#include "/')]
    return len(text) + sum(Path(i).stat().st_size for i in included)


def check(project, folder, source):
    """What clang-tidy has to say about a source; nothing if all is well."""
    ran = subprocess.run([TIDY, "-p", folder, "--quiet", source], cwd=project, capture_output=True, text=True)
    if ran.returncode == 0:
        return ""
    return ran.stdout or ran.stderr  # the latter counts what was found in headers of the system


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which(TIDY):
        print(f"skipped: no {TIDY} here (Debian: apt-get install {TIDY})")
        sys.exit(77)
    project, folder = sys.argv[1:]
    sources = configure(project, folder)
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:  # two: what ctest is told to reserve
        wrong = False
        for text in pool.map(lambda s: check(project, folder, s), sources):
            print(text, end="", flush=True)
            wrong |= bool(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
