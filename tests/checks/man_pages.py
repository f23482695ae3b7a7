#!/usr/bin/env python3
"""Checks that there is a man page for the program and for each command, which renders and says what --help says.

usage: man_pages.py PROGRAM

groff must have nothing to complain about. Each argument, option and command of a --help stands in the page with the same
description, and so do the examples and all else below the options. Prints every difference, exits 1 if there is one, 77
if there is no groff.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from help_texts import all_helps

GROFF = ["groff", "-man", "-ww", "-Tascii", "-P-cbou", "-rLL=2000n"]  # lines that are not broken


def normal(text):
    return " ".join(text.split())


def as_sentence(text):
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def problems_of(page, shown, program, commands):
    """`shown`: the Help that the page has to agree with."""
    done = subprocess.run([*GROFF, page], capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        yield f"groff says: {done.stderr.strip()}"
    lines = [normal(line) for line in done.stdout.splitlines()]
    text = normal(done.stdout)
    sections = [line for line in done.stdout.splitlines() if re.match(r"[A-Z]", line)][1:]  # without the title
    for name in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
        if name not in sections:
            yield f"there is no section {name}"
    usage = re.search(r"^Usage: (.*)$", shown.text, re.MULTILINE).group(1)
    if usage not in lines:
        yield f"it lacks the usage: {usage}"
    if as_sentence(shown.description) not in lines:
        yield f"it lacks the description: {shown.description}"
    for entry in shown.entries("Arguments") + shown.entries("Options"):
        tag, described = entry.name, as_sentence(entry.text)
        # A short name stands in the line of its description.
        at = [i for i, line in enumerate(lines) if line == tag and lines[i + 1] == described or line == f"{tag} {described}"]
        if len(at) != 1:
            yield f"it lacks '{tag}', or says something else than: {described}"
    for entry in shown.entries("Commands"):
        if f"{program}-{entry.name}(1)" not in lines or as_sentence(entry.text) not in lines:
            yield f"it lacks the command {entry.name}, or says something else than: {entry.text}"
    below = shown.text[shown.text.index("\n\n", shown.text.index("\nOptions:")):]
    below = below[below.index("\n\n", 1):] if shown.entries("Commands") else below
    for paragraph in below.split("\n\n"):
        if paragraph.startswith("  ") or re.match(r"\w+( \w+)?:\n", paragraph):  # lines as they are
            for line in paragraph.splitlines():
                if line.startswith(" ") and normal(line) not in lines:
                    yield f"it lacks the line: {line}"
        elif normal(re.sub(r"^[A-Z]\w+( \w+)?: ", "", paragraph.lstrip("\n"))) not in text:
            yield f"it lacks the paragraph: {normal(paragraph)}"
    others = [program, *(f"{program}-{command}" for command in commands)]
    for other in others:
        if other != page.stem and f"{other}(1)" not in text:
            yield f"it does not refer to {other}(1)"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if shutil.which("groff") is None:
        print("man_pages: there is no groff (groff-base)")
        sys.exit(77)
    program = str(Path(sys.argv[1]).resolve())
    name = Path(program).name
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "generate", folder], check=True)
        pages = Path(folder) / "man" / "man1"
        helps = all_helps(program)
        commands = [shown.command for shown in helps[1:]]
        expected = {f"{name}.1"} | {f"{name}-{command}.1" for command in commands}
        found = {page.name for page in pages.iterdir()}
        if found != expected:
            wrong.append(f"pages missing: {sorted(expected - found)}; too many: {sorted(found - expected)}")
        for shown in helps:
            page = pages / (f"{name}-{shown.command}.1" if shown.command else f"{name}.1")
            if page.name not in found:
                continue
            if f'"{version}"' not in page.read_text(encoding="ascii"):
                wrong.append(f"{page.name}: it does not name its version, {version}")
            wrong += [f"{page.name}: {problem}" for problem in problems_of(page, shown, name, commands)]
    print("\n".join(wrong) or f"{len(helps)} man pages say what --help says")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
