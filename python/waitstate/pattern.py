"""Patterns in Python: a pattern is a class with the callbacks that it wants, and nothing else. (Long because each
callback is documented here.)

    class HugeMessages(waitstate.Pattern):
        '''Messages of at least `threshold` bytes.

        diagnosis   send fewer bytes
        '''
        parent, unit = "comms_recv", "occ"
        parameters = {"threshold": (65536, "bytes", "Smallest number of bytes that counts.", 0)}

        def completed_receives_callback(self, receives):
            for message in receives.messages:
                if message.bytes >= self.threshold:
                    self.add_call(receives.call, 1)

A file with such classes is a plug-in: `waitstate analyze --plugin huge_messages.py TRACE`, or in Python
`waitstate.analyze(trace, plugins=["huge_messages.py"])`. A callback that a class does not define costs nothing.
"""

from __future__ import annotations

import ast
import copy
import pickle
import difflib
import functools
import inspect
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from waitstate import _core
from waitstate._core import UsageError

if TYPE_CHECKING:
    Value = Union[int, float, str]
    Array = npt.NDArray[Any]
    Ints = Union[int, npt.ArrayLike]
    CallPathId = Union[int, _core.CallPath]
    LocationId = Union[int, _core.Location]

UNITS = ("sec", "occ", "bytes")

# Keys of the facts that a docstring may state about a pattern, as the comment of a C++ pattern does: a key, two blanks or
# more, a text that continues in indented lines.
_KEYS = ("severity", "charged to", "state", "source", "differs", "diagnosis")

_CALLBACK = re.compile(r".*_(callback|batch)$")


