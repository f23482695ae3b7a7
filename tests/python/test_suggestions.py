"""Every class of objects that users can reach: it is public, shows itself, and suggests an attribute that it has for one that
it does not have."""
import collections.abc
import inspect
import subprocess
import sys

import pytest
import waitstate
from waitstate import _core, plot, result_types, suggestions, timeline, wait_graph

from conftest import SOURCE

CALLBACKS = [name for name in vars(waitstate.Pattern) if name.endswith("_callback")]
TRACES = ["p2p", "coll", "hybrid_waits", "omp_waits", "rma_waits", "pthread_waits", "cuda_waits", "shmem_waits",
          "hybrid_tasks"]

# All kinds of definitions that recorded traces lack.
DEFINITIONS = """
clock resolution=1000
system_tree_node 0 name=n class=node
process 0 name=p type=process
location 0 process=0
region 0 name=main
source_code_location 0 file=a.c line=3
call_site 0 file=a.c line=4 entered=0
recorded_call_path 0 region=0
calling_context 0 region=0
interrupt_generator 0 name=i
parameter 0 name=p type=string
attribute 0 name=a type=uint32
metric_member 0 name=m
metric 0 members=(0)
io_paradigm 0 name=POSIX
io_file 0 name=f
io_handle 0 name=h paradigm=0
marker 0 group=m
cart_dimension 0 name=d size=1
cart_topology 0 name=t comm=0 dimensions=(0)
group 0 type=comm_group paradigm=mpi members=(0)
comm 0 group=0
rma_win 0 name=w comm=0
0 1 enter #0
0 2 enter MPI_Iprobe
0 2 exit
0 2 recv src=0 tag=1 com=0 len=1
0 3 enter MPI_Send
0 3 send dest=0 tag=2 com=0 len=1
"""

ALL = [cls for cls in {**vars(_core), **vars(result_types), **vars(wait_graph), "EventRange": waitstate.EventRange,
                          "Result": waitstate.Result}.values()
       if isinstance(cls, type) and cls.__module__.startswith("waitstate")]
# Methods that need no arguments and lead to further objects are called, but for those that make texts, frames and the like.
NOT_CALLED = {"clear", "confidence", "copy", "csv", "dot", "graphml", "init", "json", "pop", "popitem", "setdefault", "severity",
              "text", "to_dataframe", "to_networkx", "update", "wrapup"}
WITHOUT_CALLS = (waitstate.Pattern, plot.Plots, timeline.TracePlots)
# Callbacks add the suggestion for these, so that their attributes are as fast as ever; see below.
LATER = {waitstate.Pattern, _core.RunTrace}
# repr() of these does not show the name of their class.
SHOWN_OTHERWISE = {_core.RunTrace, _core.TraceError}


