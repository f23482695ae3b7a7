"""OpenMP programs: what the runtime of LLVM tells, of clang's programs, of GCC's on it, and beside MPI.

The delays are those of traces/omp_waits/MANIFEST.md and traces/hybrid/MANIFEST.md.
"""
import collections
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import BUILD, PROGRAM, PROGRAMS, Mpi, Recorded, has, record, run

UNIT = 0.02
ARGUMENTS = (2, int(UNIT * 1e6))


def compiler(name):
    if not shutil.which(name):
        pytest.skip(f"no {name} here")
    made = BUILD / "src/record/openmp/omp-tools.h"
    if not made.exists():
        pytest.skip("this build has no recorder for OpenMP")
    return name


def recorded(folder, command, threads, *options, **environment):
    ran = run([PROGRAM, "record", "-o", folder, *options, "--", *command],
              env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive", **environment})
    assert ran.returncode == 0, ran.stderr
    trace = Recorded(folder)
    assert trace.complete(), trace.text
    return trace


def between(trace, low, high, metric, *within):
    found = trace.severity(metric, *within)
    assert low <= found <= high, f"{metric} in {within}: {found}"


def known_delays(trace):
    """By design, less 20 %, and up to twice as much on a busy machine."""
    barrier = next(f"!$omp barrier @omp_waits.c:{number}" for number, line in enumerate(
        (PROGRAMS / "omp_waits.c").read_text().splitlines(), 1) if "omp barrier" in line)
    between(trace, 0.8 * 12 * UNIT, 24 * UNIT, "omp_ebarrier_wait", "explicit_barrier", barrier)
    between(trace, 0.8 * 12 * UNIT, 24 * UNIT, "omp_ibarrier_wait", "implicit_barrier")
    between(trace, 0.8 * 9 * UNIT, 20 * UNIT, "omp_lock_contention_critical", "critical_chain")
    between(trace, 0.8 * 9 * UNIT, 20 * UNIT, "omp_lock_contention_api", "lock_chain", "omp_set_lock")
    between(trace, 0.8 * 3 * 4 * UNIT, 24 * UNIT, "omp_idle_threads", "serial")
    between(trace, 0.8 * 3 * 6 * UNIT, 36 * UNIT, "omp_task_starvation", "starvation")


def test_clang(tmp_path):
    program = tmp_path / "omp_waits"
    subprocess.run([compiler("clang"), "-g", "-fopenmp", "-finstrument-functions", str(PROGRAMS / "omp_waits.c"), "-o",
                    str(program)], check=True)
    trace = recorded(tmp_path / "trace", [program, *ARGUMENTS], 4)
    assert "1 process, 4 locations" in trace.text
    known_delays(trace)


def test_gcc_on_libomp(tmp_path):
    """Asked for, a program of GCC runs on LLVM's runtime; by itself, GCC's tells nothing."""
    program = tmp_path / "omp_waits"
    compiler("clang")
    subprocess.run([compiler("gcc"), "-g", "-fopenmp", "-finstrument-functions", str(PROGRAMS / "omp_waits.c"), "-o",
                    str(program)], check=True)
    trace = recorded(tmp_path / "trace", [program, *ARGUMENTS], 4, "--openmp", "libomp")
    # The runtime does not tell a barrier of GCC's program from one that a construct implies.
    waits = trace.severity("omp_ebarrier_wait", "explicit_barrier") + trace.severity("omp_ibarrier_wait", "explicit_barrier")
    assert waits >= 0.8 * 12 * UNIT
    alone = run([PROGRAM, "record", "-o", tmp_path / "alone", "--", program, 1, 100],
                env={**os.environ, "OMP_NUM_THREADS": "4"})
    assert alone.returncode == 0
    assert "nothing was recorded" in alone.stderr
    plain = tmp_path / "plain"
    subprocess.run([compiler("gcc"), "-fopenmp", str(PROGRAMS / "omp_waits.c"), "-o", str(plain)], check=True)
    said = run([PROGRAM, "record", "-o", tmp_path / "said", "--", plain, 1, 100]).stderr
    assert said.endswith("nothing was recorded: plain uses GCC's OpenMP runtime, which tells nothing: --openmp libomp runs it on "
                         "LLVM's\n")


def test_gcc_beside_mpi(mpi, tmp_path):
    """The last line says once that nothing is recorded of GCC's runtime, and how it can be; not where it is not loaded."""
    compiler("gcc")
    if not any(Path("/usr/lib").glob("*/libomp.so.5")) and not any(Path("/usr/lib").glob("llvm-*/lib/libomp.so.5")):
        pytest.skip("LLVM's OpenMP runtime is not installed")
    hint = "--openmp libomp"
    with_openmp = record(tmp_path / "trace", mpi.run(2, mpi.compile("hybrid.c", "-fopenmp"), 1, 100))
    assert with_openmp.ran.stderr.splitlines()[-1].count(hint) == with_openmp.ran.stderr.count(hint) == 1
    without = record(tmp_path / "without", mpi.run(2, mpi.compile("ring.c")))
    assert hint not in without.ran.stderr
    left_out = record(tmp_path / "left_out", mpi.run(2, mpi.compile("hybrid.c", "-fopenmp"), 1, 100), "--openmp", "off")
    assert hint not in left_out.ran.stderr


def test_beside_mpi(tmp_path):
    if not has("openmpi") or not shutil.which("mpicc.openmpi"):
        pytest.skip("no Open MPI here, or this build has no recorder for it")
    mpi = Mpi("openmpi", tmp_path)
    os.environ["OMPI_CC"] = compiler("clang")
    try:
        program = mpi.compile("hybrid.c", "-fopenmp", "-finstrument-functions")
    finally:
        del os.environ["OMPI_CC"]
    trace = recorded(tmp_path / "trace", mpi.run(2, program, *ARGUMENTS), 3)
    assert "2 processes, 6 locations" in trace.text
    # Thread t is busy for (1 + t) units: 2 + 1 in the implicit barrier, both processes, both repetitions.
    between(trace, 0.8 * 12 * UNIT, 24 * UNIT, "omp_ibarrier_wait", "imbalanced_parallel")
    # Rank 0 comes a unit late to MPI_Allreduce.
    between(trace, 0.8 * 2 * UNIT, 4 * UNIT, "mpi_wait_nxn", "mpi_after", "MPI_Allreduce")


def test_all_threads_communicate(tmp_path):
    """As traces/hybrid_waits/MANIFEST.md tells."""
    if not has("openmpi") or not shutil.which("mpicc.openmpi"):
        pytest.skip("no Open MPI here, or this build has no recorder for it")
    mpi = Mpi("openmpi", tmp_path)
    os.environ["OMPI_CC"] = compiler("clang")
    try:
        program = mpi.compile("hybrid_waits.c", "-fopenmp", "-finstrument-functions")
    finally:
        del os.environ["OMPI_CC"]
    trace = recorded(tmp_path / "trace", mpi.run(2, program, *ARGUMENTS), 3, KMP_BLOCKTIME="0")
    assert "12 matched messages" in trace.text
    for function in ("master_waits", "worker_waits", "posted_by_another"):  # rank 1 sends two units late, twice
        between(trace, 0.8 * 4 * UNIT, 8 * UNIT, "mpi_latesender", function)
    between(trace, 0.8 * 4 * UNIT, 8 * UNIT, "mpi_barrier_wait", "barrier", "MPI_Barrier")
    between(trace, 0.8 * 8 * UNIT, 16 * UNIT, "omp_idle_in_mpi_wait", "master_waits")


def test_switched_off(mpi, tmp_path):
    """A parallel region in which MPI_Pcontrol is called is recorded as a whole or not at all, in all of its threads."""
    variable = {"openmpi": "OMPI_CC", "mpich": "MPICH_CC"}[mpi.name]
    os.environ[variable] = compiler("clang")
    try:
        program = mpi.compile("pcontrol_omp.c", "-fopenmp")
    finally:
        del os.environ[variable]
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--", *mpi.run(2, program)],
              env={**os.environ, "OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"})
    assert ran.returncode == 0, ran.stderr
    trace = Recorded(tmp_path / "trace")
    if (BUILD / "src/record/openmp/backtrace.h").exists():
        assert regions(trace, "parallel") == lines_of(PROGRAMS / "pcontrol_omp.c", "/* recorded */")
    begun = [event[0] for event in trace.events("thread_team_begin")]
    assert len(begun) == 2 * 3 * 3 and {begun.count(location) for location in begun} == {3}
    depth = collections.Counter()
    for event in trace.events():
        depth[event[0]] += {"enter": 1, "exit": -1}.get(event[2], 0)
        assert depth[event[0]] >= 0
    assert not any(depth.values())
    for location in {event[0] for event in trace.events("thread_fork")}:
        kinds = [event[2] for event in trace.events() if event[0] == location and event[2] in ("thread_fork", "thread_join")]
        assert kinds == ["thread_fork", "thread_join"] * 3
    assert "whose" not in trace.text and trace.severity("measurement_off") > 0


