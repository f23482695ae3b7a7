#!/usr/bin/env python3
"""Checks that #include follows the flow: model -> otf2, notation -> trace -> analysis -> report -> cli.

usage: include_direction.py PROJECT

A stage under src/ includes itself, the public headers and the stages before it; otf2 and notation, two ways in, not each
other. A pattern includes public headers and headers beside it, a public header public headers only; neither asks for
more than the standard library (a pattern: also fmt; a public header: also Boost, for the wait graph). The OTF2 library's
headers are seen by src/otf2 alone. Prints every include that breaks a rule as path:line, exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

BEFORE = {
    "model": [],
    "otf2": ["model"],
    "notation": ["model"],
    "trace": ["model", "otf2", "notation"],
    "analysis": ["model", "otf2", "notation", "trace"],
    "report": ["model", "otf2", "notation", "trace", "analysis"],
    "cli": ["model", "otf2", "notation", "trace", "analysis", "report"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".hpp", ".cpp", ".h", ".ipp", ".inc"}


def reason_against(path, bracket, target):
    """Why the file at `path` (relative, as parts) may not include `target`; None if it may."""
    top, folder = path.parts[0], path.parts[1]
    first = target.split("/")[0]
    if bracket == "<":
        if first == "waitstate":
            return 'write public headers in quotes: "waitstate/..."'
        if first == "otf2" and path.parts[:2] != ("src", "otf2"):
            return "only src/otf2 sees the OTF2 library"
        if top != "src" and "/" in target and (top, first) not in (("patterns", "fmt"), ("include", "boost")):
            return "here only the standard library may be included"
        return None
    if first == "waitstate":
        return None
    if top == "include":
        return "a public header includes public headers only"
    if top == "patterns":
        return "a pattern includes public headers and headers beside it only" if "/" in target else None
    if first not in BEFORE:
        return 'write the path from src/: "stage/file.hpp"'
    if first != folder and first not in BEFORE[folder]:
        allowed = ", ".join([folder, *BEFORE[folder]])
        return f"src/{folder} may include waitstate/ and {allowed}"
    return None


def violations(root):
    """Yields path, line number, text and reason of every include that breaks a rule."""
    for top in ("include", "src", "patterns"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            path = file.relative_to(root)
            if top == "src" and path.parts[1] not in BEFORE:
                yield path, 1, "", f"not a stage: the folders of src/ are {', '.join(BEFORE)}"
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and reason_against(path, *match.groups())
                if reason:
                    yield path, number, line.strip(), reason


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    if not (root / "src").is_dir():
        sys.exit(f"{root}: no src/ here, expected the project's top level")
    found = list(violations(root))
    for path, number, line, reason in found:
        print(f"{path}:{number}: {line}\n    {reason}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
