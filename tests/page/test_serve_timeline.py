"""The timeline of the whole run on the page of `serve`: its calls are those of the trace, its waits those of a run, and mouse and keys
lead through it."""
import json
import re
import subprocess

import pytest
from browser import why_not
from reports import PROGRAM, SOURCE, same, waitstate
from serving import Serving, Visitor

P2P = SOURCE / "traces/p2p"


@pytest.fixture(scope="module")
def visitor(folder):
    if why_not():
        pytest.skip(why_not())
    downloads = folder / "downloads"
    downloads.mkdir()
    with Serving(P2P) as serving, Visitor(serving, downloads) as v:
        yield v


@pytest.fixture(scope="module")
def report():
    return json.loads(waitstate("analyze", P2P, "--format", "json"))


def table(visitor):
    """Name of the row, what, and from and to in seconds."""
    visitor.there("#chart-run .legend li + li")
    return visitor.table("run")[1]


def calls_of(trace):
    """All calls by the events of `waitstate print`: location, region, begin and end in ticks."""
    calls, open_calls = [], {}
    for line in waitstate("print", trace).splitlines():
        words = line.split()
        if len(words) < 3 or not words[0].isdigit():
            continue
        location, time, kind = int(words[0]), int(words[1]), words[2]
        if kind == "enter":
            open_calls.setdefault(location, []).append((words[3], time))
        elif kind == "exit":
            region, begin = open_calls[location].pop()
            calls.append((location, region, begin, time))
    assert all(not left for left in open_calls.values())
    return calls


def test_calls_are_those_of_the_trace(visitor, report):
    first, second = report["totals"]["first_time"], report["trace"]["clock"]["ticks_per_second"]
    visitor.visit("s=timeline&t=0.40-0.45")
    rows = table(visitor)
    names = [report["processes"][loc["process"]]["name"] for loc in report["locations"]]
    begin, end = first + 0.40 * second, first + 0.45 * second
    wanted = sorted((names[loc], region, (max(a, begin) - first) / second, (min(b, end) - first) / second)
                    for loc, region, a, b in calls_of(P2P) if a < end and b > begin)
    found = sorted((name, what, a, b) for name, what, a, b, *_ in rows if not what.startswith(("waits", "message")))
    assert [(name, what) for name, what, _, _ in found] == [(name, region) for name, region, _, _ in wanted]
    step = 0.05 / 500  # the last bin may reach beyond the end
    for (_, _, *times), (_, _, *right) in zip(found, wanted):
        assert times == pytest.approx(right, abs=step)
    assert visitor.complaints() == []


def test_waits_are_those_of_the_run(visitor, report):
    """After a run its waits are hatched; a click in one leads to it in the report."""
    visitor.visit("s=choose")
    visitor.press("#start")
    visitor.there("#view-summary", seconds=60)
    first, second = report["totals"]["first_time"], report["trace"]["clock"]["ticks_per_second"]
    worst = report["waits"]["mpi_latesender"]["instances"][0]
    for instance in report["waits"]["mpi_latesender"]["instances"]:
        worst = max(worst, instance, key=lambda i: i["total"])
    wait = worst["longest"]
    begin, end = ((t - first) / second for t in (wait["begin"], wait["begin"] + wait["ticks"]))
    middle, length = (begin + end) / 2, end - begin
    visitor.visit(f"s=timeline&t={middle - 2 * length:.9f}-{middle + 2 * length:.9f}")
    visitor.until("return document.querySelector('#to-report')?.textContent.startsWith('Waits of run')")
    visitor.until_text("#to-report", "Waits of run 1")
    found = [row for row in table(visitor) if row[1] == "waits: Late Sender"]
    name = report["processes"][report["locations"][wait["location"]]["process"]]["name"]
    assert any(row[0] == name and row[2:4] == pytest.approx([begin, end], abs=1e-6) for row in found), found
    canvas = visitor.find("#chart-run canvas")
    visitor.script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    place = visitor.script("""
      const canvas = document.querySelector('#chart-run canvas'), box = canvas.getBoundingClientRect();
      const right = box.width - 6, text = [...document.querySelectorAll('#chart-run output')];
      for (let x = 60; x < right; x += 3) {
        canvas.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: box.left + x, clientY: box.top + 22 + 64 * arguments[0] + 55}));
        const time = parseFloat(text[0].textContent);
        if (time > arguments[1] && text[0].textContent.includes('Late Sender')) return [x, 22 + 64 * arguments[0] + 55, text[0].textContent];
      }""", wait["location"], begin)
    assert place is not None and place[2].split("  ")[1].startswith(name)
    said = re.search(r"waits (\S+ \S+): Late Sender", place[2])[1]
    assert same(said, length)
    size = canvas.size
    visitor.actions().move_to_element_with_offset(canvas, int(place[0] - size["width"] / 2) + 2, int(place[1] - size["height"] / 2)).click().perform()
    visitor.settled()
    visitor.press("#to-report")
    visitor.there(".instances")
    assert name in visitor.text(".instances [aria-current]") and visitor.text("#selected-metric") == "Late Sender"
    assert visitor.complaints() == []


