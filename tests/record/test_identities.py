"""Communicators and persistent operations are the same on all their processes, in whatever order they are made or started."""
import re
import subprocess

import pytest
from conftest import PROGRAMS, record


def of_both_sides(trace):
    """Bytes of sends and of receives, by communicator."""
    found = {}
    for event in trace.events():
        if event[2] in ("send", "recv", "isend", "irecv"):
            comm, bytes_ = (next(w for w in event if w.startswith(name)) for name in ("com=", "len="))
            found.setdefault(comm, {}).setdefault(event[2].removeprefix("i"), []).append(bytes_)
    return found


def test_inter_communicators_of_threads(mpi, tmp_path):
    program = mpi.compile("inter_threads.c", "-pthread")
    trace = record(tmp_path / "trace", mpi.run(2, program), returncode=(0, 77))
    if trace.ran.returncode == 77:
        pytest.skip("this MPI has no MPI_THREAD_MULTIPLE")
    assert trace.complete(), trace.text
    found = of_both_sides(trace)
    assert sorted(sides["send"] for sides in found.values()) == [["len=4"], ["len=400"], ["len=8"], ["len=800"]]
    assert all(sides["send"] == sides["recv"] for sides in found.values())
    assert "4 matched messages" in trace.text


def test_persistent_operations_in_any_order(mpi, tmp_path):
    if subprocess.run([f"mpicc.{mpi.name}", PROGRAMS / "persistent.c", "-o", tmp_path / "persistent"],
                      capture_output=True).returncode != 0:
        pytest.skip(f"{mpi.name} has no persistent collective operations")
    program = mpi.compile("persistent.c")
    trace = record(tmp_path / "trace", mpi.run(3, program))
    assert trace.complete(), trace.text
    completed = {}
    for event in trace.events("nonblocking_collective_complete"):
        comm, op = (next(w for w in event if w.startswith(name)) for name in ("com=", "op="))
        completed.setdefault(comm, []).append(op)
    assert sorted(completed.values()) == [["op=allreduce"] * 6, ["op=barrier"] * 6, ["op=bcast"] * 6]
    # One message for each start, of all its parts.
    found = of_both_sides(trace)
    assert sorted(sides["send"] for sides in found.values()) == [["len=400", "len=400"], ["len=8", "len=8"]]
    assert all(sides["send"] == sides["recv"] for sides in found.values())
    names = re.findall(r'comm \d+ name="?([^"\n]*?)"? group', "\n".join(trace.definitions()))
    assert "MPI_COMM_WORLD, persistent 0" in names and "MPI_COMM_WORLD, partitioned 5/0-1" in names
