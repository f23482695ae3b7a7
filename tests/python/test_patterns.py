"""Patterns in Python: what their callbacks are given, what they add, and how they fail.

Long because each callback, and each way to fail, has its own few lines.
"""

import fractions
import functools
import gc
import inspect
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import waitstate
from conftest import SOURCE
from waitstate import CollectiveKind, MpiFunction, Pattern

# A late sender of 60 ticks: the receive is entered at 100, the send at 160. A barrier for which location 0 is 20 late.
TRACE = """\
0 0 enter main
0 160 enter MPI_Send
0 165 send dest=1 tag=7 com=0 len=8
0 170 exit
0 220 enter MPI_Barrier
0 221 collective_begin
0 225 collective_end op=barrier com=0 sent=0 received=0
0 226 exit
0 300 exit
1 0 enter main
1 100 enter MPI_Recv
1 175 recv src=0 tag=7 com=0 len=8
1 180 exit
1 200 enter MPI_Barrier
1 201 collective_begin
1 225 collective_end op=barrier com=0 sent=0 received=0
1 226 exit
1 300 exit
"""


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "two.trace"
    path.write_text(TRACE)
    return path


def run(trace, *patterns, **options):
    return waitstate.analyze(trace, patterns=list(patterns), **options)


def rows(result, metric):
    return [(row.callpath.path, row.location.id, row.value) for row in result.rows(metric)]


# ---- what a class says about itself ----


def test_a_class_with_one_callback_is_complete(trace):
    class VeryLateSender(Pattern):
        def recv_callback(self, recv):
            self.add(recv["callpath"], recv["loc"], 5)

    result = run(trace, VeryLateSender)
    assert rows(result, "very_late_sender") == [("main/MPI_Recv", 1, 5)]
    metric = result.metric("very_late_sender")
    assert (metric.title, metric.summary, metric.unit, metric.parent) == ("Very late sender", "Very late sender.", "sec", None)


def test_info_of_a_class_is_what_a_built_in_pattern_says():
    class Mine(Pattern):
        """One sentence
        on two lines.

        severity    a formula that
                    goes on
        charged to  somebody
        state       none
        source      me
        differs     no
        diagnosis   do something
        """

        id, parent, unit, title = "mine", "mpi_point2point", "occ", "My own"
        metrics = [{"id": "mine_bytes", "parent": "bytes_sent", "unit": "bytes", "within_parent": False, "summary": "B."}]
        parameters = {"a": 1, "b": (2.5, "s"), "c": ("x", "", "A text.")}
        needs = "mpi_latesender"

        def severity(self):
            return None

    entry = waitstate.patterns(Mine)[-1]
    assert entry["id"] == "mine" and entry["metrics"] == ["mine", "mine_bytes"]
    assert entry["summary"] == "One sentence on two lines." and entry["title"] == "My own"
    assert entry["severity"] == "a formula that goes on" and entry["charged_to"] == "somebody"
    assert entry["diagnosis"] == "do something" and entry["differs"] == "no"
    assert entry["parameters"] == {"a": 1, "b": 2.5, "c": "x"} and entry["needs"] == ["mpi_latesender"]
    text = waitstate.explain("mine", plugins=Mine)
    assert "diagnosis   do something\n" in text and "c = x: A text." in text
    assert "mine_bytes (bytes, a part of bytes_sent): B." in text


def generator(self, *given):
    yield


async def coroutine(self, *given):
    pass


async def asynchronous_generator(self, *given):
    yield


