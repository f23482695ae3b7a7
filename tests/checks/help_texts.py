"""Reads the lists of `waitstate COMMAND --help`, for the checks that compare it with man pages and completions."""
import os
import re
import subprocess
from dataclasses import dataclass

ENTRY = re.compile(r"^  (?P<name>\S(?:\S| (?! ))*)(?:  +(?P<text>.*))?$")


@dataclass
class Entry:
    name: str  # "-o, --output FILE", or the name of an argument or command
    text: str  # its description in one line

    @property
    def options(self):
        return re.findall(r"(?<!\S)(--?[\w-]+)", self.name)

    @property
    def value(self):
        """The name of its value: "FILE", "text|csv|json", "FROM TO"; empty for a flag."""
        return re.sub(r"--?[\w-]+,? ?", "", self.name, count=len(self.options))


class Help:
    def __init__(self, program, command=None):
        self.command = command
        call = [program, *([command] if command else []), "--help"]
        self.text = subprocess.run(call, env=dict(os.environ, COLUMNS="100"), capture_output=True, text=True,
                                   check=True).stdout
        self.description = " ".join(self.text.split("\n\n")[0].split())

    def section(self, heading):
        """The indented lines below a heading."""
        found = re.search(rf"^{heading}:\n((?:  .*\n)*)", self.text, re.MULTILINE)
        return found.group(1).splitlines() if found else []

    def entries(self, heading):
        found = []
        for line in self.section(heading):
            if line.startswith("      "):
                found[-1].text = f"{found[-1].text} {line.strip()}".strip()
            else:
                entry = ENTRY.match(line)
                found.append(Entry(entry.group("name"), entry.group("text") or ""))
        return found


def all_helps(program):
    """That of the program, and of each command that it lists."""
    program_help = Help(program)
    return [program_help, *(Help(program, entry.name) for entry in program_help.entries("Commands"))]
