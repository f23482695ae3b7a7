#!/usr/bin/env python3
"""Checks that clang-format would leave every C++ file as it is.

usage: cpp_format.py PROJECT [--write | FILE ...]

Looks at the files of the project that git knows, ignored ones left out; in an unpacked archive, at all outside build/.
Prints those that differ and the command that mends them, or with --write mends them. One version of clang-format for all: others wrap lines
elsewhere. Without it, says so and exits 77, which ctest shows as skipped.
"""
import shutil
import subprocess
import sys
from pathlib import Path

FORMAT = "clang-format-14"
SUFFIXES = (".cpp", ".hpp")
AT_A_TIME = 50  # files a process; it is mostly their sum that takes time


def project_files(project, suffixes):
    """Paths in the project of its own files with such an end, in order."""
    listed = subprocess.run(["git", "-C", project, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = listed.stdout.splitlines()
    else:
        names = [str(f.relative_to(project)) for f in Path(project).rglob("*")]
    return sorted(n for n in names
                  if n.endswith(suffixes) and not n.startswith("build/") and (Path(project) / n).is_file())


def differing(project, files):
    """The files that clang-format would change, in order."""
    changed = []
    for begin in range(0, len(files), AT_A_TIME):
        some = files[begin:begin + AT_A_TIME]
        ran = subprocess.run([FORMAT, "--style=file", "--dry-run", "-Werror", *some], cwd=project, capture_output=True,
                             text=True)
        if ran.returncode != 0:
            named = {line.split(":")[0] for line in ran.stderr.splitlines()}
            changed += [f for f in some if f in named]
            if not changed:  # not about a file: a configuration that it does not understand
                sys.exit(ran.stderr)
    return changed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which(FORMAT):
        print(f"skipped: no {FORMAT} here (Debian: apt-get install {FORMAT})")
        sys.exit(77)
    project = sys.argv[1]
    if sys.argv[2:] == ["--write"]:
        subprocess.run([FORMAT, "--style=file", "-i", *project_files(project, SUFFIXES)], cwd=project, check=True)
        return
    changed = differing(project, sys.argv[2:] or project_files(project, SUFFIXES))
    if changed:
        print(f"clang-format would change {len(changed)} files; to let it:\n  {FORMAT} -i {' '.join(changed)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
