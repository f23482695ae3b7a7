#!/usr/bin/env python3
"""Checks that the READMEs say what is so.

usage: documents.py PROJECT PROGRAM

In every README.md and MANIFEST.md of the project:
 - a relative link leads to a file or folder that exists, and `#part` to one of its headings;
 - a fenced block after `<!-- from: PATH -->` stands in that file, word for word;
 - in src/README.md a path in a table or list, such as `link/linker`, is that of a file or folder;
 - a `console` block that begins with `$ waitstate ...` is what the program prints in the project's folder.
The README at the top has at most 12 KiB and the test command; patterns/README.md names every metric of the patterns;
traces/README.md every trace. Prints every difference, exits 1 if there is one.
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

LARGEST = 12 << 10
FENCE = re.compile(r"^(<!-- from: (?P<source>\S+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:\w+/)+\w+(?:\.\w+)?)`")
METRIC = re.compile(r"^ *(\w+) +(?:sec|occ|bytes) ", re.MULTILINE)


def anchors(markdown):
    """The names that GitHub gives to headings."""
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", markdown), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links(path, text):
    for target in LINK.findall(re.sub(r"`[^`]*`", "", FENCE.sub("", text))):
        if "://" in target:
            continue
        name, _, part = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists():
            yield f"the link {target} leads nowhere"
        elif part and part not in anchors(file.read_text(encoding="utf-8")):
            yield f"the link {target}: there is no such heading"


def wrong_blocks(root, program, text):
    for block in FENCE.finditer(text):
        source, shown = block["source"], block["text"]
        if source and not (root / source).is_file():
            yield f"a block is from {source}, which does not exist"
        elif source and shown not in (root / source).read_text(encoding="utf-8"):
            yield f"a block is from {source}, which says something else"
        if block["language"] == "console":
            command, _, expected = shown.partition("\n")
            arguments = shlex.split(command.removeprefix("$ waitstate"))
            found = subprocess.run([program, *arguments], cwd=root, capture_output=True, text=True, check=False).stdout
            if found != expected:
                yield f"`{command}` prints something else"


def gone(root, text):
    """Paths of which there is no file, with or without the endings of a header and its implementation."""
    for path in sorted(set(PATH.findall(FENCE.sub("", text)))):
        if not any((root / folder / (path + ending)).exists() for folder in ("", "src") for ending in ("", ".hpp", ".cpp")):
            yield f"{path} does not exist"


def unnamed(root, program):
    patterns = subprocess.run([program, "patterns"], capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"`(\w+)`", (root / "patterns" / "README.md").read_text(encoding="utf-8")))
    yield from (f"patterns/README.md: `{metric}` is missing" for metric in METRIC.findall(patterns) if metric not in named)
    named = set(re.findall(r"`(\w+)`", (root / "traces" / "README.md").read_text(encoding="utf-8")))
    traces = sorted(folder.name for folder in (root / "traces").iterdir() if folder.is_dir())
    yield from (f"traces/README.md: `{trace}` is missing" for trace in traces if trace not in named)


def problems(root, program):
    tracked = [root / "README.md"]
    for folder in ("src", "patterns", "python", "tests", "traces", "include"):
        tracked += sorted(f for f in (root / folder).rglob("*.md") if f.name in ("README.md", "MANIFEST.md")
                          and "node_modules" not in f.parts)
    for path in tracked:
        text = path.read_text(encoding="utf-8")
        for problem in (*broken_links(path, text), *wrong_blocks(root, program, text)):
            yield f"{path.relative_to(root)}: {problem}"
    top = root / "README.md"
    if top.stat().st_size > LARGEST:
        yield f"README.md has {top.stat().st_size} bytes, expected at most {LARGEST}"
    if "<!-- test command -->\n```sh\n" not in top.read_text(encoding="utf-8"):
        yield "README.md: no test command, which .ci/run reads"
    yield from (f"src/README.md: {problem}" for problem in gone(root, (root / "src" / "README.md").read_text(encoding="utf-8")))
    yield from unnamed(root, program)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    found = list(problems(Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