@pytest.mark.parametrize("attributes, message", [
    ({"recieve_callback": lambda self, r: None}, "class P has a method 'recieve_callback', which nobody calls: did you mean"),
    ({"x_batch": lambda self, r: None}, "class P has a method 'x_batch', which nobody calls: "),
    ({"unit": "ms"}, "metric 'p' has the unit 'ms', expected 'sec', 'occ' or 'bytes'"),
    ({"parent": "mpi_poin2point"}, "below 'mpi_poin2point', which is not a metric: did you mean 'mpi_point2point'?"),
    ({"id": "mpi_latesender"}, "has a metric 'mpi_latesender', which belongs to pattern 'mpi_latesender' (built-in)"),
    ({"parameters": {"p": [1]}}, "parameter 'p' is of type list, expected a whole number, a real one, or a text"),
    ({"parameters": {"p": (1, "", "", 0, 9, 4)}}, "class P: parameter 'p' has 6 values, expected (default, unit, summary, minimum"),
    ({"parameters": {"p": (1, "", "", "0")}}, "class P: the minimum of parameter 'p' is '0', expected a number or None"),
    ({"parameters": {"p": (1, "", "", None, float("inf"))}}, "class P: the maximum of parameter 'p' is inf, expected a number"),
    ({"parameters": {"p": (1, "", "", 2)}}, "has a parameter 'p' whose default is outside of its range, at least 2"),
    ({"metrics": [{"di": "x"}]}, "class P: a metric has the key 'di'; known: id, parent,"),
    ({"enter_callback": generator}, "class P: enter_callback is a generator (it has a yield), expected a method that does"),
    ({"completed_receives_batch": generator}, "class P: completed_receives_batch is a generator"),
    ({"wrapup": coroutine}, "class P: wrapup is a coroutine (async def), expected a method that does its work when it is"),
    ({"severity": asynchronous_generator}, "class P: severity is a coroutine (async def)"),
    ({"exit_callback": functools.partial(generator, None)}, "class P: exit_callback is a generator"),
    ({"exit_callback": 5}, "class P: exit_callback is 5, which cannot be called, expected a method"),
    ({"unit": None}, "class P: unit is None, expected 'sec', 'occ' or 'bytes'"),
    ({"unit": "\udc80"}, "class P: unit is '\\udc80', expected 'sec', 'occ' or 'bytes'"),
    ({"id": 5}, "class P: id is 5, expected a str"),
    ({"parent": 5}, "class P: parent is 5, expected a str"),
    ({"title": "\udc80"}, "class P: title is '\\udc80', expected text that UTF-8 can encode"),
    ({"summary": ["a"]}, "class P: summary is ['a'], expected a str"),
    ({"__doc__": 5}, "class P: the docstring is 5, expected a str"),
    ({"metrics": 5}, "class P: metrics is 5, expected a list of dicts"),
    ({"metrics": {"id": "x"}}, "class P: metrics is {'id': 'x'}, expected a list of dicts"),
    ({"metrics": [5]}, "class P: metrics[0] is 5, expected a dict"),
    ({"metrics": [{"id": "x"}, {"id": "y", "title": 5}]}, "class P: title of metrics[1] is 5, expected a str"),
    ({"metrics": [{"id": "x", "unit": None}]}, "class P: unit of metrics[0] is None, expected 'sec', 'occ' or 'bytes'"),
    ({"parameters": 5}, "class P: parameters is 5, expected a dict"),
    ({"parameters": {5: 5}}, "class P: the name of a parameter is 5, expected a str"),
    ({"parameters": {"p": 1 << 70}}, f"class P: the default of parameter 'p' is {1 << 70}, expected -2**63 to 2**63 - 1"),
    ({"parameters": {"p": "\udc80"}}, "class P: the default of parameter 'p' is '\\udc80', expected text that UTF-8 can encode"),
    ({"parameters": {"p": (1, None)}}, "class P: the unit of parameter 'p' is None, expected a str"),
    ({"parameters": {"p": (1, "", 5)}}, "class P: the summary of parameter 'p' is 5, expected a str"),
    ({"needs": 5}, "class P: needs is 5, expected a list of ids of patterns"),
    ({"needs": [5]}, "class P: needs[0] is 5, expected a str"),
    ({"needs": "mpi_latesende"}, "needs 'mpi_latesende', which is not a pattern: did you mean 'mpi_latesender'?"),
])
def test_what_does_not_fit_together_is_said(trace, attributes, message):
    with pytest.raises(waitstate.UsageError) as error:
        run(trace, type("P", (Pattern,), attributes))
    assert message in str(error.value)


def test_parameters_are_typed_and_set(trace):
    class P(Pattern):
        parameters = {"whole": 1, "real": 0.5, "text": "a"}

        def configure(self, parameters):
            self.seen = parameters

        def wrapup(self):
            pass

    p = P()
    run(trace, p)
    assert p.seen == {"whole": 1, "real": 0.5, "text": "a"}
    run(trace, p, parameters={"p.whole": 7, "p.real": 1e-3, "p.text": "b c"})
    assert p.seen == {"whole": 7, "real": 0.001, "text": "b c"}
    with pytest.raises(waitstate.UsageError, match="pattern 'p': parameter 'whole' takes a whole number, not 'x'"):
        run(trace, P, parameters={"p.whole": "x"})

    class Ranged(Pattern):
        id = "p"
        parameters = {"share": (0.5, "", "A share.", 0, 1), "count": (3, "", "A number.", None, 7)}

        def wrapup(self):
            pass

    for name, value, words in (("share", 1.5, "a number (0 to 1), not '1.5'"), ("count", 8, "a whole number (at most 7), not '8'")):
        with pytest.raises(waitstate.UsageError) as refused:
            run(trace, Ranged, parameters={f"p.{name}": value})
        assert str(refused.value) == f"pattern 'p': parameter '{name}' takes {words}"

    class Q(Pattern):
        parameters = {"limit": 3}

        def wrapup(self):
            pass

    q = Q()
    run(trace, q, parameters={"q.limit": 4})
    assert q.limit == 4


@pytest.mark.parametrize("name, value, read", [
    ("limit", np.int32(4), 4), ("limit", True, 1), ("limit", np.True_, 1), ("share", np.float32(0.25), 0.25),
    ("share", np.float64(0.1), 0.1), ("share", fractions.Fraction(1, 4), 0.25), ("share", 2, 2.0),
    ("word", "f\udcfcr", "f\udcfcr")])
def test_parameters_are_numbers_of_any_library(name, value, read, trace):
    class Reads(waitstate.Pattern):
        parameters = {"limit": 65536, "share": 0.5, "word": "main"}

        def wrapup(self):
            values.append(getattr(self, name))

    values = []
    waitstate.analyze(trace, patterns=Reads, parameters={f"reads.{name}": value})
    assert values == [read] and type(values[0]) is type(read)


