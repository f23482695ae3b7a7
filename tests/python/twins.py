"""Built-in patterns written a second time, in Python: the case files and the built-in patterns say what they must give."""

import numpy as np

import waitstate
from waitstate import CollectiveKind, MpiFunction

TESTS = {MpiFunction.test, MpiFunction.testany, MpiFunction.testall, MpiFunction.testsome,
         MpiFunction.request_get_status}
ONE_AT_ONCE = {MpiFunction.wait, MpiFunction.waitany}
ALL_AT_ONCE = {MpiFunction.waitall, MpiFunction.waitsome}


def counts(kind, group):
    """The two metrics for instances of messages with and without bytes."""
    return [{"id": f"mpi_c{kind}_count", "parent": f"comms_{group}", "unit": "occ"},
            {"id": f"mpi_s{kind}_count", "parent": f"syncs_{group}", "unit": "occ"}]


def late_sender_ticks(m):
    if m.recv.function in TESTS:
        return 0
    return max(0, min(m.send.enter, m.recv.exit) - m.recv.enter)


class LateSender(waitstate.Pattern):
    """Time that receives wait for messages that have not been sent yet."""

    id, parent = "mpi_latesender", "mpi_point2point"
    metrics = counts("ls", "recv")

    def completed_receives_callback(self, receives):
        messages = receives.messages
        if receives.call.function in ALL_AT_ONCE and messages:
            messages = [max(messages, key=late_sender_ticks)]
        for m in messages:
            ticks = late_sender_ticks(m)
            if ticks > 0:
                self.add_wait(m.recv, ticks, m.send)
                self.add_call(m.recv, 1, 1 if m.bytes > 0 else 2)
                self.set_receive_wait(ticks)


class LateSenderBatch(waitstate.Pattern):
    """Late Sender with arrays."""

    id, parent = "mpi_latesender", "mpi_point2point"
    metrics = counts("ls", "recv")

    def completed_receives_batch(self, messages):
        recv = messages["recv"]
        enter = recv["enter"]
        ticks = np.minimum(messages["send"]["enter"], recv["exit"]) - enter
        function = recv["function"]
        ticks[(function >= MpiFunction.test) & (function <= MpiFunction.request_get_status)] = 0
        together = (function == MpiFunction.waitall) | (function == MpiFunction.waitsome)
        late = ticks > 0
        if together.any():
            # The first of the largest rows of each call.
            number = messages["number"]
            worst = np.lexsort((np.arange(len(ticks)), -ticks, number))
            first = np.ones(len(ticks), bool)
            first[1:] = number[worst][1:] != number[worst][:-1]
            chosen = np.zeros(len(ticks), bool)
            chosen[worst[first]] = True
            late &= chosen | ~together
        self.add_waits(recv, ticks, messages["send"], where=late)
        with_bytes = messages["bytes"] > 0
        self.add_calls(recv, 1, metric="mpi_cls_count", where=late & with_bytes)
        self.add_calls(recv, 1, metric="mpi_sls_count", where=late & ~with_bytes)


class LateReceiver(waitstate.Pattern):
    """Time that sends wait for receives that have not been posted yet."""

    id, parent = "mpi_latereceiver", "mpi_point2point"
    metrics = counts("lr", "send")
    needs = "mpi_latesender"

    @staticmethod
    def ticks(call, m):
        started = m.send.function
        if started in (MpiFunction.send, MpiFunction.ssend):
            may_wait = call.function == started
        elif started in (MpiFunction.isend, MpiFunction.issend, MpiFunction.start, MpiFunction.startall):
            may_wait = call.function in (MpiFunction.wait, MpiFunction.waitany, MpiFunction.waitall,
                                         MpiFunction.waitsome)
        else:
            may_wait = False
        if m.recv_post.function in TESTS | ONE_AT_ONCE | ALL_AT_ONCE:  # these post nothing: it is not known which did
            return 0
        posted = m.recv_post.enter
        return posted - call.enter if may_wait and call.exit > posted > call.enter else 0

    def completed_sends_callback(self, sends):
        call, messages = sends.call, sends.messages
        if call.function in ALL_AT_ONCE:
            if sends.receive_wait_ticks > 0 or not messages:
                return
            messages = [max(messages, key=lambda m: self.ticks(call, m))]
        for m in messages:
            ticks = self.ticks(call, m)
            if ticks > 0:
                self.add_wait(call, ticks, m.recv_post)
                self.add_call(call, 1, 1 if m.bytes > 0 else 2)


