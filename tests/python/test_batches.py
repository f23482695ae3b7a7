"""Batches: each compound event and each event once with its own callback and once in arrays, compared number by number.

Long because every kind of event has fields of its own.
"""

import re

import numpy as np
import pytest

import waitstate
from case_files import read_case
from conftest import SOURCE
from waitstate import Pattern


def call(c):
    """A Call as numbers; what is not there is an empty row."""
    if c is None:
        return (-1, -1, -1, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0)
    return (number(c.location), number(c.callpath), number(c.region), int(c.function), c.enter, signed(c.exit), *interval(c.before),
            *interval(c.previous), *interval(c.earlier))


def signed(time):
    """A time as arrays have it: that of a call which may still go on is the largest there is."""
    return time if time < 2**63 else time - 2**64


def interval(s):
    return -1 if s.callpath is None else s.callpath, s.begin, s.end


def number(x):
    """The number that stands for an object in arrays."""
    return -1 if x is None else int(x)


def wait(w):
    return tuple(map(number, (w.location, w.callpath, w.enter, w.exit, w.begin, w.ticks, w.culprit, w.culprit_callpath)))


def access(a):
    return (number(a.origin), number(a.target), a.puts, a.gets, a.atomics, a.bytes_put, a.bytes_got, a.origin_member,
            a.target_member, a.last is not None, *call(a.last))


def message(m):
    return (number(m.sender), number(m.receiver), number(m.comm), m.tag, m.bytes, m.send_time, m.recv_time,
            *call(m.send), *call(m.recv_post), *call(m.recv))


def rows(array, skip=("number",)):
    """The rows of an array as flat tuples, without some fields."""
    def flat(value):
        return [x for part in value for x in flat(part)] if isinstance(value, (tuple, list)) else [value]
    names = [n for n in array.dtype.names if n not in skip]
    return [tuple(flat([array[n][i].tolist() for n in names])) for i in range(len(array))]


def children(array, of):
    """The rows of an array that have the numbers of another's rows, a list each."""
    return [rows(array[array["number"] == n]) for n in of["number"]]


