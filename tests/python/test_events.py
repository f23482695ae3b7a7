"""The event-trace model by hand: each number follows from the few lines of the trace above it."""
import collections.abc
import gc
import pathlib

import pytest
import waitstate

# In order of time: 0 is location 1's enter, 1 location 0's, 2 the send, 3 the receive, 4 and 5 the exits.
MESSAGE = """
0 100 enter MPI_Send
0 110 send dest=1 tag=7 com=0 len=8
0 130 exit
1  40 enter MPI_Recv
1 120 recv src=0 tag=7 com=0 len=8
1 125 exit
"""


@pytest.fixture
def trace(trace_of):
    return trace_of(MESSAGE)


def test_a_trace_is_a_sequence_of_events(trace):
    assert len(trace) == 6
    assert [e.time for e in trace] == [40, 100, 110, 120, 125, 130]
    assert [e.pos for e in trace] == list(range(6))
    assert [e["type"] for e in trace] == ["enter", "enter", "send", "recv", "exit", "exit"]
    assert trace[3] == trace.event(3) == trace[-3] == trace.event(-3)
    assert trace[3] != trace[2] and trace[3] != 3
    assert len({trace[3], trace.event(3), trace[2]}) == 2
    assert list(reversed(trace[:]))[0] == trace[5]


def test_slices_are_parts_of_the_trace(trace):
    assert [e.pos for e in trace[1:4]] == [1, 2, 3]
    assert [e.pos for e in trace[::-2]] == [5, 3, 1]
    assert trace[1:4][1] == trace[2] and trace[1:4][-1] == trace[3]
    assert [e.pos for e in trace[1:5][1:3]] == [2, 3]
    assert len(trace[4:100]) == 2 and len(trace[7:]) == 0
    with pytest.raises(IndexError):
        trace[1:4][3]


def test_an_event_is_a_mapping_with_the_same_as_attributes(trace):
    recv = trace[3]
    assert isinstance(recv, collections.abc.Mapping)
    assert list(recv) == ["pos", "time", "loc", "type", "callpath", "enterptr", "sendptr", "requestptr", "beginptr",
                          "startptr", "originptr", "src", "tag", "com", "len", "attributes"]
    assert dict(recv) == {key: getattr(recv, key) for key in recv.keys()}
    assert len(recv) == len(recv.keys()) == len(recv.values()) == len(recv.items())
    assert "src" in recv and "dest" not in recv and 3 not in recv
    assert recv.get("tag") == 7 and recv.get("dest") is None and recv.get("dest", 5) == 5
    assert (recv["src"], recv["tag"], recv["len"], recv["time"]) == (0, 7, 8, 120)
    assert set(recv.keys()) <= set(dir(recv)) and "dest" not in dir(recv)
    assert not hasattr(recv, "dest")


def test_links_lead_to_earlier_events_or_are_none(trace):
    enter, send, recv, exit = trace[0], trace[2], trace[3], trace[4]
    assert enter["enterptr"] is None
    assert (send["enterptr"], send["sendptr"]) == (1, None)
    assert (recv["enterptr"], recv["sendptr"]) == (0, 2)
    assert exit["enterptr"] == 0
    assert recv.requestptr is None and recv.beginptr is None


def test_a_region_is_its_name(trace):
    enter = trace[1]
    assert enter["region"] == "MPI_Send" and "MPI_Send" == enter.region and enter["region"] != "MPI_Recv"
    assert enter["region"].name == str(enter["region"]) == f"{enter['region']}" == "MPI_Send"
    assert {enter["region"]: 1}["MPI_Send"] == 1
    assert enter["region"] == trace[5]["region"] and enter["region"] != trace[0]["region"]
    assert enter["region"].region_class == "mpi_point2point"
    assert repr(enter["region"]) == f"Region({enter.region.id}, 'MPI_Send')"
    assert trace.regions[enter.region.id] is enter.region


def test_a_location_is_its_number(trace):
    recv = trace[3]
    assert recv["loc"] == 1 and recv["loc"] == trace.locations[1] and recv["loc"] != 0 and recv["loc"] != "1"
    assert {1: "one"}[recv.loc] == "one" and ["a", "b"][recv.loc] == "b" and int(recv.loc) == 1
    assert sorted([recv.loc, recv.src]) == [0, 1]
    assert recv["src"].rank == 0 and recv["com"].members == (0, 1)
    assert recv["loc"].process.locations == (1,)


def test_call_paths(trace):
    path = trace[3].callpath
    assert path.path == str(path) == "MPI_Recv" and path.parent is None and path.region == "MPI_Recv"
    assert trace.call_paths[path.id] == path and path == path.id


