"""Plots: what the artists hold is what the result says, with units on the axes; nothing is shown. A figure of each kind is
kept in the build folder, for people to look at."""
import os
import pathlib
import sys

import numpy as np
import pytest
import waitstate
import waitstate.plot
from conftest import SOURCE

matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib here (apt: python3-matplotlib)")
matplotlib.use("Agg")
from matplotlib import pyplot


@pytest.fixture(scope="module")
def result():
    return waitstate.analyze(SOURCE / "traces" / "p2p")


@pytest.fixture(scope="module")
def details():
    return waitstate.analyze(SOURCE / "traces" / "p2p", keep=waitstate.Keep(details=True, series=True, contexts=True))


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


KINDS = {
    "tree": lambda r: r.plot.tree("mpi_latesender"),
    "heatmap": lambda r: r.plot.heatmap("time", by="region"),
    "boxes": lambda r: r.plot.boxes(),
    "boxes_by_callpath": lambda r: r.plot.boxes(["mpi_latesender"], by="callpath"),
    "histogram": lambda r: r.plot.histogram("mpi_latesender"),
    "matrix": lambda r: r.plot.matrix(),
    "matrix_of_messages": lambda r: r.plot.matrix("messages"),
    "over_time": lambda r: r.plot.over_time(),
    "over_time_by_location": lambda r: r.plot.over_time(by="location"),
    "instance": lambda r: r.plot.instance("mpi_latesender"),
    "topology": lambda r: r.plot.topology("time"),
    "counters": lambda r: waitstate.analyze(SOURCE / "tests" / "checks" / "counters.trace").plot.counters("time", "cycles"),
    "timeline": lambda r: waitstate.EventTrace(SOURCE / "traces" / "p2p").plot.timeline(0.36, 0.40, waits=r),
    "diff": lambda r: waitstate.plot.diff(r, waitstate.analyze(SOURCE / "traces" / "coll")),
    "scaling": lambda r: waitstate.plot.scaling([r]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_of_each_kind_is_kept(details, kind, tmp_path):
    folder = pathlib.Path(os.environ.get("WAITSTATE_BUILD", tmp_path)) / "tests" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    KINDS[kind](details).figure.savefig(folder / f"{kind}.png")
    picture = pyplot.imread(folder / f"{kind}.png")
    assert len(np.unique(picture.reshape(-1, picture.shape[-1]), axis=0)) > 2  # more than a frame
    drawn = [name for name in dir(details.plot) if not name.startswith("_")] + ["timeline", "diff", "scaling"]
    assert {name for name in drawn if not any(k == name or k.startswith(name + "_") for k in KINDS)} == set()


def test_what_is_drawn_is_there_as_numbers(details, result):
    """Under the same name without `plot`."""
    ax, tree = details.plot.tree("mpi_latesender"), details.tree("mpi_latesender")
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(list(tree.values)) and tree.unit == "s"
    assert [t.get_text() for t in ax.texts] == [f"{100 * share:.1f} %" for share in tree.shares]
    grid = details.heatmap("time", top=3)
    assert np.array_equal(details.plot.heatmap("time", top=3).images[0].get_array(), grid.values)
    assert grid.columns == [location.process.name for location in details.locations] and len(grid.rows) == 3
    for by in ("count", "time"):
        bars = details.histogram("mpi_latesender", by)
        assert [bar.get_height() for bar in details.plot.histogram("mpi_latesender", by).patches] == list(bars.values)
    assert np.array_equal(details.plot.matrix().images[0].get_array(), details.matrix().values)
    assert details.matrix().rows == [process.name for process in details.definitions.processes]
    assert details.matrix(level="location").rows == details.heatmap("time").columns
    together = details.over_time(["mpi_latesender"])
    assert together.rows == ["Late Sender"] and len(together.edges) == together.values.shape[1] + 1
    of_locations = details.over_time(by="location")
    assert np.array_equal(details.plot.over_time(by="location").images[0].get_array(), of_locations.values)
    assert len(of_locations.rows) == len(details.locations)
    assert details.instance("mpi_latesender", 1) == details.instances("mpi_latesender")[1]
    shown = details.plot.topology("time").images[0].get_array()
    assert np.allclose(np.ma.filled(shown, np.nan), details.topology("time").values, equal_nan=True)
    assert waitstate.diff(details, result).names == [] and waitstate.scaling([result]).units == [result.efficiency().units]
    trace = waitstate.EventTrace(SOURCE / "traces" / "p2p")
    bars = trace.timeline(0.36, 0.40)
    drawn = trace.plot.timeline(0.36, 0.40).collections
    assert len(bars.bars) == sum(len(c.get_paths()) for c in drawn if c.get_label() != "wait" and not hasattr(c, "U")) > 0


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


def test_boxes_by_callpath(details, result):
    found = details.boxes(["mpi_latesender"], by="callpath")
    waits = details.waits["mpi_latesender"].by_callpath
    assert found.names == [c.callpath.path for c in waits] and len(waits) > 1
    assert found.values[:, 4] == pytest.approx([details.seconds(c.maximum_ticks) for c in waits])
    assert list(found.counts) == [c.count for c in waits]
    ax = details.plot.boxes(["mpi_latesender"], by="callpath")
    assert len(ax.get_yticklabels()) == len(waits)
    assert max(float(x) for line in ax.lines for x in line.get_xdata()) == pytest.approx(found.values.max())
    several = details.boxes(by="callpath").names
    assert f"Late Sender: {found.names[0]}" in several and len(several) > len(waits)
    with pytest.raises(waitstate.UsageError, match="cannot plot by 'region': expected 'callpath', or None for wait states"):
        details.plot.boxes(by="region")
    with pytest.raises(waitstate.UsageError, match=r"boxes by call path need the durations of waits: analyze\(trace, keep=Keep\(details=True\)\)"):
        result.plot.boxes(by="callpath")


def test_matrix(result):
    ax = result.plot.matrix("mpi_latesender")
    graph = result.wait_graph("mpi_latesender")
    assert np.allclose(ax.images[0].get_array(), result.seconds(graph.matrix_ticks))
    assert [t.get_text() for t in ax.get_xticklabels()] == [v.process.name for v in graph.vertices]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("waiter", "culprit")


def test_matrix_of_what_was_sent(details, result):
    pairs = details.communication.pairs
    for name in ("messages", "bytes"):
        ax = details.plot.matrix(name)
        shown = ax.images[0].get_array()
        assert shown.sum() == pairs.columns()[name].sum() > 0
        for pair in pairs:
            assert shown[pair.sender, pair.receiver] == getattr(pair, name)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("receiver", "sender")
        assert ax.figure.axes[1].get_ylabel() == name
        assert [t.get_text() for t in ax.get_yticklabels()] == [p.name for p in details.definitions.processes]
    with pytest.raises(waitstate.UsageError, match=r"who sent to whom is not known: analyze\(trace, keep=Keep\(details=True\)\)"):
        result.plot.matrix("messages")
    with pytest.raises(waitstate.UsageError, match="who sent to whom is known of processes, not of level 'location'"):
        details.plot.matrix("bytes", level="location")
    with pytest.raises(waitstate.UsageError, match="nobody waits in comp: expected a wait state, or one of 'messages' and 'bytes'"):
        result.plot.matrix("comp")
    assert result.matrix("mpi").values.sum() > 0  # for the wait states below it


def test_histogram(details):
    ax = details.plot.histogram("mpi_latesender")
    classes = details.waits["mpi_latesender"].histogram
    assert [bar.get_height() for bar in ax.patches] == [c.count for c in classes]
    assert [bar.get_x() for bar in ax.patches][1:] == pytest.approx([details.seconds(c.from_ticks) for c in classes][1:])
    assert [bar.get_x() + bar.get_width() for bar in ax.patches] == pytest.approx([details.seconds(c.to_ticks) for c in classes])
    assert ax.get_xscale() == "log" and ax.get_xlabel() == "duration of a wait of Late Sender (s)"
    seconds = [bar.get_height() for bar in details.plot.histogram("mpi_latesender", by="time").patches]
    assert sum(seconds) == pytest.approx(details.seconds(details.waits["mpi_latesender"].statistics.sum_ticks))


def test_over_time(details):
    series = details.series
    ax = details.plot.over_time(["mpi_latesender", "mpi_barrier_wait"])
    low, high = (c.get_paths()[0].vertices for c in ax.collections)
    want = series.metrics["mpi_latesender"].ticks / series.bin_ticks
    assert low[:, 1].max() == pytest.approx(want.max())
    assert high[:, 1].max() == pytest.approx((want + series.metrics["mpi_barrier_wait"].ticks / series.bin_ticks).max())
    begin = details.seconds(series.start - details.first_time)
    assert ax.get_xlim() == pytest.approx((begin, begin + details.seconds(series.bin_ticks) * len(want)))
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["Late Sender", "Wait at barrier"]
    # By default no wait counts twice: nobody waits more than all the time.
    top = max(c.get_paths()[0].vertices[:, 1].max() for c in details.plot.over_time().collections)
    assert 1 < top <= len(details.locations) + 1e-9
    image = details.plot.over_time(["mpi_latesender"], by="location").images[0]
    shares = np.zeros(image.get_array().shape)  # each location is a group
    for row in series.metrics["mpi_latesender"].groups:
        shares[row.group] = row.ticks / (series.bin_ticks * series.bins_per_group_bin)
    assert np.allclose(image.get_array(), shares) and 0 < image.get_array().max() <= 1


def corners(ax, label):
    """First and last time, top and bottom of the boxes of one kind."""
    return sorted((p.vertices[:, 0].min(), p.vertices[:, 0].max(), p.vertices[:, 1].min(), p.vertices[:, 1].max())
                  for c in ax.collections if c.get_label() == label for p in c.get_paths())


LATE = """region 0 name=main paradigm=user role=function
region 1 name=MPI_Send paradigm=mpi role=point2point
region 2 name=MPI_Recv paradigm=mpi role=point2point
0 0 enter main
0 600 enter MPI_Send
0 600 send dest=1 tag=3 com=0 len=8
0 700 exit
0 1000 exit
1 0 enter main
1 200 enter MPI_Recv
1 800 recv src=0 tag=3 com=0 len=8
1 800 exit
1 1000 exit
"""


def near(found, want):
    return np.allclose(found, want, rtol=1e-9, atol=1e-12)


def test_timeline(tmp_path):
    (tmp_path / "late.trace").write_text(LATE)
    trace = waitstate.EventTrace(tmp_path / "late.trace")
    result = waitstate.analyze(tmp_path / "late.trace")
    second = result.seconds
    ax = trace.plot.timeline(waits=result)
    main = [[second(0), second(1000), row - 0.42, row] for row in (0, 1)]
    assert near(corners(ax, "computation"), main)
    calls = [[second(200), second(800), 1, 1.42], [second(600), second(700), 0, 0.42]]
    assert near(corners(ax, "point to point"), calls)
    assert near(corners(ax, "wait"), [[second(200), second(600), 0.58, 1.42]])
    arrow = next(c for c in ax.collections if hasattr(c, "U"))
    assert near([arrow.X[0], arrow.Y[0], arrow.U[0], arrow.V[0]], [second(600), 0, second(200), 1])
    assert ax.get_ylim() == (1.5, -0.5) and ax.get_xlim() == pytest.approx((0, second(1000)))
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["computation", "point to point", "wait"]
    # A part of it, of one location: what is cut, and no message, whose other end is not there.
    part = trace.plot.timeline(second(300), second(900), [1], result)
    assert near(corners(part, "point to point"), [[second(300), second(800), 0, 0.42]])
    assert near(corners(part, "wait"), [[second(300), second(600), -0.42, 0.42]])
    assert not any(hasattr(c, "U") for c in part.collections)
    assert corners(trace.plot.timeline(shortest=second(200), messages=False), "point to point") == [pytest.approx(calls[0])]
    with pytest.raises(waitstate.UsageError, match="expected a start before the stop"):
        trace.plot.timeline(2, 1)


@pytest.mark.parametrize("model", ["basic", "extended"])
def test_transfers(model):
    """As in figure 3 of the KOJAK paper on one-sided communication: from the start to the end of each transfer in the model."""
    trace = waitstate.EventTrace(SOURCE / "traces" / "rma", transfers=True, rma_model=model)
    expected = {(trace[e.startptr].loc, e.loc, trace.seconds(trace[e.startptr].time), trace.seconds(e.time))
                for e in trace if e.type in ("put_1te", "get_1te") and e.startptr is not None}
    shown = trace.timeline()
    assert len(expected) >= 50 and set(shown.transfers) == expected
    ax = trace.plot.timeline(messages=False)
    [drawn] = [c for c in ax.collections if c.get_label() == "transfer"]
    assert len(drawn.get_segments()) == len(shown.transfers)
    rows = {location: i for i, location in enumerate(shown.locations)}
    for line, t in zip(drawn.get_segments(), shown.transfers):
        assert near(line, [[t.sent, rows[t.sender]], [t.received, rows[t.receiver]]])
    assert "one-sided transfer" in [t.get_text() for t in ax.get_legend().get_texts()]
    assert not waitstate.EventTrace(SOURCE / "traces" / "rma").timeline().transfers


def test_the_model_decides_where_transfers_end():
    """In the call that starts them, or in one that completes them."""
    ends = {model: sum(t.received - t.sent for t in waitstate.EventTrace(
        SOURCE / "traces" / "rma", transfers=True, rma_model=model).timeline().transfers) for model in ("basic", "extended")}
    assert ends["basic"] < ends["extended"] / 2


def test_instance(details):
    worst = details.instances("mpi_latesender")[0]
    ax = details.plot.instance("mpi_latesender")
    since = details.first_time
    begin = worst.longest.begin
    context = worst.context
    row = sorted(l.id for l in context.locations).index(worst.longest.location.id)
    own = [details.seconds(begin - since), details.seconds(begin + worst.total_ticks - since), row - 0.42, row + 0.42]
    hatched = corners(ax, "wait")  # waits of other wait states, too
    assert len(hatched) > 1 and any(near(found, own) for found in hatched)
    assert [t.get_text() for t in ax.get_yticklabels()] == sorted(l.process.name for l in context.locations)
    bars = sum(len(c.get_paths()) for c in ax.collections if c.get_label() not in ("wait", "") and not hasattr(c, "U"))
    assert bars == len(context.regions)
    arrows = next(c for c in ax.collections if hasattr(c, "U"))
    assert len(arrows.X) == len(context.messages)
    with pytest.raises(waitstate.UsageError, match="there is no instance 1000 of mpi_latesender"):
        details.plot.instance("mpi_latesender", 1000)


def test_an_instance_without_context_has_the_waiting_call(result):
    ax = result.plot.instance("mpi_latesender")
    worst = result.instances("mpi_latesender")[0].longest
    since = result.first_time
    assert corners(ax, "point to point")[0][:2] == pytest.approx([result.seconds(worst.enter - since), result.seconds(worst.exit - since)])


def test_topology(tmp_path):
    lines = ["comm 0 name=MPI_COMM_WORLD members=all", "cart_dimension 0 name=x size=2 periodicity=true",
             "cart_dimension 1 name=y size=3 periodicity=true",
             "cart_topology 0 name=grid comm=0 dimensions=(0,1) coordinates=(0,0,0,1,0,1,2,0,2,3,1,2,4,1,1)"]
    lines += [line for l in range(5) for line in (f"{l} 0 enter main", f"{l} {100 * (l + 1)} exit")]
    (tmp_path / "grid.trace").write_text("\n".join(lines) + "\n")
    result = waitstate.analyze(tmp_path / "grid.trace")
    ax = result.plot.topology("time")
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    want = [[result.seconds(100), result.seconds(200), result.seconds(300)], [np.nan, result.seconds(500), result.seconds(400)]]
    assert np.allclose(shown, want, equal_nan=True)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("y", "x", "grid")
    with pytest.raises(waitstate.UsageError, match="there is no topology 4: they are numbered from 0 to 0"):
        result.plot.topology("time", 4)


LARGE = {
    "heatmap": lambda r: r.plot.heatmap("mpi_latesender"),
    "matrix": lambda r: r.plot.matrix("mpi_latesender"),
    "matrix_of_bytes": lambda r: r.plot.matrix("bytes"),
    "over_time_by_location": lambda r: r.plot.over_time(by="location"),
}


@pytest.fixture(scope="module", params=(64, 1000))
def large(request, tmp_path_factory):
    """A ring in which every rank sends late to the next one; the result of 64 ranks, or of 1,000."""
    size = request.param
    lines = []
    for rank in range(size):
        late, left = 300 + rank % 7 * 50, (rank - 1) % size
        lines += [f"{rank} 0 enter main", f"{rank} {late} enter MPI_Send", f"{rank} {late + 1} send dest={(rank + 1) % size} tag=1 com=0 len=8",
                  f"{rank} {late + 2} exit", f"{rank} {late + 3} enter MPI_Recv",
                  f"{rank} {max(late, 300 + left % 7 * 50) + 20} recv src={left} tag=1 com=0 len=8", f"{rank} 900 exit", f"{rank} 1000 exit"]
    file = tmp_path_factory.mktemp("ring") / f"ring_{size}.trace"
    file.write_text("\n".join(lines) + "\n")
    return waitstate.analyze(file, keep=waitstate.Keep(details=True, series=True))


@pytest.mark.parametrize("kind", LARGE)
def test_pictures_of_many_locations_can_be_read(large, kind):
    """No axis is without names, names do not overlap, zero is paper, and there is a key to the colours."""
    ax = LARGE[kind](large)
    ax.figure.canvas.draw()
    size = len(large.locations)
    for axis, by_location in ((ax.xaxis, kind != "over_time_by_location"), (ax.yaxis, kind != "heatmap")):
        boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
        assert len(boxes) > (size / 64 if by_location else 0)
        assert not any(a.overlaps(b) for a, b in zip(boxes, boxes[1:]))
    image = ax.images[0]
    assert image.colorbar is not None and image.colorbar.ax.get_ylabel()
    values = np.ma.filled(image.get_array(), np.nan)
    colours = image.cmap(image.norm(image.get_array()))
    assert (values == 0).any() and (colours[values == 0][:, 3] == 0).all() and (colours[values > 0][:, 3] == 1).all()


def test_colours_and_names_are_those_of_the_page():
    """Both draw with src/report/fields/colours.json, and shorten names in one way."""
    import json

    from waitstate import axes, colours

    table = json.loads((SOURCE / "src/report/fields/colours.json").read_text())
    assert [list(c) for c in colours.CLASSES] == [[c["name"], c["colour"], c["regions"]] for c in table["classes"]]
    assert {n: getattr(colours, n.upper()) for n in table if n != "classes"} == {
        n: v if isinstance(v, str) else tuple(v) for n, v in table.items() if n != "classes"}
    for case in json.loads((SOURCE / "tests/page/short_names.json").read_text()):
        assert axes._shorten_paths(case["names"], case["width"]) == case["labels"]
    assert axes.literal("main/" + 30 * "x/" + "MPI_Waitall$") == "main/…/x/x/x/x/x/x/x/x/x/x/MPI_Waitall\\$"


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
    assert [line.get_ydata()[0] for line in lines] == [known.parallel_efficiency, known.load_balance, known.communication_efficiency]


def test_counters(tmp_path):
    with pytest.raises(waitstate.UsageError, match="time is no counter of this trace; it has: none"):
        waitstate.analyze(SOURCE / "traces" / "p2p").plot.counters("time", "time")
    result = waitstate.analyze(SOURCE / "tests" / "checks" / "counters.trace")
    ref = next(iter(result.counters))
    ax = result.plot.counters("time", ref)
    rows = [r for r in result.counters[ref].values if r.rate is not None or r.mean is not None]
    assert len(rows) == len(ax.collections[0].get_offsets()) > 0


def test_notebooks_show_a_table(result):
    html = result._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 2 and "Late Sender" in html and "<script" not in html
    assert result.problems[0].advice.split(":")[0].split("'")[0] in html


DOLLARS = """region 0 name="main$x$" paradigm=user role=function
region 1 name=MPI_Send paradigm=mpi role=point2point
region 2 name=MPI_Recv paradigm=mpi role=point2point
region 3 name="solve<$\\\\frac$>" paradigm=user role=function
0 0 enter main$x$
0 600 enter MPI_Send
0 600 send dest=1 tag=3 com=0 len=8
0 700 exit
0 1000 exit
1 0 enter main$x$
1 100 enter "solve<$\\\\frac$>"
1 200 enter MPI_Recv
1 800 recv src=0 tag=3 com=0 len=8
1 800 exit
1 900 exit
1 1000 exit
"""


def test_notebooks_show_names_as_text(tmp_path):
    """Names with $ are no formulas, in pictures and in tables, and those with < no markup."""
    (tmp_path / "dollars.trace").write_text(DOLLARS)
    result = waitstate.analyze(tmp_path / "dollars.trace", keep=waitstate.Keep(contexts=True))
    call = r"main\$x\$/solve<\$\frac\$>/MPI_Recv"
    tree = result.plot.tree("mpi_latesender")
    assert [t.get_text() for t in tree.get_yticklabels()] == [call]
    instance = result.plot.instance("mpi_latesender")
    assert instance.get_title().endswith(f"s in {call}")
    for ax in (tree, instance, result.plot.heatmap("time"), waitstate.plot.diff(result, result)):
        ax.figure.canvas.draw()  # raises an error where a formula has one
    html = result._repr_html_()
    assert "solve&lt;$" in html and "solve<" not in html
    assert html.startswith("<div class='tex2jax_ignore mathjax_ignore'>") and html.endswith("</div>")


def test_without_matplotlib_the_package_is_named(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="plots need the package matplotlib"):
        result.plot.tree("time")
