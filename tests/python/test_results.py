"""waitstate.analyze() and its result. Long because each attribute has its own few lines."""

import csv
import inspect
import io
import json
import os
import pathlib
import subprocess
import sys
import threading
from collections import Counter

import numpy as np
import pytest

import waitstate
from conftest import SOURCE

P2P = SOURCE / "traces" / "p2p"


@pytest.fixture(scope="module")
def result():
    return waitstate.analyze(P2P)


def waits_in(result, metric):
    """Causes and instances with the names of call paths, whose numbers a report may change."""
    waits = result.waits[metric]

    def path(callpath):
        return "" if callpath is None else callpath.path

    def number(location):
        return -1 if location is None else location.id

    def own(wait):
        return () if wait is None else (wait.ticks, wait.most_ticks, number(wait.culprit), path(wait.callpath))

    return (sorted((path(c.callpath), number(c.culprit), c.count, c.ticks) for c in waits.causes),
            sorted((path(i.callpath), i.total_ticks, i.waiters, number(i.longest.location), i.longest.begin,
                    own(i.culprit_wait)) for i in waits.instances))


def texts(result):
    return [(row.metric.id, row.callpath.path, row.location.id, row.value) for row in result.rows()]


def test_what_culprits_waited_themselves(tmp_path):
    trace = tmp_path / "chain.txt"
    trace.write_text("0 0 enter main\n0 10 enter MPI_Recv\n0 110 recv src=1 tag=1 com=0 len=8\n0 115 exit\n"
                     "1 0 enter main\n1 20 enter MPI_Recv\n1 92 recv src=2 tag=1 com=0 len=8\n1 95 exit\n"
                     "1 100 enter MPI_Send\n1 102 send dest=0 tag=1 com=0 len=8\n1 105 exit\n"
                     "2 0 enter main\n2 90 enter MPI_Send\n2 91 send dest=1 tag=1 com=0 len=8\n2 93 exit\n")
    result = waitstate.analyze(trace)
    late, none = result.instances("mpi_latesender")
    assert late.callpath.path == late.culprit_wait.callpath.path == "main/MPI_Recv"
    assert (late.culprit_wait.ticks, late.culprit_wait.most_ticks, late.culprit_wait.culprit) == (70, 70, 2)
    assert (none.culprit_wait.ticks, none.culprit_wait.culprit, none.culprit_wait.callpath) == (0, None, None)
    assert all(i.culprit_wait is None for i in result.instances("mpi_finalize_wait"))
    result.write(tmp_path / "chain.json")
    again = waitstate.open_report(tmp_path / "chain.json")
    assert waits_in(again, "mpi_latesender") == waits_in(result, "mpi_latesender")


def test_who_still_waits_when_the_trace_ends(result, tmp_path):
    assert result.open_calls == []
    trace = tmp_path / "hung.txt"
    trace.write_text("0 0 enter main\n0 10 enter MPI_Recv\n1 0 enter main\n1 12 enter MPI_Recv\n")
    hung = waitstate.analyze(trace)
    hung.write(tmp_path / "hung.json")
    for report in (hung, waitstate.open_report(tmp_path / "hung.json")):
        assert [(o.location, o.callpath.path, o.region, o.enter)
                for o in report.open_calls] == [(0, "main/MPI_Recv", "MPI_Recv", 10), (1, "main/MPI_Recv", "MPI_Recv", 12)]
        assert [o.waits for o in report.open_calls] == [[], []] and report.deadlocks == []
        assert "Never ended: 2 processes still wait in calls" in report.text()


def test_who_wait_for_each_other_when_the_trace_ends(tmp_path):
    trace = tmp_path / "hung.txt"
    trace.write_text("0 0 enter main\n0 10 enter MPI_Send\n0 10 send dest=1 tag=3 com=0 len=8\n"
                     "1 0 enter main\n1 12 enter MPI_Ssend\n1 12 send dest=0 tag=4 com=0 len=8\n")
    hung = waitstate.analyze(trace)
    hung.write(tmp_path / "hung.json")
    for report in (hung, waitstate.open_report(tmp_path / "hung.json")):
        assert [(w.kind, w.whom, w.tag, w.any) for o in report.open_calls for w in o.waits] == \
            [("send", [1], 3, False), ("send", [0], 4, False)]
        assert report.deadlocks == [[0, 1]]
        assert "Deadlock: rank 0 waits for rank 1, and rank 1 for rank 0." in report.text()


