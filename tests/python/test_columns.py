"""Columns against the events one by one, and tables by hand; and as others take them: as a dict of arrays."""
import gc
import pickle

import numpy
import pandas
import pytest
import waitstate

NAMES = ["pos", "time", "loc", "type", "callpath", "enterptr", "sendptr", "requestptr", "beginptr", "startptr",
         "originptr", "region"]
RECORDED = ["p2p", "coll", "hybrid", "rma"]


def number(value):
    """A value of an event as the columns have it."""
    return -1 if value is None else int(value) if not isinstance(value, str) else value


@pytest.mark.parametrize("name", RECORDED)
def test_columns_are_what_the_events_say(traces, name):
    trace = waitstate.EventTrace(traces / name)
    columns = trace.columns()
    assert len(columns) == len(trace) and columns.keys()[:len(NAMES)] == NAMES
    checked = list(trace)
    for key in columns.keys():
        found = columns[key]
        assert found.shape == (len(trace),), key
        for event, value in zip(checked, found.tolist()):
            expected = event.get(key)
            if key == "type":
                assert waitstate.event_types[value] == expected
            elif expected is None:
                assert value in (-1, 0, 255), (key, event)
            elif not isinstance(expected, str):  # names of enumerations are looked at below
                assert value == int(expected), (key, event)


def test_chosen_types_in_order_with_their_attributes(p2p):
    columns = p2p.columns("recv", "send")
    assert columns.keys() == NAMES + ["dest", "tag", "com", "len", "src"]
    expected = [e for e in p2p if e.type in ("send", "recv")]
    assert columns.pos.tolist() == [e.pos for e in expected]
    assert columns["dest"].tolist() == [number(e.get("dest")) for e in expected]
    assert columns["sendptr"].tolist() == [number(e["sendptr"]) for e in expected]
    assert {waitstate.event_types[t] for t in columns.type} == {"send", "recv"}


def test_dtypes(p2p):
    columns = p2p.columns("isend", "collective_end", "program_end")
    assert {key: str(columns[key].dtype) for key in columns} == {
        "pos": "int64", "time": "int64", "loc": "int32", "type": "uint8", "callpath": "int32", "enterptr": "int64",
        "sendptr": "int64", "requestptr": "int64", "beginptr": "int64", "startptr": "int64", "originptr": "int64", "region": "int32", "dest": "int32",
        "tag": "uint32", "com": "int32", "len": "uint64", "request": "uint64", "op": "uint8", "root": "int32",
        "sent": "uint64", "received": "uint64", "status": "int64"}
    without = columns.type != waitstate.event_types.index("collective_end")
    assert (columns.op[without] == 255).all() and (columns.root[without] == -1).all()
    operations = {waitstate.CollectiveOp(op).name for op in columns.op[~without]}
    assert "barrier" in operations


def test_types_without_events(p2p):
    columns = p2p.columns("rma_put")
    assert len(columns) == 0 and columns["bytes"].dtype == "uint64" and columns["region"].tolist() == []


def test_nothing_is_copied_and_everything_stays_alive(traces):
    trace = waitstate.EventTrace(traces / "p2p")
    first, second = trace.columns("send").time, trace.columns("send").time
    assert first.ctypes.data == second.ctypes.data
    assert not first.flags.writeable and not first.flags.owndata
    with pytest.raises(ValueError):
        first.flags.writeable = True
        first[0] = 1
    expected = first.tolist()
    lengths = trace.messages().len
    total = int(lengths.sum())
    del trace, second
    gc.collect()
    filler = [bytearray(1 << 16) for _ in range(64)]
    assert first.tolist() == expected and int(lengths.sum()) == total and filler


def test_unknown_names(p2p):
    with pytest.raises(waitstate.UsageError, match="^there is no event type 'sned'; did you mean 'send'?"):
        p2p.columns("sned")
    with pytest.raises(waitstate.UsageError, match="no column 'tme' of these events, but pos, .*did you mean 'time'"):
        p2p.columns("send")["tme"]
    with pytest.raises(AttributeError, match="did you mean 'len'"):
        p2p.messages().lne  # noqa: B018
    with pytest.raises(TypeError, match="names of event types"):
        p2p.columns(1)
    assert "time" in p2p.columns("send") and "tme" not in p2p.columns("send") and "src" in p2p.messages()


def test_messages(p2p):
    messages = p2p.messages()
    received = [e for e in p2p if e.type in ("recv", "irecv") and e.sendptr is not None]
    assert len(messages) == len(received) > 100
    for row, recv in enumerate(received):
        send = p2p.event(recv.sendptr)
        call, recv_call = p2p.event(send.enterptr), p2p.event(recv.enterptr)
        assert {name: messages[name][row] for name in messages} == {
            "sendptr": send.pos, "recvptr": recv.pos, "src": send.loc, "dest": recv.loc, "tag": recv.tag,
            "com": recv.com, "len": send.len, "send_time": send.time, "recv_time": recv.time, "send_enter": call.time,
            "recv_enter": recv_call.time, "send_region": call.region.id, "recv_region": recv_call.region.id,
            "send_callpath": send.callpath, "recv_callpath": recv.callpath}


