"""Batches keep the layout that users rely on: the arrays have these fields, formats and offsets, and no others.

`dtypes.txt` has a line a table - method, number of the argument, bytes of a row, each field with its format and its offset
- and a line for each kind of nested field. Methods that are new may be missing there. To record them
anew: test_dtypes.py > dtypes.txt
"""

import numpy as np

import waitstate
from conftest import SOURCE
from waitstate import Pattern

METHODS = sorted(n for n in waitstate.pattern.CALLBACKS if n.endswith("_batch"))
TRACES = ("traces/halo", "traces/coll", "traces/lammps", "traces/omp_waits", "traces/hybrid_waits", "traces/pthread_waits",
          "traces/cuda_waits", "traces/rma_waits", "traces/rma_windows", "traces/shmem_waits", "tests/checks/counters.trace")


def nested(dtype):
    """The layout of a nested field."""
    kinds = {"function": "Call", "culprit": "Wait", "accessed": "Access"}
    return next((kind for field, kind in kinds.items() if field in dtype.names), "Interval")


def line(name, dtype, lines):
    """A line for a dtype, and lines for those in it."""
    text = f"{name} {dtype.itemsize}"
    for field in dtype.names:
        inner, offset = dtype.fields[field][:2]
        base, shape = inner.subdtype or (inner, ())
        form = nested(base) if base.names else f"{base.kind}{base.itemsize}" + "".join(f"x{n}" for n in shape)
        text += f" {field}:{form}@{offset}"
        if base.names:
            line(form, base, lines)
    lines.add(text)


def seen_dtypes():
    """The dtypes of all tables of all batch methods, as lines."""
    lines = set()

    def method(name):
        def seen(self, *tables):
            for i, table in enumerate(tables):
                assert isinstance(table, np.ndarray)
                line(f"{name} {i}", table.dtype, lines)
        return seen

    def watch(self, receives):
        for m in receives.messages:
            self.watch_overtaking(m, self.add_wait(m.recv, 1, m.send))

    body = {name: method(name) for name in METHODS}
    body["completed_receives_callback"] = watch
    body["needs"] = ("mpi_latesender", "mpi_latereceiver")
    for trace in TRACES:
        waitstate.analyze(SOURCE / trace, patterns=[type("Dtypes", (Pattern,), body)])
    return sorted(lines)


def test_the_arrays_of_batches_are_laid_out_as_ever():
    expected = (SOURCE / "tests" / "python" / "dtypes.txt").read_text().splitlines()
    known = {line.split()[0] for line in expected}
    assert known <= {*METHODS, "Access", "Call", "Interval", "Wait"}
    assert [line for line in seen_dtypes() if line.split()[0] in known] == expected


if __name__ == "__main__":
    print("\n".join(seen_dtypes()))
