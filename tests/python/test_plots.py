"""Plots: what the artists hold is what the result says, with units on the axes; nothing is shown."""
import sys

import numpy as np
import pytest
import waitstate
import waitstate.plot
from conftest import SOURCE

matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib here (apt: python3-matplotlib)")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(scope="module")
def result():
    return waitstate.analyze(SOURCE / "traces" / "p2p")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def test_tree(result):
    ax = result.plot.tree("mpi_latesender")
    own = result.seconds(result.by_callpath("mpi_latesender"))
    want = sorted((v for v in own if v), reverse=True)[:20]
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(want)
    assert ax.get_xlabel() == "Late Sender (s)" and ax.get_ylabel() == "call path"
    assert [t.get_text() for t in ax.texts] == [f"{100 * v / own.sum():.1f} %" for v in want]
    regions = result.plot.tree("time", by="region", top=3)
    assert len(regions.patches) == 3 and regions.patches[0].get_width() >= regions.patches[1].get_width()
    with pytest.raises(waitstate.UsageError, match="cannot plot by 'thread': expected 'callpath' or 'region'"):
        result.plot.tree("time", by="thread")


def test_heatmap(result):
    ax = result.plot.heatmap("mpi_latesender", top=1000)
    array = result.seconds(result.array("mpi_latesender"))
    rows = array[array.sum(axis=1) != 0]
    shown = ax.images[0].get_array()
    assert shown.shape == rows.shape
    assert shown.sum() == pytest.approx(rows.sum()) and np.allclose(shown.sum(axis=0), rows.sum(axis=0))
    assert ax.get_xlabel() == "location"


def test_boxes(result):
    ax = result.plot.boxes(["mpi_latesender"])
    s = result.waits["mpi_latesender"].statistics
    found = sorted({round(float(x), 12) for line in ax.lines for x in line.get_xdata()})
    want = sorted({round(result.seconds(v), 12) for v in (s.minimum_ticks, s.quartile25_ticks, s.median_ticks,
                                                         s.quartile75_ticks, s.maximum_ticks)})
    assert found == pytest.approx(want)
    assert ax.get_xscale() == "log" and ax.get_xlabel() == "duration of a wait (s)"
    assert len(result.plot.boxes().get_yticklabels()) == sum(w.statistics.count > 0 for w in result.waits.values())
    with pytest.raises(waitstate.UsageError, match="nothing is known of single waits of time"):
        result.plot.boxes(["time"])


def test_matrix(result):
    ax = result.plot.matrix("mpi_latesender")
    graph = result.wait_graph("mpi_latesender")
    assert np.allclose(ax.images[0].get_array(), result.seconds(graph.matrix_ticks))
    assert [t.get_text() for t in ax.get_xticklabels()] == [v.label for v in graph.vertices]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("waiter", "culprit")


def test_axes_are_the_ones_that_are_given(result):
    figure, axes = pyplot.subplots(1, 2)
    assert result.plot.tree("time", ax=axes[0]) is axes[0]
    assert waitstate.plot.diff(result, result, ax=axes[1]) is axes[1] and len(axes[1].patches) == 0
    assert pyplot.get_fignums() == [figure.number]


def test_diff_and_scaling(result, tmp_path):
    faster = tmp_path / "faster.trace"
    faster.write_text("0 0 enter main\n0 100 exit\n1 0 enter main\n1 50 exit\n")
    slower = tmp_path / "slower.trace"
    slower.write_text("0 0 enter main\n0 100 exit\n1 0 enter main\n1 90 exit\n")
    a, b = waitstate.analyze(faster), waitstate.analyze(slower)
    ax = waitstate.plot.diff(a, b)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([b.seconds(40)])
    known = result.efficiency()
    assert a.efficiency().unknown  # nobody communicates: left out
    lines = waitstate.plot.scaling([a, result]).lines
    assert [list(line.get_xdata()) for line in lines] == [[known.units]] * 3
    assert [line.get_ydata()[0] for line in lines] == [known.parallel, known.load_balance, known.communication]


def test_counters(tmp_path):
    with pytest.raises(waitstate.UsageError, match="time is no counter of this trace; it has: none"):
        waitstate.analyze(SOURCE / "traces" / "p2p").plot.counters("time", "time")
    result = waitstate.analyze(SOURCE / "tests" / "checks" / "counters.trace")
    ref = next(iter(result.counters))
    ax = result.plot.counters("time", ref)
    rows = [r for r in result.counters[ref].rows if r.rate is not None or r.mean is not None]
    assert len(rows) == len(ax.collections[0].get_offsets()) > 0


def test_notebooks_show_a_table(result):
    html = result._repr_html_()
    assert "<table>" in html and "Late Sender" in html and "<script" not in html


def test_without_matplotlib_the_package_is_named(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="plots need the package matplotlib"):
        result.plot.tree("time")
