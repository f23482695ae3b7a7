"""Links, stacks and queues of random traces against a reimplementation that walks all events from the first one.

Traces are as real ones are: clocks disagree, messages get lost on both sides, regions are never left or left without
having been entered. What the walk knows is the definition, not the way in which the library does it.
"""
import collections
import pathlib
import tempfile

import waitstate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LOCATIONS = 3
REGIONS = ["main", "f", "MPI_Send", "MPI_Recv"]

numbers = st.integers(0, LOCATIONS - 1)
step = st.tuples(
    numbers,  # where
    st.integers(0, 3),  # ticks since the location's last event: often none
    st.one_of(
        st.tuples(st.just("enter"), st.sampled_from(REGIONS)),
        st.tuples(st.just("exit"), st.sampled_from(REGIONS)),
        st.tuples(st.just("send"), numbers, st.integers(0, 1)),
        st.tuples(st.just("recv"), numbers, st.integers(0, 1)),
    ),
)
scripts = st.tuples(st.lists(st.integers(0, 40), min_size=LOCATIONS, max_size=LOCATIONS), st.lists(step, max_size=60))


def notation(script):
    """The lines of each location, in its own order.

    The order of steps is one in which it could have happened: a receive finds a message of an earlier step, or else one
    that the trace lacks (tag 9). Clocks know nothing of that order.
    """
    clocks, steps = script
    now, lines, waiting = list(clocks), [[] for _ in range(LOCATIONS)], collections.Counter()
    for loc, ticks, (what, *arguments) in steps:
        now[loc] += ticks
        if what in ("enter", "exit"):
            lines[loc].append(f"{loc} {now[loc]} {what} {arguments[0]}")
            continue
        partner, tag = arguments
        channel = (loc, partner, tag) if what == "send" else (partner, loc, tag)
        if what == "recv" and waiting[channel] == 0:
            tag = 9
        else:
            waiting[channel] += 1 if what == "send" else -1
        name = "dest" if what == "send" else "src"
        lines[loc].append(f"{loc} {now[loc]} {what} {name}={partner} tag={tag} com=0 len=8")
    return lines


class Walk:
    """The state after each event, by definition."""

    def __init__(self):
        self.stacks = collections.defaultdict(list)
        self.queue = []
        self.exits_ahead = collections.defaultdict(list)  # (region, time) of exits that left nothing
        self.late = collections.defaultdict(list)  # regions that were left inside of others: (region, depth, enter around)
        self.left_already = None  # location of the last event, if that was a visit of no time whose exit came before it

    def links(self, event):
        """(enterptr, sendptr) of the next event; the state is then that after it."""
        loc = int(event.loc)
        stack = self.stacks[loc]
        if self.left_already is not None:
            self.stacks[self.left_already].pop()
            self.left_already = None
        enter = stack[-1].pos if stack else None
        send = None
        if event.type == "enter":
            stack.append(event)
            if (event.region, event.time) in self.exits_ahead[loc]:
                self.exits_ahead[loc].remove((event.region, event.time))
                self.left_already = loc
        elif event.type == "exit":
            # Its own enter is the innermost open one of its region; what is open inside of that was never left.
            own = [i for i, e in enumerate(stack) if e.region == event.region]
            enter = stack[own[-1]].pos if own else None
            if own:
                self.leave(loc, own[-1])
            elif not self.was_late(loc, event.region):
                self.exits_ahead[loc].append((event.region, event.time))
        elif event.type == "send":
            self.queue.append(event)
        elif event.type == "recv":
            for waiting in self.queue:
                if (waiting.loc, waiting.dest, waiting.tag) == (event.src, event.loc, event.tag):
                    send = waiting.pos
                    self.queue.remove(waiting)
                    break
        return enter, send

    def leave(self, loc, own):
        stack = self.stacks[loc]
        for inner in stack[:own:-1]:
            around = stack[own - 1].time if own else 0
            self.late[loc].append((inner.region, own, around))
        del stack[own:]

    def was_late(self, loc, region):
        stack = self.stacks[loc]
        self.late[loc] = [(r, depth, around) for r, depth, around in self.late[loc]
                          if depth <= len(stack) and (depth == 0 or stack[depth - 1].time == around)]
        known = [i for i, (r, _, _) in enumerate(self.late[loc]) if r == region]
        if known:
            del self.late[loc][known[-1]]
        return bool(known)


@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(script=scripts)
def test_links_stacks_and_queues(script):
    lines = notation(script)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "random.trace")
        path.write_text("".join(f"location {i} name=l{i}\n" for i in range(LOCATIONS)) + "region 0 name=unused\n"
                        + "\n".join(line for location in lines for line in location) + "\n")
        trace = waitstate.EventTrace(path)

    # Every event is there, in the order of its location, and nothing lies before what comes earlier unless it had to
    # wait for its cause.
    for loc in range(LOCATIONS):
        here = [event for event in trace if event.loc == loc]
        assert [(e.time, e.type) for e in here] == [(int(t), what) for t, what in
                                                    (line.split()[1:3] for line in lines[loc])]
    late, latest = 0, -1
    for event in trace:
        late += event.time < latest
        latest = max(latest, event.time)
    assert late == 0 or trace.diagnostics

    # A receive gets the oldest message of its channel, so the n-th receive gets the n-th message, whatever clocks say.
    sends, receives = collections.defaultdict(list), collections.defaultdict(list)
    for event in trace:
        if event.type == "send":
            sends[int(event.loc), int(event.dest), event.tag].append(event)
        if event.type == "recv":
            receives[int(event.src), int(event.loc), event.tag].append(event)
    for channel, received in receives.items():
        expected = [send.pos for send in sends[channel]][:len(received)]
        assert [r.sendptr for r in received] == expected + [None] * (len(received) - len(expected))

    walk = Walk()
    for event in trace:
        assert (event.enterptr, event.sendptr) == walk.links(event), str(event)
        for loc in range(LOCATIONS):
            assert trace.stack(loc, event.pos) == [e.pos for e in walk.stacks[loc]]
        assert trace.queue(pos=event.pos) == [e.pos for e in walk.queue]
        for src in range(LOCATIONS):
            for dest in range(LOCATIONS):
                assert trace.queue(pos=event.pos, src=src, dest=dest) == [e.pos for e in walk.queue
                                                             if (e.loc, e.dest) == (src, dest)]

    messages = trace.messages()
    assert messages.recvptr.tolist() == [e.pos for e in trace if e.sendptr is not None]
    assert messages.sendptr.tolist() == [e.sendptr for e in trace if e.sendptr is not None]
    assert len(trace.region_instances()) == sum(e.type == "enter" for e in trace)
