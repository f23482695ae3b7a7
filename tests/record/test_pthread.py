"""POSIX threads, where they are asked for: who created and waited for whom, and who had which lock when.

The delays are those of traces/pthread_waits/MANIFEST.md, and those that pthread_locks.c says. Nothing is recorded of
threads and locks that are not the program's: those of the MPI library, of an OpenMP runtime, and of the recorder.
"""
import os
import shutil
import subprocess

import pytest
from conftest import BUILD, PROGRAM, PROGRAMS, Recorded, record, run
from test_delays import expect, three_tries

UNIT = 0.04
ARGUMENTS = (2, int(UNIT * 1e6))


def compiled(folder, source, *flags, compiler="cc"):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    if not (BUILD / "lib/waitstate/libwaitstate-record-pthread.so").exists():
        pytest.skip("this build has no recorder")
    program = folder / source.partition(".")[0]
    subprocess.run([compiler, "-g", "-w", "-pthread", "-finstrument-functions", str(PROGRAMS / source), "-o", str(program), *flags],
                   check=True)
    return program


def recorded(folder, program, *arguments):
    trace = record(folder / "trace", [program, *arguments], "--record", "user,pthread")
    assert trace.complete(), trace.text
    return trace


def counts(trace, *kinds):
    events = trace.events()
    return [sum(e[2] == kind for e in events) for kind in kinds]


@three_tries
def test_known_delays(tmp_path):
    trace = recorded(tmp_path, compiled(tmp_path, "pthread_waits.c"), *ARGUMENTS)
    assert "1 process, 23 locations" in trace.text  # as in traces/pthread_waits
    lock, condition = "pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional"
    expect(trace, lock, 2 * (1.5 + 3) * UNIT, 4, "mutex_chain", "chain_thread", "pthread_mutex_lock")
    expect(trace, condition, 2 * 3 * UNIT, 2, "condition_held", "condition_thread", "pthread_cond_wait")
    assert trace.severity(lock, "free_mutex") < 0.25 * UNIT
    # A thread's functions are called from where it was created.
    assert trace.severity("visits", "created_by_created", "pthread_create", "inner_thread", "nap") == 2
    assert counts(trace, "thread_create", "thread_begin", "thread_end", "thread_wait") == [22] * 4
    acquired, released = counts(trace, "thread_acquire_lock", "thread_release_lock")
    assert acquired == released + 1  # one is held at the end, by the same thread


@three_tries
def test_locks_of_other_kinds(tmp_path):
    trace = recorded(tmp_path, compiled(tmp_path, "pthread_locks.c"), *ARGUMENTS)
    lock, condition = "pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional"
    expect(trace, lock, 2 * 2 * UNIT, 2, "readers", "pthread_rwlock_wrlock")
    expect(trace, lock, 2 * UNIT, 2, "writer", "pthread_rwlock_rdlock")
    expect(trace, lock, 2 * UNIT, 2, "spinning", "pthread_spin_lock")
    assert trace.severity(lock, "trying") + trace.severity(condition, "timed") < 0.25 * UNIT
    assert trace.severity("visits", "trying", "pthread_mutex_trylock") == 4
    assert trace.severity("visits", "meeting", "pthread_barrier_wait") == 6
    expect(trace, "pthread_conditional", 2 * UNIT, 2, "timed", "pthread_cond_timedwait")


def test_however_a_thread_ends(tmp_path):
    """By pthread_exit, cancelled in a call, or with the process: what is open in it is closed, and the output is its own."""
    program = compiled(tmp_path, "pthread_locks.c")
    trace = recorded(tmp_path, program, 1, 10000)
    assert trace.ran.stdout == run([program, 1, 10000]).stdout == "15 threads\n"
    assert counts(trace, "thread_create", "thread_begin", "thread_end", "thread_wait") == [15, 15, 15, 14]
    enters, exits = counts(trace, "enter", "exit")
    assert enters == exits


def test_beside_mpi(mpi, tmp_path):
    """Threads and locks of the MPI library are not the program's."""
    program = mpi.compile("requests.c", "-pthread")
    trace = record(tmp_path / "trace", mpi.run(2, program), "--record", "p2p,test,coll,pthread")
    assert trace.complete(), trace.text
    found = [line.split() for line in trace.definitions() if line.startswith("region ") and "paradigm=pthread" in line]
    assert sorted(next(w for w in words if w.startswith("name=")) for words in found) == ["name=pthread_create", "name=pthread_join"]
    assert "2 processes, 10 locations" in trace.text
    assert counts(trace, "thread_create", "thread_begin", "thread_end", "thread_wait") == [8] * 4


def test_beside_openmp(tmp_path):
    """Threads of an OpenMP runtime are recorded by its own events."""
    if not (BUILD / "src/record/openmp/omp-tools.h").exists():
        pytest.skip("this build has no recorder for OpenMP")
    program = compiled(tmp_path, "omp_waits.c", "-fopenmp", compiler="clang")
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--record", "user,openmp,pthread", "--", program, 1, 1000],
              env={**os.environ, "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive"})
    assert ran.returncode == 0, ran.stderr
    trace = Recorded(tmp_path / "trace")
    assert trace.complete(), trace.text
    assert not [line for line in trace.definitions() if "name=pthread_" in line]
    assert counts(trace, "thread_create") == [0]
    assert counts(trace, "thread_team_begin") != [0]


def test_not_asked_for(tmp_path):
    program = compiled(tmp_path, "pthread_locks.c")
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--", program, 1, 1000])
    assert ran.returncode == 0
    assert "nothing was recorded" in ran.stderr