def test_rows_arrays_and_frames_agree(result):
    dense = result.array()
    assert dense.shape == (len(result.metrics), len(result.call_paths), len(result.locations)) and dense.dtype == np.int64
    rebuilt = np.zeros_like(dense)
    for row in result.rows():
        rebuilt[row.metric.index, row.callpath.id, row.location.id] = row.value
    assert np.array_equal(dense, rebuilt)
    assert np.array_equal(result.array("mpi_latesender"), dense[result.metric("mpi_latesender").index])
    assert result.total("mpi_latesender") == dense[result.metric("mpi_latesender").index].sum() > 0
    assert np.array_equal(result.by_location("time"), result.array("time").sum(axis=0))
    assert np.array_equal(result.by_callpath("time"), result.array("time").sum(axis=1))


def test_inclusive_is_exclusive_summed_along_the_metric_tree(result):
    exclusive, inclusive = result.array(inclusive=False), result.array()
    for metric in result.metrics:
        below = [m for m in result.metrics if m.parent == metric and not m.within_parent]
        shares = [m for m in result.metrics if m.parent == metric and m.within_parent]
        total = exclusive[metric.index] + sum(inclusive[m.index] for m in below)
        assert np.array_equal(total, inclusive[metric.index]), metric.id
        for share in shares:
            if metric.unit == share.unit == "sec" and metric.id == "mpi_point2point":
                assert (inclusive[share.index] <= inclusive[metric.index]).all()


def test_time_with_callees_is_the_run_time_of_each_location(result):
    time = result.with_callees(result.array("time"))
    roots = [p.id for p in result.call_paths if p.parent is None]
    assert np.array_equal(time[roots].sum(axis=0), result.by_location("time"))


def test_csv_is_what_rows_say(result):
    table = list(csv.reader(io.StringIO(result.csv())))
    assert table[0] == ["metric", "callpath", "location", "value"]
    rows = result.rows()
    assert len(table) - 1 == len(rows)
    for line, row in zip(table[1:], rows):
        assert line[:3] == [row.metric.id, row.callpath.path, str(row.location.id)]
        value = result.seconds(row.value) if row.metric.unit == "sec" else row.value
        assert float(line[3]) == pytest.approx(value, rel=1e-11)


def test_reports_open_as_the_same_object(result, tmp_path):
    for name in ("run.json", "run.cubex", "run.csv", "run.txt"):
        result.write(tmp_path / name)
    assert (tmp_path / "run.csv").read_text() == result.csv()
    assert json.loads((tmp_path / "run.json").read_text())["format"] == "waitstate"
    again = waitstate.open_report(tmp_path / "run.json")
    assert again.json() == result.json() and again.text(full=True) == result.text(full=True)
    assert texts(again) == texts(result) and set(again.waits) == set(result.waits)
    for ref in result.waits:
        found, expected = again.waits[ref], result.waits[ref]
        assert found.pairs == expected.pairs
        assert waits_in(again, ref) == waits_in(result, ref)
        for name in ("count", "sum_ticks", "maximum_ticks", "mean_ticks", "variance", "median_ticks"):  # 17 digits at most
            assert getattr(found.statistics, name) == pytest.approx(getattr(expected.statistics, name), rel=1e-12)
    cube = waitstate.open_report(tmp_path / "run.cubex")
    for metric in ("mpi_latesender", "visits", "mpi_barrier_wait"):
        expected = {(r.callpath.path, r.location.id): r.value for r in result.rows(metric)}
        found = {(r.callpath.path, r.location.id): r.value for r in cube.rows(metric)}
        assert found.keys() == expected.keys()
        for where, value in expected.items():
            in_seconds = result.seconds(value) if result.metric(metric).unit == "sec" else value
            assert (cube.seconds(found[where]) if cube.metric(metric).unit == "sec" else found[where]) == \
                pytest.approx(in_seconds, abs=1e-8)


