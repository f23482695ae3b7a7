"""Counters per call path, against what OTF2's own Python module reads from the same archives, added up here."""
import collections
import fractions
import json
import random
import subprocess
import sys

import otf2
import pytest
import waitstate
from conftest import SOURCE
from otf2 import MetricMode, MetricOccurrence, RecorderKind, Type

MEMBERS = [("misses", Type.UINT64), ("joules", Type.DOUBLE), ("balance", Type.INT64)]


def write(path, seed):
    """An archive of two locations, one of them in a call tree of its own, with a record before each enter and exit."""
    dice = random.Random(seed)
    with otf2.writer.open(str(path), timer_resolution=1000) as trace:
        definitions = trace.definitions
        root = definitions.system_tree_node("root")
        group = definitions.location_group("process", system_tree_parent=root)
        regions = [definitions.region(name) for name in ("main", "solve", "halo")]
        members = [definitions.metric_member(name, value_type=kind, metric_mode=MetricMode.ACCUMULATED_START)
                   for name, kind in MEMBERS]
        metric = definitions.metric_class(members=tuple(members), occurrence=MetricOccurrence.SYNCHRONOUS_STRICT,
                                          recorder_kind=RecorderKind.CPU)
        for name in ("a", "b"):
            writer = trace.event_writer_from_location(definitions.location(name, group=group))
            stack, time, values = [], 10, [0, 0.0, -5]
            for step in range(400):
                time += dice.randrange(5)
                values = [values[0] + dice.choice([0, 1, 7, 1 << 53]), values[1] + dice.random() * 10 ** dice.randrange(-9, 9),
                          values[2] + dice.randrange(3)]
                writer.metric(time, metric, values)
                if not stack or (step < 390 and len(stack) < 5 and dice.random() < 0.5):
                    stack.append(regions[len(stack) and dice.randrange(1, 3)])
                    writer.enter(time, stack[-1])
                else:
                    writer.leave(time, stack.pop())
            while stack:
                writer.leave(time, stack.pop())


def read(path):
    """(counter, call path, location name) to the exact sum of differences."""
    sums = collections.Counter()
    with otf2.reader.open(str(path)) as trace:
        stacks, last = collections.defaultdict(list), {}
        for location, event in trace.events:
            if isinstance(event, otf2.events.Enter):
                stacks[location].append(event.region.name)
            elif isinstance(event, otf2.events.Leave):
                stacks[location].pop()
            elif isinstance(event, otf2.events.Metric):
                path = "/".join(stacks[location])
                for member, value in zip(event.metric.members, event.values):
                    if (location, member) in last:
                        difference = fractions.Fraction(value) - fractions.Fraction(last[location, member])
                        sums[member.name, path, location.name] += difference
                    last[location, member] = value
    return {place: sum for place, sum in sums.items() if sum != 0}


def found(result):
    names = {path.id: path.path.replace("(unknown region)", "") for path in result.call_paths}
    sums = {}
    for metric in result.counters:
        columns = result.columns(metric)
        for path, location, value in zip(*(columns[c].tolist() for c in ("callpath", "location", "value"))):
            scale = fractions.Fraction(result.metric(metric).scale)
            sums[metric, names[path], result.locations[location].name] = value * scale
    return sums


def counters(result):
    """All that is said of counters, with call paths by name: a report numbers them in its own order."""
    return {metric: (c.kind, c.timing, c.unit, sorted((row.callpath.path, row.location.id, row.samples, row.sum, row.rate or 0, row.mean or 0,
                                                          row.least, row.greatest) for row in c.values))
            for metric, c in result.counters.items()}


@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_the_archive(tmp_path, seed):
    write(tmp_path / "archive", seed)
    expected, sums = read(tmp_path / "archive" / "traces.otf2"), found(waitstate.analyze(tmp_path / "archive"))
    assert len(expected) > 20 and sums.keys() == expected.keys()
    total = sum(value for (name, _, _), value in expected.items() if name == "joules")
    for place, value in expected.items():
        if place[0] == "joules":
            assert abs(sums[place] - value) <= total / (1 << 60) + value / (1 << 52), place
        else:
            assert sums[place] == value, place


def test_threads_and_chunks_change_nothing(tmp_path):
    write(tmp_path / "archive", 7)
    reports = {waitstate.analyze(tmp_path / "archive", threads=threads, chunk_events=events).json()
               for threads in (1, 2) for events in (1, 7, 1000)}
    assert len(reports) == 1
    counters = json.loads(reports.pop())["counters"]
    assert set(counters) == {name for name, _ in MEMBERS}


def test_a_report_read_back_says_the_same(tmp_path):
    write(tmp_path / "archive", 8)
    result = waitstate.analyze(tmp_path / "archive")
    result.write(tmp_path / "report.json")
    again = waitstate.open_report(tmp_path / "report.json")
    assert found(again) == found(result)
    assert counters(again) == counters(result)


