"""All that a report knows is on its page: each member of the JSON schema has a view that shows it, or a reason why none does.
A member that is new fails here until somebody has decided."""
import json
import random
import re

import pytest

from reports import SOURCE, Run, waitstate

SCHEMA = json.loads((SOURCE / "src/report/report.schema.json").read_text())

# The members of the report: the view that shows each, or why none does.
MEMBERS = {
    "format": "checked before anything is shown", "version": "checked before anything is shown", "waitstate_version": "summary",
    "trace": "trace", "totals": "summary", "efficiency": "summary", "factors": "summary", "missing_locations": "summary", "focus": "summary",
    "patterns": "summary", "paradigms": "trace", "system_tree": "trees", "processes": "trees", "hosts": "trace", "locations": "trace",
    "regions": "trace", "programs": "trace", "communicators": "trace", "cart_dimensions": "topology", "cart_topologies": "topology",
    "call_tree": "trees", "metrics": "trees", "severities": "trees", "waits": "statistics", "open_calls": "summary", "deadlocks": "summary", "waiting_culprits": "matrix",
    "never_ended": "summary", "counters": "counters", "wait_groups": "matrix", "problems": "summary", "problems_note": "summary",
    "series": "time", "critical_segments": "path", "phases": "phases", "contexts": "timeline", "communication": "communication",
    "queues": "trace", "software_counters": "trace", "unanswered": "summary", "events_by_type": "trace", "diagnostics": "trace",
    "diagnostic_pairs": "trace",
}
# Members of objects in it that no view shows as they are, and why.
NOT_SHOWN = {
    "Clock.offset": "all times are since the first event", "Clock.realtime_ns": "shown as the date of the trace",
    "Totals.first_time": "all times are since the first event", "Totals.last_time": "the end of the axes of time",
    "Totals.collectives": "the table of collective operations has them by kind",
    "Efficiency.time": "the trees have it", "Efficiency.run_time": "the longest location in the trees", "Efficiency.units": "the trees have them",
    "IdealMachine.mpi_communication_efficiency": "the product of two that are shown", "IdealMachine.mpi_load_balance": "beside load balance",
    "IdealMachine.mpi_parallel_efficiency": "a product of others", "IdealMachine.openmp_efficiency": "a quotient of others",
    "ParadigmDefinition.paradigm": "its name is shown", "SystemTreeNode.domains": "hosts follow from them",
    "Process.type": "accelerators are recognised by their names", "Process.creator": "streams have their owner in their names",
    "Process.rank": "hosts have them", "Host.processes": "their ranks are shown",
    "Communicator.members": "only kept for topologies, which show them", "CartDimension.periodic": "neighbours at the edges are not drawn",
    "Metric.plugin": "a pattern of a plug-in is shown like others", "Metric.kind": "decides which metrics are wait states",
    "Metric.aggregation": "decides how values are put together", "Metric.share": "the unit per cent of the trees",
    "Metric.share_without_init_exit": "the unit per cent of the trees", "Metric.within_parent": "is the words \"of which\"",
    "Metric.siblings": "decides what an open node's value is without",
    "WaitStatistics.variance": "quartiles say more of waits, which are never distributed normally",
    "WaitPair.count": "the matrix has times; instances and statistics have numbers",
    "Counter.timing": "decides how values are weighted", "Counter.scale": "values are multiplied by it", "CounterRow.weight": "the mean is shown",
    "Problem.told": "the sentence says it", "Problem.share": "the sentence says it", "Problem.location": "the sentence says it",
    "Problem.culprit": "the sentence says it", "Problem.culprit_callpath": "the sentence says it",
    "Problem.value_of": "decides what its button selects", "Problem.function": "decides what its button selects",
    "Problem.scope": "decides what its button selects",
    "SevereInstance.context": "the timeline draws it", "WaitContext.from": "the timeline's limits", "WaitContext.to": "the timeline's limits",
    "ContextMessage.communicator": "the arrow has bytes and tag", "MessageQueues.from": "the axis of its table", "MessageQueues.to": "the axis of its table",
    "QueueProfile.least": "the longest stay and the sum are shown", "QueueProfile.search_total": "the deepest search is shown",
    "QueueProfile.source_total": "the deepest search is shown", "ProcessQueues.parts": "those of all processes together are shown",
    "WaitChain.waited_share": "the sentence of the chain says it", "ChainCause.ticks": "its share is shown",
    "Region.canonical_name": "trace", "CulpritCallPath.count": "matrix",
}


