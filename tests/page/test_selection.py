"""One selection for all views: each obeys it or says in words what it shows instead; Back undoes it, and a link leads to the
call path of the same name in another run."""
import json
import re

import pytest

from reports import SOURCE, Run, address_names, path_of, same, waitstate

METRIC = "mpi_latesender"
VIEWS = ("summary", "trees", "flat", "statistics", "instances", "timeline", "time", "phases", "path", "matrix", "communication", "topology",
         "counters", "trace")


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path", "--phase", "master_worker")


def text(browser, selector="main"):
    return browser.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def address(browser):
    return browser.script("return location.hash")


def captions(browser):
    return " ".join(browser.script("return [...document.querySelectorAll('figcaption span:first-child, h2')].map(c => c.textContent)"))


def worst_path(run):
    """A call path that waits, and a rank that waits there."""
    rows = run.json["severities"][METRIC]["rows"]
    callpath = max({r[0] for r in rows}, key=lambda c: sum(r[2] for r in rows if r[0] == c))
    return callpath, max((r for r in rows if r[0] == callpath), key=lambda r: r[2])[1]


def place_name(browser, run, rank):
    """The name of a place in addresses: found by selecting it."""
    browser.open(run.page, f"#v=trees&m={METRIC}&ol=*")
    row = next(r for r in browser.rows("places") if r["name"].endswith(f"Rank {rank}"))
    browser.click(f"#places-{row['id']}")
    return re.search(r"&l=([^&]+)", address(browser))[1]


# The parts of the selection that each view passes over, and says so.
PASSED_OVER = {
    "trees": {"time"}, "flat": {"path", "time"}, "statistics": {"place", "time"}, "instances": set(), "timeline": set(), "time": {"path"},
    "phases": {"path", "place", "time"}, "path": {"path", "place"}, "matrix": {"path", "time"}, "communication": {"path", "place", "time"},
    "topology": {"time"}, "counters": None, "trace": {"path", "time"}, "summary": None}


@pytest.mark.parametrize("view", [v for v in VIEWS if PASSED_OVER[v] is not None])
def test_a_view_obeys_the_selection_or_says_what_it_shows(browser, p2p, view):
    callpath, rank = worst_path(p2p)
    c, place = address_names(p2p.json)[callpath], place_name(browser, p2p, rank)
    worst = max((i for i in p2p.json["waits"][METRIC]["instances"] if i["callpath"] == callpath), key=lambda i: i["total"])
    begin = (worst["longest"]["begin"] - p2p.json["totals"]["first_time"]) / p2p.second
    browser.open(p2p.page, f"#v={view}&m={METRIC}&c=~{c}&l={place}&tr={begin:.9f}-{begin + 1e-3:.9f}")
    said = re.search(r"Shown here: (.*)", text(browser))
    parts = said[1] if said else ""
    words = {"path": "all call paths", "place": "all locations", "time": "the whole run"}
    assert {part for part, word in words.items() if word in parts} == PASSED_OVER[view]
    if "path" in PASSED_OVER[view]:
        assert path_of(p2p.json, callpath) in parts
    for selector, part in (("#selected-calls", path_of(p2p.json, callpath)), ("#selected-places", f"MPI Rank {rank}")):
        assert part in text(browser, selector)
    assert text(browser, "#selected-time").endswith(" s")
    assert browser.complaints() == []


def test_views_of_single_waits_show_only_those_of_the_selection(browser, p2p):
    callpath, rank = worst_path(p2p)
    c, place = address_names(p2p.json)[callpath], place_name(browser, p2p, rank)
    all_of = p2p.json["waits"][METRIC]["instances"]
    waits = [i for i in all_of if i["callpath"] == callpath]
    listed = "return document.querySelectorAll('.instances li').length"
    browser.open(p2p.page, f"#v=instances&m={METRIC}")
    assert browser.script(listed) == len(all_of)
    browser.open(p2p.page, f"#v=instances&m={METRIC}&c=~{c}")
    assert browser.script(listed) == len(waits) < len(all_of)
    browser.open(p2p.page, f"#v=instances&m={METRIC}&c=~{c}&l={place}")
    of_rank = [i for i in waits if any(w["location"] == rank for w in i.get("members", [i["longest"]]))]
    assert browser.script(listed) == len(of_rank)
    at = [(w["begin"], w["begin"] + w["ticks"]) for i in all_of for w in i.get("members", [i["longest"]])]
    first = min(at)
    begin, end = ((t - p2p.json["totals"]["first_time"]) / p2p.second for t in first)
    browser.open(p2p.page, f"#v=instances&m={METRIC}&tr={begin:.9f}-{end:.9f}")
    want = sum(any(w["begin"] <= first[1] and w["begin"] + w["ticks"] >= first[0] for w in i.get("members", [i["longest"]])) for i in all_of)
    assert browser.script(listed) == want < len(all_of)
    # The matrix has the pairs of the selected rank, the statistics those of the call path, bars those of the place.
    browser.open(p2p.page, f"#v=matrix&m={METRIC}&l={place}")
    pairs = [r for r in p2p.json["waits"][METRIC]["pairs"]["rows"] if rank in (r[0], r[1])]
    assert len(browser.table("matrix")[1]) == len(pairs) < len(p2p.json["waits"][METRIC]["pairs"]["rows"])
    browser.open(p2p.page, f"#v=statistics&m={METRIC}&c=~{c}")
    assert [r[0] for r in browser.table("path-boxes")[1]] == [path_of(p2p.json, callpath)]
    browser.open(p2p.page, f"#v=flat&m={METRIC}&l={place}")
    assert [r[0] for r in browser.table("bars")[1]] == [f"MPI Rank {rank}"]
    browser.open(p2p.page, f"#v=time&m={METRIC}&l={place}")
    assert [r[0] for r in browser.table("heat")[1]] == [f"MPI Rank {rank}"]
    assert browser.complaints() == []