STATES = """
process 0
location 0 process=0
location 1 process=0 type=metric
metric_member 0 name=power unit=W mode=49 value=double exponent=-3 base=decimal
metric_member 1 name=flops unit="#" value=uint64
metric 0 members=(0) occurrence=asynchronous
metric 1 members=(1)
0 0 metric metric=1 values=(uint64:0)
0 0 enter main
0 1000000000 metric metric=1 values=(uint64:500)
0 1000000000 exit
1 0 metric metric=0 values=(double:3000)
1 1000000000 metric metric=0 values=(double:1000)
1 3000000000 metric metric=0 values=(double:0)
"""


def test_rates_and_means_and_units(tmp_path):
    (tmp_path / "states.trace").write_text(STATES)
    result = waitstate.analyze(tmp_path / "states.trace")
    power, = result.counters["power"].values
    assert (power.sum, power.mean, power.rate) == (5.0, 5 / 3, None)  # 3 W for a second, 1 W for two
    assert (power.least, power.greatest, power.samples) == (1.0, 3.0, 2)
    assert (result.metric("power").unit, result.metric("power").unit_name, result.counters["power"].unit) == (
        "counter", "W*s", "W")
    flops, = result.counters["flops"].values
    assert (flops.sum, flops.mean, flops.rate) == (500, None, 500.0)
    assert "power" not in {m.id for m in waitstate.analyze(tmp_path / "states.trace", counters=False).metrics}
    frame = result.to_dataframe("power")
    assert frame["value"].tolist() == [5.0]


LEVEL = """
metric_member 0 name=watts unit=W value=uint64
metric 0 members=(0)
0 0 enter main
0 10 metric metric=0 values=(uint64:300)
0 20 metric metric=0 values=(uint64:290)
0 30 metric metric=0 values=(uint64:310)
0 40 exit
"""


def test_a_counter_that_falls_is_a_level(tmp_path):
    (tmp_path / "level.trace").write_text(LEVEL)
    result = waitstate.analyze(tmp_path / "level.trace")
    watts = result.counters["watts"]
    row, = watts.values
    assert (watts.kind, watts.timing, row.mean, row.rate, row.samples) == ("absolute", "point", 300.0, None, 3)
    assert [(d.id, d.count, [p.text for p in d.places]) for d in result.diagnostics] == [("counter_level", 1, ["watts"])]
    result.write(tmp_path / "level.json")
    assert counters(waitstate.open_report(tmp_path / "level.json")) == counters(result)


class Seen(waitstate.Pattern):
    unit = "occ"
    parent = ""

    def init(self):
        self.values, self.others = [], []

    def metric_callback(self, record):
        self.values.append((record.loc.id, record.time, record["counters"]))

    def event_callback(self, event):
        self.others.append(event.type)

    def wrapup(self):
        self.flops = self.value("flops", 0, 0)


def test_patterns_are_given_the_records(tmp_path):
    (tmp_path / "states.trace").write_text(STATES + "0 1000000001 buffer_flush stop=1000000002\n")
    pattern = Seen()
    waitstate.analyze(tmp_path / "states.trace", pattern)
    assert sorted(pattern.values) == [(0, 0, (0,)), (0, 10**9, (500,)), (1, 0, (3000.0,)), (1, 10**9, (1000.0,)),
                                      (1, 3 * 10**9, (0.0,))]
    assert pattern.others == ["buffer_flush"]
    assert 500 in (pattern.flops, waitstate.analyze(tmp_path / "states.trace").total("flops"))


WAITING = """
metric_member 0 name=POLLS unit="#" value=uint64
metric 0 members=(0)
0 100 metric metric=0 values=(uint64:0)
0 100 enter MPI_Recv
0 190 recv src=1 tag=1 com=0 len=8
0 200 metric metric=0 values=(uint64:70)
0 200 exit
0 200 enter MPI_Recv
0 290 recv src=1 tag=1 com=0 len=8
0 300 metric metric=0 values=(uint64:75)
0 300 exit
0 300 enter work
0 400 metric metric=0 values=(uint64:99)
0 400 exit
1 150 enter MPI_Send
1 155 send dest=0 tag=1 com=0 len=8
1 160 exit
1 170 enter MPI_Send
1 175 send dest=0 tag=1 com=0 len=8
1 180 exit
"""


def test_the_example(tmp_path):
    """Late Sender: 150 - 100 of the 200 ticks in MPI_Recv, which polled 75 times."""
    (tmp_path / "waiting.trace").write_text(WAITING)
    example = SOURCE / "python" / "examples" / "waits_and_counters.py"
    for share, counted in (("0.25", 75), ("0.26", 0)):
        result = waitstate.analyze(tmp_path / "waiting.trace", plugins=[example],
                                   parameters={"counted_while_waiting.share": share})
        assert result.total("counted_while_waiting") == counted
        assert result.total("POLLS") == 99
    shown = subprocess.run([sys.executable, str(example), str(tmp_path / "waiting.trace")], capture_output=True, text=True,
                           check=True).stdout
    assert shown.splitlines()[0].split() == ["0.000000", "s", "25.0", "%", "waiting", "MPI_Recv"]
    assert shown.splitlines()[1].split() == ["3.75e+08", "POLLS", "per", "second"]
