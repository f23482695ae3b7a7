"""Calls that return an error: no record of what did not happen, and a record of what did."""
import pytest
from conftest import record


def recorded(mpi, how, tmp_path):
    return record(tmp_path / "trace", mpi.run(2, mpi.compile("failed_calls.c"), how))


def test_a_message_that_is_too_long_was_received(mpi, tmp_path):
    trace = recorded(mpi, "truncated", tmp_path)
    assert "rank 1: 1 errors" in trace.ran.stdout
    assert "; 1 MPI call returned an error" in trace.ran.stderr
    assert [e[-1] for e in trace.events("send")] == ["len=32", "len=4", "len=8", "len=12"]
    assert [e[-1] for e in trace.events("recv")][1:] == ["len=4", "len=8", "len=12"]
    assert trace.nothing_missing(), trace.text
    assert 0.18 <= trace.severity("mpi_latesender", "MPI_Recv") <= 0.5


def test_a_send_that_failed_is_no_message(mpi, tmp_path):
    trace = recorded(mpi, "bad_send", tmp_path)
    assert "rank 0: 2 errors" in trace.ran.stdout
    assert "; 2 MPI calls returned an error" in trace.ran.stderr
    assert len(trace.events("send")) == len(trace.events("recv")) == 1
    assert trace.complete(), trace.text
    assert 0.05 <= trace.severity("mpi_latesender", "MPI_Recv") <= 0.3


def test_errors_of_a_killed_process_are_counted(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("failed_calls.c"), "bad_send", "kill"), returncode=tuple(range(-64, 256)))
    assert "rank 0: 2 errors" in trace.ran.stdout
    assert "; ended before its end: 0, 1; 2 MPI calls returned an error" in trace.ran.stderr


def test_the_others_of_several_requests_have_their_records(mpi, tmp_path):
    trace = recorded(mpi, "in_status", tmp_path)
    assert "rank 1: 1 errors" in trace.ran.stdout
    assert len(trace.events("irecv_request")) == len(trace.events("irecv")) == len(trace.events("send")) == 3
    assert trace.nothing_missing(), trace.text


def test_a_status_that_the_library_does_not_fill(mpi, tmp_path):
    """MPI_Isendrecv of MPICH 4.0: source, tag and size are those of the call."""
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("isendrecv.c")))
    if "exchanged" not in trace.ran.stdout:
        pytest.skip("this MPI has no MPI_Isendrecv")
    assert trace.complete(), trace.text
    assert sorted(e[4:7] for e in trace.events("irecv")) == [["tag=6", "com=0", "len=512"]] * 2 + [["tag=7", "com=0", "len=512"]] * 2
