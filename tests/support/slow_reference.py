#!/usr/bin/python3
"""A slow, obvious implementation of time, visits, messages, collective operations and their waits, to check the fast
one against. Long because it is a whole analyser.

usage: slow_reference.py TRACE.otf2 [-o FILE]

Reads a whole OTF2 trace with the otf2 Python module, keeps everything in memory, and writes
`metric,callpath,location,value` in the form of `waitstate analyze --format csv`: e.g. `mpi_latesender,app/main/MPI_Recv,1,0.0102`
(inclusive along the metric tree, exclusive along the call tree, seconds with 12 digits, zero rows left out, location
numbered by process and then by thread). Of a thread team only the threads' own call paths, not the fork above them.

It shares no code with the library, and takes the long way round on purpose, one step after the other:

1. replay     per location: region stack, call paths, exclusive time, and the list of its operations (sends, receives,
              completions) with the call that each happened in;
2. match      first in first out per (communicator, sending process, receiving process, tag);
3. late       Late Sender and Late Receiver per completing call; a Waitall or Waitsome is one instance, booked at its
              exit, and worth the largest wait of the operations that it completed;
4. order      a Late Sender instance is in wrong order as soon as a later receive has an older send record; later
              means in a later call, for an instance exists only from the exit of its call on;
5. collectives  the n-th operations of all processes on a communicator belong together; counts, and who waits for whom.
              Blocking ones only; handle-creating ones count nothing.

Invariant: nothing here depends on the order in which locations are visited. Cost: about 20 us and 1 kB an event.

Only traces that the otf2 module itself can open: definitions in order, no inter-communicator (3.0.2 fails on it).
"""
import argparse
import csv
import os
import sys
from collections import defaultdict, deque

import otf2
from otf2.enums import CollectiveOp, GroupType, LocationType
from otf2.events import (Enter, Leave, MpiCollectiveBegin, MpiCollectiveEnd, MpiIrecv, MpiIrecvRequest, MpiIsend,
                         MpiIsendComplete, MpiRecv, MpiSend, ProgramBegin, ProgramEnd)

BLOCKING_SENDS = {"MPI_Send", "MPI_Ssend"}
STARTED_SENDS = {"MPI_Isend", "MPI_Issend"}
SINGLE_WAITS = {"MPI_Wait", "MPI_Waitany"}
MULTIPLE_WAITS = {"MPI_Waitall", "MPI_Waitsome"}
INITS = {"MPI_Init", "MPI_Init_thread"}
NXN = {CollectiveOp.ALLREDUCE, CollectiveOp.ALLGATHER, CollectiveOp.ALLGATHERV, CollectiveOp.ALLTOALL,
       CollectiveOp.ALLTOALLV, CollectiveOp.ALLTOALLW, CollectiveOp.REDUCE_SCATTER, CollectiveOp.REDUCE_SCATTER_BLOCK}
ONE_TO_ALL = {CollectiveOp.BCAST, CollectiveOp.SCATTER, CollectiveOp.SCATTERV}
ALL_TO_ONE = {CollectiveOp.REDUCE, CollectiveOp.GATHER, CollectiveOp.GATHERV}
SCANS = {CollectiveOp.SCAN, CollectiveOp.EXSCAN}
TESTS = {"MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome", "MPI_Request_get_status"}


class Call:
    """One region instance: who, where in the call tree, from when to when."""

    def __init__(self, location, path, name, enter):
        self.location, self.path, self.name, self.enter, self.leave = location, path, name, enter, None
        self.receives = []  # messages whose receive completes here, in order
        self.sends = []  # messages whose send completes here, in order


class Message:
    def __init__(self, length):
        self.length = length
        self.send_time = None  # time of the send record
        self.send_call = None  # the call that started the send
        self.send_completion = None  # the call that completed it
        self.receive_time = None
        self.receive_call = None  # the call that completed the receive
        self.post_call = None  # the call that posted the receive


class Table(dict):
    """(metric, call path, location) -> sum."""

    def add(self, metric, path, location, value):
        key = metric, path, location
        self[key] = self.get(key, 0) + value


def process_of(comm, rank, location):
    """The process that `rank` means in `comm` when `location` says it."""
    if comm.group.group_type == GroupType.COMM_SELF:
        return location.group
    return comm.group.members[rank].group