def test_what_replaces_a_pattern_has_its_own_parameters(trace):
    class Big(waitstate.Pattern):
        id, parent = "big_messages", "mpi_communication"
        parameters = {"threshold": 77}

        def wrapup(self):
            values.append(self.threshold)

    class Other(Big):
        parameters = {"limit": 5}

        def wrapup(self):
            values.append(self.limit)

    values = []
    waitstate.analyze(trace, replace=Big)
    waitstate.analyze(trace, replace=Big, parameters={"big_messages.threshold": 8})
    waitstate.analyze(trace, replace=Other)
    waitstate.analyze(trace, replace=Other, parameters={"big_messages.limit": 6})
    assert values == [77, 8, 5, 6]
    with pytest.raises(waitstate.UsageError, match="^pattern 'big_messages': no parameter has the name 'threshold'; known:"):
        waitstate.analyze(trace, replace=Other, parameters={"big_messages.threshold": 6})


def test_what_listens_to_a_replaced_pattern_finds_no_zero():
    class Nobody(waitstate.Pattern):
        id, parent = "mpi_latesender", "mpi_point2point"
        metrics = [{"id": "mpi_cls_count", "parent": "comms_recv", "unit": "occ"},
                   {"id": "mpi_sls_count", "parent": "syncs_recv", "unit": "occ"}]

    trace = SOURCE / "traces" / "p2p"
    result = waitstate.analyze(trace, replace=Nobody)
    assert result.total("mpi_latesender") == 0 and result.total("mpi_latereceiver") > 0
    for metric in ("mpi_latesender_wo", "mpi_lswo_same", "slow_slaves", "overloaded_master"):
        with pytest.raises(waitstate.UsageError, match=f"^no metric has the id '{metric}'"):
            result.total(metric)
    Nobody.metrics = Nobody.metrics[:1]
    with pytest.raises(waitstate.UsageError) as error:
        waitstate.analyze(trace, replace=Nobody)
    assert str(error.value) == ("what replaces pattern 'mpi_latesender' has the metrics mpi_cls_count, mpi_latesender, expected "
                                "those that it has: mpi_cls_count, mpi_latesender, mpi_sls_count")


# ---- what callbacks are given ----


def test_event_callbacks_are_given_what_an_event_trace_has(traces_of_all):
    for path in traces_of_all:
        events = {"enter": [], "exit": [], "send": [], "recv": [], "event": []}

        class All(Pattern):
            def enter_callback(self, e): events["enter"].append(e)
            def exit_callback(self, e): events["exit"].append(e)
            def send_callback(self, e): events["send"].append(e)
            def recv_callback(self, e): events["recv"].append(e)
            def event_callback(self, e): events["event"].append(e)

        run(path, All)
        trace = waitstate.EventTrace(path)
        kinds = {"enter": "enter", "exit": "exit", "send": "send", "isend": "send", "recv": "recv", "irecv": "recv"}
        expected = {kind: [] for kind in events}
        for event in trace:
            expected[kinds.get(event.type, "event")].append(event)
        for kind in events:
            assert len(events[kind]) == len(expected[kind])
            for mine, other in zip(events[kind], expected[kind]):  # kept until now: still valid
                assert (mine.pos, mine.time, mine.loc.id, mine.type) == (other.pos, other.time, other.loc.id, other.type)
                assert (mine.enterptr, mine.sendptr) == (other.enterptr, other.sendptr)
                assert mine.callpath is None or mine.callpath.path == other.callpath.path


@pytest.fixture
def traces_of_all():
    return [SOURCE / "traces" / name for name in ("p2p", "coll", "hybrid")]


def test_links_are_followed_during_callbacks(trace):
    found = []

    class P(Pattern):
        def recv_callback(self, recv):
            send = self.trace.event(recv["sendptr"])
            found.append((send["time"], self.trace.event(send["enterptr"])["region"] == "MPI_Send",
                          self.trace.event(recv["enterptr"])["region"].name, send["loc"].id))

        def enter_callback(self, enter):
            with pytest.raises(IndexError):
                self.trace.event(enter.pos + 1)
            with pytest.raises(waitstate.UsageError, match="there is no event at None"):
                self.trace.event(None)
            with pytest.raises(IndexError, match="^positions run from 0, not -1$"):
                self.trace.event(-1)
            with pytest.raises(IndexError, match=f"^positions run from 0, not {-10**30}$"):
                self.trace.event(-10**30)
            for far in (2**63, 10**30):  # more than 64 bits can say
                with pytest.raises(IndexError, match=f"^event {far} does not exist: no trace has that many$"):
                    self.trace.event(far)
            with pytest.raises(TypeError, match="'str' object cannot be interpreted as an integer"):
                self.trace.event("1")
            assert self.trace.event(np.int64(enter.pos)) == enter

    p = P()
    run(trace, p)
    assert found == [(165, True, "MPI_Recv", 0)]
    with pytest.raises(waitstate.UsageError, match="only during the callbacks of a running analysis"):
        p.trace.event(0)
    assert [l.id for l in p.trace.locations] == [0, 1]  # definitions stay


