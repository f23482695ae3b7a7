# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Pictures of a result: `result.plot.tree("mpi_latesender")`, and of several: `waitstate.plot.diff(a, b)`.

Every function draws into `ax` (default: the Axes of a new figure), returns the Axes, and neither shows nor saves anything.
matplotlib is imported when a function is called; without it an ImportError names the package. What is drawn is also to be
had as numbers: each docstring says from which method of Result. Times are in seconds. Long because
each picture has its own axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy

from waitstate import timeline
from waitstate._core import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from waitstate._core import CartTopology
    from waitstate.result import Metric, MetricName, Result, Series

LONGEST = 40  #: characters of a name
PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"]


def axes_for(ax: Axes | None, rows: int = 0) -> Axes:
    """The given Axes, or those of a new figure that has room for so many rows."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need the package matplotlib (apt: python3-matplotlib, pip: matplotlib)") from error
    height = min(max(4.8, 1.5 + 0.28 * rows), 24)
    return pyplot.subplots(figsize=(8, height), layout="constrained")[1]


def _short(name: str) -> str:
    """Cut from the left, where call paths have most in common."""
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST:]


def literal(name: str) -> str:
    """A name in which matplotlib finds no formula."""
    return _short(name).replace("$", r"\$")


def _values(result: Result, metric: Metric, values: Any) -> Any:
    """Severities in the metric's unit as it is drawn."""
    return result.seconds(values) if metric.unit == "sec" else numpy.asarray(values) * metric.scale


def _unit(metric: Metric) -> str:
    return {"sec": "s", "occ": "occurrences", "bytes": "bytes"}.get(metric.unit, literal(metric.unit_name))


def _with_unit(metric: Metric) -> str:
    """What is written at an axis."""
    return f"{literal(metric.title or metric.id)} ({_unit(metric)})"


def _is_share(metric: Metric, series: Series) -> bool:
    """Whether its waits may be those of another wait state as well."""
    while metric.parent is not None:
        if metric.overlapping or (metric.within_parent and metric.parent.id in series.ticks):
            return True
        metric = metric.parent
    return False