class Pattern:
    """Base class of patterns. Write the callbacks that you want. These are their names and arguments:

    event callbacks, in the order of the one stream of events, each with an Event (they make the engine order all
    events, which takes about as long again as an analysis without them):
        enter_callback, exit_callback, send_callback, recv_callback (non-blocking ones included),
        metric_callback (counter records: `counters`), event_callback (all other types)
    compound events, with all participants at hand:
        completed_receives_callback, completed_sends_callback, message_search_callback, collective_callback,
        completed_collectives_callback, other_collective_callback, handle_creation_callback, team_barrier_callback,
        task_idle_callback, unused_threads_callback,
        lock_acquired_callback, device_wait_callback, overtaken_callback, published_callback;
        of one-sided communication: rma_operation_callback, rma_collective_callback, rma_access_epoch_callback,
        rma_exposure_epoch_callback, rma_lock_epoch_callback, rma_passive_call_callback, rma_wait_change_callback;
        and, once the trace has been read, mpi_account_callback
    the same events as structured NumPy arrays of a thousand rows at a time, for speed. Every callback has such a form,
    named with _batch instead of _callback, except for two: send_callback and recv_callback have none (matched messages
    are given to completed_sends_batch and completed_receives_batch). Batches of compound events:
        completed_receives_batch (a row a received message), completed_sends_batch (a message whose send completed),
        message_search_batch, collective_batch (a member of an operation), completed_collectives_batch (an operation),
        other_collective_batch, handle_creation_batch, team_barrier_batch (a thread), task_idle_batch, unused_threads_batch, lock_acquired_batch, device_wait_batch,
        overtaken_batch, published_batch (of mpi_latesender and mpi_latereceiver only), rma_operation_batch,
        rma_collective_batch, rma_access_epoch_batch, rma_exposure_epoch_batch, rma_lock_epoch_batch,
        rma_passive_call_batch, rma_wait_change_batch, mpi_account_batch;
    and batches of single events: enter_batch, exit_batch, metric_batch, event_batch
    Both forms see the same events in the same order. In all arrays times and numbers of bytes are int64, references
    to definitions int32 with -1 for none, kinds and types uint8 (numbers of the enumerations), flags bool, and `number`
    (int64) counts the compound events from 0. A number of a definition leads to its object through the table of it:
    self.trace.locations[number], self.trace.call_paths[number]. Arrays may be kept. The last batch comes before wrapup().

    functions that are called before and after them: configure(parameters), init(), merge(other), wrapup(), severity(),
        confidence().

    A class describes itself in class attributes. All have defaults, so a class with one callback is complete:

    id             id of the metric (default: the class's name in snake_case)
    parent         id of the metric above, "" for none (default)
    unit           "sec" (default; values are added in ticks), "occ" (occurrences) or "bytes"
    within_parent  True (default): the value is a share of the parent's, at most as large in each call path on each
                   location. False: the parent's value includes it.
    metric_kind    "wait" (time in which one location waits for another), "completion" (of an operation once all members
                   are in it), "idleness" (of threads without anything to do) or "other" (default)
    title, summary for people (default: from the id, and the first paragraph of the docstring)
    metrics        further metrics: a list of dicts with these keys
    parameters     dict of name to default value, or to (default, unit, summary, minimum, maximum), of which the last ones
                   may be left out; the type is that of the default. A minimum or maximum of None is none.
    needs          ids of patterns that have to run before this one, wherever they are defined; published_callback is
                   given the objects that they publish
    needs_stack    True if it asks self.trace.stack() in its event callbacks (default: False)
    needs_queue    True if it asks self.trace.queue() there (default: False)
    message_queues True if the analysis is to keep the message queues of each process: Result.queues, and
                   message.seen_time in callbacks (default: False)
    in_parts       True if several objects of the class may share a trace, each of which is given the events of some
                   processes (default: False: one is given all, in one order). Then several threads read and link, each with
                   an object of its own; see merge(). Python itself runs one of them at a time, so that is worth it for
                   batches, and for patterns that are given few events. It has no effect with event callbacks.

    The rest is in its docstring under the keys severity, charged to, state, source, differs, diagnosis. `self.trace`
    has the definitions (trace.locations, trace.regions, ...) and, during event callbacks, trace.event(position), the
    open regions of a location, trace.stack(loc), and the messages in flight, trace.queue(src, dest).
    """

    id: str | None = None
    parent: str = ""
    unit: str = "sec"
    within_parent: bool = True
    metric_kind: str = "other"
    title: str | None = None
    summary: str | None = None
    metrics: Iterable[Mapping[str, Any]] = ()
    parameters: Mapping[str, Any] = {}
    needs: Iterable[str] = ()
    needs_stack: bool = False
    needs_queue: bool = False
    message_queues: bool = False
    in_parts: bool = False

    #: The engine behind self.add and its like; there once an analysis has begun with the pattern.
    _context: _core._PatternContext | None = None
    #: An analysis of waitstate.analyze() runs with this object.
    _takes_part: bool = False
    #: The trace that is being analysed: a RunTrace.
    trace: _core.RunTrace

    # ---- around the callbacks ----

    def configure(self, parameters: dict[str, Value]) -> None:
        """Called first, with the values of the declared parameters (a dict). By default it turns them into
        attributes."""
        for name, value in parameters.items():
            setattr(self, name, value)

    def init(self) -> None:
        """Called before the first callback of a trace. It has to reset the pattern, which may run on several traces. A
        trace in which sends were cancelled is read twice, because the first reading takes their messages for
        received."""

    def wrapup(self) -> None:
        """Called after the last callback of a trace, all batches included."""

    def merge(self, other: Pattern) -> None:
        """Is called if in_parts is set. Adds what `other`, an object of the same class, has kept beside values, when both have
        been given all their events. What they have added with add() and its like is added up by the engine. `other` does not
        get wrapup(). Before the first event each object is a deep copy of the one that takes part. The events of one receiving
        location, and the members of one operation, stay together and in their order; nothing else does. `number` in
        batches counts the events of each object."""

    def confidence(self) -> float:
        """The confidence that a severity above zero means what the pattern says, 0 to 1."""
        return 1.0

    def severity(self) -> dict[tuple[CallPathId, LocationId], int] | int | None:
        """The result of a pattern that keeps its own sum instead of calling add(). It is asked for after wrapup and is a dict of
        (callpath, location) to value, or one number, whole and at least 0. A number has no place; it is charged to the first
        call path of the first location, and is a share of its parent as a whole. This method of the base class returns None:
        nothing. One of your own that returns None lacks its return statement."""
        return None

    def undetermined(self, evidence: _core.TraceEvidence) -> Iterable[tuple[int | str, str]]:
        """Called once at the end of an analysis: yields (metric, sentence) for each metric of the pattern (by index or
        id) that the trace does not tell in full, with the reason. Reports then say so instead of showing a zero. The
        evidence is valid during this call only."""
        return ()

    def headline(self, facts: _core.ReportFacts) -> str:
        """A line for the top of the report as text, as "label: text"; "" for none."""
        return ""

    # ---- callbacks ----

    def enter_callback(self, enter: _core.Event) -> None:
        """A region was entered: an Event."""

    def exit_callback(self, exit: _core.Event) -> None:
        """A region was left: an Event, whose enterptr is its own enter."""

    def send_callback(self, send: _core.Event) -> None:
        """A message was sent (or a non-blocking send started): an Event."""

    def recv_callback(self, recv: _core.Event) -> None:
        """A message was received (a non-blocking receive completed): an Event; sendptr is None if its send is not in the
        trace."""

    def metric_callback(self, metric: _core.Event) -> None:
        """Counters were recorded: an Event. Their sums per call path need no callback: in wrapup(), and in every
        Result, each counter is a metric."""

    def event_callback(self, event: _core.Event) -> None:
        """An event that is not an enter, exit, send or receive: an Event. Counter records only if the pattern has
        neither metric_callback nor metric_batch."""

    def completed_receives_callback(self, receives: _core.CompletedReceives) -> None:
        """A call in which receives completed: a CompletedReceives. Per location in the order of the calls; receives whose
        send is not in the trace are left out."""

    def completed_sends_callback(self, sends: _core.CompletedSends) -> None:
        """A call in which sends completed: a CompletedSends. Calls come in no particular order."""

    def message_search_callback(self, search: _core.MessageSearch) -> None:
        """The calls in which a thread looked for a message before it received it (MPI_Probe, MPI_Iprobe, MPI_Test and the
        like): a MessageSearch."""

    def overtaken_callback(self, overtaken: _core.Overtaken) -> None:
        """A message that watch_overtaking() named was received before an older one: an Overtaken."""

    def collective_callback(self, collective: _core.Collective) -> None:
        """A complete blocking collective operation: a Collective. MPI_Init and MPI_Finalize are given as well; operations of
        one process are not, nor those that only create or free handles, such as MPI_Comm_split."""

    def completed_collectives_callback(self, completed: _core.CompletedCollectives) -> None:
        """A call that completed non-blocking collective operations: a CompletedCollectives."""

    def other_collective_callback(self, other: _core.OtherCollective) -> None:
        """A complete collective operation that collective_callback is not given: an OtherCollective. This is a
        non-blocking operation, with all members; an operation that creates a communicator; or an operation among
        neighbours that are not known."""

    def handle_creation_callback(self, creation: _core.HandleCreation) -> None:
        """A complete operation that creates a communicator or another handle: a HandleCreation. other_collective_callback
        is given it too."""

    def team_barrier_callback(self, barrier: _core.TeamBarrier) -> None:
        """A barrier that all threads of a team have passed: a TeamBarrier."""

    def device_wait_callback(self, wait: _core.DeviceWait) -> None:
        """A call that waits for an accelerator, and the activities of the device meanwhile: a DeviceWait. Calls come in
        no particular order."""

    def task_idle_callback(self, idle: _core.TaskIdle) -> None:
        """A barrier or taskwait in which a thread was idle while no task of its team was ready: a TaskIdle."""

    def unused_threads_callback(self, unused: _core.UnusedThreads) -> None:
        """An interval of time in which threads took no part in the work of the first thread of their process: a
        UnusedThreads."""

    def lock_acquired_callback(self, acquired: _core.LockAcquired) -> None:
        """A lock was acquired that another thread had owned before: a LockAcquired."""

    def rma_operation_callback(self, operation: _core.RmaOperation) -> None:
        """A one-sided operation that is complete: a RmaOperation. Operations that one call completes come in no
        particular order; operations that nothing completes are left out."""

    def rma_collective_callback(self, collective: _core.RmaCollective) -> None:
        """A collective operation on a window in which all its members took part: a RmaCollective."""

    def rma_access_epoch_callback(self, epoch: _core.RmaAccessEpoch) -> None:
        """An origin has accessed a window from MPI_Win_start to MPI_Win_complete: a RmaAccessEpoch. It comes once all targets'
        posts are known."""

    def rma_exposure_epoch_callback(self, epoch: _core.RmaExposureEpoch) -> None:
        """A target has exposed its memory from MPI_Win_post to MPI_Win_wait: a RmaExposureEpoch. It comes once all origins'
        epochs are known."""

    def rma_lock_epoch_callback(self, epoch: _core.RmaLockEpoch) -> None:
        """A lock of a window that was held and released: a RmaLockEpoch. Per origin in the order of releases."""

    def rma_passive_call_callback(self, passive: _core.RmaPassiveCall) -> None:
        """A call that concerns a lock of a window: a RmaPassiveCall. In the order of their exits."""

    def rma_wait_change_callback(self, change: _core.RmaWaitChange) -> None:
        """A process that waited for its memory to be changed (shmem_wait_until): a RmaWaitChange."""

    def mpi_account_callback(self, account: _core.MpiAccount) -> None:
        """An account of the time in the MPI calls of one call path on one location: a MpiAccount. It comes once the
        trace has been read."""

    def published_callback(self, published: _core.Published) -> None:
        """A compound event that a pattern named in `needs` published: a Published."""

    # ---- batches ----

    def completed_receives_batch(self, messages: Array) -> None:
        """The events of completed_receives_callback, a row a message: number (of the call; rows of one call follow each
        other), sender, receiver, comm, tag, bytes, send_time, recv_time, and the calls send, recv_post, recv. A call has
        location, callpath, region, function (MpiFunction), enter, exit, and the intervals before and previous, each with
        callpath, begin, end: `messages["send"]["enter"]`."""

    def completed_sends_batch(self, messages: Array) -> None:
        """The events of completed_sends_callback, a row a message: the fields of completed_receives_batch, `call`, which
        completed the send, and receive_wait (ticks)."""

    def message_search_batch(self, searches: Array, calls: Array) -> None:
        """The events of message_search_callback. searches: number, send and recv (calls; location -1 if nothing
        was found), comm, tag, bytes. calls, in their order: number (of the search), call, begin, end, ticks."""

    def overtaken_batch(self, overtaken: Array) -> None:
        """The events of overtaken_callback: number, wait (with location, callpath, enter, exit, begin, ticks, culprit,
        culprit_callpath), source, bytes, overtaker. Messages are watched in completed_receives_callback."""

    def collective_batch(self, members: Array) -> None:
        """The events of collective_callback, a row a member: number (of the operation), kind (CollectiveKind), op
        (CollectiveOp), neighbourhood, comm, rank, size, root (-1: none), group_a, begin, end, bytes_sent, bytes_received,
        call. All members of an operation are in one batch, by rank. Only collective_callback is given the neighbours of
        each member."""

    def completed_collectives_batch(self, completions: Array) -> None:
        """The events of completed_collectives_callback, a row an operation: number (of the call), kind, op, awaits, comm,
        call, started, awaited (valid if awaits)."""

    def other_collective_batch(self, operations: Array, members: Array) -> None:
        """The events of other_collective_callback. operations: number, kind, op, comm, nonblocking, root (2**32 - 1:
        none), group_a, neighbourhood, has_neighbours. members, those of one operation by rank: number (of the
        operation), started, completed, begin, end, bytes_sent, bytes_received. Only other_collective_callback is given
        the neighbours of each member."""

    def handle_creation_batch(self, operations: Array, members: Array) -> None:
        """The events of handle_creation_callback. operations: number, op, comm, nonblocking. members, those of one operation
        by rank: as those of other_collective_batch."""

    def team_barrier_batch(self, threads: Array) -> None:
        """The events of team_barrier_callback, a row a thread: number (of the barrier), region_class, call. Only
        team_barrier_callback is given the tasks that were executed meanwhile."""

    def task_idle_batch(self, calls: Array, parts: Array) -> None:
        """The events of task_idle_callback. calls: number, call. parts, those of one call in order: number (of the call),
        begin, end, created, culprit, culprit_callpath, culprit_time, idle_since."""

    def device_wait_batch(self, waits: Array, parts: Array) -> None:
        """The events of device_wait_callback. waits: number, call. parts, those of one wait in order: number (of the wait),
        begin, end, copy, stream, callpath."""

    def unused_threads_batch(self, intervals: Array, members: Array) -> None:
        """The events of unused_threads_callback. intervals: number, master, begin, end, callpath, parallel. members, those
        that took part in a parallel region, in no particular order: number (of the interval), location. waits_of()
        makes waits of them, and add_instances(waits, operations=intervals["number"]) makes one instance of the waits of
        each interval."""

    def lock_acquired_batch(self, locks: Array) -> None:
        """The events of lock_acquired_callback: number, call, acquire_time, released, release_time."""

    def rma_operation_batch(self, operations: Array) -> None:
        """The events of rma_operation_callback, a row an operation: number, kind (RmaOperationKind), win, origin,
        target (-1: none), bytes_put, bytes_got, call, start, completed, completion."""

    def rma_collective_batch(self, members: Array, accesses: Array) -> None:
        """The events of rma_collective_callback. members: the fields of collective_batch, rma_kind (RmaCollectiveKind),
        win, paradigm. accesses: number (of the operation), origin, target, puts, gets, atomics, bytes_put, bytes_got,
        origin_member, target_member (rows of `members` of that number, from 0), accessed, last (a call; valid if
        accessed)."""

    def rma_access_epoch_batch(self, epochs: Array, targets: Array, operations: Array) -> None:
        """The events of rma_access_epoch_callback. epochs: number, win, start, complete. targets, those of one epoch in
        order: number (of the epoch), target, post, access (the fields of accesses in rma_collective_batch but number).
        operations: number (of the epoch), target, target_index (among the epoch's targets), call."""

    def rma_exposure_epoch_batch(self, epochs: Array, origins: Array) -> None:
        """The events of rma_exposure_epoch_callback. epochs: number, win, post, wait. origins, those of one epoch in
        order: number (of the epoch), origin, start, complete, access (as in rma_access_epoch_batch)."""

    def rma_lock_epoch_batch(self, epochs: Array, accesses: Array) -> None:
        """The events of rma_lock_epoch_callback. epochs: number, win, target (-1: all), lock, type (0: exclusive,
        1: shared), locked, unlocked, release_time. accesses: as in rma_collective_batch, with the number of the epoch."""

    def rma_passive_call_batch(self, calls: Array, gaps: Array) -> None:
        """The events of rma_passive_call_callback. calls: number, call, win, paradigm, conflict, lock_known, released
        (valid if conflict), release_time. gaps, those of one call in order: number (of the call), begin, end, next."""

    def rma_wait_change_batch(self, changes: Array) -> None:
        """The events of rma_wait_change_callback: number, call, win, is_known, changed (a call; valid if is_known)."""

    def mpi_account_batch(self, accounts: Array) -> None:
        """The events of mpi_account_callback: number, callpath, location, wait, transfer, local, without_partner,
        without_member, without_start (ticks)."""

    def published_batch(self, published: Array) -> None:
        """The events of published_callback that mpi_latesender and mpi_latereceiver publish, a row a wait: the fields of
        completed_receives_batch, wait (as in overtaken_batch), late_receiver (true: of mpi_latereceiver). Objects of
        other patterns are given only to published_callback."""

    def enter_batch(self, events: Array) -> None:
        """The events of enter_callback, a row an event: pos, time, loc, type (index into event_types), callpath, region
        (of enters and exits), enterptr, sendptr, requestptr, beginptr, startptr, originptr (positions, -1: none), and
        attributes: six numbers each, the attributes of the type in the order in which an Event has them as keys (a
        reference to nothing: 4294967295)."""

    def exit_batch(self, events: Array) -> None:
        """The events of exit_callback, as in enter_batch."""

    def metric_batch(self, events: Array, values: Array) -> None:
        """The events of metric_callback. events: as in enter_batch. values, those of one record in the order of its
        counters: pos (of the record), index (of the counter, from 0; int32), real, whole (int64: the value if it is not
        real, else 0; a uint64 from 2^63 on is negative), value (float64; rounded if it is whole and beyond 2^53)."""

    def event_batch(self, events: Array) -> None:
        """The events of event_callback, as in enter_batch; counter records only if the pattern has neither metric_callback
        nor metric_batch. Sends and receives come as messages: completed_sends_batch, completed_receives_batch."""

    # ---- what the engine offers; during callbacks only ----

    def _now(self) -> _core._PatternContext:
        if self._context is None:
            raise UsageError("add() and the like are available only during the callbacks of a running analysis")
        return self._context

    def add(self, callpath: CallPathId, location: LocationId, value: int, metric: int | str = 0) -> None:
        """Adds ticks, occurrences or bytes, by the unit of the metric (an index or an id; 0: the pattern's first). A
        value that is added in an event callback counts if the event is in the chosen time (Focus.time); anywhere else
        it counts whatever the chosen time is, since only add_call() and add_wait() know its time."""
        self._now().add(callpath, location, value, metric)

    def add_call(self, call: _core.Call, value: int, metric: int | str = 0) -> None:
        """Adds to a call's call path and location. Counts if the call was entered in the chosen time."""
        self._now().add_call(call, value, metric)

    def add_wait(self, call: _core.Call | _core.Wait, ticks: int = 0, culprit: _core.Call | None = None,
                 begin: int | None = None, metric: int | str = 0) -> _core.Wait:
        """Adds a Wait that another pattern published, or a wait of `ticks` in a call, from `begin` on (default: the
        call's enter), that another Call caused; statistics, instances and the graph of waits are made of these waits.
        Returns the Wait."""
        return self._now().add_wait(call, ticks, culprit, begin, metric)

    def add_instance(self, wait: _core.Wait, metric: int | str = 0) -> None:
        """Records only the instance of a Wait whose ticks are added in another way."""
        self._now().add_instance(wait, metric)

    def add_many(self, callpaths: Ints, locations: Ints, values: Ints, metric: int | str = 0) -> None:
        """Does what add() does, for arrays of the same length, or numbers that hold for all rows. In batches, also
        those of single events, the values count whatever the chosen time is: choose the rows by their times, or use
        add_calls(). Here and in add_calls() and add_waits() numbers are whole: raises TypeError for floating-point
        numbers, even without a fraction, and OverflowError for numbers that do not fit into int64."""
        self._now().add_many(callpaths, locations, values, metric)

    def add_calls(self, calls: Array, values: Ints, metric: int | str = 0, where: npt.ArrayLike | None = None) -> None:
        """Does what add_call() does, for an array of calls, e.g. messages['recv'], and an array of values, or one value
        for all; only for the rows in which `where` is true, or, if it has whole numbers, for the rows that it lists.
        This is faster than selecting the calls first, which copies them field by field."""
        self._now().add_calls(calls, values, metric, where)

    def add_instances(self, waits: Array, metric: int | str = 0, operations: Ints | None = None,
                      where: npt.ArrayLike | None = None) -> None:
        """Does what add_instance() does, for an array of waits, e.g. published["wait"] or the result of waits_of();
        `operations` and `where` are as in add_waits()."""
        self._now().add_instances(waits, metric, operations, where)

    def add_waits(self, calls: Array, ticks: Ints | None = None, culprits: Array | None = None, begin: Ints | None = None,
                  metric: int | str = 0, operations: Ints | None = None, where: npt.ArrayLike | None = None) -> None:
        """Does what add_wait() does, for arrays: calls, ticks, the culprits' calls, begins; or for an array of waits
        instead, e.g. published["wait"]. Only the rows in which `where` is true, or which it lists, are added. In
        collective_batch, rma_collective_batch, team_barrier_batch and unused_threads_batch `operations` (the column
        `number`) says which waits belong to one operation: together they are one instance; without it, each wait is one
        by itself."""
        self._now().add_waits(calls, ticks, culprits, begin, metric, operations, where)

    def waits_of(self, intervals: Array, locations: npt.ArrayLike) -> Array:
        """The waits of threads that were idle during intervals of unused_threads_batch, as UnusedThreads.wait_of() gives
        them: location i during intervals[i]; either may be a single value for all. An array with the fields of a wait
        (see overtaken_batch), as add_instances() and add_waits() take it; they ignore intervals whose callpath is
        -1."""
        where = _core._integers(locations, "locations")
        if where.size and not -1 <= where.min() <= where.max() < 1 << 31:
            raise OverflowError(f"locations has numbers from {where.min()} to {where.max()}, expected those of locations")
        waits = np.zeros(np.broadcast_shapes(where.shape, np.shape(intervals)), _core._wait_dtype())
        waits["location"], waits["culprit"] = where, intervals["master"]
        waits["callpath"] = waits["culprit_callpath"] = intervals["callpath"]
        waits["enter"] = waits["begin"] = intervals["begin"]
        waits["exit"], waits["ticks"] = intervals["end"], intervals["end"] - intervals["begin"]
        return waits

    def publish(self, compound_event: object) -> None:
        """Gives an object at once to the patterns that need this one: to their published_callback."""
        self._now().publish(compound_event)

    def watch_overtaking(self, message: _core.Message, wait: _core.Wait) -> None:
        """In completed_receives_callback, or in a published_callback for an object that was published there: asks for
        an overtaken_callback if a later receive of the same location turns out to be of an older message. `wait` is
        passed to that callback."""
        self._now().watch_overtaking(message, wait)

    def set_receive_wait(self, ticks: int) -> None:
        """In completed_receives_callback: how long the call waited for its receives; see
        CompletedSends.receive_wait_ticks."""
        self._now().set_receive_wait(ticks)

    def value(self, metric: str, callpath: CallPathId, location: LocationId) -> int:
        """In wrapup: the value of any metric in a call path (without callees) on a location so far, including the
        metrics below it; ticks, occurrences or bytes. Raises UsageError anywhere else, since no value is complete
        earlier."""
        return self._now().value(metric, callpath, location)

    def seconds(self, ticks: float) -> float:
        """Ticks in seconds."""
        return ticks / self.trace.clock.resolution


