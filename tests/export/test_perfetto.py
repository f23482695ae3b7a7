"""`waitstate export -o run.pftrace`: the file keeps the rules of its format (perfetto_reader.py), and everything in it is what
the report and the events of the same trace have. Long because each kind of track is compared with what it is made of."""
import os
import re
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from conftest import SOURCE, recorded, report_of, run, waitstate
from perfetto_reader import Timeline

waitstate_module = pytest.importorskip("waitstate")


def exported(trace, folder, *options, name="run.pftrace"):
    file = folder / name
    waitstate("export", trace, "-o", file, *options)
    return Timeline(file)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The whole timeline and the report of a recorded trace, each made once."""
    folder, made = tmp_path_factory.mktemp("whole"), {}

    def of(trace):
        if trace not in made:
            made[trace] = exported(trace, folder, name=f"{trace.name}.pftrace"), report_of(trace)
        return made[trace]

    return of


def nanoseconds(ticks, report):
    return ticks * 1_000_000_000 // report["trace"]["clock"]["ticks_per_second"]


# --- all that there is -------------------------------------------------------------------------------------------------


def test_waits_are_those_of_the_report(trace, whole):
    timeline, report = whole(trace)
    counts, sums = Counter(), Counter()
    for wait in timeline.of("wait"):
        counts[wait.annotations["metric"]] += 1
        sums[wait.annotations["metric"]] += wait.duration
    assert counts == {m: w["statistics"]["count"] for m, w in report["waits"].items()}
    for metric, waits in report["waits"].items():  # both ends are rounded down to nanoseconds
        assert abs(sums[metric] - nanoseconds(waits["statistics"]["sum"], report)) <= counts[metric] + 1
    titles = {m["id"]: m["title"] for m in report["metrics"]}
    assert all(wait.name == titles[wait.annotations["metric"]] for wait in timeline.of("wait"))


OWN_WAIT, OWN_WAIT_FOR, OWN_WAIT_IN = "culprit itself waited, in ns", "culprit waited mostly for", "culprit waited mostly in"


def path_of(report, number):
    """The names of a call path from its program on, separated by slashes."""
    path = report["call_tree"][number]
    above = "" if path["parent"] is None else path_of(report, path["parent"]) + "/"
    if path["region"] is None:
        return above + Path(report["programs"][path["program"]]).name
    return above + report["regions"][path["region"]]["name"]


def test_the_culprit_s_own_wait_is_that_of_the_report(trace, whole):
    """The report knows how long, most of it for whom, and where, for the most severe instances."""
    timeline, report = whole(trace)
    seconds = report["trace"]["clock"]["ticks_per_second"]
    first = int(waitstate_module.EventTrace(str(trace)).event(0)["time"])
    waits = {}
    for wait in timeline.of("wait"):
        assert "culprit" in wait.annotations or OWN_WAIT not in wait.annotations
        waits.setdefault((wait.annotations["metric"], wait.time), []).append(wait)
    compared = 0
    for metric, summary in report["waits"].items():
        for instance in summary["instances"]:
            own, longest = instance["culprit_wait"], instance["longest"]
            if own is None:
                continue
            begin = (longest["begin"] - first) * 1_000_000_000 // seconds
            there = [w for w in waits[metric, begin] if abs(w.duration - nanoseconds(longest["ticks"], report)) <= 1]
            expected = nanoseconds(own["ticks"], report)
            where = own["callpath"] is not None and path_of(report, own["callpath"])
            assert any(abs(w.annotations[OWN_WAIT] - expected) <= 1 and w.annotations.get(OWN_WAIT_IN, False) == where
                       for w in there), (metric, instance)
            compared += 1
    assert compared or not any("culprit" in w.annotations for w in timeline.of("wait"))


def test_regions_are_those_of_the_events(trace, whole):
    timeline, report = whole(trace)
    events = waitstate_module.EventTrace(str(trace))
    table, first = events.region_instances(), events.event(0)["time"]
    resolution = report["trace"]["clock"]["ticks_per_second"]

    def scaled(ticks):
        return (int(ticks) - int(first)) * 1_000_000_000 // resolution

    names = [r.name for r in events.regions]
    expected = Counter((names[r], scaled(a), scaled(b)) for r, a, b in zip(table.region, table.enter, table.exit) if r >= 0)
    programs = sum(1 for r in table.region if r < 0)
    found = Counter((s.name, s.time, s.end) for s in timeline.regions())
    assert len(timeline.regions()) == len(table.region)
    missing = expected - found
    assert sum(missing.values()) == 0, missing
    assert sum((found - expected).values()) == programs


def test_messages_are_those_of_the_report(trace, whole):
    timeline, report = whole(trace)
    sends = [i for i in timeline.of("message") if i.name == "send"]
    receives = [i for i in timeline.of("message") if i.name == "receive"]
    assert len(sends) == len(receives) == report["totals"]["messages"]
    [backwards] = [d["count"] for d in report["diagnostics"] if d["id"] == "clock_violation"]
    arrows = [f for f in timeline.flows.values() if "message" in f[0].categories]
    # Nanoseconds may not show a violation of a few ticks.
    assert len(receives) - backwards <= len(arrows) <= len(receives)
    for start, end in arrows:
        assert (start.name, end.name) == ("send", "receive")
        assert {k: v for k, v in start.annotations.items() if k != "partner"} == {
            k: v for k, v in end.annotations.items() if k != "partner"}


def test_every_wait_with_a_culprit_has_an_arrow_to_it(trace, whole):
    timeline, _ = whole(trace)
    arrows = [f for f in timeline.flows.values() if "wait" in f[0].categories]
    assert arrows or not any("culprit" in w.annotations for w in timeline.of("wait"))
    for wait, culprit in arrows:
        assert culprit.categories == ("culprit",) and culprit.time == wait.end
        assert culprit.name.startswith("makes ") and culprit.name.endswith(" wait")
        assert "wait states" not in culprit.track.name


def test_tracks_are_in_the_order_of_ranks(trace, whole):
    timeline, report = whole(trace)
    [root] = [t for t in timeline.tracks.values() if t.parent is None]
    assert root.name == "trace" and str(trace) in root.description
    siblings = {}
    for track in sorted(timeline.tracks.values(), key=lambda t: t.order):
        siblings.setdefault(track.parent.uuid if track.parent else 0, []).append(track.name)
    ranks = [[int(name.split()[1]) for name in names if re.fullmatch(r"rank \d+", name)] for names in siblings.values()]
    assert all(order == sorted(order) for order in ranks)
    recorded_ranks = {p["rank"] for p in report["processes"] if p["rank"] is not None and p["type"] == "process"}
    assert {r for order in ranks for r in order} <= recorded_ranks


def test_waiting_locations_are_counted(whole):
    timeline, _ = whole(recorded("p2p"))
    values = [c for c in timeline.counters if c.track.name == "locations that wait"]
    assert values[0].value == 0 and values[-1].value == 0
    waits = [w for w in timeline.of("wait") if w.depth == 0]
    for value in values:
        waiting = {w.track.parent.name for w in waits if w.time <= value.time < w.end}
        assert value.value == len(waiting)


def test_the_critical_path_is_a_track(whole):
    timeline, _ = whole(recorded("p2p"))
    path = timeline.of("critical path")
    assert {s.track.name for s in path} == {"critical path"} and {s.depth for s in path} == {0}
    rows = [line for line in waitstate("print", recorded("p2p"), "--critical-path").splitlines() if line[:1] != "#"]
    assert [s.annotations["location"] for s in path] == [" ".join(row.split()[:2]) for row in rows]


def test_a_timeline_can_be_drawn(whole, tmp_path):
    """Everything that is read is in the picture of all of the run, and what lies in a part of it in that of the part."""
    pytest.importorskip("matplotlib")
    from draw_timeline import draw
    timeline, _ = whole(recorded("rma"))
    waitstate("export", recorded("rma"), "-o", tmp_path / "run.pftrace")
    drawn = draw(tmp_path / "run.pftrace", tmp_path / "run.png")
    assert (drawn.slices, drawn.instants, drawn.flows, drawn.values) == (
        len(timeline.slices), len(timeline.instants), len(timeline.flows), len(timeline.counters))
    assert (tmp_path / "run.png").read_bytes()[:4] == b"\x89PNG"
    part = draw(tmp_path / "run.pftrace", tmp_path / "part.png", 0.472, 0.504)
    assert part.slices == sum(s.time <= 504_000_000 and s.end >= 472_000_000 for s in timeline.slices) < drawn.slices


def test_members_of_an_operation_have_one_number(whole):
    timeline, report = whole(recorded("coll"))
    operations = {}
    for wait in timeline.of("wait"):
        if wait.annotations["metric"] == "mpi_barrier_wait":
            operations.setdefault(wait.correlation, []).append(wait)
    assert operations and len(operations) < sum(map(len, operations.values()))
    for waits in operations.values():
        assert len({w.annotations.get("waiters", 1) for w in waits}) == 1
        assert waits[0].annotations.get("waiters", 1) == len(waits)
    worst = max(sum(w.duration for w in waits) for waits in operations.values())
    expected = max(i["total"] for i in report["waits"]["mpi_barrier_wait"]["instances"])
    assert abs(worst - nanoseconds(expected, report)) <= 8


def test_a_collective_call_says_what_it_is(whole):
    timeline, _ = whole(recorded("coll"))
    bcasts = [s for s in timeline.regions() if s.name == "MPI_Bcast"]
    assert bcasts and {b.annotations["operation"] for b in bcasts} == {"bcast"}
    assert all(b.annotations["communicator"] and b.annotations["root"].startswith("rank ") for b in bcasts)
    by_instance = Counter(b.annotations["instance"] for b in bcasts)
    assert len(set(by_instance.values())) == 1  # all processes of the communicator count alike


def test_one_sided_transfers_have_arrows(whole):
    timeline, _ = whole(recorded("rma"))
    events = waitstate_module.EventTrace(str(recorded("rma")), transfers=True)
    ends = Counter(e.type for e in events if e.type in ("put_1te", "get_1te"))
    arrows = Counter(f[0].name for f in timeline.flows.values() if "rma" in f[0].categories)
    atomics = sum(1 for e in events if e.type == "rma_atomic")
    assert arrows["put"] + arrows["get"] + arrows["atomic"] == ends["put_1te"] + ends["get_1te"] > 0
    assert bool(arrows["atomic"]) == bool(atomics)
    transfer = next(f for f in timeline.flows.values() if f[0].name == "put")
    assert transfer[0].track is not transfer[1].track and transfer[0].annotations["bytes"] >= 0


# --- hand-made traces --------------------------------------------------------------------------------------------------

LATE_SENDER = """
0 0 enter main
0 10 enter MPI_Recv
0 90 recv src=1 tag=1 com=0 len=8
0 95 exit
0 100 exit
1 0 enter main
1 80 enter MPI_Send
1 85 send dest=0 tag=1 com=0 len=8
1 90 exit
1 100 exit
"""


def made(folder, text, *options):
    file = folder / "made.trace"
    file.write_text(text)
    return exported(file, folder, *options)


def test_a_late_sender(tmp_path):
    """Rank 0 waits from 10 to 80, the enter of the send, and rank 1 makes it wait."""
    timeline = made(tmp_path, LATE_SENDER)
    [wait] = [w for w in timeline.of("wait") if w.annotations["metric"] == "mpi_latesender"]
    assert (wait.time, wait.end) == (10, 80)
    assert wait.annotations["culprit"] == "rank 1" and wait.annotations["culprit's call path"] == "main"
    assert wait.annotations["call path"] == "main/MPI_Recv" and wait.annotations["bytes"] == 8
    [[start, end]] = [f for f in timeline.flows.values() if "wait" in f[0].categories]
    assert start is wait and (end.time, end.name) == (80, "makes rank 0 wait")
    [[send, receive]] = [f for f in timeline.flows.values() if "message" in f[0].categories]
    assert (send.time, receive.time) == (85, 90)
    assert send.annotations["bytes"] == 8 and send.annotations["tag"] == 1
    slices = {(s.name, s.time, s.end, s.depth) for s in timeline.regions()}
    assert slices == {("main", 0, 100, 0), ("MPI_Recv", 10, 95, 1), ("MPI_Send", 80, 90, 1)}


def test_a_culprit_that_waits_itself(tmp_path):
    """Rank 0 waits from 10 to 100 for rank 1, which itself waits from 20 to 90 for rank 2; that waits for nobody."""
    case = (SOURCE / "tests/cases/mpi_latesender/culprit_waits_for_a_third.case").read_text()
    timeline = made(tmp_path, case[:case.index("metrics:")])
    waits = {w.track.parent.name: w for w in timeline.of("wait") if w.annotations["metric"] == "mpi_latesender"}
    first, second = waits["rank 0"].annotations, waits["rank 1"].annotations
    assert first["culprit"] == "rank 1" and first[OWN_WAIT] == 70
    assert first[OWN_WAIT_FOR] == "rank 2" and first[OWN_WAIT_IN] == "main/MPI_Recv"
    assert second["culprit"] == "rank 2" and second[OWN_WAIT] == 0
    assert not {OWN_WAIT_FOR, OWN_WAIT_IN} & second.keys()


def test_a_message_that_is_received_before_it_is_sent_has_no_arrow(tmp_path):
    timeline = made(tmp_path, LATE_SENDER.replace("1 85 send", "1 92 send").replace("1 90 exit", "1 93 exit"))
    assert len(timeline.of("message")) == 2
    assert all("no arrow" in m.annotations["note"] for m in timeline.of("message"))
    assert not [f for f in timeline.flows.values() if "message" in f[0].categories]


def test_times_are_exact_for_any_clock(tmp_path):
    """3 ticks a second: a tick is 333,333,333.3 ns; times far from zero stay exact."""
    start = 10**15
    timeline = made(tmp_path, f"clock resolution=3\n0 {start} enter main\n0 {start + 1} enter f\n0 {start + 2} exit\n"
                              f"0 {start + 7} exit\n")
    assert {(s.name, s.time, s.end) for s in timeline.regions()} == {
        ("main", 0, 2_333_333_333), ("f", 333_333_333, 666_666_666)}


def test_regions_that_are_never_left_end_with_their_location(tmp_path):
    timeline = made(tmp_path, "0 0 enter main\n0 5 enter f\n0 9 enter g\n0 12 exit\n")
    ends = {s.name: (s.end, "note" in s.annotations) for s in timeline.regions()}
    assert ends == {"main": (12, True), "f": (12, True), "g": (12, False)}
    assert [i for i in timeline.of("damage") if "still open" in i.name]


def test_slices_of_no_length_nest(tmp_path):
    timeline = made(tmp_path, "0 5 enter main\n0 5 enter f\n0 5 exit\n0 5 enter g\n0 5 enter h\n0 5 exit\n0 5 exit\n0 5 exit\n")
    assert [(s.name, s.time, s.end, s.depth) for s in timeline.regions()] == [
        ("main", 0, 0, 0), ("f", 0, 0, 1), ("g", 0, 0, 1), ("h", 0, 0, 2)]


TASKS = """
region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name=a role=task paradigm=openmp
region 3 name=b role=task paradigm=openmp
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 20 thread_task_create team=0 creator=0 generation=1
0 21 thread_task_create team=0 creator=0 generation=2
{of_thread_0}0 92 exit
0 92 thread_team_end team=0
0 94 thread_join paradigm=openmp
0 100 exit
1 15 thread_team_begin team=0
1 15 enter #1
1 32 thread_task_switch team=0 creator=0 generation=1
1 32 enter #2
1 40 thread_task_switch team=0 creator=0 generation=2
1 40 enter #3
{of_thread_1}1 80 exit
1 80 thread_team_end team=0
"""
A_ENDS = "1 60 thread_task_switch team=0 creator=0 generation=1\n1 60 exit\n1 60 thread_task_complete team=0 creator=0 generation=1\n"
B_ENDS = "1 70 thread_task_switch team=0 creator=0 generation=2\n1 70 exit\n1 70 thread_task_complete team=0 creator=0 generation=2\n"


def test_tasks_that_take_turns_have_a_track_each(tmp_path):
    timeline = made(tmp_path, TASKS.format(of_thread_0="", of_thread_1=A_ENDS + B_ENDS))
    [a] = [s for s in timeline.regions() if s.name == "a"]
    [b] = [s for s in timeline.regions() if s.name == "b"]
    assert (a.time, a.end, b.time, b.end) == (32, 60, 40, 70)
    assert a.depth == b.depth == 0 and a.track is not b.track
    assert a.track.name.startswith("tasks of ") and b.track.name.startswith("tasks of ") and a.track.order < b.track.order
    [parallel] = [s for s in timeline.regions() if s.name.startswith("!$omp parallel") and s.track.order < a.track.order
                  and s.track.order > 0]
    assert (parallel.time, parallel.end) == (15, 80)


def test_a_task_that_another_thread_goes_on_with_stays_on_its_track(tmp_path):
    """Thread 1 leaves b at 55 and ends it; a, which it has interrupted at 40, ends on thread 0 at 70."""
    timeline = made(tmp_path, TASKS.format(
        of_thread_0="0 65 thread_task_switch team=0 creator=0 generation=1\n0 70 exit\n0 70 thread_task_complete team=0 creator=0 "
                    "generation=1\n",
        of_thread_1="1 55 exit\n1 55 thread_task_complete team=0 creator=0 generation=2\n"))
    [a] = [s for s in timeline.regions() if s.name == "a"]
    assert (a.time, a.end) == (32, 70) and a.track.name.startswith("tasks of ")
    assert "note" not in a.annotations


def test_kernels_of_a_stream_that_overlap_have_a_track_each(tmp_path):
    timeline = made(tmp_path, """
