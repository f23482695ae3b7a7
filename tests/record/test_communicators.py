"""Communicators have the same identity on all their members, without a message: random ones against what MPI says."""
import collections
import re

import pytest
from conftest import record


def members(trace):
    """{name: {members as text}} of the trace's communicators, by ranks in MPI_COMM_WORLD."""
    groups, found = {}, collections.defaultdict(set)
    lines = trace.definitions()
    for line in lines:
        if match := re.match(r"group (\d+)(?:.* members=\(?([\d,]*)\)?)?", line):
            groups[match[1]] = match[2]
    for line in lines:
        if match := re.match(r"comm (\d+) name=(\S+) group=(\d+)(?: group_b=(\d+))?", line):
            text = (groups[match[3]] or "") + ("|" + groups[match[4]] if match[4] else "")
            found[match[2].strip('"')].add(text)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_trees(mpi, seed, tmp_path):
    processes = 8 if mpi.name == "openmpi" else 4
    trace = record(tmp_path / "trace", mpi.run(processes, mpi.compile("communicators.c"), seed, 14), timeout=300)
    assert trace.complete(), trace.text
    told = collections.defaultdict(set)
    for line in trace.ran.stdout.splitlines():
        name, text = line.split()
        told[name].add(text)
    assert len(told) > 3
    found = members(trace)
    assert {name: texts for name, texts in found.items() if name in told} == told
    # Each was waited in once: all its members are in one and the same barrier, or the analysis would say otherwise.
    names = [re.match(r"comm (\d+) name=\"?([^ \"]+)", line) for line in trace.definitions() if line.startswith("comm ")]
    numbers = {m[2]: m[1] for m in names if m}
    ends = collections.Counter(next(w for w in e if w.startswith("com=")) for e in trace.events("collective_end")
                               if "op=barrier" in e)
    for name, texts in told.items():
        text = next(iter(texts))
        assert ends[f"com={numbers[name]}"] == len(re.split(r"[,|]", text)), name
