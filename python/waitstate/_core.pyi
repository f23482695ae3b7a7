# Types and documentation of the compiled module: what help() shows is said there in the same words.
import enum
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex, overload

import numpy
import numpy.typing

from waitstate.events import EventRange
from waitstate.pattern import Pattern

__version__: str
__all__ = [
    "AttributeDefinition",
    "Call",
    "CallPath",
    "CallSite",
    "CallingContext",
    "CartDimension",
    "CartTopology",
    "Clock",
    "Collective",
    "CollectiveCompletion",
    "CollectiveKind",
    "CollectiveMember",
    "CollectiveOp",
    "Columns",
    "Communicator",
    "CompletedCollectives",
    "CompletedReceives",
    "CompletedSends",
    "Diagnostic",
    "DiagnosticPlace",
    "Error",
    "Event",
    "EventTrace",
    "Group",
    "InterruptGenerator",
    "IoFile",
    "IoHandle",
    "IoParadigmDefinition",
    "Location",
    "LockAcquired",
    "Marker",
    "Message",
    "MetricDefinition",
    "MetricMember",
    "MpiFunction",
    "OutputError",
    "Overtaken",
    "ParameterDefinition",
    "PatternError",
    "Process",
    "Published",
    "PublishedWait",
    "RecordedCallPath",
    "Recorder",
    "Region",
    "RegionClass",
    "RmaAccess",
    "RmaAccessEpoch",
    "RmaAccessTarget",
    "RmaCollective",
    "RmaCollectiveKind",
    "RmaEpochOperation",
    "RmaExposureEpoch",
    "RmaExposureOrigin",
    "RmaLockEpoch",
    "RmaOperation",
    "RmaOperationKind",
    "RmaPassiveCall",
    "RmaProgressGap",
    "RmaWaitChange",
    "RunTrace",
    "SourceCodeLocation",
    "Interval",
    "SystemTreeNode",
    "DeviceWait",
    "DeviceWaitPart",
    "UnusedThreads",
    "TaskIdle",
    "TaskIdlePart",
    "TeamBarrier",
    "TimeSpan",
    "TraceError",
    "UsageError",
    "Wait",
    "Window",
    "event_types",
]

event_types: tuple[str, ...]
"""Names of all event types; the numbers of a `type` column are indices into it."""

class Error(Exception):
    """Base of all errors of this package."""

class TraceError(Error):
    """An input that cannot be read at all. `path` is the file or folder. Damage that leaves something to analyse
    is no error but an entry of the diagnostics.
    """

    path: str

class UsageError(Error, ValueError):
    """Something was asked for that does not exist or does not fit together."""

class OutputError(Error, OSError):
    """A result cannot be written: the path and the system's reason."""

class PatternError(Error):
    """A pattern failed: the message names the pattern, the event and its place."""

class Clock:
    """The timer of a trace."""

    @property
    def resolution(self) -> int:
        """Ticks per second, at least 1."""
    @property
    def offset(self) -> int:
        """Smallest time stamp in ticks, as the recorder says."""
    @property
    def length(self) -> int:
        """Ticks from the smallest to the largest time stamp, as the recorder says."""
    @property
    def realtime(self) -> int | None:
        """Nanoseconds since 1970 at `offset`; None if it is not known."""

class Recorder:
    """What a trace says of its origin."""

    @property
    def creator(self) -> str:
        """The program that recorded it."""
    @property
    def machine(self) -> str:
        """Name of the machine."""
    @property
    def description(self) -> str:
        """Free text."""
    @property
    def version(self) -> str:
        """Version of the format."""
    @property
    def trace_id(self) -> int:
        """A number that differs between traces."""
    @property
    def properties(self) -> dict[str, str]:
        """Further properties: dict of str to str."""

class CallPath:
    """A region in the context of its callers. Usable as an index, equal to its number. The number belongs to the Result
    or EventTrace that it comes from: others of the same trace may number their call paths otherwise; `path` is the same
    in all."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: CallPath) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number, from 0."""
    @property
    def name(self) -> str:
        """Name of its last element: of the region, or the file name of the program."""
    @property
    def path(self) -> str:
        """All elements from the root, joined by '/'."""
    @property
    def parent(self) -> CallPath | None:
        """The caller's CallPath; None of a root."""
    @property
    def region(self) -> Region | None:
        """Its Region; None of the program itself."""

class Location:
    """A thread, a stream or a metric recorder. Usable as an index, and equal to its number."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Location) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""
    @property
    def process(self) -> Process | None:
        """The field `process` of the text notation."""
    @property
    def events(self) -> int:
        """The field `events` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""
    @property
    def rank(self) -> int | None:
        """Rank of its process in MPI_COMM_WORLD or its like, from 0; None if it has none."""

class Process:
    """A process, or what the streams of an accelerator belong to."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Process) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""
    @property
    def parent(self) -> SystemTreeNode | None:
        """The field `parent` of the text notation."""
    @property
    def creator(self) -> Process | None:
        """The field `creator` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""
    @property
    def rank(self) -> int | None:
        """Rank in MPI_COMM_WORLD or its like, from 0; None if it has none."""
    @property
    def locations(self) -> tuple[Location, ...]:
        """Its locations in thread order: tuple of Location."""

class Region:
    """A function, loop or other part of the program. Equal to its name: region == "MPI_Send"."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Region) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def canonical(self) -> str:
        """The field `canonical` of the text notation."""
    @property
    def description(self) -> str:
        """The field `description` of the text notation."""
    @property
    def role(self) -> str | int:
        """The field `role` of the text notation."""
    @property
    def paradigm(self) -> str | int:
        """The field `paradigm` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""
    @property
    def file(self) -> str:
        """The field `file` of the text notation."""
    @property
    def begin(self) -> int:
        """The field `begin` of the text notation."""
    @property
    def end(self) -> int:
        """The field `end` of the text notation."""
    @property
    def region_class(self) -> str:
        """The time metric that its exclusive time belongs to, such as "mpi_point2point" or "comp"."""

class Communicator:
    """A communicator, an inter-communicator or a thread team."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Communicator) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def group(self) -> Group | None:
        """The field `group` of the text notation."""
    @property
    def group_b(self) -> Group | None:
        """The field `group_b` of the text notation."""
    @property
    def parent(self) -> Communicator | None:
        """The field `parent` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""
    @property
    def members(self) -> tuple[Location | None, ...]:
        """Location of each rank, None where it is not known; of an inter-communicator: of group A."""
    @property
    def members_b(self) -> tuple[Location | None, ...]:
        """The same of group B; empty if it is no inter-communicator."""
    @property
    def is_self(self) -> bool:
        """True if it is each process itself: MPI_COMM_SELF and its duplicates."""
    @property
    def paradigm(self) -> str | int:
        """Paradigm of its group, such as "mpi"."""

class Group:
    """A group as recorded: its members mean what its type says."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Group) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""
    @property
    def paradigm(self) -> str | int:
        """The field `paradigm` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""
    @property
    def members(self) -> tuple[int, ...]:
        """The field `members` of the text notation."""

class Window:
    """A window of one-sided communication."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Window) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def comm(self) -> Communicator | None:
        """The field `comm` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""

class SystemTreeNode:
    """A part of the machine."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: SystemTreeNode) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def class_(self) -> str:
        """The field `class` of the text notation."""
    @property
    def parent(self) -> SystemTreeNode | None:
        """The field `parent` of the text notation."""
    @property
    def domains(self) -> tuple[str | int, ...]:
        """The field `domains` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""

class AttributeDefinition:
    """What attribute lists of events may contain."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: AttributeDefinition) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def description(self) -> str:
        """The field `description` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""

