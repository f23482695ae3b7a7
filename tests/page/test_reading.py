"""Charts are read without a mouse: the arrow keys say one value after the other, as the JSON report has them; Enter goes
where a click goes. Matrices, the timeline and the waits over time are used with a mouse as well."""
import json
import re

import pytest

from reports import PROGRAM, SOURCE, Run, address_names, path_of, same, waitstate, write_report

LEFT, UP, RIGHT, DOWN, HOME, END, ENTER, ESCAPE = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue010", "\ue007", "\ue00c"
METRIC = "mpi_latesender"


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p")


@pytest.fixture(scope="module")
def many(folder, p2p):
    """5,000 locations, of which some wait for each other."""
    file, page = folder / "many.json", folder / "many.html"
    write_report(PROGRAM, file, 5000, 4, folder)
    report = json.loads(file.read_text())
    waits = {**p2p.json["waits"][METRIC], "instances": []}
    waits["pairs"] = {**waits["pairs"], "rows": [[0, 1, 1, 100], [2, 1, 1, 200], [4999, 3, 1, 400]]}
    waits["causes"] = {**waits["causes"], "rows": []}
    report["waits"] = {METRIC: {k: v for k, v in waits.items() if k != "by_callpath"}}
    file.write_text(json.dumps(report))
    waitstate("show", file, "-o", page)
    return page, report


def focus(browser, chart):
    browser.script(f"document.querySelector('#chart-{chart}').focus()")


def said(browser, chart):
    return browser.script("return document.querySelector(`#chart-${arguments[0]} output`).textContent", chart)


def walk(browser, chart, count, key="ArrowRight"):
    """The texts of the first mark, and of each mark that a key leads to. A script sends the keys, because they are many."""
    focus(browser, chart)
    browser.keys(HOME)
    return browser.driver.execute_async_script("""
      const [chart, count, key, done] = arguments, figure = document.querySelector(`#chart-${chart}`), texts = [];
      (async () => {
        for (let i = 0; i < count; ++i) {
          if (i) figure.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
          await new Promise(next => requestAnimationFrame(() => setTimeout(next, 5)));
          texts.push(figure.querySelector('output').textContent);
        }
        done(texts);
      })()""", chart, count, key)


def seconds(run, ticks):
    return ticks / run.second


def process(run, location):
    return run.json["processes"][run.json["locations"][location]["process"]]["name"]


def test_statistics_are_read_by_keys(browser, p2p):
    browser.open(p2p.page, f"#v=statistics&m={METRIC}")
    waits = {i: w["statistics"] for i, w in p2p.json["waits"].items() if w["statistics"]["count"]}
    titles = {m["title"]: m["id"] for m in p2p.json["metrics"]}
    pattern = r"(.*): ([\d,]+) waits, mean (.*), median (.*), quartiles (.*) and (.*) \(± (.*) %\), longest (.*)"
    for text in walk(browser, "boxes", 4, "ArrowDown"):
        name, count, *numbers = re.fullmatch(pattern, text).groups()
        s = waits[titles[name]]
        assert int(count.replace(",", "")) == s["count"]
        for number, key in zip(numbers[:4] + numbers[5:], ("mean", "median", "quartile25", "quartile75", "maximum")):
            assert same(number, seconds(p2p, s[key])), (text, key)
        assert float(numbers[4]) == pytest.approx(100 * s["quantile_error"], abs=0.051)
    rows = p2p.json["waits"][METRIC]["histogram"]["rows"]
    texts = walk(browser, "histogram", len(rows))
    for text, (begin, end, count, ticks) in zip(texts, rows):
        found = re.fullmatch(r"(.*) to (.*): ([\d,]+) waits, (.*) in total", text)
        assert same(found[1], seconds(p2p, begin)) and same(found[2], seconds(p2p, end)) and same(found[4], seconds(p2p, ticks))
        assert int(found[3].replace(",", "")) == count
    browser.keys(END)
    assert said(browser, "histogram") == texts[-1]
    browser.keys(RIGHT)  # there is none behind the last one
    assert said(browser, "histogram") == texts[-1]
    # Enter goes where a click goes, Escape ends the reading and leaves the selection alone.
    browser.script("document.querySelector('#chart-path-boxes').focus()")
    browser.keys(RIGHT, ENTER)
    callpath = p2p.json["waits"][METRIC]["by_callpath"]["rows"][0][0]
    assert f"&c={address_names(p2p.json)[callpath]}" in browser.script("return location.hash")
    browser.keys(ESCAPE)
    assert f"&c={address_names(p2p.json)[callpath]}" in browser.script("return location.hash")
    browser.keys(ESCAPE)
    assert "&c=" not in browser.script("return location.hash")
    assert browser.complaints() == []