def number_locations(definitions):
    """Location -> number: by process, then by the order of its definition."""
    locations = [l for l in definitions.locations if l.type == LocationType.CPU_THREAD]
    processes = {}
    for index, group in enumerate(definitions.location_groups):
        processes[group] = index
    locations.sort(key=lambda l: (processes[l.group], l._ref))
    return {location: number for number, location in enumerate(locations)}


class Part:
    """The part of one process in a collective operation."""

    def __init__(self, event, begin, call):
        self.op, self.root, self.begin, self.end, self.call = event.collective_op, event.root, begin, event.time, call
        self.sent, self.received = event.size_sent, event.size_received


class Replay:
    """Step 1 of one location."""

    def __init__(self, number, table):
        self.number, self.table = number, table
        self.stack, self.last = [], None
        self.calls, self.operations = [], []
        self.child_time = []
        self.isends, self.irecvs = {}, {}
        self.begins = []  # begins of open collective operations

    def enter(self, name, time):
        path = self.stack[-1].path + "/" + name if self.stack else name
        call = Call(self.number, path, name, time)
        self.stack.append(call)
        self.child_time.append(0)
        self.calls.append(call)
        self.table.add("visits", path, self.number, 1)

    def leave(self, time):
        call = self.stack.pop()
        call.leave = time
        span = time - call.enter
        self.table.add("time", call.path, self.number, span - self.child_time.pop())
        if self.child_time:
            self.child_time[-1] += span

    def event(self, location, event, sends, receives, parts):
        self.last = event.time
        kind = type(event)
        if kind is Enter:
            self.enter(event.region.name, event.time)
        elif kind is Leave:
            if self.stack:
                self.leave(event.time)
        elif kind is ProgramBegin:
            self.enter(os.path.basename(event.program_name), event.time)
        elif kind is ProgramEnd:
            while self.stack:
                self.leave(event.time)
        elif kind in (MpiSend, MpiIsend):
            self.send(location, event, kind is MpiIsend, sends)
        elif kind in (MpiRecv, MpiIrecv):
            self.receive(location, event, kind is MpiIrecv, receives)
        elif kind is MpiIsendComplete:
            message = self.isends.pop(event.request_id, None)
            if message:
                message.send_completion = self.stack[-1]
                self.stack[-1].sends.append(message)
        elif kind is MpiIrecvRequest:
            self.irecvs[event.request_id] = self.stack[-1]
        elif kind is MpiCollectiveBegin:
            self.begins.append(event.time)
        elif kind is MpiCollectiveEnd:
            part = Part(event, self.begins.pop(), self.stack[-1])
            parts[event.communicator][location.group].append(part)

    def send(self, location, event, started, sends):
        message = Message(event.msg_length)
        message.send_time, message.send_call = event.time, self.stack[-1]
        to = process_of(event.communicator, event.receiver, location)
        sends[event.communicator._ref, location.group, to, event.msg_tag].append(message)
        if started:
            self.isends[event.request_id] = message
        else:
            message.send_completion = self.stack[-1]
            self.stack[-1].sends.append(message)
        self.operations.append(("send", message, self.stack[-1]))

    def receive(self, location, event, started, receives):
        call = self.stack[-1]
        post = self.irecvs.pop(event.request_id, None) if started else call
        source = process_of(event.communicator, event.sender, location)
        channel = event.communicator._ref, source, location.group, event.msg_tag
        receives[channel].append((self, call, post, event.time))
        self.operations.append(("receive", None, call))

    def close(self):
        while self.stack:
            self.leave(self.last)


def match(sends, receives):
    """Step 2; returns the number of receives without a send."""
    unmatched = 0
    for channel, waiting in receives.items():
        queue = deque(sends.get(channel, ()))
        for _, call, post, time in waiting:
            if not queue:
                unmatched += 1
                continue
            message = queue.popleft()
            message.receive_call, message.post_call, message.receive_time = call, post, time
            call.receives.append(message)
    return unmatched


