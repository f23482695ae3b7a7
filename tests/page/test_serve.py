"""A whole visit of `waitstate serve` in a browser, by mouse and by keys only: choose, configure, run, cancel, run again, go from the
worst wait to the timeline of the run and back, compare, download. What is shown is compared with the command line."""
import json
import re
import shlex
import subprocess

import pytest
from browser import why_not
from reports import PROGRAM
from serving import Serving, Visitor

ENTER, SPACE, ESCAPE, DOWN, SHIFT = "\ue007", " ", "\ue00c", "\ue015", "\ue008"


@pytest.fixture(scope="module")
def trace(folder):
    """Long enough to be cancelled: its analysis takes some seconds."""
    made = folder / "trace"
    subprocess.run([PROGRAM.parent / "generate_trace", "--events", "6000000", "--locations", "16", "--pattern", "mixed", made], check=True, capture_output=True)
    return made


@pytest.fixture(scope="module")
def visitor(trace, folder):
    if why_not():
        pytest.skip(why_not())
    downloads = folder / "downloads"
    downloads.mkdir()
    with Serving(trace) as serving, Visitor(serving, downloads) as v:
        yield v


def by_command(command, *more):
    """The output of the command line for the command that the page shows."""
    words = shlex.split(command)
    assert words[0] == "waitstate"
    return subprocess.run([PROGRAM, *words[1:], *more], capture_output=True, text=True)


def totals(report):
    return {m["id"]: m["total"] for m in report["metrics"]}


def box(visitor, name):
    """The state of the box of a metric: true, false or mixed."""
    return visitor.script("""
      const row = [...document.querySelectorAll('#patterns [role=treeitem]')].find(r => r.querySelector('.name').lastChild.textContent === arguments[0]);
      return row?.getAttribute('aria-checked')""", name)


def mark_row(visitor, name):
    """Gives the box of a metric that is in sight an id."""
    visitor.script("""
      document.querySelectorAll('[data-test]').forEach(e => e.removeAttribute('data-test'));
      const row = [...document.querySelectorAll('#patterns [role=treeitem]')].find(r => r.querySelector('.name').lastChild.textContent === arguments[0]);
      row.querySelector('.tick').dataset.test = '1'""", name)
    return "[data-test]"


def search(visitor, text):
    visitor.type_into("input[aria-label^='search Wait']", text)


def message(visitor):
    return visitor.script("return document.querySelector('.live').textContent")


def run_number(visitor):
    return int(re.search(r"run (\d+)", visitor.text("#part-run")).group(1))


def state(visitor, run):
    return visitor.text(f"#run-{run} h3")


# ---- by mouse ----