def test_formats_that_do_not_exist_are_refused(result, tmp_path):
    with pytest.raises(waitstate.UsageError, match="tells no format: expected .csv, .json, .cubex, .html or .txt"):
        result.write(tmp_path / "run.xml")
    with pytest.raises(waitstate.UsageError, match="there is no report format 'xml'; known: text, csv, json, cubex, html"):
        result.write(tmp_path / "run", format="xml")
    with pytest.raises(waitstate.OutputError) as error:
        result.write(tmp_path / "no" / "run.csv")
    assert "run.csv" in str(error.value)
    with pytest.raises(waitstate.UsageError, match="no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?"):
        result.rows("mpi_latesendr")


def test_frames(result):
    pandas = pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert list(frame.columns) == ["metric", "unit", "callpath", "location", "rank", "value"]
    sums = frame.groupby("metric").value.sum()
    assert sums["mpi_latesender"] == pytest.approx(result.seconds(result.total("mpi_latesender")))
    assert sums["visits"] == result.total("visits")
    assert isinstance(frame, pandas.DataFrame)


def test_waits_and_the_graph_of_waits(result):
    waits = result.waits["mpi_latesender"]
    assert waits.statistics.sum_ticks == result.total("mpi_latesender") == sum(p.ticks for p in waits.pairs)
    assert waits.statistics.count == sum(p.count for p in waits.pairs)
    assert result.instances("mpi_latesender")[0].total_ticks == max(i.total_ticks for i in waits.instances)
    assert result.instances("mpi_wait_nxn") == []
    assert result.waits is result.waits and result.counters is result.counters  # made once
    graph = result.wait_graph("mpi_latesender")
    assert graph.metrics == ["mpi_latesender"]
    assert (graph.total.count, graph.total.ticks) == (waits.statistics.count, waits.statistics.sum_ticks)
    assert graph.matrix_ticks.sum() == waits.statistics.sum_ticks and len(graph) == len(graph.vertices)
    for pair in waits.pairs:
        assert graph.matrix_ticks[pair.culprit, pair.waiter] == pair.ticks
    assert "digraph" in graph.dot() and "<graphml" in graph.graphml()
    with pytest.raises(waitstate.UsageError, match="has the level 'process' or 'location', not 'core'"):
        result.wait_graph(level="core")
    two = graph.top(2)
    assert two.vertices[2].label == ("1 other" if len(graph) == 3 else f"{len(graph) - 2} others") and two.total == graph.total
    assert two.matrix_ticks.sum() == graph.matrix_ticks.sum()
    assert graph.top(99).vertices == graph.vertices


def test_the_graph_in_networkx(result):
    networkx = pytest.importorskip("networkx")
    graph = result.wait_graph()
    converted = graph.to_networkx()
    assert converted.number_of_nodes() == len(graph) and converted.number_of_edges() == len(graph.edges)
    assert sum(ticks for _, _, ticks in converted.edges(data="ticks")) == graph.total.ticks
    for index, vertex in enumerate(graph.vertices):
        node = converted.nodes[index]
        assert (node["waited_ticks"], node["caused_ticks"]) == (vertex.waited.ticks, vertex.caused.ticks)
    mine = sorted(sorted(c.members) for c in graph.components)
    theirs = sorted(sorted(c) for c in networkx.strongly_connected_components(converted) if len(c) > 1)
    assert mine == theirs