class Single(Pattern):
    """All callbacks: what they are given as lists of numbers, by kind."""

    needs = ("mpi_latesender", "mpi_latereceiver")

    def init(self):
        self.seen = {}

    def see(self, kind, *what):
        self.seen.setdefault(kind, []).append(what)

    def completed_receives_callback(self, r):
        for m in r.messages:
            self.see("recv", message(m))
            if m.send.enter > m.recv.enter:
                self.watch_overtaking(m, self.add_wait(m.recv, 1, m.send))

    def completed_sends_callback(self, s):
        for m in s.messages:
            self.see("send", message(m) + call(s.call) + (s.receive_wait_ticks,))

    def overtaken_callback(self, o):
        self.see("overtaken", wait(o.wait) + (o.source, o.bytes, o.overtaker, o.comm, o.tag, o.send_time, o.recv_time,
                                          o.send_enter, o.send_exit))

    def members(self, c):
        return [(int(c.kind), int(c.op or 0), c.neighbourhood, number(c.comm), rank, len(c.members), number(c.root),
                 c.group_a, m.begin, m.end, m.bytes_sent, m.bytes_received, *call(m.call))
                for rank, m in enumerate(c.members)]

    def collective_callback(self, c):
        self.see("collective", *self.members(c))

    def completed_collectives_callback(self, c):
        for one in c.completions:
            self.see("completed_collectives", (int(one.kind), int(one.op), one.awaited is not None, number(one.comm),
                                               *call(c.call), *call(one.started), *call(one.awaited)))

    def other_collective_callback(self, c):
        self.see("other_collective", (c.kind, c.op, number(c.comm), c.nonblocking, c.root, c.group_a, c.neighbourhood,
                                      c.has_neighbours),
                 [(*call(m.started), *call(m.completed), m.begin, m.end, m.bytes_sent, m.bytes_received)
                  for m in c.members])

    def team_barrier_callback(self, b):
        for m in b.members:
            self.see("team_barrier", (int(b.region_class), *call(m)))

    def task_idle_callback(self, t):
        self.see("task_idle", call(t.call), [(p.begin, p.end, p.created, number(p.culprit), number(p.culprit_callpath),
                                              p.culprit_time or 0, p.idle_since) for p in t.parts])

    def device_wait_callback(self, w):
        self.see("device_wait", call(w.call), [(p.begin, p.end, p.copy, number(p.stream), number(p.callpath))
                                               for p in w.parts])

    def unused_threads_callback(self, u):
        self.see("unused_threads", (number(u.master), u.begin, u.end, number(u.callpath), u.parallel),
                 [(location,) for location in u.team])

    def lock_acquired_callback(self, l):
        self.see("lock", call(l.call) + (l.acquire_time,) + call(l.released) + (l.release_time,))

    def rma_operation_callback(self, o):
        self.see("rma_operation", (int(o.kind), number(o.win), number(o.origin), number(o.target), o.bytes_put, o.bytes_got,
                                   *call(o.call), o.start, *call(o.completed), o.completion))

    def rma_collective_callback(self, r):
        win = (int(r.kind), number(r.win), r.paradigm)
        self.see("rma_collective", [m + win for m in self.members(r.collective)], [access(a) for a in r.accesses])

    def rma_access_epoch_callback(self, e):
        self.see("rma_access_epoch", (number(e.win), *call(e.start), *call(e.complete)),
                 [(number(t.target), *call(t.post), *access(t.access)) for t in e.targets],
                 [(number(e.targets[o.target].target), o.target, *call(o.call)) for o in e.operations])

    def rma_exposure_epoch_callback(self, e):
        self.see("rma_exposure_epoch", (number(e.win), *call(e.post), *call(e.wait)),
                 [(number(o.origin), *call(o.start), *call(o.complete), *access(o.access)) for o in e.origins])

    def rma_lock_epoch_callback(self, e):
        self.see("rma_lock_epoch", (number(e.win), number(e.target), e.lock, e.type, *call(e.locked), *call(e.unlocked),
                                    e.release_time), [access(a) for a in e.accesses])

    def rma_passive_call_callback(self, p):
        self.see("rma_passive_call", (*call(p.call), number(p.win), p.paradigm, p.released is not None, p.lock_known,
                                      *call(p.released), p.release_time), [(g.begin, g.end, *call(g.next)) for g in p.gaps])

    def rma_wait_change_callback(self, c):
        self.see("rma_wait_change", (*call(c.call), number(c.win), c.changed is not None, *call(c.changed)))

    def published_callback(self, p):
        self.see("published", message(p.data.message) + wait(p.data.wait) + (p.pattern == "mpi_latereceiver",))

    def event(self, kind, e, *further):
        self.see(kind, (e.pos, e.time, e.loc.id, waitstate.event_types.index(e.type), number(e.callpath),
                        e["region"].id if e.type in ("enter", "exit") else -1,
                        *map(number, (e.enterptr, e.sendptr, e.requestptr, e.beginptr, e.startptr, e.originptr))), *further)

    def enter_callback(self, e):
        self.event("enter", e)

    def exit_callback(self, e):
        self.event("exit", e)

    def metric_callback(self, e):
        values = [(i, True, 0, v) if isinstance(v, float) else (i, False, (v + 2**63) % 2**64 - 2**63, float(v))
                  for i, v in enumerate(e["counters"])]
        self.event("metric", e, values)

    def event_callback(self, e):
        self.event("event", e)


LOCKS = ("exclusive", "shared")