def count_messages(replays, table):
    for replay in replays:
        for kind, message, call in replay.operations:
            if kind == "send":
                table.add("syncs_send" if message.length == 0 else "comms_send", call.path, call.location, 1)
                table.add("bytes_sent", call.path, call.location, message.length)
        for call in replay.calls:
            for message in call.receives:
                table.add("syncs_recv" if message.length == 0 else "comms_recv", call.path, call.location, 1)
                table.add("bytes_rcvd", call.path, call.location, message.length)


def late_sender_wait(message, call):
    return min(message.send_call.enter, call.leave) - call.enter


def late_receiver_wait(message, call):
    if message.post_call is None or message.receive_call is None or call.leave <= message.post_call.enter:
        return 0
    if message.post_call.name in SINGLE_WAITS | MULTIPLE_WAITS | TESTS:  # these post nothing: it is not known which did
        return 0
    return message.post_call.enter - call.enter


def count_name(prefix, message):
    return ("mpi_s" if message.length == 0 else "mpi_c") + prefix


def judge(replay, table):
    """Steps 3 and 4 of one location."""
    instances = []  # Late Sender instances so far that are not yet in wrong order: (wait, message, call)
    receives = sorted((m.receive_time, i, m) for i, m in enumerate(m for c in replay.calls for m in c.receives))
    late = {}  # call -> its one instance (Waitall, Waitsome)
    for call in replay.calls:
        if call.name in TESTS or not call.receives:
            continue
        waits = [(late_sender_wait(m, call), m) for m in call.receives]
        if call.name in MULTIPLE_WAITS:
            waits = [max(waits, key=lambda w: w[0])]
        late[call] = [(w, m) for w, m in waits if w > 0]

    for _, _, message in receives:
        call = message.receive_call
        kept = []
        for instance in instances:
            wait, waited_for, where = instance
            if message.send_time < waited_for.send_time and where is not call:
                same = message.send_call.location == waited_for.send_call.location
                table.add("mpi_lswo_same" if same else "mpi_lswo_different", where.path, where.location, wait)
                table.add("mpi_latesender_wo", where.path, where.location, wait)
                table.add(count_name("lswo_count", waited_for), where.path, where.location, 1)
            else:
                kept.append(instance)
        instances = kept
        for wait, waited_for in late.get(call, ()):
            if waited_for is message:
                table.add("mpi_latesender", call.path, call.location, wait)
                table.add(count_name("ls_count", message), call.path, call.location, 1)
                instances.append((wait, message, call))

    for call in replay.calls:
        candidates = []
        for message in call.sends:
            start = message.send_call.name
            if call.name in BLOCKING_SENDS and start in BLOCKING_SENDS:
                candidates.append((late_receiver_wait(message, call), message))
            elif call.name in SINGLE_WAITS | MULTIPLE_WAITS and start in STARTED_SENDS:
                candidates.append((late_receiver_wait(message, call), message))
        if call.name in MULTIPLE_WAITS and candidates:
            candidates = [] if late.get(call) else [max(candidates, key=lambda c: c[0])]
        for wait, message in candidates:
            if wait > 0:
                table.add("mpi_latereceiver", call.path, call.location, wait)
                table.add(count_name("lr_count", message), call.path, call.location, 1)


def count_collective(part, table):
    if part.op not in NXN | ONE_TO_ALL | ALL_TO_ONE | SCANS | {CollectiveOp.BARRIER}:  # handles
        return
    names = {(True, True): "comms_cxch", (True, False): "comms_csrc", (False, True): "comms_cdst"}
    call = part.call
    table.add(names.get((part.sent > 0, part.received > 0), "syncs_coll"), call.path, call.location, 1)
    table.add("bytes_cout", call.path, call.location, part.sent)
    table.add("bytes_cin", call.path, call.location, part.received)


def wait(metric, part, until, table):
    if until is not None and until > part.begin:
        table.add(metric, part.call.path, part.call.location, min(until, part.end) - part.begin)


def completion(metric, parts, latest, table):
    first_end = min(p.end for p in parts)
    for p in parts:
        table.add(metric, p.call.path, p.call.location, p.end - max(first_end, min(latest, p.end)))