OFFERED = ("add", "add_call", "add_wait", "add_instance", "add_many", "add_calls", "add_waits", "add_instances",
           "publish", "watch_overtaking", "set_receive_wait", "value")
CALLBACKS = tuple(name for name in vars(Pattern) if _CALLBACK.match(name))


# ---- for the engine ----

def own_method(pattern: Pattern, name: str) -> Any:
    """The pattern's method of that name, None if it is the base class's. Raises UsageError for one whose body a call does
    not run."""
    found = getattr(pattern, name, None)
    if found is None or getattr(found, "__func__", None) is getattr(Pattern, name):
        return None
    kind = ("is a coroutine (async def)" if inspect.iscoroutinefunction(found) or inspect.isasyncgenfunction(found) else
            "is a generator (it has a yield)" if inspect.isgeneratorfunction(found) else
            "" if callable(found) else f"is {found!r}, which cannot be called")
    if kind:
        raise UsageError(f"class {type(pattern).__name__}: {name} {kind}, expected a method that does its work when it is "
                         f"called")
    return found


def taking_part(pattern: Pattern) -> None:
    """Notes that an analysis begins. Only this object knows of it, neither its class nor other objects of the class."""
    if pattern._takes_part:
        cls = type(pattern).__name__
        raise UsageError(f"this {cls} takes part in an analysis that is not over, and cannot take part in two at "
                         f"once: it would mix their data. Give each analysis a {cls}() of its own, or the class")
    pattern._takes_part = True


