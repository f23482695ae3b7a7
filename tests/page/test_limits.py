"""Pages with a limit of their size say what they lack and show no half numbers; pages of comparisons show the details that
`waitstate diff --format json` has."""
import json
import re

import pytest

from reports import PROGRAM, SOURCE, same, waitstate, write_report

# ---- --max-size ----

LOCATIONS, CALLPATHS = 3000, 400


@pytest.fixture(scope="module")
def large(folder):
    file = folder / "large.json"
    write_report(PROGRAM, file, LOCATIONS, CALLPATHS, folder)
    return file, json.loads(file.read_text())


def limited(browser, folder, large, megabytes, address):
    page = folder / f"limited{megabytes}.html"
    waitstate("show", large[0], "-o", page, "--max-size", megabytes)
    assert page.stat().st_size <= megabytes * 1e6
    browser.open(page)
    said = browser.script("return [...document.querySelectorAll('#reduced li')].map(l => l.textContent)")
    browser.open(page, address)
    return said


def leaf(report):
    return next(m for m in report["metrics"] if m["id"] == "comp")


def sums_are_exact(browser, report, callpath):
    """The value of the selected call path is that of the report, to the digits that are shown."""
    ticks = report["trace"]["clock"]["ticks_per_second"]
    want = sum(value for path, _, value in report["severities"]["comp"]["rows"] if path == callpath) / ticks
    row = next(r for r in browser.rows("calls") if r["selected"])
    assert same(row["value"], want), (row, want)


def test_groups_of_locations(browser, folder, large):
    """Of rows that are groups each location has its group's mean, with the smallest and the largest of it."""
    report = large[1]
    said = limited(browser, folder, large, 2, "#v=trees&m=comp&c=9")
    assert said[0] == "single values are rounded to 0.5 %"
    assert re.fullmatch(r"of \d+ call paths of metrics the values are those of groups of 12 neighbouring locations: smallest, mean, largest", said[1])
    sums_are_exact(browser, report, 9)
    values = [0] * LOCATIONS
    for path, location, value in report["severities"]["comp"]["rows"]:
        if path == 9:
            values[location] = value / report["trace"]["clock"]["ticks_per_second"]
    browser.script("document.querySelector('#places').focus()")
    browser.keys("*")
    meaning = browser.script("return document.querySelector('#places').parentElement.textContent")
    assert "means of 12 neighbours" in meaning
    shown = browser.script("""return [...document.querySelectorAll('#places [role=treeitem]')].map(r =>
      [r.querySelector('.name').lastChild.textContent, r.querySelector('.value').textContent, ...[...r.querySelectorAll('.second')].map(s => s.textContent)])""")
    shown = [row for row in shown if row[0].startswith("MPI Rank ")]
    assert len(shown) > 10

    def near(text, value):
        number, unit = text.lstrip("\u2248\u202f").split(" ")
        return float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] == pytest.approx(value, rel=0.0065)

    for name, mean, least, most in shown:
        first = int(name.split()[2]) // 12 * 12
        group = values[first:first + 12]
        assert mean.startswith("\u2248")
        assert near(mean, sum(group) / len(group)) and near(least, min(group)) and near(most, max(group)), (name, mean, least, most)
    assert browser.complaints() == []


def test_what_is_left_out_is_unknown_and_not_zero(browser, folder, large):
    report = large[1]
    said = limited(browser, folder, large, 1, "#v=trees&m=comp&c=9")
    missing = re.fullmatch(r"of these metrics only sums by call path and by location are there: (.*)", said[-1])[1].split(", ")
    assert "comp" in missing
    sums_are_exact(browser, report, 9)
    text = browser.script("return document.querySelector('#places').parentElement.textContent")
    assert "single values do not fit into this file" in text and "Only sums over all call paths are known" in text
    browser.script("document.querySelector('#places').focus()")
    browser.keys("z")
    values = {row["value"] for row in browser.rows("places")}
    assert values == {"unknown"}
    browser.view("flat")
    assert browser.script("return document.querySelector('#chart-bars') === null")
    assert "single values do not fit into this file" in browser.script("return document.querySelector('main').textContent")
    # Of all call paths together they are known.
    page = folder / "limited1.html"
    browser.open(page, "#v=trees&m=comp&c=")
    total = sum(value for _, _, value in report["severities"]["comp"]["rows"]) / report["trace"]["clock"]["ticks_per_second"]
    machine = next(r for r in browser.rows("places") if r["level"] == 1)
    assert machine["open"] == "true" and machine["value"] == "0"  # its nodes have it
    browser.script("document.querySelector('#places').focus()")
    browser.keys("\ue011", "\ue012")  # Home, Left: closed, it has all
    assert same(browser.rows("places")[0]["value"], total)
    assert browser.complaints() == []


