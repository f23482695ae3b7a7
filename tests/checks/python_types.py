#!/usr/bin/env python3
"""Runs mypy with .mypy.ini over the scripts and helpers beside the package, and the examples.

usage: python_types.py PROJECT CACHE

The package itself is checked strictly, and its stubs against the module, by tests/python/test_types.py. Left out are the
tests themselves (test_*.py, *_test.py): they also try what types forbid. One run a folder, as one run imports: names of
scripts repeat. Without mypy, says so and exits 77, which ctest shows as skipped.
"""
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

FOLDERS = ["python/bind", "python/examples", "tests/bench", "tests/checks", "tests/fuzz", "tests/python", "tests/support"]
IMPORTED = ["python", "tests/checks", "tests/support"]  # folders that scripts put on their path


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if importlib.util.find_spec("mypy") is None:
        print(f"skipped: {sys.executable} has no mypy (Debian: apt-get install mypy)")
        sys.exit(77)
    project, cache = (Path(argument).resolve() for argument in sys.argv[1:])
    environment = {**os.environ, "MYPYPATH": ":".join(str(project / folder) for folder in IMPORTED)}
    wrong = False
    for folder in FOLDERS:
        files = [f.name for f in sorted((project / folder).glob("*.py"))
                 if not f.name.startswith("test_") and not f.name.endswith("_test.py")]
        if not files:
            continue
        ran = subprocess.run([sys.executable, "-m", "mypy", "--config-file", project / ".mypy.ini", "--cache-dir", cache,
                              "--no-error-summary", *files], cwd=project / folder, env=environment, capture_output=True,
                             text=True)
        for line in (ran.stdout + ran.stderr).splitlines():
            print(f"{folder}/{line}")
        wrong |= ran.returncode != 0
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