def test_the_call_of_a_linked_event_is_there_even_if_it_is_long_over(tmp_path):
    """Millions of events may lie between a send and its receive; those are let go, the call that sent is not."""
    path = tmp_path / "long.trace"
    idle = "".join(f"2 {300 + i} enter work\n2 {300 + i} exit\n" for i in range(6000))
    path.write_text("0 10 enter MPI_Send\n0 20 send dest=1 tag=7 com=0 len=8\n0 30 exit\n"
                    "0 40 enter MPI_Isend\n0 45 isend dest=1 tag=8 com=0 len=8 request=1\n0 50 exit\n"
                    "1 10 enter MPI_Irecv\n1 15 irecv_request request=2\n1 20 exit\n"
                    "2 10 enter work\n2 20 exit\n" + idle +
                    "1 9000 enter MPI_Recv\n1 9010 recv src=0 tag=7 com=0 len=8\n1 9020 exit\n"
                    "1 9030 enter MPI_Wait\n1 9040 irecv src=0 tag=8 com=0 len=8 request=2\n1 9050 exit\n"
                    "0 9060 enter MPI_Wait\n0 9070 isend_complete request=1\n0 9080 exit\n")
    seen = []

    class Follows(Pattern):
        def recv_callback(self, recv):
            send = self.trace.event(recv["sendptr"])
            seen.append(self.trace.event(send["enterptr"])["time"])
            if recv["type"] == "irecv":
                request = self.trace.event(recv["requestptr"])
                seen.append(self.trace.event(request["enterptr"])["time"])

        def event_callback(self, event):
            if event["type"] == "isend_complete":
                request = self.trace.event(event["requestptr"])
                seen.append(self.trace.event(request["enterptr"])["time"])
                with pytest.raises(IndexError, match="has been released"):
                    self.trace.event(5000)  # a position without a record

    run(path, Follows)
    assert seen == [10, 40, 10, 40]


def test_compound_events_are_copies(trace):
    kept = []

    class P(Pattern):
        def completed_receives_callback(self, receives): kept.append(receives)
        def completed_sends_callback(self, sends): kept.append(sends)
        def collective_callback(self, collective): kept.append(collective)

    run(trace, P)
    receives = next(k for k in kept if isinstance(k, waitstate.CompletedReceives))
    sends = next(k for k in kept if isinstance(k, waitstate.CompletedSends))
    collective = next(k for k in kept if isinstance(k, waitstate.Collective))
    message = receives.messages[0]
    assert (message.send.enter, message.recv.enter, message.recv.exit, message.bytes, message.tag) == (160, 100, 180, 8, 7)
    assert message.recv.region == "MPI_Recv" and message.recv.callpath.path == "main/MPI_Recv"
    assert message.recv.function == MpiFunction.recv and message.sender == 0 and message.receiver.id == 1
    assert message.send.meanwhile(100, 160) == message.send.before.callpath
    assert sends.call.enter == 160 and sends.receive_wait_ticks == 0
    assert collective.kind == CollectiveKind.barrier and [m.begin for m in collective.members] == [221, 201]
    assert repr(message) == "<Message 0 -> 1, tag 7, 8 bytes>"
    assert "MPI_Recv on location 1 [100, 180]" in repr(receives)


def test_published_waits_arrive_and_can_be_added(trace):
    class Mine(Pattern):
        parent, needs = "mpi_latesender", "mpi_latesender"

        def published_callback(self, published):
            assert published.pattern == "mpi_latesender"
            wait = self.add_wait(published.data.wait)
            assert (wait.ticks, wait.culprit, wait.begin) == (60, 0, 100)

    result = run(trace, Mine)
    assert rows(result, "mine") == [("main/MPI_Recv", 1, 60)]
    assert [(p.culprit, p.waiter, p.count, p.ticks) for p in result.waits["mine"].pairs] == [(0, 1, 1, 60)]


def test_python_patterns_publish_to_each_other(trace):
    class First(Pattern):
        def recv_callback(self, recv):
            self.publish({"time": recv.time})

    class Second(Pattern):
        needs = "first"

        def published_callback(self, published):
            self.add(0, 0, published.data["time"])

    result = waitstate.analyze(trace, patterns=[First, Second])
    assert result.total("second") == 175


def test_failures_of_subscribers_name_the_subscriber(trace):
    class First(Pattern):
        def recv_callback(self, recv):
            self.publish(1)

    class Second(Pattern):
        needs = "first"

        def published_callback(self, published):
            raise KeyError("k")

    with pytest.raises(waitstate.PatternError) as error:
        waitstate.analyze(trace, patterns=[First, Second])
    line = inspect.getsourcelines(Second)[1]
    assert str(error.value) == (f"pattern 'second' (class Second, {__file__}:{line}) failed in published_callback of what 'first' "
                                "published: KeyError: 'k'")
    assert isinstance(error.value.__cause__, KeyError)


# ---- batches ----


def flat(call):
    return (call.location.id, call.callpath.id, call.region.id, int(call.function), call.enter, call.exit)


def flat_row(call):
    return tuple(int(call[name]) for name in ("location", "callpath", "region", "function", "enter", "exit"))