class Batched(Pattern):
    """Keeps the rows of all batches."""

    needs = ("mpi_latesender", "mpi_latereceiver")

    def init(self):
        self.seen, self.largest, self.attributes = {}, {}, []

    def see(self, kind, array, *further):
        numbers = array["number"] if "number" in array.dtype.names else array["pos"]
        assert len(array) and np.all(np.diff(numbers) >= 0) and numbers[0] > self.largest.get(kind, -1)
        self.largest[kind] = numbers[-1]
        for one in zip(rows(array), *further):
            self.seen.setdefault(kind, []).append(one)

    def completed_receives_batch(self, messages): self.see("recv", messages)
    def completed_sends_batch(self, messages): self.see("send", messages)
    def overtaken_batch(self, overtaken): self.see("overtaken", overtaken)

    def completed_receives_callback(self, r):  # only here can messages be watched
        for m in r.messages:
            if m.send.enter > m.recv.enter:
                self.watch_overtaking(m, self.add_wait(m.recv, 1, m.send))

    def collective_batch(self, members):
        for n in np.unique(members["number"]):
            self.seen.setdefault("collective", []).append(tuple(rows(members[members["number"] == n])))

    def completed_collectives_batch(self, completions): self.see("completed_collectives", completions)
    def other_collective_batch(self, operations, members):
        self.see("other_collective", operations, children(members, operations))

    def team_barrier_batch(self, threads): self.see("team_barrier", threads)
    def task_idle_batch(self, calls, parts): self.see("task_idle", calls, children(parts, calls))
    def device_wait_batch(self, waits, parts): self.see("device_wait", waits, children(parts, waits))

    def unused_threads_batch(self, intervals, members):
        self.see("unused_threads", intervals, children(members, intervals))

    def lock_acquired_batch(self, locks): self.see("lock", locks)
    def rma_operation_batch(self, operations): self.see("rma_operation", operations)

    def rma_collective_batch(self, members, accesses):
        for n in np.unique(members["number"]):
            found = [r[:-1] + (list(PARADIGMS)[r[-1]],) for r in rows(members[members["number"] == n])]
            self.seen.setdefault("rma_collective", []).append((found, rows(accesses[accesses["number"] == n])))

    def rma_access_epoch_batch(self, epochs, targets, operations):
        self.see("rma_access_epoch", epochs, children(targets, epochs), children(operations, epochs))

    def rma_exposure_epoch_batch(self, epochs, origins):
        self.see("rma_exposure_epoch", epochs, children(origins, epochs))

    def rma_lock_epoch_batch(self, epochs, accesses):
        self.see("rma_lock_epoch", epochs, children(accesses, epochs))

    def rma_passive_call_batch(self, calls, gaps): self.see("rma_passive_call", calls, children(gaps, calls))
    def rma_wait_change_batch(self, changes): self.see("rma_wait_change", changes)
    def published_batch(self, published): self.see("published", published)

    def events(self, kind, events, *further):
        numbers = events["pos"]
        assert len(events) and np.all(np.diff(numbers) > 0)
        self.seen.setdefault(kind, []).extend(zip(rows(events, ("attributes",)), *further))
        self.attributes += [(int(e["pos"]), e["attributes"].tolist()) for e in events]

    def enter_batch(self, events): self.events("enter", events)
    def exit_batch(self, events): self.events("exit", events)
    def event_batch(self, events): self.events("event", events)

    def metric_batch(self, events, values):
        self.events("metric", events, [rows(values[values["pos"] == pos], ("pos",)) for pos in events["pos"]])


# By OTF2's numbers, as the arrays have them.
PARADIGMS = ("unknown", "user", "compiler", "openmp", "mpi", "cuda", "measurement_system", "pthread", "hmpp", "ompss",
             "hardware", "gaspi", "upc", "shmem")


def named(kind, seen):
    """Enumerations that objects have as names and arrays as numbers: as names."""
    result = []
    for one in seen:
        first = one[0]
        if kind == "rma_lock_epoch":
            first = (*first[:3], LOCKS[first[3]] if isinstance(first[3], int) else first[3], *first[4:])
        if kind == "rma_passive_call":
            first = (*first[:16], PARADIGMS[first[16]] if isinstance(first[16], int) else first[16], *first[17:])
        result.append((first, *one[1:]))
    return result


@pytest.mark.parametrize("name, kinds", [
    ("p2p", "recv send overtaken published collective enter exit event"),
    ("coll", "collective completed_collectives other_collective"),
    ("hybrid", "team_barrier lock unused_threads"),
    ("hybrid_tasks", "task_idle team_barrier"),
    ("rma", "rma_operation rma_collective"),
    ("rma_waits", "rma_access_epoch rma_exposure_epoch rma_lock_epoch rma_passive_call rma_collective"),
    ("rma_waits_messages", "rma_access_epoch rma_exposure_epoch rma_lock_epoch rma_passive_call"),
    ("shmem_waits", "rma_wait_change rma_collective rma_lock_epoch"),
])
def test_each_batch_has_what_its_callback_is_given(name, kinds):
    compare(SOURCE / "traces" / name, kinds)


def compare(trace, kinds):
    """Runs both forms, which must see the same; returns what the single one saw."""
    single, batched = Single(), Batched()
    result = waitstate.analyze(trace, patterns=[single, batched])
    assert result.total("single") == result.total("batched")
    assert single.seen.keys() == batched.seen.keys()
    assert set(kinds.split()) <= single.seen.keys()
    for kind, seen in single.seen.items():
        assert named(kind, batched.seen[kind]) == named(kind, seen), kind
    return single.seen


