"""A program that hangs and is ended gives a trace that tells who is blocked where, for whom, since when, and who keep each
other back."""
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from conftest import BUILD, PROGRAM, PROGRAMS, Recorded

PROCESSES = 3


def hung(mpi, how, tmp_path):
    """The program is ended by a signal to its processes, as a launcher ends them: what launchers do meanwhile differs."""
    folder = tmp_path / "trace"
    program = mpi.compile("hangs.c")
    running = subprocess.Popen([PROGRAM, "record", "-o", folder, "--", *mpi.run(PROCESSES, program, how)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(PROCESSES):
        assert running.stdout.readline().startswith("rank ")
    time.sleep(1)
    subprocess.run(["pkill", "-TERM", "-f", f"^{program} {how}"], check=True)
    try:
        running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
        raise
    return Recorded(folder)


def waits(trace):
    return {call["location"]: [(w["kind"], w["whom"], w["tag"], w["any"]) for w in call["waits"]]
            for call in trace.report["open_calls"]}


def path_of(trace, location):
    call = next(c for c in trace.report["open_calls"] if c["location"] == location)
    return trace.report["regions"][call["region"]]["name"]


def expect_first(trace, sentence):
    body = " ".join(trace.text.split("\n\n", 1)[1].split())
    body = re.sub(r" They have no event in the last \S+ m?s of the run\.", "", body)  # said if others went on for long
    assert body.startswith(sentence), body


def test_receives_that_face_each_other(mpi, tmp_path):
    trace = hung(mpi, "receives", tmp_path)
    assert waits(trace) == {0: [("receive", [1], 7, False)], 1: [("receive", [0], 7, False)],
                            2: [("collective", [0, 1], None, False)]}
    assert trace.report["deadlocks"] == [[0, 1]]
    expect_first(trace, "Deadlock: rank 0 waits for rank 1, and rank 1 for rank 0. Never ended: 3 processes still wait")
    assert "for a message from rank 1 (tag 7)" in " ".join(trace.text.split())


def test_a_member_of_a_barrier_that_never_comes(mpi, tmp_path):
    trace = hung(mpi, "barrier", tmp_path)
    assert waits(trace) == {0: [("collective", [1], None, False)], 2: [("collective", [1], None, False)]}
    assert trace.report["deadlocks"] == []
    expect_first(trace, "Never ended: 2 processes still wait in calls when the trace ends: rank 0 and rank 2 in ")
    assert "for rank 1, which has not arrived" in " ".join(trace.text.split())


def test_a_ring_of_sends(mpi, tmp_path):
    trace = hung(mpi, "ring", tmp_path)
    assert waits(trace) == {r: [("send", [(r + 1) % PROCESSES], 3, False)] for r in range(PROCESSES)}
    assert trace.report["deadlocks"] == [[0, 1, 2]]
    expect_first(trace, "Deadlock: rank 0 waits for rank 1, rank 1 for rank 2, and rank 2 for rank 0.")


def test_pending_requests(mpi, tmp_path):
    trace = hung(mpi, "requests", tmp_path)
    for rank, found in waits(trace).items():
        others = [r for r in range(PROCESSES) if r != rank]
        assert sorted(found) == sorted([("receive", [(rank + 1) % PROCESSES], 6, False), ("receive", others, 5, True)])
        assert path_of(trace, rank) == "MPI_Waitall"
    assert sorted(waits(trace)) == [0, 1, 2]
    assert trace.report["deadlocks"] == [[0, 1]]  # the shortest circle: rank 1 would go on with a message of rank 0


def test_locks_of_windows_in_a_circle(mpi, tmp_path):
    trace = hung(mpi, "locks", tmp_path)
    assert {r: (found[0][0], found[0][1]) for r, found in waits(trace).items()} == \
        {r: ("lock", [(r + 1) % PROCESSES]) for r in range(PROCESSES)}
    assert trace.report["deadlocks"] == [[0, 1, 2]]
    expect_first(trace, "Deadlock: rank 0 waits for rank 1, rank 1 for rank 2, and rank 2 for rank 0.")


def test_a_signal_for_the_whole_group(mpi, tmp_path):
    """As of timeout or a batch system: launchers take a second signal as the wish to kill all at once."""
    folder = tmp_path / "trace"
    running = subprocess.Popen([PROGRAM, "record", "-o", folder, "--", *mpi.run(PROCESSES, mpi.compile("hangs.c"), "barrier")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(PROCESSES):
        assert running.stdout.readline().startswith("rank ")
    time.sleep(1)
    os.killpg(running.pid, signal.SIGTERM)
    _, errors = running.communicate(timeout=60)
    trace = Recorded(folder)
    found = waits(trace)
    assert found and all(w == [("collective", [1], None, False)] for w in found.values()), errors
    if mpi.name == "openmpi":
        assert sorted(found) == [0, 2]


def hung_at_locks(tmp_path, how, kind):
    """The process itself is ended: what runs it has no launcher that would."""
    needed = BUILD / ("src/record/openmp/omp-tools.h" if kind == "openmp" else "lib/waitstate/libwaitstate-record-pthread.so")
    compiler = "clang" if kind == "openmp" else "cc"
    if not needed.exists() or not shutil.which(compiler):
        pytest.skip(f"this build records no locks of {kind}, or there is no {compiler}")
    program = tmp_path / "lock_hangs"
    subprocess.run([compiler, "-g", "-w", "-pthread", "-finstrument-functions", *(["-fopenmp"] if kind == "openmp" else []),
                    str(PROGRAMS / "lock_hangs.c"), "-o", str(program)], check=True)
    folder = tmp_path / "trace"
    running = subprocess.Popen([PROGRAM, "record", "-o", folder, "--record", f"user,{kind}", "--", program, how],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert running.stdout.readline() == "begun\n"
    time.sleep(1)
    subprocess.run(["pkill", "-TERM", "-f", f"^{program} {how}"], check=True)
    try:
        running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGKILL)
        raise
    return Recorded(folder)


@pytest.mark.parametrize("kind", ["openmp", "pthread"])
def test_locks_of_threads_in_a_circle(kind, tmp_path):
    trace = hung_at_locks(tmp_path, "circle", kind)
    assert waits(trace) == {0: [("thread_lock", [1], None, False)], 1: [("thread_lock", [0], None, False)]}
    assert trace.report["deadlocks"] == [[0, 1]]
    text = " ".join(trace.text.split())
    assert "Deadlock: Process 0 thread 0 waits for Process 0 thread 1, and Process 0 thread 1 for Process 0 thread 0." in text
    assert "for a lock held by Process 0 thread 1" in text


@pytest.mark.parametrize("kind", ["openmp", "pthread"])
def test_the_holder_of_a_lock_that_does_not_give_it_back(kind, tmp_path):
    trace = hung_at_locks(tmp_path, "holder", kind)
    assert waits(trace) == {1: [("thread_lock", [0], None, False)]}
    assert trace.report["deadlocks"] == []
    if kind == "pthread":  # a team's threads have no call path of their own when the trace ends
        text = " ".join(trace.text.split())
        assert "for a lock held by Process 0 thread 0, which has been in lock_hangs/main/run/hang/work since" in text
        assert "It has no event in the last" in text
