"""However a program ends, it ends as it would without the recorder, and what was recorded can be analysed."""
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, Mpi, Recorded, has, record, run

PROCESSES = 2
MANY = 80000  # rounds of messages: more than two chunks of events


def plain(command):
    """The same run without the recorder."""
    return run(command)


def test_exit_code_and_output(mpi, tmp_path):
    command = mpi.run(PROCESSES, mpi.compile("ends.c"), "finalize")
    alone = plain(command)
    assert alone.returncode == 7
    trace = record(tmp_path / "trace", command, returncode=7)
    assert sorted(trace.ran.stdout.splitlines()) == sorted(alone.stdout.splitlines())
    assert trace.complete(), trace.text
    assert trace.ran.stderr.count("waitstate record:") == 1
    assert not (trace.folder / "parts").exists()


def test_exit_code_of_a_rank(mpi, tmp_path):
    """A rank that exits without MPI_Finalize has its own exit code.

    What the launcher makes of it is not always that: MPICH's kills rank 0 as soon as rank 1 is gone, and now and then
    ends with the 9 of that, or with 1 because it missed the end of rank 1; without the recorder 9 came in 1 of 800 runs, 1 never.
    """
    program = mpi.compile("ends.c")
    shell = ["sh", "-c", f"{program} exit; code=$?; echo \"rank $PMI_RANK$OMPI_COMM_WORLD_RANK ended with $code\"; exit $code"]
    trace = record(tmp_path / "trace", mpi.run(PROCESSES, *shell), returncode=(3, 9, 1) if mpi.name == "mpich" else 3)
    assert "rank 1 ended with 3\n" in trace.ran.stdout


# How the last rank ends while the others wait for it, or (all_*) all do.
ENDS = ["abort", "c_abort", "segfault", "kill", "exit", "leave", "terminate", "interrupt", "divide", "stack", "heap", "execute",
        "error", "all_exit", "all_leave"]


@pytest.mark.parametrize("how", ENDS)
def test_ended_early(mpi, how, tmp_path):
    """All that every process recorded is there, and the exit code is as without the recorder, however the processes end.

    A rank may leave, and the launcher kill the other, before that has recorded the end of the barrier before it.
    """
    command = mpi.run(PROCESSES, mpi.compile("ends.c"), how)
    # MPICH's launcher makes of an exit what it wants, see above; and of two ranks that end it is left to chance which one counts,
    # also if it has killed one of them with 9 since the other one had ended.
    codes = (0, 1, 3, 9) if "exit" in how or how in ("leave", "execute", "all_leave") else (plain(command).returncode,)
    codes += (9,) if mpi.name == "mpich" else ()
    trace = record(tmp_path / "trace", command, returncode=codes)
    assert "waitstate record:" in trace.ran.stderr
    receives = trace.events("recv")
    assert [sum(e[0] == rank for e in receives) for rank in "01"] == [10, 10]
    ended = len(trace.events("collective_end"))  # MPI_Init and the barrier
    assert ended == 2 * PROCESSES or (how.startswith("all_") and ended == 2 * PROCESSES - 1)
    assert "ended before its end: 0, 1" in trace.ran.stderr


@pytest.mark.parametrize("how", ["kill", "all_leave"])
def test_ended_with_much_on_disk(mpi, how, tmp_path):
    """No event of a killed process is lost: those of the chunks that are full, and those of the last one."""
    command = mpi.run(PROCESSES, mpi.compile("ends.c"), how, MANY)
    trace = record(tmp_path / "trace", command, returncode=tuple(range(-64, 256)), timeout=400)
    assert trace.severity("comms_recv") == PROCESSES * MANY
    assert f"{PROCESSES} processes" in trace.ran.stderr



@pytest.mark.parametrize("how", ["segfault", "kill", "c_abort", "leave", "global_exit", "all_exit"])
def test_ended_shmem(how, tmp_path):
    if not has("shmem") or not shutil.which("oshcc"):
        pytest.skip("no OpenSHMEM here, or this build has no recorder for it")
    binary = Mpi("openmpi", tmp_path).compile("ends_shmem.c", compiler="oshcc")
    trace = record(tmp_path / "trace", ["oshrun", "-n", str(PROCESSES), binary, how], returncode=tuple(range(-64, 256)))
    ended = trace.events("rma_collective_end")
    assert all(sum(e[0] == rank for e in ended) >= 50 for rank in "01")  # some libraries finalize at exit


