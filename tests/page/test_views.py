"""Views of the page in detail: the timeline with mouse and keys, the help beside each view, and views that only some reports
have: the critical path, chains of causes, phases, one-sided transfers."""
import re

import pytest

from reports import SOURCE, Run, address_names, path_of, same


@pytest.fixture(scope="module")
def causes(folder):
    return Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path", "--phase", "master_worker")


def since(run, time):
    return (time - run.json["totals"]["first_time"]) / run.second


def views(browser):
    return browser.script("return [...document.querySelectorAll('nav button')].map(b => b.id)")


def test_views_are_offered_where_they_were_computed(browser, causes, folder):
    browser.open(causes.page)
    assert {"view-path", "view-phases"} <= set(views(browser))
    plain = Run(folder, SOURCE / "traces/coll")
    browser.open(plain.page, "#v=path")
    assert not {"view-path", "view-phases"} & set(views(browser))
    assert browser.script("return document.querySelector('nav [aria-current]').id") == "view-summary"
    browser.view("instances")
    assert browser.script("return document.querySelector('.chain') === null")


def test_columns_with_nothing_in_a_row_are_left_out(browser, causes):
    """Nobody in particular is waited for at the end of a barrier, so a column of culprits would be empty."""
    columns = "return [...document.querySelectorAll('main [aria-label=\"Who waited\"] th')].map(h => h.dataset.column)"
    browser.open(causes.page, "#v=instances&m=mpi_barrier_completion")
    assert all(i["longest"]["culprit"] is None for i in causes.json["waits"]["mpi_barrier_completion"]["instances"])
    assert browser.script(columns) == ["location", "from (s)", "waited (s)"]
    browser.open(causes.page, "#v=instances&m=mpi_latesender")
    assert browser.script(columns) == ["location", "from (s)", "waited (s)", "for", "which was in"]


