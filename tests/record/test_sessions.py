"""Programs that use sessions of MPI 4 instead of MPI_Init, or beside it."""
import re
import shutil

import pytest
from conftest import PROGRAM, Mpi, Recorded, has, record, run


@pytest.fixture(name="mpich")
def of_mpich(tmp_path):
    """Debian's Open MPI has no sessions."""
    if not has("mpich") or not shutil.which("mpicc.mpich"):
        pytest.skip("no MPICH here, or this build has no recorder for it")
    return Mpi("mpich", tmp_path)


def recorded(mpich, how, folder, processes=4, returncode=5):
    return record(folder / "trace", mpich.run(processes, mpich.compile("sessions.c"), how), returncode=returncode)


def names(trace):
    """Names of the communicators that were made, each once."""
    return sorted(re.findall(r"^comm \d+ name=(\S+) group", "\n".join(trace.definitions()), re.MULTILINE))


def test_without_mpi_init(mpich, tmp_path):
    """All is recorded from the first session on: two communicators in each of two sessions, and what happens on them."""
    trace = recorded(mpich, "alone", tmp_path)
    assert trace.complete(), trace.text
    assert "4 processes" in trace.ran.stderr
    assert names(trace) == ["org.example.all"] * 2 + ["org.example.half"] * 4
    assert len(trace.events("send")) == len(trace.events("recv")) == 2 * 4
    assert len(trace.events("collective_end")) == 4 * 2 * (2 + 2 + 2)  # made, a barrier on each, freed
    assert [sum(e[2] == "enter" and e[3] == f"MPI_Session_{what}" for e in trace.events()) for what in ("init", "finalize")] == [12, 12]
    assert 2 * 0.14 <= trace.severity("mpi_latesender", "MPI_Sendrecv") <= 2 * 0.14 * 3  # rank 1 waits for it at least


def test_beside_mpi_init(mpich, tmp_path):
    trace = recorded(mpich, "before", tmp_path)
    assert trace.complete(), trace.text
    assert names(trace) == ["MPI_COMM_SELF", "MPI_COMM_WORLD"] + ["org.example.all"] * 2 + ["org.example.half"] * 4
    assert len(trace.events("send")) == len(trace.events("recv")) == 3 * 4


def test_mpi_init_within_a_session(mpich, tmp_path):
    """The recording that a session began ends with MPI_Finalize; that more followed is said."""
    trace = recorded(mpich, "nested", tmp_path)
    assert names(trace) == ["MPI_COMM_SELF", "MPI_COMM_WORLD", "org.example.all"]
    assert len(trace.events("send")) == len(trace.events("recv")) == 4
    text = " ".join(trace.text.split())
    assert "not recorded messages and collective operations on communicators of MPI sessions" in text
    assert "Nothing is missing" not in text


def test_an_inter_communicator_of_two_groups(mpich, tmp_path):
    trace = recorded(mpich, "inter", tmp_path)
    assert trace.complete(), trace.text
    assert any(re.match(r"comm \d+ name=org.example.inter group=\d+ group_b=\d+ ", d) for d in trace.definitions())
    assert len(trace.events("send")) == len(trace.events("recv")) == 4


def test_a_status_that_the_library_does_not_fill(mpich, tmp_path):
    trace = recorded(mpich, "wait", tmp_path)
    assert trace.complete(), trace.text
    assert sorted(e[4:7] for e in trace.events("irecv")) == [["tag=3", "com=0", "len=4"]] * 4


@pytest.mark.parametrize("how", ["self", "one"])
def test_nobody_waits_for_anybody(mpich, how, tmp_path):
    trace = recorded(mpich, how, tmp_path)
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 3 * (4 if how == "self" else 1)


def test_a_process_that_is_killed(mpich, tmp_path):
    """Its records are there, and what the others wait for."""
    trace = recorded(mpich, "hang", tmp_path, returncode=tuple(range(-64, 256)))
    assert "ended before its end: 0, 1, 2, 3" in trace.ran.stderr
    assert len(trace.events("collective_end")) == 4 * 2
    waits = {c["location"]: [(w["kind"], w["whom"], w["tag"]) for w in c["waits"]] for c in trace.report["open_calls"]}
    assert {rank: w for rank, w in waits.items() if rank != 3} == {rank: [("receive", [3], 7)] for rank in (0, 1, 2)}


def test_several_programs_of_a_command(mpich, tmp_path):
    """Each job has an archive of its own, also where one of its processes alone opened a session."""
    program = mpich.compile("sessions.c")
    job = " ".join(mpich.run(2, program, "one")) + "; " + " ".join(mpich.run(4, program, "alone")) + " && false"
    trace = record(tmp_path / "trace", ["sh", "-c", job], returncode=5)
    assert "waitstate record: 2 processes, " in trace.ran.stderr and "waitstate record: 4 processes, " in trace.ran.stderr
    assert trace.complete(), trace.text
    assert Recorded(trace.folder / "program-2").complete()
    assert not (trace.folder / "program-3").exists() and not list(trace.folder.glob("next-*"))


def test_a_command_in_each_process(mpich, tmp_path):
    """Nobody stays, and nobody can be asked: the folder must be named, and `recover` completes the trace."""
    program = mpich.compile("sessions.c")
    folder = tmp_path / "trace"
    ran = run(mpich.run(4, PROGRAM, "record", "-o", folder, program, "alone"))
    assert ran.returncode == 5
    assert ran.stderr == f"waitstate record: when all processes have ended, `waitstate recover {folder}` completes the trace\n"
    assert run([PROGRAM, "recover", folder]).stdout.startswith("4 processes, ")
    assert Recorded(folder).complete()
    again = run(mpich.run(4, PROGRAM, "record", "-o", folder, program, "alone"))
    assert again.returncode == 5
    assert f"cannot make the folder {folder}: File exists; name another one with -o" in again.stderr
    unnamed = run(mpich.run(4, PROGRAM, "record", program, "alone"), cwd=tmp_path)
    assert unnamed.returncode == 5
    assert unnamed.stderr == ("waitstate record: not recorded: processes that use sessions need a folder that all know: name it with "
                              "-o\n")
