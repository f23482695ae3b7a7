# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Pictures of a result: `result.plot.tree("mpi_latesender")`, and of several: `waitstate.plot.diff(a, b)`.

Every function draws into `ax` (default: the Axes of a new figure), returns the Axes, and neither shows nor saves anything.
matplotlib is imported when a function is called; without it an ImportError names the package. What is drawn is also to be
had as numbers: each docstring says from which method of Result. Times are in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy

from waitstate._core import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from waitstate.result import Metric, MetricName, Result

LONGEST = 40  #: characters of a name


def _axes(ax: Axes | None, rows: int = 0) -> Axes:
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


def _literal(name: str) -> str:
    """A name in which matplotlib finds no formula."""
    return _short(name).replace("$", r"\$")


def _values(result: Result, metric: Metric, values: Any) -> Any:
    """Severities in the metric's unit as it is drawn."""
    return result.seconds(values) if metric.unit == "sec" else numpy.asarray(values) * metric.scale


def _unit(metric: Metric) -> str:
    return {"sec": "s", "occ": "occurrences", "bytes": "bytes"}.get(metric.unit, metric.unit_name)


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
        ax = _axes(ax, len(names))
        bars = ax.barh(range(len(names)), sums, **{"color": "#0072b2", **kwargs})
        ax.bar_label(bars, [f"{100 * value / total:.1f} %" for value in sums], padding=3)
        ax.margins(x=0.15)
        ax.set_yticks(range(len(names)), [_literal(name) for name in names])
        ax.invert_yaxis()
        ax.set_xlabel(f"{chosen.title} ({_unit(chosen)})")
        ax.set_ylabel("call path" if by == "callpath" else by)
        return ax

    def heatmap(self, metric: MetricName, by: str = "callpath", top: int = 20, ax: Axes | None = None, **kwargs: Any) -> Axes:
        """The `top` call paths or regions against all locations, as colours. The numbers: Result.array(). `kwargs` go to
        Axes.imshow()."""
        chosen = self._result.metric(metric)
        names, sums = self._grouped(chosen, by, _values(self._result, chosen, self._result.array(chosen)))
        names, sums = names[:top], sums[:top]
        ax = _axes(ax, len(names))
        shown = sums if len(names) else numpy.zeros((1, len(self._result.locations)))
        image = ax.imshow(shown, **{"aspect": "auto", "cmap": "cividis", "interpolation": "nearest", **kwargs})
        ax.figure.colorbar(image, ax=ax, label=f"{chosen.title} ({_unit(chosen)})")
        ax.set_yticks(range(len(names)), [_literal(name) for name in names])
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
            boxes.append(dict(zip(("whislo", "q1", "med", "q3", "whishi"), five), fliers=[], label=_literal(waits[ref].metric.title)))
        ax = _axes(ax, len(boxes))
        ax.set_xscale("log")
        if boxes:
            ax.bxp(boxes, **{"vert": False, "showfliers": False, **kwargs})
        ax.invert_yaxis()
        ax.set_xlabel("duration of a wait (s)")
        return ax

    def matrix(self, metric: MetricName | None = None, level: str = "process", ax: Axes | None = None, **kwargs: Any) -> Axes:
        """Who made whom wait in a wait state (default: in all), between processes or locations: culprit × waiter. The numbers:
        Result.wait_graph().matrix_ticks. `kwargs` go to Axes.imshow()."""
        graph = self._result.wait_graph(() if metric is None else metric, level)
        ax = _axes(ax, len(graph))
        title = "all wait states" if metric is None else self._result.metric(metric).title
        shown = self._result.seconds(graph.matrix_ticks) if len(graph) else numpy.zeros((1, 1))
        image = ax.imshow(shown, **{"cmap": "cividis", "interpolation": "nearest", **kwargs})
        ax.figure.colorbar(image, ax=ax, label=f"{title} (s)")
        labels = [_literal(vertex.label) for vertex in graph.vertices]
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
        ax = _axes(ax)
        ax.scatter([x for x, _ in points], [y for _, y in points], **{"color": "#d55e00", **kwargs})
        per = "" if found.kind == "absolute" else "/s"
        ax.set_xlabel(f"{_literal(of.title or of.id)} ({of.unit_name}{per})")
        ax.set_ylabel(f"{chosen.title} ({_unit(chosen)})")
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
    ax = _axes(ax, len(worst))
    colours = ["#d55e00" if value > 0 else "#0072b2" for _, value in worst]
    ax.barh(range(len(worst)), [value for _, value in worst], **{"color": colours, **kwargs})
    ax.axvline(0, color="#808080", linewidth=0.8)
    ax.set_yticks(range(len(worst)), [_literal(name) for name, _ in worst])
    ax.invert_yaxis()
    chosen = b.metric(metric)
    ax.set_xlabel(f"change of {chosen.title} ({_unit(chosen)})")
    ax.set_ylabel("call path")
    return ax


def scaling(results: Sequence[Result], ax: Axes | None = None, **kwargs: Any) -> Axes:
    """Efficiencies of several runs against their number of processes or threads; runs whose efficiency is not known are left
    out. The numbers: Result.efficiency(). `kwargs` go to Axes.plot()."""
    known = sorted((e for e in (r.efficiency() for r in results) if not e.unknown), key=lambda e: e.units)
    ax = _axes(ax)
    for name, marker in (("parallel", "o"), ("load_balance", "s"), ("communication", "^")):
        ax.plot([e.units for e in known], [getattr(e, name) for e in known], label=name.replace("_", " "),
                **{"marker": marker, **kwargs})
    ax.set_xlabel(known[0].over if known else "processes")
    ax.set_ylabel("efficiency (1: all of it)")
    ax.set_ylim(0, 1.05)
    ax.legend()
    return ax