def test_choices(tmp_path):
    none = waitstate.analyze(P2P, patterns=[])
    assert none.patterns == [] and none.total("time") > 0
    one = waitstate.analyze(P2P, patterns="mpi_latesender")
    assert "mpi_latesender" in [p.id for p in one.patterns] and "mpi_latereceiver" not in [p.id for p in one.patterns]
    without = waitstate.analyze(P2P, without="mpi_latesender")
    assert not {"mpi_latesender", "mpi_latesender_wo", "mpi_latereceiver"} & {p.id for p in without.patterns}
    full = waitstate.analyze(P2P)
    part = waitstate.analyze(P2P, focus=waitstate.Focus(region="master_worker"))
    assert 0 < part.total("mpi_latesender") < full.total("mpi_latesender")
    assert {r.callpath.path.split("/")[2] for r in part.rows("mpi_latesender")} == {"master_worker"}
    only = waitstate.analyze(P2P, focus=waitstate.Focus(locations=[1]))
    assert np.flatnonzero(only.by_location("time")).tolist() == [1]
    assert np.array_equal(only.array("mpi_latesender")[:, 1], full.array("mpi_latesender")[:, 1])
    first = min(e.time for e in waitstate.EventTrace(P2P))
    window = waitstate.analyze(P2P, focus=waitstate.Focus(time=(first, first + full.duration_ticks // 2)))
    assert 0 < window.total("time") < full.total("time")
    enters = [e.time for e in waitstate.EventTrace(P2P) if e.type in ("enter", "program_begin")]
    ends = min(enters), max(enters)  # both included, as with --time
    assert waitstate.analyze(P2P, focus=waitstate.Focus(time=ends)).total("visits") == len(enters)
    assert waitstate.analyze(P2P, focus=waitstate.Focus(time=(ends[0], ends[1] - 1))).total("visits") < len(enters)
    last = first + full.duration_ticks
    assert waitstate.analyze(P2P, focus=waitstate.Focus(time=(last, last))).total("visits") == 0
    with pytest.raises(waitstate.UsageError, match="lies outside of the run, which is 0.520326 s long") as error:
        waitstate.analyze(P2P, focus=waitstate.Focus(time=(last + 1, last + 9)))
    assert f"(ticks {first} to {last})" in str(error.value)
    with pytest.raises(waitstate.UsageError, match="expected the second not to be smaller than the first"):
        waitstate.analyze(P2P, focus=waitstate.Focus(time=(last, first)))
    with pytest.raises(waitstate.UsageError, match="region"):
        waitstate.analyze(P2P, focus=waitstate.Focus(region="master_slave"))
    with pytest.raises(waitstate.UsageError, match="is not a plug-in: expected a path, a subclass of waitstate.Pattern"):
        waitstate.analyze(P2P, plugins=[3])
    with pytest.raises(waitstate.TraceError):
        waitstate.analyze(tmp_path)


def test_threads_change_nothing():
    one, four = waitstate.analyze(P2P, threads=1), waitstate.analyze(P2P, threads=4)
    assert one.json() == four.json()


def test_progress_is_told():
    seen = []
    result = waitstate.analyze(SOURCE / "traces" / "halo", progress=lambda done, announced: seen.append((done, announced)),
                               threads=1, chunk_events=512)
    assert all(0 < done <= result.events for done, _ in seen)

    def stop(done, announced):
        raise LookupError("enough")

    try:
        waitstate.analyze(SOURCE / "traces" / "halo", progress=stop, chunk_events=64,
                          patterns=[type("Slow", (waitstate.Pattern,), {"enter_callback": lambda self, e: None})])
    except LookupError as error:
        assert str(error) == "enough"  # unless it was over before the first look


def test_a_result_keeps_what_is_made_of_it():
    row = waitstate.analyze(P2P).rows("mpi_latesender")[0]
    assert row.callpath.path and row.location.process is not None


CTRL_C = """
import os, signal, threading, time, waitstate, sys
class Slow(waitstate.Pattern):
    def {callback}(self, e):
        {body}
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(100):
        waitstate.analyze(sys.argv[1], patterns=[Slow] if {with_pattern} else None)
except KeyboardInterrupt:
    sys.exit(42)
"""


@pytest.mark.parametrize("callback, body, with_pattern", [
    ("enter_callback", "time.sleep(0.001)", True), ("enter_callback", "pass", False)])
def test_ctrl_c_ends_an_analysis(callback, body, with_pattern):
    code = CTRL_C.format(callback=callback, body=body, with_pattern=with_pattern)
    done = subprocess.run([sys.executable, "-c", code, str(SOURCE / "traces" / "halo")], timeout=100)
    assert done.returncode == 42


# ---- what is asked for, and cannot be ----


@pytest.mark.parametrize("options, message", [
    ({"threads": -1}, "threads is -1, expected a whole number from 0 to 2**32 - 1"),
    ({"threads": 10**30}, f"threads is {10**30}, expected a whole number from 0 to 2**32 - 1"),
    ({"threads": "2"}, "threads is '2', expected a whole number from 0 to 2**32 - 1"),
    ({"chunk_events": 1.5}, "chunk_events is 1.5, expected a whole number from 0 to 2**32 - 1"),
    ({"region": 5}, "region is 5, expected a str"),
    ({"region": 0}, "region is 0, expected a str"),
    ({"locations": []}, "locations is empty, expected at least one, or None for all"),
    ({"locations": [-1]}, "there is no location -1: they are numbered from 0"),
    ({"locations": 1 << 32}, "there is no location 4294967296: they are numbered from 0"),
    ({"locations": 4}, "the trace has no location 4: they are numbered from 0 to 3"),
    ({"time": (0.5, 1)}, "time is (0.5, 1), expected two whole numbers of ticks: (from, to)"),
    ({"time": 7}, "time is 7, expected two whole numbers of ticks: (from, to)"),
    ({"time": (-1, 5)}, "time is (-1, 5), expected ticks as events have them, from 0 to 2**64 - 1"),
    ({"region": "late_sendr"}, "the trace has no region 'late_sendr': did you mean 'late_sender'?"),
    ({"patterns": [], "region": "late_sendr"}, "the trace has no region 'late_sendr': did you mean 'late_sender'?"),
])
def test_what_does_not_exist_is_said(options, message):
    with pytest.raises(waitstate.UsageError) as error:
        focus = {name: options[name] for name in ("region", "locations", "time") if name in options}
        choices = {name: value for name, value in options.items() if name not in focus}
        waitstate.analyze(P2P, focus=waitstate.Focus(**focus), **choices)
    assert str(error.value) == message


@pytest.mark.parametrize("options, message", [
    ({"focus": "solve"}, "focus is 'solve', expected a waitstate.Focus"),
    ({"keep": True}, "keep is True, expected a waitstate.Keep"),
])
def test_groups_of_choices_have_classes(options, message):
    with pytest.raises(waitstate.UsageError, match=f"^{message}$"):
        waitstate.analyze(P2P, **options)
    with pytest.raises(waitstate.UsageError, match="^phase is 5, expected a str$"):
        waitstate.Keep(phase=5)


@pytest.mark.parametrize("path", [f"{P2P}\0x", "\0", "a\0.py", pathlib.Path("a\0.json")])
def test_paths_with_a_nul_character_are_refused(result, path):
    for use in (waitstate.analyze, waitstate.EventTrace, waitstate.open_report, result.write, waitstate.patterns,
                lambda p: result.write(p, format="json")):
        with pytest.raises(waitstate.UsageError) as error:
            use(path)
        assert str(error.value) == f"the path {str(path)!r} has a NUL character, expected a name that a file can have"
    with pytest.raises(waitstate.UsageError, match=r"^the path b'a\\x00' has a NUL character"):
        waitstate.EventTrace(b"a\0")
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not int"):
        waitstate.EventTrace(5)


def test_names_with_a_nul_character_are_told_as_a_whole():
    with pytest.raises(waitstate.UsageError, match=r"^the trace has no region 'a\\0b'$"):
        waitstate.analyze(P2P, focus=waitstate.Focus(region="a\0b"))


def test_what_is_no_text_is_there_as_in_names_of_files(tmp_path):
    """Paths, regions, counters and units with bytes that are not UTF-8."""
    path = os.fsencode(tmp_path) + b"/tr\xe4ce.trace"
    with open(path, "wb") as file:
        file.write(b'metric_member 0 name="\xb5J" unit="\xb5J" value=uint64\nmetric 0 members=(0)\n'
                   b'0 0 metric metric=0 values=(uint64:0)\n0 0 enter "f\xfcr"\n'
                   b"0 5 metric metric=0 values=(uint64:3)\n0 9 exit\n")
    for given in (path, os.fsdecode(path), pathlib.Path(os.fsdecode(path))):
        result = waitstate.analyze(given, focus=waitstate.Focus(region="f\udcfcr"))
        assert result.path == os.fsdecode(path) and result.total("time") == 9
    assert [row.callpath.path for row in result.rows("time")] == ["f\udcfcr"]
    counter, = result.counters.values()
    assert (counter.metric.id, counter.metric.title, counter.unit) == ("_J", "\udcb5J", "\udcb5J")
    assert os.fsdecode(path).replace("\udce4", "?") in result.text(full=True)
    report = os.fsencode(tmp_path) + b"/rep\xf6rt.json"
    for given in (report, os.fsdecode(report)):
        result.write(given)
        assert waitstate.open_report(given).total("_J") == 3
    missing = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    for use in (waitstate.analyze, waitstate.EventTrace, waitstate.open_report):
        with pytest.raises(waitstate.TraceError) as error:
            use(missing)
        assert error.value.path == missing and str(error.value).startswith(missing + ": no such file")
    with pytest.raises(waitstate.OutputError, match="\udcff/a.json"):
        result.write(missing + "/a.json")
    with pytest.raises(waitstate.UsageError, match="^the trace has no region 'g\udcfcr'"):
        waitstate.analyze(path, focus=waitstate.Focus(region="g\udcfcr"))
    plugin = os.fsdecode(os.fsencode(tmp_path) + b"/pl\xfcgin.py")
    with pytest.raises(waitstate.UsageError, match="pl\udcfcgin.py': there is no such file"):
        waitstate.patterns(plugins=plugin)
    pathlib.Path(plugin).write_text("import waitstate\nclass Mine(waitstate.Pattern):\n    def wrapup(self): pass\n")
    assert waitstate.patterns(plugins=plugin)[-1]["origin"] == plugin


def test_threads_that_write_the_same_file_write_it_whole(result, tmp_path):
    path, failures = tmp_path / "run.json", []
    other = waitstate.analyze(SOURCE / "traces" / "halo")
    whole = {result.json(), other.json()}

    def write(written):
        try:
            for _ in range(20):
                written.write(path)
                assert path.read_text() in whole
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(written,)) for written in (result, other, result, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and list(tmp_path.iterdir()) == [path]


def test_without_patterns_the_same_is_chosen(result):
    chosen = {"focus": waitstate.Focus(region="late_sender", locations=result.locations[1])}
    nothing, all_patterns = waitstate.analyze(P2P, patterns=[], **chosen), waitstate.analyze(P2P, **chosen)
    assert 0 < nothing.total("time") == all_patterns.total("time") < result.total("time")
    assert not nothing.waits and list(np.flatnonzero(nothing.by_location("time"))) == [1]


def test_metrics_by_number(result):
    assert result.total(result.metrics[0].index) == result.total("time")
    for number in (999, -999):
        with pytest.raises(waitstate.UsageError, match=f"there is no metric {number}: they are numbered from 0 to "):
            result.total(number)


def test_minima_and_maxima_of_reports_do_not_add_up(tmp_path):
    (tmp_path / "run.trace").write_text("0 0 enter main\n0 10 enter foo\n0 30 exit\n0 100 exit\n"
                                        "1 0 enter main\n1 40 enter foo\n1 45 exit\n1 200 exit\n")
    waitstate.analyze(tmp_path / "run.trace").write(tmp_path / "run.json")
    report = json.loads((tmp_path / "run.json").read_text())
    # Times of main and foo: exclusive 80 and 20 on location 0, 195 and 5 on location 1.
    own = report["severities"]["comp"]
    for name, extreme, total in (("max_time", "maximum", 195), ("min_time", "minimum", 5)):
        report["metrics"].append({"id": name, "title": "", "summary": "", "unit": "ticks", "within_parent": False,
                                  "kind": "other", "plugin": False, "aggregation": extreme, "parent": None, "total": total,
                                  "total_without_init_exit": total})
        report["severities"][name] = own
    (tmp_path / "extremes.json").write_text(json.dumps(report))
    result = waitstate.open_report(tmp_path / "extremes.json")
    assert [result.metric(m).aggregation for m in ("time", "max_time", "min_time")] == ["sum", "maximum", "minimum"]
    assert [result.total(m) for m in ("time", "max_time", "min_time")] == [300, 195, 5]
    assert result.by_location("max_time").tolist() == [80, 195]
    assert result.by_location("min_time").tolist() == [20, 5]
    assert result.by_callpath("max_time").tolist() == [195, 20]
    assert result.by_callpath("min_time").tolist() == [80, 5]
    result.write(tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text())["metrics"]
    assert [{key: metric[key] for key in given} for metric, given in zip(again, report["metrics"])] == report["metrics"]
    report["metrics"][-1]["total"] = 6
    (tmp_path / "extremes.json").write_text(json.dumps(report))
    with pytest.raises(waitstate.TraceError, match="total"):
        waitstate.open_report(tmp_path / "extremes.json")


def test_ticks_of_reports_differ_and_seconds_do_not(result, tmp_path):
    for ending, digits in (("json", 15), ("cubex", 8)):
        result.write(tmp_path / f"r.{ending}")
        opened = waitstate.open_report(tmp_path / f"r.{ending}")
        assert opened.seconds(opened.total("mpi_latesender")) == pytest.approx(
            result.seconds(result.total("mpi_latesender")), rel=10.0 ** -digits)
    assert opened.definitions.clock.resolution == 10 ** 9 != result.definitions.clock.resolution
    result.write(tmp_path / "r.csv")
    with pytest.raises(waitstate.TraceError, match="found a CSV report, which does not hold everything"):
        waitstate.open_report(tmp_path / "r.csv")


# ---- shares, efficiency, titles ----

def close(found, expected):
    return found is expected is None or found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("trace", ["p2p", "coll", "hybrid_waits", "omp_waits", "rma_waits", "shmem_waits", "eztrace_late", "lammps"])
@pytest.mark.parametrize("reopened", [False, True])
def test_shares_and_efficiency_are_those_of_the_json_report(trace, reopened, tmp_path):
    result = waitstate.analyze(SOURCE / "traces" / trace)
    if reopened:
        result.write(tmp_path / "run.json")
        result = waitstate.open_report(tmp_path / "run.json")
    report = json.loads(result.json())
    for metric in report["metrics"]:
        assert close(result.share(metric["id"]), metric["share_without_init_exit"]), metric["id"]
        assert close(result.share(metric["id"], whole=True), metric["share"]), metric["id"]
    for whole, scope in ((False, "without_init_exit"), (True, "whole")):
        found, expected = result.efficiency(whole=whole), report["efficiency"][scope]
        assert (found.time_ticks, found.run_time_ticks, found.over, found.units, found.left_out, found.unknown) == (
            expected["time"], expected["run_time"], expected["over"], expected["units"], expected["left_out"], expected["unknown"])
        assert close(found.parallel_efficiency, expected["parallel_efficiency"])
        assert close(found.load_balance, expected["load_balance"])
        assert close(found.communication_efficiency, expected["communication_efficiency"])
        assert (found.parallel_efficiency is None) == bool(found.unknown)


@pytest.mark.parametrize("reopened", [False, True])
def test_the_ideal_machine_is_that_of_the_json_report(reopened, tmp_path):
    result = waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["mpi_ideal_wait"])
    if reopened:
        result.write(tmp_path / "run.json")
        result = waitstate.open_report(tmp_path / "run.json")
    report = json.loads(result.json())
    for whole, scope in ((False, "without_init_exit"), (True, "whole")):
        found, expected = result.ideal_machine(whole=whole), report["efficiency"][scope]["ideal_machine"]
        assert close(found.serialisation_efficiency, expected["serialisation_efficiency"])
        assert close(found.transfer_efficiency, expected["transfer_efficiency"])
        assert close(found.mpi_communication_efficiency, expected["mpi_communication_efficiency"])
        assert found.mpi_communication_efficiency == pytest.approx(found.serialisation_efficiency * found.transfer_efficiency)
        assert (found.ideal_run_time_ticks, found.balanced_run_time_ticks, found.bound, found.unknown) == (
            expected["ideal_run_time"], expected["balanced_run_time"], expected["bound"], expected["unknown"])
        assert 0 < found.serialisation_efficiency <= 1 and 0 < found.transfer_efficiency <= 1 and found.openmp_efficiency == 1
    assert waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["mpi_latesender"]).ideal_machine() is None


def test_shares_and_efficiency_are_those_of_the_summary(result):
    text = " ".join(result.text().split())
    assert f"Late Sender (mpi_latesender): 273.3 ms, {100 * result.share('mpi_latesender'):.1f} % of the time" in text
    e = result.efficiency()
    assert (f"parallel {100 * e.parallel_efficiency:.1f} % (mean computation of {e.over} / run time) = load balance "
            f"{100 * e.load_balance:.1f} % (mean / largest computation) x communication {100 * e.communication_efficiency:.1f} %") in text
    assert e.parallel_efficiency == pytest.approx(e.load_balance * e.communication_efficiency) and e.unknown == "" and e.units == 4
    whole = result.efficiency(whole=True)
    assert whole.parallel_efficiency < e.parallel_efficiency and whole.time_ticks == result.total("time") > e.time_ticks
    assert result.share("mpi_latesender", whole=True) == result.total("mpi_latesender") / result.total("time")
    assert result.share("mpi_latesender") == result.total("mpi_latesender") / e.time_ticks
    assert result.share("visits") is None


def test_why_the_efficiency_is_unknown(tmp_path):
    trace = tmp_path / "one.trace"
    trace.write_text("0 0 enter main\n0 5 enter MPI_Barrier\n0 7 exit\n0 9 exit\n")
    e = waitstate.analyze(trace).efficiency()
    assert e.unknown == "there is only one process"
    assert (e.parallel_efficiency, e.load_balance, e.communication_efficiency, e.run_time_ticks) == (None, None, None, None)
    assert e.time_ticks == 9
    trace.write_text("location 0\n")
    assert waitstate.analyze(trace).efficiency(whole=True).unknown == "no time was recorded"
    assert waitstate.analyze(trace).share("time") is None


@pytest.mark.parametrize("name", ["Late Sender", "late sender", "LATE SENDER", "mpi_latesender"])
def test_metrics_by_title(result, name):
    assert result.metric(name).id == "mpi_latesender"
    assert result.total(name) == result.total("mpi_latesender") and result.share(name) == result.share("mpi_latesender")
    assert (result.array(name) == result.array("mpi_latesender")).all()
    assert result.instances(name) == result.instances("mpi_latesender")
    assert result.wait_graph(name).metrics == result.wait_graph("mpi_latesender").metrics


@pytest.mark.parametrize("name", ["latesender", "Late Sendr", "mpi latesender", "LateSender"])
def test_near_misses_of_metrics(result, name):
    with pytest.raises(waitstate.UsageError, match=f"^no metric has the id '{name}': did you mean 'mpi_latesender'\\?$"):
        result.metric(name)


# ---- what is in reach ----

def parts_of(one):
    """The objects that an object leads to: its attributes, or the first few of its elements."""
    if isinstance(one, dict):
        return list(one.values())[:3]
    if isinstance(one, (list, tuple, waitstate.Rows)):
        return one[:3]
    if not type(one).__module__.startswith("waitstate"):
        return []
    return [getattr(one, name) for name in dir(type(one))
            if not name.startswith("_") and isinstance(inspect.getattr_static(type(one), name), property)]


@pytest.mark.parametrize("trace, patterns", [("p2p", ["all", "critical_path", "mpi_posted_count", "mpi_ideal_wait"]), ("rma", None),
                                             ("hybrid_waits", None)])
def test_everything_in_reach_of_a_result_is_public_and_shows_itself(trace, patterns):
    result = waitstate.analyze(SOURCE / "traces" / trace, patterns,
                               keep=waitstate.Keep(details=True, contexts=True, series=True, phase="main"))
    found, of_class = [result, result.wait_graph()], Counter()
    while found:
        one = found.pop()
        cls = type(one)
        if of_class[cls] == 20:
            continue
        of_class[cls] += 1
        assert not cls.__name__.startswith("_"), one
        assert " at 0x" not in repr(one) and cls.__module__ != "waitstate._core", one
        found.extend(parts_of(one))
    assert len(of_class) > 40 and waitstate.WaitSummary in of_class and waitstate.Location in of_class


def test_one_class_for_one_thing():
    """Locations, call paths and metrics are objects wherever they stand, and are understood as numbers."""
    result = waitstate.analyze(P2P, keep=waitstate.Keep(details=True))
    worst = result.instances("mpi_latesender")[0]
    assert worst.longest.location is result.locations[worst.longest.location.id]
    assert worst.callpath is worst.longest.callpath is result.call_paths[worst.callpath.id]
    assert result.problems[0].metric == result.metric(result.problems[0].metric.id)
    assert result.by_location("mpi_latesender")[worst.longest.location] > 0
    assert repr(worst.longest).startswith("<Wait ")
    pairs = result.waits["mpi_latesender"].pairs
    assert repr(pairs) == f"<Rows of {len(pairs)} WaitPair>" and pairs[-1] == list(pairs)[-1] and pairs[:2] == list(pairs)[:2]
    with pytest.raises(IndexError, match=f"there are {len(pairs)} WaitPair"):
        pairs[len(pairs)]
