"""Every trace of traces/: its page opens without a complaint, the values of all rows of the tree of metrics are those of the
JSON report, the buttons of problems select what their sentences name, and the tables of all charts have its numbers."""
import re

import pytest

from reports import SOURCE, Run, address_names, path_of, same

TRACES = sorted(p.name for p in (SOURCE / "traces").iterdir() if p.is_dir())
# Messages, threads, one-sided transfers, an accelerator, and a recorder that leaves things out.
WITH_TABLES = {"p2p", "hybrid_tasks", "rma", "cuda_waits", "eztrace_late"}


def go(browser, address):
    browser.script("location.hash = arguments[0]", address)
    browser.settled()


def names_of(run):
    """Names of locations as the page writes them: a thread that is alone in its process has the process's name."""
    count = {}
    for location in run.json["locations"]:
        count[location["process"]] = count.get(location["process"], 0) + 1
    names = []
    for location in run.json["locations"]:
        process = "" if location["process"] is None else run.json["processes"][location["process"]]["name"]
        names.append(location["name"] if not process else process if count[location["process"]] == 1 else f"{process} {location['name']}")
    return names


def near(numbers):
    return [pytest.approx(n, rel=1e-9, abs=1e-300) if isinstance(n, (int, float)) else n for n in numbers]


def shown(run, metric, text, total="total"):
    """Whether the text is the value of the metric, as exactly as its digits say."""
    m = run.metrics[metric]
    if m["told"] == "unknown":
        return text == "cannot tell"
    text = text.removeprefix("\u2265\u202f") if m["told"] == "at least" else text
    own = m[total]
    if m["unit"] == "ticks":
        return same(text, own / run.second)
    if m["unit"] == "counter":
        return float(text) == pytest.approx(own * run.json["counters"][metric]["scale"], rel=5e-6)
    return int(text.replace(",", "")) == own


@pytest.mark.parametrize("trace", TRACES)
def test_trace(browser, folder, trace):
    run = Run(folder, SOURCE / "traces" / trace)
    run.metrics = {m["id"]: m for m in run.json["metrics"]}
    browser.open(run.page)
    problems(browser, run)
    metrics(browser, run)
    if trace in WITH_TABLES:
        tables_of_all_charts(browser, run)
    assert browser.complaints() == []


def metrics(browser, run):
    """All rows of the tree of metrics, zeros too: the value of a closed row includes the rows below it, that of an open row
    does not, and has the value with them beside it. First without MPI_Init and MPI_Finalize, then with them."""
    order = list(run.metrics)
    for total, address in (("total_without_init_exit", ""), ("total", "&x=1")):
        go(browser, f"#v=trees&z=1&om=*{address}")
        browser.script("document.querySelector('#metrics').style.height = '6000px'")
        browser.until(f"return document.querySelectorAll('#metrics [role=treeitem]').length === {len(order)}")
        for row in browser.rows("metrics"):
            m = run.metrics[order[row["id"]]]
            if row["open"] is None:
                assert shown(run, m["id"], row["value"], total), (m["id"], row)
            elif m["unit"] == "ticks" and m["told"] == "exactly":
                parts = [c for c in run.metrics.values() if c["parent"] == m["id"] and (not c["within_parent"] or c.get("siblings") == "disjoint")]
                assert same(row["value"], (m[total] - sum(c[total] for c in parts)) / run.second), (m["id"], row)
                assert shown(run, m["id"], row["second"], total), (m["id"], row)
    go(browser, "#v=trees&x=1&om=")
    browser.script("document.querySelector('#metrics').style.height = ''")
    closed = [r for r in browser.rows("metrics") if r["open"] == "false"]
    assert closed
    for row in closed:
        assert shown(run, order[row["id"]], row["value"]), row