def test_waits_for_devices_in_batches(tmp_path):
    for name, parts in (("kernels", [(100, 120, False, 1), (120, 190, False, 1)]),
                        ("copies", [(100, 150, False, 1), (150, 180, True, 1)])):
        path = tmp_path / f"{name}.trace"
        path.write_text(read_case(SOURCE / "tests" / "cases" / "accelerator_wait" / f"{name}.case").trace)
        (_, found), = compare(path, "device_wait")["device_wait"]
        assert [part[:4] for part in found] == parts


def test_stretches_with_unused_threads_in_batches(tmp_path):
    """Teams of 4, 2, 3 and 1 of four threads; see the case."""
    path = tmp_path / "sizes.trace"
    path.write_text(read_case(SOURCE / "tests" / "cases" / "omp_limited_parallelism" / "sizes_that_change.case").trace)
    found = compare(path, "unused_threads")["unused_threads"]
    assert sorted((begin, end, sorted(team)) for (_, begin, end, _, parallel), team in found if parallel) == [
        (30, 50, [(0,), (1,)]), (60, 90, [(0,), (1,), (2,)]), (100, 140, [(0,)])]


# Whole numbers of both signs, beyond what a double holds and beyond what int64 does, real ones; a record of no counter.
COUNTERS = """\
metric_member 0 name=a value=uint64
metric_member 1 name=b value=int64
metric_member 2 name=c value=double
metric 0 members=(0,1,2)
metric 1 members=(2)
metric 2 members=()
0 0 metric metric=0 values=(uint64:0,int64:-5,double:0.5)
0 0 enter main
0 5 metric metric=2 values=()
0 5 buffer_flush stop=6
0 10 metric metric=0 values=(uint64:18446744073709551615,int64:9007199254740993,double:-3)
0 20 metric metric=1 values=(double:1e300)
0 20 exit
"""


def test_counter_records_in_batches(tmp_path):
    path = tmp_path / "counters.trace"
    path.write_text(COUNTERS)
    seen = compare(path, "metric event")
    assert [values for _, values in seen["metric"]] == [
        [(0, False, 0, 0.0), (1, False, -5, -5.0), (2, True, 0, 0.5)], [],
        [(0, False, -1, 2.0**64), (1, False, 2**53 + 1, 2.0**53), (2, True, 0, -3.0)], [(0, True, 0, 1e300)]]
    assert len(seen["event"]) == 1, "the flush alone: counter records have a method of their own"
    numbers = []

    class Metrics(Pattern):
        def metric_batch(self, events, values):
            numbers.append(("metric", events["attributes"][:, 0].tolist(), values["value"][values["index"] == 1].tolist()))

        def event_batch(self, events):
            numbers.append(("event", len(events)))

    class Events(Pattern):
        def event_batch(self, events):
            numbers.append(("all", len(events)))

    waitstate.analyze(path, patterns=[Metrics, Events])
    assert numbers == [("metric", [0, 2, 0, 1], [-5.0, 2.0**53]), ("event", 1), ("all", 5)]


def test_records_of_many_counters_fill_batches_together(tmp_path):
    """500 records of three counters: batches are full of values before they are of records, and split no record."""
    path = tmp_path / "many.trace"
    path.write_text(COUNTERS.partition("0 0 metric")[0] + "0 0 enter main\n" + "".join(
        f"0 {t} metric metric=0 values=(uint64:{t},int64:{-t},double:{t / 4})\n" for t in range(500)) + "0 500 exit\n")
    seen = compare(path, "metric")
    assert len(seen["metric"]) == 500
    sizes = []

    class Sizes(Pattern):
        def metric_batch(self, events, values):
            sizes.append((len(events), len(values)))

    waitstate.analyze(path, patterns=[Sizes])
    assert len(sizes) > 1 and all(values == 3 * records for records, values in sizes)


def test_attributes_of_events_in_batches_are_those_of_the_events():
    batched = Batched()
    waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[batched])
    trace = waitstate.EventTrace(SOURCE / "traces" / "p2p")
    seen = 0
    for pos, attributes in batched.attributes:
        event = trace.event(pos)
        if event.type == "irecv_request":
            assert attributes[0] == event["request"]
            seen += 1
        elif event.type == "collective_end":
            assert attributes[3:5] == [event["sent"], event["received"]] and attributes[1] == event["com"].id
            seen += 1
    assert seen > 10