#: What begin() gives a pattern: it belongs to one run.
_OF_A_RUN = ("_context", "_takes_part", "trace")


def runs_in_parts(pattern: Pattern) -> bool:
    if not isinstance(pattern.in_parts, bool):
        raise UsageError(f"class {type(pattern).__name__}: in_parts is {pattern.in_parts!r}, expected True or False")
    return pattern.in_parts


def another(pattern: Pattern) -> Pattern:
    """A copy for another part of the trace."""
    made = copy.copy(pattern)
    kept = {name: value for name, value in vars(pattern).items() if name not in _OF_A_RUN and name not in OFFERED}
    made.__dict__.clear()
    made.__dict__.update(copy.deepcopy(kept))
    return made


def state(pattern: Pattern) -> bytes:
    """All that merge() may look at, for the same pattern in another process."""
    kept = {name: value for name, value in vars(pattern).items() if name not in _OF_A_RUN and name not in OFFERED}
    return pickle.dumps(kept)


def restore(pattern: Pattern, state: bytes) -> None:
    pattern.__dict__.update(pickle.loads(state))


def begin(pattern: Pattern, context: _core._PatternContext, trace: _core.RunTrace) -> None:
    """Gives the pattern the functions of the engine, directly as attributes: a call through methods of the class would
    take twice as long."""
    pattern._context = context
    for name in OFFERED:
        if getattr(type(pattern), name) is getattr(Pattern, name):
            setattr(pattern, name, getattr(context, name))
    pattern.trace = trace


