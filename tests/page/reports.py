"""Reports in the forms that the tests of the page compare, and texts as the page writes them."""
import base64
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import zlib
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


def write_report(program, file, locations, callpaths, folder):
    """Writes an invented report in JSON. Every call path has time on every location, with 15 % noise, and 20 wait states have
    waits on 5 % of the call paths. It is the enlarged report of a small trace, so that the program can read it."""
    trace = folder / "small.trace"
    trace.write_text("0 0 enter main\n0 10 enter MPI_Recv\n0 90 recv src=1 tag=1 com=0 len=8\n0 95 exit\n0 100 exit\n"
                     "1 0 enter main\n1 80 enter MPI_Send\n1 85 send dest=0 tag=1 com=0 len=8\n1 90 exit\n1 100 exit\n")
    report = json.loads(subprocess.run([program, "analyze", trace, "--format", "json"], check=True, capture_output=True).stdout)
    random.seed(1)
    report["locations"] = [{**report["locations"][0], "name": f"Master thread {i}", "process": i} for i in range(locations)]
    nodes = -(-locations // 64)
    report["system_tree"] = [{"name": "machine", "class": "machine", "parent": None}] + [
        {"name": f"node{i}", "class": "node", "parent": 0} for i in range(nodes)]
    report["processes"] = [{**report["processes"][0], "name": f"MPI Rank {i}", "rank": i, "system_tree_node": 1 + i // 64}
                           for i in range(locations)]
    report["communicators"], report["cart_topologies"], report["cart_dimensions"] = [], [], []
    report["missing_locations"], report["problems"] = [], []
    region = report["regions"][0]
    report["regions"] = [{**region, "name": f"function_{i}"} for i in range(callpaths)]
    depth_first = [{"parent": None if i == 0 else (i - 1 if i % 10 else 0), "region": i, "program": None} for i in range(callpaths)]
    report["call_tree"] = depth_first
    report["waits"], report["counters"] = {}, {}
    report.pop("series", None), report.pop("communication", None), report.pop("contexts", None)
    severities = report.pop("severities")
    leaf = "comp" if "comp" in severities else next(iter(severities))
    waits = [m["id"] for m in report["metrics"] if m.get("kind") == "wait"][:20]
    own = {}
    rows = folder / "rows.json"
    with rows.open("w") as out:
        for n, metric in enumerate([leaf, *waits]):
            out.write((", " if n else "") + json.dumps(metric) + ': {"columns": ["callpath", "location", "value"], "rows": [')
            before, own[metric] = "", 0
            for path in range(callpaths):
                if metric != leaf and random.random() > 0.05:
                    continue
                base = random.randint(1_000, 100_000_000)
                values = [(location, int(base * random.gauss(1, 0.15)) + 1) for location in range(locations)
                          if metric == leaf or random.random() < 0.5]
                own[metric] += sum(value for _, value in values)
                out.write(before + ",".join(f"[{path},{location},{value}]" for location, value in values))
                before = ","
            out.write("]}")
    totals = {m["id"]: own.get(m["id"], 0) for m in report["metrics"]}
    for metric in reversed(report["metrics"]):  # a parent stands before its children
        if metric["parent"] is not None and not metric["within_parent"]:
            totals[metric["parent"]] += totals[metric["id"]]
    for metric in report["metrics"]:
        metric["total"] = metric["total_without_init_exit"] = totals[metric["id"]]
        if metric["share"] is not None:
            metric["share"] = metric["share_without_init_exit"] = totals[metric["id"]] / totals["time"]
    with file.open("w") as out, rows.open() as source:
        out.write(json.dumps(report)[:-1] + ', "severities": {')
        shutil.copyfileobj(source, out)
        out.write("}}")
    rows.unlink()


def same(text, seconds):
    """Whether `text` is the duration, as exactly as its digits say."""
    if seconds == 0:
        return text == "0 s"
    number, unit = text.split(" ")
    return abs(float(number.replace(",", "")) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] - seconds) <= 6e-4 * abs(seconds)


def path_of(report, callpath):
    names = []
    while callpath is not None:
        entry = report["call_tree"][callpath]
        names.append(report["regions"][entry["region"]]["name"] if entry["region"] is not None else
                     "(unknown region)" if entry["program"] is None else Path(report["programs"][entry["program"]]).name)
        callpath = entry["parent"]
    return "/".join(reversed(names))


def contrast(a, b):
    """The contrast of two colours, as WCAG 2 computes it."""
    def light(colour):
        parts = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def edited(text, change, section="meta"):
    """The text of a page with another section of JSON. `change` gets the section, changes it or returns another one."""
    def again(found):
        contents = json.loads(zlib.decompress(base64.b64decode(found[2])))
        contents = change(contents) or contents
        return found[1] + base64.b64encode(zlib.compress(json.dumps(contents).encode())).decode() + found[3]
    return re.sub(rf'(id="s:{section}">)(.*?)(</script>)', again, text, count=1, flags=re.S)


def address_names(report):
    """The names of call paths in addresses: two hashes of the name, behind that of the caller. Equal names are numbered."""
    def fnv(text, value):
        units = text.encode("utf-16-le")
        for byte in units:
            value = (value ^ byte) * 16777619 & 0xffffffff
        return value

    def base36(number):
        digits = ""
        while number:
            number, digit = divmod(number, 36)
            digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        return digits or "0"

    found, texts = {}, []
    for entry in report["call_tree"]:
        program = "" if entry["program"] is None else Path(report["programs"][entry["program"]]).name
        name = program if entry["region"] is None else report["regions"][entry["region"]]["name"]
        text = ("" if entry["parent"] is None else texts[entry["parent"]]) + "/" + name
        own = base36(fnv(text, 2166136261)) + base36(fnv(text, 3735928559))
        number = found.get(own, 0)
        found[own] = number + 1
        texts.append(own if number == 0 else f"{own}.{number}")
    return texts
