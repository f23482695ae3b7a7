"""Pages with a limit of their size say what they lack and show no half numbers; pages of comparisons show the details that
`waitstate diff --format json` has."""
import json
import re

import pytest

from reports import PROGRAM, SOURCE, address_names, same, waitstate, write_report

# ---- --max-size ----

LOCATIONS, CALLPATHS = 1500, 400


@pytest.fixture(scope="module")
def large(folder):
    """A report, and its page of at most 1 MB: for some call paths the values of groups are there, for others none."""
    file, page = folder / "large.json", folder / "limited.html"
    write_report(PROGRAM, file, LOCATIONS, CALLPATHS, folder)
    waitstate("show", file, "-o", page, "--max-size", 1)
    assert page.stat().st_size <= 1e6
    return page, json.loads(file.read_text())


def reductions(browser):
    return browser.script("return [...document.querySelectorAll('#reduced li')].map(l => l.textContent)")


def values_of(report, metric, callpath):
    """The values by location, in seconds."""
    values = [0] * LOCATIONS
    for path, location, value in report["severities"][metric]["rows"]:
        if path == callpath:
            values[location] = value / report["trace"]["clock"]["ticks_per_second"]
    return values


def sum_is_exact(browser, want):
    """The value of the selected call path is that of the report, as exactly as the shown digits say."""
    row = next(r for r in browser.rows("calls") if r["selected"])
    assert same(row["value"], want), (row, want)


def test_groups_of_locations(browser, large):
    """In rows of groups each location has the mean of its group, with the smallest and the largest value of the group."""
    page, report = large
    browser.open(page)
    said = reductions(browser)
    assert said[0] == "single values are rounded to 0.5 %"
    assert re.fullmatch(r"for \d+ call paths of metrics, values are kept only for groups of 6 neighbouring locations: smallest, mean, largest", said[1])
    sums, parents = {}, {m["parent"] for m in report["metrics"]} | {"comp"}
    for metric, table in report["severities"].items():
        for path, _, value in table["rows"] if metric not in parents else []:
            sums[metric, path] = sums.get((metric, path), 0) + value
    metric, path = min(sums, key=sums.get)
    browser.open(page, f"#v=trees&m={metric}&c=~{address_names(report)[path]}")
    values = values_of(report, metric, path)
    sum_is_exact(browser, sum(values))
    browser.script("document.querySelector('#places').focus()")
    browser.keys("*")
    meaning = browser.script("return document.querySelector('#places').parentElement.textContent")
    assert "means of 6 neighbours" in meaning
    shown = browser.script("""return [...document.querySelectorAll('#places [role=treeitem]')].map(r =>
      [r.querySelector('.name').lastChild.textContent, r.querySelector('.value').textContent, ...[...r.querySelectorAll('.second')].map(s => s.textContent)])""")
    shown = [row for row in shown if row[0].startswith("MPI Rank ")]
    assert len(shown) > 10

    def near(text, value):
        """Values are rounded to 0.5 %, and then to three digits."""
        number, unit = text.lstrip("\u2248\u202f").split(" ")
        assert len(re.sub(r"^0\.0*|\D", "", number)) <= 3, text
        return float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] == pytest.approx(value, rel=0.0105)

    for name, mean, _, least, most in shown:
        first = int(name.split()[2]) // 6 * 6
        group = values[first:first + 6]
        assert mean.startswith("\u2248")
        assert near(mean, sum(group) / len(group)) and near(most, max(group)), (name, mean, least, most)
        assert near(least, min(group)) if min(group) else least == "0 s", (name, least)
    assert browser.complaints() == []