def test_matrix_with_its_margins_by_keys(browser, p2p):
    """The keys read each value row by row, and the sums beside rows and below columns. Each is drawn in a colour."""
    browser.open(p2p.page, "#v=matrix&m=mpi_barrier_wait")
    pairs = {(a, b): ticks for a, b, _, ticks in p2p.json["waits"]["mpi_barrier_wait"]["pairs"]["rows"]}
    texts = walk(browser, "matrix", 25)
    for i, text in enumerate(texts):
        row, column = divmod(i, 5)
        want = sum(t for (a, b), t in pairs.items() if row in (a, 4) and column in (b, 4))
        names = [f"culprit {process(p2p, row)}"] if row < 4 else []
        names += [f"waiter {process(p2p, column)}"] if column < 4 else []
        found = re.fullmatch(r"(.*?): (0|\S+ \S+?)( in all)?(?:; (.*) itself waits for \S+ \S+ in all)?", text)
        assert found[1] == (", ".join(names) or "all") and (found[3] is None) == (row < 4 and column < 4)
        assert same(found[2], seconds(p2p, want)), text
    focus(browser, "matrix")
    browser.keys(HOME, DOWN)
    assert said(browser, "matrix") == texts[5]
    browser.keys(DOWN, UP, RIGHT, LEFT)
    assert said(browser, "matrix") == texts[5]
    # Below the first column stands its sum: the mouse reads it there, and it has a colour.
    height = browser.script("return document.querySelector('#chart-matrix canvas').clientHeight")
    x = next(x for x in range(8, 400, 8) if browser.point("matrix", x, 26)[0] == texts[0])
    under = [browser.point("matrix", x + 2, y) for y in range(110, height, 8)]
    colours = {tuple(colour) for text, colour in under if text == texts[20]}
    assert colours - {tuple(browser.point("matrix", 2, height - 2)[1])}


def test_pairs_lead_to_their_instances(browser, p2p):
    """A pair is found among all waits of an instance, not only as its longest wait."""
    waits = p2p.json["waits"]["mpi_barrier_wait"]

    def has(instance, culprit, waiter):
        return any(w["culprit"] == culprit and w["location"] == waiter for w in instance.get("members", [instance["longest"]]))

    browser.open(p2p.page, "#v=matrix&m=mpi_barrier_wait")
    found = {}
    pairs = [row[:2] for row in waits["pairs"]["rows"]][::2]
    for culprit, waiter in pairs:
        browser.view("matrix")
        focus(browser, "matrix")
        browser.keys(HOME, *[DOWN] * culprit, *[RIGHT] * waiter, ENTER)
        address = browser.script("return location.hash")
        assert "v=instances&m=mpi_barrier_wait&" in address and f"&p={culprit}-{waiter}" in address
        found[culprit, waiter] = browser.script("return document.querySelectorAll('.instances li').length")
    want = {(c, w): sum(has(i, c, w) for i in waits["instances"]) for c, w in pairs}
    longest = {(i["longest"]["culprit"], i["longest"]["location"]) for i in waits["instances"]}
    assert found == want and any(n > 0 and pair not in longest for pair, n in want.items())


def test_a_matrix_of_many_locations_can_be_entered(browser, many):
    """Where neighbours share a row, a click or Enter shows them alone."""
    page, _ = many
    browser.open(page, f"#v=matrix&m={METRIC}")
    caption = "return document.querySelector('#chart-matrix').getAttribute('aria-label')"
    assert "40 neighbours share a row" in browser.script(caption)
    focus(browser, "matrix")
    browser.keys(HOME)
    text = said(browser, "matrix")
    assert text.startswith("culprit MPI Rank 0 to MPI Rank 39, waiter MPI Rank 0 to MPI Rank 39: ") and same(text.split(": ")[1], 300 / many[1]["trace"]["clock"]["ticks_per_second"])
    browser.keys(ENTER)
    assert "neighbours" not in browser.script(caption)
    browser.keys(HOME, RIGHT)
    assert said(browser, "matrix").startswith("culprit MPI Rank 0, waiter MPI Rank 1: ")
    browser.keys(ENTER)
    assert "v=instances" in browser.script("return location.hash") and "p=0-1" in browser.script("return location.hash")
    browser.view("matrix")
    focus(browser, "matrix")
    browser.keys(HOME, ENTER)
    browser.script("[...document.querySelectorAll('#chart-matrix .tools button')].find(b => b.textContent === 'Show all').click()")
    browser.settled()
    assert "40 neighbours share a row" in browser.script(caption)
    assert browser.complaints() == []