def test_off(tmp_path):
    program = tmp_path / "omp_waits"
    subprocess.run([compiler("clang"), "-fopenmp", str(PROGRAMS / "omp_waits.c"), "-o", str(program)], check=True)
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--openmp", "off", "--", program, 1, 100])
    assert ran.returncode == 0
    assert "nothing was recorded" in ran.stderr


def regions(trace, construct):
    """Names of the places of a construct."""
    printed = run([PROGRAM, "print", trace.folder]).stdout
    return set(re.findall(rf'enter "?!\$omp {construct} @([^"\n]+)"?', printed))


def lines_of(source, text):
    return {f"{source.name}:{number}" for number, line in enumerate(source.read_text().splitlines(), 1) if text in line}


@pytest.mark.parametrize("flags", [["-g"], ["-g", "-O2"], ["-O2"]])
def test_parallel_regions_by_their_place(flags, tmp_path):
    source, program = PROGRAMS / "two_regions.c", tmp_path / "two_regions"
    subprocess.run([compiler("clang"), *flags, "-fopenmp", source, "-o", program], check=True)
    trace = recorded(tmp_path / "trace", [program], 2)
    places = regions(trace, "parallel")
    if "-g" in flags and (BUILD / "src/record/openmp/backtrace.h").exists():
        assert places == lines_of(source, "omp parallel")
        assert regions(trace, "barrier") == lines_of(source, "omp barrier")
    else:
        assert len(places) == 3
        assert sorted(place.split("+0x")[0] for place in places) == ["one", "two", "two"]
