"""The parts of a Result: metrics, severities, waits and their causes, problems, phases, queues. Long because each thing that a
result has is documented here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Union

import numpy
import numpy.typing as npt

from waitstate import _core

Int64 = npt.NDArray[numpy.int64]


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


#: A metric, by its id, its index, or as it is.
MetricName = Union[str, int, Metric]


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