def _whole_numbers(*axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    for axis in axes:
        axis.set_major_locator(MaxNLocator(integer=True))


class Plots:
    """The pictures of one result: `result.plot`."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def _names(self, by: str) -> list[str]:
        """By call path, what its values are added to."""
        if by == "callpath":
            return [path.path for path in self._result.call_paths]
        if by == "region":
            return [path.name for path in self._result.call_paths]
        raise UsageError(f"cannot plot by '{by}': expected 'callpath' or 'region'")

    def _grouped(self, metric: Metric, by: str, values: Any) -> tuple[list[str], Any]:
        """Names and values (first dimension: these names), what is zero left out, the largest first."""
        if metric.aggregation != "sum":
            raise UsageError(f"the values of {metric.id} do not add up: it has a {metric.aggregation}")
        names = self._names(by)
        order = list(dict.fromkeys(names))
        place = {name: i for i, name in enumerate(order)}
        sums = numpy.zeros((len(order),) + values.shape[1:])
        numpy.add.at(sums, [place[name] for name in names], values)
        whole = sums.reshape(len(order), -1).sum(axis=1)
        chosen = [int(i) for i in numpy.argsort(-whole, kind="stable") if whole[i] != 0]
        return [order[i] for i in chosen], sums[chosen]

    def tree(self, metric: MetricName, by: str = "callpath", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Horizontal bars of the `top` call paths (exclusive) or regions (`by="region"`) with the largest values, their share
        of the metric beside them. The numbers: Result.by_callpath(). `kwargs` go to Axes.barh()."""
        chosen = self._result.metric(metric)
        names, sums = self._grouped(chosen, by, _values(self._result, chosen, self._result.by_callpath(chosen)))
        total = sums.sum()
        names, sums = names[:top], sums[:top]
        ax = axes_for(ax, len(names))
        bars = ax.barh(range(len(names)), sums, **{"color": "#0072b2", **kwargs})
        ax.bar_label(bars, [f"{100 * value / total:.1f} %" for value in sums], padding=3)
        ax.margins(x=0.15)
        ax.set_yticks(range(len(names)), [literal(name) for name in names])
        ax.invert_yaxis()
        ax.set_xlabel(_with_unit(chosen))
        ax.set_ylabel("call path" if by == "callpath" else by)
        return ax

    def heatmap(self, metric: MetricName, by: str = "callpath", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The `top` call paths or regions against all locations, as colours. The numbers: Result.array(). `kwargs` go to
        Axes.imshow()."""
        chosen = self._result.metric(metric)
        names, sums = self._grouped(chosen, by, _values(self._result, chosen, self._result.array(chosen)))
        names, sums = names[:top], sums[:top]
        ax = axes_for(ax, len(names))
        shown = sums if len(names) else numpy.zeros((1, len(self._result.locations)))
        image = ax.imshow(shown, **{"aspect": "auto", "cmap": "cividis", "interpolation": "nearest", **kwargs})
        ax.figure.colorbar(image, ax=ax, label=_with_unit(chosen))
        ax.set_yticks(range(len(names)), [literal(name) for name in names])
        ax.set_xlabel("location")
        ax.set_ylabel("call path" if by == "callpath" else by)
        return ax

    def boxes(self, metrics: Sequence[MetricName] | None = None, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """How long single waits are, per wait state: minimum, quartiles, maximum, on a logarithmic scale. By default all wait
        states that occurred, the largest first. The numbers: Result.waits[id].statistics. `kwargs` go to Axes.bxp()."""
        waits = self._result.waits
        if metrics is None:
            ids = sorted((i for i in waits if waits[i].statistics.count), key=lambda i: -waits[i].statistics.sum_ticks)
        else:
            ids = [self._result.metric(m).id for m in metrics]
            for ref in ids:
                if ref not in waits:
                    raise UsageError(f"nothing is known of single waits of {ref}: it did not occur, or is no wait state")
        seconds = self._result.seconds
        least = 0.5 / self._result.definitions.resolution  # a logarithmic scale has no zero
        boxes = []
        for ref in ids:
            s = waits[ref].statistics
            five = [max(seconds(v), least) for v in (s.minimum_ticks, s.quartile25_ticks, s.median_ticks, s.quartile75_ticks,
                                                     s.maximum_ticks)]
            boxes.append(dict(zip(("whislo", "q1", "med", "q3", "whishi"), five), fliers=[],
                              label=literal(waits[ref].metric.title)))
        ax = axes_for(ax, len(boxes))
        ax.set_xscale("log")
        if boxes:
            ax.bxp(boxes, **{"vert": False, "showfliers": False, **kwargs})
        ax.invert_yaxis()
        ax.set_xlabel("duration of a wait (s)")
        return ax

    def histogram(self, metric: MetricName, by: str = "count", ax: Axes | None = None, **kwargs: Any) -> Axes:
        """How many waits of a wait state lasted how long, on a logarithmic scale; `by="time"`: the seconds of these waits
        together. Needs details. The numbers: Result.waits[id].histogram. `kwargs` go to Axes.bar()."""
        chosen = self._result.metric(metric)
        if by not in ("count", "time"):
            raise UsageError(f"cannot plot by '{by}': expected 'count' or 'time'")
        waits = self._result.waits.get(chosen.id)
        if waits is None:
            raise UsageError(f"nothing is known of single waits of {chosen.id}: it did not occur, or is no wait state")
        if waits.statistics.count and not waits.histogram:
            raise UsageError("a histogram needs the durations of waits: analyze(trace, details=True)")
        seconds = self._result.seconds
        least = seconds(0.5)  # a logarithmic scale has no zero
        left = [max(seconds(c.shortest_ticks), least) for c in waits.histogram]
        width = [seconds(c.below_ticks) - begin for c, begin in zip(waits.histogram, left)]
        high = [c.count if by == "count" else seconds(c.ticks) for c in waits.histogram]
        ax = axes_for(ax)
        ax.set_xscale("log")
        ax.bar(left, high, width, **{"align": "edge", "color": "#0072b2", "edgecolor": "white", "linewidth": 0.5, **kwargs})
        ax.set_xlabel(f"duration of a wait of {literal(chosen.title)} (s)")
        ax.set_ylabel("waits" if by == "count" else "their time (s)")
        return ax

    def over_time(self, metrics: Sequence[MetricName] | None = None, by: str = "metric", top: int = 8, ax: Axes | None = None,
                  **kwargs: Any) -> Axes:
        """When the waits were. `by="metric"`: wait states on top of each other, as the mean number of locations that wait;
        `by="location"`: all of them together, location x time as colours, as the share of its time that a location waits.

        `metrics`: default the `top` wait states with most time of those that are no shares of others. Needs series. The
        numbers: Result.series. `kwargs` go to Axes.stackplot() or Axes.imshow()."""
        result = self._result
        series = result.series
        if by not in ("metric", "location"):
            raise UsageError(f"cannot plot by '{by}': expected 'metric' or 'location'")
        if series is None:
            raise UsageError("when the waits were is not known: analyze(trace, series=True)")
        if metrics is None:
            sums = {ref: int(ticks.sum()) for ref, ticks in series.ticks.items()}
            known = [m for m in result.metrics if sums.get(m.id, 0) and not _is_share(m, series)]
            chosen = sorted(known, key=lambda m: -sums[m.id])[:top]
        else:
            chosen = [result.metric(m) for m in metrics]
        bins = max((len(t) for t in series.ticks.values()), default=0)
        start = result.seconds(series.start - result.definitions.first_time)
        width = result.seconds(series.bin_ticks)
        ax = axes_for(ax)
        ax.set_xlabel("time since the first event (s)")
        if by == "metric":
            edges = start + width * numpy.arange(bins + 1)
            none = numpy.zeros(bins, dtype=numpy.int64)
            rows = [series.ticks.get(m.id, none) / series.bin_ticks for m in chosen]
            if rows:
                steps = [numpy.append(row, row[-1:]) for row in rows]
                ax.stackplot(edges, *steps, **{"step": "post", "labels": [literal(m.title) for m in chosen],
                                               "colors": PALETTE, **kwargs})
                ax.legend(loc="upper left", bbox_to_anchor=(0, -0.12), ncol=2, frameon=False)
            ax.set_ylabel("locations that wait (mean)")
            ax.set_xlim(start, start + width * bins)
            ax.set_ylim(bottom=0)
            return ax
        if series.bins_per_group_bin == 0 or not series.groups:
            raise UsageError("when which location waited is not known")
        wide = series.bin_ticks * series.bins_per_group_bin
        sizes = numpy.array([last - first + 1 for first, last in series.groups])
        columns = max((g.shape[1] for g in series.group_ticks.values()), default=1)
        together = numpy.zeros((len(sizes), columns), dtype=numpy.int64)
        for m in chosen:
            if m.id in series.group_ticks:
                together += series.group_ticks[m.id]
        first, last = series.groups[0][0], series.groups[-1][1]
        shown = numpy.repeat(together / (wide * sizes[:, None]), sizes, axis=0)
        image = ax.imshow(shown, **{"aspect": "auto", "cmap": "cividis", "interpolation": "nearest", "vmin": 0,
                                    "extent": (start, start + result.seconds(wide) * columns, last + 0.5, first - 0.5),
                                    **kwargs})
        title = literal(chosen[0].title) if len(chosen) == 1 else f"{len(chosen)} wait states"
        ax.figure.colorbar(image, ax=ax, label=f"share of the time in {title}")
        _whole_numbers(ax.yaxis)
        ax.set_ylabel("location")
        return ax

    def instance(self, metric: MetricName, n: int = 0, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """What happened around one of the most severe instances of a wait state, 0 the worst: calls, messages, and the wait
        hatched. Needs contexts; without, or of an instance that has none, only the waiting calls are drawn. The numbers:
        Result.instances() and Result.contexts. `kwargs` go to the PolyCollection of the bars."""
        result = self._result
        chosen = result.metric(metric)
        found = result.instances(chosen)
        if not -len(found) <= n < len(found):
            raise UsageError(f"there is no instance {n} of {chosen.id}: {len(found)} are kept")
        instance = found[n]
        since = result.definitions.first_time

        def time(ticks: int) -> float:
            return float(result.seconds(ticks - since))

        waits = instance.members or [instance.longest]
        begin, end = min(w.begin for w in waits), max(w.begin + w.ticks for w in waits)
        around = max(1, (end - begin) // 3)
        if instance.context is not None:
            context = result.contexts[instance.context]
            start, stop = max(since, context.start, begin - around), min(context.stop, end + around)
            rows = list(context.locations)
            bars = [timeline.Bar(i.location, i.region, time(i.enter), time(i.exit), i.depth) for i in context.regions]
            arrows = [timeline.Arrow(m.sender, m.receiver, time(m.sent), time(m.received)) for m in context.messages]
        else:
            start, stop = max(since, begin - around), end + around
            rows = list(dict.fromkeys(w.location for w in waits))
            region = result.call_paths[instance.callpath].region
            number = None if region is None else region.id
            bars = [timeline.Bar(w.location, number, time(w.enter), time(w.exit), 0) for w in waits]
            arrows = []
        hatched = [timeline.Hatched(w.location, time(w.begin), time(w.begin + w.ticks)) for w in waits if w.location in rows]
        ax = axes_for(ax, 2 * len(rows))
        timeline.draw(ax, [result.locations[l] for l in rows], result.definitions.regions, (time(start), time(stop)), bars,
                      arrows, hatched, **kwargs)
        ax.set_title(f"{literal(chosen.title)}: {result.seconds(instance.total_ticks):.3g} s in "
                     f"{literal(result.call_paths[instance.callpath].path)}")
        return ax

    def topology(self, metric: MetricName, topology: int | None = None, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """A metric on the grid of a Cartesian topology (default: the first whose members MPI has arranged, else the first): the
        last dimension goes right, the one before it down; further ones are slices side by side. Each cell has the value of a
        process with its threads, or of a thread where the topology tells them apart. The numbers: Result.by_location(),
        Result.definitions.cart_topologies. `kwargs` go to Axes.imshow()."""
        result = self._result
        chosen = result.metric(metric)
        known = result.definitions.cart_topologies
        if not known:
            raise UsageError("the trace has no Cartesian topology")
        if topology is None:  # Score-P adds one of processes and threads to every trace
            topology = next((i for i, t in enumerate(known) if t.name != "Process x Thread"), 0)
        if not 0 <= topology < len(known):
            raise UsageError(f"there is no topology {topology}: they are numbered from 0 to {len(known) - 1}")
        grid, names = self._grid(known[topology], _values(result, chosen, result.by_location(chosen)))
        ax = axes_for(ax)
        image = ax.imshow(grid, **{"cmap": "cividis", "interpolation": "nearest", **kwargs})
        ax.figure.colorbar(image, ax=ax, label=_with_unit(chosen))
        _whole_numbers(ax.xaxis, ax.yaxis)
        ax.set_xlabel(literal(names[-1]) if len(names) < 3 else
                      f"{literal(names[-1])}; slices of {', '.join(map(literal, names[:-2]))} side by side")
        ax.set_ylabel(literal(names[-2]) if len(names) > 1 else "")
        if literal(known[topology].name):
            ax.set_title(literal(known[topology].name))
        if len(names) == 1:
            ax.set_yticks([])
        return ax

    def _grid(self, topology: CartTopology, by_location: Any) -> tuple[Any, list[str]]:
        """Values as rows and columns (NaN: nobody is there), and names of the dimensions."""
        sizes = [1 if d is None else d.size for d in topology.dimensions]
        names = [f"dimension {i}" if d is None or not d.name else d.name for i, d in enumerate(topology.dimensions)]
        members = () if topology.comm is None else topology.comm.members
        present = [m for m in members if m is not None]
        threads = len({m.process.id for m in present if m.process is not None}) < len(present)
        cells = numpy.full(sizes, numpy.nan)
        stride = len(sizes) + 1
        for i in range(0, len(topology.coordinates) - stride + 1, stride):
            rank, *at = topology.coordinates[i:i + stride]
            member = members[rank] if rank < len(members) else None
            if member is None or any(x >= size for x, size in zip(at, sizes)):
                continue
            whose = [member] if threads or member.process is None else member.process.locations
            cells[tuple(at)] = sum(by_location[l.id] for l in whose)
        if numpy.isnan(cells).all():
            raise UsageError(f"the processes of the topology '{topology.name}' are not known")
        if len(sizes) < 3:
            return cells.reshape((1, -1)) if len(sizes) == 1 else cells, names
        slices = cells.reshape((-1, *sizes[-2:]))
        gap = numpy.full((sizes[-2], 1), numpy.nan)
        parts = [part for s in slices for part in (gap, s)][1:]
        return numpy.concatenate(parts, axis=1), names

    def matrix(self, metric: MetricName | None = None, level: str = "process", ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Who made whom wait in a wait state (default: in all), between processes or locations: culprit × waiter. The numbers:
        Result.wait_graph().matrix_ticks. `kwargs` go to Axes.imshow()."""
        graph = self._result.wait_graph(() if metric is None else metric, level)
        ax = axes_for(ax, len(graph))
        title = "all wait states" if metric is None else literal(self._result.metric(metric).title)
        shown = self._result.seconds(graph.matrix_ticks) if len(graph) else numpy.zeros((1, 1))
        image = ax.imshow(shown, **{"cmap": "cividis", "interpolation": "nearest", **kwargs})
        ax.figure.colorbar(image, ax=ax, label=f"{title} (s)")
        labels = [literal(vertex.label) for vertex in graph.vertices]
        if len(labels) <= 32:
            ax.set_xticks(range(len(labels)), labels, rotation=90)
            ax.set_yticks(range(len(labels)), labels)
        ax.set_xlabel("waiter")
        ax.set_ylabel("culprit")
        return ax

    def counters(self, metric: MetricName, counter: MetricName, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """A metric against the rate (of a state: the mean) of a counter, a point per call path and location that has both. The
        numbers: Result.array() and Result.counters. `kwargs` go to Axes.scatter()."""
        chosen, of = self._result.metric(metric), self._result.metric(counter)
        if of.id not in self._result.counters:
            raise UsageError(f"{of.id} is no counter of this trace; it has: {', '.join(self._result.counters) or 'none'}")
        found = self._result.counters[of.id]
        values = _values(self._result, chosen, self._result.array(chosen))
        points = [(row.rate if row.mean is None else row.mean, values[row.callpath, row.location]) for row in found.rows
                  if row.rate is not None or row.mean is not None]
        ax = axes_for(ax)
        ax.scatter([x for x, _ in points], [y for _, y in points], **{"color": "#d55e00", **kwargs})
        per = "" if found.kind == "absolute" else "/s"
        ax.set_xlabel(f"{literal(of.title or of.id)} ({literal(of.unit_name)}{per})")
        ax.set_ylabel(_with_unit(chosen))
        return ax


def diff(a: Result, b: Result, metric: MetricName = "time", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
    """What changed from `a` to `b` per call path (by name, exclusive): the `top` largest changes, growth in orange. The
    numbers: Result.by_callpath() of both. `kwargs` go to Axes.barh()."""
    change: dict[str, float] = {}
    for result, sign in ((a, -1), (b, 1)):
        chosen = result.metric(metric)
        for path, value in zip(result.call_paths, _values(result, chosen, result.by_callpath(chosen))):
            change[path.path] = change.get(path.path, 0) + sign * float(value)
    worst = sorted((item for item in change.items() if item[1]), key=lambda item: -abs(item[1]))[:top]
    ax = axes_for(ax, len(worst))
    colours = ["#d55e00" if value > 0 else "#0072b2" for _, value in worst]
    ax.barh(range(len(worst)), [value for _, value in worst], **{"color": colours, **kwargs})
    ax.axvline(0, color="#808080", linewidth=0.8)
    ax.set_yticks(range(len(worst)), [literal(name) for name, _ in worst])
    ax.invert_yaxis()
    chosen = b.metric(metric)
    ax.set_xlabel(f"change of {_with_unit(chosen)}")
    ax.set_ylabel("call path")
    return ax


def scaling(results: Sequence[Result], ax: Axes | None = None, **kwargs: Any) -> Axes:
    """Efficiencies of several runs against their number of processes or threads; runs whose efficiency is not known are left
    out. The numbers: Result.efficiency(). `kwargs` go to Axes.plot()."""
    known = sorted((e for e in (r.efficiency() for r in results) if not e.unknown), key=lambda e: e.units)
    ax = axes_for(ax)
    for name, marker in (("parallel", "o"), ("load_balance", "s"), ("communication", "^")):
        ax.plot([e.units for e in known], [getattr(e, name) for e in known], label=name.replace("_", " "),
                **{"marker": marker, **kwargs})
    ax.set_xlabel(known[0].over if known else "processes")
    ax.set_ylabel("efficiency (1: all of it)")
    ax.set_ylim(0, 1.05)
    ax.legend()
    return ax
