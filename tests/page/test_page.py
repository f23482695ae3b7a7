"""The HTML report in a real browser: values as in the CSV reports, selection, keys, address, hostile names, damage.

Values of the page are those of `waitstate show --format csv`, rounded to what the page writes (four digits); those of the
page of a comparison are those of `waitstate diff --format json`. Long because every view has its own values.
"""
import base64
import json
import re
import subprocess
import zlib

import pytest

from reports import PROGRAM, SOURCE, Run, address_names, contrast, path_of, same, waitstate

HOSTILE = "</script><script>alert(1)</script>"
HIDDEN = "a\u202eb\u200bc<b>&amp;\"'"


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p")


def metric_address(run, metric, more=""):
    return f"#v=trees&m={metric}{more}"


def test_values_are_those_of_the_csv_report(browser, p2p):
    metric = "mpi_latesender"
    browser.open(p2p.page, metric_address(p2p, metric))
    rows = p2p.rows(metric, "callpath")
    browser.script("document.getElementById('calls').focus()")
    browser.keys("*")
    for _ in range(20):  # opens all below, wherever it is closed
        closed = [r for r in browser.rows("calls") if r["open"] == "false"]
        if not closed:
            break
        browser.script("document.getElementById(arguments[0]).click()", f"calls-{closed[0]['id']}")
        browser.keys("*")
    # The rows say their call path; all that are not zero are there, no others.
    found = {r["title"]: r for r in browser.rows("calls")}
    assert set(found) == {r["callpath"] for r in rows}
    for r in rows:
        row = found[r["callpath"]]
        assert same(row["second"], float(r["inclusive"])), (row, r)
        assert same(row["value"], float(r["exclusive"]) if row["open"] else float(r["inclusive"])), (row, r)
    browser.keys("\ue00c")  # Escape: all call paths, all locations
    places = {r["name"]: r["value"] for r in browser.rows("places")}
    by_process = {}
    for r in p2p.rows(metric, "location"):
        by_process[r["process"]] = by_process.get(r["process"], 0) + float(r["value"])
    of_ranks = {name: value for name, value in places.items() if re.search(r"\d+$", name) and "Rank" in name}
    assert len(of_ranks) == len(by_process) > 0
    for name, value in by_process.items():
        number = re.search(r"\d+", name).group()
        assert same(next(v for n, v in of_ranks.items() if n.endswith(f" {number}")), value), (name, value)
    assert browser.complaints() == []


def test_collapsed_is_inclusive_and_expanded_exclusive(browser, p2p):
    browser.open(p2p.page, "#v=trees&m=time&x=1")
    totals = {m["id"]: m for m in p2p.json["metrics"]}
    second = p2p.json["trace"]["clock"]["ticks_per_second"]
    row = next(r for r in browser.rows("metrics") if r["selected"])
    assert row["open"] == "false" and same(row["value"], totals["time"]["total"] / second)
    browser.script("document.getElementById('metrics').focus()")
    browser.keys("\ue014")  # right: opens
    row = next(r for r in browser.rows("metrics") if r["selected"])
    parts = sum(m["total"] for m in p2p.json["metrics"] if m["parent"] == "time" and not m["within_parent"])
    assert row["open"] == "true" and same(row["value"], (totals["time"]["total"] - parts) / second)
    browser.keys("\ue012")  # left: closes
    row = next(r for r in browser.rows("metrics") if r["selected"])
    assert same(row["value"], totals["time"]["total"] / second)


def test_locations_add_up_to_the_selected_call_path(browser, p2p):
    metric = "mpi_latesender"
    rows = p2p.rows(metric, "callpath")
    worst = max(rows, key=lambda r: float(r["exclusive"]))
    browser.open(p2p.page, metric_address(p2p, metric))
    number = next(i for i in range(len(p2p.json["call_tree"])) if path_of(p2p.json, i) == worst["callpath"])
    browser.open(p2p.page, metric_address(p2p, metric, f"&c={address_names(p2p.json)[number]}"))
    chosen = next(r for r in browser.rows("calls") if r["selected"])
    assert chosen["title"] == worst["callpath"]
    table = p2p.json["severities"][metric]["rows"]
    want = {}
    for callpath, location, value in table:
        if callpath == number:
            want[location] = want.get(location, 0) + value / p2p.json["trace"]["clock"]["ticks_per_second"]
    browser.script("document.getElementById('places').focus()")
    browser.keys("\ue011", "*")
    found = sorted(r["value"] for r in browser.rows("places") if r["open"] is None)
    assert len(found) == len(want)
    for value in want.values():
        match = next(i for i, text in enumerate(found) if same(text, value))
        found.pop(match)


