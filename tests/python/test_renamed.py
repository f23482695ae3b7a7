"""Old names give what the new ones give, with a warning that says them, at the line that uses them."""
import warnings

import pytest
import waitstate
from waitstate import frames, renamed


def warned(match, use):
    with pytest.warns(DeprecationWarning, match=match) as caught:
        value = use()
    assert [w.filename for w in caught] == [__file__]
    return value


DEFINITIONS = """
system_tree_node 0 name=n class=node
region 0 name=f canonical=f_ begin=3 end=9
location 0 events=2
metric_member 0 name=m value=int64
metric 0 members=(0)
io_paradigm 0 name=POSIX class=serial
io_handle 0 name=h paradigm=0 access=write_only
0 1 enter f
0 2 exit
"""


@pytest.fixture(scope="module")
def objects(traces, tmp_path_factory):
    """One object of each class that has old names."""
    sends = []

    class Sends(waitstate.Pattern):
        def completed_sends_callback(self, event):
            sends.append(event)

    waitstate.analyze(traces / "p2p", patterns=[Sends])
    result = waitstate.analyze(traces / "p2p")
    waits = result.waits["mpi_latesender"]
    definitions = tmp_path_factory.mktemp("renamed") / "definitions.trace"
    definitions.write_text(DEFINITIONS)
    trace = waitstate.EventTrace(definitions)
    found = [table[0] for table in (trace.io_handles, trace.io_paradigms, trace.locations, trace.metric_definitions,
                                    trace.metric_members, trace.regions, trace.system_tree)]
    found += [sends[0], waitstate.EventTrace(traces / "p2p"), result, waits.statistics, waits.instances[0],
             result.wait_graph()]
    return {type(one): one for one in found}


@pytest.mark.parametrize("cls, old, new", [(c, o, n) for c, names in renamed.OLD_NAMES.items() for o, n in names.items()])
def test_old_names(cls, old, new, objects, trace_of):
    if cls is waitstate.Diagnostic:
        objects = {cls: trace_of("0 1 enter main\n0 2 recv src=0 tag=1 com=0 len=1\n0 3 exit\n").diagnostics[0]}
    one = objects[cls]
    value = warned(f"^{cls.__name__}.{old} is now {cls.__name__}.{new}$", lambda: getattr(one, old))
    same = getattr(one, new)
    assert value == same if not hasattr(value, "shape") else (value == same).all()


def test_new_names_do_not_warn(objects):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        objects[waitstate.Result].text()
        objects[waitstate.EventTrace].queue(pos=5)


def test_arguments_of_queue_by_position(trace_of):
    trace = trace_of("""
    0 1 enter MPI_Send
    0 2 send dest=1 tag=0 com=0 len=1
    0 3 exit
    1 9 enter MPI_Recv
    1 9 exit
    """)
    assert trace.queue(pos=2, src=0, dest=1) == [1]
    assert warned("takes its arguments by name", lambda: trace.queue(0, 1, 2)) == [1]
    assert warned("takes its arguments by name", lambda: trace.queue(1)) == []
    assert warned("takes its arguments by name", lambda: trace.queue(None, 1, pos=0)) == []
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="4 arguments were given"):
        trace.queue(0, 1, 2, 3)


def test_old_names_of_the_package(p2p):
    pytest.importorskip("pandas")
    assert warned("is now waitstate.Interval", lambda: waitstate.Stretch) is waitstate.Interval
    columns = p2p.columns("send")
    assert warned("is now waitstate.frames.to_dataframe", lambda: frames.frame(columns)).equals(columns.to_dataframe())


def test_old_names_of_callbacks(traces):
    def rows(**methods):
        seen = []
        pattern = type("P", (waitstate.Pattern,), {name: method(seen) for name, method in methods.items()})
        waitstate.analyze(traces / "p2p", patterns=[pattern])
        return seen

    def keep(seen):
        return lambda self, messages: seen.extend(messages.tolist())

    def never(seen):
        return lambda self, messages: seen.append("called")

    for old, new in (("recv_batch", "completed_receives_batch"), ("send_batch", "completed_sends_batch")):
        expected = rows(**{new: keep})
        assert warned(f"^class P: {old} is now {new}$", lambda: rows(**{old: keep})) == expected != []
        assert rows(**{old: never, new: keep}) == expected  # who has both, for both versions, is not warned


def test_arguments_of_functions_by_position(traces):
    path = traces / "p2p"
    result = warned("takes without by name$", lambda: waitstate.analyze(path, "mpi_latesender", (), "mpi_latereceiver"))
    assert result.patterns[-1].id == "mpi_latesender"
    assert warned("takes threads, rma_model by name$", lambda: waitstate.one_sided_epochs(path, 1, "basic")) == []
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        waitstate.one_sided_epochs(path, 1, "basic", 3)


def test_old_names_of_columns(p2p):
    for table, old, new in ((p2p.region_instances(), "inclusive", "inclusive_ticks"),
                            (p2p.region_instances(), "exclusive", "exclusive_ticks"),
                            (p2p.messages(), "sent", "send_time"), (p2p.messages(), "received", "recv_time")):
        assert old not in table and new in table
        for use in (lambda: table[old], lambda: getattr(table, old)):
            assert (warned(f"^the column '{old}' is now '{new}'$", use) == table[new]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p2p.collectives()["sent"]  # bytes, as an event has them
        with pytest.raises(waitstate.UsageError, match="there is no column 'inclusive' of messages"):
            p2p.messages()["inclusive"]
