"""Reports in the forms that the tests of the page compare, and how the page writes what is in them."""
import csv
import io
import json
import os
import subprocess
from pathlib import Path

SOURCE = Path(os.environ.get("WAITSTATE_SOURCE", Path(__file__).parents[2]))
PROGRAM = Path(os.environ.get("WAITSTATE_BUILD", SOURCE / "build/dev")) / "waitstate"


def waitstate(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


class Run:
    """A report in all the forms that the tests compare."""

    def __init__(self, folder, trace, *options):
        self.json_file = folder / f"{trace.name}.json"
        self.page = folder / f"{trace.name}.html"
        waitstate("analyze", trace, *options, "-o", self.json_file)
        waitstate("show", self.json_file, "-o", self.page)
        self.json = json.loads(self.json_file.read_text())
        self.second = self.json["trace"]["clock"]["ticks_per_second"]

    def rows(self, metric, by):
        text = waitstate("show", self.json_file, "--metric", metric, "--by", by, "--format", "csv")
        return list(csv.DictReader(io.StringIO(text)))


def same(text, seconds):
    """True if `text` is the duration, to the digits that it has."""
    if seconds == 0:
        return text == "0"
    number, unit = text.split(" ")
    return abs(float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] - seconds) <= 6e-4 * abs(seconds)


def path_of(report, callpath):
    names = []
    while callpath is not None:
        entry = report["call_tree"][callpath]
        names.append(report["regions"][entry["region"]]["name"] if entry["region"] is not None else Path(report["programs"][entry["program"]]).name)
        callpath = entry["parent"]
    return "/".join(reversed(names))


def contrast(a, b):
    """Of two colours, as WCAG 2 computes it."""
    def light(colour):
        parts = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