def test_many_locations_have_minimum_mean_and_maximum(browser, many):
    """Beyond 4,096 locations the tree opens at the nodes, each with the least, the mean and the most of its locations."""
    page, report = many
    browser.open(page, "#v=trees&m=comp&c=")
    second = report["trace"]["clock"]["ticks_per_second"]
    sums = [0] * 5000
    for _, location, value in report["severities"]["comp"]["rows"]:
        sums[location] += value / second
    assert browser.script("return [...document.querySelectorAll('#places')][0].parentElement.querySelector('.columns').textContent") == "valuein allleastmeanmost"
    rows = browser.script("""return [...document.querySelectorAll('#places [role=treeitem]')].map(r =>
      [r.querySelector('.name').lastChild.textContent, r.querySelector('.value').textContent, [...r.querySelectorAll('.second')].map(s => s.textContent)])""")
    assert rows[0][0] == "machine" and len(rows) > 10 and len(rows) < 100
    for name, value, more in rows[1:]:
        first = 64 * int(name[4:])
        own = sums[first:first + 64]
        assert same(value, sum(own)) and all(same(t, v) for t, v in zip(more[1:], (min(own), sum(own) / len(own), max(own)))), name
    # All rows can be scrolled to, but only those in sight exist.
    browser.script("document.querySelector('#places').focus()")
    browser.keys(HOME, "*", END)
    assert browser.rows("places")[-1]["name"] == "MPI Rank 4999"
    assert browser.script("return document.querySelectorAll('#places [role=treeitem]').length") < 100
    assert browser.complaints() == []


