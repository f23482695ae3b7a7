"""Results with details, series, contexts and phases: the same as their JSON report, and the same again when it is
opened."""
import itertools
import json

import numpy
import pytest
import waitstate

from conftest import SOURCE

TRACE = SOURCE / "traces" / "p2p"


@pytest.fixture(scope="module")
def result():
    return waitstate.analyze(TRACE, keep=waitstate.Keep(details=True, series=True, contexts=True, phase="main"))


@pytest.fixture(scope="module")
def document(result):
    return json.loads(result.json())


def number(result, index):
    """Of the report's call path, in the result."""
    return result.depth_first[index]


def attributes(one):
    """The attributes of an object of a result by name, in the order of the report."""
    return {name: getattr(one, name) for name, value in vars(type(one)).items() if isinstance(value, property)}


def values(rows):
    """The values of a table; call paths are compared by number."""
    return [list(attributes(row).values()) for row in rows]


def test_instances(result, document):
    compared = 0
    for ref, waits in document["waits"].items():
        places = {}
        for one in waits["instances"]:
            callpath = number(result, one["callpath"])
            place = places[callpath] = places.get(callpath, -1) + 1
            found = [i for i in result.waits[ref].instances if i.callpath == callpath][place]
            assert [m.ticks for m in found.members] == [m["ticks"] for m in one.get("members", [])]
            assert found.members_left_out == one.get("members_left_out", 0)
            assert (None if found.cause is None else attributes(found.cause)) == one.get("cause")
            assert found.context == (None if "context" not in one else result.contexts[one["context"]])
            compared += found.cause is not None
    assert compared > 3


def test_causes(tmp_path):
    one = waitstate.analyze(TRACE, ["all", "critical_path"])
    written = json.loads(one.json())
    chains = [i.chain for w in one.waits.values() for i in w.instances if i.chain is not None]
    assert len(chains) == sum("chain" in i for w in written["waits"].values() for i in w["instances"]) > 20
    for chain in chains:
        assert [s.culprit for s in chain.steps][:-1] == [s.location for s in chain.steps][1:]
        assert chain.steps[0].share == 1 and 0 <= chain.root_share + chain.waited_share <= 1.000001
        if chain.end == "work":
            assert "MPI" not in chain.root.name
    path = one.critical_path
    assert sum(s.ticks for s in path.segments) == path.ticks == one.total("critical_path")
    assert [s.begin for s in path.segments] == sorted(s.begin for s in path.segments)
    assert [[s.location, s.begin, s.end, s.ticks, s.callpath_ticks, s.crossing] for s in path.segments] == [
        row[:4] + row[5:7] for row in written["critical_segments"]["segments"]["rows"]]
    one.write(tmp_path / "one.json")
    again = waitstate.open_report(tmp_path / "one.json")
    assert again.critical_path.ticks == path.ticks and len(again.critical_path.segments) == len(path.segments)
    steps = [sorted(len(i.chain.steps) for w in r.waits.values() for i in w.instances if i.chain) for r in (one, again)]
    assert steps[0] == steps[1]


def test_durations(result, document):
    assert document["waits"]
    for ref, waits in document["waits"].items():
        found = result.waits[ref]
        assert values(found.histogram) == waits["histogram"]["rows"]
        assert sum(c.count for c in found.histogram) == found.statistics.count
        rows = [[c.callpath, c.count, c.sum_ticks] for c in found.by_callpath]
        assert rows == [[number(result, row[0]), *row[1:3]] for row in waits["by_callpath"]["rows"]]


def test_series(result, document):
    series, written = result.series, document["series"]
    assert [series.start, series.bin_ticks, series.bins_per_group_bin] == [
        written["start"], written["bin_ticks"], written["bins_per_group_bin"]]
    assert [list(group) for group in series.groups] == written["groups"]
    assert list(series.metrics) == list(written["metrics"])
    for ref, metric in written["metrics"].items():
        found = series.metrics[ref]
        assert found.ticks.tolist() == metric["ticks"]
        assert found.ticks.sum() + found.without_time_ticks == result.total(ref, inclusive=False)
        assert sum(row.ticks.sum() for row in found.groups) == found.ticks.sum()
        assert [(row.group, row.ticks.tolist()) for row in found.groups] == [
            (row["group"], row["ticks"]) for row in metric["groups"]]


def test_communication(result, document):
    found, written = result.communication, document["communication"]
    assert values(found.pairs) == written["pairs"]["rows"]
    assert values(found.sizes) == written["sizes"]["rows"]
    assert values(found.collectives) == written["collectives"]["rows"]
    columns = found.pairs.columns()
    assert columns["messages"].dtype == numpy.int64 and columns["messages"].sum() == result.messages
    assert numpy.array(list(columns.values())).T.tolist() == written["pairs"]["rows"]


def test_contexts(result, document):
    assert len(result.contexts) == len(document["contexts"]) > 0
    for found, written in zip(result.contexts, document["contexts"]):
        assert [[None if v is None else v.id if k == "region" else v for k, v in attributes(i).items()] for i in found.regions] == written["regions"]["rows"]
        assert values(found.messages) == written["messages"]["rows"]
        for interval in found.regions:
            assert found.begin <= interval.enter < interval.exit <= found.end
            assert interval.location in found.locations