def test_the_address_holds_the_state(browser, p2p):
    browser.open(p2p.page)
    browser.click(".problem button")
    browser.keys("u")
    address = browser.script("return location.hash")
    assert "m=" in address and "c=" in address and "v=trees" in address and "u=total" in address
    before = [browser.rows(tree) for tree in ("metrics", "calls", "places")]
    line = browser.script("return document.querySelector('.selection').textContent")
    browser.open(p2p.page, address)
    assert [[r for r in rows if r["selected"]] for rows in before] == [
        [r for r in browser.rows(tree) if r["selected"]] for tree in ("metrics", "calls", "places")]
    assert browser.script("return document.querySelector('.selection').textContent") == line
    browser.open(p2p.page, "#v=nothing&m=none,%zz&c=999999&l=-1&i=77&p=9999-1&t=x&u=q")  # nonsense is passed over
    assert browser.script("return document.querySelector('h2') !== null")
    assert browser.complaints() == []


def test_search_and_zeros(browser, p2p):
    browser.open(p2p.page, "#v=trees")
    browser.script("document.querySelector('section.pane input').focus()")
    browser.keys("late sender\ue007")
    assert [r["name"] for r in browser.rows("metrics") if r["selected"]] == ["Late Sender"]
    browser.script("document.querySelector('.tree').focus()")
    assert not any(r["name"] == "Early Reduce" for r in browser.rows("metrics"))
    count = browser.script("return document.querySelector('#metrics .space').offsetHeight")
    browser.keys("z")
    assert browser.script("return document.querySelector('#metrics .space').offsetHeight") > count
    browser.keys("z")
    assert browser.script("return document.querySelector('#metrics .space').offsetHeight") == count


def test_percentages(browser, p2p):
    browser.open(p2p.page, "#v=trees&m=mpi_latesender&u=total")
    late = next(m for m in p2p.json["metrics"] if m["id"] == "mpi_latesender")
    for share, unit in (("share_without_init_exit", "% of the time without MPI_Init and MPI_Finalize"), ("share", "% of the total time")):
        row = next(r for r in browser.rows("metrics") if r["selected"])
        assert abs(float(row["value"].split(" ")[0]) - 100 * late[share]) <= 0.06
        assert browser.script("return document.querySelector('#unit').selectedOptions[0].textContent") == unit
        browser.click("#init-exit")


def test_every_view_draws(browser, p2p, folder):
    """Each view has content, each chart a caption and colours; nothing complains."""
    views = ["summary", "trees", "flat", "statistics", "instances", "timeline", "time", "matrix", "communication", "topology",
             "counters"]
    browser.open(p2p.page, "#m=mpi_latesender")
    for view in views:
        browser.view(view)
        assert browser.script("return document.querySelector('main').textContent.trim().length") > 20, view
        for chart in browser.script("return [...document.querySelectorAll('figure')].map(f => [f.id, f.getAttribute('aria-label')])"):
            assert chart[1], chart
            colours = browser.script("""
              const c = document.querySelector(`#${arguments[0]} canvas`), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
              const s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size""", chart[0])
            assert colours > 3, chart
    assert browser.complaints() == []


def test_tables_are_those_of_the_report(browser, p2p):
    """The table of the matrix equals the pairs of the JSON report."""
    browser.open(p2p.page, "#v=matrix&m=mpi_latesender")
    browser.click("#chart-matrix .tools button[title=T]")
    cells = browser.script("return [...document.querySelectorAll('#chart-matrix tbody tr')].map(r => Number(r.lastChild.dataset.value))")
    second = p2p.json["trace"]["clock"]["ticks_per_second"]
    want = sorted(row[3] / second for row in p2p.json["waits"]["mpi_latesender"]["pairs"]["rows"])
    assert sorted(cells) == pytest.approx(want, rel=1e-9)


def test_no_wait_is_drawn_twice_over_time(browser, p2p):
    """Wait states that are no shares of others are stacked: the highest column is the longest wait of all locations together."""
    browser.open(p2p.page, "#v=time&m=mpi_latesender")
    caption = browser.script("return document.querySelector('figure').getAttribute('aria-label')")
    series, metrics = p2p.json["series"], {m["id"]: m for m in p2p.json["metrics"]}

    def is_share(i):
        m = metrics[i]
        return m.get("siblings") == "overlapping" or m["within_parent"] and m["parent"] in series["metrics"] or (
            m["parent"] is not None and is_share(m["parent"]))

    share = {i for i in series["metrics"] if is_share(i)}
    assert {"mpi_lswo_same", "slow_slaves"} <= share and "mpi_latesender" not in share
    most = max(map(sum, zip(*(s["ticks"] for i, s in series["metrics"].items() if i not in share))))
    seconds = most / p2p.json["trace"]["clock"]["ticks_per_second"]
    assert same(re.search(r"the highest column is (\S+ \S+) of all", caption)[1], seconds), caption


