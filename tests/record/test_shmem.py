"""OpenSHMEM programs: known delays, counts, and that every function of the library has a kind.

The exit status of the programs is not looked at: here the library's shmem_finalize crashes, with and without a recorder, after
all else is done.
"""
import shutil
import subprocess
import sys

import pytest
from conftest import PROGRAM, PROGRAMS, SOURCE, Recorded, has, run

UNIT = 0.04
GENERATOR = SOURCE / "src/record/shmem/generate.py"


@pytest.fixture
def oshcc():
    if not has("shmem") or not shutil.which("oshcc"):
        pytest.skip("no OpenSHMEM here, or this build has no recorder for it")
    return "oshcc"


def flags():
    shown = subprocess.run(["oshcc", "-showme:compile"], capture_output=True, text=True, check=True).stdout
    return [f for f in shown.split() if f.startswith("-I")]


def test_every_function_has_a_kind(oshcc):
    ran = run([sys.executable, "-B", GENERATOR, "--list", "c++", *flags()])
    assert ran.returncode == 0, ran.stdout
    kinds = dict(line.split() for line in ran.stdout.splitlines())
    assert len(kinds) > 800
    expected = {"shmem_putmem": "put", "shmem_ctx_long_put_nbi": "put", "shmem_int64_g": "get_one", "shmem_iget32": "strided_get",
                "shmem_long_atomic_fetch_add": "atomic", "shmem_fcollect64": "collect", "shmem_int_sum_to_all": "reduce",
                "shmem_quiet": "quiet", "shmem_barrier": "barrier", "shmem_ulong_wait_until": "wait"}
    assert {name: kinds[name] for name in expected} == expected


def test_known_delays(oshcc, tmp_path):
    program = tmp_path / "shmem"
    subprocess.run([oshcc, "-g", "-finstrument-functions", str(PROGRAMS / "shmem.c"), "-o", str(program)], check=True)
    folder = tmp_path / "trace"
    ran = run([PROGRAM, "record", "-o", folder, "--", "oshrun", "-n", 4, program, 2, int(UNIT * 1e6)])
    assert "4 processes" in ran.stderr, ran.stderr
    trace = Recorded(folder)
    assert trace.complete(), trace.text
    # As traces/shmem/MANIFEST.md tells: in the first barrier 3, 2 and 1 units, and a unit on each of PEs 1 to 3.
    assert trace.severity("shmem_barrier_wait") >= 0.95 * 2 * 6 * UNIT
    assert 0.9 * 2 * 3 * UNIT <= trace.severity("shmem_wait_until") <= 2 * 2 * 3 * UNIT
    assert trace.severity("shmem_lock_completion") >= 2 * UNIT
    assert trace.severity("comms_rma_puts") == 14
    assert trace.severity("comms_rma_gets") == 8
    assert trace.severity("time", "nap") > 0


def test_more_known_delays(oshcc, tmp_path):
    """As traces/shmem_waits/MANIFEST.md tells; a busy machine makes waits longer and seldom shorter."""
    program = tmp_path / "shmem_waits"
    subprocess.run([oshcc, "-g", "-finstrument-functions", str(PROGRAMS / "shmem_waits.c"), "-o", str(program)], check=True)
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--", "oshrun", "-n", 4, program, 2, int(UNIT * 1e6)])
    assert "4 processes" in ran.stderr, ran.stderr
    trace = Recorded(tmp_path / "trace")
    assert trace.complete(), trace.text
    for metric, function, units in (("shmem_barrier_wait", "barrier", 12), ("shmem_latebroadcast", "broadcast", 4),
                                    ("shmem_wait_nxn", "collect", 6), ("shmem_wait_nxn", "reduce", 6),
                                    ("shmem_wait_until", "wait_for_flag", 6), ("shmem_lock_completion", "lock", 9)):
        found = trace.severity(metric, "main", function)
        assert 0.8 * units * UNIT <= found <= 2.5 * units * UNIT, f"{metric} in {function}: {found}, {units} units asked for"
    assert trace.severity("shmem_accounted_wait", "transfers") < UNIT
