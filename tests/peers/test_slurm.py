"""Analyses by several processes that srun has started, on two nodes: a Slurm that the tests start."""
import os
import shlex
import signal
import sys
import time

import pytest
from conftest import PROGRAM, SOURCE, TRACES, alone
from test_failures import is_over, pids_of, plugin, say_here

sys.path.insert(0, str(SOURCE / "tests" / "support"))
import private_slurm
from private_slurm import wait_until

slurm = private_slurm.slurm  # the fixture

ANALYZE = (PROGRAM, "analyze", TRACES / "p2p")


def said(run):
    """The lines of waitstate, without the words of Slurm."""
    return [line for line in run.stderr.splitlines() if line.startswith("waitstate:")]


@pytest.mark.parametrize("processes", [2, 5])
def test_same_bytes(slurm, mpi, processes, tmp_path):
    assert alone(*ANALYZE[1:], "-o", tmp_path / "one.json").returncode == 0
    run = slurm.run(*slurm.step(mpi.name, processes, *ANALYZE, "-o", tmp_path / "several.json"))
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "several.json").read_bytes()


@pytest.mark.parametrize("words", [("/nowhere",), (TRACES / "p2p", "--pattern", "nonsense"), (TRACES / "p2p", "--threads", "many")])
def test_one_sentence(slurm, mpi, words):
    one, three = alone("analyze", *words), slurm.run(*slurm.step(mpi.name, 3, PROGRAM, "analyze", *words))
    assert one.returncode != 0 and three.returncode == one.returncode
    assert said(three) == [line for line in one.stderr.splitlines() if line.startswith("waitstate:")]
    assert three.stdout == ""


def test_a_job(slurm, mpi, tmp_path):
    """As the README has it."""
    command = shlex.join(map(str, slurm.step(mpi.name, 4, *ANALYZE, "--threads", 1, "-o", tmp_path / "of_job.json")))
    job = slurm.batch(f"#SBATCH --nodes=2 --ntasks-per-node=2\n{command}", "-o", tmp_path / "said")
    assert wait_until(lambda: job not in slurm.jobs()), (tmp_path / "said").read_text()
    assert alone(*ANALYZE[1:], "-o", tmp_path / "one.json").returncode == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "of_job.json").read_bytes()


class Started:
    """An analysis by three processes, each of which has called the pattern, and is busy for some seconds."""

    def __init__(self, slurm, mpi, folder):
        self.plugin = str(plugin(folder, say_here(folder)))
        self.run = slurm.start(*slurm.step(mpi.name, 3, *ANALYZE, "--threads", 1, "--plugin", self.plugin))
        self.pids = pids_of(folder, 3)

    def ended(self):
        """Waits until all is over, which has failed; returns what was said."""
        _, errors = self.run.communicate(timeout=30)
        assert is_over(self.plugin)
        assert self.run.returncode != 0
        return errors


@pytest.mark.parametrize("rank", [0, 2])
def test_killed(slurm, mpi, rank, tmp_path):
    """srun leaves the others running where a process has failed, unless it is told to end them."""
    started = Started(slurm, mpi, tmp_path)
    os.kill(started.pids[rank], signal.SIGKILL)
    errors = started.ended()
    assert "was killed (signal 9)" in errors


def test_interrupted(slurm, mpi, tmp_path):
    started = Started(slurm, mpi, tmp_path)
    started.run.send_signal(signal.SIGINT)
    time.sleep(0.3)
    started.run.send_signal(signal.SIGINT)  # srun has asked for another one within a second
    started.ended()


def test_cancelled(slurm, mpi, tmp_path):
    started = Started(slurm, mpi, tmp_path)
    slurm.cancel_all()
    started.ended()


def test_without_an_mpi(slurm):
    """Tasks cannot find each other; each may work alone if that is what is wanted."""
    command = ["srun", "-n", 2, "--mpi=none", *ANALYZE]
    run = slurm.run(*command)
    assert run.returncode == 2 and run.stdout == ""
    assert said(run) == [
        "waitstate: error: srun has started 2 processes that cannot find each other: start them with srun --mpi=pmi2 (MPICH) or "
        "--mpi=pmix (Open MPI), start only one, or set WAITSTATE_MPI=none to let each work alone"]
    each = slurm.run(*command, env={"WAITSTATE_MPI": "none"})
    assert each.returncode == 0
    assert each.stdout.count("Late Sender") == 2 * alone(*ANALYZE[1:]).stdout.count("Late Sender")


def test_another_mpi(slurm, mpi):
    """MPICH's processes, started for PMIx, are each the only one."""
    if mpi.name != "mpich":
        pytest.skip("Open MPI ends the program itself")
    run = slurm.run("srun", "-n", 2, "--mpi=pmix", *ANALYZE, env={"WAITSTATE_MPI": "mpich"})
    assert run.returncode == 2 and run.stdout == ""
    assert said(run) == [
        "waitstate: error: 2 processes have been started, but libwaitstate-peers-mpich.so finds 1 of them: start them with the launcher "
        "of that MPI (srun --mpi=pmi2 for MPICH, --mpi=pmix for Open MPI), or name the launcher's MPI in WAITSTATE_MPI"]


def test_a_shell_of_several_tasks(slurm, mpi):
    """A user types in the first one; what is started there does not wait for the others."""
    shell = f"test $SLURM_PROCID != 0 || {' '.join(map(str, ANALYZE))}; true"
    command = shlex.join(map(str, slurm.step(mpi.name, 2, "--pty", "sh", "-c", shell)))
    run = slurm.run("script", "-q", "-e", "-c", command, "/dev/null", timeout=60)
    assert "Late Sender" in run.stdout, run.stdout
