"""One-sided communication in Python: what callbacks are given, batches, and the example."""

import collections
import os
import pathlib

import numpy as np
import pytest

import waitstate
from conftest import SOURCE
from test_patterns import flat, flat_row
from test_pattern_examples import EXAMPLES, module, output
from waitstate import Pattern, RmaCollectiveKind, RmaOperationKind

EPOCHS = SOURCE / "tests" / "plugins" / "example" / "epochs.trace"


def keep_all(trace, *callbacks):
    """The events that callbacks received, by the names of the callbacks."""
    kept = collections.defaultdict(list)
    methods = {name: (lambda name: lambda self, event: kept[name].append(event))(name) for name in callbacks}
    waitstate.analyze(trace, patterns=[type("P", (Pattern,), methods)])
    return kept


def test_epochs_say_what_their_trace_says():
    # Both others put 8 bytes to location 0 and get 8 from each other, then a fence; both put to it in an exposure
    # epoch.
    kept = keep_all(EPOCHS, "rma_operation_callback", "rma_collective_callback", "rma_access_epoch_callback",
                    "rma_exposure_epoch_callback")
    operations = [(o.kind.name, o.win.name, o.origin.id, o.target.id, o.bytes_put, o.bytes_got, o.start, o.call.enter,
                   o.completed.region.name, o.completion) for o in kept["rma_operation_callback"]]
    assert sorted(operations) == sorted(
        [("put", "w", 1, 0, 8, 0, 2, 1, "MPI_Win_fence", 25), ("get", "w", 1, 2, 0, 8, 5, 4, "MPI_Win_fence", 25),
         ("put", "w", 2, 0, 8, 0, 2, 1, "MPI_Win_fence", 25), ("get", "w", 2, 1, 0, 8, 5, 4, "MPI_Win_fence", 25),
         ("put", "w", 1, 0, 8, 0, 35, 34, "MPI_Win_complete", 41),
         ("put", "w", 2, 0, 8, 0, 35, 34, "MPI_Win_complete", 41)])
    fence, = kept["rma_collective_callback"]
    assert (fence.kind, fence.paradigm, fence.win.id) == (RmaCollectiveKind.fence, "mpi", 0)
    assert [m.begin for m in fence.collective.members] == [22, 22, 22] and fence.collective.comm == fence.win.comm
    assert [(a.origin, a.target, a.puts, a.gets, a.atomics, a.operations, a.bytes_put, a.bytes_got, a.last.enter,
             a.origin_member, a.target_member) for a in fence.accesses] == [
        (1, 0, 1, 0, 0, 1, 8, 0, 1, 1, 0), (1, 2, 0, 1, 0, 1, 0, 8, 4, 1, 2),
        (2, 0, 1, 0, 0, 1, 8, 0, 1, 2, 0), (2, 1, 0, 1, 0, 1, 0, 8, 4, 2, 1)]
    for epoch in kept["rma_access_epoch_callback"]:
        target, = epoch.targets
        assert (epoch.start.enter, epoch.complete.enter, target.target, target.post.enter) == (32, 40, 0, 30)
        assert (target.access.puts, target.access.bytes_put) == (1, 8)
        assert [(o.target, o.call.enter, o.call.exit) for o in epoch.operations] == [(0, 34, 36)]
    assert sorted(e.start.location.id for e in kept["rma_access_epoch_callback"]) == [1, 2]
    exposure, = kept["rma_exposure_epoch_callback"]
    assert (exposure.post.enter, exposure.wait.enter, exposure.win.id) == (30, 70, 0)
    assert [(o.origin.id, o.start.enter, o.complete.enter, o.access.puts) for o in exposure.origins] == [
        (1, 32, 40, 1), (2, 32, 40, 1)]
    assert repr(exposure).startswith("<RmaExposureEpoch to 2 origins, until <Call MPI_Win_wait on location 0 [70, 71]")
    assert repr(fence) == "<RmaCollective fence of 3 members, 4 accesses>"


