"""Memory: nothing is asked for while calls are recorded, however many."""
import os
import re

from conftest import record

MIB = 1 << 20


def test_no_allocations_in_the_steady_state(mpi, tmp_path):
    """Allocations of the recorder's library, counted by their callers: none in 1,000 rounds of calls, none in 100,000.

    But that OTF2 asks once for each MiB of records, for what describes a chunk of its buffers.
    """
    program = mpi.compile("steady.c", "-ldl")
    counter = mpi.compile("count_allocations.c", "-shared", "-fPIC", name="libcount_allocations.so")
    trace = record(tmp_path / "trace", mpi.run(1, program, 100000), "--record", "all",
                   env={**os.environ, "LD_PRELOAD": str(counter)})
    assert trace.nothing_missing()
    before, few, many = map(int, re.search(r"recorder (\d+) before, (\d+) in 1000 rounds, (\d+) in 100000 rounds",
                                           trace.ran.stdout).groups())
    of_a_thousand = sum(f.stat().st_size for f in trace.folder.rglob("*.evt")) / 201
    assert 100 * of_a_thousand > 8 * MIB  # buffers went to the disk
    assert before > 10  # it was counted
    assert few <= of_a_thousand / MIB + 1
    assert many <= 100 * of_a_thousand / MIB + 1