def test_unknown_keys_say_which_there_are(trace):
    with pytest.raises(KeyError) as error:
        trace[3]["sendprt"]
    assert error.value.args[0] == (
        "events of type recv have no 'sendprt', but pos, time, loc, type, callpath, enterptr, sendptr, requestptr, "
        "beginptr, startptr, originptr, src, tag, com, len, attributes; did you mean 'sendptr'?")
    with pytest.raises(AttributeError, match="^events of type recv have no 'dest', but pos, .*attributes$"):
        trace[3].dest  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean 'time'"):
        trace[3].tiem  # noqa: B018
    with pytest.raises(KeyError):
        trace[3][0]
    with pytest.raises(TypeError):
        trace[3][[]]


def test_positions_that_do_not_exist(trace):
    for pos in (6, -7, 1 << 70, -(1 << 70)):
        with pytest.raises(IndexError, match=f"^event {pos} does not exist: the trace has 6 events$"):
            trace.event(pos)
    with pytest.raises(TypeError, match="^there is no event at None: the link leads nowhere"):
        trace.event(trace[2]["sendptr"])
    with pytest.raises(TypeError):
        trace.event("3")


def test_stack_and_queue(trace):
    assert [trace.stack(0, p) for p in range(6)] == [[], [1], [1], [1], [1], []]
    assert [trace.stack(1, p) for p in range(6)] == [[0], [0], [0], [0], [], []]
    assert trace.stack(0) == [] and trace.stack(trace.locations[1], pos=-3) == [0]
    assert [trace.queue(pos=p) for p in range(6)] == [[], [], [2], [], [], []]
    assert trace.queue() == []
    assert trace.queue(pos=2, src=0, dest=1) == trace.queue(src=0, pos=2) == trace.queue(dest=trace[3].loc, pos=2) == [2]
    assert trace.queue(src=1, pos=2) == trace.queue(dest=0, pos=2) == []
    with pytest.raises(IndexError, match="^location 2 does not exist: the trace has 2 locations$"):
        trace.stack(2)
    with pytest.raises(IndexError, match="^location -1 does not exist"):
        trace.queue(src=-1)
    with pytest.raises(IndexError, match="^event 6 does not exist"):
        trace.stack(0, 6)


def test_a_message_that_is_never_received_stays_in_the_queue(trace_of):
    trace = trace_of("""
    0 10 enter MPI_Send
    0 11 send dest=1 tag=1 com=0 len=1
    0 12 exit
    1 20 enter MPI_Recv
    1 21 recv src=0 tag=2 com=0 len=1
    1 22 exit
    """)
    assert trace.queue() == [1]
    assert trace[4].type == "recv" and trace[4].sendptr is None
    assert {d.id: d.count for d in trace.diagnostics} == {"send_unmatched": 1, "recv_unmatched": 1}
    unmatched = trace.diagnostics[0]
    assert unmatched.severity == "loss" and unmatched.places[0].location == 0 and unmatched.places[0].time == 11


def test_a_trace_that_was_never_constructed():
    empty = waitstate.EventTrace.__new__(waitstate.EventTrace)
    for use in (lambda: empty.event(0), lambda: empty[0], lambda: empty[:], lambda: len(empty), lambda: iter(empty),
                empty.columns, lambda: empty.locations, lambda: empty.diagnostics, lambda: repr(empty)):
        with pytest.raises(TypeError, match=r"EventTrace.__init__\(\) has not been called$"):
            use()


def test_times(trace_of):
    trace = trace_of("clock resolution=1000\n0 500 enter main\n0 2500 exit\n")
    assert trace.clock.resolution == 1000
    assert trace.seconds(500) == 0 and trace.seconds(trace[1].time) == 2
    assert trace.seconds(500 + 10**30) == trace.duration_seconds(10**30) and trace.seconds(-10**30) < -1e20
    assert trace.duration_seconds(250) == 0.25
    columns = trace.columns()
    assert list(trace.seconds(columns.time)) == [0, 2] and list(trace.duration_seconds(columns.time)) == [0.5, 2.5]


def test_literal_representation(trace):
    line = "pos=3 1 120 recv src=0 tag=7 com=0 len=8 enterptr=0 sendptr=2"
    assert trace.literal(3) == str(trace[3]) == line
    assert repr(trace[3]) == f"<Event {line}>"
    assert repr(trace) == "<EventTrace of 6 events on 2 locations>"


def test_events_outlive_their_trace(trace_of):
    events = list(trace_of(MESSAGE))
    gc.collect()
    assert events[1].region == "MPI_Send" and events[3].loc.process.rank == 1 and str(events[3].com) != ""


