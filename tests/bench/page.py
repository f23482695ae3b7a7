#!/usr/bin/env python3
"""Sizes and times of HTML pages, beside targets: of a recorded trace, and of a report of 10,000 locations × 1,000 call paths.

usage: page.py PROGRAM [--locations N] [--callpaths N] [--keep FOLDER]

The large report is made up: every call path has time on every location, with 15 % noise; 20 wait states have waits on 5 % of
the call paths. It is also written with smaller limits of its size. Prints a table: what, target, measured.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "page"))
from browser import Browser, why_not


def write_report(program, file, locations, callpaths, folder):
    """A small trace's report, enlarged: its metrics and definitions stay, so that it is what the program reads."""
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


def small_page(program, folder):
    """Rows about the page of traces/p2p."""
    page = folder / "p2p.html"
    subprocess.run([program, "analyze", Path(__file__).parents[2] / "traces/p2p", "-o", page], check=True)
    rows = [("p2p: size", "≤ 200 KB", f"{os.path.getsize(page) / 1e3:.0f} KB")]
    if not why_not():
        with Browser() as browser:
            browser.open(page)
            times = [min(browser.open(page, f"#v={view}&m=mpi_latesender") for _ in range(3)) for view in ("trees", "timeline", "matrix")]
            rows.append(("p2p: until trees, timeline or matrix is drawn", "≤ 0.3 s", f"{max(times):.2f} s"))
    return rows


def written(program, report, page, *options):
    """Seconds, megabytes of memory, megabytes of the page."""
    timed = [sys.executable, "-c",
             "import resource, subprocess, sys, time; b = time.monotonic(); subprocess.run(sys.argv[1:], check=True); "
             "print(time.monotonic() - b, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"]
    done = subprocess.run([*timed, program, "show", report, "-o", page, *options], check=True, capture_output=True, text=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory, os.path.getsize(page) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--locations", type=int, default=10_000)
    parser.add_argument("--callpaths", type=int, default=1_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        report, page = folder / "large.json", folder / "large.html"
        rows = small_page(program, folder)
        write_report(program, report, options.locations, options.callpaths, folder)
        begin = time.monotonic()
        subprocess.run([program, "show", report], check=True, stdout=subprocess.DEVNULL)
        reading = time.monotonic() - begin
        for limit in (20, 12, 5):
            seconds, _, size = written(program, report, folder / "limited.html", "--max-size", str(limit))
            rows.append((f"with --max-size {limit}: size, time to write", f"≤ {limit} MB", f"{size:.1f} MB, {seconds - reading:.1f} s"))
        seconds, memory, size = written(program, report, page)
        rows.append(("time to write (but for reading)", "≤ 3 s", f"{seconds - reading:.1f} s"))
        rows.append(("memory of reading and writing", "", f"{memory:.0f} MB"))
        rows.append(("size", "≤ 36 MB", f"{size:.1f} MB"))
        if why_not():
            print(f"no times of the page: {why_not()}")
        else:
            with Browser() as browser:
                rows.append(("until the trees are there", "≤ 1.0 s", f"{browser.open(page, '#v=trees&m=time'):.2f} s"))
                for what in ("first selection of a call path", "another one"):
                    begin = time.monotonic()
                    browser.script("document.querySelectorAll('#calls [role=treeitem]')[arguments[0]].click()", 1 if what[0] == "f" else 2)
                    browser.settled()
                    rows.append((what, "≤ 1.0 s" if what[0] == "f" else "≤ 0.3 s", f"{time.monotonic() - begin:.2f} s"))
                used = browser.script("return performance.memory.usedJSHeapSize") / 1e6
                rows.append(("memory of scripts", "≤ 300 MB", f"{used:.0f} MB"))
                for complaint in browser.complaints():
                    print(complaint)
    print("| what | target | measured |\n|---|---:|---:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
