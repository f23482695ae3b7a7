#!/usr/bin/env python3
"""Sizes and times of HTML pages, beside targets: of a recorded trace, and of a report of 10,000 locations × 1,000 call paths.

usage: page.py PROGRAM [--locations N] [--callpaths N] [--keep FOLDER]

The large report is made up: every call path has time on every location, with 15 % noise; 20 wait states have waits on 5 % of
the call paths. It is also written with smaller limits of its size. Prints a table: what, target, measured.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "page"))
from browser import Browser, why_not
from reports import write_report


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


def shown(program, report, *options):
    """Seconds of processor time, which other programs change little, and megabytes of memory."""
    timed = [sys.executable, "-c",
             "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
             "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"]
    done = subprocess.run([*timed, program, "show", report, *options], check=True, capture_output=True, text=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


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
        reading, _ = shown(program, report)  # and the summary, which a page has too
        for limit in (20, 12, 5):
            limited = folder / "limited.html"
            seconds, _ = shown(program, report, "-o", limited, "--max-size", str(limit))
            size = os.path.getsize(limited) / 1e6
            rows.append((f"with --max-size {limit}: size, processor time to write", f"≤ {limit} MB", f"{size:.1f} MB, {seconds - reading:.1f} s"))
        seconds, memory = shown(program, report, "-o", page)
        size = os.path.getsize(page) / 1e6
        rows.append(("processor time to write (but for reading)", "≤ 3 s", f"{seconds - reading:.1f} s"))
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