def test_choosing_by_mouse(visitor):
    assert visitor.command().startswith("waitstate analyze ")
    before = visitor.command()
    # A pattern brings those that it needs with it, and takes those away that need it.
    search(visitor, "Late Sender")
    visitor.press(mark_row(visitor, "Late Sender"))
    assert box(visitor, "Late Sender") == "false" and "need it are removed too" in message(visitor) and "Late Sender, wrong order" in message(visitor)
    assert shlex.split(visitor.command())[-2:] == ["--without", "mpi_latesender"]
    visitor.press(mark_row(visitor, "Late Sender, wrong order"))
    assert box(visitor, "Late Sender") in ("true", "mixed") and "needs are chosen too: Late Sender" in message(visitor)
    visitor.press("#presets button")
    assert visitor.command() == before
    # Its parent has a part of its patterns.
    search(visitor, "Wait at barrier")
    visitor.press(mark_row(visitor, "Wait at barrier"))
    assert {box(visitor, name) for name in ("Time", "MPI")} == {"mixed"}
    visitor.press(mark_row(visitor, "Wait at barrier"))
    # The meaning of a pattern, how sure it is, and its parameters.
    search(visitor, "Late Members\ue007")
    assert "confidence50.0 %" in visitor.text("#details")
    search(visitor, "Big messages")
    visitor.press(mark_row(visitor, "Big messages"))
    assert box(visitor, "Big messages") == "false"
    visitor.press(mark_row(visitor, "Big messages"))
    visitor.there("dialog[open]")  # choosing a pattern with parameters opens their dialogue
    assert "65536" in visitor.script("return document.querySelector('dialog input').value")
    text = visitor.text("dialog")
    assert "bytes" in text and "whole number" in text and "default: 65536" in text
    assert "(at least 0)" in text and visitor.script("const field = document.querySelector('dialog input'); return [field.type, field.min, field.max]") == ["number", "0", ""]
    visitor.type_into("dialog input", "-5")
    visitor.press("#apply")
    visitor.there("dialog [role=alert]")
    told = by_command(before, "--set", "big_messages.threshold=-5").stderr
    assert visitor.text("dialog [role=alert]") in told and "(at least 0), not '-5'" in visitor.text("dialog [role=alert]")
    visitor.press("dialog .field button")  # resets it
    assert visitor.script("return document.querySelector('dialog input').value") == "65536"
    visitor.type_into("dialog input", "1000")
    visitor.press("#apply")
    visitor.until("return document.querySelector('dialog') === null")
    assert shlex.split(visitor.command())[-2:] == ["--set", "big_messages.threshold=1000"]
    assert "threshold = 1000 bytes" in visitor.text("#details")
    # Region, time, locations.
    visitor.type_into("#region", "MPI_")
    # The names of what had been typed before may still be there.
    visitor.until("const all = [...document.querySelectorAll('#regions option')];"
                  "return all.length > 0 && all.every(o => o.value.toLowerCase().includes('mpi_'))")
    visitor.type_into("#region", "")
    visitor.drag("#chart-overview canvas", 0.25, 0.75)
    words = shlex.split(visitor.command())
    at = words.index("--time")
    begin, end = map(float, words[at + 1:at + 3])
    shown = [float(visitor.script("return document.querySelector(arguments[0]).value", f)) for f in ("#from", "#to")]
    assert 0 < begin < end and shown == pytest.approx([begin, end], abs=1e-6)
    visitor.type_into("#locations", "0-3,7")
    words = shlex.split(visitor.command())
    assert words[words.index("--location") + 1] == "0-3,7"
    found = json.loads(by_command(visitor.command(), "--format", "json").stdout)
    assert found["focus"]["locations"] == [0, 1, 2, 3, 7]
    # Wrong ones are told in the words of the command line, and nothing can be started.
    visitor.type_into("#locations", "0-x")
    visitor.there("#command [role=alert]")
    assert visitor.text("#command [role=alert]") in by_command(before, "--location", "0-x").stderr
    assert not visitor.find("#start").is_enabled()
    # So are those that only this trace does not have.
    for field, wrong, option in (("#locations", "99", "--location"), ("#region", "no_such_region", "--region"), ("#phase", "no_such_region", "--phase")):
        visitor.type_into(field, wrong)
        visitor.until_text("#command", wrong)
        visitor.command()
        assert visitor.text("#command [role=alert]") in by_command(before, option, wrong).stderr
        assert not visitor.find("#start").is_enabled() and visitor.script("return document.querySelector('article')") is None
        visitor.type_into(field, "")
    refused = [c for c in visitor.complaints() if "400" not in c]  # the browser itself notes each refusal
    assert refused == []


def test_running_by_mouse(visitor):
    visitor.visit("s=choose")
    visitor.complaints()  # the last refusals of the test before may come late
    assert "--set" not in visitor.command()
    visitor.press("#start")
    visitor.press("article.running [id^=cancel]")
    visitor.there("article.cancelled", seconds=3)
    cancelled = visitor.script("return Number(document.querySelector('article.cancelled').id.split('-')[1])")
    assert state(visitor, cancelled) == f"Run {cancelled}, cancelled"
    visitor.press("#part-choose")
    visitor.press("#start")
    visitor.there("article.running progress", seconds=10)
    visitor.until("return /[1-9][\\d,]* of [1-9][\\d,]* events .* events a second/.test(document.querySelector('article.running .progress')?.textContent)")
    visitor.there("#view-summary", seconds=60)
    run = run_number(visitor)
    assert run == cancelled + 1
    # The views are those of the report, and have its numbers.
    visitor.press("#part-runs")
    command = visitor.text(f"#run-{run} pre")
    report = json.loads(by_command(command, "--format", "json").stdout)
    second = report["trace"]["clock"]["ticks_per_second"]
    worst = report["problems"][0]
    assert worst["title"] in visitor.text(f"#run-{run} ul")
    visitor.press(f"#run-{run} .open")
    assert visitor.script("return document.querySelector('.problem p').textContent") == worst["sentence"]
    # From the worst wait to the timeline, and back.
    visitor.press(".problem .wait")
    listed = visitor.text(".instances [aria-current] ")
    visitor.press("#to-timeline")
    visitor.there("#back-to-run")
    window = visitor.window()
    instance = report["waits"][worst["metric"]]["instances"][worst["instance"]]
    waits = instance.get("members") or [instance["longest"]]
    first = report["totals"]["first_time"]
    begin, end = (min(w["begin"] for w in waits) - first) / second, (max(w["begin"] + w["ticks"] for w in waits) - first) / second
    assert window[0] < begin < end < window[1] and window[1] - window[0] <= 3.01 * (end - begin)
    visitor.press("#back-to-run")
    assert visitor.text(".instances [aria-current]") == listed
    visitor.driver.back()  # the browser's own button does it, too
    visitor.there("#chart-run")
    assert visitor.window() == window
    # A time that is selected there is what the next analysis is about.
    visitor.drag("#chart-run canvas", 0.4, 0.6)
    visitor.press("#analyse-time")
    words = shlex.split(visitor.command())
    chosen = [float(t) for t in words[words.index("--time") + 1:][:2]]
    assert window[0] < chosen[0] < chosen[1] < window[1]
    visitor.press("#start")
    visitor.there("#view-summary", seconds=60)
    second_run = run_number(visitor)
    assert second_run == run + 1
    # Both compared, and downloaded.
    visitor.press("#part-runs")
    for one in (run, second_run):
        visitor.press(f"#run-{one} .compared")
    visitor.press("#compare")
    visitor.there("table#runs", seconds=30)
    assert "Got better" in visitor.text("main")
    visitor.press("#part-runs")
    for kind in ("json", "html"):
        select(visitor, f"#run-{run} .download select", kind)
        visitor.press(f"#run-{run} .download button")
        file = visitor.downloaded(f"run{run}.{kind}")
    assert totals(json.loads(visitor.downloaded(f"run{run}.json").read_text())) == totals(report)
    assert file.read_text().endswith("</html>\n")
    assert visitor.complaints() == []