def test_what_is_left_out_is_unknown_and_not_zero(browser, large):
    page, report = large
    browser.open(page)
    missing = re.fullmatch(r"for these metrics, only sums by call path and by location are kept: (.*)", reductions(browser)[-1])[1].split(", ")
    metric = missing[-1]
    path = report["severities"][metric]["rows"][0][0]
    browser.open(page, f"#v=trees&m={metric}&c=~{address_names(report)[path]}")
    sum_is_exact(browser, sum(values_of(report, metric, path)))
    text = browser.script("return document.querySelector('#places').parentElement.textContent")
    assert "single values do not fit into this file" in text and "Only sums over all call paths are known" in text
    browser.script("document.querySelector('#places').focus()")
    browser.keys("z")
    values = {row["value"] for row in browser.rows("places")}
    assert values == {"unknown"}
    browser.view("flat")
    assert browser.script("return document.querySelector('#chart-bars') === null")
    assert "single values do not fit into this file" in browser.script("return document.querySelector('main').textContent")
    # The values of all call paths together are known.
    browser.open(page, f"#v=trees&m={metric}&c=")
    total = sum(value for _, _, value in report["severities"][metric]["rows"]) / report["trace"]["clock"]["ticks_per_second"]
    machine = next(r for r in browser.rows("places") if r["level"] == 1)
    assert machine["open"] == "true" and machine["value"] == "0 s"  # its nodes have it
    browser.script("document.querySelector('#places').focus()")
    browser.keys("\ue011", "\ue012")  # Home, Left: closed, it has all
    assert same(browser.rows("places")[0]["value"], total)
    assert browser.complaints() == []


# ---- details of comparisons ----

@pytest.fixture(scope="module")
def halved(folder):
    """A run, and the same run with a clock that is twice as fast, so that all of its times are the half."""
    before, after, page = folder / "before.json", folder / "after.json", folder / "halved.html"
    waitstate("analyze", SOURCE / "traces/p2p", "--phase", "time:8", "-o", before)
    report = json.loads(before.read_text())
    report["trace"]["clock"]["ticks_per_second"] *= 2
    after.write_text(json.dumps(report))
    waitstate("diff", before, after, "-o", page)
    return page, json.loads(waitstate("diff", before, after, "--format", "json"))


def cells(browser, section, table=0):
    return browser.script("""
      const cell = c => c.className === 'number' ? Number(c.dataset.value) : c.textContent;
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


def test_trees_of_a_comparison(browser, halved, folder):
    """Metric, call path and location are linked as in a report of one run: each has half of what A has, with a minus."""
    page, _ = halved
    report = json.loads((folder / "before.json").read_text())
    second = report["trace"]["clock"]["ticks_per_second"]
    rows = [row for row in report["severities"]["mpi_latesender"]["rows"] if row[2] != 0]
    worst = max(rows, key=lambda row: row[2])[0]
    name = report["regions"][report["call_tree"][worst]["region"]]["name"]

    def half(text, ticks):
        return text == "0" if ticks == 0 else text[0] == "\u2212" and same(text[1:], ticks / 2 / second)

    browser.open(page, "#m=mpi_latesender")
    by_process = [sum(row[2] for row in rows if row[1] == l) for l in range(len(report["locations"]))]
    browser.keys("z")
    for place in browser.rows("places"):
        if place["name"].startswith("MPI Rank"):
            assert half(place["value"], by_process[int(place["name"].split()[-1])]), place
    browser.keys("z")  # few rows, which are all there
    browser.script("document.querySelector('#calls').focus()")
    browser.keys("\ue011", "*")
    path = next(r for r in browser.rows("calls") if r["name"] == name and half(r["value"], sum(row[2] for row in rows if row[0] == worst)))
    assert not path["selected"]
    browser.script("[...document.querySelectorAll('#calls .row')].find(r => r.querySelector('.name').textContent.endsWith(arguments[0]) && r.querySelector('.value').textContent === arguments[1]).click()", name, path["value"])
    browser.settled()
    for place in browser.rows("places"):
        if place["name"].startswith("MPI Rank"):
            rank = int(place["name"].split()[-1])
            assert half(place["value"], sum(row[2] for row in rows if row[0] == worst and row[1] == rank)), place
    assert browser.complaints() == []


def test_other_locations_are_not_compared_one_by_one(browser, folder):
    page = folder / "others.html"
    waitstate("diff", SOURCE / "traces/p2p", SOURCE / "traces/hybrid", "-o", page)
    browser.open(page, "#m=time")
    assert "cannot be compared by location" in browser.script("return document.querySelector('main').textContent")
    assert [r["name"] for r in browser.rows("places")] == ["all locations"]
    assert browser.rows("places")[0]["value"] == browser.rows("metrics")[0]["value"]
    assert browser.complaints() == []


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
    assert f"m={other['metric']}" in browser.script("return location.hash")[1:].split("&")
    assert browser.complaints() == []