@pytest.mark.parametrize("name", ["p2p", "coll", "lammps", "hybrid"])
def test_both_forms_see_the_same(name):
    single, batched = {}, {}

    def see(where, kind, *what):
        where.setdefault(kind, []).append(what)

    class Both(Pattern):
        def completed_receives_callback(self, r):
            for m in r.messages:
                see(single, "recv", m.sender.id, m.receiver.id, m.comm, m.tag, m.bytes, m.send_time, m.recv_time,
                    flat(m.send), flat(m.recv_post), flat(m.recv))

        def completed_receives_batch(self, messages):
            for m in messages:
                see(batched, "recv", *(int(m[f]) for f in ("sender", "receiver", "comm", "tag", "bytes", "send_time",
                                                           "recv_time")),
                    flat_row(m["send"]), flat_row(m["recv_post"]), flat_row(m["recv"]))

        def completed_sends_callback(self, s):
            for m in s.messages:
                see(single, "send", flat(s.call), s.receive_wait_ticks, m.bytes, flat(m.send), flat(m.recv))

        def completed_sends_batch(self, messages):
            for m in messages:
                see(batched, "send", flat_row(m["call"]), int(m["receive_wait"]), int(m["bytes"]), flat_row(m["send"]),
                    flat_row(m["recv"]))

        def collective_callback(self, c):
            for rank, m in enumerate(c.members):
                see(single, "coll", int(c.kind), c.comm, -1 if c.root is None else c.root, rank, len(c.members), m.begin,
                    m.end, m.bytes_sent, m.bytes_received, flat(m.call))

        def collective_batch(self, members):
            assert np.all(np.diff(members["number"]) >= 0)
            for m in members:
                comm = int(m["comm"])
                see(batched, "coll", int(m["kind"]), None if comm < 0 else comm, int(m["root"]), int(m["rank"]),
                    int(m["size"]), int(m["begin"]), int(m["end"]), int(m["bytes_sent"]), int(m["bytes_received"]),
                    flat_row(m["call"]))

        def completed_collectives_callback(self, c):
            for one in c.completions:
                see(single, "nbc", flat(c.call), int(one.op), flat(one.started),
                    None if one.awaited is None else flat(one.awaited))

        def completed_collectives_batch(self, completions):
            for one in completions:
                see(batched, "nbc", flat_row(one["call"]), int(one["op"]), flat_row(one["started"]),
                    flat_row(one["awaited"]) if one["awaits"] else None)

        def team_barrier_callback(self, b):
            for m in b.members:
                see(single, "team", int(b.region_class), flat(m))

        def team_barrier_batch(self, threads):
            for t in threads:
                see(batched, "team", int(t["region_class"]), flat_row(t["call"]))

        def lock_acquired_callback(self, l):
            see(single, "lock", flat(l.call), l.acquire_time, flat(l.released), l.release_time)

        def lock_acquired_batch(self, locks):
            for l in locks:
                see(batched, "lock", flat_row(l["call"]), int(l["acquire_time"]), flat_row(l["released"]),
                    int(l["release_time"]))

    run(SOURCE / "traces" / name, Both)
    assert single == batched
    assert single  # each trace adds a part


def test_recv_batch_and_recv_callback_see_the_same_messages():
    class Both(Pattern):
        def init(self):
            self.events, self.rows = [], []

        def recv_callback(self, recv):
            if recv.sendptr is not None:
                self.events.append((recv.loc.id, recv.time, recv["src"].id, recv["tag"], recv["len"]))

        def completed_receives_batch(self, messages):
            for m in messages:
                self.rows.append(tuple(int(m[f]) for f in ("receiver", "recv_time", "sender", "tag", "bytes")))

    p = Both()
    result = run(SOURCE / "traces" / "halo", p)
    assert sorted(p.events) == sorted(p.rows)
    assert len(p.rows) == result.messages > 2048  # several batches


def test_batches_may_be_kept():
    class Keeper(Pattern):
        def init(self):
            self.kept, self.copies = [], []

        def completed_receives_batch(self, messages):
            self.kept.append(messages["send"]["enter"])
            self.copies.append(messages["send"]["enter"].copy())

    keeper = Keeper()
    run(SOURCE / "traces" / "halo", keeper)
    assert len(keeper.kept) > 2
    for kept, copy in zip(keeper.kept, keeper.copies):
        assert np.array_equal(kept, copy)


def test_arrays_are_added_like_single_values(trace):
    class Single(Pattern):
        def completed_receives_callback(self, r):
            for m in r.messages:
                self.add(m.recv.callpath, m.recv.location, 3)
                self.add_call(m.recv, 4)
                self.add_wait(m.recv, 5, m.send)

    class Many(Pattern):
        def completed_receives_batch(self, m):
            self.add_many(m["recv"]["callpath"], m["recv"]["location"], 3)
            self.add_calls(m["recv"], np.full(len(m), 4))
            rest = np.arange(len(m)) % 3  # some picked out, some by a mask, some by their numbers
            self.add_waits(m["recv"][rest == 1], 5, m["send"][rest == 1])
            self.add_waits(m["recv"], 5, m["send"], where=rest == 0)
            self.add_waits(m["recv"], 5, m["send"], where=np.flatnonzero(rest == 2))
            self.add_waits(m["recv"], 5, m["send"], where=[])

    for path in (trace, SOURCE / "traces" / "lammps"):
        result = waitstate.analyze(path, patterns=[Single, Many])
        assert rows(result, "single") == rows(result, "many") != []
        assert result.waits["single"].pairs == result.waits["many"].pairs
        assert result.waits["single"].causes == result.waits["many"].causes