def problems(browser, run):
    """Each problem is there with its sentence; each of its buttons leads to the value that it names."""
    summary = browser.script("return [...document.querySelectorAll('.problem')].map(p => p.textContent)")
    assert len(summary) == len(run.json["problems"])
    names = address_names(run.json)

    def press(at, button):
        browser.view("summary")
        found = browser.script("""const b = document.querySelectorAll('.problem')[arguments[0]].querySelector(`.${arguments[1]}`);
                                  b?.click(); return b?.textContent""", at, button)
        browser.settled()
        return found, dict(part.split("=") for part in browser.script("return location.hash")[1:].split("&"))

    for at, (problem, text) in enumerate(zip(run.json["problems"], summary)):
        assert text.startswith(problem["sentence"])
        if at > 1:
            continue  # two problems of each trace are enough
        found, address = press(at, "all")
        assert address["m"] == (problem["value_of"] or "time") and "l" not in address
        value = browser.script("return document.getElementById('sum').textContent")
        assert same(value, problem["ticks"] / run.second) and f"({value})" in found, problem["sentence"]
        assert value in problem["sentence"]
        share = browser.script("return document.getElementById('share').textContent")
        if problem["share"] is not None:
            assert float(re.match(r", ([\d.]+) %", share)[1]) == pytest.approx(100 * problem["share"], abs=0.051), share
        found, address = press(at, "worst")
        assert (found is None) == (problem["callpath"] is None or problem["callpath_ticks"] == problem["ticks"])
        if found:
            value = browser.script("return document.getElementById('sum').textContent")
            assert same(value, problem["callpath_ticks"] / run.second) and value in problem["sentence"]
            assert address["c"].lstrip("~") == names[problem["callpath"]]
            assert [r["title"] for r in browser.rows("calls") if r["selected"]] == [path_of(run.json, problem["callpath"])]
            assert problem["source"] in browser.script("return document.getElementById('selected-calls').textContent")
        found, address = press(at, "wait")
        assert (found is None) == (problem["instance"] is None)
        if found:
            instance = run.json["waits"][problem["metric"]]["instances"][problem["instance"]]
            order = sorted(run.json["waits"][problem["metric"]]["instances"], key=lambda i: -i["total"])
            assert order[int(address.get("i", 0))] == instance and address["v"] == "instances"


def tables(browser):
    """Headings and rows of all charts of the view, by id; the charts are shown as tables."""
    return browser.script("""
      const cell = c => c.className === 'number' ? Number(c.dataset.value) : c.textContent;
      return Object.fromEntries([...document.querySelectorAll('figure')].map(f => {
        return [f.id.slice(6), [...f.querySelectorAll('tbody tr')].map(r => [...r.children].map(cell))];
      }))""")


