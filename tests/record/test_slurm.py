"""Programs that srun starts on two nodes, in jobs that come to their end and in such that do not: a Slurm that the tests start."""
import shlex
import sys
import time

import pytest
from conftest import PROGRAM, SOURCE, Recorded, run

sys.path.insert(0, str(SOURCE / "tests" / "support"))
import private_slurm
from private_slurm import wait_until

slurm = private_slurm.slurm  # the fixture

PROCESSES = 2
FORMS = ("before", "in each process")


def command(slurm, mpi, form, folder, how):
    """The words that record the program that ends so."""
    program = [mpi.compile("ends.c"), how]
    ours = [PROGRAM, "record", "-o", folder]
    if form == "before":
        return [*ours, "--", *slurm.step(mpi.name, PROCESSES, *program)]
    return slurm.step(mpi.name, PROCESSES, *ours, *program)


def receives(folder):
    events = Recorded(folder).events("recv")
    return [sum(e[0] == str(rank) for e in events) for rank in range(PROCESSES)]


@pytest.mark.parametrize("form", FORMS)
def test_complete(slurm, mpi, form, tmp_path):
    folder = tmp_path / "trace"
    ran = slurm.run(*command(slurm, mpi, form, folder, "finalize"))
    assert ran.returncode == 7, ran.stderr
    assert Recorded(folder).complete(), ran.stderr
    assert [line for line in ran.stderr.splitlines() if line.startswith("waitstate record:")] == [
        f"waitstate record: {PROCESSES} processes, {len(Recorded(folder).events())} events in {folder}"]


@pytest.mark.parametrize("how", ["abort", "error", "all_leave"])
def test_ended_early(slurm, mpi, how, tmp_path):
    """The exit code is that of the run without the recorder, and no event is lost."""
    alone = slurm.run(*slurm.step(mpi.name, PROCESSES, mpi.compile("ends.c"), how))
    ran = slurm.run(*command(slurm, mpi, "before", tmp_path / "trace", how))
    assert ran.returncode == alone.returncode != 0
    assert "ended before its end: 0, 1" in ran.stderr
    assert receives(tmp_path / "trace") == [10, 10]


@pytest.mark.parametrize("how", ["hang", "own_handler"])
@pytest.mark.parametrize("form", FORMS)
def test_a_job_that_is_cancelled(slurm, mpi, form, how, tmp_path):
    """As at its time limit: its processes get SIGTERM, and SIGKILL if they have a handler of their own and go on."""
    folder, said = tmp_path / "trace", tmp_path / "said"
    job = slurm.batch(shlex.join(map(str, command(slurm, mpi, form, folder, how))), "-n", PROCESSES, "-N", 2, "-o", said)
    assert wait_until(lambda: said.exists() and said.read_text().count("was sent") == PROCESSES)
    time.sleep(0.5)  # until both wait
    slurm.run("scancel", job)
    assert wait_until(lambda: job not in slurm.jobs())
    if form == "before":  # `record` had the time to complete it, if Slurm has not killed it as well
        wait_until(lambda: "waitstate record:" in said.read_text() or not (folder / "traces.otf2").exists())
    recovered = run([PROGRAM, "recover", folder])
    assert recovered.returncode == 0, recovered.stderr + said.read_text()
    assert receives(folder) == [10, 10]
    waits = {c["location"]: [(w["kind"], w["whom"], w["tag"]) for w in c["waits"]] for c in Recorded(folder).report["open_calls"]}
    assert waits == {0: [("receive", [1], 2)], 1: [("receive", [1], 2)]}