def test_every_kind_of_attribute(trace_of):
    trace = trace_of("""
    comm 0 name=c
    rma_win 0 name=w comm=0
    parameter 0 name=p type=string
    0 1 program_begin program=program args=(x)
    0 2 parameter_string parameter=0 value=x
    0 3 rma_request_lock win=0 remote=1 lock=5 type=exclusive
    0 4 io_seek handle=none request=-3 whence=from_end offset=9
    0 5 measurement_on_off mode=off
    0 6 collective_begin
    0 7 collective_end op=bcast com=0 root=1 sent=4 received=0
    0 8 program_end status=-2
    1 9 enter main
    1 10 exit
    """)
    by_type = {e.type: e for e in trace}
    assert by_type["program_begin"].program == "program" and by_type["program_begin"]["arguments"] == ("x",)
    assert by_type["parameter_string"].parameter == trace.parameter_definitions[0]
    assert by_type["parameter_string"].value == "x"
    lock = by_type["rma_request_lock"]
    assert (lock.type, lock.lock_type, lock.remote, lock["lock"]) == ("rma_request_lock", "exclusive", 1, 5)
    seek = by_type["io_seek"]
    assert (seek.handle, seek.request, seek.whence, seek.offset) == (None, -3, "from_end", 9)
    assert by_type["measurement_on_off"].mode == "off"
    end = by_type["collective_end"]
    assert (end.op, end.root, end.beginptr) == ("bcast", trace.locations[1], by_type["collective_begin"].pos)
    assert by_type["program_end"].status == -2


def test_attribute_lists(trace_of):
    trace = trace_of("attribute 0 name=size type=uint32\n0 1 enter main @0=uint32:5\n0 2 exit\n", attribute_lists=True)
    assert trace[0]["attributes"] == {"size": 5} and trace[1].attributes == {}


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(waitstate.TraceError) as error:
        waitstate.EventTrace(tmp_path / "none")
    assert error.value.path == str(tmp_path / "none") and isinstance(error.value, waitstate.Error)
    (tmp_path / "bad.trace").write_text("0 1 entre main\n")
    with pytest.raises(waitstate.TraceError, match="entre"):
        waitstate.EventTrace(tmp_path / "bad.trace")
    with pytest.raises(TypeError):
        waitstate.EventTrace()


def test_an_empty_trace(trace_of):
    trace = trace_of("location 0 name=a\n")
    assert len(trace) == 0 and list(trace) == [] and trace.queue() == [] and trace.stack(0) == []
    assert len(trace.columns()) == len(trace.messages()) == len(trace.region_instances()) == 0
    with pytest.raises(IndexError, match="^event 0 does not exist: the trace has 0 events$"):
        trace[0]


def test_reading_can_be_interrupted(tmp_path):
    import os
    import signal
    import threading

    path = tmp_path / "long.trace"
    path.write_text("".join(f"0 {2 * i} enter f\n0 {2 * i + 1} exit\n" for i in range(300_000)))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(100):
                waitstate.EventTrace(path, threads=1)
    finally:
        timer.cancel()


def test_transfers_are_events_where_they_are_asked_for(traces):
    plain, derived = waitstate.EventTrace(traces / "rma"), waitstate.EventTrace(traces / "rma", transfers=True)
    kinds = collections.Counter(event.type for event in derived)
    assert kinds["put_1ts"] == kinds["put_1te"] == sum(
        event.type in ("rma_put", "rma_atomic") for event in plain)
    assert len(derived) == len(plain) + sum(n for kind, n in kinds.items() if "_1t" in kind)
    end = next(event for event in derived if event.type == "put_1te")
    start = derived.event(end.startptr)
    assert start.type == "put_1ts" and start.loc != end.loc and start.time < end.time
    read = next(event for event in derived if event.type == "get_1ts")
    assert derived.event(read.originptr).type == "get_1to"
    with pytest.raises(waitstate.UsageError, match="'late' is not a model"):
        waitstate.EventTrace(traces / "rma", rma_model="late")


def test_definitions_are_the_tables_by_name():
    trace = waitstate.EventTrace(pathlib.Path(__file__).parents[2] / "traces" / "rma")
    definitions = trace.definitions
    names = {name for name in dir(trace) if not name.startswith("_")}
    tuples = {name for name in names if isinstance(getattr(trace, name), tuple)}
    assert set(definitions) == tuples - {"call_paths", "strings", "diagnostics"}
    assert {"locations", "regions", "communicators", "groups", "windows"} <= set(definitions)
    assert all(table == getattr(trace, name) for name, table in definitions.items())
    assert [w.name for w in definitions["windows"]] == [w.name for w in trace.windows] and trace.windows
