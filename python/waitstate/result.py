# mypy: disable-error-code="import"
# pandas and networkx may be there or not, with types or without.
"""What an analysis found: severities as rows, arrays and frames, the trees, the waits and who caused them, and writers
for all report formats. A report file that is opened again gives such an object, too; its numbers of call paths are
its own. Long because each thing that a result has is documented here."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Union

import numpy
import numpy.typing as npt

from waitstate import _core
from waitstate._core import UsageError
from waitstate.picture_numbers import Numbers
from waitstate.plot import Plots

if TYPE_CHECKING:
    import networkx
    import pandas

    MetricName = Union[str, int, "Metric"]
    Int64 = npt.NDArray[numpy.int64]

FORMATS = ("text", "csv", "json", "cubex", "html")


@dataclass(frozen=True, repr=False)
class Metric:
    """What is reported under which id, in which unit, and how it relates to its parent."""

    index: int
    id: str
    title: str
    summary: str
    unit: str  #: "sec" (values in ticks), "occ" (occurrences), "bytes" or "counter" (values times scale are in unit_name)
    parent: Metric | None
    within_parent: bool  #: True: a share of what the parent has anyway; False: a part of its sum
    unit_name: str = ""  #: of a counter: "#", "W", "bytes*s", …, as its recorder wrote it
    scale: float = 1.0  #: of a counter: what a value of 1 stands for, above 0
    kind: str = "other"  #: of a time: "wait" (for somebody else), "completion" (of an operation), "idleness", "account…" or "other"
    from_plugin: bool = False  #: of a pattern that was brought along, by a plug-in or a program, not of a built-in one
    aggregation: str = "sum"  #: how values go together; "minimum", "maximum": of reports of other tools, 0 for no value
    definition: str = ""  #: how it is computed; this and what follows of metrics of patterns only, as `explain` says it
    charged_to: str = ""  #: which call path and location it is charged to
    source: str = ""  #: where the definition comes from
    diagnosis: str = ""  #: what to do about it
    #: of a share of the parent: "disjoint"; "overlapping", with another one, so that they do not add up; "elsewhere", not all of
    #: it in what the parent has of its own. Only what is disjoint may be taken off the parent's own value
    siblings: str = "disjoint"

    @property
    def overlapping(self) -> bool:
        """Whether it may have something in common with another share of the parent."""
        return self.siblings == "overlapping"

    def __repr__(self) -> str:
        return f"<Metric {self.id}>"

    def __index__(self) -> int:
        return self.index


class Row(NamedTuple):
    """A severity: `value` in ticks, occurrences, bytes or quanta of a counter, by the metric's unit."""

    metric: Metric
    callpath: _core.CallPath
    location: _core.Location
    value: int


class CounterRow(NamedTuple):
    """A counter in one call path (without what it called) on one location.

    `sum` is the severity in Metric.unit_name. `rate` is the sum per second of the time spent there, None for states and
    where no time is known; `mean` that of a state over its values, or over time where they hold for one, else None.
    `least` and `greatest` are single values (of an accumulated counter: differences) in Counter.unit."""

    callpath: int
    location: int
    samples: int
    sum: float
    rate: float | None
    mean: float | None
    least: float
    greatest: float


class Counter(NamedTuple):
    """A counter of the trace: how its values are to be understood ("accumulated", "absolute" or "relative"; of "start",
    "point", "last" or "next"), their unit as recorded, and what they come to."""

    metric: Metric
    kind: str
    timing: str
    unit: str
    rows: list[CounterRow]


class Statistics(NamedTuple):
    """Durations of all waits of a wait state, in ticks (`variance` in ticks squared); quartiles and median have a
    relative error of at most `quantile_error`."""

    count: int  # type: ignore[assignment]
    sum_ticks: int
    minimum_ticks: int
    maximum_ticks: int
    mean_ticks: float
    variance: float
    quartile25_ticks: float
    median_ticks: float
    quartile75_ticks: float
    quantile_error: float


class CulpritWait(NamedTuple):
    """What the culprit of a wait waited itself in its time, by all wait states that were looked for: a culprit that waited
    is not the reason. Of these `ticks` it waited `most_ticks` in `callpath` for `culprit` (None: nobody in particular),
    more than anywhere else or for anybody else."""

    ticks: int
    most_ticks: int
    culprit: int | None
    callpath: int | None


class WaitCause(NamedTuple):
    """What a wait waited for. `kind`: "message" (point to point), "collective" (an operation of a communicator or window),
    "transfer" (one-sided communication), "lock" (of threads or of a window), "team" (a barrier of threads), "task" or
    "device". `sent`, `received` (time stamps), `bytes` and `tag` are of a message; `communicator` (number in
    definitions.comms) of a message or operation; `operation` of a collective, e.g. "allreduce". `culprit_enter`,
    `culprit_exit`: of the culprit's call or region that ended the wait, or that was late. None where a kind does not have
    it, or it is not known."""

    kind: str
    sent: int | None
    received: int | None
    bytes: int | None
    tag: int | None
    communicator: int | None
    operation: str | None
    culprit_enter: int | None
    culprit_exit: int | None