def wait_for(collective, i, last):
    """Ticks that member i waits for member `last` to begin."""
    member = collective.members[i]
    return max(0, min(collective.members[last].begin, member.end) - member.begin)


class Collectives(waitstate.Pattern):
    """The base of waits in collective operations: `awaited` names the member that one waits for, or None."""

    kind: CollectiveKind | None = None

    def awaited(self, collective, i):
        raise NotImplementedError

    def collective_callback(self, collective):
        if collective.kind != self.kind:
            return
        for i, member in enumerate(collective.members):
            last = self.awaited(collective, i)
            if last is None:
                continue
            ticks = wait_for(collective, i, last)
            if ticks > 0:
                self.add_wait(member.call, ticks, collective.members[last].call, begin=member.begin)

    def completed_collectives_callback(self, completed):
        longest = max(completed.completions, key=lambda c: c.wait_ticks, default=None)
        if longest is not None and longest.wait_ticks > 0 and longest.kind == self.kind:
            self.add_wait(completed.call, longest.wait_ticks, longest.awaited)


def last_to_begin(collective, candidates):
    """The member of lowest rank among those that began last; None if there are no candidates."""
    return max(candidates, key=lambda i: (collective.members[i].begin, -i), default=None)


class BarrierWait(Collectives):
    """Time in barriers before the last process has reached them."""

    id, parent, kind = "mpi_barrier_wait", "mpi_sync_collective", CollectiveKind.barrier

    def awaited(self, collective, i):
        return last_to_begin(collective, [j for j in range(len(collective.members)) if collective.reaches(j, i)])


class BarrierWaitBatch(waitstate.Pattern):
    """Waits at barriers with arrays, for blocking barriers on communicators of one group; others like the base class."""

    id, parent = "mpi_barrier_wait", "mpi_sync_collective"

    def collective_batch(self, members):
        members = members[members["kind"] == CollectiveKind.barrier]
        if len(members) == 0:
            return
        # An inter-communicator is two operations: each group waits for the other.
        in_a = members["rank"] < members["group_a"]
        key = members["number"] * 2 + in_a
        awaited = np.where(members["group_a"] > 0, members["number"] * 2 + ~in_a, key)
        order = np.lexsort((members["rank"], -members["begin"], key))
        first = np.ones(len(members), bool)
        first[1:] = key[order][1:] != key[order][:-1]
        last = order[first]
        culprit = last[np.searchsorted(key[last], awaited)]
        ticks = np.minimum(members["begin"][culprit], members["end"]) - members["begin"]
        late = ticks > 0
        self.add_waits(members["call"][late], ticks[late], members["call"][culprit][late], members["begin"][late],
                       operations=members["number"][late])

    completed_collectives_callback = Collectives.completed_collectives_callback
    kind = CollectiveKind.barrier


class WaitNxN(Collectives):
    """Time in all-to-all operations before the last process has begun."""

    id, parent, kind = "mpi_wait_nxn", "mpi_collective", CollectiveKind.all_to_all

    def awaited(self, c, i):
        members = c.members
        if not any(m.bytes_sent or m.bytes_received for m in members):
            return None
        overlap = (not c.inter and not c.neighbourhood and
                   min(m.end for m in members) > max(m.begin for m in members))
        if not overlap and not members[i].bytes_received:
            return None
        if c.neighbourhood:
            # Of several that began last the first neighbour, not the lowest rank.
            senders = [j for j in c.neighbours(i) if members[j].bytes_sent]
            return max(senders, key=lambda j: members[j].begin, default=None)
        return last_to_begin(c, [j for j in range(len(members))
                                 if c.reaches(j, i) and (overlap or members[j].bytes_sent)])


class LateBroadcast(Collectives):
    """Time in broadcasts and scatterings before the root has begun."""

    id, parent, kind = "mpi_latebroadcast", "mpi_collective", CollectiveKind.one_to_all

    def awaited(self, c, i):
        if c.root is None or i == c.root or not c.members[i].bytes_received or not c.reaches(c.root, i):
            return None
        return c.root


TWINS = (LateSender, LateSenderBatch, LateReceiver, BarrierWait, BarrierWaitBatch, WaitNxN, LateBroadcast)