def test_another_instance_has_a_window_of_its_own(browser, p2p):
    browser.open(p2p.page, "#v=timeline&m=mpi_latesender")
    browser.click("figure button[title=W]")
    assert "&t=" in browser.script("return location.hash")
    browser.click("figure button[title=N]")
    assert "&t=" not in browser.script("return location.hash")
    browser.click("figure button[title=W]")
    browser.view("trees")
    browser.script("document.querySelector('.tree').focus()")
    browser.keys("\ue015")  # another metric
    assert "m=mpi_latesender&" not in browser.script("return location.hash")
    browser.view("timeline")
    assert "&t=" not in browser.script("return location.hash")


def test_without_scripts_the_summary_is_there(browser, p2p):
    text = p2p.page.read_text()
    summary = re.search(r'<pre id="static">(.*?)</pre>', text, re.S).group(1)
    assert "Late Sender" in summary and "<" not in summary
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.driver.get(f"file://{p2p.page}")
        shot = browser.driver.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        assert any("Late Sender" in s for s in shot["strings"])
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_hostile_names(browser, p2p, folder):
    """Markup in names is shown as text, and invisible characters as escapes."""
    report = json.loads(p2p.json_file.read_text())
    for i, region in enumerate(report["regions"]):
        region["name"] = HOSTILE if i % 2 else HIDDEN
    for thing in report["locations"] + report["processes"] + report["system_tree"]:
        thing["name"] = HOSTILE
    report["trace"]["path"] = f"/tmp/{HOSTILE}"
    report["trace"]["machine"] = HIDDEN
    file, page = folder / "hostile.json", folder / "hostile.html"
    file.write_text(json.dumps(report))
    waitstate("show", file, "-o", page)
    browser.open(page)
    for view in ("summary", "trees", "flat", "instances", "matrix"):
        browser.view(view)
        assert browser.script("return document.querySelectorAll('main script, main b').length") == 0
    browser.view("trees")
    text = browser.script("return document.body.innerText")
    assert HOSTILE in text and "\u202e" not in text and "\\u202e" in text
    assert browser.complaints() == []  # an alert would have stopped everything before


@pytest.mark.parametrize("damage, says", [
    (lambda t: re.sub(r'(id="s:meta">.{40}).*?</script>', r"\1</script>", t, count=1, flags=re.S), "section meta cannot be unpacked"),
    (lambda t: re.sub(r'<script[^>]*id="s:meta">.*?</script>', "", t, count=1, flags=re.S), "section meta is missing"),
])
def test_a_damaged_file_says_so(browser, p2p, folder, damage, says):
    page = folder / "damaged.html"
    page.write_text(damage(p2p.page.read_text()))
    browser.open(page, ready="0")
    assert says in browser.script("return document.querySelector('[role=alert]').textContent")


def packed(contents):
    return base64.b64encode(zlib.compress(contents)).decode()


@pytest.mark.parametrize("other, says", [
    (packed(b"WSC2" + bytes(8)), "does not begin with WSS1"),
    (packed(b"WSS1" + bytes(50_000_000)), "is larger than possible"),
])
def test_swapped_sections_say_so(browser, p2p, folder, other, says):
    """A section of another kind is refused, and no number of it is shown. A few bytes that would fill the memory are refused,
    too."""
    text = p2p.page.read_text()
    names = re.findall(r'id="s:(sum:\d+)"', text)
    for name in names:
        text = re.sub(rf'(id="s:{name}">).*?(</script>)', lambda m: m.group(1) + other + m.group(2), text, count=1, flags=re.S)
    page = folder / "swapped.html"
    page.write_text(text)
    browser.open(page, "#v=trees")
    assert says in browser.script("return document.querySelector('main [role=alert]').textContent")
    assert browser.script("return document.querySelector('.tree') === null && document.getElementById('sum').textContent") == "unknown"


@pytest.fixture(scope="module")
def diff(folder, p2p):
    """The page and the JSON form of a comparison with a run that has other wait states and hostile names; a gate fails."""
    report = json.loads(p2p.json_file.read_text())
    report["regions"][report["call_tree"][-1]["region"]]["name"] = HOSTILE
    report["trace"]["path"] = f"/tmp/{HOSTILE}"
    before, page = folder / "before.json", folder / "diff.html"
    before.write_text(json.dumps(report))
    sides = [before, SOURCE / "traces/rma", "--fail-on", "mpi_barrier_wait>+1%"]
    for form in ("json", "html"):
        found = subprocess.run([PROGRAM, "diff", *sides, "-o", folder / f"diff.{form}"], capture_output=True, text=True)
        assert found.returncode == 1 and found.stderr == ""
    return page, json.loads((folder / "diff.json").read_text())


def changed(text, entry):
    """Whether `text` is the change of the entry, with its sign."""
    value = entry["change"]
    if value == 0:
        return text == "same"
    if text[0] != ("+" if value > 0 else "\u2212"):
        return False
    return same(text[1:], abs(value)) if entry["unit"] == "sec" else abs(float(text[1:].replace(",", "")) - abs(value)) <= 1e-5 * abs(value)