def test_mouse(visitor):
    """Ctrl and the wheel zoom at the pointer, dragging with Shift pans, a double click shows a call."""
    visitor.visit("s=timeline&t=0.30-0.50")
    visitor.there("#chart-run .legend li + li")
    visitor.wheel("#chart-run canvas", 0.9, -100)
    begin, end = visitor.window()
    assert end - begin == pytest.approx(0.8 * 0.2, rel=1e-3) and begin - 0.30 > 2 * (0.50 - end)
    visitor.drag("#chart-run canvas", 0.5, 0.6, keys=["\ue008"])
    moved = visitor.window()
    assert moved[0] < begin and moved[1] - moved[0] == pytest.approx(end - begin, rel=1e-6)
    canvas = visitor.find("#chart-run canvas")
    visitor.actions().move_to_element_with_offset(canvas, 0, -60).double_click().perform()
    visitor.settled()
    shown = visitor.window()
    text = visitor.text("#chart-run output")
    assert shown != moved or shown is None, text
    visitor.press("#chart-run [title=F]")
    assert visitor.complaints() == []


def test_many_locations(folder):
    """Rows are for locations, processes or nodes; what is not drawn is counted."""
    if why_not():
        pytest.skip(why_not())
    made = folder / "many"
    subprocess.run([PROGRAM.parent / "generate_trace", "--locations", "512", "--threads-per-process", "4", "--events", "400000", made], check=True, capture_output=True)
    with Serving(made) as serving, Visitor(serving, folder) as v:
        v.press("#part-timeline")
        v.there("#row-count")
        caption = "#chart-run figcaption span"
        assert "rows 1 to 32 of 512" in v.text(caption)
        assert re.search(r"Not drawn one by one here: [\d,]+ calls", v.text("#left-out"))
        v.press("[aria-label='rows below']")
        assert "rows 33 to 64 of 512" in v.text(caption)
        from selenium.webdriver.support.ui import Select

        Select(v.find("#level")).select_by_visible_text("process")
        v.until_text(caption, "rows 1 to 32 of 128")
        assert "some of which stand for several locations" in v.text(caption)
        v.script("document.querySelector('#chart-run').focus()")
        v.keys("\ue00f")  # a page of rows down
        v.keys("\ue00f", "\ue00f", "\ue00f")
        assert "rows 18 to 49 of 128" in v.text(caption)
        shares = v.table("run")[1]
        by_row = {}
        for name, what, _, _, share in shares:
            if what != "waits":
                by_row[name] = by_row.get(name, 0) + share
        assert len(by_row) == 32 and all(95 < share < 101 for share in by_row.values())
        assert v.complaints() == []
