"""The examples under python/examples that look at a trace: their numbers, and that they run as programs."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy
import pytest
import waitstate

EXAMPLES = pathlib.Path(os.environ.get("WAITSTATE_SOURCE", pathlib.Path(__file__).resolve().parents[2]), "python/examples")


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Processes 0 … 3; the sub-communicator has processes 3 and 1, in this order: there rank 0 is process 3.
SUB_COMMUNICATOR = """
process 0 name=p0 type=process
process 1 name=p1 type=process
process 2 name=p2 type=process
process 3 name=p3 type=process
location 0 process=0
location 1 process=1
location 2 process=2
location 3 process=3
group 0 type=comm_locations paradigm=mpi members=(0,1,2,3)
group 1 type=comm_group paradigm=mpi members=(0,1,2,3)
group 2 type=comm_group paradigm=mpi members=(3,1)
comm 0 group=1
comm 1 group=2 parent=0
3 10 enter MPI_Send
3 11 send dest=1 tag=0 com=1 len=100
3 12 exit
1 20 enter MPI_Recv
1 21 recv src=3 tag=0 com=1 len=100
1 22 exit
0 30 enter MPI_Send
0 31 send dest=2 tag=0 com=0 len=7
0 32 send dest=2 tag=0 com=0 len=0
0 33 exit
2 40 enter MPI_Recv
2 41 recv src=0 tag=0 com=0 len=7
2 42 recv src=0 tag=0 com=0 len=0
2 43 exit
"""


def test_communication_matrix_by_world_rank(trace_of):
    counts, moved = example("communication_matrix").matrix(trace_of(SUB_COMMUNICATOR))
    assert counts.tolist() == [[0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert moved.tolist() == [[0, 0, 7, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 100, 0, 0]]


@pytest.mark.parametrize("name", ["p2p", "coll", "hybrid"])
def test_communication_matrix_of_recorded_traces(traces, name):
    trace = waitstate.EventTrace(traces / name)
    counts, moved = example("communication_matrix").matrix(trace)
    by_hand = numpy.zeros_like(moved)
    for event in trace:
        if event.sendptr is not None:
            send = trace.event(event.sendptr)
            by_hand[send.loc.rank, event.loc.rank] += send.len
    assert (moved == by_hand).all() and counts.sum() == len(trace.messages())


def test_message_sizes(trace_of):
    assert example("message_sizes").histogram(trace_of(SUB_COMMUNICATOR)) == [
        (0, 1, 0), (1, 0, 0), (2, 0, 0), (4, 1, 7), (8, 0, 0), (16, 0, 0), (32, 0, 0), (64, 1, 100)]


def test_time_per_region(trace_of):
    # Four bins of 25 ticks; f runs from 20 to 60, with g inside from 30 to 40.
    trace = trace_of("""
    0   0 enter main
    0  20 enter f
    0  30 enter g
    0  40 exit
    0  60 exit
    0 100 exit
    """)
    table, edges = example("time_per_region").binned(trace, 4)
    assert edges.tolist() == [0, 25, 50, 75, 100]
    assert {name: ticks.tolist() for name, ticks in table.items()} == {
        "main": [20, 0, 15, 25], "f": [5, 15, 10, 0], "g": [0, 10, 0, 0]}


def test_time_per_region_adds_up(traces):
    trace = waitstate.EventTrace(traces / "coll")
    table, _ = example("time_per_region").binned(trace, 7)
    instances = trace.region_instances()
    for region in trace.regions:
        expected = instances.exclusive_ticks[instances.region == region.id].sum()
        assert abs(sum(table.get(region.name, [0])) - expected) < 1, region


@pytest.mark.parametrize("name", ["message_sizes", "communication_matrix", "time_per_region"])
def test_examples_are_programs(traces, name):
    program = [sys.executable, "-B", str(EXAMPLES / f"{name}.py")]
    done = subprocess.run([*program, str(traces / "p2p")], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr and len(done.stdout.splitlines()) > 4


ALL = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", [name for name in ALL if name != "topology_study"])  # it needs no argument
def test_examples_say_what_they_need(name):
    done = subprocess.run([sys.executable, "-B", str(EXAMPLES / f"{name}.py")], capture_output=True, text=True)
    assert done.returncode == 2 and not done.stdout
    usage, error = done.stderr.split("\n", 1)
    assert usage.startswith(f"usage: {name}.py [-h] TRACE")
    assert error == f"{name}.py: error: the following arguments are required: TRACE\n"


@pytest.mark.parametrize("name", ALL)
def test_examples_refuse_what_they_do_not_take(name):
    done = subprocess.run([sys.executable, "-B", str(EXAMPLES / f"{name}.py"), *"no such arguments".split()],
                          capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith(f"usage: {name}.py [-h] ")


class LateSender:
    """The pattern of the EXPERT paper's figure 1, in its words, driven by a loop."""

    def __init__(self, trace):
        self.trace = trace
        self.sum_idle_time = 0

    def recv_callback(self, recv):
        if recv['sendptr'] is None:
            return
        recv_start = self.trace.event(recv['enterptr'])
        send = self.trace.event(recv['sendptr'])
        send_start = self.trace.event(send['enterptr'])
        idle_time = send_start['time'] - recv_start['time']
        if (idle_time > 0 and
                send_start['region'] == "MPI_Send" and
                recv_start['region'] == "MPI_Recv"):
            self.sum_idle_time = self.sum_idle_time + idle_time

    def severity(self):
        return self.sum_idle_time


def test_late_sender_as_in_the_paper(p2p):
    pattern = LateSender(p2p)
    for event in p2p:
        if event["type"] == "recv":
            pattern.recv_callback(event)
    # Message sizes from the table of messages.
    messages = p2p.messages()
    send, recv = (next(r.id for r in p2p.regions if r == name) for name in ("MPI_Send", "MPI_Recv"))
    idle = numpy.clip(messages.send_enter - messages.recv_enter, 0, None)
    assert pattern.severity() == idle[(messages.send_region == send) & (messages.recv_region == recv)].sum() > 0


# Process 1 is sent two messages at 10 and 20 and posts their receives at 50 and 60: 40 ticks each, two at once.
TWO_UNEXPECTED = """
0 10 enter MPI_Send
0 11 send dest=1 tag=0 com=0 len=8
0 12 exit
0 20 enter MPI_Send
0 21 send dest=1 tag=0 com=0 len=8
0 22 exit
1 50 enter MPI_Recv
1 51 recv src=0 tag=0 com=0 len=8
1 52 exit
1 60 enter MPI_Recv
1 61 recv src=0 tag=0 com=0 len=8
1 62 exit
"""


def test_message_queues(tmp_path):
    trace = tmp_path / "two.trace"
    trace.write_text(TWO_UNEXPECTED)
    module = example("message_queues")
    (row,) = module.analyzed(trace)[1].processes
    assert (row.process, row.unexpected.greatest_length, row.unexpected.total_ticks, row.posted.entered) == (1, 2, 80, 0)
    assert module.histogram([1, 2, 2, 11], 10) == [(1.0, 1), (2.0, 2), (3.0, 0), (4.0, 0), (5.0, 0), (6.0, 0), (7.0, 0),
                                                   (8.0, 0), (9.0, 0), (10.0, 1)]
    assert module.histogram([5], 10) == [(5.0, 1)]


def test_message_queues_of_lammps():
    done = subprocess.run([sys.executable, EXAMPLES / "message_queues.py", EXAMPLES.parents[1] / "traces" / "lammps"],
                          capture_output=True, text=True, check=True)
    assert "unexpected messages (at most)" in done.stdout and done.stdout.count("rank") >= 2