def test_every_callback_has_a_batch_and_a_description():
    names = set(waitstate.pattern.CALLBACKS)
    singles = {n[:-len("_callback")] for n in names if n.endswith("_callback")}
    batches = {n[:-len("_batch")] for n in names if n.endswith("_batch")}
    without = {"send", "recv"}  # their messages come as completed_sends_batch and completed_receives_batch
    assert singles - without == batches and without <= singles
    assert "except for two: send_callback and recv_callback have none" in Pattern.__doc__
    for name in names:
        assert getattr(Pattern, name).__doc__ and name in Pattern.__doc__


def test_what_batches_add_has_no_time(tmp_path):
    """Which event filled a batch does not matter: who wants those of the chosen time looks at the rows."""
    path = tmp_path / "many.trace"
    path.write_text("".join(f"0 {i} enter work\n0 {i} exit\n" for i in range(3000)))

    class P(Pattern):
        unit = "occ"
        metrics = [{"id": "chosen", "unit": "occ"}]

        def enter_batch(self, events):
            self.add_many(events["callpath"], events["loc"], 1)
            rows = events[(500 <= events["time"]) & (events["time"] < 1500)]
            self.add_many(rows["callpath"], rows["loc"], 1, "chosen")
            with pytest.raises(waitstate.UsageError, match="^events are available only during event callbacks$"):
                self.trace.event(events["pos"][-1])

    result = waitstate.analyze(path, patterns=P, focus=waitstate.Focus(time=(500, 1499)))
    assert (result.total("p"), result.total("chosen")) == (3000, 1000)


@pytest.mark.parametrize("method", ["completed_receives_batch", "rma_lock_epoch_batch", "enter_batch"])
def test_a_batch_that_fails_is_named(method):
    def fail(self, *arrays):
        raise ValueError(len(arrays))

    name = "halo" if method != "rma_lock_epoch_batch" else "rma_waits"
    with pytest.raises(waitstate.PatternError) as error:
        waitstate.analyze(SOURCE / "traces" / name, patterns=[type("P", (Pattern,), {method: fail})])
    assert str(error.value).startswith("pattern 'p' (class P) failed in ")
    assert f": {method} of " in str(error.value) and re.search(" rows?: ValueError: ", str(error.value))
    assert isinstance(error.value.__cause__, ValueError)
    if name == "halo":
        assert " on location " in str(error.value) and " at time " in str(error.value)


# Two messages that are received in the wrong order, and waited for: the receiver waits for the second one, sent at 60,
# while the first one, sent at 30, is there.
OVERTAKEN = """\
0 0 enter main
0 30 enter MPI_Send
0 31 send dest=2 tag=1 com=0 len=8
0 32 exit
0 200 exit
1 0 enter main
1 60 enter MPI_Send
1 61 send dest=2 tag=2 com=0 len=16
1 62 exit
1 200 exit
2 0 enter main
2 10 enter MPI_Recv
2 70 recv src=1 tag=2 com=0 len=16
2 72 exit
2 80 enter MPI_Recv
2 81 recv src=0 tag=1 com=0 len=8
2 82 exit
2 200 exit
"""


def test_overtaken_messages_that_are_watched_are_told(tmp_path):
    path = tmp_path / "overtaken.trace"
    path.write_text(OVERTAKEN)
    told = []

    class Watch(Pattern):
        def completed_receives_callback(self, receives):
            for m in receives.messages:
                ticks = m.send.enter - m.recv.enter
                if ticks > 0:
                    self.watch_overtaking(m, self.add_wait(m.recv, ticks, m.send))

        def overtaken_callback(self, o):
            told.append((o.wait.ticks, o.wait.location, o.source, o.bytes, o.overtaker, repr(o)))
            self.add(o.wait.callpath, o.wait.location, 1000)

        def overtaken_batch(self, overtaken):
            told.append(rows(overtaken))

    result = waitstate.analyze(path, patterns=[Watch])
    assert told == [(50, 2, 1, 16, 0, "<Overtaken message from 1>"),
                    [(2, 2, 10, 72, 10, 50, 1, 0, 1, 16, 0, 0, 2, 61, 70, 60, 62)]]
    assert result.total("watch") == 1050

    class Unwatched(Pattern):
        def overtaken_callback(self, o):
            raise AssertionError("nobody asked")

    waitstate.analyze(path, patterns=[Unwatched])


