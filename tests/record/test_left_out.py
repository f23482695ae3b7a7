"""Reports name the calls that were not recorded, and what that hides; MPI calls only if the program made some."""
from conftest import PROGRAM, record, run

IS_COMPUTATION = "their time is part of computation"
FILES = f"not recorded MPI calls on files, for types, groups, attributes and queries: {IS_COMPUTATION};"
QUERIES = f"not recorded MPI calls for types, groups, attributes and queries: {IS_COMPUTATION};"
THREADS = "POSIX threads: time in which they wait for each other is part of computation"


def words(trace, command="analyze"):
    return " ".join(run([PROGRAM, command, trace.folder]).stdout.split())


def test_files_and_queries(mpi, tmp_path):
    program = mpi.compile("files.c")
    trace = record(tmp_path / "trace", mpi.run(2, program, tmp_path / "file"))
    assert f"{FILES} {THREADS}" in words(trace)
    assert f"{FILES} {THREADS}" in words(trace, "info")
    assert trace.complete(), trace.text
    called = {d.split()[2] for d in trace.definitions() if d.startswith("region ")}  # nothing of what the library does inside
    assert called == {"name=MPI_Init", "name=MPI_Barrier", "name=MPI_Finalize"}
    assert f"{QUERIES} {THREADS}" in words(record(tmp_path / "without", mpi.run(2, program)))


def test_nothing(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("files.c"), tmp_path / "file"), "--record", "all")
    assert "not recorded" not in words(trace)
    assert trace.events("enter") and trace.severity("mpi_io") > 0


def test_what_was_left_out_on_purpose(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("ring.c")), "--record", "coll,other,pthread")
    assert f"not recorded MPI calls that pass messages between two processes: {IS_COMPUTATION};" in words(trace)