def test_segments_of_the_critical_path(browser, causes):
    """The table has every segment, and a long segment is drawn where its middle is."""
    browser.open(causes.page, "#v=path")
    path = causes.json["critical_segments"]
    heads, rows = browser.table("path")
    assert heads[1:3] == ["from (s)", "to (s)"] and len(rows) == len(path["segments"]["rows"]) > 40
    for row, (location, begin, end, ticks, callpath, *_) in zip(rows, path["segments"]["rows"]):
        assert row[0] == causes.json["processes"][causes.json["locations"][location]["process"]]["name"]
        assert row[1:4] == pytest.approx([since(causes, begin), since(causes, end), ticks / causes.second], rel=1e-9)
        assert row[4] == path_of(causes.json, callpath)
    caption = browser.script("return document.querySelector('#chart-path').getAttribute('aria-label')")
    assert same(re.search(r": (\S+ \S+) of", caption)[1], path["ticks"] / causes.second)

    # The lines of the axis say where times are; the rows are those of the locations, in their order.
    label, width = 8, browser.script("return document.querySelector('#chart-path canvas').clientWidth")
    locations = sorted({s[0] for s in path["segments"]["rows"]})
    empty = browser.point("path", width - 1, 1)[1]
    duration = causes.json["totals"]["duration"] / causes.second
    for location, begin, end, *_ in sorted(path["segments"]["rows"], key=lambda s: s[1] - s[2])[:4]:
        middle = since(causes, (begin + end) // 2) / duration
        y = 22 + (locations.index(location) + 0.5) * 24
        found = [browser.point("path", int(x + middle * (width - x - 6)), y) for x in range(label + 50, 120, 10)]
        assert all(colour != empty for _, colour in found)
        assert any(f"{since(causes, begin):.6f} s" in text for text, _ in found), (found, since(causes, begin))


def test_profile_of_the_critical_path(browser, causes):
    browser.open(causes.page, "#v=path")
    for chart, by, key in (("path-calls", "callpath", "exclusive"), ("path-locations", "location", "value")):
        _, rows = browser.table(chart)
        want = sorted((float(r[key]) for r in causes.rows("critical_path", by) if float(r[key]) > 0), reverse=True)
        assert [r[1] for r in rows] == pytest.approx(want, rel=1e-9)
        assert sum(r[2] for r in rows) == pytest.approx(100)


def test_zoom_of_the_critical_path(browser, causes):
    browser.open(causes.page, "#v=path")
    browser.script("document.querySelector('#chart-path').focus()")
    browser.keys("w", "d")
    address = browser.script("return location.hash")
    assert "pt=" in address
    browser.open(causes.page, address)
    assert browser.script("return location.hash") == address
    browser.script("document.querySelector('#chart-path').focus()")
    browser.keys("f")
    assert "pt=" not in browser.script("return location.hash")


def test_chains_of_causes(browser, causes):
    """Beside an instance stand the steps of its chain, and where its last culprit was."""
    instances = sorted(causes.json["waits"]["mpi_latesender"]["instances"], key=lambda i: -i["total"])
    longest = max(range(len(instances)), key=lambda i: len(instances[i].get("chain", {}).get("steps", [])))
    for at in (0, longest):
        chain = instances[at]["chain"]
        browser.open(causes.page, f"#v=instances&m=mpi_latesender&i={at}")
        steps = browser.script("return [...document.querySelectorAll('.chain li')].map(l => l.textContent)")
        assert len(steps) == len(chain["steps"])
        for text, step in zip(steps, chain["steps"]):
            assert path_of(causes.json, step["callpath"]) in text and f"entered at {since(causes, step['enter']):.6f} s" in text
            assert same(re.search(r"waited (\S+ \S+) in", text)[1], step["ticks"] / causes.second)
        end = browser.script("return document.querySelector('.chain > p').textContent")
        assert path_of(causes.json, chain["root"]) in end and f"{100 * chain['root_share']:.1f} % of the delay" in end
        caption = browser.script("return document.querySelector('#chart-timeline').getAttribute('aria-label')")
        assert "the critical path" in caption and ("numbers are steps" in caption) == (len(steps) > 1)
    assert len(steps) > 1
    browser.click(".chain > p button")
    assert f"&c={address_names(causes.json)[chain['root']]}" in browser.script("return location.hash")
    assert browser.complaints() == []


def test_phases_of_a_region(browser, causes):
    phases = causes.json["phases"]["phases"]
    browser.open(causes.page, "#v=phases&m=mpi_latesender")
    assert browser.script("return document.querySelector('main h2').textContent") == "Phases: 2 visits of master_worker"
    _, rows = browser.table("phase-efficiency")
    keys = ("parallel_efficiency", "load_balance", "communication_efficiency")
    assert [r[3:] for r in rows] == [pytest.approx([100 * p[k] for k in keys], rel=1e-9) for p in phases]
    heads, rows = browser.table("phase-waits")
    titles = {m["id"]: m["title"] for m in causes.json["metrics"]}
    assert set(heads[3:]) == {f"{titles[i]} (s)" for p in phases for i in p["waits"]}
    for row, p in zip(rows, phases):
        assert row[1:3] == pytest.approx([since(causes, p["begin"]), since(causes, p["end"])], rel=1e-9)
        for head, value in zip(heads[3:], row[3:]):
            ticks = next((t for i, t in p["waits"].items() if f"{titles[i]} (s)" == head), 0)
            assert value == pytest.approx(ticks / causes.second, rel=1e-9)
    assert [r[3] for r in browser.table("phase-metric")[1]] == pytest.approx([p["waits"]["mpi_latesender"] / causes.second for p in phases])
    assert [r[5] for r in browser.table("phase-times")[1]] == pytest.approx([p["longest"] / causes.second for p in phases])
    # The arrow keys say what a phase has, without a mouse.
    browser.script("document.querySelector('#chart-phase-metric').focus()")
    browser.keys("\ue014", "\ue014")
    said = browser.script("return document.querySelector('#chart-phase-metric output').textContent")
    value, callpath, location = re.fullmatch(r"phase 1, .*: (\S+ \S+) \(most in (\S+) \(\S+\) and on (.*)\)", said).groups()
    assert same(value, phases[1]["waits"]["mpi_latesender"] / causes.second)
    places = phases[1]["places"]["mpi_latesender"]
    assert callpath == path_of(causes.json, places["callpaths"][0][0]) and location == f"MPI Rank {places['locations'][0][0]}"
    assert browser.complaints() == []


def test_phases_over_time(browser, folder):
    run = Run(folder, SOURCE / "traces/p2p", "--phase", "time:16")
    phases = run.json["phases"]["phases"]
    browser.open(run.page, "#v=phases&m=mpi_barrier_wait")
    assert browser.script("return document.querySelector('main h2').textContent").startswith("Phases: 16 stretches of time, ")
    _, rows = browser.table("phase-efficiency")
    assert [r[1] for r in rows] == pytest.approx([since(run, p["begin"]) for p in phases], rel=1e-9)
    want = [100 * p["load_balance"] if p["load_balance"] is not None else "unknown" for p in phases]
    assert [r[4] for r in rows if r[4] != "unknown"] == pytest.approx([w for w in want if w != "unknown"])
    assert {i for i, r in enumerate(rows) if r[4] == "unknown"} == {i for i, w in enumerate(want) if w == "unknown"} != set()
    barrier = next(m["total"] for m in run.json["metrics"] if m["id"] == "mpi_barrier_wait")
    assert sum(r[3] for r in browser.table("phase-metric")[1]) == pytest.approx(barrier / run.second)


# ---- the timeline, by keys and mouse ----

def said(browser):
    return browser.script("return document.querySelector('#chart-timeline output').textContent")


def test_bars_by_keys(browser, causes):
    """The first key selects the waiting call, the next ones its neighbours in the row. Enter zooms to the call, Escape
    deselects it."""
    waits = causes.json["waits"]["mpi_latesender"]["instances"]
    worst = max(waits, key=lambda i: i["total"])
    context = causes.json["contexts"][worst["context"]]
    browser.open(causes.page, "#v=timeline&m=mpi_latesender")
    browser.script("document.querySelector('#chart-timeline').focus()")
    browser.keys(".")
    wait = worst["longest"]
    row = [r for r in context["regions"]["rows"] if r[0] == wait["location"] and r[2] <= wait["begin"] < r[3]]
    call = max(row, key=lambda r: r[4])
    name = causes.json["regions"][call[1]]["name"]
    text = said(browser)
    assert f": {name}, " in text and f"from {since(causes, call[2]):.6f} s to {since(causes, call[3]):.6f} s" in text
    bars = [r for r in context["regions"]["rows"] if r[0] == call[0] and r[4] == call[4]]
    after = bars[bars.index(call) + 1]
    browser.keys(".")
    assert f"from {since(causes, after[2]):.6f} s" in said(browser)
    browser.keys(",")
    assert said(browser) == text
    browser.keys("\ue007")
    window = [float(t) for t in re.search(r"&t=([\d.]+)-([\d.]+)", browser.script("return location.hash")).groups()]
    assert window == pytest.approx([since(causes, call[2]), since(causes, call[3])], abs=1e-8)
    browser.keys("\ue00c")
    assert said(browser) == "" and "&t=" in browser.script("return location.hash")
    browser.keys("f")
    assert "&t=" not in browser.script("return location.hash")


def test_ruler(browser, causes):
    """Dragging selects a time and says its length; a double click there zooms to it, Ctrl and the wheel zoom, Shift pans."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    browser.open(causes.page, "#v=timeline&m=mpi_latesender&t=0.43-0.45")
    canvas = browser.driver.find_element("css selector", "#chart-timeline canvas")
    half = canvas.size["width"] // 2

    def drag(begin, end, shift=False):
        actions = ActionChains(browser.driver, duration=0)
        if shift:
            actions.key_down("\ue008")
        actions.move_to_element_with_offset(canvas, begin, 20).click_and_hold().move_by_offset(end - begin, 0).release()
        (actions.key_up("\ue008") if shift else actions).perform()
        browser.settled()

    drag(0, 100)
    found = re.match(r"selected: (\S+ \S+), from (\S+) s to (\S+) s", said(browser))
    begin, end = float(found[2]), float(found[3])
    assert same(found[1], end - begin) and 0.43 < begin < end < 0.45
    per_pixel = (end - begin) / 100
    assert 0.02 / per_pixel == pytest.approx(canvas.size["width"], rel=0.12)  # but for the names
    ActionChains(browser.driver, duration=0).move_to_element_with_offset(canvas, 50, 20).double_click().perform()
    browser.settled()
    window = re.search(r"&t=([\d.]+)-([\d.]+)", browser.script("return location.hash"))
    window = [float(t) for t in window.groups()]
    assert window == pytest.approx([begin, end], abs=2e-6)
    begin, end = window
    drag(0, 60, shift=True)
    moved = [float(t) for t in re.search(r"&t=([\d.]+)-([\d.]+)", browser.script("return location.hash")).groups()]
    assert moved[0] < begin and moved[1] - moved[0] == pytest.approx(end - begin, abs=2e-8)
    ActionChains(browser.driver, duration=0).key_down("\ue009").scroll_from_origin(ScrollOrigin.from_element(canvas, half - 20, 0), 0, -100).key_up("\ue009").perform()
    browser.settled()
    window = [float(t) for t in re.search(r"&t=([\d.]+)-([\d.]+)", browser.script("return location.hash")).groups()]
    assert window[1] - window[0] == pytest.approx(0.8 * (moved[1] - moved[0]), abs=2e-8) and moved[1] - window[1] < window[0] - moved[0]
    assert browser.complaints() == []


def test_one_sided_transfers(browser, folder):
    run = Run(folder, SOURCE / "traces/rma")
    metric = "mpi_rma_early_fence"
    worst = max(run.json["waits"][metric]["instances"], key=lambda i: i["total"])
    transfers = run.json["contexts"][worst["context"]]["transfers"]
    assert {r[2] for r in transfers["rows"]} >= {"put", "get"} and transfers["left_out"] == 0
    browser.open(run.page, f"#v=timeline&m={metric}")
    caption = browser.script("return document.querySelector('#chart-timeline').getAttribute('aria-label')")
    assert "dashed arrows are one-sided transfers" in caption
    names = [run.json["processes"][loc["process"]]["name"] for loc in run.json["locations"]]
    found = [r for r in browser.table("timeline")[1] if re.match("put|get", r[1])]
    assert len(found) == len(transfers["rows"])
    for row, (origin, target, what, started, completed, size) in zip(found, transfers["rows"]):
        source, sink = (target, origin) if what == "get" else (origin, target)
        assert row[0] == names[source] and row[1].startswith(f"{what}, {size} bytes") and row[1].endswith(f" to {names[sink]}")
        assert row[2] == pytest.approx(since(run, started), rel=1e-9)
        assert ("not complete" in row[1]) == (completed is None)


# ---- help ----

def test_help_beside_each_view(browser, causes):
    """The key ? opens the help: how to read the view, the meaning of the selected metric as explain prints it, and the keys."""
    browser.open(causes.page, "#v=trees&m=mpi_latesender")
    browser.script("document.querySelector('.tree').focus()")
    assert browser.script("return document.getElementById('help') === null")
    browser.keys("?")
    late = next(m for m in causes.json["metrics"] if m["id"] == "mpi_latesender")
    seen = set()
    for view in views(browser)[:-1]:
        browser.click(f"#{view}")
        text = browser.script("return document.getElementById('help').textContent")
        for key in ("summary", "definition", "charged_to", "diagnosis", "source"):
            assert late[key] in text, (view, key)
        seen.add(browser.script("return document.querySelector('#help p').textContent"))
        assert "next and previous bar" in text
        assert browser.script("return document.querySelector('main').getBoundingClientRect().right <= document.getElementById('help').getBoundingClientRect().left + 1")
    assert len(seen) == len(views(browser)) - 1 and all(len(s) > 60 for s in seen)
    address = browser.script("return location.hash")
    browser.open(causes.page, address)
    assert browser.script("return document.getElementById('help') !== null")
    browser.script("document.querySelector('main').focus()")
    browser.keys("?")
    assert browser.script("return document.getElementById('help') === null")
    assert browser.complaints() == []


def test_a_time_of_the_waits_over_time(browser, causes):
    """Dragging over the stacked waits says how long locations waited in these bins."""
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(causes.page, "#v=time&m=mpi_latesender")
    canvas = browser.driver.find_element("css selector", "#chart-series canvas")
    width = canvas.size["width"]
    ActionChains(browser.driver, duration=0).move_to_element_with_offset(canvas, 200 - width // 2, 20).click_and_hold().move_by_offset(150, 0).release().perform()
    browser.settled()
    text = browser.script("return document.querySelector('#chart-series output').textContent")
    begin, end, waits = re.fullmatch(r"from (\S+) s to (\S+) s: (.*) \(the trees have the whole run\)", text).groups()
    series = causes.json["series"]
    first, last = (round((float(t) - since(causes, series["start"])) * causes.second / series["bin_ticks"]) for t in (begin, end))
    per_pixel = series["bins"] / (width - 6)
    assert (first, last) == (pytest.approx(200 * per_pixel, abs=2), pytest.approx(350 * per_pixel, abs=2))
    ids = {m["title"]: m["id"] for m in causes.json["metrics"]}
    found = dict(re.findall(r"([^,]+?) (0|\d\S* [mnµ]?s)(?:, |$)", waits))
    assert "Late Sender" in found
    for title, value in found.items():
        assert same(value, sum(series["metrics"][ids[title]]["ticks"][first:last]) / causes.second), title
    assert browser.complaints() == []