def test_back_undoes_a_selection(browser, p2p):
    browser.open(p2p.page)
    start = text(browser, "#selected")

    def press(selector):
        browser.driver.find_element("css selector", selector).click()  # as a user does: browsers pass over what scripts do alone
        browser.settled()

    press(".problem button.all")
    press("#view-trees")
    press("#calls [role=treeitem]:first-child")
    worst = text(browser, "#selected")
    press("#view-matrix")
    press("#selected .undo")
    everything = text(browser, "#selected")
    assert start != worst != everything
    for want, view in ((worst, "matrix"), (worst, "trees"), (everything, "trees"), (start, "summary")):
        before = address(browser)
        browser.driver.back()
        browser.until("return location.hash !== arguments[0]", before)
        browser.settled()
        assert text(browser, "#selected") == want and f"v={view}" in address(browser)
    assert browser.complaints() == []


def test_a_time_is_selected_for_all_views(browser, p2p):
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(p2p.page, f"#v=time&m={METRIC}")
    canvas = browser.driver.find_element("css selector", "#chart-series canvas")
    ActionChains(browser.driver, duration=0).move_to_element_with_offset(canvas, -100, 20).click_and_hold().move_by_offset(80, 0).release().perform()
    browser.settled()
    chosen = text(browser, "#selected-time")
    begin, end = (float(t) for t in re.search(r"tr=([\d.]+)-([\d.]+)", address(browser)).groups())
    assert chosen == f"{begin:.6f} s to {end:.6f} s"
    browser.view("trees")
    assert f"the whole run (not only {chosen})" in text(browser)
    browser.view("path")
    assert text(browser, "#selected-time") == chosen
    browser.click("button[aria-label^='not only'][aria-label*=' s to ']")
    assert "tr=" not in address(browser)


def test_a_link_leads_to_the_same_call_path_in_another_run(browser, p2p, folder):
    """The call paths of the other run have other numbers."""
    report = json.loads(p2p.json_file.read_text())
    size = len(report["regions"])
    report["regions"].append({**report["regions"][0], "name": "before_all_others"})
    tree = report["call_tree"]
    report["call_tree"] = [{"parent": None, "region": size, "program": None}] + [
        {**entry, "parent": None if entry["parent"] is None else entry["parent"] + 1} for entry in tree]

    def shift(value, name=""):
        if isinstance(value, dict) and "columns" in value and "rows" in value:
            at = [i for i, c in enumerate(value["columns"]) if c in ("callpath", "culprit_callpath", "waited_in")]
            return {**value, "rows": [[v + 1 if i in at and v is not None else v for i, v in enumerate(r)] for r in value["rows"]]}
        if isinstance(value, dict):
            return {k: (v + 1 if k in ("callpath", "culprit_callpath", "root", "last_callpath") and isinstance(v, int) else shift(v, k)) for k, v in value.items()}
        return [shift(v) for v in value] if isinstance(value, list) else value

    for member in ("severities", "waits", "problems", "critical_segments", "counters"):
        report[member] = shift(report[member])
    report.pop("phases"), report.pop("efficiency")
    other, page = folder / "other.json", folder / "other.html"
    other.write_text(json.dumps(report))
    waitstate("show", other, "-o", page)
    callpath, _ = worst_path(p2p)
    link = f"#v=trees&m={METRIC}&c={address_names(p2p.json)[callpath]}"
    values = []
    for file in (p2p.page, page):
        browser.open(file, link)
        assert path_of(p2p.json, callpath) in text(browser, "#selected-calls")
        values.append(text(browser, "#sum"))
    assert values[0] == values[1] != "0 s"