def test_transfers_of_contexts(tmp_path):
    result = waitstate.analyze(SOURCE / "traces" / "rma", keep=waitstate.Keep(details=True, contexts=True))
    document = json.loads(result.json())
    assert sum(len(c.transfers) for c in result.contexts) > 10
    for found, written in zip(result.contexts, document["contexts"], strict=True):
        rows = written.get("transfers", {"rows": []})["rows"]
        assert values(found.transfers) == rows
        for t in found.transfers:
            assert found.begin <= t.started < found.end and {t.origin, t.target} <= set(found.locations)
            assert t.completed is None or t.started <= t.completed < found.end
    result.write(tmp_path / "run.json")
    assert waitstate.open_report(tmp_path / "run.json").contexts == result.contexts


def test_problems(result, document):
    assert result.problems and result.problems_note == ""
    for found, written in zip(result.problems, document["problems"], strict=True):
        assert (found.location, found.culprit) == (written["location"], written["culprit"])
        place = written["culprit_callpath"]
        assert found.culprit_callpath == (None if place is None else number(result, place))
        assert found.sentence == written["sentence"] and found.sentence.startswith(found.title)
        assert (found.metric and found.metric.id) == written["metric"]
        if found.instance is not None:
            assert found.instance.longest.location == written["location"]
            assert found.sentence.split(":")[0] in result.text(top=20, width=10000)


def test_phases(result, document):
    phases = result.phases
    assert phases.region == "main"
    for found, written in zip(phases.phases, document["phases"]["phases"], strict=True):
        assert found.waits_ticks == written["waits"]
        assert set(found.places) == set(written["places"]) == set(found.waits_ticks)
        for ref, places in found.places.items():
            assert [[a, t] for a, t in places.callpaths] == [[number(result, a), t] for a, t in
                                                             written["places"][ref]["callpaths"]]
            assert [list(p) for p in places.locations] == written["places"][ref]["locations"]
            # One visit of main on each location, so these are those of the whole run.
            by_location = result.by_location(ref, inclusive=False)
            assert all(ticks <= by_location[location] for location, ticks in places.locations)
            assert places.callpaths[0][1] <= found.waits_ticks[ref]
            assert len(places.locations) == 4 or len(places.locations) == sum(by_location > 0)
        assert found.ticks == written["ticks"]
        assert found.parallel_efficiency == written["parallel_efficiency"]
    # Main is the whole run but for what is before and after it.
    assert sum(phases.phases[0].waits_ticks.values()) > 0


def test_phases_over_time():
    """A wait counts in each stretch as far as it lies there, so nothing is lost; one stretch is the whole run."""
    result = waitstate.analyze(TRACE, keep=waitstate.Keep(phase="time:20"))
    phases = result.phases
    assert phases.region is None and phases.visits == len(phases.phases) == 20
    assert all(a.end == b.begin for a, b in itertools.pairwise(phases.phases))
    late = result.total("mpi_latesender")
    assert sum(p.waits_ticks.get("mpi_latesender", 0) for p in phases.phases) == late > 0
    whole, = waitstate.analyze(TRACE, keep=waitstate.Keep(phase="time:1")).phases.phases
    assert whole.waits_ticks["mpi_latesender"] == late and whole.computation_ticks == result.total("comp")
    efficiency = result.efficiency(whole=True)
    assert (whole.parallel_efficiency, whole.load_balance, whole.communication_efficiency) == pytest.approx(
        (efficiency.parallel_efficiency, efficiency.load_balance, efficiency.communication_efficiency))
    with pytest.raises(waitstate.UsageError, match="'time:0': expected a number of stretches of time from 1 to 1024"):
        waitstate.analyze(TRACE, keep=waitstate.Keep(phase="time:0"))


def test_metrics_say_what_they_mean(result):
    late = result.metric("mpi_latesender")
    assert late.definition.startswith("min(E(send)") and late.diagnosis and late.source and late.charged_to
    assert late.siblings == "disjoint" and not late.overlapping
    assert result.metric("wrong_order").siblings == "overlapping" and result.metric("wrong_order").overlapping
    assert result.metric("accelerator_wait").siblings == "elsewhere"
    assert result.command == "/apps/p2p 2 5000"
    assert result.metric("time").definition == ""


def test_opened_again(result, tmp_path):
    result.write(tmp_path / "run.json")
    again = waitstate.open_report(tmp_path / "run.json")
    assert again.json() == result.json()
    def by_name(opened):  # call paths may have other numbers
        return [{ref: ([(c.path, t) for c, t in places.callpaths], [(l.id, t) for l, t in places.locations])
                 for ref, places in phase.places.items()} for phase in opened.phases.phases]

    assert by_name(again) == by_name(result)
    assert [(p.begin, p.end, p.ticks, p.waits_ticks) for p in again.phases.phases] == [
        (p.begin, p.end, p.ticks, p.waits_ticks) for p in result.phases.phases]
    assert again.contexts == result.contexts
    assert again.communication.pairs == result.communication.pairs


def test_nothing_is_kept_that_nobody_asked_for():
    plain = waitstate.analyze(TRACE)
    assert plain.series is None and plain.communication is None and plain.phases is None and plain.contexts == []
    assert plain.problems  # they need nothing else
    assert all(i.cause is None and not i.members for w in plain.waits.values() for i in w.instances)


def test_a_region_that_is_not_there():
    with pytest.raises(waitstate.UsageError, match="the trace has no region 'mian' .* did you mean 'main'"):
        waitstate.analyze(TRACE, keep=waitstate.Keep(phase="mian"))
