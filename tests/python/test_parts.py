"""Python patterns in parts: several objects share a trace, and the result is that of one."""

import threading

import numpy as np
import pytest

import waitstate
from conftest import SOURCE


TRACES = SOURCE / "traces"


class Counted(waitstate.Pattern):
    """Receives and members of operations, counted in all ways."""

    unit = "occ"
    in_parts = True
    parameters = {"weight": (1, "occ", "Value of a message.")}

    def __init__(self):
        self.kept = {"bytes": 0}

    def init(self):
        self.kept["bytes"] = 0
        self.threads = set()
        self.merged = 0
        self.ended = False
        self.by_sender = {}
        self.rows = 0

    def completed_receives_callback(self, receives):
        self.threads.add(threading.get_ident())
        for message in receives.messages:
            self.kept["bytes"] += message.bytes
            sender = int(message.sender)
            self.by_sender[sender] = self.by_sender.get(sender, 0) + 1
        self.add_call(receives.call, self.weight * len(receives.messages))

    def collective_batch(self, members):
        self.rows += len(members)
        self.add_calls(members["call"], np.full(len(members), 1000))

    def merge(self, other):
        assert not other.ended
        self.kept["bytes"] += other.kept["bytes"]
        for sender, count in other.by_sender.items():
            self.by_sender[sender] = self.by_sender.get(sender, 0) + count
        self.rows += other.rows
        self.threads |= other.threads
        self.merged += 1 + other.merged

    def wrapup(self):
        self.ended = True


def run(trace, pattern, threads):
    result = waitstate.analyze(trace, patterns=[pattern], threads=threads)
    return sorted((row.callpath.path, row.location.id, row.value) for row in result.rows("counted"))


@pytest.mark.parametrize("trace", ["p2p", "coll", "hybrid"])
def test_parts_are_one(trace):
    one = Counted()
    rows = run(TRACES / trace, one, 1)
    assert rows and one.merged == 0 and one.ended
    for threads in (2, 4, 16):
        parts = Counted()
        assert run(TRACES / trace, parts, threads) == rows
        assert parts.merged >= 1
        assert (parts.kept, parts.by_sender, parts.rows) == (one.kept, one.by_sender, one.rows)
        # Nothing that one run has left is brought into the next one.
        assert run(TRACES / trace, parts, threads) == rows
        assert (parts.kept, parts.rows) == (one.kept, one.rows)


def test_each_thread_has_an_object():
    parts = Counted()
    run(TRACES / "halo", parts, 2)
    assert parts.merged == 1 and len(parts.threads) == 2


def test_without_in_parts_there_is_one():
    class Whole(Counted):
        id = "counted"
        in_parts = False

    whole = Whole()
    assert run(TRACES / "p2p", whole, 4) == run(TRACES / "p2p", Counted(), 4)
    assert whole.merged == 0 and len(whole.threads) == 1


def test_what_a_part_raises_is_raised():
    class Fails(Counted):
        def completed_receives_callback(self, receives):
            if int(receives.call.location) == 1:
                raise KeyError("the second location")

    with pytest.raises(waitstate.PatternError, match="the second location") as error:
        waitstate.analyze(TRACES / "p2p", patterns=[Fails()], threads=4)
    assert isinstance(error.value.__cause__, KeyError)


def test_merge_may_fail():
    class Fails(Counted):
        def merge(self, other):
            raise ValueError("not to be added")

    with pytest.raises(waitstate.PatternError, match="not to be added"):
        waitstate.analyze(TRACES / "p2p", patterns=[Fails()], threads=2)


def test_what_cannot_be_copied_is_said():
    class Locked(Counted):
        def __init__(self):
            super().__init__()
            self.lock = threading.Lock()

    with pytest.raises(waitstate.UsageError, match="cannot copy it.*make what it keeps in init"):
        waitstate.analyze(TRACES / "p2p", patterns=[Locked()], threads=2)
    assert waitstate.analyze(TRACES / "p2p", patterns=[Locked()], threads=1)


def test_in_parts_is_a_truth_value():
    class Wrong(Counted):
        in_parts = "yes"

    with pytest.raises(waitstate.UsageError, match="in_parts is 'yes', expected True or False"):
        waitstate.analyze(TRACES / "p2p", patterns=[Wrong()])
