"""Functions that the programs of the other tests do not use: each program counts what it does, and the trace has as much."""
import re

import pytest
from conftest import PROGRAM, Recorded, record, run


def told(trace, *names):
    """The output of the processes: {rank: {name: number}}."""
    found = {}
    for line in trace.ran.stdout.splitlines():
        words = line.split()
        if words[:1] == ["rank"]:
            found[words[1]] = {n: int(words[words.index(n) + 1]) for n in names}
    return found


def total(events, field):
    return sum(int(word.partition("=")[2]) for e in events for word in e if word.startswith(field + "="))


def by_process(trace, *kinds):
    """{rank: its events}; there is one thread a process."""
    all_events = {}
    for event in trace.events():
        if event[2] in kinds:
            all_events.setdefault(event[0], []).append(event)
    return all_events


@pytest.mark.parametrize("processes", [2, 4])
def test_neighbours(mpi, processes, tmp_path):
    """Topologies with edges and without, and graphs: bytes to and from those who are there; waits are known."""
    if mpi.name == "mpich" and processes > 2:
        pytest.skip("MPICH with more processes than cores")
    trace = record(tmp_path / "trace", mpi.run(processes, mpi.compile("neighbours.c")))
    assert trace.complete(), trace.text
    found = by_process(trace, "collective_end", "nonblocking_collective_complete")
    for rank, expected in told(trace, "sent", "received").items():
        mine = [e for e in found[rank] if re.search(r"op=(allgather|alltoall)", " ".join(e))]
        assert (total(mine, "sent"), total(mine, "received")) == (expected["sent"], expected["received"])
    lines = trace.definitions()
    dimensions = [re.search(r"size=(\d+)(?: periodicity=(\w+))?", line).groups() for line in lines
                  if line.startswith("cart_dimension ")]
    assert len([line for line in lines if line.startswith("cart_topology ")]) == 2 + processes // 2  # line, torus, its rows
    assert sorted(int(size) for size, _ in dimensions) == sorted([processes, processes // 2, 2] + [2] * (processes // 2))
    # Of the graphs, the pairs and the ring.
    sources = re.findall(r'WAITSTATE::SOURCES::\d+=string:"\d+"', "\n".join(lines))
    assert len(sources) == 2 * processes


def test_one_sided_requests(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("rma_requests.c")), "--without", "test")
    assert trace.complete(), trace.text
    expected = told(trace, "puts", "gets", "atomics", "put_bytes", "got_bytes", "tries")
    found = by_process(trace, "rma_put", "rma_get", "rma_atomic", "rma_op_complete_nonblocking", "enter", "rma_group_sync")
    for rank, mine in found.items():
        of = {kind: [e for e in mine if e[2] == kind] for kind in {e[2] for e in mine}}
        numbers = expected[rank]
        assert [len(of[k]) for k in ("rma_put", "rma_get", "rma_atomic")] == [numbers[k] for k in ("puts", "gets", "atomics")]
        assert total(of["rma_put"], "bytes") == numbers["put_bytes"]
        assert total(of["rma_get"], "bytes") == numbers["got_bytes"]
        # Each is complete once, by its request or by the epoch, whichever was first.
        completed = [next(w for w in e if w.startswith("match=")) for e in of["rma_op_complete_nonblocking"]]
        assert len(completed) == len(set(completed)) == sum(numbers[k] for k in ("puts", "gets", "atomics"))
        # MPI_Win_test in vain was left out; those that found the epoch over end it.
        assert sum(e[3] == "MPI_Win_test" for e in of["enter"]) == 3 <= numbers["tries"]
        assert len(of["rma_group_sync"]) == 3 * 4  # post, start, complete, test


def test_spawned_processes(mpi, tmp_path):
    """A world that is started by another one has an archive of its own; what passes between them is counted."""
    if mpi.name == "mpich":
        pytest.skip("Debian's MPICH cannot start processes: with UCX, MPI_Comm_spawn fails")
    folder = tmp_path / "trace"
    trace = record(folder, mpi.run(2, mpi.compile("spawn.c"), 2))
    assert sorted(trace.ran.stdout.splitlines()) == [f"{who} {rank} of 2 knows 42" for who in ("child", "parent")
                                                     for rank in (0, 1)]
    child = Recorded(tmp_path / "trace.child-1")
    for world in trace, child:
        assert "2 processes" in world.text
        assert len(world.events("send")) == len(world.events("irecv")) == 10
        assert [line for line in world.definitions() if 'MESSAGES_OF_OTHER_WORLDS=string:"1"' in line]
        assert "is called, but none of its calls has a record" in world.text  # no call has a record of the message between them
    assert trace.ran.stderr.count("waitstate record:") == 2
    assert run([PROGRAM, "recover", child.folder]).returncode == 0
