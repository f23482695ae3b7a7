"""The numbers of pictures: `result.NAME(…)` returns the numbers that `result.plot.NAME(…)` draws, with the same arguments, as
names and numpy arrays. Times are in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Sequence

import numpy

from waitstate._core import UsageError
from waitstate.axes import location_names

if TYPE_CHECKING:
    import numpy.typing as npt

    from waitstate._core import (CallPath, CartTopology, Communication, Counter, Definitions, Efficiency, Location, Metric, Rows,
                                 SevereInstance, WaitContext, WaitSeries, WaitSummary)
    from waitstate.result_types import Int64, MetricName
    from waitstate.wait_graph import WaitGraph

    Floats = npt.NDArray[numpy.float64]

SENT = ("messages", "bytes")  #: quantities that matrix() knows beside wait states


def _names_of(graph: WaitGraph) -> list[str]:
    """The names of processes and locations as all pictures have them."""
    locations = iter(location_names([v.location for v in graph.vertices if v.location is not None]))
    return [v.process.name if v.process is not None else v.label if v.location is None else next(locations) for v in graph.vertices]


class Bars(NamedTuple):
    """`values`: one of each of `names`, in `unit` ("s", "occurrences", "bytes" or that of a counter); `shares` of the whole."""

    names: list[str]
    values: Floats
    shares: Floats
    unit: str


class Grid(NamedTuple):
    """`values`: row × column, in `unit`; NaN where there is no location."""

    rows: list[str]
    columns: list[str]
    values: Floats
    unit: str


class Boxes(NamedTuple):
    """`values`: name × (minimum, lower quartile, median, upper quartile, maximum) in seconds, of `counts` waits."""

    names: list[str]
    values: Floats
    counts: npt.NDArray[numpy.int64]


class Histogram(NamedTuple):
    """`values`: of the waits that lasted `left` seconds or longer, but less than `right`: their number, or their time in
    seconds."""

    left: Floats
    right: Floats
    values: Floats


class OverTime(NamedTuple):
    """`values`: row × time between two of `edges` (seconds since the first event). A row is a wait state (the mean number of
    locations that wait), or a location (the share of its time that it waits)."""

    rows: list[str]
    edges: Floats
    values: Floats


def in_unit(result: PictureNumbers, metric: Metric, values: Any) -> Any:
    """Severities in the unit in which the metric is drawn."""
    return result.seconds(values) if metric.unit == "sec" else numpy.asarray(values) * metric.scale


def unit_of(metric: Metric) -> str:
    return {"sec": "s", "occ": "occurrences", "bytes": "bytes"}.get(metric.unit, metric.unit_name)


def _is_share(metric: Metric, series: WaitSeries) -> bool:
    """True if its waits may also be those of another wait state."""
    while metric.parent is not None:
        if metric.overlapping or (metric.within_parent and metric.parent.id in series.metrics):
            return True
        metric = metric.parent
    return False


def wait_states_over_time(result: PictureNumbers, metrics: Sequence[MetricName] | None, top: int) -> tuple[WaitSeries, list[Metric]]:
    """The series, and the wait states of over_time(). Raises UsageError without a series."""
    series = result.series
    if series is None:
        raise UsageError("the times of the waits are not known: analyze(trace, keep=Keep(series=True))")
    if metrics is not None:
        return series, [result.metric(m) for m in metrics]
    sums = {ref: int(found.ticks.sum()) for ref, found in series.metrics.items()}
    known = [m for m in result.metrics if sums.get(m.id, 0) and not _is_share(m, series)]
    return series, sorted(known, key=lambda m: -sums[m.id])[:top]


def topology_of(result: PictureNumbers, number: int | None) -> CartTopology:
    """The topology of the number; without a number the one that is most likely meant."""
    known = result.definitions.cart_topologies
    if not known:
        raise UsageError("the trace has no Cartesian topology")
    if number is None:  # Score-P adds one of processes and threads to every trace
        number = next((i for i, t in enumerate(known) if t.name != "Process x Thread"), 0)
    if not 0 <= number < len(known):
        raise UsageError(f"there is no topology {number}: they are numbered from 0 to {len(known) - 1}")
    return known[number]


def on_grid(result: PictureNumbers, topology: CartTopology, by_location: Any) -> Any:
    """Values by coordinates; NaN: there is no process."""
    sizes = [1 if d is None else d.size for d in topology.dimensions]
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
    return cells


class PictureNumbers:
    """The numbers of pictures, as names and arrays: the part of Result that `Result.plot` draws."""

    if TYPE_CHECKING:  # the parts of Result that these numbers are made of
        @property
        def call_paths(self) -> tuple[CallPath, ...]: ...
        @property
        def communication(self) -> Communication | None: ...
        @property
        def counters(self) -> dict[str, Counter]: ...
        @property
        def contexts(self) -> Rows[WaitContext]: ...
        @property
        def definitions(self) -> Definitions: ...
        @property
        def first_time(self) -> int: ...
        @property
        def locations(self) -> tuple[Location, ...]: ...
        @property
        def metrics(self) -> tuple[Metric, ...]: ...
        @property
        def series(self) -> WaitSeries | None: ...
        @property
        def waits(self) -> dict[str, WaitSummary]: ...

        def array(self, metric: MetricName | None = None, inclusive: bool = True) -> Int64: ...
        def by_callpath(self, metric: MetricName, inclusive: bool = True) -> Int64: ...
        def by_location(self, metric: MetricName, inclusive: bool = True) -> Int64: ...
        def efficiency(self, whole: bool = False) -> Efficiency: ...
        def instances(self, metric: MetricName) -> list[SevereInstance]: ...
        def metric(self, metric: MetricName) -> Metric: ...
        def seconds(self, ticks: Any) -> Any: ...
        def total(self, metric: MetricName, inclusive: bool = True) -> int: ...
        def wait_graph(self, metrics: MetricName | Iterable[MetricName] = (), level: str = "process") -> WaitGraph: ...

    def _names(self, by: str) -> list[str]:
        """The name of the group to which the values of each call path are added."""
        if by == "callpath":
            return [path.path for path in self.call_paths]
        if by == "region":
            return [path.name for path in self.call_paths]
        raise UsageError(f"cannot plot by '{by}': expected 'callpath' or 'region'")

    def _grouped(self, metric: Metric, by: str, values: Any) -> tuple[list[str], Any]:
        """Names and values (first dimension: these names), without zeros, the largest first."""
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

    def _waits_of(self, metric: Metric) -> Any:
        found = self.waits.get(metric.id)
        if found is None:
            raise UsageError(f"nothing is known of single waits of {metric.id}: it did not occur, or is not a wait state")
        return found

    def tree(self, metric: MetricName, by: str = "callpath", top: int = 20) -> Bars:
        """The `top` call paths (exclusive) or regions (`by="region"`) with the largest values: Bars."""
        chosen = self.metric(metric)
        names, sums = self._grouped(chosen, by, in_unit(self, chosen, self.by_callpath(chosen)))
        return Bars(names[:top], sums[:top], sums[:top] / (sums.sum() or 1), unit_of(chosen))

    def heatmap(self, metric: MetricName, by: str = "callpath", top: int = 20) -> Grid:
        """The `top` call paths or regions against all locations: Grid."""
        chosen = self.metric(metric)
        names, sums = self._grouped(chosen, by, in_unit(self, chosen, self.array(chosen)))
        return Grid(names[:top], location_names(self.locations), sums[:top], unit_of(chosen))

    def boxes(self, metrics: Sequence[MetricName] | None = None, by: str | None = None) -> Boxes:
        """The durations of single waits, per wait state (by default all that occurred, the largest first), or with
        `by="callpath"` per wait state and call path, for the 20 call paths of each with the most waiting, which needs
        details. Boxes."""
        if by not in (None, "callpath"):
            raise UsageError(f"cannot plot by '{by}': expected 'callpath', or None for wait states")
        if metrics is None:
            known = [(self.metric(ref), w) for ref, w in self.waits.items() if w.statistics.count]
            chosen = sorted(known, key=lambda known: -int(known[1].statistics.sum_ticks))
        else:
            chosen = [(m, self._waits_of(m)) for m in map(self.metric, metrics)]
        found: list[tuple[str, Any]] = []
        for metric, waits in chosen:
            if by is None:
                found.append((metric.title, waits.statistics))
                continue
            if waits.statistics.count and not waits.by_callpath:
                raise UsageError("boxes by call path need the durations of waits: analyze(trace, keep=Keep(details=True))")
            title = "" if len(chosen) == 1 else f"{metric.title}: "
            found += [(title + c.callpath.path, c) for c in waits.by_callpath]
        five = [(s.minimum_ticks, s.quartile25_ticks, s.median_ticks, s.quartile75_ticks, s.maximum_ticks) for _, s in found]
        return Boxes([name for name, _ in found], self.seconds(numpy.array(five, dtype=float).reshape(-1, 5)),
                     numpy.array([s.count for _, s in found], dtype=numpy.int64))

    def histogram(self, metric: MetricName, by: str = "count") -> Histogram:
        """The number of waits of a wait state by duration; `by="time"`: their total seconds by duration. Needs details.
        Histogram."""
        if by not in ("count", "time"):
            raise UsageError(f"cannot plot by '{by}': expected 'count' or 'time'")
        waits = self._waits_of(self.metric(metric))
        if waits.statistics.count and not waits.histogram:
            raise UsageError("a histogram needs the durations of waits: analyze(trace, keep=Keep(details=True))")
        classes = waits.histogram
        values = [c.count if by == "count" else self.seconds(c.ticks) for c in classes]
        return Histogram(self.seconds(numpy.array([c.from_ticks for c in classes], dtype=float)),
                         self.seconds(numpy.array([c.to_ticks for c in classes], dtype=float)),
                         numpy.array(values, dtype=float))

    def over_time(self, metrics: Sequence[MetricName] | None = None, by: str = "metric", top: int = 8) -> OverTime:
        """The waits over time. `by="metric"`: the mean number of locations that wait, per wait state; `by="location"`:
        the share of its time that a location waits, in all wait states together. `metrics`: by default the `top` wait
        states with the most time among those that are not shares of others. Needs series. OverTime."""
        if by not in ("metric", "location"):
            raise UsageError(f"cannot plot by '{by}': expected 'metric' or 'location'")
        series, chosen = wait_states_over_time(self, metrics, top)
        start, width = self.seconds(series.start - self.first_time), self.seconds(series.bin_ticks)
        if by == "metric":
            none = numpy.zeros(series.bins, dtype=numpy.int64)
            rows = [(series.metrics[m.id].ticks if m.id in series.metrics else none) / series.bin_ticks for m in chosen]
            return OverTime([m.title for m in chosen], start + width * numpy.arange(series.bins + 1),
                            numpy.array(rows).reshape(len(rows), series.bins))
        if series.bins_per_group_bin == 0 or not series.groups:
            raise UsageError("it is not known when each location waited")
        wide = series.bin_ticks * series.bins_per_group_bin
        sizes = numpy.array([last.id - first.id + 1 for first, last in series.groups])
        columns = -(-series.bins // series.bins_per_group_bin)
        together = numpy.zeros((len(sizes), columns), dtype=numpy.int64)
        for m in chosen:
            for row in series.metrics[m.id].groups if m.id in series.metrics else ():
                together[row.group] += row.ticks
        shown = numpy.repeat(together / (wide * sizes[:, None]), sizes, axis=0)
        first = series.groups[0][0].id
        return OverTime(location_names(self.locations[first:first + len(shown)]),
                        start + self.seconds(wide) * numpy.arange(columns + 1), shown)

    def instance(self, metric: MetricName, n: int = 0) -> SevereInstance:
        """One of the most severe instances of a wait state, 0 the worst: SevereInstance, whose `context` leads to `contexts`."""
        chosen = self.metric(metric)
        found: list[SevereInstance] = self.instances(chosen)
        if not -len(found) <= n < len(found):
            raise UsageError(f"there is no instance {n} of {chosen.id}: {len(found)} are kept")
        return found[n]

    def matrix(self, metric: MetricName | None = None, level: str = "process") -> Grid:
        """The waiting between processes or locations in a wait state (default: in all): a Grid, culprit × waiter. With
        "messages" or "bytes", the data that processes, or blocks of them, sent to each other: sender × receiver; needs
        details."""
        if metric in SENT:
            sent: Grid = self._sent(str(metric), level)
            return sent
        if metric is not None:
            self._expect_waits(self.metric(metric))
        graph = self.wait_graph(() if metric is None else metric, level)
        labels = _names_of(graph)
        return Grid(labels, labels, numpy.asarray(self.seconds(graph.matrix_ticks), dtype=float), "s")

    def _expect_waits(self, metric: Metric) -> None:
        def is_below(other: Metric | None) -> bool:
            while other is not None and other.index != metric.index:
                other = other.parent
            return other is not None

        waiting = ("wait", "completion", "idleness")
        if not any(is_below(m) for m in self.metrics if m.kind in waiting or m.id in self.waits):
            raise UsageError(f"nobody waits in {metric.id}: expected a wait state, or one of 'messages' and 'bytes'")

    def _sent(self, what: str, level: str) -> Grid:
        if level != "process":
            raise UsageError(f"who sent to whom is known of processes, not of level '{level}'")
        sent = self.communication
        if sent is None:
            raise UsageError("who sent to whom is not known: analyze(trace, keep=Keep(details=True))")
        processes, size = self.definitions.processes, sent.processes_per_block
        blocks = [processes[i:i + size] for i in range(0, len(processes), size)]
        labels = [b[0].name if len(b) == 1 else f"{b[0].name} to {b[-1].name}" for b in blocks]
        values = numpy.zeros((len(blocks), len(blocks)))
        pairs = sent.pairs.columns()
        numpy.add.at(values, (pairs["sender"], pairs["receiver"]), pairs[what])
        return Grid(labels, labels, values, what)

    def topology(self, metric: MetricName, topology: int | None = None) -> Grid:
        """A metric on the grid of a Cartesian topology (default: the first whose members MPI has arranged, else the first): the
        last dimension goes right, the one before it down; further ones are slices side by side, a column of NaN between them.
        Each cell has the value of a process with its threads, or of a thread where the topology tells them apart. Grid."""
        chosen = self.metric(metric)
        cells = on_grid(self, topology_of(self, topology), in_unit(self, chosen, self.by_location(chosen)))
        width = cells.shape[-1]
        slices = cells.reshape((-1, *cells.shape[-2:])) if cells.ndim > 1 else cells.reshape((1, 1, -1))
        gap = numpy.full((slices.shape[1], 1), numpy.nan)
        values = numpy.concatenate([part for s in slices for part in (gap, s)][1:], axis=1)
        columns = ["" if i % (width + 1) == width else str(i % (width + 1)) for i in range(values.shape[1])]
        return Grid([str(i) for i in range(len(values))], columns, values, unit_of(chosen))


def diff(a: PictureNumbers, b: PictureNumbers, metric: MetricName = "time", top: int = 20) -> Bars:
    """The changes from `a` to `b` per call path (by name, exclusive): the `top` largest ones, as Bars; `shares` are shares of the
    total of `a`."""
    change: dict[str, float] = {}
    for result, sign in ((a, -1), (b, 1)):
        chosen = result.metric(metric)
        for path, value in zip(result.call_paths, in_unit(result, chosen, result.by_callpath(chosen))):
            change[path.path] = change.get(path.path, 0) + sign * float(value)
    worst = sorted((item for item in change.items() if item[1]), key=lambda item: -abs(item[1]))[:top]
    values = numpy.array([value for _, value in worst], dtype=float)
    chosen = a.metric(metric)
    whole = float(in_unit(a, chosen, a.total(chosen)))
    return Bars([name for name, _ in worst], values, values / (whole or numpy.nan), unit_of(chosen))


class Scaling(NamedTuple):
    """`values`: efficiency (names: "parallel", "load balance", "communication") × run; `units`: the number of processes
    or threads of each run, as `over` says."""

    names: list[str]
    units: npt.NDArray[numpy.int64]
    values: Floats
    over: str


def scaling(results: Sequence[PictureNumbers]) -> Scaling:
    """Efficiencies of several runs against their number of processes or threads, fewest first; runs whose efficiency is not
    known are left out: Scaling."""
    known = sorted((e for e in (r.efficiency() for r in results) if not e.unknown), key=lambda e: e.units)
    values = [[getattr(e, name) for e in known] for name in ("parallel_efficiency", "load_balance", "communication_efficiency")]
    return Scaling(["parallel", "load balance", "communication"], numpy.array([e.units for e in known], dtype=numpy.int64),
                   numpy.array(values, dtype=float), known[0].over if known else "processes")