def configured(pattern: Pattern, parameters: dict[str, Value]) -> None:
    pattern.configure(parameters)


def add_severity(pattern: Pattern) -> None:
    found = pattern.severity()
    if not isinstance(found, dict):
        whole = _whole_severity(found)
        if whole:
            pattern._now().add_without_place(whole)
        return
    for (callpath, location), value in found.items():
        pattern._now().add(callpath, location, _whole_severity(value))


def _whole_severity(value: Any) -> int:
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole != value or whole < 0:
        raise UsageError(f"severity() gave {value!r}, expected whole ticks, occurrences or bytes, at least 0")
    return whole


def says(pattern: Pattern, name: str) -> bool:
    """True if the pattern itself defines a method of that name."""
    return getattr(type(pattern), name) is not getattr(Pattern, name) or name in vars(pattern)


def undetermined_of(pattern: Pattern, evidence: _core.TraceEvidence) -> list[tuple[int | str, str]]:
    answers = []
    for answer in pattern.undetermined(evidence) or ():
        if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[1], str):
            raise UsageError(f"undetermined() gave {answer!r}, expected (metric, sentence)")
        answers.append(answer)
    return answers


def headline_of(pattern: Pattern, facts: _core.ReportFacts) -> str:
    line = pattern.headline(facts)
    if not isinstance(line, str):
        raise UsageError(f"headline() gave {line!r}, expected a str")
    return line