# ---- details of comparisons ----

@pytest.fixture(scope="module")
def halved(folder):
    """A run, and the same with a clock that is twice as fast: all of its times are the half."""
    before, after, page = folder / "before.json", folder / "after.json", folder / "halved.html"
    waitstate("analyze", SOURCE / "traces/p2p", "--phase", "time:8", "-o", before)
    report = json.loads(before.read_text())
    report["trace"]["clock"]["ticks_per_second"] *= 2
    after.write_text(json.dumps(report))
    waitstate("diff", before, after, "-o", page)
    return page, json.loads(waitstate("diff", before, after, "--format", "json"))


def cells(browser, section, table=0):
    return browser.script("""
      const cell = c => c.className === 'number' ? Number(c.textContent.replaceAll(',', '')) : c.textContent;
      return [...document.querySelectorAll(`${arguments[0]} table`)[arguments[1]].querySelectorAll('tbody tr')].map(r => [...r.children].map(cell))""", section, table)


def test_times_are_the_half(halved):
    _, want = halved
    assert want["problems"] and want["waits"] and len(want["phases"]["phases"]) == 8
    for p in want["problems"]:
        assert p["seconds"]["after"] == pytest.approx(p["seconds"]["before"] / 2)
    for w in want["waits"]:
        assert w["count"]["change"] == 0 and w["median"]["after"] == pytest.approx(w["median"]["before"] / 2)
        assert sum(c["before"] for c in w["histogram"]) == sum(c["after"] for c in w["histogram"]) == w["count"]["before"]
        after = {c["from"]: c["after"] for c in w["histogram"]}
        for c in w["histogram"]:  # each class has moved by one, but for the lowest, which has none below it
            if c["before"] and c["from"] / 2 in after:
                assert after[c["from"] / 2] == c["before"]
    for sides in (want["efficiency"][k] for k in ("parallel_efficiency", "load_balance", "communication_efficiency")):
        assert sides["change"] == pytest.approx(0, abs=1e-12)


def test_details_of_a_comparison(browser, halved):
    page, want = halved
    browser.open(page, "#m=mpi_latesender")
    rows = cells(browser, "#problems")
    assert [r[:4] for r in rows] == [
        [p["title"], *(pytest.approx(p["seconds"][k], rel=1e-9) for k in ("before", "after", "change"))] for p in want["problems"]]
    assert [r[4] for r in rows] == [p["callpath"] for p in want["problems"]]
    late = next(w for w in want["waits"] if w["metric"] == "mpi_latesender")
    keys = ("before", "after")
    assert [r[1:4] for r in cells(browser, "#single")] == [
        [pytest.approx(late[of][k], rel=1e-9) for k in (*keys, "change")] for of in ("count", "mean", "median", "longest", "sum")]
    _, classes = browser.table("lengths")
    assert [r[1:] for r in classes] == [[c["before"], c["after"]] for c in late["histogram"]]
    paths = browser.script("return [...document.querySelectorAll('#single table')].length") - 1
    rows = cells(browser, "#single", paths)
    assert [r[0] for r in rows] == [p["callpath"] for p in late["by_callpath"]]
    for row, p in zip(rows, late["by_callpath"]):
        assert row[1:9] == [pytest.approx(p[of][k], rel=1e-9) for of in ("count", "median", "longest", "sum") for k in keys]
    phases = want["phases"]["phases"]
    assert browser.script("return document.querySelector('#phases h2').textContent") == "Phases: 8 stretches of time"
    assert [r[1:] for r in browser.table("phase-longest")[1]] == [[pytest.approx(p["longest"][k], rel=1e-9) for k in keys] for p in phases]
    waited = [[pytest.approx(p["waits"]["mpi_latesender"][k], rel=1e-9) if "mpi_latesender" in p["waits"] else "\u2013" for k in keys] for p in phases]
    assert [r[1:] for r in browser.table("phase-waited")[1]] == waited
    # The keys say the numbers of both.
    browser.script("document.querySelector('#chart-phase-longest').focus()")
    browser.keys("\ue014")
    said = browser.script("return document.querySelector('#chart-phase-longest output').textContent")
    found = re.fullmatch(r"phase 0: A (\S+ \S+), B (\S+ \S+)", said)
    assert same(found[1], phases[0]["longest"]["before"]) and same(found[2], phases[0]["longest"]["after"])
    # A problem leads to its metric.
    other = next(p for p in want["problems"] if p["metric"] != "mpi_latesender")
    browser.script("[...document.querySelectorAll('#problems button.link')].find(b => b.textContent === arguments[0]).click()", other["title"])
    assert browser.script("return location.hash") == f"#m={other['metric']}"
    assert browser.complaints() == []