region 0 name=main
region 1 name=k1 paradigm=cuda
region 2 name=k2 paradigm=cuda
process 0
process 1 type=accelerator creator=0
location 0 process=0
location 1 process=1 type=accelerator_stream name="CUDA[0:7]"
0 0 enter main
0 100 exit
1 10 enter k1
1 20 enter k2
1 30 exit #1
1 40 exit #2
1 50 enter k1
1 60 exit #1
""")
    kernels = {(s.name, s.time, s.end): s.track.name for s in timeline.regions() if s.name[0] == "k"}
    assert kernels == {("k1", 10, 30): "CUDA[0:7]", ("k2", 20, 40): "also CUDA[0:7] (1)", ("k1", 50, 60): "CUDA[0:7]"}


def test_counters_have_a_track_below_their_thread(tmp_path):
    trace = """
metric_member 0 name=cycles value=uint64
metric_member 1 name=energy unit=J value=double base=decimal exponent=-3
metric 0 members=(0,1)
0 0 enter main
0 10 metric metric=0 values=(uint64:7,double:1500)
0 20 metric metric=0 values=(uint64:18446744073709551615,double:nan)
0 50 exit
"""
    timeline = made(tmp_path, trace)
    values = {(c.track.name, c.track.unit, c.time): c.value for c in timeline.counters}
    assert values == {("cycles", "", 10): 7, ("energy", "J", 10): 1.5, ("cycles", "", 20): 2.0**64}
    assert {c.track.parent.name for c in timeline.counters} == {timeline.regions()[0].track.name}
    assert not made(tmp_path, trace, "--no-counters").counters


def test_hostile_names_are_shown_as_text(tmp_path):
    timeline = made(tmp_path, '0 0 enter "a\\x1b[31m\\xff<b>"\n0 1 exit\n0 2 enter "' + "x" * 5000 + '"\n0 3 exit\n')
    names = [s.name for s in timeline.regions()]
    assert "\x1b" not in names[0] and "<b>" in names[0]
    assert len(names[1]) == 2001 and names[1].endswith("…")


# --- options -----------------------------------------------------------------------------------------------------------


def test_short_regions_are_left_out_but_not_around_waits(tmp_path):
    timeline = made(tmp_path, LATE_SENDER.replace("0 0 enter main", "0 0 enter main\n0 1 enter f\n0 5 exit"),
                    "--min-duration", "200ns")
    # main (100 ns) and MPI_Recv are around the wait, MPI_Send begins where it ends; f is not.
    assert {s.name for s in timeline.regions()} == {"main", "MPI_Recv", "MPI_Send"}
    [root] = [t for t in timeline.tracks.values() if t.parent is None]
    assert "Left out: regions shorter than 200.0 ns, except around waits." in root.description


@pytest.mark.parametrize("name", ["p2p", "hybrid_tasks", "lammps"])
def test_what_is_long_enough_stays(name, whole, tmp_path):
    everything, less = whole(recorded(name))[0], exported(recorded(name), tmp_path, "--min-duration", "50us")
    long_ones = Counter((s.name, s.time, s.end) for s in everything.regions() if s.duration >= 50_000)
    shown = Counter((s.name, s.time, s.end) for s in less.regions())
    assert not long_ones - shown and len(less.regions()) < len(everything.regions())
    assert not shown - Counter((s.name, s.time, s.end) for s in everything.regions())
    assert len(less.of("wait")) == len(everything.of("wait"))


def test_messages_of_waits_only(whole, tmp_path):
    everything, less = whole(recorded("p2p"))[0], exported(recorded("p2p"), tmp_path, "--messages", "waits")
    received = {r.time for _, r in everything.flows.values() if "message" in r.categories}
    late = [w for w in everything.of("wait") if w.annotations["metric"] == "mpi_latesender"]
    arrows = [f for f in less.flows.values() if "message" in f[0].categories]
    assert len(late) <= len(arrows) < len(received)
    for wait in late:  # the message that ends it comes from the culprit, and is received in the call that waits
        assert any(send.annotations["partner"] == wait.track.parent.name and send.track.parent.name == wait.annotations["culprit"]
                   and send.time >= wait.end and receive.time >= wait.end for send, receive in arrows)
    assert not exported(recorded("p2p"), tmp_path, "--messages", "none").of("message")


def test_only_the_worst_instances(whole, tmp_path):
    everything, less = whole(recorded("p2p"))[0], exported(recorded("p2p"), tmp_path, "--around", "1")
    worst = max((w for w in everything.of("wait")), key=lambda w: w.duration)
    assert 0 < len(less.of("wait")) < len(everything.of("wait")) / 4
    assert len(less.regions()) < len(everything.regions()) / 4
    assert less.of("wait") and worst


def test_a_part_of_the_run(whole, tmp_path):
    part = exported(recorded("p2p"), tmp_path, "--time", "0.45", "0.5", "--location", "1-2")
    assert part.slices
    assert part.of("critical path") and part.of("culprit")
    for item in part.slices + part.instants:
        assert 449_999_999 <= item.time and (item.end or 0) <= 500_000_001
        assert item.time <= 500_000_001 or item.name == "receive"  # its call begins in the part
    assert {t.parent.name for t in part.tracks.values() if t.name.startswith("Master")} <= {"rank 1", "rank 2", "node", "trace"}
    everything = whole(recorded("p2p"))[0]
    inside = [s for s in everything.regions() if s.time < 500_000_000 and s.end > 450_000_000
              and any(r in s.track.path() for r in ("rank 1", "rank 2"))]
    assert len(part.regions()) == len(inside)


def counted(timeline):
    """How many sends, receives, puts and gets of the timeline a report of the same part counts."""
    found = Counter(i.name for i in timeline.instants if {"message", "rma"} & set(i.categories) and "counted" not in i.annotations
                    and not (i.name == "get" and i.ends_flows) and not (i.name == "put" and i.ends_flows))
    return {name: found[name] for name in ("send", "receive", "put", "get")}


def counts_of_the_report(trace, *options):
    """The same numbers, from the report."""
    sums = Counter()
    for row in waitstate("analyze", trace, *options, "--format", "csv").splitlines():
        metric, *_, value = row.split(",")
        if metric.startswith(("comms_", "syncs_")):
            sums[metric] += int(value)
    return {"send": sums["comms_send"] + sums["syncs_send"], "receive": sums["comms_recv"] + sums["syncs_recv"],
            "put": sums["comms_rma_puts"], "get": sums["comms_rma_gets"]}


PARTS = [("p2p", "--time", "0.45", "0.5"), ("p2p", "--time", "0.1", "0.2", "--location", "1-2"), ("p2p", "--location", "0"),
         ("p2p", "--region", "master_worker"), ("p2p", "--region", "persistent_halo", "--time", "0.2", "0.5", "--location", "1,3"),
         ("halo", "--time", "0.9", "0.92"), ("halo", "--time", "0.9", "0.91", "--location", "2-4"), ("rma", "--time", "0.47", "0.5"),
         ("rma", "--time", "0.3", "0.5", "--location", "0-1"), ("hybrid", "--time", "0.2", "0.3")]


@pytest.mark.parametrize("part", PARTS, ids=" ".join)
def test_a_part_has_the_counts_of_its_report(part, tmp_path):
    """Calls that the part cuts count where they begin, in the export as in the report; waits are cut in both."""
    trace, options = recorded(part[0]), part[1:]
    timeline, report = exported(trace, tmp_path, *options), report_of(trace, *options)
    waits = Counter(wait.annotations["metric"] for wait in timeline.of("wait"))
    assert waits == {m: w["statistics"]["count"] for m, w in report["waits"].items() if w["statistics"]["count"]}
    assert counted(timeline) == counts_of_the_report(trace, *options)


@pytest.mark.parametrize(("begin", "end", "shown"), [
    (10, 79, {"receive": (90, True)}),                        # the receive's call is entered at 10, the send's at 80
    (10, 80, {"receive": (90, True), "send": (85, True)}),
    (11, 80, {"send": (85, True)}),
    (11, 89, {"send": (85, True)}),
    (11, 90, {"send": (85, True), "receive": (90, False)}),   # received in the part, by a call that began before it
    (81, 90, {"send": (85, False), "receive": (90, False)}),
    (86, 89, {})])
def test_the_edges_of_a_part(begin, end, shown, tmp_path):
    """A message's ends count where their calls are entered, both ends of the time included; what happens in the part is shown."""
    window = ("--time", f"{begin}e-9", f"{end}e-9")
    timeline = made(tmp_path, LATE_SENDER, *window)
    assert {i.name: (i.time, "counted" not in i.annotations) for i in timeline.of("message")} == shown
    assert {name for name, (_, counts) in shown.items() if counts} == {
        name for name, count in counts_of_the_report(tmp_path / "made.trace", *window).items() if count}
    assert len([f for f in timeline.flows.values() if "message" in f[0].categories]) == (len(shown) == 2)