class MetricMember:
    """A counter."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: MetricMember) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def description(self) -> str:
        """The field `description` of the text notation."""
    @property
    def unit(self) -> str:
        """The field `unit` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""
    @property
    def mode(self) -> int:
        """The field `mode` of the text notation."""
    @property
    def value(self) -> str | int:
        """The field `value` of the text notation."""
    @property
    def base(self) -> str | int:
        """The field `base` of the text notation."""
    @property
    def exponent(self) -> int:
        """The field `exponent` of the text notation."""

class MetricDefinition:
    """A class of counters that are recorded together, or an instance."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: MetricDefinition) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def members(self) -> tuple[MetricMember | None, ...]:
        """The field `members` of the text notation."""
    @property
    def occurrence(self) -> str | int:
        """The field `occurrence` of the text notation."""
    @property
    def kind(self) -> str | int:
        """The field `kind` of the text notation."""
    @property
    def recorders(self) -> tuple[Location | None, ...]:
        """The field `recorders` of the text notation."""
    @property
    def class_(self) -> MetricDefinition | None:
        """The field `class` of the text notation."""
    @property
    def recorder(self) -> Location | None:
        """The field `recorder` of the text notation."""
    @property
    def scope(self) -> str | int:
        """The field `scope` of the text notation."""
    @property
    def scope_ref(self) -> int:
        """The field `scope_ref` of the text notation."""

class ParameterDefinition:
    """A parameter that events give values to."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: ParameterDefinition) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def type(self) -> str | int:
        """The field `type` of the text notation."""

class CallSite:
    """A place that calls a region."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: CallSite) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def file(self) -> str:
        """The field `file` of the text notation."""
    @property
    def line(self) -> int:
        """The field `line` of the text notation."""
    @property
    def entered(self) -> Region | None:
        """The field `entered` of the text notation."""
    @property
    def left(self) -> Region | None:
        """The field `left` of the text notation."""

class RecordedCallPath:
    """A call path that the recorder defined."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: RecordedCallPath) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def parent(self) -> RecordedCallPath | None:
        """The field `parent` of the text notation."""
    @property
    def region(self) -> Region | None:
        """The field `region` of the text notation."""
    @property
    def parameters(self) -> dict[str, object]:
        """The field `parameters` of the text notation."""

class SourceCodeLocation:
    """A file and a line."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: SourceCodeLocation) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def file(self) -> str:
        """The field `file` of the text notation."""
    @property
    def line(self) -> int:
        """The field `line` of the text notation."""

class CallingContext:
    """A calling context of a sample."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: CallingContext) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def region(self) -> Region | None:
        """The field `region` of the text notation."""
    @property
    def source(self) -> SourceCodeLocation | None:
        """The field `source` of the text notation."""
    @property
    def parent(self) -> CallingContext | None:
        """The field `parent` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""

class InterruptGenerator:
    """What interrupted for a sample."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: InterruptGenerator) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def mode(self) -> str | int:
        """The field `mode` of the text notation."""
    @property
    def base(self) -> str | int:
        """The field `base` of the text notation."""
    @property
    def exponent(self) -> int:
        """The field `exponent` of the text notation."""
    @property
    def period(self) -> int:
        """The field `period` of the text notation."""

class CartDimension:
    """A dimension of a topology."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: CartDimension) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def size(self) -> int:
        """The field `size` of the text notation."""
    @property
    def periodicity(self) -> str | int:
        """The field `periodicity` of the text notation."""

class CartTopology:
    """A cartesian topology."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: CartTopology) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def comm(self) -> Communicator | None:
        """The field `comm` of the text notation."""
    @property
    def dimensions(self) -> tuple[CartDimension | None, ...]:
        """The field `dimensions` of the text notation."""
    @property
    def coordinates(self) -> tuple[int, ...]:
        """The field `coordinates` of the text notation."""

class IoParadigmDefinition:
    """An interface of input and output."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: IoParadigmDefinition) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def identification(self) -> str:
        """The field `identification` of the text notation."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def class_(self) -> str | int:
        """The field `class` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""

class IoFile:
    """A file or folder that the program used."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: IoFile) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def scope(self) -> SystemTreeNode | None:
        """The field `scope` of the text notation."""
    @property
    def directory(self) -> bool:
        """The field `directory` of the text notation."""
    @property
    def properties(self) -> dict[str, object]:
        """The field `properties` of the text notation."""

class IoHandle:
    """An open file."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: IoHandle) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def name(self) -> str:
        """The field `name` of the text notation."""
    @property
    def file(self) -> IoFile | None:
        """The field `file` of the text notation."""
    @property
    def paradigm(self) -> IoParadigmDefinition | None:
        """The field `paradigm` of the text notation."""
    @property
    def flags(self) -> int:
        """The field `flags` of the text notation."""
    @property
    def comm(self) -> Communicator | None:
        """The field `comm` of the text notation."""
    @property
    def parent(self) -> IoHandle | None:
        """The field `parent` of the text notation."""
    @property
    def pre_created(self) -> bool:
        """The field `pre_created` of the text notation."""
    @property
    def access(self) -> str | int:
        """The field `access` of the text notation."""
    @property
    def status(self) -> int:
        """The field `status` of the text notation."""

class Marker:
    """A kind of marker."""

    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Marker) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def id(self) -> int:
        """Its number in its table of the trace, from 0."""
    @property
    def ref(self) -> int:
        """The recorder's own number for it."""
    @property
    def group(self) -> str:
        """The field `group` of the text notation."""
    @property
    def category(self) -> str:
        """The field `category` of the text notation."""
    @property
    def severity(self) -> str | int:
        """The field `severity` of the text notation."""

class DiagnosticPlace:
    """Where something odd was found."""

    @property
    def location(self) -> Location | None:
        """Location, or None."""
    @property
    def time(self) -> int | None:
        """Time stamp in ticks, or None."""
    @property
    def text(self) -> str:
        """What exactly, such as a file's path."""

class Diagnostic:
    """A kind of damage or oddity that occurred in a trace."""

    @property
    def id(self) -> str:
        """Its kind, such as "send_unmatched"."""
    @property
    def severity(self) -> str:
        """"loss": something of the run is missing from the results; "odd": everything was looked at."""
    @property
    def sentence(self) -> str:
        """What was counted."""
    @property
    def count(self) -> int:
        """How often it occurred."""
    @property
    def largest(self) -> int:
        """Largest error in ticks, of kinds that have a size; else 0."""
    @property
    def places(self) -> tuple[DiagnosticPlace, ...]:
        """The first places: tuple of DiagnosticPlace, at most 5."""