@pytest.mark.parametrize("call, error, message", [
    (lambda p, m: p.add(99, 0, 1), waitstate.UsageError, "a severity needs a call path of the trace, not 99"),
    (lambda p, m: p.add(-1, 0, 1), waitstate.UsageError, "a severity needs a call path of the trace, not -1"),
    (lambda p, m: p.add(0, 2, 1), waitstate.UsageError, "a severity needs a location of the trace, not 2"),
    (lambda p, m: p.add(0, 0, 1, 1), waitstate.UsageError, "this pattern has no metric number 1: it has 1"),
    (lambda p, m: p.add(0, 0, 1, -1), waitstate.UsageError, "this pattern has no metric number -1: it has 1"),
    (lambda p, m: p.add(0, 0, 1, 10**30), waitstate.UsageError, f"this pattern has no metric number {10**30}: it has 1"),
    (lambda p, m: p.add(0, 0, 1, None), TypeError, "'NoneType' object cannot be interpreted as an integer"),
    (lambda p, m: p.add(0, 0, 1, "x"), waitstate.UsageError, "this pattern has no metric 'x'"),
    (lambda p, m: p.add(None, 0, 1), TypeError, ""),
    (lambda p, m: p.add_many([0, 0], [0, 0, 0], 1), waitstate.UsageError, "callpaths has 2 values in 1 dimensions, expected 3"),
    (lambda p, m: p.add_many([0, 1 << 40], 0, 1), waitstate.UsageError, "a severity needs a call path of the trace"),
    (lambda p, m: p.add_calls(m["bytes"], 1), waitstate.UsageError, "calls is an array of another type"),
    (lambda p, m: p.add_waits(m["recv"], 0, m["send"]), waitstate.UsageError, "a wait lasts at least one tick, not 0"),
    (lambda p, m: p.add_waits(m["recv"], 1, m["send"][:0]), waitstate.UsageError, "culprits has 0 calls, expected 1"),
    (lambda p, m: p.add_waits(m["recv"], 1, where=[True, False]), waitstate.UsageError,
     "where has 2 values, expected 1, one for each row"),
    (lambda p, m: p.add_waits(m["recv"], 1, where=[0, 1]), waitstate.UsageError, "where has row 1, expected rows from 0 to 0"),
    (lambda p, m: p.add_waits(m["recv"], 1, where=[-1]), waitstate.UsageError, "where has row -1, expected rows from 0 to 0"),
    (lambda p, m: p.add_waits(m["recv"], 1, where=[0.5]), waitstate.UsageError,
     "where contains neither truth values nor row numbers"),
    (lambda p, m: p.add_calls(m["recv"], 1, where=True), waitstate.UsageError,
     "where is not a one-dimensional array of truth values or rows"),
    (lambda p, m: p.add_waits(m["recv"]), waitstate.UsageError, "ticks is missing: how long does each of the calls wait?"),
    (lambda p, m: p.add_waits(m["recv"]["before"], 1), waitstate.UsageError,
     "calls is an array of another type, expected calls as batches have them, e.g. messages['recv']"),
    (lambda p, m: p.add_instances(m["recv"]), waitstate.UsageError,
     "waits is an array of another type, expected waits as batches have them, e.g. published['wait']"),
    (lambda p, m: p.add_waits(broken(m), 1), waitstate.UsageError, "a severity needs a call path of the trace, not 77"),
])
def test_what_cannot_be_added_is_refused(trace, call, error, message):
    class P(Pattern):
        def completed_receives_batch(self, m):
            with pytest.raises(error) as refused:
                call(self, m)
            assert message in str(refused.value)
            self.reached = True

    p = P()
    run(trace, p)
    assert p.reached


def broken(messages):
    calls = messages["recv"].copy()
    calls["callpath"] = 77
    return calls


def test_published_waits_are_added_as_arrays():
    class Single(Pattern):
        needs = ["mpi_latesender"]

        def published_callback(self, published):
            self.add_wait(published.data.wait)
            self.add_instance(published.data.wait, 1)

        metrics = [{"id": "single_instances"}]

    class Many(Pattern):
        needs = ["mpi_latesender"]
        metrics = [{"id": "many_instances"}]

        def published_batch(self, published):
            with pytest.raises(waitstate.UsageError, match="waits contain ticks, culprits and begin themselves: leave these out"):
                self.add_waits(published["wait"], 1)
            late = np.arange(len(published)) % 2 == 0
            self.add_waits(published["wait"], where=late)
            self.add_waits(published["wait"][~late])
            self.add_instances(published["wait"], 1)

    result = run(SOURCE / "traces" / "halo", Single, Many)
    assert rows(result, "single") == rows(result, "many") == rows(result, "mpi_latesender") != []
    assert rows(result, "many_instances") == []
    for single, many in (("single", "many"), ("single_instances", "many_instances")):
        assert result.waits[single].pairs == result.waits[many].pairs != {}
        assert result.waits[single].statistics == result.waits[many].statistics


def test_one_object_takes_part_in_one_analysis_at_a_time(trace):
    """Within a callback, and from another thread; afterwards, and after a failure, it may be used again."""

    class Counts(Pattern):
        unit = "occ"
        inner = None

        def init(self):
            self.seen = 0

        def completed_receives_callback(self, receives):
            if self.inner is not None:
                self.inner()
            self.seen += 1
            self.add_call(receives.call, 1)

    counts = Counts()
    message = ("this Counts takes part in an analysis that is not over, and cannot take part in two at once: it would mix their "
               "data. Give each analysis a Counts() of its own, or the class")
    counts.inner = lambda: run(trace, counts)
    with pytest.raises(waitstate.PatternError, match="pattern 'counts' .* failed in completed_receives_callback") as failed:
        run(trace, counts)
    assert str(failed.value.__cause__) == message

    refused = []

    def from_another_thread():
        try:
            run(trace, counts)
        except waitstate.UsageError as error:
            refused.append(str(error))

    def start():
        thread = threading.Thread(target=from_another_thread)
        thread.start()
        while thread.is_alive():
            time.sleep(0.001)

    counts.inner = start
    assert run(trace, counts).total("counts") == counts.seen == 1
    assert refused == [message]
    other = Counts()
    counts.inner = lambda: run(trace, other)
    assert run(trace, counts).total("counts") == 1 == other.seen
    counts.inner = None
    assert run(trace, counts).total("counts") == 1