def test_one_region(whole, tmp_path):
    part, everything = exported(recorded("p2p"), tmp_path, "--region", "master_worker"), whole(recorded("p2p"))[0]
    outer = [s for s in everything.regions() if s.name == "master_worker"]
    inside = [s for s in everything.regions() if any(o.track.uuid == s.track.uuid and o.time <= s.time and s.end <= o.end for o in outer)]
    assert len(part.regions()) == len(inside) > len(outer)
    assert {s.depth for s in part.regions() if s.name == "master_worker"} == {0}


def test_the_size_is_kept(tmp_path):
    """40,000 regions of 1 to 1,000 ticks do not fit into a megabyte: the shorter ones go, the wait and the long ones stay."""
    rows, now = [], 200
    for i in range(40_000):
        rows += [f"0 {now} enter f", f"0 {now + 1 + i % 1000} exit"]
        now += 1100
    trace = tmp_path / "long.trace"
    trace.write_text(LATE_SENDER.replace("0 100 exit", "\n".join(rows) + f"\n0 {now} exit"))
    done = run("export", trace, "-o", tmp_path / "small.pftrace", "--max-size", "1")
    assert "regions shorter than 512.0 ns, except around waits, to keep the file small (20,440 regions" in done.stderr
    less = Timeline(tmp_path / "small.pftrace")
    assert 500_000 < len(less.data) <= 1_000_000
    assert {s.name for s in less.regions()} == {"main", "MPI_Recv", "MPI_Send", "f"}
    assert len([s for s in less.regions() if s.name == "f"]) == 40 * 489 and less.of("wait")
    [root] = [t for t in less.tracks.values() if t.parent is None]
    assert "to keep the file small" in root.description


