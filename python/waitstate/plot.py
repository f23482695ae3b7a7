# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Pictures of a result: `result.plot.tree("mpi_latesender")`, and of several: `waitstate.plot.diff(a, b)`.

Every function draws into `ax` (default: the Axes of a new figure), returns the Axes, and neither shows nor saves anything.
matplotlib is imported when a function is called; without it an ImportError names the package. The numbers of each
picture are available under the same name: `result.tree("mpi_latesender")` (picture_numbers.py). Times are in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy

from waitstate import colours, picture_numbers, timeline
from waitstate._core import UsageError, _duration_text
from waitstate.axes import axes_for, heat_map, literal, literals, name_ticks
from waitstate.picture_numbers import SENT, in_unit, topology_of, unit_of, wait_states_over_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from waitstate._core import ContextTransfer, Metric
    from waitstate.picture_numbers import PictureNumbers
    from waitstate.result_types import MetricName


def _transfer(t: ContextTransfer, start: float, end: float) -> timeline.Arrow:
    """From the memory that is read to the memory that is written."""
    ends = (t.target, t.origin) if t.operation == "get" else (t.origin, t.target)
    return timeline.Arrow(*ends, start, end)


def _with_unit(metric: Metric) -> str:
    """The label of an axis."""
    return f"{literal(metric.title or metric.id)} ({literal(unit_of(metric))})"


