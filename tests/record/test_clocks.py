"""Clocks of several nodes are brought together; those of one node are one clock, and nothing is measured."""
import os
import re

from conftest import PROGRAM, Recorded, run

SECONDS = 10**9


def recorded(mpi, tmp_path, nodes, skews):
    folder = tmp_path / "trace"
    ran = run([PROGRAM, "record", "-o", folder, "--", *mpi.run(len(nodes), mpi.compile("ring.c"))],
              env={**os.environ, "WAITSTATE_RECORD_TEST_NODE": ",".join(nodes),
                   "WAITSTATE_RECORD_TEST_SKEW": ",".join(str(s) for s in skews)})
    assert ran.returncode == 0, ran.stderr
    return Recorded(folder)


def test_two_nodes(mpi, tmp_path):
    """Seconds apart, yet no message comes before it was sent, and nothing is odd."""
    trace = recorded(mpi, tmp_path, ["a", "b"], [0, 5 * SECONDS])
    assert trace.nothing_missing(), trace.text
    length = int(re.search(r"clock resolution=\d+ offset=\d+ length=(\d+)", "\n".join(trace.definitions()))[1])
    assert length < 4 * SECONDS
    begins = {e[0]: int(e[1]) for e in trace.events("enter") if e[3] == "MPI_Barrier"}
    assert abs(begins["0"] - begins["1"]) < SECONDS / 2


def test_three_processes_on_two_nodes(mpi, tmp_path):
    """One process of a node measures, and tells the others."""
    trace = recorded(mpi, tmp_path, ["a", "b", "b"], [0, 3 * SECONDS, 3 * SECONDS])
    assert trace.nothing_missing(), trace.text


def test_one_node_measures_nothing(mpi, tmp_path):
    trace = recorded(mpi, tmp_path, ["a", "a"], [0, 0])
    assert trace.nothing_missing(), trace.text
    for file in (trace.folder / "traces").glob("*.def"):
        assert file.stat().st_size < 200, "no clock offsets"
    skewed = recorded(mpi, tmp_path / "skewed", ["a", "a"], [0, 5 * SECONDS]) if (tmp_path / "skewed").mkdir() is None else None
    assert not skewed.complete(), "a clock that is said to be the same is believed"
