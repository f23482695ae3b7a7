"""Programs in Fortran, by each of MPI's three interfaces, give the same records as the same program in C."""
import collections

import pytest
from conftest import record

PROCESSES = 4


def counts(trace):
    """{(location, type of event, region or nothing): how often}, without what the languages' libraries ask about."""
    found = collections.Counter()
    for location, _, kind, *rest in trace.events():
        if kind in ("enter", "exit"):
            found[location, kind, rest[0]] += 1
        elif kind not in ("program_begin", "program_end"):
            found[location, kind, " ".join(r for r in rest if r.startswith(("len=", "op=", "tag=")))] += 1
    return found


@pytest.mark.parametrize("interface", ["mpif", "mpi", "f08"])
def test_same_records_as_in_c(mpi, interface, tmp_path):
    expected = record(tmp_path / "c", mpi.run(PROCESSES, mpi.compile("ring.c")))
    program = mpi.compile(f"ring_{interface}.f90", language="fort")
    trace = record(tmp_path / interface, mpi.run(PROCESSES, program))
    assert expected.complete(), expected.text
    assert trace.complete(), trace.text
    assert counts(trace) == counts(expected)
    assert counts(trace)["1", "recv", "tag=3 len=32"] == 1