class ChainStep(NamedTuple):
    """A wait of a chain: `location` waited `ticks` for `culprit` (None: not known) in a call of `callpath` that it entered
    at `enter` (ticks). `crossing`: by what it got on: "late_sender" (a receive for its send), "late_receiver",
    "barrier", "n_to_n", "one_to_n", "n_to_one", "finalize", "fork", "team_barrier"; with critical_path.all_waits "window"
    (a fence), "epoch", "passive_target", "shmem_collective", "shmem_pair", "lock", "task", "device", "launch" and "scan" too. `share`, 0 to 1: of the first
    wait that this one is the reason of."""

    location: int
    callpath: int
    enter: int
    ticks: int
    crossing: str
    culprit: int | None
    share: float


class WaitChain(NamedTuple):
    """Why a wait was: the wait, what its culprit waited for itself, and so on. `end` says why it ends with the last step:
    "work" (its culprit was busy in the call path `root`), "unexplained" (it was in a call there that
    waits for others and has no known wait), "missing_record" (the trace lacks the other half of a message there),
    "missing_member" (a member of the operation), "missing_start" (the start of what completes there), "missing_part" (a
    part of the epoch, or the owner before of the lock), "no_record" (the trace has no record of what that call did),
    "not_followed" (its waits are followed only with critical_path.all_waits), "no_culprit" (not known whom it waited
    for), "nothing" (it did nothing longer than the one who waited), "circle" (clocks disagree) or "left_out" (there are
    more than 32). It was in `root` for `root_ticks` longer than who waited for it, which is the
    reason of `root_share` (0 to 1) of the first wait; waits of its own, which are not followed, are that of
    `waited_share`. `root` is None where it is not known."""

    steps: list[ChainStep]
    end: str
    root: int | None
    root_ticks: int
    root_share: float
    waited_share: float


class CriticalSegment(NamedTuple):
    """What `location` did without a break on the critical path, from the end of its wait (`begin`, in ticks) to the enter
    of the call with which the next location gets on (`end`). `ticks` of that count; most of them, `callpath_ticks`, in
    `callpath`. `crossing` as in ChainStep: by what the path came here, in a call of the call path `waited_in`; "none" and
    None where it begins."""

    location: int
    begin: int
    end: int
    ticks: int
    callpath: int | None
    callpath_ticks: int
    crossing: str
    waited_in: int | None


class CriticalPath(NamedTuple):
    """What decides how long the run takes: `segments` in the order of time, `ticks` in all. Of more than 10,000 segments
    the longest; `left_out` others have `ticks_left_out`."""

    ticks: int
    segments: list[CriticalSegment]
    left_out: int
    ticks_left_out: int


class Instance(NamedTuple):
    """A severe instance of a wait state: one wait, or all waits of one operation in one call path: their sum, the number
    of those who waited, the longest, and what its culprit waited itself (None: it has none, or this is not known)."""

    callpath: int
    total_ticks: int
    waiters: int
    longest: _core.Wait
    culprit_wait: CulpritWait | None
    #: All waits of it, the longest first, at most 32; empty where `longest` is the only one, or without details.
    members: list[_core.Wait] = []
    members_left_out: int = 0  #: how many more there are
    cause: WaitCause | None = None  #: what `longest` waited for; None where that is not known, or without details
    context: int | None = None  #: in Result.contexts: what happened around it; None: not kept
    #: Why `longest` was; with the pattern critical_path, of the 50 most severe instances of a metric. None: not known.
    chain: WaitChain | None = None


class Pair(NamedTuple):
    """How often and how many ticks `waiter` waited for `culprit` (locations; waiter None: not told apart)."""

    culprit: int
    waiter: int | None
    count: int  # type: ignore[assignment]
    ticks: int


class Cause(NamedTuple):
    """Where a culprit was meanwhile: a call path (None: not known) and a location, how often, how many ticks."""

    callpath: int | None
    culprit: int
    count: int  # type: ignore[assignment]
    ticks: int


class DurationClass(NamedTuple):
    """Waits that lasted `shortest_ticks` or longer, but less than `below_ticks`: their number and sum."""

    shortest_ticks: int
    below_ticks: int
    count: int  # type: ignore[assignment]
    ticks: int


class CallPathWaits(NamedTuple):
    """The durations of all waits of a wait state in calls of one call path."""

    callpath: int
    statistics: Statistics


@dataclass(frozen=True)
class Waits:
    """All that is known of the waits of one wait state."""

    metric: Metric
    statistics: Statistics
    pairs: list[Pair] = field(repr=False)
    causes: list[Cause] = field(repr=False)
    instances: list[Instance] = field(repr=False)  #: the most severe of each call path
    # With details:
    histogram: list[DurationClass] = field(repr=False, default_factory=list)  #: classes that have waits, ascending
    #: Of the 20 call paths with most ticks, the largest first; `variance` is 0 there in a report that was opened again.
    by_callpath: list[CallPathWaits] = field(repr=False, default_factory=list)
    callpaths_left_out: int = 0  #: how many more there are