def test_a_process_that_cannot_write(mpi, tmp_path):
    """It goes on unrecorded, and the others do not wait for it."""
    folder = tmp_path / "trace"
    command = f"{mpi.compile('ends.c')} finalize"
    read_only = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && exec {command}"
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("cannot make a mount namespace here")
    shell = f"if [ $PMI_RANK$OMPI_COMM_WORLD_RANK = 1 ]; then exec unshare -m sh -c '{read_only}'; fi; exec {command}"
    trace = record(folder, mpi.run(PROCESSES, "sh", "-c", shell), returncode=7, timeout=60)
    assert sorted(trace.ran.stdout.splitlines()) == ["rank 0 was sent 1", "rank 1 was sent 0"]
    assert f"waitstate record: cannot write {folder}/parts/1.def: Read-only file system\n" in trace.ran.stderr
    assert trace.ran.stderr.endswith("; left no records: 1\n")
    assert sum(e[0] == "0" for e in trace.events("recv")) == 10


def hanging(mpi, folder, how="hang"):
    """A recorded run whose processes wait for ever."""
    running = subprocess.Popen([PROGRAM, "record", "-o", folder, "--", *mpi.run(PROCESSES, mpi.compile("ends.c"), how)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(PROCESSES):
        assert "was sent" in running.stdout.readline()
    time.sleep(0.5)
    return running


def test_terminated(mpi, tmp_path):
    """SIGTERM to `record` reaches the program through its launcher; the trace is completed."""
    folder = tmp_path / "trace"
    running = hanging(mpi, folder)
    running.send_signal(signal.SIGTERM)
    _, errors = running.communicate(timeout=60)
    if mpi.name == "openmpi":  # MPICH's launcher ends with 0 or 15, with and without the recorder
        assert running.returncode != 0
    trace = Recorded(folder)
    assert len(trace.events("recv")) == 10 * PROCESSES, errors


def test_a_handler_of_the_programs_own(mpi, tmp_path):
    """A program that takes a note of SIGTERM and hangs on, until it is killed: what was recorded and what it waits for is there."""
    folder = tmp_path / "trace"
    running = hanging(mpi, folder, "own_handler")
    pattern = f"^{tmp_path}/ends own_handler"
    subprocess.run(["pkill", "-TERM", "-f", pattern], check=True)
    time.sleep(0.3)
    assert subprocess.run(["pgrep", "-c", "-f", pattern], capture_output=True, text=True, check=True).stdout == f"{PROCESSES}\n"
    subprocess.run(["pkill", "-KILL", "-f", pattern], check=True)
    _, errors = running.communicate(timeout=60)
    trace = Recorded(folder)
    assert len(trace.events("recv")) == 10 * PROCESSES, errors
    open_calls = {c["location"]: [(w["kind"], w["whom"], w["tag"]) for w in c["waits"]] for c in trace.report["open_calls"]}
    assert open_calls == {0: [("receive", [1], 2)], 1: [("receive", [1], 2)]}


def test_recover_of_a_run_that_is_still_going_on(mpi, tmp_path):
    """Users try it when they think that the program hangs; nothing is lost by that."""
    running = hanging(mpi, tmp_path / "trace")
    ran = run([PROGRAM, "recover", tmp_path / "trace"])
    running.send_signal(signal.SIGTERM)
    _, errors = running.communicate(timeout=60)
    assert ran.returncode == 3
    assert "the run is still going on: process " in ran.stderr
    assert ran.stderr.endswith("recover it when all its processes have ended\n")
    assert len(Recorded(tmp_path / "trace").events("recv")) == 10 * PROCESSES, errors


def test_files_that_are_removed_during_the_run_are_missed(mpi, tmp_path):
    running = hanging(mpi, tmp_path / "trace")
    shutil.rmtree(tmp_path / "trace" / "parts" / "1")
    running.send_signal(signal.SIGTERM)
    _, errors = running.communicate(timeout=60)
    assert "; recorded events whose files are gone: 1\n" in errors


@pytest.mark.parametrize("name", ["a b", "a:b"])
def test_a_path_that_cannot_be_preloaded(mpi, tmp_path, name):
    """LD_PRELOAD would be split at the blank, and a library of the current folder be loaded."""
    own = tmp_path / name
    shutil.copytree(PROGRAM.parent / "lib" / "waitstate", own / "lib" / "waitstate")
    shutil.copy(PROGRAM, own)
    ran = run([own / PROGRAM.name, "record", "-o", tmp_path / "trace", "--", *mpi.run(1, mpi.compile("ends.c"), "finalize")])
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (f"waitstate: error: {own}/lib/waitstate/libwaitstate-record-launch.so cannot be loaded into "
                          "programs, because its path has a blank or a colon: install waitstate in a folder whose path has "
                          "neither, or move it there\n")


def test_recover_by_hand(mpi, tmp_path):
    """Of the form with a process each, nobody stays to complete it; `recover` does, and then changes nothing."""
    folder = tmp_path / "trace"
    program = mpi.compile("ends.c")
    ran = run(mpi.run(PROCESSES, PROGRAM, "record", "-o", folder, program, "exit"))
    assert ran.returncode != 0
    assert (folder / "parts").is_dir() and not (folder / "traces.otf2").exists()
    recovered = run([PROGRAM, "recover", folder])
    assert recovered.returncode == 0, recovered.stderr
    assert "2 processes" in recovered.stdout
    trace = Recorded(folder)
    assert sum(e[0] == "1" for e in trace.events("recv")) == 10
    before = {f: f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    again = run([PROGRAM, "recover", folder])
    assert again.returncode == 0
    assert again.stdout == f"{folder} is complete: there is nothing to recover\n"
    assert {f: f.read_bytes() for f in folder.rglob("*") if f.is_file()} == before


def test_recover_of_something_else(tmp_path):
    ran = run([PROGRAM, "recover", tmp_path])
    assert ran.returncode == 3
    assert ran.stderr == (f"waitstate: error: {tmp_path}: this is not a folder of a recorded run: there is neither parts/ nor "
                          "traces.otf2 in it\n")


def test_existing_folder(mpi, tmp_path):
    """Never written into: `record` says so before anything runs; a process of a started program goes on unrecorded."""
    program = mpi.compile("ends.c")
    folder = tmp_path / "trace"
    folder.mkdir()
    ran = run([PROGRAM, "record", "-o", folder, "--", *mpi.run(PROCESSES, program, "finalize")])
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "exists already: name a new folder with -o" in ran.stderr
    ran = run(mpi.run(PROCESSES, PROGRAM, "record", "-o", folder, program, "finalize"))
    assert ran.returncode == 7
    assert ran.stdout.count("was sent") == PROCESSES
    assert "cannot make the folder" in ran.stderr
    assert list(folder.iterdir()) == []


def test_full_disk(mpi, tmp_path):
    """A process that can write no more stops to record and says so; the program does not notice, and goes on."""
    trace = record(tmp_path / "trace", mpi.run(PROCESSES, mpi.compile("ends.c"), "limited", MANY), returncode=7, timeout=400)
    assert trace.ran.stdout.count("was sent") == PROCESSES
    # Each process about its own file. The one that merges has no such limit.
    assert trace.ran.stderr.count("File too large") == PROCESSES, trace.ran.stderr
    assert trace.severity("comms_recv") < PROCESSES * MANY
    size = sum(f.stat().st_size for f in trace.folder.rglob("*.evt"))
    assert size > PROCESSES * (2 << 20) - 4096, "what had filled the disk's last room and the chunk behind it is there"


def test_no_room_for_a_line(mpi, tmp_path):
    """Neither is there any for what a line of definitions says: nothing is written that would end the program."""
    trace = record(tmp_path / "trace", mpi.run(PROCESSES, mpi.compile("ends.c"), "tiny"), returncode=7)
    assert trace.ran.stdout.count("was sent") == PROCESSES
    assert trace.ran.stderr.count("File too large") == PROCESSES, trace.ran.stderr
    assert [sum(e[0] == rank for e in trace.events("recv")) for rank in "01"] == [10, 10]


def test_limit(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(PROCESSES, mpi.compile("ends.c"), "finalize", MANY), "--limit", "1",
                   returncode=7, timeout=400)
    assert "--limit" in trace.ran.stderr
    size = sum(f.stat().st_size for f in trace.folder.rglob("*.evt"))
    assert size < PROCESSES * 3 << 20


def test_no_mpi_program(tmp_path):
    """A program without MPI behind a launcher is left alone, and it is said that nothing was recorded."""
    launcher = next((m for m in ("mpirun.openmpi", "mpirun.mpich") if shutil.which(m)), None)
    if launcher is None:
        pytest.skip("no MPI here")
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--", launcher, "-n", "2", "sh", "-c", "echo ran; exit 4"])
    assert ran.returncode == 4
    assert ran.stdout == "ran\nran\n"
    assert "nothing was recorded" in ran.stderr
    assert not (tmp_path / "trace").exists()


def test_signal_is_passed_on(mpi, tmp_path):
    """A program that dies by a signal lets `record` die by the same one."""
    program = mpi.compile("ends.c")
    alone = run([program, "segfault"])  # by itself it is rank 0 of one, and waits for nobody
    assert alone.returncode != 0
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--", program, "segfault"])
    assert ran.returncode == alone.returncode