def test_nothing_is_added_outside_of_an_analysis(trace):
    class P(Pattern):
        def wrapup(self):
            pass

    with pytest.raises(waitstate.UsageError, match="only during the callbacks of a running analysis"):
        P().add(0, 0, 1)
    p = P()
    run(trace, p)
    with pytest.raises(waitstate.UsageError, match="only during the callbacks of a running analysis"):
        p.add(0, 0, 1)
    with pytest.raises(waitstate.UsageError, match="only during the callbacks of a running analysis"):
        p.add_many(0, 0, 1)


def test_severities_of_ones_own_are_charged(trace):
    class Dict(Pattern):
        def severity(self):
            return {(0, 1): 7, (1, 1): 3.0}

    class Number(Pattern):
        def severity(self):
            return 9

    result = waitstate.analyze(trace, patterns=[Dict, Number])
    assert [v for _, _, v in rows(result, "dict")] == [7, 3]
    assert rows(result, "number") == [("main", 0, 9)]


def test_values_of_other_metrics_are_there_in_wrapup(trace):
    class P(Pattern):
        needs = "mpi_latesender"

        def wrapup(self):
            path = next(i for i in range(9) if self._context.callpath_name(i) == "main/MPI_Recv")
            self.found = self.value("mpi_latesender", path, 1), self.value("visits", path, 1)

    p = P()
    run(trace, p)
    assert p.found == (60, 1)


def test_values_and_events_are_there_where_they_are_said_to_be(trace):
    told = {}

    def ask(self, where):
        for name, question in {"value": lambda: self.value("visits", 0, 0), "event": lambda: self.trace.event(0)}.items():
            try:
                question()
                told[where, name] = "yes"
            except waitstate.UsageError as error:
                told[where, name] = str(error)

    class P(Pattern):
        def init(self): ask(self, "init")
        def enter_callback(self, enter): ask(self, "enter")
        def collective_callback(self, collective): ask(self, "collective")
        def completed_receives_batch(self, messages): ask(self, "completed_receives_batch")
        def enter_batch(self, events): ask(self, "enter_batch")
        def wrapup(self): ask(self, "wrapup")

        def severity(self):
            ask(self, "severity")
            return 0

        def recv_callback(self, recv):
            with pytest.raises(IndexError, match=rf"^event {recv.pos + 1} is still to come or does not exist: there have"):
                self.trace.event(recv.pos + 1)

    run(trace, P)
    no_value = "value() is available only in wrapup: values are not complete earlier"
    no_event = "events are available only during event callbacks"
    assert told == {
        ("init", "value"): no_value, ("init", "event"): no_event,
        ("enter", "value"): no_value, ("enter", "event"): "yes",
        ("collective", "value"): no_value, ("collective", "event"): no_event,
        ("completed_receives_batch", "value"): no_value, ("completed_receives_batch", "event"): no_event,
        ("enter_batch", "value"): no_value, ("enter_batch", "event"): no_event,
        ("wrapup", "value"): "yes", ("wrapup", "event"): no_event,
        ("severity", "value"): "yes", ("severity", "event"): no_event,
    }


# ---- failures ----


def test_an_exception_keeps_its_traceback_and_names_pattern_event_and_place(trace):
    class Broken(Pattern):
        def recv_callback(self, recv):
            helper()

    def helper():
        raise ValueError("boom")

    with pytest.raises(waitstate.PatternError) as error:
        run(trace, Broken)
    position = next(e.pos for e in waitstate.EventTrace(trace) if e.type == "recv")
    place = f"{__file__}:{inspect.getsourcelines(Broken)[1]}"
    assert str(error.value) == (f"pattern 'broken' (class Broken, {place}) failed in recv_callback at event {position} on "
                                "location 1 (Rank 1) at time 175: ValueError: boom")
    cause = error.value.__cause__
    assert isinstance(cause, ValueError)
    names = []
    frame = cause.__traceback__
    while frame is not None:
        names.append(frame.tb_frame.f_code.co_name)
        frame = frame.tb_next
    assert names[-2:] == ["recv_callback", "helper"]


def test_what_cannot_be_written_in_utf_8_is_escaped(trace):
    class P(Pattern):
        def recv_callback(self, recv):
            raise ValueError("\udc80")

    with pytest.raises(waitstate.PatternError, match=r"at time 175: ValueError: \\udc80$"):
        run(trace, P)


def test_a_pattern_can_be_used_again_after_a_failure(trace):
    class Once(Pattern):
        failed = False

        def recv_callback(self, recv):
            if not self.failed:
                self.failed = True
                raise RuntimeError

        def wrapup(self):
            self.done = True

    once = Once()
    with pytest.raises(waitstate.PatternError, match="RuntimeError"):
        run(trace, once)
    run(trace, once)
    assert once.done


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_goes_through(trace, raised):
    class P(Pattern):
        def recv_callback(self, recv):
            raise raised

    with pytest.raises(raised):
        run(trace, P)