def _whole_numbers(*axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    for axis in axes:
        axis.set_major_locator(MaxNLocator(integer=True))


MOST_CELLS = 200  #: rows and columns of a matrix that are drawn: more would be smaller than a pixel


def _blocks(values: Any, block: int) -> Any:
    """The sums of square blocks."""
    size = -(-len(values) // block)
    padded = numpy.zeros((size * block, size * block))
    padded[:len(values), :len(values)] = values
    return padded.reshape(size, block, size, block).sum(axis=(1, 3))


class Plots:
    """The pictures of one result: `result.plot`."""

    def __init__(self, result: PictureNumbers) -> None:
        self._result = result

    def __repr__(self) -> str:
        return f"<Plots of {self._result!r}>"

    def tree(self, metric: MetricName, by: str = "callpath", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Horizontal bars of the `top` call paths (exclusive) or regions (`by="region"`) with the largest values, their share
        of the metric beside them. The numbers: Result.tree(). `kwargs` go to Axes.barh()."""
        chosen = self._result.metric(metric)
        names, values, shares, _ = self._result.tree(chosen, by, top)
        ax = axes_for(ax, len(names))
        bars = ax.barh(range(len(names)), values, **{"color": colours.BESIDE_EACH_OTHER[0], **kwargs})
        ax.bar_label(bars, [f"{100 * share:.1f} %" for share in shares], padding=3)
        ax.margins(x=0.15)
        ax.set_yticks(range(len(names)), literals(names))
        ax.invert_yaxis()
        ax.set_xlabel(_with_unit(chosen))
        ax.set_ylabel("call path" if by == "callpath" else by)
        return ax

    def heatmap(self, metric: MetricName, by: str = "callpath", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The `top` call paths or regions against all locations, as colours. The numbers: Result.heatmap(). `kwargs` go
        to Axes.imshow()."""
        chosen = self._result.metric(metric)
        names, columns, sums, _ = self._result.heatmap(chosen, by, top)
        ax = axes_for(ax, len(names))
        shown = sums if len(names) else numpy.zeros((1, len(self._result.locations)))
        image = ax.imshow(shown, **heat_map(shown, {"aspect": "auto", **kwargs}))
        ax.figure.colorbar(image, ax=ax, label=_with_unit(chosen))
        ax.set_yticks(range(len(names)), literals(names))
        name_ticks(ax, "x", columns)
        ax.set_xlabel("location")
        ax.set_ylabel("call path" if by == "callpath" else by)
        return ax

    def boxes(self, metrics: Sequence[MetricName] | None = None, by: str | None = None, ax: Axes | None = None,
              **kwargs: Any) -> Axes:
        """The durations of single waits: minimum, quartiles, maximum, on a logarithmic scale. They are drawn per wait
        state, by default all that occurred, the largest first; with `by="callpath"` per call path, the 20 of each wait
        state with the most waiting, which needs details. The numbers: Result.boxes(). `kwargs` go to Axes.bxp()."""
        found = self._result.boxes(metrics, by)
        least = 0.5 / self._result.definitions.clock.resolution  # a logarithmic scale has no zero
        keys = ("whislo", "q1", "med", "q3", "whishi")
        boxes = [dict(zip(keys, numpy.maximum(five, least).tolist()), fliers=[], label=name)
                 for name, five in zip(literals(found.names), found.values)]
        ax = axes_for(ax, len(boxes))
        ax.set_xscale("log")
        if boxes:
            ax.bxp(boxes, **{"vert": False, "showfliers": False, **kwargs})
        ax.invert_yaxis()
        ax.set_xlabel("duration of a wait (s)")
        return ax

    def histogram(self, metric: MetricName, by: str = "count", ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The number of waits of a wait state by duration, on a logarithmic scale; `by="time"`: their total seconds by
        duration. Needs details. The numbers: Result.histogram(). `kwargs` go to Axes.bar()."""
        chosen = self._result.metric(metric)
        left, right, high = self._result.histogram(chosen, by)
        left = numpy.maximum(left, self._result.seconds(0.5))  # a logarithmic scale has no zero
        ax = axes_for(ax)
        ax.set_xscale("log")
        ax.bar(left, high, right - left, **{"align": "edge", "color": colours.BESIDE_EACH_OTHER[0], "edgecolor": "white", "linewidth": 0.5, **kwargs})
        ax.set_xlabel(f"duration of a wait of {literal(chosen.title)} (s)")
        ax.set_ylabel("waits" if by == "count" else "their time (s)")
        return ax

    def over_time(self, metrics: Sequence[MetricName] | None = None, by: str = "metric", top: int = 8, ax: Axes | None = None,
                  **kwargs: Any) -> Axes:
        """The waits over time. `by="metric"`: wait states on top of each other, as the mean number of locations that
        wait; `by="location"`: all wait states together, location x time as colours, as the share of its time that a
        location waits. `metrics`: by default the `top` wait states with the most time among those that are not shares
        of others. Needs series. The numbers: Result.over_time(). `kwargs` go to Axes.stackplot() or Axes.imshow()."""
        rows, edges, values = self._result.over_time(metrics, by, top)
        ax = axes_for(ax, len(rows) if by == "location" else 0)
        ax.set_xlabel("time since the first event (s)")
        if by == "metric":
            if rows:
                steps = [numpy.append(row, row[-1:]) for row in values]
                ax.stackplot(edges, *steps, **{"step": "post", "labels": literals(rows),
                                               "colors": colours.BESIDE_EACH_OTHER, **kwargs})
                ax.legend(loc="upper left", bbox_to_anchor=(0, -0.12), ncol=2, frameon=False)
            ax.set_ylabel("locations that wait (mean)")
            ax.set_xlim(edges[0], edges[-1])
            ax.set_ylim(bottom=0)
            return ax
        _, chosen = wait_states_over_time(self._result, metrics, top)
        extent = (edges[0], edges[-1], len(rows) - 0.5, -0.5)
        image = ax.imshow(values, **heat_map(values, {"aspect": "auto", "extent": extent, **kwargs}))
        title = literal(chosen[0].title) if len(chosen) == 1 else f"{len(chosen)} wait states"
        ax.figure.colorbar(image, ax=ax, label=f"share of the time in {title}")
        name_ticks(ax, "y", rows)
        ax.set_ylabel("location")
        return ax

    def instance(self, metric: MetricName, n: int = 0, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The events around one of the most severe instances of a wait state, 0 the worst: calls, messages, one-sided transfers
        (dashed), and all waits that are kept of this time hatched, in the order of ranks. Needs contexts; without them, or for an
        instance that has none, only the waiting calls are drawn. The numbers: Result.instance() and Result.contexts. `kwargs` go
        to the PolyCollection of the bars."""
        result = self._result
        chosen, instance = result.metric(metric), result.instance(metric, n)
        since = result.first_time

        def time(ticks: int) -> float:
            return float(result.seconds(ticks - since))

        waits = instance.members or [instance.longest]
        begin, end = min(w.begin for w in waits), max(w.begin + w.ticks for w in waits)
        around = max(1, (end - begin) // 3)
        if instance.context is not None:
            context = instance.context
            start, stop = max(since, context.begin, begin - around), min(context.end, end + around)
            rows = sorted(context.locations, key=lambda location: location.id)
            bars = [timeline.Bar(i.location, i.region, time(i.enter), time(i.exit), i.depth) for i in context.regions]
            arrows = [timeline.Arrow(m.sender, m.receiver, time(m.sent), time(m.received)) for m in context.messages]
            transfers = [_transfer(t, time(t.started), time(t.completed)) for t in context.transfers if t.completed is not None]
        else:
            start, stop = max(since, begin - around), end + around
            rows = sorted({w.location for w in waits}, key=lambda location: location.id)
            region = None if instance.callpath is None else instance.callpath.region
            bars = [timeline.Bar(w.location, region, time(w.enter), time(w.exit), 0) for w in waits]
            arrows, transfers = [], []
        hatched = timeline.waits_of(result, since, rows, time(start), time(stop))
        ax = axes_for(ax, 2 * len(rows))
        timeline.draw(ax, rows, (time(start), time(stop)), bars, arrows, hatched, transfers, **kwargs)
        ax.set_title(f"{literal(chosen.title)}: {_duration_text(result.seconds(instance.total_ticks))} in "
                     f"{literal('' if instance.callpath is None else instance.callpath.path)}")
        return ax

    def topology(self, metric: MetricName, topology: int | None = None, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """A metric on the grid of a Cartesian topology (default: the first whose members MPI has arranged, else the first): the
        last dimension goes right, the one before it down; further ones are slices side by side. Each cell has the value of a
        process with its threads, or of a thread where the topology tells them apart. The numbers: Result.topology(). `kwargs` go
        to Axes.imshow()."""
        chosen, known = self._result.metric(metric), topology_of(self._result, topology)
        grid = self._result.topology(chosen, topology).values
        names = [f"dimension {i}" if d is None or not d.name else d.name for i, d in enumerate(known.dimensions)]
        ax = axes_for(ax)
        image = ax.imshow(grid, **heat_map(grid, kwargs))
        ax.figure.colorbar(image, ax=ax, label=_with_unit(chosen))
        _whole_numbers(ax.xaxis, ax.yaxis)
        ax.set_xlabel(literal(names[-1]) if len(names) < 3 else
                      f"{literal(names[-1])}; slices of {', '.join(map(literal, names[:-2]))} side by side")
        ax.set_ylabel(literal(names[-2]) if len(names) > 1 else "")
        if literal(known.name):
            ax.set_title(literal(known.name))
        if len(names) == 1:
            ax.set_yticks([])
        return ax

    def matrix(self, metric: MetricName | None = None, level: str = "process", ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The waiting between processes or locations in a wait state (default: in all): culprit × waiter. With
        "messages" or "bytes", the data that processes sent to each other, which needs details: sender × receiver. Where
        there are more than 200, neighbours share a row and a column, which has their sum. The numbers: Result.matrix(). `kwargs`
        go to Axes.imshow()."""
        grid = self._result.matrix(metric, level)
        size = len(grid.rows)
        ax = axes_for(ax, min(size, 20))
        block = max(1, -(-size // MOST_CELLS))
        shown = _blocks(grid.values, block) if size else numpy.zeros((1, 1))
        extent = (-0.5, len(shown) * block - 0.5, len(shown) * block - 0.5, -0.5)
        image = ax.imshow(shown, **heat_map(shown, {"extent": extent, **kwargs}, logarithmic=True))
        sent = metric in SENT
        title = "all wait states (s)" if metric is None else str(metric) if sent else _with_unit(self._result.metric(metric))
        ax.figure.colorbar(image, ax=ax, label=title if block == 1 else f"{title}; {block} neighbours share a row and a column")
        name_ticks(ax, "x", grid.rows)
        name_ticks(ax, "y", grid.rows)
        ax.set_xlabel("receiver" if sent else "waiter")
        ax.set_ylabel("sender" if sent else "culprit")
        return ax

    def counters(self, metric: MetricName, counter: MetricName, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """A metric against the rate of a counter (the mean of a state), a point per call path and location that has
        both. The numbers: Result.array() and Result.counters. `kwargs` go to Axes.scatter()."""
        chosen, of = self._result.metric(metric), self._result.metric(counter)
        if of.id not in self._result.counters:
            raise UsageError(f"{of.id} is no counter of this trace; it has: {', '.join(self._result.counters) or 'none'}")
        found = self._result.counters[of.id]
        values = in_unit(self._result, chosen, self._result.array(chosen))
        points = [(row.rate if row.mean is None else row.mean, values[row.callpath, row.location]) for row in found.values
                  if row.rate is not None or row.mean is not None]
        ax = axes_for(ax)
        ax.scatter([x for x, _ in points], [y for _, y in points], **{"color": colours.BESIDE_EACH_OTHER[1], **kwargs})
        per = "" if found.kind == "absolute" else "/s"
        ax.set_xlabel(f"{literal(of.title or of.id)} ({literal(of.unit_name)}{per})")
        ax.set_ylabel(_with_unit(chosen))
        return ax


def diff(a: PictureNumbers, b: PictureNumbers, metric: MetricName = "time", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
    """The changes from `a` to `b` per call path (by name, exclusive): the `top` largest ones, growth in orange. The
    numbers: waitstate.diff(). `kwargs` go to Axes.barh()."""
    found = picture_numbers.diff(a, b, metric, top)
    worst = list(zip(found.names, found.values))
    ax = axes_for(ax, len(worst))
    signs = [colours.MORE if value > 0 else colours.LESS for _, value in worst]
    ax.barh(range(len(worst)), [value for _, value in worst], **{"color": signs, **kwargs})
    ax.axvline(0, color="#808080", linewidth=0.8)
    ax.set_yticks(range(len(worst)), literals(name for name, _ in worst))
    ax.invert_yaxis()
    chosen = b.metric(metric)
    ax.set_xlabel(f"change of {_with_unit(chosen)}")
    ax.set_ylabel("call path")
    return ax


def scaling(results: Sequence[PictureNumbers], ax: Axes | None = None, **kwargs: Any) -> Axes:
    """Efficiencies of several runs against their number of processes or threads; runs whose efficiency is not known are left
    out. The numbers: waitstate.scaling(). `kwargs` go to Axes.plot()."""
    found = picture_numbers.scaling(results)
    ax = axes_for(ax)
    for name, values, marker in zip(found.names, found.values, ("o", "s", "^")):
        ax.plot(found.units, values, label=name, **{"marker": marker, **kwargs})
    ax.set_xlabel(found.over)
    ax.set_ylabel("efficiency (1: all of it)")
    ax.set_ylim(0, 1.05)
    ax.legend()
    return ax