def select(visitor, selector, value):
    from selenium.webdriver.support.ui import Select

    Select(visitor.find(selector)).select_by_value(value)
    visitor.settled()


# ---- by keys only ----

def test_a_visit_by_keys_only(visitor):
    visitor.visit("s=choose")

    def keys(*pressed):
        visitor.actions().send_keys(*pressed).perform()
        visitor.settled()

    visitor.tab_to("input[aria-label^='search Wait']")
    keys("Big messages", ENTER)
    visitor.tab_to("#patterns")
    keys(SPACE)
    assert box(visitor, "Big messages") == "false"
    keys(SPACE)
    visitor.there("dialog[open]")
    visitor.tab_to("dialog input")
    visitor.keys_all()
    keys("2000", ENTER)
    visitor.until("return document.querySelector('dialog') === null")
    assert "big_messages.threshold=2000" in visitor.command()
    assert visitor.script("return document.activeElement.id") == "patterns"  # where the reader was
    visitor.tab_to("#chart-overview")
    visitor.tab_to("#start")
    keys(ENTER)
    visitor.there("article.running")
    visitor.tab_to("article.running [id^=cancel]")
    keys(ENTER)
    visitor.there("article.cancelled")
    visitor.tab_to("article.cancelled .again", back=False)
    keys(ENTER)
    assert "big_messages.threshold=2000" in visitor.command()
    visitor.tab_to("#start")
    keys(ENTER)
    visitor.there("#view-summary", seconds=60)
    run = run_number(visitor)
    visitor.tab_to(".problem .wait")
    keys(ENTER)
    visitor.there(".instances")
    visitor.tab_to("#to-timeline")
    keys(ENTER)
    visitor.tab_to("#chart-run")
    before = visitor.window()
    keys("w")
    zoomed = visitor.window()
    assert zoomed[1] - zoomed[0] == pytest.approx((before[1] - before[0]) / 2, rel=1e-3)
    keys("d")
    assert visitor.window()[0] > zoomed[0]
    keys("a", "s")
    assert visitor.window() == pytest.approx(before, rel=1e-3)
    keys(DOWN, DOWN, ".")
    place = visitor.text("#chart-run output")
    assert re.match(r"[\d.]+ s\s+\S", place)
    visitor.tab_to("#to-report")
    keys(ENTER)
    visitor.there("#view-summary")
    assert visitor.text("#part-run") == f"Report of run {run}"
    visitor.tab_to("#part-runs", back=True)
    keys(ENTER)
    visitor.tab_to(f"#run-{run} .compared")
    keys(SPACE)
    done = [int(i) for i in visitor.script("return [...document.querySelectorAll('article.done')].map(a => a.id.split('-')[1])")]
    other = next(n for n in done if n != run)
    visitor.tab_to(f"#run-{other} .compared")
    keys(SPACE)
    visitor.tab_to("#compare", back=True)
    keys(ENTER)
    visitor.there("table#runs")
    visitor.tab_to("#part-runs", back=True)
    keys(ENTER)
    visitor.tab_to(f"#run-{run} .download button")
    keys(ENTER)
    assert visitor.downloaded(f"run{run}.html").stat().st_size > 100_000
    assert visitor.complaints() == []
