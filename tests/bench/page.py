#!/usr/bin/env python3
"""Sizes and times of HTML pages, beside targets: of a recorded trace, of a trace with 5,000 locations, and of a report of 10,000
locations × 1,000 call paths.

usage: page.py PROGRAM [--locations N] [--callpaths N] [--ranks N] [--keep FOLDER]

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
    yield "p2p: size", "KB", 280, os.path.getsize(page) / 1e3
    if not why_not():
        with Browser(whole=False) as browser:
            browser.open(page)
            times = [min(browser.open(page, f"#v={view}&m=mpi_latesender") for _ in range(3)) for view in ("trees", "timeline", "matrix")]
            yield "p2p: until trees, timeline or matrix is drawn", "s", 0.3, max(times)


# Milliseconds of one move of the mouse in a chart, or of one redraw of the page (the key Z, which changes the state); with what the
# browser does in the frame that follows. The middle of 15.
TIMES = """
  const figure = document.querySelector(`#chart-${arguments[0]}`), canvas = figure?.querySelector('canvas'), box = canvas?.getBoundingClientRect();
  const move = i => canvas.dispatchEvent(new MouseEvent('mousemove', {bubbles: true,
    clientX: box.left + 100 + i * (box.width - 110) / 15, clientY: box.top + 24 + i * (box.height - 40) / 15}));
  const redraw = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'z'}));
  const behind = () => new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
  const middle = async act => {
    const times = [];
    for (let i = 0; i < 15; ++i) {
      const begin = performance.now();
      act(i);
      const computed = performance.now() - begin;
      const frame = await new Promise(done => requestAnimationFrame(done)).then(() => performance.now());
      await behind();
      times.push(computed + performance.now() - frame);
    }
    return times.sort((a, b) => a - b)[7];
  };
  return (async () => [canvas ? await middle(move) : null, await middle(redraw)])()"""
CHARTS = (("trees", "none"), ("flat", "bars"), ("time", "heat"), ("matrix", "matrix"), ("timeline", "timeline"), ("path", "path"))


def ring(ranks):
    """A trace in which every rank sends to the next one, most of them later than that one waits for it."""
    lines = []
    for rank in range(ranks):
        late, left = 300 + rank % 7 * 50, (rank - 1) % ranks
        received = max(late + 3, 301 + left % 7 * 50) + 20
        lines += [f"{rank} 0 enter main", f"{rank} {late} enter MPI_Isend", f"{rank} {late + 1} send dest={(rank + 1) % ranks} tag=1 com=0 len=8",
                  f"{rank} {late + 2} exit", f"{rank} {late + 3} enter MPI_Recv", f"{rank} {received} recv src={left} tag=1 com=0 len=8",
                  f"{rank} 800 exit", f"{rank} 1000 exit"]
    return "\n".join(lines) + "\n"


def processor_time(browser):
    """Seconds that the page's main thread has worked since the first call, which other programs change little."""
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    return next(m["value"] for m in browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"] if m["name"] == "TaskDuration")


def redrawn_page(program, folder, ranks):
    """Rows about moves of the mouse and redraws of the views of a trace with very many locations."""
    if why_not():
        return
    trace, page = folder / "ring.trace", folder / "ring.html"
    trace.write_text(ring(ranks))
    subprocess.run([program, "analyze", trace, "--pattern", "all,critical_path", "-o", page], check=True)
    with Browser(whole=False) as browser:
        browser.open(page, "#v=trees")
        browser.script(TIMES, "none")  # a browser that has just been started is busy with itself
        for view, chart in CHARTS:
            browser.open(page, f"#v={view}&m=mpi_latesender")
            move, redraw = browser.script(TIMES, chart)
            if move is not None:
                yield f"{ranks:,} locations: a move of the mouse, {view}", "ms", 16, move
            yield f"{ranks:,} locations: a redraw, {view}", "ms", 16, redraw
            before = processor_time(browser)
            browser.script(TIMES, "none")
            yield f"{ranks:,} locations: processor time of a redraw, {view}", "ms", None, (processor_time(browser) - before) / 15 * 1e3


def shown(program, report, *options, rounds=1):
    """Seconds of processor time, which other programs change little, and megabytes of memory: the least of some rounds."""
    timed = [sys.executable, "-c",
             "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
             "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"]
    found = []
    for _ in range(rounds):
        done = subprocess.run([*timed, program, "show", report, *options], check=True, capture_output=True, text=True)
        found.append(list(map(float, done.stdout.split())))
    return min(found)


def large_page(program, folder, locations, callpaths):
    """Rows about the page of a report that is made up."""
    report, page = folder / "large.json", folder / "large.html"
    write_report(program, report, locations, callpaths, folder)
    # The summary is measured too, because a page contains it. Reading takes by far the most of its time, and the time to
    # touch a page of memory first varies by a factor of two from run to run, so single runs cannot be compared.
    reading, _ = shown(program, report, rounds=3)
    for most in (20, 12, 5):
        limited = folder / "limited.html"
        seconds, _ = shown(program, report, "-o", limited, "--max-size", str(most))
        yield f"large, --max-size {most}: size", "MB", most, os.path.getsize(limited) / 1e6
        yield f"large, --max-size {most}: processor time to write", "s", None, seconds - reading
    seconds, memory = shown(program, report, "-o", page, rounds=3)
    yield "large: processor time to write, but for reading", "s", 3, seconds - reading
    yield "large: memory of reading and writing", "MB", None, memory
    yield "large: size", "MB", 36, os.path.getsize(page) / 1e6
    if why_not():
        return
    with Browser(whole=False) as browser:
        seconds, drawn = min((browser.open(page, "#v=trees&m=time"), browser.drawn()) for _ in range(3))
        yield "large: until the trees are there", "s", 1.0, drawn
        yield "large: until they have single values", "s", None, seconds
        for number, (what, limit) in enumerate((("first selection of a call path", 1.0), ("another one", 0.3)), 1):
            begin = time.monotonic()
            browser.script("document.querySelectorAll('#calls [role=treeitem]')[arguments[0]].click()", number)
            browser.settled()
            yield f"large: {what}", "s", limit, time.monotonic() - begin
        yield "large: memory of scripts", "MB", 300, browser.script("return performance.memory.usedJSHeapSize") / 1e6
        for complaint in browser.complaints():
            print(complaint, file=sys.stderr)


def measured(program, locations=10_000, callpaths=1_000, ranks=5_000, keep=None):
    """Rows: what, its unit, the target or None, what was found. Without a browser only sizes and times to write."""
    if why_not():
        print(f"no times of the page: {why_not()}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        yield from small_page(program, folder)
        yield from redrawn_page(program, folder, ranks)
        yield from large_page(program, folder, locations, callpaths)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--locations", type=int, default=10_000)
    parser.add_argument("--callpaths", type=int, default=1_000)
    parser.add_argument("--ranks", type=int, default=5_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    print("| what | target | measured |\n|---|---:|---:|")
    for what, unit, limit, value in measured(options.program.resolve(), options.locations, options.callpaths, options.ranks,
                                             options.keep):
        target = "" if limit is None else f"≤ {limit:g} {unit}"
        print(f"| {what} | {target} | {value:.{0 if value >= 100 else 2}f} {unit} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