def test_what_cannot_be_kept_is_said(tmp_path):
    done = run("export", recorded("lammps"), "-o", tmp_path / "small.pftrace", "--max-size", "1")
    assert done.returncode == 0 and "the file is larger than --max-size" in done.stderr
    assert "all regions except around waits, to keep the file small" in done.stderr
    Timeline(tmp_path / "small.pftrace")


def test_gzip(whole, tmp_path):
    plain, packed = whole(recorded("p2p"))[0], exported(recorded("p2p"), tmp_path, name="run.pftrace.gz")
    assert packed.compressed and packed.data == plain.data


@pytest.mark.parametrize("name", ["hybrid_tasks", "coll", "p2p", "rma_waits"])
def test_threads_and_reading_change_nothing(name, tmp_path):
    """Waits come from several workers, in any order and with other numbers of call paths."""
    one = exported(recorded(name), tmp_path, "--threads", "1")
    for options in (["--threads", "2"], ["--threads", "5"], ["--threads", "1", "--chunk-events", "7"]):
        assert exported(recorded(name), tmp_path, *options).data == one.data


def test_damage_is_shown(tmp_path):
    """Half of the events of a location are gone: the rest is exported, and an instant says what is missing."""
    copy = tmp_path / "damaged"
    shutil.copytree(recorded("p2p"), copy)
    events = max(copy.rglob("*.evt"), key=lambda f: f.stat().st_size)
    events.write_bytes(events.read_bytes()[: events.stat().st_size // 2])
    timeline = exported(copy, tmp_path)
    assert timeline.of("damage") and timeline.regions()
    assert all(i.track.name == "trace" for i in timeline.of("damage"))



# --- damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["p2p", "hybrid_tasks", "rma", "cuda_waits"])
def test_damaged_traces_give_timelines_that_keep_the_rules(name, tmp_path):
    """Bytes of event files are changed at random: whatever is exported keeps the rules of the format, and has the messages and
    waits of the report."""
    random, exports = Random(name), 0
    for i in range(4 if os.environ.get("WAITSTATE_QUICK") else 25):
        copy = tmp_path / str(i)
        shutil.copytree(recorded(name), copy)
        for events in random.sample(sorted(copy.rglob("*.evt")), 2):
            data = bytearray(events.read_bytes())
            for _ in range(random.randint(1, 8)):
                data[random.randrange(len(data))] = random.choice([0, 1, 255, random.randrange(256)])
            events.write_bytes(data[: random.choice([len(data), len(data), random.randrange(len(data))])])
        done = run("export", copy, "-o", copy / "run.pftrace")
        if done.returncode != 0:
            assert done.returncode == 3 and done.stderr.count("waitstate: error: ") == 1, done.stderr
            continue
        exports += 1
        timeline, report = Timeline(copy / "run.pftrace"), report_of(copy)
        # A receive that has to be placed before its send, as all locations wait for each other, has no link to it.
        messages = len(waitstate_module.EventTrace(str(copy)).messages())
        assert len([m for m in timeline.of("message") if m.name == "receive"]) == messages <= report["totals"]["messages"]
        assert (f"{report['totals']['messages'] - messages:,} messages" in done.stderr) or messages == report["totals"]["messages"]
        counts = Counter(w.annotations["metric"] for w in timeline.of("wait"))
        assert counts == {m: w["statistics"]["count"] for m, w in report["waits"].items()}
        shutil.rmtree(copy)
    assert exports


@pytest.mark.parametrize(("content", "message"), [
    (None, "no such file"), ("0 0 entr main\n", "1: "), ("\0\1binary", "not the anchor file of an OTF2 trace")])
@pytest.mark.parametrize("form", ["perfetto", "otf2", "folded"])
def test_what_cannot_be_read(content, message, form, tmp_path):
    trace = tmp_path / "made.trace"
    if content is not None:
        trace.write_text(content)
    done = run("export", trace, "--format", form, "-o", tmp_path / "out")
    assert done.returncode == 3 and done.stderr.count("waitstate: error: ") == 1 and message in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()