def needs_nothing(method):
    """Whether a method can be called without arguments, as far as its signature tells."""
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):  # one that is compiled says it in its documentation
        line = (method.__doc__ or "").partition("\n")[0]
        return line.startswith(f"{method.__name__}(self:") and "," not in line
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """An object of each class: all that traces, results and callbacks lead to."""
    found = {}

    def take(value, depth=0):
        if isinstance(value, waitstate.Rows):
            found.setdefault(waitstate.Rows, value)
            value = value[:20]
        cls = type(value)
        if isinstance(value, (list, tuple)) and cls in (list, tuple):
            for one in value if depth == 0 else value[:20]:
                take(one, depth + 1)
        elif isinstance(value, dict) and cls is dict:
            take(list(value.values()), depth + 1)
        if cls in found or not cls.__module__.startswith("waitstate") or depth > 6:
            return
        found[cls] = value
        if isinstance(value, tuple):
            take(list(value), depth + 1)
        if isinstance(value, collections.abc.Iterable):
            take(iter(value), depth + 1)
        for name in dir(value):
            if name.startswith("_"):
                continue
            member = getattr(value, name)
            if not callable(member) or isinstance(member, waitstate.Event):
                take(member, depth + 1)
            elif name not in NOT_CALLED and not isinstance(value, WITHOUT_CALLS) and needs_nothing(member):
                take(member(), depth + 1)

    class All(waitstate.Pattern):
        def undetermined(self, evidence):
            take(evidence)
            return ()

        def headline(self, facts):
            take(facts)
            return ""

        def completed_receives_callback(self, receives):
            for message in receives.messages:
                self.watch_overtaking(message, self.add_wait(message.recv, 1, message.send))
            take(receives)

        def team_barrier_callback(self, barrier):
            take(barrier)
            take([span for spans in barrier.tasks for span in spans])

    for name in CALLBACKS:
        if name not in vars(All):
            setattr(All, name, lambda self, event: take(event))
    All.needs = ("mpi_latesender",)
    odd = tmp_path_factory.mktemp("suggestions") / "odd.trace"
    odd.write_text(DEFINITIONS)
    for path in [odd, *(SOURCE / "traces" / name for name in TRACES)]:
        trace = waitstate.EventTrace(path, epochs=True)
        take([trace, trace[0], trace[:2], trace.messages(), list(trace.diagnostics)])
        take(list(trace.definitions.values()))
        result = waitstate.analyze(path, plugins=[All], keep=waitstate.Keep(
            details=True, series=True, contexts=True, phase="main" if path.name == "p2p" else None))
        graph = result.wait_graph()
        take([result, graph, graph.edges, graph.vertices, result.metrics, result.rows()[:1], result.efficiency(),
              list(result.waits.values()), result.open_calls, result.diagnostics, result.patterns, result.problems,
              result.series, result.contexts, result.communication, result.phases])
        if result.phases is not None:
            take(result.phases.phases[0].places)
        for sent in (result.communication.pairs, result.communication.sizes, result.communication.collectives):
            take(sent[:1])
        for context in result.contexts:
            take([context.regions[:1], context.messages[:1]])
        for metric in result.series.metrics.values():
            take([metric, metric.groups[:1]])
        take([graph.components, [w.by_callpath[:1] for w in result.waits.values()], [c.waits for c in result.open_calls]])
        for waits in result.waits.values():
            for rows in ([waits], waits.pairs, waits.causes, waits.instances, [i.culprit_wait for i in waits.instances]):
                take(rows)
    result = waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["critical_path"])
    around = waitstate.analyze(SOURCE / "traces" / "rma_waits", keep=waitstate.Keep(contexts=True)).contexts
    take([transfer for context in around for transfer in context.transfers])
    path, chains = result.critical_path, [i.chain for w in result.waits.values() for i in w.instances if i.chain]
    take([path, path.segments, chains, chains[0].steps])
    result = waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["mpi_posted_count"])
    take([result.queues, result.queues.profiles, result.queues.parts, list(result.software_counters.values())])
    result = waitstate.analyze(SOURCE / "tests" / "checks" / "counters.trace")
    take(list(result.counters.values()))
    take(waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["mpi_ideal_wait"]).ideal_machine())
    with pytest.raises(waitstate.TraceError) as caught:
        waitstate.EventTrace("/nowhere")
    take(caught.value)
    return found


def typo_of(one):
    """A name of something that the object has, and the same with a letter too many."""
    names = [name for name in dir(one) if not name.startswith("_")]
    name = max(names, key=len)
    return name, f"{name[:2]}q{name[2:]}"


def test_every_class_suggests(objects):
    assert len(objects) > 80
    for cls, one in objects.items():
        if cls in LATER or cls.__name__ == "EventIterator":  # an iterator has no attributes
            continue
        name, typo = typo_of(one)
        with pytest.raises(AttributeError) as caught:
            getattr(one, typo)
        assert str(caught.value).endswith(f"; did you mean '{name}'?"), (cls, str(caught.value))
        assert typo in str(caught.value)
        assert not hasattr(one, typo) and getattr(one, typo, 7) == 7


def test_nothing_private_is_in_reach(objects):
    assert [cls.__name__ for cls in objects if cls.__name__.startswith("_") or type(cls).__name__.startswith("_")] == []


def test_every_object_shows_itself(objects):
    for cls, one in objects.items():
        assert cls.__repr__ is not object.__repr__, cls
        assert cls.__name__ in repr(one) or cls in SHOWN_OTHERWISE, repr(one)


def test_objects_of_every_class_were_there(objects):
    missing = {cls.__name__ for cls in ALL if cls not in objects and cls not in LATER}
    assert missing <= NOT_THERE, missing - NOT_THERE


# Classes whose objects users see as exceptions, or never.
NOT_THERE = {"Error", "UsageError", "OutputError", "PatternError", "UnreceivedMessages", "_AnalysisResult", "_Columns", "_PatternContext", "_Registry", "_WaitGraphData"}