class Problem(NamedTuple):
    """One of the worst of the run, as the summary has it: `sentence` says how much, where, and who made whom wait, `advice`
    what to do about it. `metric` is None where it is time in a function that is no wait; `share` is of the time that the
    sentence is about; `at_least`: it may be more. Most of it, `callpath_ticks`, is in `callpath`; the most severe instance
    there is `instance` (None where single waits are not known). In it `location` waited longest, for `culprit`, which was in
    `culprit_callpath`."""

    metric: Metric | None
    title: str
    sentence: str
    advice: str
    ticks: int
    share: float | None
    at_least: bool
    callpath: int | None
    callpath_ticks: int
    instance: Instance | None
    location: _core.Location | None = None
    culprit: _core.Location | None = None
    culprit_callpath: _core.CallPath | None = None


class Series(NamedTuple):
    """Waits over time: `ticks[id]` is an int64 array of the ticks of a wait state (itself, without those below it) in each of
    the bins, which are `bin_ticks` long, the first from `start` on. Before and after them nobody waits. Its sum and
    `without_time[id]` are the sum of the metric's severities.

    `groups` are neighbouring locations: (first, last) of each, up to 256. `group_ticks[id]` is an int64 array group × bin, of
    bins that are `bins_per_group_bin` of the others long."""

    start: int
    bin_ticks: int
    bins_per_group_bin: int
    groups: list[tuple[int, int]]
    ticks: dict[str, Int64]
    group_ticks: dict[str, Int64]
    without_time: dict[str, int]


class ContextInterval(NamedTuple):
    """`location` was in a region (number in definitions.regions) from `enter` to `exit`, as far as that lies in the context;
    `depth` regions were around it."""

    location: int
    region: int | None  #: None: not known
    enter: int
    exit: int
    depth: int


class ContextMessage(NamedTuple):
    """A message between locations of a context. `communicator`: its number in definitions.comms."""

    sender: int
    receiver: int
    sent: int
    received: int
    bytes: int
    tag: int
    communicator: int | None  #: None: not known


class ContextTransfer(NamedTuple):
    """A one-sided transfer that `origin` started in a context: `operation` is "put", "get" or "atomic"."""

    origin: int
    target: int
    operation: str
    started: int
    completed: int | None  #: by its last completion record in the context; None: it has none there
    bytes: int


class Context(NamedTuple):
    """What happened from `start` to `stop` around severe waits, on up to 16 locations: the culprit first, then who waited.

    `regions`: by location, enter and depth; those shorter than `shortest_ticks` are left out where there are more than 400
    of a location. `messages`: that were sent and received there, up to 200; messages_left_out: more, or not known to be one
    message. `transfers`: one-sided ones between these locations, up to 200."""

    start: int
    stop: int
    locations: list[int]
    regions: list[ContextInterval]
    shortest_ticks: int
    messages: list[ContextMessage]
    messages_left_out: int
    transfers: list[ContextTransfer]
    transfers_left_out: int


class PhasePlaces(NamedTuple):
    """Where most of the waits of a wait state were in a phase: (number, ticks), the largest first, up to five call paths and
    five locations. Not `exact`: so many waited that small ones were dropped meanwhile; the ticks may be more."""

    callpaths: list[tuple[int, int]]
    locations: list[tuple[int, int]]
    exact: bool


class Phase(NamedTuple):
    """Visits of the phases' region, one of each of `locations` (or several, see Phases): from the earliest `begin` to the latest
    `end`. `ticks` of all locations together, `longest_ticks` of one; of these outside of MPI and other libraries
    `computation_ticks` and `largest_computation_ticks`. Efficiencies as in Efficiency, None where they are not known.
    `waits_ticks`: by metric id, of the waits that began in these visits; `places`: where most of them were. Of a stretch of time: from `begin` until before `end`,
    of `locations` that are in a region then; waits as far as they lie in it."""

    begin: int
    end: int
    locations: int
    ticks: int
    longest_ticks: int
    computation_ticks: int
    largest_computation_ticks: int
    parallel: float | None
    load_balance: float | None
    communication: float | None
    waits_ticks: dict[str, int]
    places: dict[str, PhasePlaces]


class Phases(NamedTuple):
    """The run by visits of one region (number in definitions.regions), counted on each location by itself: `visits`, the most
    that a location has, `visits_per_phase` of which are one of the `phases`. Or by `visits` stretches of time of equal length;
    then `region` is None."""

    region: int | None
    visits: int
    visits_per_phase: int
    phases: list[Phase]


class Communication(NamedTuple):
    """Who sent how much to whom, in the whole trace.

    `pairs`: int64 array of rows (sender, receiver, messages, bytes, puts, bytes put, gets, bytes got), where sender and
    receiver are processes, or blocks of `processes_per_block` of them; puts are of the sender to the receiver's memory, gets
    of the receiver from the sender's. `sizes`: int64 array of rows (from, to, messages, bytes) of messages of that many
    bytes, `to` excluded. `collectives`: list of (communicator, operation, operations, calls, bytes sent, bytes received,
    ticks, wait ticks) of blocking operations."""

    processes_per_block: int
    pairs: Int64
    sizes: Int64
    collectives: list[tuple[int | None, str, int, int, int, int, int, int]]