def test_all_epochs_of_a_trace_in_the_order_of_their_times(traces):
    # Puts at 2 and gets at 5, before the fence that completes them is entered at 20; post at 30, start at 32, puts at 35.
    kinds = [type(event).__name__ for event in waitstate.one_sided_epochs(EPOCHS)]
    assert kinds == [*4 * ["RmaOperation"], "RmaCollective", "RmaExposureEpoch", *2 * ["RmaAccessEpoch"],
                     *2 * ["RmaOperation"]]
    found = collections.Counter(type(event).__name__ for event in waitstate.one_sided_epochs(traces / "rma_windows"))
    # Three kinds of windows, one of them twice, two repetitions: create, free and 2 x 2 fences of each window; one pair of
    # epochs a repetition and window, two locks; puts of all in the fence, one in the epoch, two under locks.
    assert found == {"RmaCollective": 4 * (2 + 2 * 2), "RmaAccessEpoch": 4 * 2, "RmaExposureEpoch": 4 * 2,
                     "RmaLockEpoch": 4 * 2 * 2, "RmaOperation": 2 * (2 + 2 + 4 + 4 + 4 * 3)}


def flat_epoch(one):
    """All that is in a compound event, as plain values that can be compared."""
    if isinstance(one, waitstate.Call):
        return flat(one)
    if isinstance(one, list):
        return [flat_epoch(part) for part in one]
    names = [name for name in dir(type(one)) if not name.startswith("_")]
    if type(one).__name__.startswith(("Rma", "Collective")) and names and not hasattr(one, "value"):
        return {name: flat_epoch(getattr(one, name)) for name in names if not callable(getattr(one, name))}
    return one.id if hasattr(one, "id") else one


@pytest.mark.parametrize("name", ["rma", "rma_waits", "rma_waits_messages", "rma_windows", "shmem", "shmem_waits"])
def test_epochs_of_an_event_trace_are_what_callbacks_are_given(traces, name):
    kept = waitstate.EventTrace(traces / name, epochs=True).epochs()  # they outlive it
    given = waitstate.one_sided_epochs(traces / name)
    for model in ("basic", "extended"):
        assert sorted(map(repr, map(flat_epoch, waitstate.EventTrace(traces / name, epochs=True, rma_model=model)
                                    .epochs()))) == sorted(map(repr, map(flat_epoch, waitstate.one_sided_epochs(
                                        traces / name, rma_model=model))))
    assert len(kept) > 4 and {type(one) for one in kept} == {type(one) for one in given}
    assert sorted(repr(flat_epoch(one)) for one in kept) == sorted(repr(flat_epoch(one)) for one in given)


def test_epochs_of_an_event_trace_name_what_the_trace_does():
    trace = waitstate.EventTrace(EPOCHS, epochs=True)
    exposure, = [one for one in trace.epochs() if isinstance(one, waitstate.RmaExposureEpoch)]
    assert exposure.post.location is trace.locations[0] and exposure.win.name == "w"
    assert [(o.origin.id, o.access.puts, str(o.complete.callpath)) for o in exposure.origins] == [
        (1, 1, "main/MPI_Win_complete"), (2, 1, "main/MPI_Win_complete")]
    last = waitstate.EventTrace(EPOCHS, epochs=True, rma_model="basic").epochs()[-1]
    assert isinstance(last, waitstate.RmaOperation) and last.completed.region == "MPI_Put"
    with pytest.raises(waitstate.UsageError,
                       match=r"^this trace was read without epochs, open it as EventTrace\(path, epochs=True\)$"):
        waitstate.EventTrace(EPOCHS).epochs()


LOCKS = """\
comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 name=w comm=0
0 0 enter main
0 5 enter MPI_Win_lock
0 6 rma_request_lock win=0 remote=1 lock=0 type=exclusive
0 8 exit
0 10 enter MPI_Put
0 11 rma_put win=0 remote=1 bytes=24 match=1
0 12 exit
0 60 enter MPI_Win_unlock
0 62 rma_release_lock win=0 remote=1 lock=0
0 64 exit
0 100 exit
1 0 enter main
1 100 exit
"""


def test_locks_say_what_their_trace_says(tmp_path):
    path = tmp_path / "locks.trace"
    path.write_text(LOCKS)
    kept = keep_all(path, "rma_lock_epoch_callback", "rma_passive_call_callback", "rma_operation_callback")
    epoch, = kept["rma_lock_epoch_callback"]
    assert (epoch.target, epoch.lock, epoch.type, epoch.locked.enter, epoch.unlocked.enter, epoch.release_time) == (
        1, 0, "exclusive", 5, 60, 62)
    access, = epoch.accesses
    assert (access.origin, access.target, access.puts, access.bytes_put, access.last.exit) == (0, 1, 1, 24, 12)
    assert [(p.call.enter, p.released, p.lock_known, p.paradigm, p.gaps) for p in kept["rma_passive_call_callback"]] == [
        (5, None, True, "mpi", []), (10, None, True, "mpi", []), (60, None, True, "mpi", [])]