def place_of(cls: type[Pattern]) -> str:
    """Where a class is defined, as FILE:LINE; "" if that is in no file."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    try:
        line = _lines_of_classes(file, os.stat(file).st_mtime_ns).get(cls.__qualname__)
    except (OSError, ValueError):
        return ""
    return f"{file}:{line}" if line else ""


@functools.lru_cache(maxsize=64)
def _lines_of_classes(file: str, changed: int) -> dict[str, int]:
    """The lines of classes by qualified name. The source is parsed once, and not once for each class as inspect
    does."""
    with open(file, "rb") as source:
        try:
            open_nodes: list[tuple[ast.AST, str]] = [(ast.parse(source.read()), "")]
        except (SyntaxError, RecursionError):
            return {}
    lines = {}
    while open_nodes:
        node, prefix = open_nodes.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                lines[prefix + child.name] = child.lineno
                open_nodes.append((child, f"{prefix}{child.name}."))
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                open_nodes.append((child, f"{prefix}{child.name}.<locals>."))
            elif isinstance(child, (ast.stmt, ast.excepthandler)):
                open_nodes.append((child, prefix))
    return lines


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _docstring(cls: type[Pattern]) -> tuple[str, dict[str, str]]:
    """The first paragraph, and the texts under the keys."""
    text = inspect.cleandoc(cls.__doc__ or "")
    paragraph, _, rest = text.partition("\n\n")
    entries: dict[str, str] = {}
    key = None
    for line in rest.splitlines():
        start = re.match(rf"({'|'.join(_KEYS)})(?:\s{{2,}}|:\s*)(.*)", line)
        if start:
            key = start.group(1)
            entries[key] = start.group(2).strip()
        elif key and line[:1].isspace():
            entries[key] += " " + line.strip()
        elif line.strip():
            key = None
    return " ".join(paragraph.split()), entries


def _check_names(cls: type[Pattern]) -> None:
    for name in dir(cls):
        if name.startswith("_") or hasattr(Pattern, name) or not inspect.isfunction(getattr(cls, name)):
            continue
        near = difflib.get_close_matches(name, CALLBACKS, 1, 0.85)
        if near or _CALLBACK.match(name):
            near = near or difflib.get_close_matches(name, CALLBACKS, 1)
            hint = f"did you mean '{near[0]}'?" if near else "known: " + ", ".join(CALLBACKS)
            raise UsageError(f"class {cls.__name__} has a method '{name}', which nobody calls: {hint}")


def _text(cls: type[Pattern], what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"class {cls.__name__}: {what} is {value!r}, expected a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"class {cls.__name__}: {what} is {value!r}, expected text that UTF-8 can encode") from None
    return value


def _list(cls: type[Pattern], what: str, value: Any, of: str) -> list[Any]:
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise UsageError(f"class {cls.__name__}: {what} is {value!r}, expected a list of {of}")
    return list(value)


def _limit(cls: type[Pattern], what: str, value: Any) -> float | None:
    if value is None or (isinstance(value, (int, float)) and math.isfinite(value)):
        return None if value is None else float(value)
    raise UsageError(f"class {cls.__name__}: {what} is {value!r}, expected a number or None")


def _parameter(cls: type[Pattern], name: Any, declared: Any) -> tuple[str, Value, str, str, float | None, float | None]:
    _text(cls, "the name of a parameter", name)
    if not isinstance(declared, tuple):
        declared = (declared,)
    if not 1 <= len(declared) <= 5:
        raise UsageError(f"class {cls.__name__}: parameter '{name}' has {len(declared)} values, expected "
                         f"(default, unit, summary, minimum, maximum)")
    value, unit, summary, minimum, maximum = declared + ("", "", None, None)[len(declared) - 1:]
    if isinstance(value, str):
        _text(cls, f"the default of parameter '{name}'", value)
    elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise UsageError(f"class {cls.__name__}: the default of parameter '{name}' is {value}, expected -2**63 to 2**63 - 1")
    return (name, value, _text(cls, f"the unit of parameter '{name}'", unit),
            _text(cls, f"the summary of parameter '{name}'", summary),
            _limit(cls, f"the minimum of parameter '{name}'", minimum),
            _limit(cls, f"the maximum of parameter '{name}'", maximum))


def _metric(cls: type[Pattern], place: str, keys: Mapping[str, Any],
            summary: str) -> tuple[str, str, str, bool, str, str, str]:
    """The description of a metric. `place` is its place among the further metrics, "" for the first metric."""
    known = ("id", "parent", "unit", "within_parent", "title", "summary", "metric_kind")
    for key in keys:
        if key not in known:
            raise UsageError(f"class {cls.__name__}: a metric has the key '{key}'; known: {', '.join(known)}")

    def text(key: str) -> str:
        value = keys.get(key)
        return "" if value is None else _text(cls, key + place, value)

    unit = keys.get("unit", "sec")
    if not isinstance(unit, str) or not unit.isascii():
        raise UsageError(f"class {cls.__name__}: unit{place} is {unit!r}, expected 'sec', 'occ' or 'bytes'")
    name = text("id") or _text(cls, "id", "" if place else snake_case(cls.__name__))
    title = text("title") or name.replace("_", " ").capitalize()
    return (name, text("parent"), unit, bool(keys.get("within_parent", True)), title,
            text("summary") or summary or title + ".", text("metric_kind") or "other")


def describe(pattern: Pattern) -> dict[str, Any]:
    """The description of a pattern in the form that the engine takes."""
    cls = type(pattern)
    _check_names(cls)
    _text(cls, "the docstring", cls.__doc__ or "")
    summary, texts = _docstring(cls)
    own = {key: getattr(pattern, key) for key in ("id", "parent", "unit", "within_parent", "title", "summary", "metric_kind")}
    metrics = [_metric(cls, "", own, summary)]
    for number, further in enumerate(_list(cls, "metrics", pattern.metrics, "dicts")):
        if not isinstance(further, Mapping):
            raise UsageError(f"class {cls.__name__}: metrics[{number}] is {further!r}, expected a dict")
        metrics.append(_metric(cls, f" of metrics[{number}]", further, ""))
    needs = [pattern.needs] if isinstance(pattern.needs, str) else _list(cls, "needs", pattern.needs, "ids of patterns")
    if not isinstance(pattern.parameters, Mapping):
        raise UsageError(f"class {cls.__name__}: parameters is {pattern.parameters!r}, expected a dict")
    table: dict[str, Any] = {key: texts.get(key, "") for key in _KEYS}
    table["severity"] = table["severity"] or summary
    table["metrics"] = metrics
    table["parameters"] = [_parameter(cls, name, declared) for name, declared in pattern.parameters.items()]
    table["needs"] = [_text(cls, f"needs[{number}]", need) for number, need in enumerate(needs)]
    for wish in ("needs_stack", "needs_queue", "message_queues"):
        table[wish] = getattr(pattern, wish)
        if not isinstance(table[wish], bool):
            raise UsageError(f"class {cls.__name__}: {wish} is {table[wish]!r}, expected True or False")
    return table