@pytest.mark.parametrize("use, message", [
    (lambda t, r: t.mesages, "'EventTrace' object has no attribute 'mesages'; did you mean 'messages'?"),
    (lambda t, r: t.comms, "'EventTrace' object has no attribute 'comms'; did you mean 'communicators'?"),
    (lambda t, r: t.locations[0].nme, "'Location' object has no attribute 'nme'; did you mean 'name'?"),
    (lambda t, r: t.messages().lenn, "but sendptr, .*; did you mean 'len'?"),
    (lambda t, r: t.messages().to_datafram, "but sendptr, .*; did you mean 'to_dataframe'?"),
    (lambda t, r: t[5].enterpt, "; did you mean 'enterptr'?"),
    (lambda t, r: t[:2].positons, "'EventRange' object has no attribute 'positons'; did you mean 'positions'?"),
    (lambda t, r: r.severites, "'Result' object has no attribute 'severites'; did you mean 'rows'?"),
    (lambda t, r: r.fram, "'Result' object has no attribute 'fram'$"),  # old names are not suggested
    (lambda t, r: r.metrics[0].titel, "'Metric' object has no attribute 'titel'; did you mean 'title'?"),
    (lambda t, r: r.waits["mpi_latesender"].statistic, "'WaitSummary' object has no attribute 'statistic'; did you mean 'statistics'?"),
    (lambda t, r: r.efficiency().load_balanc, "'Efficiency' object has no attribute 'load_balanc'; did you mean 'load_balance'?"),
    (lambda t, r: waitstate.CollectiveOp.barier, "enumeration 'CollectiveOp' has no member 'barier'; did you mean 'barrier'?"),
    (lambda t, r: waitstate.analyse, "module 'waitstate' has no attribute 'analyse'; did you mean 'analyze'?"),
    (lambda t, r: r.zzzzzzzz, "'Result' object has no attribute 'zzzzzzzz'$"),
])
def test_what_is_said(use, message, p2p):
    with pytest.raises(AttributeError, match="^.*" + message.replace("?", r"\?").replace("(", r"\(")):
        use(p2p, waitstate.analyze(SOURCE / "traces" / "p2p"))


def test_a_program_is_told_once():
    """Python adds a suggestion of its own to those that know their object."""
    program = f"import waitstate; waitstate.EventTrace({str(SOURCE / 'traces' / 'p2p')!r}).mesages"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == \
        "AttributeError: 'EventTrace' object has no attribute 'mesages'; did you mean 'messages'?"


@pytest.mark.parametrize("use, message", [
    (lambda self: self.thresold, "'Own' object has no attribute 'thresold'; did you mean 'threshold'?"),
    (lambda self: self.add_cal, "'Own' object has no attribute 'add_cal'; did you mean 'add_call'?"),
    (lambda self: self.trace.reigons, "'RunTrace' object has no attribute 'reigons'; did you mean 'regions'?"),
    (lambda self: [].apend, "'list' object has no attribute 'apend'"),
])
def test_callbacks_are_told_when_they_fail(use, message):
    class Own(waitstate.Pattern):
        parameters = {"threshold": 3}

        def init(self):
            use(self)

        def recv_callback(self, recv):
            pass

    with pytest.raises(waitstate.PatternError) as caught:
        waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[Own])
    assert f"AttributeError: {message}" in str(caught.value)
    assert str(caught.value.__cause__) == message


def test_errors_inside_of_what_is_there_stay():
    class Own(waitstate.Pattern):
        def init(self):
            raise AttributeError("of my own")

        def recv_callback(self, recv):
            pass

    with pytest.raises(waitstate.PatternError, match="AttributeError: of my own"):
        waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[Own])


def test_what_is_there_is_not_slowed():
    """No class looks twice for what it has: Python would, with a method for what it has not."""
    for cls in ALL:
        for base in inspect.getmro(cls)[:-1]:
            assert "__getattr__" not in vars(base) and ("__getattribute__" not in vars(base) or not base.__module__.startswith(
                "waitstate.result")), cls


def test_typos_are_explained_by_one_sentence():
    assert suggestions.suggestion("mesages", ["messages", "other"]) == "; did you mean 'messages'?"
    assert suggestions.suggestion("severites", ["rows"], {"severities": "rows"}) == "; did you mean 'rows'?"
    assert suggestions.suggestion("severites", ["text"], {"severities": "rows"}) == ""