@pytest.mark.parametrize("method", ["init", "enter_callback", "collective_callback", "completed_receives_batch", "wrapup"])
@pytest.mark.parametrize("raised", [ValueError, KeyboardInterrupt])
def test_nothing_stays_of_a_failure_that_is_over(trace, method, raised):
    class Local:
        pass

    alive = []

    def fail(self, *given):
        local = Local()
        alive.extend((weakref.ref(self), weakref.ref(local)))
        raise raised

    with pytest.raises((waitstate.PatternError, raised)):
        run(trace, type("P", (Pattern,), {"wrapup": lambda self: None, method: fail}))
    gc.collect()
    assert alive and [ref() for ref in alive] == [None] * len(alive)


def test_a_pattern_may_keep_what_leads_back_to_its_analysis(trace):
    class P(Pattern):
        def __init__(self):
            try:
                raise ValueError
            except ValueError as error:
                self.first = error

        def enter_callback(self, enter):
            self.frame = sys._getframe()

    for options in ({"plugins": P}, {"patterns": P}, {"plugins": P, "replace": P}):
        alive = []
        P.init = lambda self: alive.append(weakref.ref(self))
        waitstate.analyze(trace, **options)
        gc.collect()
        assert [ref() for ref in alive] == [None]


def test_batches_fail_like_callbacks(trace):
    class P(Pattern):
        def completed_receives_batch(self, messages):
            return messages["nothing"]

    with pytest.raises(waitstate.PatternError, match="pattern 'p' .* failed in wrapup: completed_receives_batch of 1 row: ValueError: no field of name nothing"):
        run(trace, P)


def test_other_threads_run_meanwhile():
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        time.sleep(0.01)
        before = len(ticks)
        waitstate.analyze(SOURCE / "traces" / "halo")
        assert len(ticks) - before > 10
    finally:
        done.set()
        thread.join()


def test_what_nobody_defines_costs_nothing():
    class Nothing(Pattern):
        def wrapup(self):
            pass

    class Events(Pattern):
        def enter_callback(self, e):
            pass

    own = waitstate.pattern.own_method
    assert [name for name in waitstate.pattern.CALLBACKS if own(Nothing(), name)] == []
    assert [name for name in waitstate.pattern.CALLBACKS if own(Events(), name)] == ["enter_callback"]
    with pytest.raises(waitstate.PatternError, match="events are available only to patterns with event callbacks"):
        class Wants(Pattern):
            def wrapup(self):
                self.trace.event(0)
        run(SOURCE / "traces" / "p2p", Wants)


# ---- what the trace cannot tell ----

@pytest.fixture
def without_send(tmp_path):
    path = tmp_path / "without_send.trace"
    path.write_text("0 0 enter main\n0 500 exit\n"
                    "1 0 enter main\n1 10 enter MPI_Recv\n1 40 recv src=0 len=8\n1 50 exit\n1 500 exit\n")
    return path


class Doubtful(Pattern):
    """Says what it cannot say."""
    parent = "time"
    metric_kind = "wait"
    metrics = [{"id": "doubtful_count", "unit": "occ", "parent": "visits"}]

    def undetermined(self, evidence):
        self.evidence = evidence
        receives = evidence.called(lambda region: region.name.endswith("Recv"))
        yield 0, f"{receives}: {evidence.of(evidence.warnings('recv_unmatched'), evidence.events('recv'), 'receive')}"
        assert evidence.called_without(["comms_recv", "syncs_recv"], lambda region: True) == "main"
        assert not evidence.for_nobody("MPI_Recv")
        yield "doubtful_count", evidence.count(evidence.open_receives() + 2, "reason", "reasons")

    def headline(self, facts):
        return f"doubts: {facts.total('visits')} visits, {facts.duration(0)}"


def test_a_pattern_says_what_the_trace_cannot_tell(without_send, tmp_path):
    doubtful = Doubtful()
    result = run(without_send, doubtful, "mpi_latesender", "comms_recv")

    def told(result):
        return [(answer.metric.id, answer.sentence) for answer in result.undetermined]

    answers = [answer for answer in told(result) if answer[0].startswith("doubtful")]
    assert answers == [("doubtful", "MPI_Recv: 1 of 1 receive"), ("doubtful_count", "2 reasons")]
    assert ("mpi_latesender", "1 of 1 receive without a send in the trace: it is not known whether the sender was late") \
        in told(result)
    assert "doubtful: MPI_Recv: 1 of 1 receive" in result.text()
    assert "\ndoubts         3 visits, 0 s\n" in result.text()
    for report in ("run.json", "run.cubex"):
        result.write(tmp_path / report)
        assert set(answers) <= set(told(waitstate.open_report(tmp_path / report)))
    with pytest.raises(waitstate.UsageError, match="during undetermined"):
        doubtful.evidence.events("recv")


@pytest.mark.parametrize("answers, reason", [
    ([("doubtful",)], "undetermined\\(\\) gave \\('doubtful',\\), expected \\(metric, sentence\\)"),
    ([(7, "too far")], "7"),
])
def test_a_pattern_that_fails_to_say_is_named(without_send, answers, reason):
    class Wrong(Doubtful):
        """Fails."""

        def undetermined(self, evidence):
            return answers

    with pytest.raises(waitstate.PatternError, match="(?s)'wrong' .* failed in undetermined.*" + reason):
        run(without_send, Wrong)