def test_what_changed(browser, diff):
    """Every metric that is shown has the change of the JSON form; worse grows, better shrinks; links select."""
    page, want = diff
    metrics = {m["metric"]: m for m in want["metrics"]}
    browser.open(page)
    browser.keys("z")
    rows = browser.rows("metrics")
    assert len(rows) > 10
    for row in rows:
        if row["open"] != "true":  # else it is what is left without those below
            assert changed(row["value"], metrics[row["title"].split(":")[0]]), row
    lists = browser.script("return [...document.querySelectorAll('section[aria-label]')].map(s => [s.getAttribute('aria-label'), [...s.querySelectorAll('li')].map(l => l.textContent)])")
    lists = dict(lists)
    assert lists["Got worse"] and all(": +" in text for text in lists["Got worse"])
    assert lists["Got better"] and all(": \u2212" in text for text in lists["Got better"])
    assert any(text.startswith("Late Sender:") for text in lists["Got better"])
    browser.click("section[aria-label='Got better'] li button")
    assert {"m=mpi_latesender", "z=1"} <= set(browser.script("return location.hash")[1:].split("&"))
    cells = browser.script("return [...document.querySelectorAll('#paths tbody tr')].map(r => Number(r.children[1].dataset.value))")
    assert cells == pytest.approx([c["change"] for c in want["callpaths"] if c["metric"] == "mpi_latesender"], rel=1e-9)
    text = browser.script("return document.body.innerText")
    assert "FAILED: mpi_barrier_wait>+1%" in text and HOSTILE in text
    assert browser.script("return document.querySelectorAll('main script').length") == 0
    assert browser.complaints() == []


def test_rows_of_changes_add_up(browser, diff):
    """In each row A and the change are B, for open rows too, which are without the rows below them."""
    page, _ = diff
    browser.open(page, "#om=*&z=1")
    browser.script("document.querySelector('#metrics').style.height = '6000px'")
    browser.settled()
    columns = browser.script("""return [...document.querySelectorAll('#metrics [role=treeitem]')].map(r => [
      r.getAttribute('aria-expanded'), r.querySelector('.value').textContent, ...[...r.querySelectorAll('.second')].map(s => s.textContent)])""")

    def number(text):
        if text in ("same", "0"):
            return 0
        digits, _, unit = text.replace("\u2212", "-").replace(",", "").partition(" ")
        return float(digits) * {"": 1, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]

    checked = set()
    for is_open, change, in_all, before, after in columns:
        if change in ("only in A", "only in B", "unknown") or "\u2013" in (before, after) or "cannot" in before + after or "\u2265" in before + after:
            continue
        a, b = number(before), number(after)
        assert number(change) == pytest.approx(b - a, abs=2e-3 * max(abs(a), abs(b))), (change, before, after)
        assert (in_all != "") == (is_open == "true")
        checked.add(is_open)
    assert checked == {None, "true"}


def test_colours_of_changes_can_be_read(browser, diff):
    """Growing values are orange, shrinking ones blue; their text has a contrast of 4.5 at least, dark or light; 320 pixels are
    enough."""
    page, _ = diff
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 320, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    try:
        for scheme in ("light", "dark"):
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            browser.open(page)
            assert browser.script("return document.documentElement.scrollWidth") <= 320
            boxes = browser.script("return [...document.querySelectorAll('#metrics .box')].map(b => [b.textContent, getComputedStyle(b).backgroundColor, getComputedStyle(b).color])")
            assert {text[0] for text, _, _ in boxes} >= {"+", "\u2212"}
            for text, *colours in boxes:
                back, ink = ([int(v) for v in re.findall(r"\d+", c)[:3]] for c in colours)
                assert (back[0] >= back[2]) == (text[0] == "+") or text in ("same", "0"), (text, back)
                assert contrast(back, ink) >= 4.5, (text, back, ink)
            for selector in ("body", ".quiet", "button.link", "#runs td"):
                ink, back = browser.script("const s = getComputedStyle(document.querySelector(arguments[0])); return [s.color, getComputedStyle(document.body).backgroundColor]", selector)
                ink, back = ([int(v) for v in re.findall(r"\d+", c)[:3]] for c in (ink, back))
                assert contrast(ink, back) >= 4.5, (selector, scheme)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_part_of_a_comparison_says_so(browser, diff, folder):
    page = folder / "part.html"
    page.write_text(re.sub(r'<script[^>]*id="s:meta">.*?</script>', "", diff[0].read_text(), count=1, flags=re.S))
    browser.open(page, ready="0")
    assert "its section meta is missing" in browser.script("return document.querySelector('[role=alert]').textContent")