def test_region_instances(trace_of):
    # f is called twice; the second call is never left and ends with main; g is open when the location ends.
    trace = trace_of("""
    0  0 enter main
    0 10 enter f
    0 14 exit f
    0 20 enter f
    0 26 exit main
    0 30 enter g
    0 37 metric metric=none
    1  5 enter main
    1  6 exit main
    """)
    table = trace.region_instances()
    regions = [trace.regions[r].name for r in table.region]
    assert list(zip(regions, table["loc"].tolist(), table.depth.tolist())) == [
        ("main", 0, 0), ("main", 1, 0), ("f", 0, 1), ("f", 0, 1), ("g", 0, 0)]
    assert table.enter.tolist() == [0, 5, 10, 20, 30]
    assert table.exit.tolist() == [26, 6, 14, 26, 37]
    assert table.inclusive_ticks.tolist() == [26, 1, 4, 6, 7]
    assert table.exclusive_ticks.tolist() == [16, 1, 4, 6, 7]
    assert [p if p < 0 else trace[p].time for p in table.exitptr.tolist()] == [26, 6, 14, -1, -1]


def test_exclusive_times_add_up_to_the_run_time(traces):
    trace = waitstate.EventTrace(traces / "hybrid")
    table = trace.region_instances()
    for location in trace.locations:
        here = table.loc == location.id
        outermost = here & (table.depth == 0)
        assert table.exclusive_ticks[here].sum() == table.inclusive_ticks[outermost].sum()
        assert (table.exclusive_ticks[here] >= 0).all()


def test_collectives(trace_of):
    # Two barriers on all, between them a broadcast; process 2 is alone on a communicator of its own.
    lines = []
    for loc in range(3):
        for n, op in enumerate(["barrier", "bcast", "barrier"]):
            t = 100 * n + 10 * loc
            root = 0 if op == "bcast" else "none"
            lines += [f"{loc} {t} enter MPI_Coll{n}", f"{loc} {t + 1} collective_begin",
                      f"{loc} {t + 50} collective_end op={op} com=0 root={root} sent={n} received=0",
                      f"{loc} {t + 51} exit"]
    trace = trace_of("\n".join(lines))
    table = trace.collectives()
    rows = sorted(zip(table.instance.tolist(), table["loc"].tolist(), table.nth.tolist(), table.root.tolist(),
                      table.begin.tolist(), table.end.tolist(), table.enter.tolist(), table.sent.tolist()))
    assert rows == [(n, loc, n, 0 if n == 1 else -1, 100 * n + 10 * loc + 1, 100 * n + 10 * loc + 50,
                     100 * n + 10 * loc, n) for n in range(3) for loc in range(3)]
    assert {waitstate.CollectiveOp(op).name for op in table.op} == {"barrier", "bcast"}
    assert not table.nonblocking.any()


def test_recorded_operations_have_all_their_members(traces):
    trace = waitstate.EventTrace(traces / "coll")
    table = trace.collectives()
    assert table.nonblocking.any()
    for instance in range(int(table.instance.max()) + 1):
        rows = numpy.flatnonzero(table.instance == instance)
        comm = trace.communicators[table.com[rows[0]]]
        members = len(comm.members) + len(comm.members_b)
        assert len(rows) == (1 if comm.is_self else members), instance
        assert len(set(table.op[rows])) == len(set(table.com[rows])) == 1


def test_frames(p2p):
    frame = p2p.to_dataframe("send", "recv")
    columns = p2p.columns("send", "recv")
    assert list(frame.columns) == columns.keys() and len(frame) == len(columns)
    assert set(frame["type"].cat.categories) == set(waitstate.event_types)
    assert frame["type"].value_counts()["send"] == sum(e.type == "send" for e in p2p)
    assert (frame["time"].to_numpy() == columns.time).all()
    assert str(frame["callpath"].iloc[0]) == str(p2p[columns.pos[0]].callpath)
    numbers = p2p.messages().to_dataframe(names=False)
    assert numbers["send_region"].dtype == "int32"
    named = p2p.messages().to_dataframe()
    assert pandas.api.types.is_categorical_dtype(named["send_region"])
    assert named["send_region"].astype(str).tolist() == [p2p.regions[r].name for r in p2p.messages().send_region]


def test_equal_names_are_one_category(trace_of):
    trace = trace_of("""
    region 0 name=f file=a.c
    region 1 name=f file=b.c
    0 1 enter #0
    0 2 exit
    0 3 enter #1
    0 4 exit
    """)
    frame = trace.to_dataframe("enter")
    assert frame["region"].tolist() == ["f", "f"] and list(frame["region"].cat.categories) == ["f"]


# ---- as a dict of arrays ----

def all_columns(trace):
    return [trace.messages(), trace.columns(), trace.columns("send", "recv"), trace.collectives(), trace.region_instances()]


