"""Region stacks and the message queue in the run, as a pattern asks its trace for them: what EventTrace says of the same
event; who may ask, and when."""

import re

import pytest

import waitstate
from conftest import SOURCE

TWO_MESSAGES = """
0 10 enter MPI_Send
0 11 send dest=1 tag=1 len=8
0 12 send dest=1 tag=2 len=8
0 13 exit
1 20 enter MPI_Recv
1 21 recv src=0 tag=2 len=8
1 22 exit
"""


def written(tmp_path, text=TWO_MESSAGES):
    path = tmp_path / "written.trace"
    path.write_text(text)
    return path


class Watch(waitstate.Pattern):
    """At every `every`-th event, compares all stacks and queues with those of an EventTrace."""

    unit = "occ"
    needs_stack = needs_queue = True

    def __init__(self, events, every):
        self.events, self.every = events, every

    def init(self):
        self.seen = self.queued = 0

    def compare(self, event):
        self.seen += 1
        pos = event.pos
        if pos % self.every:
            return
        queue = self.trace.queue()
        assert queue == self.events.queue(pos=pos)
        self.queued += len(queue)
        for send in queue:
            assert self.trace.event(send).type in ("send", "isend")
        for location in self.trace.locations:
            number = location.id
            assert self.trace.stack(location) == self.events.stack(number, pos)
            assert self.trace.queue(dest=number) == self.events.queue(pos=pos, dest=number)
            assert self.trace.queue(location) == self.trace.queue(src=number) == self.events.queue(pos=pos, src=number)
            assert self.trace.queue(0, location) == self.events.queue(pos=pos, src=0, dest=number)

    enter_callback = exit_callback = send_callback = recv_callback = event_callback = compare


@pytest.mark.parametrize("trace, every", [("p2p", 1), ("coll", 1), ("hybrid_tasks", 1), ("eztrace_late", 7), ("lammps", 199)])
def test_the_run_says_what_the_event_trace_says(trace, every):
    path = SOURCE / "traces" / trace
    events = waitstate.EventTrace(path)
    watch = Watch(events, every)
    waitstate.analyze(path, patterns=[watch])
    assert watch.seen == len(events)
    assert trace in ("coll", "hybrid_tasks") or watch.queued > 0


class Asks(waitstate.Pattern):
    """Keeps what it is told at the receive."""

    unit = "occ"

    def recv_callback(self, recv):
        self.queue = self.trace.queue(dest=recv.loc)
        self.stack = self.trace.stack(recv.loc)


class AsksBoth(Asks):
    needs_stack = needs_queue = True


def failure(path, pattern):
    with pytest.raises((waitstate.PatternError, waitstate.UsageError)) as caught:
        waitstate.analyze(path, patterns=[pattern])
    return re.sub(r" \(class \w+, [^)]*\)", "", str(caught.value).splitlines()[0])  # where the class stands


def test_positions_are_a_list_of_int(tmp_path):
    pattern = AsksBoth()
    waitstate.analyze(written(tmp_path), patterns=[pattern])
    assert (pattern.queue, pattern.stack) == ([1], [4])


def test_who_has_not_declared_the_wish_is_told_what_to_write(tmp_path):
    path = written(tmp_path)
    place = "failed in recv_callback at event 5 on location 1 (Rank 1) at time 21: UsageError: "
    assert failure(path, Asks) == f"pattern 'asks' {place}queue() is available only to patterns that ask for it: the class needs " \
                                  f"needs_queue = True"

    class AsksQueue(Asks):
        needs_queue = True

    assert failure(path, AsksQueue) == f"pattern 'asks_queue' {place}stack() is available only to patterns that ask for it: the " \
                                       f"class needs needs_stack = True"


def test_a_wish_is_true_or_false(tmp_path):
    class Wrong(Asks):
        needs_queue = "yes"

    assert failure(written(tmp_path), Wrong) == "class Wrong: needs_queue is 'yes', expected True or False"


def test_a_wish_without_an_event_callback(tmp_path):
    class Deaf(waitstate.Pattern):
        needs_queue = True

        def completed_receives_callback(self, receives):
            pass

    assert failure(written(tmp_path), Deaf) == (
        "pattern 'deaf' has needs_queue, but no event callback to ask in: expected enter_callback, exit_callback, "
        "send_callback, recv_callback, metric_callback or event_callback")


def test_outside_of_event_callbacks(tmp_path):
    class Late(AsksBoth):
        def wrapup(self):
            self.trace.queue()

    class Batch(AsksBoth):
        def enter_batch(self, events):
            self.trace.stack(0)

    path = written(tmp_path)
    assert failure(path, Late) == \
        "pattern 'late' failed in wrapup: UsageError: events are available only during event callbacks"
    assert failure(path, Batch).endswith("UsageError: events are available only during event callbacks")
    pattern = AsksBoth()
    waitstate.analyze(path, patterns=[pattern])
    with pytest.raises(waitstate.UsageError, match="are available only during the callbacks of a running analysis"):
        pattern.trace.queue()


@pytest.mark.parametrize("ask, told", [
    (lambda trace: trace.stack(2), "IndexError: location 2 does not exist: the trace has 2 locations"),
    (lambda trace: trace.queue(dest=-1), "IndexError: location -1 does not exist: the trace has 2 locations"),
    (lambda trace: trace.queue(1 << 70), f"IndexError: location {1 << 70} does not exist: the trace has 2 locations"),
    (lambda trace: trace.stack("0"), "TypeError: 'str' object cannot be interpreted as an integer"),
    (lambda trace: trace.queue(0, 1.0), "TypeError: 'float' object cannot be interpreted as an integer")])
def test_what_is_no_location(ask, told, tmp_path):
    class Wrong(waitstate.Pattern):
        needs_stack = needs_queue = True

        def recv_callback(self, recv):
            ask(self.trace)

    assert failure(written(tmp_path), Wrong) == \
        f"pattern 'wrong' failed in recv_callback at event 5 on location 1 (Rank 1) at time 21: {told}"


def test_a_cancelled_send_is_never_in_the_queue(tmp_path, trace_of):
    text = """
    0 10 enter MPI_Isend
    0 11 isend dest=1 tag=1 len=100 request=3
    0 12 exit
    0 14 enter MPI_Wait
    0 20 request_cancelled request=3
    0 24 exit
    0 100 enter MPI_Send
    0 102 send dest=1 tag=1 len=8
    0 104 exit
    1 50 enter MPI_Recv
    1 106 recv src=0 tag=1 len=8
    1 110 exit
    """
    trace = trace_of(text)
    assert [len(trace.queue(pos=event.pos)) for event in trace] == [0] * 8 + [1, 1, 0, 0]

    class Sizes(waitstate.Pattern):
        needs_queue = True

        def init(self):  # the trace is read twice: only then the cancelled sends are known
            self.sizes = []

        def event(self, event):
            self.sizes.append(len(self.trace.queue()))

        enter_callback = exit_callback = send_callback = recv_callback = event_callback = event

    pattern = Sizes()
    waitstate.analyze(tmp_path / "written.trace", patterns=[pattern])
    assert pattern.sizes == [len(trace.queue(pos=event.pos)) for event in trace]