def tables_of_all_charts(browser, run):
    """The table of every chart has the numbers of the report, of the wait state with the longest waits."""
    report, second, names = run.json, run.second, names_of(run)
    waits = {i: w for i, w in report["waits"].items() if w["statistics"]["count"]}
    titles = {m["id"]: m["title"] or m["id"] for m in report["metrics"]}
    units = {m["id"]: m["unit"] for m in report["metrics"]}
    metric = max((i for i in waits if units[i] == "ticks"), key=lambda i: waits[i]["statistics"]["sum"])
    charts = "flat,bars,boxes,path-boxes,histogram,series,heat,matrix,graph,communication,topology-0,timeline"
    go(browser, f"#m={metric}&i=0&x=1&tb={charts}")
    browser.keys("\ue00c")
    seen = set()

    def check(view):
        browser.view(view)
        found = tables(browser)
        seen.update(found)
        return found

    found = check("flat")
    within = {m["id"]: m for m in report["metrics"]}
    summed = {metric} | {i for i in within if not within[i]["within_parent"] and within[i]["parent"] == metric}
    by_region, by_location = {}, [0] * len(names)
    for part in summed:
        for callpath, location, value in report["severities"].get(part, {"rows": []})["rows"]:
            region = report["call_tree"][callpath]["region"]
            by_region[region] = by_region.get(region, 0) + value / second
            by_location[location] += value / second
    assert sorted(r[1] for r in found["flat"]) == near(sorted(v for v in by_region.values() if v))
    assert [r[0] for r in found["bars"]] == names and [r[1] for r in found["bars"]] == near(by_location)

    found = check("statistics")
    keys = ["minimum", "quartile25", "median", "quartile75", "maximum", "mean"]
    five = {titles[i]: [w["statistics"]["count"], w["statistics"]["sum"] / second, *(w["statistics"][k] / second for k in keys)] for i, w in waits.items()}
    assert {r[0] for r in found["boxes"]} == {titles[i] for i in waits if units[i] == "ticks"}
    for name, *numbers, _ in found["boxes"]:
        assert numbers == near(five[name])
    paths = waits[metric]["by_callpath"]
    at = [paths["columns"].index(k) for k in ("count", "sum", *keys)]
    assert [r[:9] for r in found["path-boxes"]] == [
        [path_of(report, r[0]), r[at[0]], *near(r[k] / second for k in at[1:])] for r in paths["rows"]]
    histogram = waits[metric]["histogram"]["rows"]
    assert found["histogram"] == [near([a / second, b / second, n, t / second]) for a, b, n, t in histogram]

    found = check("time")
    series = report["series"]
    if series["bins"]:
        begin = (series["start"] - report["totals"]["first_time"]) / second
        ids = sorted((i for i, s in series["metrics"].items() if sum(s["ticks"])), key=lambda i: -sum(series["metrics"][i]["ticks"]))
        rows = [near([begin + i * series["bin_ticks"] / second, *(series["metrics"][m]["ticks"][i] / second for m in ids)]) for i in range(series["bins"])]
        assert found["series"] == rows[:200]  # a button shows more
        if metric in series["metrics"]:
            groups = {g["group"]: g["ticks"] for g in series["metrics"][metric]["groups"]}
            bins = -(-series["bins"] // series["bins_per_group_bin"])
            assert [r[1:] for r in found["heat"]] == [near(t / second for t in groups.get(g, [0] * bins)) for g in range(len(series["groups"]))]

    found = check("matrix")
    pairs = [[names[a], names[b], pytest.approx(t / second, rel=1e-9)] for a, b, _, t in waits[metric]["pairs"]["rows"] if a is not None and b is not None]
    assert found["matrix"] == pairs[:200] and found.get("graph", pairs)[:200] == pairs[:200]

    found = check("communication")
    exchanged = report["communication"]["pairs"]
    if "communication" in found:
        ranks = [p["name"] for p in report["processes"]]
        what = "bytes" if any(r[3] for r in exchanged["rows"]) else next(c for i, c in enumerate(exchanged["columns"]) if i > 1 and any(r[i] for r in exchanged["rows"]))
        column = exchanged["columns"].index(what)
        assert found["communication"] == [[ranks[r[0]], ranks[r[1]], r[column]] for r in exchanged["rows"] if r[column]]
    else:
        assert not any(any(r[2:]) for r in exchanged["rows"])

    found = check("topology")
    if report["cart_topologies"] and "topology-0" in found:
        topology = report["cart_topologies"][0]
        stride = len(topology["dimensions"]) + 1
        c = topology["coordinates"]
        want = sorted(c[i + 1:i + stride] for i in range(0, len(c), stride))
        assert [r[1:-1] for r in found["topology-0"]] == want
        if len({r[0] for r in found["topology-0"]}) == len(names):
            assert sorted(r[-1] for r in found["topology-0"]) == near(sorted(by_location))

    found = check("timeline")
    instance = max(waits[metric]["instances"], key=lambda i: i["total"])
    members = instance.get("members", [instance["longest"]])
    first = report["totals"]["first_time"]
    waiting = [r for r in found["timeline"] if r[1].startswith("waits: ")]
    assert waiting == [[names[w["location"]], f"waits: {titles[metric]}", *near([(w["begin"] - first) / second, (w["begin"] + w["ticks"] - first) / second]), ""] for w in members]
    context = report["contexts"][instance["context"]] if "context" in instance else None
    if context:
        bars = [[names[r[0]], report["regions"][r[1]]["name"], *near([(r[2] - first) / second, (r[3] - first) / second]), r[4]] for r in context["regions"]["rows"]]
        assert [r for r in found["timeline"] if r[4] != ""] == bars[:len([r for r in found["timeline"] if r[4] != ""])]
    assert {"flat", "boxes", "path-boxes", "histogram", "timeline"} <= seen