def assert_same_columns(found, columns):
    """The same names, in the same order, each with the same numbers."""
    assert list(found) == columns.keys() and len(columns.keys()) > 5
    for name in columns.keys():
        assert found[name].dtype == columns[name].dtype and (found[name] == columns[name]).all(), name


@pytest.mark.parametrize("name", RECORDED)
def test_columns_are_a_dict_of_arrays(traces, name):
    for columns in all_columns(waitstate.EventTrace(traces / name)):
        assert isinstance(columns, dict)
        assert_same_columns(dict(columns), columns)
        assert_same_columns({**columns}, columns)
        assert_same_columns(dict(columns.items()), columns)
        assert_same_columns(dict(zip(columns, columns.values())), columns)
        assert_same_columns((lambda **named: named)(**columns), columns)
        assert_same_columns(columns.copy(), columns)
        assert_same_columns(pickle.loads(pickle.dumps(columns)), columns)
        assert type(columns.copy()) is dict
        first = columns.keys()[0]
        assert columns.get(first) is not None and columns.get("no such", 7) == 7
        assert list(reversed(columns)) == columns.keys()[::-1]
        assert list(columns | {"more": 1}) == [*columns, "more"] and list({"more": 1} | columns) == ["more", *columns]
        assert columns == columns and columns != dict(columns) and len({columns, columns}) == 1


@pytest.mark.parametrize("name", RECORDED)
def test_pandas_takes_columns(traces, name):
    for columns in all_columns(waitstate.EventTrace(traces / name)):
        frame = pandas.DataFrame(columns)
        assert_same_columns(frame, columns)
        assert len(frame) == len(columns)
        assert frame.equals(columns.to_dataframe(names=False))
        chosen = columns.keys()[2:4]
        assert pandas.DataFrame(columns, columns=chosen).equals(frame[chosen])


def as_polars_does(data):
    """A stand-in for polars.DataFrame of a dict of arrays, which must be a dict, in the order in which it asks for its parts."""
    assert isinstance(data, dict)
    names = list(data)
    assert list(data.keys()) == names
    if not data:
        return {}
    rows = max(len(column) for column in data.values())
    return {name: column for name, column in data.items() if len(column) == rows}


@pytest.mark.parametrize("name", RECORDED)
def test_polars_would_take_columns(traces, name):
    for columns in all_columns(waitstate.EventTrace(traces / name)):
        assert_same_columns(as_polars_does(columns), columns)


def test_polars_takes_columns(p2p):
    polars = pytest.importorskip("polars")
    for columns in all_columns(p2p):
        frame = polars.DataFrame(columns)
        assert frame.columns == columns.keys() and frame.height == len(columns)
        for name in columns:
            assert frame[name].to_list() == columns[name].tolist()


def test_tables_without_rows_have_their_columns(trace_of):
    for columns in all_columns(trace_of("0 1 metric metric=none")):
        if len(columns) == 0:
            assert_same_columns(pandas.DataFrame(columns), columns)
            assert_same_columns(as_polars_does(columns), columns)
    assert "len" in pandas.DataFrame(trace_of("0 1 metric metric=none").messages())


def test_columns_are_read_only(p2p):
    messages = p2p.messages()

    def delete():
        del messages["len"]

    def assign():
        messages["len"] = 0

    for change in (assign, delete, messages.clear, messages.popitem, lambda: messages.pop("len"),
                   lambda: messages.update(len=0), lambda: messages.setdefault("more", 0)):
        with pytest.raises(TypeError, match=r"^columns are read-only: copy\(\) gives a dict to which others can be added$"):
            change()
    with pytest.raises(AttributeError):
        messages.more = 1
    assert messages.keys() == p2p.messages().keys()


def test_no_column_has_the_name_of_a_method(p2p):
    names = set().union(*(columns.keys() for columns in all_columns(p2p)), *(p2p.columns(t) for t in waitstate.event_types))
    assert len(names) > 50
    assert not names & set(dir(waitstate.Columns))


def test_what_results_return_as_rows_has_names(traces):
    result = waitstate.analyze(traces / "p2p")
    waits, graph = result.waits["mpi_latesender"], result.wait_graph()
    for rows, names in ((waits.pairs, ["culprit", "waiter", "count", "ticks"]),
                        (waits.causes, ["callpath", "culprit", "count", "ticks"]),
                        (waits.instances, ["callpath", "total_ticks", "waiters", "members_left_out"]),
                        (graph.edges, ["culprit", "victim", "count", "ticks"]),
                        (result.rows("time"), ["metric", "callpath", "location", "value"])):
        table = rows.columns() if isinstance(rows, waitstate.Rows) else rows
        assert rows and [name for name in pandas.DataFrame(table) if name in names] == names
    assert pandas.DataFrame(waits.pairs.columns())["ticks"].sum() == waits.statistics.sum_ticks
    columns = result.columns("time")
    frame = pandas.DataFrame(columns)
    assert list(frame) == ["metric", "callpath", "location", "value"]
    assert frame["value"].sum() == result.total("time")