def judge_collective(parts, table):
    """Step 5 of one operation, its parts by rank."""
    op, senders = parts[0].op, [p for p in parts if p.sent > 0]
    last_begin, first_end = max(p.begin for p in parts), min(p.end for p in parts)
    latest = max((p.begin for p in senders), default=None)
    if op == CollectiveOp.BARRIER:
        for p in parts:
            wait("mpi_barrier_wait", p, last_begin, table)
        completion("mpi_barrier_completion", parts, last_begin, table)
    elif op in ONE_TO_ALL:
        for p in parts:
            if p.received > 0:
                wait("mpi_latebroadcast", p, parts[p.root].begin, table)
    elif op in ALL_TO_ONE:
        wait("mpi_earlyreduce", parts[parts[0].root], latest, table)
    elif op in SCANS:
        for i, p in enumerate(parts):
            wait("mpi_earlyscan", p, max((q.begin for q in parts[:i + 1] if q.sent > 0), default=None), table)
    elif op in NXN and any(p.sent > 0 or p.received > 0 for p in parts):
        synchronising = parts
        if first_end <= last_begin:
            if latest is None:
                return
            last = next(p for p in senders if p.begin == latest)
            synchronising = [p for p in parts if p is last or (p.received > 0 and p.begin < latest)]
            last_begin = latest
        for p in synchronising:
            wait("mpi_wait_nxn", p, last_begin, table)
        completion("mpi_nxn_completion", synchronising, last_begin, table)


def judge_collectives(parts, table):
    """Step 5: parts are by communicator and process, in the order of each process."""
    for comm, by_process in parts.items():
        for of_process in by_process.values():
            for part in of_process:
                count_collective(part, table)
        if comm.group.group_type == GroupType.COMM_SELF:
            continue
        members = [location.group for location in comm.group.members]
        complete = min(len(by_process[process]) for process in members)
        for n in range(complete if len(members) > 1 else 0):
            judge_collective([by_process[process][n] for process in members], table)


def judge_init_and_finalize(replays, table):
    """Judges the processes that have an MPI_Init or MPI_Finalize."""
    for names in INITS, {"MPI_Finalize"}:
        firsts = [next((c for c in replay.calls if c.name in names), None) for replay in replays]
        calls = [c for c in firsts if c]
        if len(calls) < 2:
            continue
        last_enter, first_leave = max(c.enter for c in calls), min(c.leave for c in calls)
        for c in calls:
            entered = min(last_enter, c.leave)
            if names is INITS:
                table.add("mpi_init_completion", c.path, c.location, c.leave - max(first_leave, entered))
            else:
                table.add("mpi_finalize_wait", c.path, c.location, entered - c.enter)


def analyse(path):
    """Returns the table in ticks, the timer resolution, and the number of receives without a send."""
    table, sends, receives, replays = Table(), defaultdict(list), defaultdict(list), {}
    parts = defaultdict(lambda: defaultdict(list))
    with otf2.reader.open(path, batch_events=10000) as trace:
        numbers = number_locations(trace.definitions)
        for location, event in trace.events:
            if location in numbers:
                if location not in replays:
                    replays[location] = Replay(numbers[location], table)
                replays[location].event(location, event, sends, receives, parts)
        resolution = trace.definitions.clock_properties.timer_resolution
    for replay in replays.values():
        replay.close()
    unmatched = match(sends, receives)
    count_messages(replays.values(), table)
    for replay in replays.values():
        judge(replay, table)
    judge_collectives(parts, table)
    judge_init_and_finalize(replays.values(), table)
    return table, resolution, unmatched


SECONDS = {"time", "mpi_latesender", "mpi_latesender_wo", "mpi_lswo_same", "mpi_lswo_different", "mpi_latereceiver",
           "mpi_init_completion", "mpi_finalize_wait", "mpi_barrier_wait", "mpi_barrier_completion", "mpi_earlyreduce",
           "mpi_earlyscan", "mpi_latebroadcast", "mpi_wait_nxn", "mpi_nxn_completion"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trace")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    table, resolution, unmatched = analyse(arguments.trace)
    if unmatched:
        print(f"{unmatched} receives without a send", file=sys.stderr)
    out = open(arguments.output, "w", newline="") if arguments.output else sys.stdout
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["metric", "callpath", "location", "value"])
    for (metric, path, location), value in sorted(table.items()):
        if value:
            writer.writerow([metric, path, location, f"{value / resolution:.12g}" if metric in SECONDS else value])


if __name__ == "__main__":
    main()