class Event:
    """One event: a mapping as in EARL, e['time'], with the same as attributes, e.time.

    All events have pos, time (ticks), loc, type, callpath and the links enterptr, sendptr, requestptr,
    beginptr, startptr and originptr: positions of earlier events, None where there is none. Each type adds its
    attributes, as `waitstate print` shows them: enter and exit `region`; send `dest tag com len`; recv `src tag
    com len`; and so on. References are definitions (Region, Location, Communicator, ...), enumerations their
    names. Where an attribute is called `type`, it is `lock_type` or `atomic_type` here. A key that the type
    does not have raises KeyError (as an attribute: AttributeError) and says which there are. str() gives the
    event's line in the text notation.

    An event is a copy: it stays valid, whatever happens to its trace.
    """

    def __getitem__(self, key: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def keys(self) -> list[str]:
        """Names of what this event has: list of str."""
    def values(self) -> list[Any]:
        """Its values in the order of keys(): list."""
    def items(self) -> list[tuple[str, Any]]:
        """Pairs of name and value: list of tuple."""
    @overload
    def get(self, key: str) -> Any:
        """get(key, default=None): the value, or the default if there is none."""
    @overload
    def get(self, key: str, default: Any) -> Any: ...
    @property
    def pos(self) -> int | None:
        """Number in the stream of all events, from 0."""
    @property
    def time(self) -> int:
        """Time stamp in timer ticks; EventTrace.seconds() converts it."""
    @property
    def loc(self) -> Location:
        """Location where it happened: a Location, equal to its number."""
    @property
    def type(self) -> str:
        """Name of its type, such as "enter" or "recv"."""
    @property
    def callpath(self) -> CallPath | None:
        """CallPath of the region instance in which it happened; None if there is none."""
    @property
    def enterptr(self) -> int | None:
        """Position of the enter of the region instance in which it happened (of an exit: its own); None outside
        of all.
        """
    @property
    def sendptr(self) -> int | None:
        """Of a receive: position of the send of its message; None if that is not in the trace."""
    @property
    def requestptr(self) -> int | None:
        """Of a completion, test or cancel: position of the event that started the request."""
    @property
    def beginptr(self) -> int | None:
        """Of a collective_end: position of its collective_begin."""
    @property
    def startptr(self) -> int | None:
        """Of a put_1te or get_1te: position of the event with which the transfer started."""
    @property
    def originptr(self) -> int | None:
        """Of a get_1ts: position of the get_1to at the origin."""
    @property
    def region(self) -> Region | None:
        """Attribute of some event types; see keys()."""
    @property
    def dest(self) -> Location | None:
        """Attribute of some event types; see keys()."""
    @property
    def tag(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def com(self) -> Communicator | None:
        """Attribute of some event types; see keys()."""
    @property
    def len(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def request(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def src(self) -> Location | None:
        """Attribute of some event types; see keys()."""
    @property
    def op(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def root(self) -> Location | str | None:
        """Attribute of some event types; see keys()."""
    @property
    def sent(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def received(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def program(self) -> str | None:
        """Attribute of some event types; see keys()."""
    @property
    def status(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def mode(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def stop(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def metric(self) -> MetricDefinition | None:
        """Attribute of some event types; see keys()."""
    @property
    def parameter(self) -> ParameterDefinition | None:
        """Attribute of some event types; see keys()."""
    @property
    def value(self) -> int | str | None:
        """Attribute of some event types; see keys()."""
    @property
    def context(self) -> CallingContext | None:
        """Attribute of some event types; see keys()."""
    @property
    def unwind(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def generator(self) -> InterruptGenerator | None:
        """Attribute of some event types; see keys()."""
    @property
    def requested(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def lock(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def order(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def task(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def paradigm(self) -> str | int | IoParadigmDefinition | None:
        """Attribute of some event types; see keys()."""
    @property
    def team(self) -> Communicator | None:
        """Attribute of some event types; see keys()."""
    @property
    def creator(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def generation(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def contingent(self) -> Communicator | None:
        """Attribute of some event types; see keys()."""
    @property
    def sequence(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def win(self) -> Window | None:
        """Attribute of some event types; see keys()."""
    @property
    def level(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def group(self) -> Group | None:
        """Attribute of some event types; see keys()."""
    @property
    def remote(self) -> Location | None:
        """Attribute of some event types; see keys()."""
    @property
    def lock_type(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def sync(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def bytes(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def match(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def atomic_type(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def handle(self) -> IoHandle | None:
        """Attribute of some event types; see keys()."""
    @property
    def creation(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def flags(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def old(self) -> IoHandle | None:
        """Attribute of some event types; see keys()."""
    @property
    def new(self) -> IoHandle | None:
        """Attribute of some event types; see keys()."""
    @property
    def whence(self) -> str | int:
        """Attribute of some event types; see keys()."""
    @property
    def offset(self) -> int:
        """Attribute of some event types; see keys()."""
    @property
    def file(self) -> IoFile | None:
        """Attribute of some event types; see keys()."""
    @property
    def counters(self) -> tuple[object, ...]:
        """Of a metric event: the counters' values, a tuple."""
    @property
    def arguments(self) -> tuple[str | None, ...]:
        """Of program_begin: the program's arguments, a tuple of str."""
    @property
    def attributes(self) -> dict[str | int, object]:
        """The attribute list, a dict by attribute name; empty unless it was kept on reading."""

class EventTrace:
    """A whole trace in memory, as a sequence of events (EARL).

    EventTrace(path, threads=0, attribute_lists=False, transfers=False, rma_model="auto", epochs=False) reads an
    OTF2 archive (its anchor file, or a folder with exactly one) or a file in the text notation, with as many
    threads as there are cores, or as many as given; it takes about 28 bytes an event. The events' attribute
    lists are kept on request. Raises TraceError if nothing can be read; damage that leaves something to look at
    is counted in `diagnostics`. Other threads of Python run meanwhile, and Ctrl-C ends it.

    With transfers, the starts and ends of one-sided transfers are events, too (put_1ts, put_1te, get_1to, get_1ts,
    get_1te), where rma_model says that they are: "basic" (a transfer ends in its call), "extended" (in the call that
    completes it), or "auto" (extended for MPI). With epochs, those of one-sided communication are kept for epochs().

    The stream is in order of time; where clocks or equal time stamps would put an effect before its cause (a
    receive before its send), the effect is placed after it. len(trace), trace[pos], trace[-1], trace[a:b], and
    iteration give events. A trace never changes, and may be used from several threads.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        threads: int = ...,
        attribute_lists: bool = ...,
        transfers: bool = ...,
        rma_model: str = ...,
        epochs: bool = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> EventRange: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Event: ...
    def __iter__(self) -> Iterator[Event]: ...
    def event(self, pos: SupportsIndex | None, /) -> Event:
        """The event at a position, from 0; negative ones count from the end. Raises IndexError beyond the trace."""
    def literal(self, pos: SupportsIndex) -> str:
        """The event in the text notation, with its position and links: str."""
    def stack(self, loc: SupportsIndex, pos: SupportsIndex | None = ...) -> list[int]:
        """Region stack of a location after the event at `pos` (None: after the last): positions of the open
        enters, outermost first, as a list of int. While the location executes a task, only the enters of that task.
        """
    def queue(
        self, src: SupportsIndex | None = ..., dest: SupportsIndex | None = ..., pos: SupportsIndex | None = ...
    ) -> list[int]:
        """Message queue after the event at `pos` (None: after the last): positions of the sends that have not
        been received yet, oldest first, as a list of int. Only those sent by location `src` and to location
        `dest` where these are given.
        """
    def epochs(self) -> list[RmaCollective | RmaAccessEpoch | RmaExposureEpoch | RmaLockEpoch | RmaOperation]:
        """Compound events of one-sided communication in the order of their first times, as a new list of
        RmaCollective, RmaAccessEpoch, RmaExposureEpoch, RmaLockEpoch and RmaOperation: what callbacks of a Pattern
        are given. Raises UsageError unless the trace was opened with epochs=True.
        """
    @overload
    def seconds(self, time: int) -> float:
        """Seconds from the first event to a time stamp in ticks: float, or an array of them for an array."""
    @overload
    def seconds(self, time: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]: ...
    @overload
    def duration(self, ticks: int) -> float:
        """A number of ticks, such as a difference of time stamps, in seconds: float, or an array of them for an
        array.
        """
    @overload
    def duration(self, ticks: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]: ...
    def columns(self, *types: str) -> Columns:
        """columns(*types): the events of these types (none: all) as Columns, a row each in the order of the
        stream.

        All have pos, time, loc, type, callpath, the links (enterptr, sendptr, ...) and region (of enter and
        exit), and further the attributes of the chosen types: references and strings int32, numbers uint32,
        uint64 or int64 as recorded, enumerations uint8. In rows of a type that lacks an attribute a reference
        is -1, an enumeration 255, a number 0. An unknown type raises UsageError.
        """
    def messages(self) -> Columns:
        """Matched messages as Columns, a row each in the order of their receives.

        sendptr, recvptr: positions of the two records. src, dest: their locations. tag, com, len (bytes). sent,
        received: times of the records. send_enter, recv_enter: times at which the calls were entered.
        send_region, recv_region, send_callpath, recv_callpath: of the calls.
        """
    def collectives(self) -> Columns:
        """Parts of processes in collective operations as Columns, a row each in the order of their end records.

        pos: of the end record. beginptr: of the begin record, or of the request. loc, com, op, root (a
        location). sent, received: bytes. begin, end: times of the two records. enter: time at which the call
        was entered. callpath. nonblocking: 0 or 1. nth: which operation on that communicator it is for this
        process. instance: the same number in all parts of one operation.
        """
    def region_instances(self) -> Columns:
        """Region instances as Columns, a row each in the order of their enters.

        enterptr, exitptr: positions (exitptr -1: never left). loc, region, callpath. depth: number of regions
        open around it. enter, exit: times. inclusive, exclusive: ticks, exclusive without the instances
        directly inside. Where suspended tasks take turns on a location, exitptr, depth and the times of their
        instances are not right; the links of the events (enterptr) are.
        """
    def to_dataframe(self, *types: str, names: bool = ...) -> Any:
        """to_dataframe(*types, names=True): columns(*types).to_dataframe(names=names), a pandas.DataFrame."""
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is damaged or odd about the trace: tuple of Diagnostic, empty if nothing is."""
    @property
    def memory(self) -> int:
        """Bytes of memory held for events, links and indexes."""
    @property
    def locations(self) -> tuple[Location, ...]:
        """All locations (threads, streams), by rank and thread: tuple of Location."""
    @property
    def processes(self) -> tuple[Process, ...]:
        """All processes, by rank: tuple of Process."""
    @property
    def regions(self) -> tuple[Region, ...]:
        """All regions (functions, loops, ...): tuple of Region."""
    @property
    def communicators(self) -> tuple[Communicator, ...]:
        """All communicators and thread teams: tuple of Communicator."""
    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups as recorded: tuple of Group."""
    @property
    def windows(self) -> tuple[Window, ...]:
        """All windows of one-sided communication: tuple of Window."""
    @property
    def system_tree(self) -> tuple[SystemTreeNode, ...]:
        """The machine: tuple of SystemTreeNode."""
    @property
    def attribute_definitions(self) -> tuple[AttributeDefinition, ...]:
        """What attribute lists of events may contain: tuple of AttributeDefinition."""
    @property
    def metric_members(self) -> tuple[MetricMember, ...]:
        """Counters: tuple of MetricMember."""
    @property
    def metric_definitions(self) -> tuple[MetricDefinition, ...]:
        """What metric events record: tuple of MetricDefinition."""
    @property
    def parameter_definitions(self) -> tuple[ParameterDefinition, ...]:
        """Parameters: tuple of ParameterDefinition."""
    @property
    def call_sites(self) -> tuple[CallSite, ...]:
        """Call sites: tuple of CallSite."""
    @property
    def recorded_call_paths(self) -> tuple[RecordedCallPath, ...]:
        """Call paths that the recorder defined: tuple of RecordedCallPath."""
    @property
    def source_code_locations(self) -> tuple[SourceCodeLocation, ...]:
        """Places in the source: tuple of SourceCodeLocation."""
    @property
    def calling_contexts(self) -> tuple[CallingContext, ...]:
        """Calling contexts of sampling: tuple of CallingContext."""
    @property
    def interrupt_generators(self) -> tuple[InterruptGenerator, ...]:
        """What interrupts for samples: tuple of InterruptGenerator."""
    @property
    def cart_dimensions(self) -> tuple[CartDimension, ...]:
        """Dimensions of topologies: tuple of CartDimension."""
    @property
    def cart_topologies(self) -> tuple[CartTopology, ...]:
        """Cartesian topologies: tuple of CartTopology."""
    @property
    def io_paradigms(self) -> tuple[IoParadigmDefinition, ...]:
        """Interfaces of input and output: tuple of IoParadigmDefinition."""
    @property
    def io_files(self) -> tuple[IoFile, ...]:
        """Files and folders that the program used: tuple of IoFile."""
    @property
    def io_handles(self) -> tuple[IoHandle, ...]:
        """Open files: tuple of IoHandle."""
    @property
    def markers(self) -> tuple[Marker, ...]:
        """Kinds of markers: tuple of Marker."""
    @property
    def definitions(self) -> dict[str, tuple[Any, ...]]:
        """All tables of definitions by the names that they have here (locations, regions, ...): a new dict of tuples."""
    @property
    def call_paths(self) -> tuple[CallPath, ...]:
        """All call paths, parents before children: tuple of CallPath."""
    @property
    def strings(self) -> tuple[str, ...]:
        """Texts that events refer to: tuple of str."""
    @property
    def clock(self) -> Clock:
        """The timer: a Clock with `resolution`, in ticks per second."""
    @property
    def recorder(self) -> Recorder:
        """What the trace says of its origin: a Recorder."""

class Columns:
    """Columns of equal length: NumPy arrays by name, columns["time"] or columns.time.

    len() is the number of rows, keys() gives the names. Arrays have one dimension of len() numbers and are
    read-only views of memory that all users of the trace share: taking one copies nothing, and keeps the memory and the
    trace alive. The memory is filled from the trace's packed store when a column is asked for first; the table of
    messages(), collectives() or region_instances() as a whole. It is let go with the last array and Columns that
    refer to it, so a trace of whose columns nobody asks has none. An unknown name raises UsageError, which says
    which there are. Filling takes some 10 ns an event for time, loc, type and enterptr, 40 ns for the others.

    Times are int64 ticks, positions int64 (-1: none), references such as loc, region and callpath int32 numbers of
    definitions (-1: none), types uint8 numbers into waitstate.event_types, operations those of waitstate.CollectiveOp.
    """

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, name: str) -> bool: ...
    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]: ...
    def __getattr__(self, name: str) -> numpy.ndarray[Any, Any]: ...
    def keys(self) -> list[str]:
        """Names of all columns: list of str."""
    def to_dataframe(self, *, names: bool = ...) -> Any:
        """A pandas.DataFrame of all columns, a row each. With `names`, event types, regions, call paths and
        collective operations are categories by name instead of numbers. Raises ImportError without pandas.
        """
    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions that numbers in columns refer to: tuple of Region."""
    @property
    def call_paths(self) -> tuple[CallPath, ...]:
        """The call paths that numbers in columns refer to: tuple of CallPath."""

# ---- patterns and analyses ----

class MpiFunction(enum.IntEnum):
    """The MPI functions whose meaning matters to matching; every other one is `other`, no MPI function `none`, any
    neighbourhood collective `neighbour`."""

    none = 0
    other = 1
    send = 2
    bsend = 3
    rsend = 4
    ssend = 5
    isend = 6
    ibsend = 7
    irsend = 8
    issend = 9
    sendrecv = 10
    sendrecv_replace = 11
    isendrecv = 12
    isendrecv_replace = 13
    recv = 14
    mrecv = 15
    irecv = 16
    imrecv = 17
    start = 18
    startall = 19
    wait = 20
    waitany = 21
    waitall = 22
    waitsome = 23
    test = 24
    testany = 25
    testall = 26
    testsome = 27
    request_get_status = 28
    request_free = 29
    cancel = 30
    init = 31
    init_thread = 32
    finalize = 33
    win_fence = 34
    win_post = 35
    win_start = 36
    win_complete = 37
    win_wait = 38
    win_test = 39
    neighbour = 40

class CollectiveKind(enum.IntEnum):
    """Who has to wait for whom in a collective operation."""

    init = 0
    finalize = 1
    barrier = 2
    all_to_all = 3
    one_to_all = 4
    all_to_one = 5
    scan = 6
    other = 7

class CollectiveOp(enum.IntEnum):
    """Collective operations, as OTF2 names them."""

    barrier = 0
    bcast = 1
    gather = 2
    gatherv = 3
    scatter = 4
    scatterv = 5
    allgather = 6
    allgatherv = 7
    alltoall = 8
    alltoallv = 9
    alltoallw = 10
    allreduce = 11
    reduce = 12
    reduce_scatter = 13
    scan = 14
    exscan = 15
    reduce_scatter_block = 16
    create_handle = 17
    destroy_handle = 18
    allocate = 19
    deallocate = 20
    create_handle_and_allocate = 21
    destroy_handle_and_deallocate = 22

class RegionClass(enum.IntEnum):
    """The time metric that a region's exclusive time belongs to."""

    comp = 0
    overhead = 1
    mpi = 2
    mpi_init_exit = 3
    mpi_mgmt_comm = 4
    mpi_mgmt_file = 5
    mpi_mgmt_win = 6
    mpi_sync_collective = 7
    mpi_rma_sync_active = 8
    mpi_rma_sync_passive = 9
    mpi_point2point = 10
    mpi_collective = 11
    mpi_rma_communication = 12
    mpi_io_individual = 13
    mpi_io_collective = 14
    omp_time = 15
    omp_management = 16
    omp_ebarrier = 17
    omp_ibarrier = 18
    omp_critical = 19
    omp_lock_api = 20
    omp_ordered = 21
    omp_taskwait = 22
    omp_flush = 23
    pthread_time = 24
    pthread_management = 25
    pthread_lock_api = 26
    pthread_conditional = 27
    shmem_time = 28
    shmem_init_exit = 29
    shmem_memory_management = 30
    shmem_sync_collective = 31
    shmem_point2point_synchronization = 32
    shmem_collective = 33
    shmem_rma_communication = 34
    openacc_time = 35
    opencl_time = 36
    cuda_time = 37
    hip_time = 38

class RmaOperationKind(enum.IntEnum):
    """Kinds of one-sided operations."""

    put = 0
    get = 1
    atomic = 2

class RmaCollectiveKind(enum.IntEnum):
    """What a collective operation on a window does: makes it (`create`; SHMEM: allocation), frees it (`free`; SHMEM:
    deallocation), ends an epoch (`fence`), or what its `collective` says (`other`)."""

    create = 0
    free = 1
    fence = 2
    other = 3

class Interval:
    """An uninterrupted interval, in ticks, in one call path (without callees)."""

    @property
    def callpath(self) -> int | None:
        """Number of the call path, or None."""
    @property
    def begin(self) -> int:
        """Begin in ticks."""
    @property
    def end(self) -> int:
        """End in ticks."""

class Call:
    """A region instance in which communication was recorded. Times in ticks. A copy: valid for as long as it is kept."""

    @property
    def location(self) -> Location:
        """The Location that made the call."""
    @property
    def callpath(self) -> CallPath:
        """Its CallPath."""
    @property
    def region(self) -> Region:
        """The Region, which equals its name: call.region == 'MPI_Recv'."""
    @property
    def function(self) -> MpiFunction:
        """Its MpiFunction."""
    @property
    def enter(self) -> int:
        """When it was entered, in ticks."""
    @property
    def exit(self) -> int:
        """When it was left, in ticks."""
    @property
    def before(self) -> Interval:
        """The longest interval between the previous call with communication and this one."""
    @property
    def previous(self) -> Interval:
        """That previous call."""
    def meanwhile(self, from_time: int, to_time: int) -> int | None: ...

class Wait:
    """One wait: who lost how many ticks, where, and who caused it. Ids are numbers."""

    @property
    def location(self) -> int:
        """Number of the location that waited."""
    @property
    def callpath(self) -> int:
        """Number of the call path of the waiting call."""
    @property
    def enter(self) -> int:
        """When the waiting call was entered, in ticks."""
    @property
    def exit(self) -> int:
        """When the waiting call was left, in ticks."""
    @property
    def begin(self) -> int:
        """When the wait began, in ticks."""
    @property
    def ticks(self) -> int:
        """How long it lasted, in ticks."""
    @property
    def culprit(self) -> int | None:
        """Number of the location that caused it; None where nobody in particular did."""
    @property
    def culprit_callpath(self) -> int | None:
        """Number of the call path where the culprit was meanwhile, or None."""

class Message:
    """A message with both ends known. Times in ticks; a copy, valid for as long as it is kept."""

    @property
    def sender(self) -> Location:
        """Location that recorded the send."""
    @property
    def receiver(self) -> Location:
        """Location that recorded the (completed) receive."""
    @property
    def comm(self) -> int:
        """Number of the communicator."""
    @property
    def tag(self) -> int:
        """Its tag."""
    @property
    def bytes(self) -> int:
        """Bytes, as the sender recorded them."""
    @property
    def send_time(self) -> int:
        """Time of the send event in ticks."""
    @property
    def recv_time(self) -> int:
        """Time of the receive event in ticks."""
    @property
    def send(self) -> Call:
        """The call that started the send."""
    @property
    def recv_post(self) -> Call:
        """The call that posted the receive."""
    @property
    def recv(self) -> Call:
        """The call in which the receive completed."""

class CompletedReceives:
    """A call in which receives completed, and their messages in the order of their records."""

    @property
    def call(self) -> Call:
        """The Call in which the receives completed."""
    @property
    def messages(self) -> list[Message]:
        """Their messages, in the order of the receive events: list of Message."""

class CompletedSends:
    """A call in which sends completed. `receive_wait`: ticks that the call waited for its receives."""

    @property
    def call(self) -> Call:
        """The Call in which the sends completed."""
    @property
    def messages(self) -> list[Message]:
        """Their messages, in the order of completion: list of Message."""
    @property
    def receive_wait(self) -> int:
        """Ticks that the same call waited for its receives; see Pattern.set_receive_wait."""

class Overtaken:
    """Two messages that were received in the wrong order; see Pattern.watch_overtaking."""

    @property
    def wait(self) -> Wait:
        """The Wait as given to watch_overtaking."""
    @property
    def source(self) -> int:
        """Number of the location that sent the message that was received too early."""
    @property
    def bytes(self) -> int:
        """Bytes of that message."""
    @property
    def overtaker(self) -> int:
        """Number of the location that sent the older message."""

class CollectiveMember:
    """The part of one process in a collective operation. Times in ticks."""

    @property
    def call(self) -> Call:
        """The Call of the operation."""
    @property
    def begin(self) -> int:
        """Time of the begin record in ticks; of init and finalize the enter of the call."""
    @property
    def end(self) -> int:
        """Time of the end record in ticks; of init and finalize the exit of the call."""
    @property
    def bytes_sent(self) -> int:
        """Bytes that it sent."""
    @property
    def bytes_received(self) -> int:
        """Bytes that it received."""

class Collective:
    """A complete blocking collective operation, or MPI_Init or MPI_Finalize: all members took part and agree. None of one
    process, and none that only creates or frees handles."""

    @property
    def kind(self) -> CollectiveKind:
        """Its CollectiveKind."""
    @property
    def op(self) -> CollectiveOp:
        """Its CollectiveOp; means nothing for init and finalize."""
    @property
    def comm(self) -> int | None:
        """Number of the communicator; None for init and finalize."""
    @property
    def members(self) -> list[CollectiveMember]:
        """By rank; of an inter-communicator group A, then group B: list of CollectiveMember."""
    @property
    def root(self) -> int | None:
        """Index into `members`, or None."""
    @property
    def group_a(self) -> int:
        """Inter-communicator: number of members of group A; else 0."""
    @property
    def inter(self) -> bool:
        """True for an inter-communicator."""
    @property
    def neighbourhood(self) -> bool:
        """True for a neighbourhood operation, in which members wait for their neighbours only."""
    def neighbours(self, member: int) -> list[int]: ...
    def reaches(self, from_member: int, to_member: int) -> bool: ...

class CollectiveCompletion:
    """A non-blocking collective operation as the member that completes it sees it."""

    @property
    def kind(self) -> CollectiveKind:
        """Its CollectiveKind."""
    @property
    def op(self) -> CollectiveOp:
        """Its CollectiveOp."""
    @property
    def comm(self) -> int | None:
        """Number of the communicator."""
    @property
    def started(self) -> Call:
        """The member's own Call that started the operation."""
    @property
    def awaited(self) -> Call | None:
        """The latest Call that started it among those awaited, or None."""
    @property
    def wait_ticks(self) -> int:
        """min(E(awaited), L(call)) - E(call) if > 0, else 0; E is the enter of a call, L its exit."""

class CompletedCollectives:
    """A call in which non-blocking collective operations completed."""

    @property
    def call(self) -> Call:
        """The Call that completed them."""
    @property
    def completions(self) -> list[CollectiveCompletion]:
        """In the order of their records: list of CollectiveCompletion."""

class TimeSpan:
    """An interval of time, in ticks."""

    @property
    def begin(self) -> int:
        """Begin in ticks."""
    @property
    def end(self) -> int:
        """End in ticks."""

class TeamBarrier:
    """A barrier that all threads of a team have passed; `members` by location."""

    @property
    def region_class(self) -> RegionClass:
        """RegionClass.omp_ebarrier or RegionClass.omp_ibarrier."""
    @property
    def members(self) -> list[Call]:
        """The barrier as each thread called it, by location: list of Call."""
    @property
    def tasks(self) -> list[list[TimeSpan]]:
        """When each of the members executed explicit tasks inside the barrier, in order; empty if none of them did:
        list of lists of TimeSpan."""
    def in_tasks(self, member: int, from_time: int, to_time: int) -> int: ...

class TaskIdlePart:
    """A part of the time in which a thread was idle, and what ended the lack of tasks. Times in ticks."""

    @property
    def begin(self) -> int:
        """Begin in ticks."""
    @property
    def end(self) -> int:
        """End in ticks."""
    @property
    def created(self) -> bool:
        """True: the lack of tasks ended with a creation. False: with the end of the last running task."""
    @property
    def culprit(self) -> int | None:
        """Number of the location that created that task, or ended it; None if nobody is known."""
    @property
    def culprit_callpath(self) -> int | None:
        """Number of the call path where it did, or None."""
    @property
    def wait(self) -> Wait:
        """The Wait of that time, as add_wait() takes it."""

class TaskIdle:
    """A barrier or taskwait in which a thread was idle while no task of its team was ready, and some task was still
    to end or to be created while it was in the call."""

    @property
    def call(self) -> Call:
        """The Call of the barrier or taskwait."""
    @property
    def parts(self) -> list[TaskIdlePart]:
        """When it was idle, in order: list of TaskIdlePart."""

class DeviceWaitPart:
    """A kernel, or a copy between host and device, that a call waited for. Times in ticks."""

    @property
    def begin(self) -> int:
        """Begin of the wait for it in ticks: the enter of the call, or the end of the part before."""
    @property
    def end(self) -> int:
        """Its end in ticks."""
    @property
    def copy(self) -> bool:
        """True: a copy. False: a kernel."""
    @property
    def stream(self) -> int | None:
        """Number of the location that executed it."""
    @property
    def callpath(self) -> int | None:
        """Number of its call path there, or None."""
    @property
    def wait(self) -> Wait:
        """The Wait for it, as add_wait() takes it."""

class DeviceWait:
    """A call of a host thread that waits for a device, in which kernels or copies ended on streams of its process."""

    @property
    def call(self) -> Call:
        """The Call that waited."""
    @property
    def parts(self) -> list[DeviceWaitPart]:
        """What it waited for, in order of time and without gaps from its enter on: list of DeviceWaitPart."""

class UnusedThreads:
    """An interval of time in which threads of a process had no part in what its first thread did: all others
    outside of parallel regions, or those that are not in the team of one."""

    @property
    def master(self) -> int | None:
        """Number of the first thread's location."""
    @property
    def begin(self) -> int:
        """Begin in ticks: of the process, of a join, or of the parallel region's fork."""
    @property
    def end(self) -> int:
        """End in ticks: of the process, of a fork, or of the parallel region's join."""
    @property
    def callpath(self) -> int | None:
        """Number of the call path where the first thread was longest without a break, or of the parallel region; or None."""
    @property
    def parallel(self) -> bool:
        """True: during a parallel region."""
    @property
    def team(self) -> list[int]:
        """During a parallel region: numbers of the locations that took part; else empty."""
    def wait_of(self, location: int) -> Wait:
        """The Wait of a thread that was idle meanwhile, as add_wait() takes it."""

class LockAcquired:
    """A lock that a thread acquired in `call`, after another had released it in `released`. Times in ticks."""

    @property
    def call(self) -> Call:
        """The Call in which the lock was acquired."""
    @property
    def released(self) -> Call:
        """The Call in which the previous owner released it last."""
    @property
    def acquire_time(self) -> int:
        """When it was acquired, in ticks."""
    @property
    def release_time(self) -> int:
        """When it was released, in ticks."""

class RmaOperation:
    """A put, get or atomic operation, once the origin's trace tells that it is complete. Times in ticks."""

    @property
    def kind(self) -> RmaOperationKind:
        """Its RmaOperationKind."""
    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def origin(self) -> Location | None:
        """The Location that started it."""
    @property
    def target(self) -> Location | None:
        """The Location whose memory it accessed; None where the recorder named a process that the window does not
        have."""
    @property
    def bytes_put(self) -> int:
        """Bytes from the origin to the target."""
    @property
    def bytes_got(self) -> int:
        """Bytes from the target to the origin."""
    @property
    def call(self) -> Call:
        """The Call that started it."""
    @property
    def start(self) -> int:
        """Time of its record, in ticks."""
    @property
    def completed(self) -> Call:
        """The Call in which it became complete; may be `call`."""
    @property
    def completion(self) -> int:
        """Time of the record that says so, in ticks."""

class RmaAccess:
    """All that one process did to another one's part of a window within an epoch."""

    @property
    def origin(self) -> Location | None:
        """The Location that accessed."""
    @property
    def target(self) -> Location | None:
        """The Location that was accessed."""
    @property
    def puts(self) -> int:
        """Number of puts."""
    @property
    def gets(self) -> int:
        """Number of gets."""
    @property
    def atomics(self) -> int:
        """Number of atomic operations."""
    @property
    def operations(self) -> int:
        """Number of all of them."""
    @property
    def bytes_put(self) -> int:
        """Bytes from the origin to the target, of all of them."""
    @property
    def bytes_got(self) -> int:
        """Bytes from the target to the origin, of all of them."""
    @property
    def last(self) -> Call | None:
        """The Call of the operation that was left last; None if there is none."""
    @property
    def origin_member(self) -> int:
        """In a RmaCollective: index of the origin in `collective.members`; else 0."""
    @property
    def target_member(self) -> int:
        """In a RmaCollective: index of the target in `collective.members`; else 0."""

class RmaCollective:
    """A collective operation on a window in which all members of the window took part."""

    @property
    def kind(self) -> RmaCollectiveKind:
        """Its RmaCollectiveKind."""
    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def paradigm(self) -> str:
        """Of the window: 'mpi', 'shmem', ..."""
    @property
    def collective(self) -> Collective:
        """The Collective; `comm` is the window's."""
    @property
    def accesses(self) -> list[RmaAccess]:
        """What was accessed since the previous collective on the window, outside of all other epochs, by origin and
        target; of a fence the epoch that it ends: list of RmaAccess."""

class RmaAccessTarget:
    """A target of an access epoch."""

    @property
    def target(self) -> Location | None:
        """The Location of the target."""
    @property
    def post(self) -> Call:
        """The Call of MPI_Win_post of the exposure epoch that the access epoch accesses."""
    @property
    def access(self) -> RmaAccess:
        """What was done to the target; its `operations` may be 0."""

class RmaEpochOperation:
    """An operation within an access epoch."""

    @property
    def call(self) -> Call:
        """The Call that started it."""
    @property
    def target(self) -> int:
        """Index into RmaAccessEpoch.targets."""

class RmaAccessEpoch:
    """What an origin accessed from MPI_Win_start to MPI_Win_complete."""

    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def start(self) -> Call:
        """The Call of MPI_Win_start."""
    @property
    def complete(self) -> Call:
        """The Call of MPI_Win_complete."""
    @property
    def targets(self) -> list[RmaAccessTarget]:
        """In the order of the group given to MPI_Win_start: list of RmaAccessTarget."""
    @property
    def operations(self) -> list[RmaEpochOperation]:
        """What was done, in order: list of RmaEpochOperation."""

class RmaExposureOrigin:
    """An origin of an exposure epoch."""

    @property
    def origin(self) -> Location | None:
        """The Location of the origin."""
    @property
    def start(self) -> Call:
        """The origin's Call of MPI_Win_start."""
    @property
    def complete(self) -> Call:
        """The origin's Call of MPI_Win_complete."""
    @property
    def access(self) -> RmaAccess:
        """What the origin did to this target; its `operations` may be 0."""

class RmaExposureEpoch:
    """What was exposed by a target from MPI_Win_post to MPI_Win_wait, or to the MPI_Win_test that was successful."""

    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def post(self) -> Call:
        """The Call of MPI_Win_post."""
    @property
    def wait(self) -> Call:
        """The Call of MPI_Win_wait or MPI_Win_test."""
    @property
    def origins(self) -> list[RmaExposureOrigin]:
        """In the order of the group given to MPI_Win_post: list of RmaExposureOrigin."""

class RmaLockEpoch:
    """A lock of a window that was held and released. Times in ticks."""

    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def target(self) -> Location | None:
        """The Location whose part of the window was locked; None: all of them (MPI_Win_lock_all), or a lock of
        SHMEM."""
    @property
    def lock(self) -> int:
        """The recorder's number of the lock."""
    @property
    def type(self) -> str:
        """'exclusive' or 'shared'."""
    @property
    def locked(self) -> Call:
        """The Call in which the lock was asked for."""
    @property
    def unlocked(self) -> Call:
        """The Call in which it was released."""
    @property
    def release_time(self) -> int:
        """When it was released, in ticks."""
    @property
    def accesses(self) -> list[RmaAccess]:
        """What was accessed meanwhile, by target: list of RmaAccess."""

class RmaProgressGap:
    """A time within a call in which the target of what the call does was outside of MPI and so could make no
    progress."""

    @property
    def begin(self) -> int:
        """Begin in ticks."""
    @property
    def end(self) -> int:
        """End in ticks."""
    @property
    def next(self) -> Call:
        """The Call of MPI in which the target went on, entered at `end`."""

class RmaPassiveCall:
    """A call that has to do with a lock of a window: that asks for it, accesses the window under it, completes such
    accesses or releases it (SHMEM: that asks for it). Times in ticks."""

    @property
    def call(self) -> Call:
        """The Call."""
    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def paradigm(self) -> str:
        """Of the window: 'mpi', 'shmem', ..."""
    @property
    def released(self) -> Call | None:
        """The Call that released a conflicting lock of another process while this one was in its call, the last one
        if there are several; None if there is none. Two shared locks do not conflict."""
    @property
    def release_time(self) -> int:
        """When it did, in ticks; means nothing if `released` is None."""
    @property
    def lock_known(self) -> bool:
        """False if it cannot be told which lock this is: SHMEM, where recorders name a lock by its address on each
        process, of which the offset in its page is known."""
    @property
    def gaps(self) -> list[RmaProgressGap]:
        """MPI: while the targets of the call were outside of MPI, within the call; ascending, without overlaps: list
        of RmaProgressGap."""

class RmaWaitChange:
    """A process that waited for its memory to be changed (shmem_wait_until)."""

    @property
    def call(self) -> Call:
        """The Call in which it waited."""
    @property
    def win(self) -> Window | None:
        """The Window, or None if the trace does not define it."""
    @property
    def changed(self) -> Call | None:
        """The Call of the operation of another process on this one's memory that was started last before the wait was
        left, if the two overlap; None if there is none."""

class PublishedWait:
    """What mpi_latesender and mpi_latereceiver publish: a message and the wait for it."""

    @property
    def message(self) -> Message:
        """The Message."""
    @property
    def wait(self) -> Wait:
        """The Wait for it."""

class Published:
    """A compound event that another pattern published: id of the pattern, and its data (None if it is a C++ pattern's that
    Python does not know)."""

    @property
    def pattern(self) -> str:
        """Id of the pattern that published it."""
    @property
    def data(self) -> Any:
        """The object that a Python pattern published; a PublishedWait of mpi_latesender and mpi_latereceiver; None for what Python does not know."""

class _Tables:
    """The tables of definitions, which all that has definitions shows."""

    @property
    def locations(self) -> tuple[Location, ...]:
        """All locations (threads, streams), by rank and thread: tuple of Location."""
    @property
    def processes(self) -> tuple[Process, ...]:
        """All processes, by rank: tuple of Process."""
    @property
    def regions(self) -> tuple[Region, ...]:
        """All regions (functions, loops, ...): tuple of Region."""
    @property
    def communicators(self) -> tuple[Communicator, ...]:
        """All communicators and thread teams: tuple of Communicator."""
    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups as recorded: tuple of Group."""
    @property
    def windows(self) -> tuple[Window, ...]:
        """All windows of one-sided communication: tuple of Window."""
    @property
    def system_tree(self) -> tuple[SystemTreeNode, ...]:
        """The machine: tuple of SystemTreeNode."""
    @property
    def attribute_definitions(self) -> tuple[AttributeDefinition, ...]:
        """What attribute lists of events may contain: tuple of AttributeDefinition."""
    @property
    def metric_members(self) -> tuple[MetricMember, ...]:
        """Counters: tuple of MetricMember."""
    @property
    def metric_definitions(self) -> tuple[MetricDefinition, ...]:
        """What metric events record: tuple of MetricDefinition."""
    @property
    def parameter_definitions(self) -> tuple[ParameterDefinition, ...]:
        """Parameters: tuple of ParameterDefinition."""
    @property
    def call_sites(self) -> tuple[CallSite, ...]:
        """Call sites: tuple of CallSite."""
    @property
    def recorded_call_paths(self) -> tuple[RecordedCallPath, ...]:
        """Call paths that the recorder defined: tuple of RecordedCallPath."""
    @property
    def source_code_locations(self) -> tuple[SourceCodeLocation, ...]:
        """Places in the source: tuple of SourceCodeLocation."""
    @property
    def calling_contexts(self) -> tuple[CallingContext, ...]:
        """Calling contexts of sampling: tuple of CallingContext."""
    @property
    def interrupt_generators(self) -> tuple[InterruptGenerator, ...]:
        """What interrupts for samples: tuple of InterruptGenerator."""
    @property
    def cart_dimensions(self) -> tuple[CartDimension, ...]:
        """Dimensions of topologies: tuple of CartDimension."""
    @property
    def cart_topologies(self) -> tuple[CartTopology, ...]:
        """Cartesian topologies: tuple of CartTopology."""
    @property
    def io_paradigms(self) -> tuple[IoParadigmDefinition, ...]:
        """Interfaces of input and output: tuple of IoParadigmDefinition."""
    @property
    def io_files(self) -> tuple[IoFile, ...]:
        """Files and folders that the program used: tuple of IoFile."""
    @property
    def io_handles(self) -> tuple[IoHandle, ...]:
        """Open files: tuple of IoHandle."""
    @property
    def markers(self) -> tuple[Marker, ...]:
        """Kinds of markers: tuple of Marker."""
    @property
    def definitions(self) -> dict[str, tuple[Any, ...]]:
        """All tables of definitions by the names that they have here (locations, regions, ...): a new dict of tuples."""
    @property
    def call_paths(self) -> tuple[CallPath, ...]:
        """All call paths, parents before children: tuple of CallPath."""
    @property
    def strings(self) -> tuple[str, ...]:
        """Texts that events refer to: tuple of str."""
    @property
    def clock(self) -> Clock:
        """The timer: a Clock with `resolution`, in ticks per second."""
    @property
    def recorder(self) -> Recorder:
        """What the trace says of its origin: a Recorder."""

class RunTrace(_Tables):
    """The trace that is being analysed, as a pattern sees it: its definitions, and events by position."""

    def event(self, pos: SupportsIndex | None, /) -> Event:
        """The event at a position; during event callbacks, and of the earlier events those that something can still point
        to: links of the current event always lead to one, and so does the enterptr of the event found. Raises IndexError
        for one that has been let go or is still to come, UsageError outside of event callbacks and in
        batches."""

def _wait_dtype() -> numpy.dtype[Any]: ...
def _path(path: str | os.PathLike[str]) -> str: ...
def _integers(numbers: Any, name: str) -> numpy.typing.NDArray[numpy.int64]: ...

class _PatternContext:
    def add(self, callpath: Any, location: Any, value: int, metric: int | str = 0) -> None: ...
    def add_call(self, call: Call, value: int, metric: int | str = 0) -> None: ...
    def add_wait(self, call: Call | Wait, ticks: int = 0, culprit: Call | None = None, begin: int | None = None,
                 metric: int | str = 0) -> Wait: ...
    def add_instance(self, wait: Wait, metric: int | str = 0) -> None: ...
    def add_many(self, callpaths: Any, locations: Any, values: Any, metric: int | str = 0) -> None: ...
    def add_calls(self, calls: numpy.typing.NDArray[Any], values: Any, metric: int | str = 0,
                  where: Any = None) -> None: ...
    def add_instances(self, waits: numpy.typing.NDArray[Any], metric: int | str = 0, operations: Any = None,
                      where: Any = None) -> None: ...
    def add_waits(self, calls: numpy.typing.NDArray[Any], ticks: Any = None,
                  culprits: numpy.typing.NDArray[Any] | None = None, begin: Any = None, metric: int | str = 0,
                  operations: Any = None, where: Any = None) -> None: ...
    def publish(self, compound_event: object) -> None: ...
    def watch_overtaking(self, message: Message, wait: Wait) -> None: ...
    def set_receive_wait(self, ticks: int) -> None: ...
    def callpath_name(self, callpath: Any) -> str: ...
    def value(self, metric: str, callpath: Any, location: Any) -> int: ...

class _WaitGraphData:
    @property
    def vertices(self) -> list[tuple[int, str, tuple[int, int], tuple[int, int]]]: ...
    @property
    def cells(self) -> list[tuple[int, int, int, int]]: ...
    @property
    def heaviest(self) -> list[tuple[int, int, int, int]]: ...
    @property
    def culprits(self) -> list[int]: ...
    @property
    def victims(self) -> list[int]: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def total(self) -> tuple[int, int]: ...
    @property
    def without_culprit(self) -> tuple[int, int]: ...
    @property
    def in_crowds(self) -> tuple[int, int]: ...
    @property
    def components(self) -> list[tuple[list[int], tuple[int, int], list[int], int]]: ...
    def dot(self) -> str: ...
    def graphml(self) -> str: ...

class _AnalysisResult(_Tables):
    @property
    def path(self) -> str: ...
    @property
    def events(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def collectives(self) -> int: ...
    @property
    def duration(self) -> int: ...
    @property
    def first_time(self) -> int: ...
    @property
    def resolution(self) -> int: ...
    @property
    def depth_first(self) -> list[int]: ...
    @property
    def call_path_parents(self) -> list[int | None]: ...
    @property
    def call_path_count(self) -> int: ...
    @property
    def location_count(self) -> int: ...
    @property
    def events_by_type(self) -> dict[str, int]: ...
    @property
    def location_summaries(self) -> list[tuple[int, int, int]]: ...
    @property
    def patterns(self) -> list[tuple[str, dict[str, str]]]: ...
    def metric_table(self) -> list[tuple[str, str, str, str, int | None, bool, str, float]]: ...
    @property
    def counters(self) -> list[tuple[int, str, str, str, bool, list[tuple[int, int, int, int, float, float]]]]: ...
    def columns(self, inclusive: bool) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32],
                                                numpy.typing.NDArray[numpy.int64]]: ...
    def waits(self) -> dict[str, Any]: ...
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    def text(self, full: bool, top: int | None, width: int) -> str: ...
    def csv(self) -> str: ...
    def json(self) -> str: ...
    def write(self, path: str, format: str, full: bool) -> None: ...
    def wait_graph(self, metrics: list[str], level: str) -> _WaitGraphData: ...

class _Registry:
    def __init__(self) -> None: ...
    def add(self, pattern: Pattern, origin: str) -> None: ...
    def replace(self, pattern: Pattern) -> None: ...
    def load(self, path: str | bytes) -> None: ...
    def set(self, parameter: str, value: str) -> None: ...
    def entries(self) -> list[dict[str, Any]]: ...
    def explain(self, id: str) -> str: ...
    def listing(self) -> str: ...
    def analyze(self, path: str | bytes, nothing: bool, only: Sequence[str], without: Sequence[str], region: str,
                locations: Sequence[int] | None, time: tuple[int, int] | None, threads: int, chunk_events: int,
                progress: Callable[[int, int], object] | None, counters: bool, rma_model: str) -> _AnalysisResult: ...

def _open_report(path: str | bytes) -> _AnalysisResult: ...