def test_bars_flat_and_topology_by_keys(browser, p2p):
    browser.open(p2p.page, f"#v=flat&m={METRIC}&c=")
    browser.keys(ESCAPE)
    by_location = [0.0] * 4
    by_region = {}
    for callpath, location, value in p2p.json["severities"][METRIC]["rows"]:
        by_location[location] += seconds(p2p, value)
        name = path_of(p2p.json, callpath).split("/")[-1]
        by_region[name] = by_region.get(name, 0) + seconds(p2p, value)
    total = sum(by_location)
    for text, (name, value) in zip(walk(browser, "flat", len(by_region), "ArrowDown"), sorted(by_region.items(), key=lambda r: -r[1])):
        found = re.fullmatch(r"(.*): (\S+ \S+)  (.*) %", text)
        assert found[1] == name and same(found[2], value) and float(found[3].lstrip("<")) == pytest.approx(100 * value / total, abs=0.051)
    for location, text in enumerate(walk(browser, "bars", 4)):
        name, value = text.split(": ")
        assert name == process(p2p, location) and same(value, by_location[location])
    browser.keys(ENTER)
    assert "&l=" in browser.script("return location.hash")
    browser.keys(ESCAPE, ESCAPE)
    browser.view("topology")
    topology = p2p.json["cart_topologies"][0]
    coordinates = topology["coordinates"]
    stride = len(topology["dimensions"]) + 1
    found = {}
    for text in walk(browser, "topology-0", len(coordinates) // stride):
        name, at, value = re.fullmatch(r"(.*) at \((.*)\): (.*)", text).groups()
        found[name] = at
        assert same(value, by_location[[process(p2p, i) for i in range(4)].index(name)])
    assert found == {process(p2p, coordinates[i]): ", ".join(map(str, coordinates[i + 1:i + stride])) for i in range(0, len(coordinates), stride)}


def test_time_by_keys_and_zoom(browser, p2p):
    """Each bin is read. Enter and F zoom both charts to the selected time; F shows everything if none is selected."""
    from selenium.webdriver.common.action_chains import ActionChains

    series = p2p.json["series"]
    late = series["metrics"][METRIC]
    title = next(m["title"] for m in p2p.json["metrics"] if m["id"] == METRIC)
    browser.open(p2p.page, f"#v=time&m={METRIC}")
    for i, text in enumerate(walk(browser, "series", 6)):
        assert same(re.search(rf"{title} (0|\S+ \S+?)(?:,|$)", text)[1], seconds(p2p, late["ticks"][i])), text
    bins = len(late["groups"][0]["ticks"])
    groups = {g["group"]: g["ticks"] for g in late["groups"]}
    focus(browser, "heat")
    for row in range(4):
        browser.keys(HOME, *[DOWN] * row)
        for i in range(3):
            name, value = said(browser, "heat").split(" from ")
            assert name == process(p2p, row) and same(value.split(": ")[1], seconds(p2p, groups.get(row, [0] * bins)[i]))
            browser.keys(RIGHT)
    canvas = browser.driver.find_element("css selector", "#chart-series canvas")
    ActionChains(browser.driver, duration=0).move_to_element_with_offset(canvas, -200, 20).click_and_hold().move_by_offset(150, 0).release().perform()
    browser.settled()
    begin, end = map(float, re.match(r"from (\S+) s to (\S+) s: ", said(browser, "series")).groups())
    focus(browser, "series")
    browser.keys(ENTER)
    window = re.search(r"&st=([\d.]+)-([\d.]+)", browser.script("return location.hash"))
    width = series["bin_ticks"] / p2p.second
    assert [float(t) for t in window.groups()] == pytest.approx([begin, end], abs=width)
    address = browser.script("return location.hash")
    browser.open(p2p.page, address)
    assert browser.script("return location.hash") == address
    focus(browser, "heat")
    browser.keys("f")
    assert "st=" not in browser.script("return location.hash")


def test_the_timeline_fits_the_selection(browser, p2p):
    browser.open(p2p.page, f"#v=timeline&m={METRIC}")
    focus(browser, "timeline")
    browser.keys(".", "f")
    begin, end = map(float, re.search(r"from (\S+) s to (\S+) s", said(browser, "timeline")).groups())
    window = re.search(r"&t=([\d.]+)-([\d.]+)", browser.script("return location.hash"))
    assert [float(t) for t in window.groups()] == pytest.approx([begin, end], abs=2e-6)
    browser.keys(ESCAPE, "f")
    assert "&t=" not in browser.script("return location.hash")


def test_who_ended_the_wait(browser, p2p):
    """An arrow leads from the culprit to each who waited for it, when its wait ended, in a colour that no message has."""
    metric = "mpi_barrier_wait"
    instance = max(p2p.json["waits"][metric]["instances"], key=lambda i: i["total"])
    browser.open(p2p.page, f"#v=timeline&m={metric}")
    assert "a dotted arrow comes from the event that ended the wait" in browser.script("return document.querySelector('#chart-timeline').getAttribute('aria-label')")
    first, culprit = p2p.json["totals"]["first_time"], instance["longest"]["culprit"]
    members = [w for w in instance["members"] if w["culprit"] == culprit]
    assert len(members) == 3
    rows = [r for r in browser.table("timeline")[1] if "ends the wait of" in r[1]]
    assert [r[:2] for r in rows] == [[process(p2p, culprit), f"ends the wait of {process(p2p, w['location'])}"] for w in members]
    assert [r[3] for r in rows] == pytest.approx([(w["begin"] + w["ticks"] - first) / p2p.second for w in members], rel=1e-9)
    assert all(r[2] <= r[3] for r in rows)  # it never leads back in time, although the culprit's call ends later
    found = browser.script("""
      const c = document.querySelector('#chart-timeline canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] === 0xb3 && d[i + 1] === 0x47 && d[i + 2] === 0; return n""")
    assert found > 30


def test_letters_that_are_off(browser, p2p):
    """Without letter keys signs and letters do nothing, but the arrows still read."""
    browser.open(p2p.page, f"#v=statistics&m={METRIC}&k=0")
    focus(browser, "boxes")
    browser.keys("t", RIGHT)
    assert browser.script("return document.querySelector('#chart-boxes table') === null") and "waits" in said(browser, "boxes")
    browser.keys("?", "z")
    assert browser.script("return document.getElementById('help') === null") and "z=1" not in browser.script("return location.hash")