def test_every_member_has_a_view_or_a_reason():
    assert set(MEMBERS) == set(SCHEMA["properties"])
    objects = {name: set(d["properties"]) for name, d in SCHEMA["$defs"].items() if "properties" in d}
    unknown = {m for m in NOT_SHOWN if m.split(".")[0] in objects and m.split(".")[1] not in objects[m.split(".")[0]]}
    assert unknown == set()  # a reason for what is gone
    page = SOURCE / "src/report/page/src"
    read = set(re.findall(r"\w+", " ".join(f.read_text() for f in page.rglob("*.ts*") if f.name != "report_types.ts")))
    members = {f"{name}.{member}" for name, all_of in objects.items() for member in all_of}
    assert sorted(m for m in members - set(NOT_SHOWN) if m.split(".")[1] not in read) == []


# The texts of objects: each is replaced by one that occurs nowhere else, and must be on the page.
TEXTS = {
    "trace": [("trace", "description"), ("trace", "trace_id"), ("trace", "otf2_version"), ("trace", "properties", 0, "value"), ("hosts", 0, "name"),
              ("paradigms", 0, "name"), ("communicators", 1, "name"), ("regions", 0, "description"), ("software_counters", 0, "meaning"),
              ("diagnostics", 0, "sentence"), ("diagnostics", 0, "places", 0, "text"), ("processes", 0, "properties", 0, "value")],
    "summary": [("trace", "creator"), ("trace", "machine"), ("patterns", 0, "parameters", 0, "value"), ("problems", 0, "sentence"),
                ("problems", 0, "advice"), ("unanswered", 0, "sentence"), ("never_ended", 0), ("factors", 0, "formula"), ("factors", 0, "source"),
                ("diagnostics", 1, "places", 0, "text")],
}


@pytest.fixture(scope="module")
def marked(folder):
    """A report that has something of everything, with texts of its own."""
    run = Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path,mpi_posted_count")
    report = run.json
    report["processes"][0]["properties"] = [{"name": "WAITSTATE::CVAR::x", "value": ""}]
    report["patterns"][0]["parameters"] = [{"name": "x", "value": ""}]
    report["unanswered"] = [{"metric": "mpi_latesender", "sentence": ""}]
    for n, severity in enumerate(("note", "loss")):
        report["diagnostics"][n].update(count=77 + n, severity=severity, places=[{"location": 1, "time": None, "text": ""}])
    report["missing_locations"] = [{"location": 2, "from": None}, {"location": 3, "from": report["totals"]["last_time"]}]
    call = report["locations"][0]
    report["open_calls"] = [
        {"location": 0, "callpath": 3, "region": report["call_tree"][3]["region"], "enter": call["last_time"],
         "waits": [{"kind": "receive", "communicator": 1, "target": None, "tag": 4711, "whom": [1], "any": False}],
         "unreceived": [{"sender": 3, "communicator": 1, "tag": 815, "count": 12}]},
        {"location": 1, "callpath": 3, "region": report["call_tree"][3]["region"], "enter": call["last_time"],
         "waits": [{"kind": "send", "communicator": 1, "target": None, "tag": 1, "whom": [0], "any": False}]}]
    report["deadlocks"] = [[0, 1]]
    report["never_ended"] = [""]
    report["diagnostic_pairs"]["rows"] = [["message_clock_violation", 0, 1, 4242, 1]]
    random.seed(3)
    texts = {}
    for view, paths in TEXTS.items():
        for path in paths:
            texts[view, path] = "mark" + "".join(random.choices("abcdefghij", k=12))
            place = report
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = texts[view, path] if path[-1] != "trace_id" else texts[view, path]
    return run, report, texts


