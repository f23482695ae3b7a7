"""Results that are pickled say the same again, in every report and under the same numbers."""
import copy
import multiprocessing
import pickle

import numpy
import pytest
import waitstate

from conftest import SOURCE


class Told(waitstate.Pattern):
    """Part of the time of receives, with all that a pattern of one's own has to say in reports.

    diagnosis   send fewer messages
    """

    parent = "mpi_point2point"
    parameters = {"part": (2, "", "That part of it.")}
    part: int

    def completed_receives_callback(self, receives):
        self.add_call(receives.call, (receives.call.exit - receives.call.enter) // self.part)

    def headline(self, facts):
        return "receives: one half counts"


def again(result):
    return pickle.loads(pickle.dumps(result))


def plain(waits):
    return {metric: (w.statistics, w.pairs, w.causes, w.instances) for metric, w in waits.items()}


def assert_same(found, result, folder):
    assert found is not result and type(found) is waitstate.Result
    assert found.text() == result.text()
    assert found.text(full=True, top=9) == result.text(full=True, top=9)
    assert found.csv() == result.csv()
    assert found.json() == result.json()
    for which, one in (("a", found), ("b", result)):
        one.write(folder / f"{which}.cubex")
    assert (folder / "a.cubex").read_bytes() == (folder / "b.cubex").read_bytes()
    # Numbers, too: arrays that were made of one are understood with the other.
    assert [p.path for p in found.call_paths] == [p.path for p in result.call_paths]
    assert found.depth_first == result.depth_first
    assert [l.name for l in found.locations] == [l.name for l in result.locations]
    assert [r.name for r in found.definitions.regions] == [r.name for r in result.definitions.regions]
    for inclusive in (True, False):
        columns = result.columns(inclusive=inclusive)
        for name, column in found.columns(inclusive=inclusive).items():
            assert numpy.array_equal(column, columns[name]), name
    assert plain(found.waits) == plain(result.waits)
    assert found.counters == result.counters and found.open_calls == result.open_calls
    assert found.undetermined == result.undetermined
    assert [(d.id, d.count) for d in found.diagnostics] == [(d.id, d.count) for d in result.diagnostics]
    assert found.metrics == result.metrics and found.patterns == result.patterns
    assert found.wait_graph().dot() == result.wait_graph().dot()
    assert found.efficiency() == result.efficiency()


@pytest.mark.parametrize("trace", ["p2p", "coll", "hybrid_waits", "omp_waits", "rma_waits", "cuda_waits", "halo",
                                   "eztrace_late", "lammps"])
def test_results(trace, tmp_path):
    result = waitstate.analyze(SOURCE / "traces" / trace)
    assert_same(again(result), result, tmp_path)


@pytest.mark.parametrize("choice", [
    {"plugins": [Told]}, {"patterns": [Told], "parameters": {"told.part": 3}}, {"patterns": []},
    {"focus": waitstate.Focus(region="master_worker")}, {"focus": waitstate.Focus(locations=[0, 2])}, {"without": "mpi_latesender"}])
def test_results_of_what_was_asked_for(choice, tmp_path):
    result = waitstate.analyze(SOURCE / "traces" / "p2p", **choice)
    assert_same(again(result), result, tmp_path)
    if Told in choice.get("plugins", ()):
        text = " ".join(again(result).text(top=9).split())
        assert "receives one half counts" in text and "Send fewer messages." in text


@pytest.mark.parametrize("text", [
    b'region 0 name="a \xff\xc3\xa9 \xe2\x80"\n0 1 enter #0\n0 2 exit\n',  # no UTF-8
    "0 1 enter main\n0 2 recv src=0 tag=1 com=0 len=1\n0 3 exit\n",  # a message without a send
    "0 1 enter a\n0 2 enter MPI_Recv\n1 1 enter b\n1 5 exit\n",  # a call that is never left
    "region 0 name=\"a \\x1b \u202e \u00e9\"\n0 1 enter #0\n0 2 exit\n",
    "0 1 enter main\n0 9 exit\n",
])
def test_results_of_odd_traces(text, tmp_path):
    path = tmp_path / "odd.trace"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = waitstate.analyze(path)
    assert_same(again(result), result, tmp_path)


def test_results_with_counters(tmp_path):
    result = waitstate.analyze(SOURCE / "tests" / "checks" / "counters.trace")
    assert result.counters
    assert_same(again(result), result, tmp_path)


@pytest.mark.parametrize("ending", ["json", "cubex"])
def test_reopened_results(ending, tmp_path):
    waitstate.analyze(SOURCE / "traces" / "p2p").write(tmp_path / f"run.{ending}")
    result = waitstate.open_report(tmp_path / f"run.{ending}")
    assert_same(again(result), result, tmp_path)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_call_paths_are_numbered_depth_first(threads):
    """The order in which locations come to them does not matter: here the second is in the path that the first comes to last."""
    result = waitstate.analyze(SOURCE / "traces" / "hybrid_waits", threads=threads)
    assert result.depth_first == list(range(len(result.call_paths)))
    assert [p.path for p in again(result).call_paths] == [p.path for p in result.call_paths]


def test_copies():
    result = waitstate.analyze(SOURCE / "traces" / "p2p")
    assert copy.copy(result).json() == copy.deepcopy(result).json() == result.json()


def test_what_results_give():
    result = waitstate.analyze(SOURCE / "traces" / "p2p")
    for part in (result.metric("mpi_latesender"), result.efficiency(), result.waits["mpi_latesender"].pairs):
        with pytest.raises(TypeError, match="is a part of its Result: pickle that$"):
            again(part)
    graph = result.wait_graph("mpi_latesender", level="location")
    assert again(graph).dot() == graph.dot() and again(graph).edges == graph.edges
    assert again(graph.top(2)).graphml() == graph.top(2).graphml() != graph.graphml()
    both, same = again((result, graph))
    assert same._made[0] is both  # one copy of the result, not two


def test_processes_give_each_other_results():
    paths = [str(SOURCE / "traces" / name) for name in ("p2p", "coll")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        results = pool.map(waitstate.analyze, paths)
        texts = pool.map(str, results)
    expected = [waitstate.analyze(path) for path in paths]
    assert [r.json() for r in results] == [r.json() for r in expected]
    assert texts == [str(r) for r in expected]