class OpenWait(NamedTuple):
    """What a call that never ended waits for. `kind`: "receive", "send", "collective", "window" or "lock"; `communicator`: its
    number in definitions.comms; `target`: the location whose part of a window is locked; `tag`: None for any, or unknown;
    `whom`: locations, ascending, empty if not known; `any`: one of them is enough."""

    kind: str
    communicator: int | None
    target: int | None
    tag: int | None
    whom: list[int]
    any: bool


class OpenCall(NamedTuple):
    """A call that waits for others and that `location` is still in when the trace ends, since `enter`: the run was killed,
    or hung. No wait state has that wait. `callpath` is None where it is not known who called; `region` is a number of
    definitions.regions."""

    location: int
    callpath: int | None
    region: int
    enter: int
    waits: list[OpenWait]  #: all of it; empty if the trace does not tell


class Queue(NamedTuple):
    """One message queue of a process, as a trace bounds it; see Queues. Times in ticks."""

    entered: int  #: entries that were in it for some time
    remaining: int  #: of them, those still there at the end of the run
    greatest_length: int  #: the most at once
    populated: int  #: ticks in which it was not empty
    total: int  #: ticks of all entries in it together
    least: int  #: shortest time of an entry, 0 if there was none
    greatest: int  #: longest time of an entry
    search_total: int  #: places from which entries were taken, from 1, among those of their communicator: their sum
    search_greatest: int
    source_total: int  #: the same among those of their communicator and sender
    source_greatest: int

    @property
    def average(self) -> float:
        """Mean time of an entry in it, in ticks; 0 if there was none."""
        return self.total / self.entered if self.entered else 0.0

    @property
    def average_search(self) -> float:
        """Mean place in one list of the communicator; 0 if nothing was taken out."""
        searches = self.entered - self.remaining
        return self.search_total / searches if searches else 0.0


class QueuePart(NamedTuple):
    """One of the equal parts of a run: the longest queue of a process in it, and the mean over its time of the lengths of the
    queues, of all processes in question together."""

    posted_greatest: int
    unexpected_greatest: int
    posted_mean: float
    unexpected_mean: float


class QueueRow(NamedTuple):
    """The queues of a process: `communicator` is a number of definitions.comms, None for all together."""

    process: int
    communicator: int | None
    posted: Queue
    unexpected: Queue
    parts: list[QueuePart]  #: of these queues in each part of the run; of the 256 longest ones, [] of all others


class Queues(NamedTuple):
    """MPI's message queues of a run, as its trace bounds them. Receives were in the posted queue at least from their posting
    to the begin of their send; messages in the unexpected queue at most from the begin of their send to the posting of their
    receive. `begin`, `end`: times of the first and the last event."""

    begin: int
    end: int
    profiles: list[QueueRow]  #: by process and communicator
    parts: list[QueuePart]  #: of the run, one after the other, of all processes

    @property
    def processes(self) -> list[QueueRow]:
        """Those of all communicators together: list of QueueRow, by process."""
        return [row for row in self.profiles if row.communicator is None]


class SoftwareCounter(NamedTuple):
    """A software performance counter (SPC) of Open MPI, as far as a trace tells it. `bound` says what the library's value is,
    compared with `values`: "exact", "at most", "at least", or "unknown" of what no trace tells; `of_paper`: it is in Table 1
    of Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017."""

    name: str
    meaning: str  #: what it counts, and why it cannot be had
    bound: str
    of_paper: bool
    values: list[int]  #: by process; empty if the trace, or this analysis, does not tell


class PatternRun(NamedTuple):
    """A pattern that was run, with the values of its parameters as texts."""

    id: str
    parameters: dict[str, str]


class Efficiency(NamedTuple):
    """How much of a run was computation: parallel = load_balance x communication, each 0 to 1, and all None where
    `unknown` says why they are not known (else it is "").

    `parallel` is mean computation / run time, `load_balance` mean / largest computation, `communication` largest
    computation / run time. Mean and largest are over `units` processes or threads (`over`); `left_out` are not among them,
    as events of theirs are missing. `time_ticks` is the time of all locations together; `run_time_ticks` the longest of a
    process or thread, None where it is not known."""

    parallel: float | None
    load_balance: float | None
    communication: float | None
    unknown: str
    time_ticks: int
    run_time_ticks: int | None
    over: str
    units: int
    left_out: int


class IdealMachine(NamedTuple):
    """The run as it would be if messages took no time: `serialisation` x `transfer` = `mpi_communication`, each 0 to 1, and all
    None where `unknown` says why they are not known (else it is "").

    `serialisation` is largest time outside of MPI / ideal run time, `transfer` ideal run time / run time,
    `mpi_load_balance` mean / largest time outside of MPI, `mpi_parallel` its mean / run time, `openmp` parallel efficiency /
    mpi_parallel (1 without threads); times outside of MPI are those of the first threads of processes.
    `balanced_run_time_ticks` is the run time if the call path `unbalanced` (an index, None if balance gains nothing) took its
    mean on every process and communication stayed as efficient. `bound` says why the ideal run may take longer than
    `ideal_run_time_ticks`, "" if it is exact. Source: the POP project's metrics."""

    serialisation: float | None
    transfer: float | None
    mpi_communication: float | None
    mpi_load_balance: float | None
    mpi_parallel: float | None
    openmp: float | None
    ideal_run_time_ticks: int | None
    unbalanced: int | None
    balanced_run_time_ticks: int | None
    bound: str
    unknown: str