def test_models_of_one_sided_communication():
    def completed(**options):
        return [o.completed.region.name for o in waitstate.one_sided_epochs(EPOCHS, **options)
                if isinstance(o, waitstate.RmaOperation)]

    assert completed(rma_model="basic") == [*2 * ["MPI_Put"], *2 * ["MPI_Get"], *2 * ["MPI_Put"]]
    assert completed() == completed(rma_model="extended") == 4 * ["MPI_Win_fence"] + 2 * ["MPI_Win_complete"]
    with pytest.raises(waitstate.UsageError, match="'best' is not a model of one-sided communication; expected auto"):
        waitstate.analyze(EPOCHS, rma_model="best")


@pytest.mark.parametrize("name", ["rma", "rma_waits", "shmem", "shmem_waits"])
def test_operations_and_batches_see_the_same(name):
    single, batched = [], []

    class Both(Pattern):
        def rma_operation_callback(self, o):
            single.append((int(o.kind), o.win.id, o.origin.id, o.target.id, o.bytes_put, o.bytes_got, flat(o.call),
                           o.start, flat(o.completed), o.completion))

        def rma_operation_batch(self, operations):
            assert np.array_equal(operations["number"], np.arange(len(operations)) + len(batched))
            for o in operations:
                ids = (int(o[f]) for f in ("kind", "win", "origin", "target", "bytes_put", "bytes_got"))
                batched.append((*ids, flat_row(o["call"]), int(o["start"]), flat_row(o["completed"]),
                                int(o["completion"])))

    path = SOURCE / "traces" / name
    result = waitstate.analyze(path, patterns=[Both()])
    assert single == batched
    # Each record of the trace is one operation, if something completes it.
    recorded = collections.Counter(event.type for event in waitstate.EventTrace(path))
    kinds = collections.Counter(RmaOperationKind(kind).name for kind, *_ in single)
    assert 0 < kinds["put"] <= recorded["rma_put"] and kinds["get"] <= recorded["rma_get"]
    assert kinds["atomic"] <= recorded["rma_atomic"]
    assert all(o[2] < len(result.definitions.locations) for o in single)


def test_many_operations_come_in_several_batches(tmp_path):
    path = tmp_path / "puts.trace"
    puts = "".join(f"0 {10 * i} enter MPI_Put\n0 {10 * i + 1} rma_put win=0 remote=1 bytes={i} match={i}\n"
                   f"0 {10 * i + 2} exit\n" for i in range(1, 5001))
    fence = ("{0} 60000 enter MPI_Win_fence\n{0} 60001 rma_collective_begin\n"
             "{0} 60002 rma_collective_end op=barrier level=0x1 win=0 sent=0 received=0\n"
             "{0} 60003 exit\n{0} 60009 exit\n")
    path.write_text("comm 0 name=MPI_COMM_WORLD members=all\nrma_win 0 name=w comm=0\n0 0 enter main\n" + puts +
                    fence.format(0) + "1 0 enter main\n" + fence.format(1))
    batches = []

    class Puts(Pattern):
        def rma_operation_batch(self, operations):
            batches.append(operations)
            self.add_calls(operations["call"], 1)

    result = waitstate.analyze(path, patterns=[Puts])
    assert len(batches) > 1 and sum(map(len, batches)) == 5000 == result.total("puts")
    assert np.array_equal(np.sort(np.concatenate([b["bytes_put"] for b in batches])), np.arange(1, 5001))


# ---- the example ----