def test_messages_are_watched_while_receives_are_delivered_only(tmp_path):
    path = tmp_path / "overtaken.trace"
    path.write_text(OVERTAKEN)
    kept = []

    class Late(Pattern):
        def completed_receives_callback(self, receives):
            kept.append((receives.messages[0], self.add_wait(receives.call, 1)))

        def wrapup(self):
            self.watch_overtaking(*kept[0])

        def overtaken_callback(self, o):
            raise AssertionError("too late")

    with pytest.raises(waitstate.PatternError, match=r"watch_overtaking\(\) is available only in completed_receives_callback and published_callback"):
        waitstate.analyze(path, patterns=[Late])


@pytest.mark.parametrize("numbers, error, told", [
    ([1.5, 2.5], TypeError, "[0] is 1.5, expected a whole number: round yourself"),
    ([1, 2.0], TypeError, "[1] is 2.0, expected a whole number"),
    ([0.9] * 1000, TypeError, "[0] is 0.9,"),
    (0.5, TypeError, " is 0.5,"),
    (np.float32(0.5), TypeError, "0.5"),
    ([float("nan")], TypeError, "[0] is nan,"),
    (["1"], TypeError, "[0] is '1',"),
    (np.array([3, None]), TypeError, "[1] is None,"),
    (np.array([1, 2**63], np.uint64), OverflowError, "[1] is 9223372036854775808, expected -2**63 to 2**63 - 1"),
    ([-1, 2**63], OverflowError, "[1] is 9223372036854775808,"),
    (-2**63 - 1, OverflowError, " is -9223372036854775809,"),
])
def test_batches_take_what_is_whole_and_fits_only(numbers, error, told):
    tried = []

    class P(Pattern):
        def completed_receives_batch(self, messages):
            calls = messages["recv"][:len(numbers) if isinstance(numbers, (list, np.ndarray)) else None]
            for name, add in {
                "callpaths": lambda: self.add_many(numbers, 0, 1),
                "locations": lambda: self.add_many(0, numbers, 1),
                "values": lambda: self.add_many(0, 0, numbers),
                "values ": lambda: self.add_calls(calls, numbers),
                "ticks": lambda: self.add_waits(calls, numbers),
                "begin": lambda: self.add_waits(calls, 1, begin=numbers),
                "operations": lambda: self.add_waits(calls, 1, operations=numbers),
            }.items():
                with pytest.raises(error) as raised:
                    add()
                assert str(raised.value).startswith(name.strip()) and told in str(raised.value)
                tried.append(name)

        def wrapup(self):
            with pytest.raises(error, match="^locations"):
                self.waits_of(np.zeros(1, [("master", "i4"), ("callpath", "i4"), ("begin", "i8"), ("end", "i8")]), numbers)

    assert waitstate.analyze(SOURCE / "traces/p2p", patterns=P).total("p") == 0
    assert len(tried) >= 7


def test_whole_numbers_of_all_kinds_are_taken_by_batches():
    class P(Pattern):
        unit = "occ"
        done = False

        def completed_receives_batch(self, messages):
            if self.done:
                return
            self.done = True
            path = self.trace.call_paths[0]
            for numbers in (1, True, [1], np.int8(1), np.array([1], np.uint64), np.array([1], ">i2"), np.array([1], object)):
                self.add_many(path, [0], numbers)
            self.add_many(0, 0, [])
            self.add_many([path, 0], self.trace.locations[0], np.array([[1, 9], [2, 9]])[:, 0])
            with pytest.raises(OverflowError, match=r"^begin\[0\] is -1, expected a time during the call$"):
                self.add_waits(messages["recv"], 1, begin=-1)
            with pytest.raises(OverflowError, match="^locations has numbers from 4294967296 to 4294967296, expected"):
                self.waits_of(np.zeros(1, [("master", "i4"), ("callpath", "i4"), ("begin", "i8"), ("end", "i8")]), 2**32)

    assert waitstate.analyze(SOURCE / "traces/p2p", patterns=P).total("p") == 10
