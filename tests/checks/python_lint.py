#!/usr/bin/env python3
"""Runs ruff with the list of .ruff.toml over every Python file.

usage: python_lint.py PROJECT RUFF

Takes the program `ruff` where there is one. Debian 12 has no package of it; RUFF is a folder with node_modules into which
npm has put @astral-sh/ruff-wasm-nodejs, the same checks for node (setup.sh does this where npm is). Stubs are left out:
mypy reads them. Without either, says so and exits 77, which ctest shows as skipped.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from cpp_format import project_files

PACKAGE = "@astral-sh/ruff-wasm-nodejs"
SCRIPT = """
const [folder, settings, ...files] = process.argv.slice(1);
const {Workspace, PositionEncoding} = require(folder);
const workspace = new Workspace(JSON.parse(settings), PositionEncoding.Utf32);
const read = file => require("fs").readFileSync(file, "utf8");
for (const file of files)
  for (const d of workspace.check(read(file)))
    console.log(`${file}:${d.start_location.row}:${d.start_location.column}: ${d.code} ${d.message}`);
"""


def settings(project):
    """.ruff.toml as node wants it."""
    import tomllib  # Python 3.11
    return json.dumps(tomllib.loads((Path(project) / ".ruff.toml").read_text()))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    project, folder = sys.argv[1], Path(sys.argv[2]).resolve() / "node_modules" / PACKAGE
    files = project_files(project, (".py",))
    if shutil.which("ruff"):
        command = ["ruff", "check", "--no-cache", "--config", ".ruff.toml", *files]
    elif shutil.which("node") and folder.is_dir() and sys.version_info >= (3, 11):
        command = ["node", "-e", SCRIPT, str(folder), settings(project), *files]
    else:
        print(f"skipped: no ruff here, and no {PACKAGE} in {sys.argv[2]}")
        sys.exit(77)
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if ran.returncode != 0 or ran.stdout.strip() not in ("", "All checks passed!"):
        print(ran.stdout + ran.stderr, end="")
        sys.exit(1)


if __name__ == "__main__":
    main()