class Vertex(NamedTuple):
    """A process or location of a WaitGraph: what it waited, and made others wait, as (count, ticks)."""

    id: int
    label: str
    waited: tuple[int, int]
    caused: tuple[int, int]


class Edge(NamedTuple):
    """How often and how many ticks `victim` waited for `culprit`: indices of vertices."""

    culprit: int
    victim: int
    count: int  # type: ignore[assignment]
    ticks: int


class WaitGraph:
    """Who waits for whom: vertices are processes or locations, an edge leads from who waited to who caused it.

    vertices: list of Vertex (id, label, waited, caused)
    edges: list of Edge (culprit, victim, count, ticks), indices into `vertices`
    matrix_ticks: an array culprit × victim (int64)
    culprits, victims: indices of vertices, most ticks first
    components: groups that wait for each other: (members, (count, ticks) inside, tightest circle, its smallest ticks)
    total, without_culprit, aggregated: (count, ticks); waits without a culprit, and those of large operations, which are
    kept
    by culprit only, have no edges
    """

    def __init__(self, data: _core._WaitGraphData, made: tuple[Any, ...]) -> None:
        self._data = data
        self._made = made  # of what: a result, metrics, level, and numbers given to top()
        self.vertices = [Vertex(*vertex) for vertex in data.vertices]
        self.edges = [Edge(*edge) for edge in data.cells]
        self.culprits = data.culprits
        self.victims = data.victims
        self.metrics = data.metrics
        self.total = data.total
        self.without_culprit = data.without_culprit
        self.aggregated = data.aggregated

    @property
    def components(self) -> list[tuple[list[int], tuple[int, int], list[int], int]]:
        """Groups that wait for each other, most ticks inside first: (members, (count, ticks) inside, tightest circle, the
        smallest ticks in it), with indices of vertices."""
        return self._data.components

    @property
    def matrix_ticks(self) -> Int64:
        """Ticks as an int64 array, culprit x victim, by the indices of vertices."""
        matrix = numpy.zeros((len(self.vertices), len(self.vertices)), dtype=numpy.int64)
        for culprit, victim, _, ticks in self.edges:
            matrix[culprit, victim] = ticks
        return matrix

    def top(self, n: int) -> WaitGraph:
        """The graph of the `n` vertices that waited and caused most, and of one more, the last ("12 others"), in which all
        others are added up. All totals stay."""
        return WaitGraph(self._data.top(n), (*self._made, n))

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_graph, self._made

    def to_networkx(self) -> networkx.DiGraph:
        """A networkx.DiGraph: nodes are vertex indices with id, label, waited_ticks, caused_ticks (also as waited and
        caused, their old names); edges lead from the victim to the culprit, with count and ticks. Raises ImportError
        without NetworkX."""
        import networkx

        graph = networkx.DiGraph(metrics=list(self.metrics))
        for index, (ref, label, waited, caused) in enumerate(self.vertices):
            graph.add_node(index, id=ref, label=label, waited_ticks=waited[1], caused_ticks=caused[1], waited=waited[1],
                           caused=caused[1])
        for culprit, victim, count, ticks in self.edges:
            graph.add_edge(victim, culprit, count=count, ticks=ticks)
        return graph

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        return self._data.dot()

    def graphml(self) -> str:
        """The graph as GraphML."""
        return self._data.graphml()

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"<WaitGraph of {len(self.vertices)} vertices and {len(self.edges)} edges>"