def test_callers_are_beside_the_flat_list(browser, p2p):
    """Below a function stand those that called it, with its time in these calls; together they have all of its time."""
    browser.open(p2p.page, f"#v=flat&m={METRIC}")
    rows = {r["name"]: r for r in browser.rows("callers")}
    by_region = {}
    for r in p2p.rows(METRIC, "callpath"):
        if float(r["exclusive"]):
            callers = by_region.setdefault(r["callpath"].split("/")[-1], {})
            caller = r["callpath"].split("/")[-2]
            callers[caller] = callers.get(caller, 0) + float(r["exclusive"])
    assert set(rows) == set(by_region)
    for name, row in rows.items():
        assert same(row["value"], sum(by_region[name].values()))
    largest = max(by_region, key=lambda n: sum(by_region[n].values()))
    browser.script("document.querySelector('#callers').focus()")
    browser.keys("\ue011", "\ue014")
    shown = {r["name"]: r["value"] for r in browser.rows("callers") if r["level"] == 2}
    assert set(shown) == set(by_region[largest])
    for caller, value in shown.items():
        assert same(value, by_region[largest][caller])
    assert browser.complaints() == []


def test_closed_nodes_include_their_callees_whatever_is_selected(browser, p2p):
    """A problem's button selects a call path alone; others keep their values."""
    browser.open(p2p.page, "#v=summary")
    browser.click(".problem button.worst")
    inclusive = {r["callpath"]: float(r["inclusive"]) for r in p2p.rows(METRIC, "callpath")}
    closed = [r for r in browser.rows("calls") if r["open"] == "false"]
    assert len(closed) > 3
    for row in closed:
        assert same(row["value"], inclusive[row["title"]])


def test_places_of_code_stand_beside_call_paths(browser, p2p):
    regions = {r["name"]: f"{r['file'].rsplit('/')[-1]}:{r['begin_line']}" for r in p2p.json["regions"] if r["begin_line"]}
    browser.open(p2p.page, "#v=trees&m=time&oc=*")
    sources = dict(browser.script("return [...document.querySelectorAll('#calls .row .source')].map(s => [s.parentNode.querySelector('.name').lastChild.textContent, s.textContent])"))
    assert len(sources) > 3 and all(regions[name] == source for name, source in sources.items())
    browser.open(p2p.page, f"#v=instances&m={METRIC}")
    first = text(browser, ".instances li")
    assert re.search(r"MPI_\w+ \(p2p\.c:\d+\)", first) and first.count("p2p.c:") == 2


def test_a_culprit_that_waited_is_told(browser, p2p):
    """Wherever an instance names its culprit, it says for how long that one itself waited."""
    def waited(instance):
        return instance["culprit_wait"] and instance["culprit_wait"]["ticks"] > 0.05 * instance["longest"]["ticks"]

    orders = {metric: sorted(waits["instances"], key=lambda i: -i["total"]) for metric, waits in p2p.json["waits"].items()}
    metric, order = next((metric, order) for metric, order in orders.items() if any(map(waited, order)))
    at = next(n for n, instance in enumerate(order) if waited(instance))
    browser.open(p2p.page, f"#v=instances&m={metric}&i={at}")
    own = order[at]["culprit_wait"]
    for selector in (".instances button[aria-current]", "#chart-timeline figcaption"):
        told = re.search(r"it itself waited for (\S+ \S+) \(([\d.]+) %\) of that time", text(browser, selector))
        assert told and same(told[1], own["ticks"] / p2p.second)


def test_call_paths_of_culprits_say_how_much_these_waited(browser, p2p):
    """The table of culprits' call paths tells the share of its time there for which the culprit itself waited; 0 if the report does
    not list it, nothing if it is not known where it was."""
    def column(label, heading):
        """The values in the column of the table of this label."""
        return browser.script("""
          const table = document.querySelector(`[aria-label="${arguments[0]}"] table`);
          const at = [...table.querySelectorAll("th")].findIndex(h => h.dataset.column === arguments[1]);
          return [...table.querySelectorAll("tbody tr")].map(r => r.children[at].dataset.value ?? "");""", label, heading)

    metric, heading = "mpi_barrier_wait", "it itself waited (% of its time there)"
    shares = {(path, culprit): 100 * waited / time for path, culprit, time, waited in p2p.json["waiting_culprits"]["rows"]}
    assert shares and all(1 <= share <= 100 for share in shares.values())

    def want(path, culprit):
        return "" if path is None or culprit is None else pytest.approx(shares.get((path, culprit), 0))

    def numbers(texts):
        return [text and float(text) for text in texts]

    waits = p2p.json["waits"][metric]
    causes = [want(path, culprit) for path, culprit, _, _ in sorted(waits["causes"]["rows"], key=lambda row: -row[3])]
    assert 0 in causes and any(share != 0 for share in causes)
    browser.open(p2p.page, f"#v=matrix&m={metric}")
    assert numbers(column("causes of Wait at barrier", heading)) == causes
