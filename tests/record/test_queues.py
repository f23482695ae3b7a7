"""The message queues of a recorded run whose numbers are known (tests/programs/queues.c), and Open MPI's own beside them."""
import json
import os

import pytest
from conftest import PROGRAM, record, run

# Sent before the barrier behind which they are received, in three sizes of ten; the largest, which were sent last, are
# taken out first: ten from place 21, ten from place 11, ten from the front.
UNEXPECTED, POSTED = 30, 20
PLACES = 10 * 21 + 10 * 11 + 10 * 1
BYTES = 10 * (8 + 128 + 1024)


def analyzed(trace, *options):
    ran = run([PROGRAM, "analyze", trace.folder, "--pattern", "mpi_posted_count", *options])
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def sums(report):
    return {m["id"]: m["total"] for m in report["metrics"] if m["id"].startswith(("mpi_posted", "mpi_unexpected"))}


def test_numbers_of_the_program(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("queues.c")))
    assert trace.nothing_missing()
    report = json.loads(analyzed(trace, "--format", "json"))
    found = sums(report)
    assert (found["mpi_posted_count"], found["mpi_unexpected_count"], found["mpi_unexpected_bytes"]) == \
        (POSTED, UNEXPECTED, BYTES)
    assert (found["mpi_posted_length"], found["mpi_unexpected_length"], found["mpi_unexpected_places"]) == \
        (POSTED, UNEXPECTED, PLACES)
    (row,) = [p for p in report["queues"]["profiles"] if p["communicator"] is None]
    unexpected, posted = row["unexpected"], row["posted"]
    assert row["process"] == 1
    assert (unexpected["entered"], unexpected["remaining"], unexpected["greatest_length"]) == (UNEXPECTED, 0, UNEXPECTED)
    assert (unexpected["search_total"], unexpected["search_greatest"]) == (PLACES, 21)
    assert unexpected["total"] == found["mpi_unexpected_time"] and posted["total"] == found["mpi_posted_time"]
    assert (posted["entered"], posted["greatest_length"], posted["search_total"]) == (POSTED, POSTED, POSTED)
    assert unexpected["populated"] == found["mpi_unexpected_populated"] and unexpected["greatest"] == found["mpi_unexpected_stay"]
    counters = {c["name"]: c["values"] for c in report["software_counters"]}
    assert counters["OMPI_SEND"] == [UNEXPECTED + POSTED, 0] and counters["OMPI_RECV"] == [0, UNEXPECTED]
    assert counters["OMPI_IRECV"] == [0, POSTED] and counters["OMPI_UNEXPECTED"] == [0, UNEXPECTED]
    assert counters["OMPI_MAX_UNEXPECTED_IN_QUEUE"] == [0, UNEXPECTED] and counters["OMPI_MATCH_TIME"] == []


def test_beside_open_mpis_own(mpi, tmp_path):
    """Receives from any source are not in its posted queue, but all of these name theirs; its unexpected queue has messages
    of the barrier, too."""
    if mpi.name != "openmpi":
        pytest.skip("Debian's MPICH has no performance variables")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("queues.c")), "--pvar", "pml_ob1_*",
                   env={**os.environ, "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,tcp"})
    text = analyzed(trace, "--full")
    lines = [line.split() for line in text.splitlines() if line.strip().startswith("pml_ob1_") and line.endswith("by the trace")]
    own = {line[0].split("_[")[0]: int(line[3]) for line in lines if "MPI_COMM_WORLD" in line[0]}
    assert own["pml_ob1_posted_recvq_length"] == POSTED
    assert UNEXPECTED <= own["pml_ob1_unexpected_msgq_length"] <= UNEXPECTED + 2
    said = [line[-6:-3] for line in lines if "MPI_COMM_WORLD" in line[0]]
    assert ["at", "least", str(POSTED)] in said and ["at", "most", str(UNEXPECTED)] in said