def crowds(trace, most):
    """The numbers that the example counts, from the trace's records alone: (region, location) to number. Fences of a window are
    numbered, and so are the access and exposure epochs of a pair; every process here is one location."""
    events = waitstate.EventTrace(trace)
    fences, exposures = collections.defaultdict(set), collections.defaultdict(set)
    ends, groups, passed = {}, {}, collections.Counter()
    started, posted = collections.Counter(), collections.Counter()  # epochs of (win, origin, target)
    locked, part = collections.Counter(), {}
    for event in events:
        region = None if event.enterptr is None else events.event(event.enterptr)
        if not event.type.startswith("rma_"):
            continue
        region = region.region.name
        me, win = event.loc.id, None if event.type == "rma_collective_begin" else event["win"].id
        if event.type == "rma_group_sync":
            members = [int(m) for m in event["group"].members]
            if region == "MPI_Win_start":
                started.update((win, me, target) for target in members)
                groups[win, me] = members
            elif region == "MPI_Win_complete":
                del groups[win, me]
            elif region == "MPI_Win_post":
                posted.update((win, origin, me) for origin in members)
                part[win, me] = [(win, origin, me, posted[win, origin, me]) for origin in members]
            else:
                ends[win, me, event.pos] = region, me, part.pop((win, me))
        elif event.type == "rma_request_lock":
            locked[win, me] += 1
        elif event.type == "rma_release_lock":
            locked[win, me] -= 1
        elif event.type == "rma_put" and event["remote"] != me and not locked[win, me]:
            target = event["remote"].id
            if target in groups.get((win, me), ()):
                exposures[win, me, target, started[win, me, target]].add(me)
            else:
                fences[win, target, passed[win, me]].add(me)
        elif event.type == "rma_collective_end":
            if region == "MPI_Win_fence":
                ends[win, me, event.pos] = region, me, [(win, me, passed[win, me])]
            passed[win, me] += 1
    found = collections.Counter()
    for region, me, keys in ends.values():
        of = fences if region == "MPI_Win_fence" else exposures
        if len(set().union(*(of[key] for key in keys))) > most:
            found[region, me] += 1
    return found


def by_region(result, metric):
    found = collections.Counter()
    for row in result.rows(metric):
        found[row.callpath.region.name, row.location.id] += row.value
    return found


@pytest.mark.parametrize("name, most, number", [("rma", 0, 12), ("rma", 1, 0), ("rma_waits", 0, 6), ("rma_waits", 1, 2),
                                                ("rma_waits", 2, 0)])
def test_many_origins_are_what_the_records_say(name, most, number):
    path = SOURCE / "traces" / name
    result = waitstate.analyze(path, patterns=[module("many_origins").ManyOrigins],
                               parameters={"many_origins.origins": most})
    assert by_region(result, "many_origins") == crowds(path, most)
    assert result.total("many_origins") == number


PLUGIN = pathlib.Path(os.environ.get("WAITSTATE_BUILD", "/nonexistent")) / "tests" / "plugins" / "libcrowded_targets.so"


@pytest.mark.skipif(not PLUGIN.is_file(), reason="the plug-ins of the tests are not built")
@pytest.mark.parametrize("most", [0, 1, 2])
@pytest.mark.parametrize("path", [EPOCHS, SOURCE / "traces" / "rma", SOURCE / "traces" / "rma_waits"],
                         ids=lambda p: p.stem)
def test_many_origins_is_the_plug_in_in_c_plus_plus(path, most):
    result = waitstate.analyze(path, plugins=[EXAMPLES / "many_origins.py", PLUGIN],
                               parameters={"many_origins.origins": most, "crowded_targets.origins": most})
    assert np.array_equal(result.array("many_origins"), result.array("crowded_targets"))


def test_many_origins_as_a_program():
    assert output("many_origins", EPOCHS, 1) == ("2 epochs in which many processes put to one\n"
                                                 "  1 of location 0 in main/MPI_Win_fence\n"
                                                 "  1 of location 0 in main/MPI_Win_wait\n")


def test_many_origins_refuses_less_than_none():
    with pytest.raises(waitstate.UsageError, match=r"parameter 'origins' takes a whole number \(at least 0\), not '-1'"):
        waitstate.analyze(EPOCHS, patterns=[module("many_origins").ManyOrigins],
                          parameters={"many_origins.origins": -1})


@pytest.mark.parametrize("most, expected", [
    (0, {("MPI_Win_fence", 0): 1, ("MPI_Win_wait", 0): 1}), (1, {("MPI_Win_fence", 0): 1, ("MPI_Win_wait", 0): 1}),
    (2, {})])
def test_many_origins_of_a_small_trace(most, expected):
    result = waitstate.analyze(EPOCHS, patterns=[module("many_origins").ManyOrigins],
                               parameters={"many_origins.origins": most})
    assert by_region(result, "many_origins") == expected == crowds(EPOCHS, most)