class Result(Numbers):
    """What an analysis found. Metrics can be named by id ('mpi_latesender'), by index, or as a Metric.

    Values are whole ticks (seconds() converts them), occurrences or bytes, exclusive along the call tree. Along the
    metric tree they are inclusive (what reports show) unless `inclusive=False` is asked for."""

    def __init__(self, core: _core._AnalysisResult) -> None:
        self._core = core
        self._metrics: tuple[Metric, ...] | None = None
        self._counters: dict[str, Counter] | None = None
        self._waits: dict[str, Waits] | None = None

    # ---- the trace ----

    @property
    def path(self) -> str:
        """Path of the trace's anchor or notation file."""
        return self._core.path

    @property
    def definitions(self) -> _core.Definitions:
        """All definitions of the trace: Definitions, with locations, processes, regions, communicators, call_paths, clock, …"""
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
        """Tuple of CallPath, parents before children; `call_paths[i].path` is its full name. Their numbers are this Result's
        own: another analysis of the trace, with other patterns say, an EventTrace, or a report that is opened again may number
        them otherwise. Go by path where results meet."""
        return self._core.call_paths

    @property
    def depth_first(self) -> list[int]:
        """Numbers of all call paths in the order in which reports show them."""
        return self._core.depth_first

    @property
    def command(self) -> str:
        """Program and arguments of the first location that tells them, as in a shell; "" if the trace does not."""
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
        """What is damaged or odd about the trace: tuple of Diagnostic; empty if nothing is."""
        return self._core.diagnostics()

    @property
    def patterns(self) -> list[PatternRun]:
        """The patterns that were run: list of PatternRun."""
        return [PatternRun(*entry) for entry in self._core.patterns]

    # ---- the metric tree ----

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All metrics, parents before children: tuple of Metric."""
        if self._metrics is None:
            made: list[Metric] = []
            for index, (ref, title, summary, unit, parent, within, unit_name, scale, kind, from_plugin, aggregation, definition,
                        charged_to, source, diagnosis, siblings) in enumerate(self._core.metric_table()):
                made.append(Metric(index, ref, title, summary, unit, None if parent is None else made[parent], within,
                                   unit_name, scale, kind, from_plugin, aggregation, definition, charged_to, source,
                                   diagnosis, siblings))
            self._metrics = tuple(made)
        return self._metrics

    def metric(self, metric: MetricName) -> Metric:
        """A Metric by id, title or index. Raises UsageError for what does not exist, with the nearest id."""
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
        """What is not zero, as a dict of arrays: metric, callpath, location (int32), value (int64)."""
        columns: tuple[npt.NDArray[Any], ...] = self._core.columns(inclusive)
        if metric is not None:
            chosen = columns[0] == self.metric(metric).index
            columns = tuple(c[chosen] for c in columns)
        return dict(zip(("metric", "callpath", "location", "value"), columns))

    def rows(self, metric: MetricName | None = None, inclusive: bool = True) -> list[Row]:
        """What is not zero, in the order of reports: list of Row."""
        columns = self.columns(metric, inclusive)
        metrics, paths, locations = self.metrics, self.call_paths, self.locations
        return [Row(metrics[m], paths[c], locations[l], v)
                for m, c, l, v in zip(*(columns[key].tolist() for key in ("metric", "callpath", "location", "value")))]

    def array(self, metric: MetricName | None = None, inclusive: bool = True) -> Int64:
        """Severities as a dense int64 array: call path × location of one metric, or metric × call path × location of all
        (8 bytes each: take columns() where that is too much)."""
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
        """Sum over all call paths and locations: ticks, occurrences or bytes. Here and below, of a metric whose
        `aggregation` is minimum or maximum: that."""
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
        """What part of the time a time is, 0 to 1, as the summary shows it: without MPI_Init and MPI_Finalize, of both, or of
        the `whole` run. Where they are not all of a run, and not nothing of it, these differ. None of what is no time, and
        where the trace has none."""
        return self._core.share(self.metric(metric).index, whole)

    def efficiency(self, whole: bool = False) -> Efficiency:
        """How much of the run was computation: an Efficiency, as the summary shows it, without MPI_Init and MPI_Finalize, or of
        the `whole` run."""
        return Efficiency(*self._core.efficiency(whole))

    def ideal_machine(self, whole: bool = False) -> IdealMachine | None:
        """Why communication costs what it costs: an IdealMachine, without MPI_Init and MPI_Finalize, or of the `whole` run. None
        if the pattern mpi_ideal_wait was not run."""
        m = self._core.ideal_machine(whole)
        return None if m is None else IdealMachine(*m)

    def with_callees(self, by_callpath: npt.ArrayLike) -> npt.NDArray[Any]:
        """An array whose first dimension is the call path, with the values of callees added to those of their callers. For
        metrics that add up: of minima and maxima, reports hold the values of call paths with their callees already."""
        sums = numpy.array(by_callpath)
        parents = self._core.call_path_parents
        for index in range(len(parents) - 1, -1, -1):  # a parent has a smaller number than its children
            if parents[index] is not None:
                sums[parents[index]] += sums[index]
        return sums

    def to_dataframe(self, metric: MetricName | None = None, inclusive: bool = True) -> pandas.DataFrame:
        """A pandas.DataFrame of what is not zero: metric, unit, callpath, location, rank, and value, in seconds where the unit
        is 'sec', in unit_name where it is 'counter'. Raises ImportError without pandas."""
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
    def counters(self) -> dict[str, Counter]:
        """The counters that have values in the trace (METRIC events): dict of metric id to Counter. Their sums are
        severities of that metric. Made once: each access gives the same dict."""
        if self._counters is None:
            self._counters = self._make_counters()
        return self._counters

    def _make_counters(self) -> dict[str, Counter]:
        counters = self._core.counters
        if not counters:
            return {}

        def values_of(metric: MetricName) -> dict[tuple[int, int], int]:
            columns = self.columns(metric)
            places = zip(columns["callpath"].tolist(), columns["location"].tolist())
            return dict(zip(places, columns["value"].tolist()))

        found, times = {}, values_of("time")
        for index, kind, timing, unit, weighted, rows in counters:
            metric = self.metrics[index]
            values, sums = [], values_of(metric)
            for callpath, location, samples, weight, least, greatest in rows:
                total = sums.get((callpath, location), 0) * metric.scale
                ticks = times.get((callpath, location), 0)
                if kind == "absolute":
                    mean = total / (weight / self._core.resolution if weighted else weight) if weight else None
                    values.append(CounterRow(callpath, location, samples, total, None, mean, least, greatest))
                else:
                    rate = total / (ticks / self._core.resolution) if ticks > 0 else None
                    values.append(CounterRow(callpath, location, samples, total, rate, None, least, greatest))
            found[metric.id] = Counter(metric, kind, timing, unit, values)
        return found

    @property
    def undetermined(self) -> list[tuple[str, str]]:
        """What the trace cannot tell: (metric id, sentence), in the order of the metric tree. A value of such a metric, and of
        those below it, may be too small - a zero above all."""
        return self._core.undetermined()

    # ---- waits ----

    @property
    def waits(self) -> dict[str, Waits]:
        """What is known of the waits of each wait state that occurred: dict of metric id to Waits. Made once: each access
        gives the same dict."""
        if self._waits is None:
            self._waits = {
                ref: Waits(self.metric(ref), Statistics(*entry["statistics"]),
                           [Pair(*p) for p in entry["pairs"]], [Cause(*c) for c in entry["causes"]],
                           [_instance(*i) for i in entry["instances"]],
                           [DurationClass(*c) for c in entry["histogram"]],
                           [CallPathWaits(callpath, Statistics(*s)) for callpath, s in entry["by_callpath"]],
                           entry["callpaths_left_out"])
                for ref, entry in self._core.waits().items()}
        return self._waits

    @property
    def problems(self) -> list[Problem]:
        """The worst of the run, the worst first, at most 20: list of Problem, as the summary has them."""
        found = []
        for metric, callpath, place, title, sentence, advice, ticks, share, at_least, there in self._core.problems()[0]:
            instance = None
            if place is not None and metric is not None:
                instance = [i for i in self.waits[self.metrics[metric].id].instances if i.callpath == callpath][place]
            found.append(Problem(None if metric is None else self.metrics[metric], title, sentence, advice, ticks, share,
                                 at_least, callpath, there, instance,
                                 *((None, None, None) if instance is None else
                                   (instance.longest.location, instance.longest.culprit, instance.longest.culprit_callpath))))
        return found

    @property
    def problems_note(self) -> str:
        """What the summary says where no wait state is a problem, e.g. that nobody waited; "" where one is."""
        return self._core.problems()[1]

    @property
    def series(self) -> Series | None:
        """When the waits were, over the run: a Series; None unless analyze() was given `series`, or the report has it."""
        data = self._core.series()
        if data is None:
            return None
        start, bin_ticks, per_group_bin, groups, metrics = data
        return Series(start, bin_ticks, per_group_bin, groups, {ref: m[0] for ref, m in metrics.items()},
                      {ref: m[1] for ref, m in metrics.items()}, {ref: m[2] for ref, m in metrics.items()})

    @property
    def contexts(self) -> list[Context]:
        """What happened around the most severe instances: list of Context, to which Instance.context leads; empty unless
        analyze() was given `contexts`, or the report has them."""
        return [Context(start, stop, locations, [ContextInterval(*i) for i in regions], shortest,
                        [ContextMessage(*m) for m in messages], left_out, [ContextTransfer(*t) for t in transfers], transfers_left_out)
                for start, stop, locations, regions, shortest, messages, left_out, transfers, transfers_left_out
                in self._core.contexts()]

    @property
    def critical_path(self) -> CriticalPath | None:
        """What decides how long the run takes, as a list of segments: CriticalPath; None without the pattern of that name
        (patterns=["all", "critical_path"]), or where the trace does not tell."""
        data = self._core.critical_path()
        return None if data is None else CriticalPath(data[0], [CriticalSegment(*s) for s in data[1]], *data[2:])

    @property
    def phases(self) -> Phases | None:
        """The run by visits of one region, or by time: Phases; None unless analyze() was given `phase`, or the report has it."""
        data = self._core.phases()
        return None if data is None else Phases(*data[:3], [
            Phase(*p[:-1], {ref: PhasePlaces(*places) for ref, places in p[-1].items()}) for p in data[3]])

    @property
    def communication(self) -> Communication | None:
        """Who sent how much to whom: a Communication; None unless analyze() was given `details`, or the report has it."""
        data = self._core.communication()
        return None if data is None else Communication(*data)

    @property
    def open_calls(self) -> list[OpenCall]:
        """Who still waited when the trace ended: list of OpenCall, by location. Empty for a run that ended regularly."""
        return [OpenCall(location, callpath, region, enter, [OpenWait(*w) for w in waits])
                for location, callpath, region, enter, waits in self._core.open_calls]

    @property
    def queues(self) -> Queues | None:
        """Message queues of each process: Queues. None unless the analysis was asked for them, with
        analyze(trace, patterns=["mpi_posted_count"])."""
        if self._core.queues is None:
            return None
        begin, end, rows, parts = self._core.queues
        return Queues(begin, end, [QueueRow(process, comm, Queue(*posted), Queue(*unexpected), [QueuePart(*p) for p in course])
                                   for process, comm, posted, unexpected, course in rows], [QueuePart(*p) for p in parts])

    @property
    def software_counters(self) -> dict[str, SoftwareCounter]:
        """Software performance counters of Open MPI by name, of whatever MPI library; empty for a trace without calls of MPI."""
        return {c[0]: SoftwareCounter(*c) for c in self._core.software_counters}

    @property
    def deadlocks(self) -> list[list[int]]:
        """Who wait for each other when the trace ends, so that none can go on: circles of locations, each waits for the next
        and the last for the first. Found among open_calls."""
        return self._core.deadlocks

    def instances(self, metric: MetricName) -> list[Instance]:
        """The most severe instances of a wait state, worst first: list of Instance."""
        waits = self.waits.get(self.metric(metric).id)
        if waits is None:
            return []
        return sorted(waits.instances, key=lambda i: (-i.total_ticks, i.longest.begin, i.longest.location))

    def wait_graph(self, metrics: MetricName | Iterable[MetricName] = (), level: str = "process") -> WaitGraph:
        """Who waits for whom, over the given wait states (all of them if none is given), between processes or locations
        (level='location'). A WaitGraph."""
        if isinstance(metrics, (str, int, Metric)):
            metrics = (metrics,)
        ids = [self.metric(m).id for m in metrics]
        return WaitGraph(self._core.wait_graph(ids, level), (self, ids, level))

    # ---- pictures ----

    @property
    def plot(self) -> Plots:
        """Pictures by matplotlib: plot.tree(), heatmap(), boxes(), histogram(), matrix(), over_time(), instance(), topology(),
        counters(); see waitstate.plot. Without `plot` these give the numbers: result.tree()."""
        return Plots(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the worst problems, and the metrics that have a value, as tables. Texts are escaped, there is
        no script."""
        problems = "".join(f"<tr><td>{html.escape(p.sentence)}</td><td>{html.escape(p.advice)}</td></tr>"
                           for p in self.problems[:3])
        if not problems:
            problems = f"<tr><td colspan=2>{html.escape(self.problems_note)}</td></tr>"

        def percent(metric: Metric) -> str:
            share = self.share(metric)
            return "" if share is None else f"{100 * share:.1f} %"

        rows = "".join(
            f"<tr><td>{html.escape(m.title or m.id)}</td><td>{html.escape(m.id)}</td><td>{self.seconds(total):.6g} s</td>"
            f"<td>{percent(m)}</td></tr>" for m in self.metrics if m.unit == "sec" and (total := self.total(m)))
        # Notebooks take what stands between two $ in a page for a formula, but not in elements of these classes.
        return (f"<div class='tex2jax_ignore mathjax_ignore'><table><caption>{html.escape(self.path)}</caption><tr><th>problem</th><th>what to do</th></tr>{problems}"
                "</table>"
                f"<table><tr><th>metric</th><th>id</th><th>time</th><th>share</th></tr>{rows}</table></div>")

    # ---- reports ----

    def text(self, full: bool = False, top: int | None = None, width: int = 100) -> str:
        """The report for people: the `top` worst problems (3) in sentences, the metrics, damage; all of it if `full`."""
        return self._core.text(full, top, width)

    def csv(self) -> str:
        """The table of severities as CSV: metric, call path, location, value (seconds, occurrences or bytes)."""
        return self._core.csv()

    def json(self) -> str:
        """Everything, as waitstate.open_report() reads it: a str."""
        return self._core.json()

    def write(self, path: str | os.PathLike[str], format: str | None = None, full: bool = False, max_megabytes: int = 40) -> None:
        """Writes a report; the ending of the name says which (.json, .csv, .cubex, .html, .txt) unless `format` does ('json',
        'csv', 'cubex', 'html', 'text'). The file appears once it is complete. Raises OutputError with the system's reason.

        An HTML page has what the result has: its timeline needs analyze(…, keep=Keep(details=True, contexts=True, series=True)). What
        does not fit into `max_megabytes` is rounded, put together or left out, and the page says so."""
        path = os.fsdecode(_core._path(path))
        if format is None:
            ending = os.path.splitext(path)[1]
            format = {".json": "json", ".csv": "csv", ".cubex": "cubex", ".html": "html", ".htm": "html",
                      ".txt": "text"}.get(ending)
            if format is None:
                raise UsageError(f"the ending of '{path}' tells no format: expected .json, .csv, .cubex, .html or .txt, "
                                 f"or format=")
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
    """The Result that was pickled: what its reports have, under the same numbers."""
    return Result(_core._result_of_state(json, order, diagnoses, headlines))


def _instance(callpath: int, total: int, waiters: int, longest: _core.Wait, own: tuple[Any, ...] | None,
              members: list[_core.Wait], left_out: int, cause: tuple[Any, ...] | None,
              context: int | None, chain: tuple[Any, ...] | None) -> Instance:
    return Instance(callpath, total, waiters, longest, None if own is None else CulpritWait(*own),
                    members, left_out, None if cause is None else WaitCause(*cause), context,
                    None if chain is None else WaitChain([ChainStep(*s) for s in chain[0]], *chain[1:]))


def _same_graph(result: Result, metrics: list[str], level: str, *tops: int) -> WaitGraph:
    graph = result.wait_graph(metrics, level)
    for n in tops:
        graph = graph.top(n)
    return graph
