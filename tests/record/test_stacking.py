"""The recorder beside another tool of MPI's profiling interface, before it and behind it: both see each call once."""
import os
import re

import pytest
from conftest import BUILD, Recorded, record, run


@pytest.mark.parametrize("order", ["before", "behind"])
def test_beside_a_tool(mpi, order, tmp_path):
    program = mpi.compile("ring.c")
    tool = mpi.compile("count_calls.c", "-shared", "-fPIC", name="libcount_calls.so")
    ours = BUILD / "lib" / "waitstate" / f"libwaitstate-record-{mpi.name}.so"
    alone = record(tmp_path / "alone", mpi.run(2, program))
    folder = tmp_path / "trace"
    libraries = f"{tool}:{ours}" if order == "before" else f"{ours}:{tool}"
    ran = run(mpi.run(2, program), env={**os.environ, "LD_PRELOAD": libraries, "WAITSTATE_RECORD_FOLDER": str(folder)})
    assert ran.returncode == 0, ran.stderr
    told = dict(re.findall(r"tool: rank (\d) (sends \d+ barriers \d+)", ran.stdout))
    assert told == {"0": "sends 1 barriers 1", "1": "sends 0 barriers 1"}
    trace = Recorded(folder)
    assert trace.complete(), trace.text
    assert len(trace.events()) == len(alone.events())
