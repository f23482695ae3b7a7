# mypy: disable-error-code="import"
# pandas may be there or not, with types or without.
"""The result of an analysis: severities as rows, arrays and frames, the trees, the waits and who caused them, and
writers for all report formats. A report file that is opened again is such an object, too; its numbers of call paths are
its own. Long because each method of a result is documented here."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any, Iterable

import numpy
import numpy.typing as npt

from waitstate import _core
from waitstate._core import Metric, UsageError
from waitstate.picture_numbers import PictureNumbers
from waitstate.plot import Plots
from waitstate.result_types import Int64, MetricName, Row
from waitstate.wait_graph import WaitGraph

if TYPE_CHECKING:
    import pandas

FORMATS = dict(_core._report_forms())  # endings of files, by the name of their format


class Result(PictureNumbers):
    """The result of an analysis. Metrics can be named by id ('mpi_latesender'), by index, or as a Metric.

    Values are whole ticks (seconds() converts them), occurrences or bytes, exclusive along the call tree. Along the
    metric tree they are inclusive (as in reports) unless `inclusive=False` is given."""

    def __init__(self, core: _core._AnalysisResult) -> None:
        self._core = core
        self._metrics: tuple[Metric, ...] | None = None
        self._counters: dict[str, _core.Counter] | None = None
        self._waits: dict[str, _core.WaitSummary] | None = None

    # ---- the trace ----

    @property
    def path(self) -> str:
        """Path of the trace's anchor or notation file."""
        return self._core.path

    @property
    def definitions(self) -> _core.Definitions:
        """All definitions of the trace: Definitions, with locations, processes, regions, communicators, call_paths,
        clock, …"""
        return self._core.definitions

    @property
    def first_time(self) -> int:
        """Time stamp of the first event, in ticks; 0 for a trace without events."""
        return self._core.first_time

    @property
    def locations(self) -> tuple[_core.Location, ...]:
        """Tuple of Location, in rank and thread order."""
        return self._core.locations

    @property
    def call_paths(self) -> tuple[_core.CallPath, ...]:
        """Tuple of CallPath, parents before children; `call_paths[i].path` is its full name. Their numbers are this
        Result's own: another analysis of the trace, for example with other patterns, an EventTrace, or a report that is
        opened again may number them differently. Compare results by path."""
        return self._core.call_paths

    @property
    def depth_first(self) -> list[int]:
        """Numbers of all call paths in the order in which reports show them."""
        return self._core.depth_first

    @property
    def command(self) -> str:
        """Program and arguments of the first location that records them, as in a shell; "" if the trace does not."""
        return self._core.command

    @property
    def events(self) -> int:
        """Number of events."""
        return self._core.events

    @property
    def events_by_type(self) -> dict[str, int]:
        """Dict of event type to number of events."""
        return self._core.events_by_type

    @property
    def messages(self) -> int:
        """Number of matched messages."""
        return self._core.messages

    @property
    def collectives(self) -> int:
        """Number of complete collective operations."""
        return self._core.collectives

    @property
    def duration_ticks(self) -> int:
        """Ticks from the first to the last event."""
        return self._core.duration

    def seconds(self, ticks: Any) -> Any:
        """Ticks (a number or an array) in seconds."""
        return ticks / self._core.resolution

    @property
    def diagnostics(self) -> tuple[_core.Diagnostic, ...]:
        """Damage and anomalies of the trace: tuple of Diagnostic; empty if there are none."""
        return self._core.diagnostics()

    @property
    def patterns(self) -> _core.Rows[_core.PatternRun]:
        """The patterns that were run: Rows of PatternRun."""
        return self._core.patterns

    # ---- the metric tree ----

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All metrics, parents before children: tuple of Metric."""
        if self._metrics is None:
            self._metrics = self._core.metrics
        return self._metrics

    def metric(self, metric: MetricName) -> Metric:
        """A Metric by id, title or index. Raises UsageError for an unknown metric, with the nearest id."""
        if isinstance(metric, Metric):
            return metric
        if isinstance(metric, str):
            found = self._core.find_metric(metric)
            if found is not None:
                return self.metrics[found]
            near = self._core.nearest_metric(metric)
            raise UsageError(f"no metric has the id '{metric}'" + (f": did you mean '{near}'?" if near else ""))
        if not -len(self.metrics) <= metric < len(self.metrics):
            raise UsageError(f"there is no metric {metric}: they are numbered from 0 to {len(self.metrics) - 1}")
        return self.metrics[metric]

    # ---- severities ----

    def columns(self, metric: MetricName | None = None, inclusive: bool = True) -> dict[str, npt.NDArray[Any]]:
        """Severities that are not zero, as a dict of arrays: metric, callpath, location (int32), value (int64)."""
        columns: tuple[npt.NDArray[Any], ...] = self._core.columns(inclusive)
        if metric is not None:
            chosen = columns[0] == self.metric(metric).index
            columns = tuple(c[chosen] for c in columns)
        return dict(zip(("metric", "callpath", "location", "value"), columns))

    def rows(self, metric: MetricName | None = None, inclusive: bool = True) -> list[Row]:
        """Severities that are not zero, in the order of reports: list of Row."""
        columns = self.columns(metric, inclusive)
        metrics, paths, locations = self.metrics, self.call_paths, self.locations
        return [Row(metrics[m], paths[c], locations[l], v)
                for m, c, l, v in zip(*(columns[key].tolist() for key in ("metric", "callpath", "location", "value")))]

    def array(self, metric: MetricName | None = None, inclusive: bool = True) -> Int64:
        """Severities as a dense int64 array: call path × location of one metric, or metric × call path × location of
        all (8 bytes each: use columns() if that is too much)."""
        columns = self.columns(metric, inclusive)
        shape = (self._core.call_path_count, self._core.location_count)
        if metric is not None:
            dense = numpy.zeros(shape, dtype=numpy.int64)
            dense[columns["callpath"], columns["location"]] = columns["value"]
            return dense
        dense = numpy.zeros((len(self.metrics),) + shape, dtype=numpy.int64)
        dense[columns["metric"], columns["callpath"], columns["location"]] = columns["value"]
        return dense

    def total(self, metric: MetricName, inclusive: bool = True) -> int:
        """Sum over all call paths and locations: ticks, occurrences or bytes. Here and below, for a metric whose
        `aggregation` is minimum or maximum, it is that instead of the sum."""
        values = self.columns(metric, inclusive)["value"]
        return int(self._together(metric).reduce(values)) if len(values) else 0

    def by_location(self, metric: MetricName, inclusive: bool = True) -> Int64:
        """Sum over all call paths, an int64 array by location."""
        return self._by("location", self._core.location_count, metric, inclusive)

    def by_callpath(self, metric: MetricName, inclusive: bool = True) -> Int64:
        """Sum over all locations, an int64 array by call path (without callees)."""
        return self._by("callpath", self._core.call_path_count, metric, inclusive)

    def _together(self, metric: MetricName) -> numpy.ufunc:
        together: dict[str, numpy.ufunc] = {"sum": numpy.add, "minimum": numpy.minimum, "maximum": numpy.maximum}
        return together[self.metric(metric).aggregation]

    def _by(self, place: str, count: int, metric: MetricName, inclusive: bool) -> Int64:
        columns = self.columns(metric, inclusive)
        together = self._together(metric)
        sums = numpy.zeros(count, dtype=numpy.int64)
        if together is not numpy.add:  # where there are values, 0 is none of them
            sums[columns[place]] = columns["value"]
        together.at(sums, columns[place], columns["value"])
        return sums

    def share(self, metric: MetricName, whole: bool = False) -> float | None:
        """The share of the time that a metric has, 0 to 1, as the summary shows it: of the time without MPI_Init and
        MPI_Finalize, or of the `whole` run. None for a metric that is not a time, and for a trace without time."""
        return self._core.share(self.metric(metric).index, whole)

    def efficiency(self, whole: bool = False) -> _core.Efficiency:
        """The share of the run that was computation: an Efficiency, as in the summary, without MPI_Init and
        MPI_Finalize, or for the `whole` run."""
        return self._core.efficiency(whole)

    def ideal_machine(self, whole: bool = False) -> _core.IdealMachine | None:
        """The costs of communication by cause: an IdealMachine, without MPI_Init and MPI_Finalize, or for the `whole`
        run. None if the pattern mpi_ideal_wait was not run."""
        return self.efficiency(whole).ideal_machine

    def with_callees(self, by_callpath: npt.ArrayLike) -> npt.NDArray[Any]:
        """An array whose first dimension is the call path, with the values of callees added to those of their
        callers. This is for metrics that add up: values of minima and maxima include the callees already."""
        sums = numpy.array(by_callpath)
        parents = self._core.call_path_parents
        for index in range(len(parents) - 1, -1, -1):  # a parent has a smaller number than its children
            if parents[index] is not None:
                sums[parents[index]] += sums[index]
        return sums

    def to_dataframe(self, metric: MetricName | None = None, inclusive: bool = True) -> pandas.DataFrame:
        """A pandas.DataFrame of the severities that are not zero: metric, unit, callpath, location, rank, and value, in
        seconds where the unit is 'sec', in unit_name where it is 'counter'. Raises ImportError without pandas."""
        import pandas

        columns = self.columns(metric, inclusive)
        metrics, paths, locations = self.metrics, self.call_paths, self.locations
        ids = numpy.array([m.id for m in metrics], dtype=object)[columns["metric"]]
        units = numpy.array([m.unit for m in metrics], dtype=object)[columns["metric"]]
        value = columns["value"].astype(float)
        value[units == "sec"] /= self._core.resolution
        value *= numpy.array([m.scale for m in metrics])[columns["metric"]]
        names = numpy.array([p.path for p in paths] or [""], dtype=object)
        ranks = numpy.array([l.rank for l in locations] or [None], dtype=object)
        return pandas.DataFrame({
            "metric": ids,
            "unit": units,
            "callpath": names[columns["callpath"]],
            "location": columns["location"],
            "rank": ranks[columns["location"]],
            "value": value,
        })

    # ---- counters ----

    @property
    def counters(self) -> dict[str, _core.Counter]:
        """The counters that have values in the trace (METRIC events): dict of metric id to Counter. Their sums are
        severities of that metric. Made once: each access gives the same dict."""
        if self._counters is None:
            self._counters = self._core.counters
        return self._counters

    @property
    def undetermined(self) -> _core.Rows[_core.UndeterminedMetric]:
        """The metrics that the trace cannot tell, in the order of the metric tree. A value of such a metric, and of
        those below it, may be too small - a zero above all."""
        return self._core.undetermined

    # ---- waits ----

    @property
    def waits(self) -> dict[str, _core.WaitSummary]:
        """The waits of each wait state that occurred: dict of metric id to WaitSummary. Made once: each
        access gives the same dict."""
        if self._waits is None:
            self._waits = self._core.waits
        return self._waits

    @property
    def problems(self) -> _core.Rows[_core.Problem]:
        """The worst problems of the run, the worst first, at most 20: Rows of Problem, as in the summary."""
        return self._core.problems

    @property
    def problems_note(self) -> str:
        """The sentence of the summary if no wait state is a problem, e.g. that nobody waited; "" if one is."""
        return self._core.problems_note

    @property
    def series(self) -> _core.WaitSeries | None:
        """The waits over time: a WaitSeries; None unless analyze() was asked to keep it, or the report has it."""
        return self._core.series

    @property
    def contexts(self) -> _core.Rows[_core.WaitContext]:
        """The events around the most severe instances: Rows of WaitContext, to which SevereInstance.context leads;
        empty unless analyze() was asked to keep them, or the report has them."""
        return self._core.contexts

    @property
    def critical_path(self) -> _core.CriticalPath | None:
        """The critical path, which decides how long the run takes, as a list of segments: CriticalPath; None without
        the pattern of that name (patterns=["all", "critical_path"]), or where the trace does not tell."""
        return self._core.critical_path

    @property
    def phases(self) -> _core.Phases | None:
        """The run by visits of one region, or by time: Phases; None unless analyze() was asked to keep a phase, or
        the report has them."""
        return self._core.phases

    @property
    def communication(self) -> _core.Communication | None:
        """The data that processes sent to each other: a Communication; None unless analyze() was asked to keep details,
        or the report has it."""
        return self._core.communication

    @property
    def open_calls(self) -> _core.Rows[_core.OpenCall]:
        """The calls that still waited when the trace ended: Rows of OpenCall, by location. Empty for a run that ended
        regularly."""
        return self._core.open_calls

    @property
    def queues(self) -> _core.MessageQueues | None:
        """Message queues of each process: MessageQueues. None unless the analysis was asked for them, with
        analyze(trace, patterns=["mpi_posted_count"])."""
        return self._core.queues

    @property
    def software_counters(self) -> dict[str, _core.SoftwareCounter]:
        """Software performance counters of Open MPI by name, of whatever MPI library; empty for a trace without calls
        of MPI."""
        return self._core.software_counters

    @property
    def deadlocks(self) -> list[list[_core.Location]]:
        """Locations that wait for each other when the trace ends, so that none can continue: circles of locations, in
        which each waits for the next and the last for the first. Found among open_calls."""
        return self._core.deadlocks

    def instances(self, metric: MetricName) -> list[_core.SevereInstance]:
        """The most severe instances of a wait state, worst first: list of SevereInstance."""
        waits = self.waits.get(self.metric(metric).id)
        if waits is None:
            return []

        def place(instance: _core.SevereInstance) -> tuple[int, int, int]:
            longest = instance.longest
            return -instance.total_ticks, longest.begin, -1 if longest.location is None else longest.location.id

        return sorted(waits.instances, key=place)

    def wait_graph(self, metrics: MetricName | Iterable[MetricName] = (), level: str = "process") -> WaitGraph:
        """The graph of waiting over the given wait states (all of them if none is given), between processes or
        locations (level='location'): a WaitGraph."""
        if isinstance(metrics, (str, int, Metric)):
            metrics = (metrics,)
        ids = [self.metric(m).id for m in metrics]
        return WaitGraph(self._core.wait_graph(ids, level), (self, ids, level))

    # ---- pictures ----

    @property
    def plot(self) -> Plots:
        """Pictures by matplotlib: plot.tree(), heatmap(), boxes(), histogram(), matrix(), over_time(), instance(),
        topology(), counters(); see waitstate.plot. Without `plot`, functions of the same names return the numbers:
        result.tree()."""
        return Plots(self)

    def _repr_html_(self) -> str:
        """The form for notebooks: the worst problems, and the metrics that have a value, as tables, both of the time
        without MPI_Init and MPI_Finalize like the summary. Texts are escaped, and there is no script."""
        problems = "".join(f"<tr><td>{html.escape(p.sentence)}</td><td>{html.escape(p.advice)}</td></tr>"
                           for p in self.problems[:3])
        if not problems:
            problems = f"<tr><td colspan=2>{html.escape(self.problems_note)}</td></tr>"

        def percent(metric: Metric) -> str:
            share = self.share(metric)
            return "" if share is None else f"{100 * share:.1f} %"

        rows = "".join(
            f"<tr><td>{html.escape(m.title or m.id)}</td><td>{html.escape(m.id)}</td><td>{html.escape(text)}</td>"
            f"<td>{percent(m)}</td></tr>" for m in self.metrics
            if m.unit == "sec" and (text := self._core.summary_value(m.index)) != "0 s")
        left_out = self._core.left_out()
        base = f"<p>Times and shares are without {html.escape(left_out)}.</p>" if left_out else ""
        # Notebooks take what stands between two $ in a page for a formula, but not in elements of these classes.
        return (f"<div class='tex2jax_ignore mathjax_ignore'><table><caption>{html.escape(self.path)}</caption><tr><th>problem</th><th>what to do</th></tr>{problems}"
                f"</table>{base}"
                f"<table><tr><th>metric</th><th>id</th><th>time</th><th>share</th></tr>{rows}</table></div>")

    # ---- reports ----

    def text(self, full: bool = False, top: int | None = None, width: int = 100) -> str:
        """The report for people: the `top` worst problems (3) in sentences, the metrics, and damage; everything if
        `full`."""
        return self._core.text(full, top, width)

    def csv(self) -> str:
        """The table of severities as CSV: metric, call path, location, value (seconds, occurrences or bytes)."""
        return self._core.csv()

    def json(self) -> str:
        """Everything, as waitstate.open_report() reads it: a str."""
        return self._core.json()

    def write(self, path: str | os.PathLike[str], format: str | None = None, full: bool = False, max_megabytes: int = 40) -> None:
        """Writes a report; the ending of the name chooses the format (.json, .csv, .cubex, .html, .txt) unless `format`
        does ('json', 'csv', 'cubex', 'html', 'text'). The file appears once it is complete. Raises OutputError with the
        system's reason.

        An HTML page has what the result has: its timeline needs analyze(…, keep=Keep(details=True, contexts=True,
        series=True)). Data that do not fit into `max_megabytes` are rounded, merged or left out, and the page says
        so."""
        path = os.fsdecode(_core._path(path))
        if format is None:
            ending = os.path.splitext(path)[1]
            format = next((name for name, endings in FORMATS.items() if ending in endings), None)
            if format is None:
                usual = [endings[0] for name, endings in FORMATS.items() if name != "text"]
                raise UsageError(f"the ending of '{path}' tells no format: expected {', '.join(usual)} or "
                                 f"{FORMATS['text'][0]}, or format=")
        if format not in FORMATS:
            raise UsageError(f"there is no report format '{format}'; known: {', '.join(FORMATS)}")
        if not 1 <= max_megabytes <= 100_000:
            raise UsageError(f"max_megabytes={max_megabytes}: expected 1 to 100000")
        self._core.write(path, format, full, max_megabytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_result, self._core.state()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Result of {self.path}: {self.events} events on {self._core.location_count} locations>"


def _same_result(json: bytes, order: list[int], diagnoses: dict[str, bytes], headlines: list[bytes]) -> Result:
    """The Result that was pickled: it has all that its reports have, under the same numbers."""
    return Result(_core._result_of_state(json, order, diagnoses, headlines))