def test_texts_and_numbers_are_on_the_page(browser, marked, folder):
    """The marked report is put into the data of a page, since waitstate computes parts of it again when it writes one."""
    import base64
    import zlib

    run, report, texts = marked
    report.pop("severities")
    packed = base64.b64encode(zlib.compress(json.dumps(report).encode())).decode()
    page = folder / "marked.html"
    page.write_text(re.sub(r'(id="s:meta">).*?(</script>)', lambda m: m.group(1) + packed + m.group(2), run.page.read_text(), count=1, flags=re.S))
    for view in TEXTS:
        browser.open(page, f"#v={view}&m=mpi_latesender")
        shown = browser.script("document.querySelectorAll('details').forEach(d => d.open = true); return document.querySelector('main').textContent")
        assert [path for (at, path), mark in texts.items() if at == view and mark not in shown] == [], view
        if view == "summary":
            for part in ("MPI Rank 2: all of its events", "MPI Rank 3: its events from", "78 \u00d7 ", "12 from MPI Rank 3 (tag 815",
                         "a message from MPI Rank 1 (tag 4711", "orange ones are a deadlock"):
                assert part in shown, part
            assert shown.index("This run did not end") < shown.index("Where the time is lost")
            heads, rows = browser.table("open-calls")
            assert [r[:2] for r in rows] == [["MPI Rank 0", "MPI Rank 1"], ["MPI Rank 1", "MPI Rank 0"]]
        else:
            for part in ("77 \u00d7 ", "4,242", "posted receives", *report["events_by_type"], *(c["name"] for c in report["software_counters"])):
                assert part in shown, part
    assert browser.complaints() == []


def test_a_hung_run_says_so_first(browser, folder):
    """Who waits for whom stands before everything else, as the text report has it, and as a picture."""
    ranks = range(6)
    members = ",".join(map(str, ranks))
    lines = [f'process {r} type=process name="MPI Rank {r}"' for r in ranks]
    lines += [f'location {r} process={r} properties=(WAITSTATE::WAITS.0=string:"5 MPI_Recv receive comm=0 peer={(r + 1) % 6} tag=7")' for r in ranks]
    lines += [f"group 0 type=comm_locations paradigm=mpi members=({members})", f"group 1 type=comm_group paradigm=mpi members=({members})",
              "comm 0 group=1 name=MPI_COMM_WORLD"]
    lines += [line for r in ranks for line in (f"{r} 1 enter main", f"{r} 5 enter MPI_Recv")]
    trace = folder / "hung.trace"
    trace.write_text("\n".join(lines) + "\n")
    page = folder / "hung.html"
    waitstate("analyze", trace, "-o", page)
    browser.open(page)
    sentences = browser.script("return [...document.querySelectorAll('main h2, main li')].slice(0, 3).map(e => e.textContent)")
    assert sentences[0] == "This run did not end" and sentences[2].startswith("Never ended: 6 processes still wait")
    assert sentences[1] == "Deadlock: rank 0 waits for rank 1, rank 1 for rank 2, rank 2 for rank 3, rank 3 for rank 4, rank 4 for rank 5, and rank 5 for rank 0."
    flat = " ".join(waitstate("analyze", trace).split())
    assert sentences[1] in flat
    _, rows = browser.table("open-calls")
    assert sorted(r[:2] for r in rows) == [[f"MPI Rank {r}", f"MPI Rank {(r + 1) % 6}"] for r in ranks]
    orange = browser.script("""
      const c = document.querySelector('#chart-open-calls canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] === 0xd5 && d[i + 1] === 0x5e && d[i + 2] === 0; return n""")
    assert orange > 500
    assert browser.complaints() == []
