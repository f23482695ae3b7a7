"""Shared by the tests of `waitstate record`: the MPIs at hand, programs compiled for them, recorded runs, and reports.

A test that needs what is not installed is skipped, by name. The programs are those of tests/programs; they nap for chosen
times, so that a test knows what must be found.
"""
import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["WAITSTATE_SOURCE"])
BUILD = Path(os.environ["WAITSTATE_BUILD"])
PROGRAM = BUILD / "waitstate"
PROGRAMS = SOURCE / "tests" / "programs"

# As root in a container, with more processes than cores; Open MPI's own messages one by one, because the gathering of equal
# ones ends some runs.
os.environ.update({
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_orte_base_help_aggregate": "0", "OMPI_MCA_btl_base_warn_component_unused": "0",
    "OMPI_MCA_mpi_yield_when_idle": "1",
})
MPIS = ("openmpi", "mpich")


def has(mpi):
    return (BUILD / "lib" / "waitstate" / f"libwaitstate-record-{mpi}.so").exists()


class Mpi:
    """An MPI: its compilers and its launcher."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder

    def compile(self, source, *flags, language="cc", name=None, compiler=None):
        """The program made of a file of tests/programs."""
        compiler = compiler or f"mpi{language}.{self.name}"
        if not shutil.which(compiler):
            pytest.skip(f"no {compiler} here")
        source = PROGRAMS / source
        out = self.folder / (name or source.stem)
        subprocess.run([compiler, "-g", "-O1", "-w", str(source), "-o", str(out), *flags], check=True)
        return out

    def run(self, processes, *command):
        return [f"mpirun.{self.name}", "-n", str(processes), *map(str, command)]


@pytest.fixture(params=MPIS)
def mpi(request, tmp_path):
    """Each MPI in turn."""
    if not has(request.param):
        pytest.skip(f"this build has no recorder for {request.param}")
    if not shutil.which(f"mpirun.{request.param}"):
        pytest.skip(f"no mpirun.{request.param} here")
    return Mpi(request.param, tmp_path)


def run(command, **settings):
    settings.setdefault("timeout", 120)
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **settings)


class Recorded:
    """A trace, and what the program says about it."""

    def __init__(self, folder):
        self.folder = folder
        self._report = None
        self._rows = None

    @property
    def report(self):
        """The JSON report."""
        if self._report is None:
            out = self.folder.with_suffix(".json")
            ran = run([PROGRAM, "analyze", self.folder, "-o", out])
            assert ran.returncode == 0, ran.stderr
            self._report = json.loads(out.read_text())
        return self._report

    @property
    def text(self):
        ran = run([PROGRAM, "analyze", self.folder])
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def nothing_missing(self):
        """Clocks of nodes that are busy may disagree by more than a message takes, which is said to be odd."""
        return "Missing from" not in self.text

    def complete(self):
        return "Nothing is missing from this trace, and it has no anomalies." in self.text

    def events(self, kind=None):
        """Lines of the notation: [location, time, type, ...]."""
        ran = run([PROGRAM, "print", self.folder])
        assert ran.returncode == 0, ran.stderr
        lines = [line.split() for line in ran.stdout.splitlines() if line[:1].isdigit()]
        return [line for line in lines if kind is None or line[2] == kind]

    def definitions(self):
        return [line for line in run([PROGRAM, "print", self.folder]).stdout.splitlines() if line[:1].isalpha()]

    def severity(self, metric, *within):
        """Seconds (or a count) of a metric in the call paths that have all of `within` among their regions."""
        if self._rows is None:
            ran = run([PROGRAM, "show", self.folder, "--format", "csv"])
            assert ran.returncode == 0, ran.stderr
            self._rows = list(csv.reader(ran.stdout.splitlines()[1:]))
        return sum(float(value) for name, path, _, value, *_ in self._rows
                   if name == metric and set(within) <= set(path.split("/")))


def record(folder, command, *options, returncode=0, **settings):
    """Runs a command under `record`, in the form with the launcher behind it. `returncode`: one, or all that may be."""
    ran = run([PROGRAM, "record", "-o", folder, *options, "--", *command], **settings)
    assert ran.returncode in (returncode if isinstance(returncode, tuple) else (returncode,)), f"{ran.returncode}: {ran.stdout}{ran.stderr}"
    result = Recorded(Path(folder))
    result.ran = ran
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session, exitstatus):
    """All skipped: ctest is to say so."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter.stats.get("skipped") and not reporter.stats.get("passed"):
        session.exitstatus = 77
