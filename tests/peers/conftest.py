"""Shared by the tests of analyses that several processes of an MPI do together: the MPIs at hand, and how to start them."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["WAITSTATE_SOURCE"])
BUILD = Path(os.environ["WAITSTATE_BUILD"])
PROGRAM = BUILD / "waitstate"
TRACES = SOURCE / "traces"
EVERYTHING = ("--pattern", "all,critical_path,delay,mpi_ideal_wait")

# As root in a container, with more processes than cores.
os.environ.update({
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
})
MPIS = ("openmpi", "mpich")


class Mpi:
    """An MPI, and analyses by several of its processes."""

    def __init__(self, name):
        self.name = name

    def command(self, peers, *words):
        return [f"mpirun.{self.name}", "-n", str(peers), str(PROGRAM), *map(str, words)]

    def run(self, peers, *words, **options):
        return subprocess.run(self.command(peers, *words), capture_output=True, text=True, timeout=120, **options)

    def said(self, run):
        """The lines of waitstate on stderr, without the words of the launcher."""
        return [line for line in run.stderr.splitlines() if line.startswith("waitstate:")]


@pytest.fixture(params=MPIS)
def mpi(request):
    """Each MPI in turn."""
    if not (BUILD / "lib" / "waitstate" / f"libwaitstate-peers-{request.param}.so").exists():
        pytest.skip(f"this build has no transport for {request.param}")
    if not shutil.which(f"mpirun.{request.param}"):
        pytest.skip(f"no mpirun.{request.param} here")
    return Mpi(request.param)


def alone(*words, **options):
    """A command run by one process, without MPI."""
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True, timeout=120, **options)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session, exitstatus):
    """All skipped: ctest is to say so."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter.stats.get("skipped") and not reporter.stats.get("passed"):
        session.exitstatus = 77
