"""A batch system for tests: Slurm with two nodes on this machine, of the user who runs the tests, with a configuration of its
own. It takes about a second to start. Nothing else of the machine is touched, a Slurm that runs here neither.

Debian's packages: slurmctld slurmd slurm-client munge. MPICH's processes find each other by Slurm's own protocol (pmi2), Open
MPI's by PMIx.
"""
import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

PROTOCOLS = {"openmpi": "pmix", "mpich": "pmi2"}
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "scancel")

CONFIGURATION = """
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthInfo=socket={folder}/munge.socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
TmpFS={folder}/tmp.%n
SlurmdParameters=config_overrides
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]},{ports[2]} CPUs=8 CoresPerSocket=8 State=UNKNOWN
PartitionName=all Nodes=n[1-2] Default=YES OverSubscribe=YES:8 MaxTime=INFINITE State=UP
"""


def what_is_missing():
    """The name of a program that is not installed; None if all are."""
    places = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return next((name for name in PROGRAMS if not shutil.which(name, path=places)), None)


def free_ports(count):
    """Numbers of ports that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(there, seconds=60):
    """True when it is so; false if it still is not after so long."""
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Slurm:
    """A running one. Its commands need `environment`."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))  # short, because sockets lie in it
        for name in ("state", "spool.n1", "spool.n2", "tmp.n1", "tmp.n2"):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], ports=free_ports(3), folder=self.folder,
                                                      user=getpass.getuser()))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH", "PMI"))}
        self.environment.update(SLURM_CONF=str(configuration), PATH=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        # Processes of two nodes of one machine would take files of shared memory of the same names.
        self.environment.update(OMPI_MCA_btl="self,tcp", OMPI_MCA_btl_tcp_if_include="lo")
        files = {name: self.folder / f"munge.{name}" for name in ("socket", "pid", "log", "seed")}
        self.daemons = []
        self._start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={files['socket']}", f"--pid-file={files['pid']}",
                    f"--log-file={files['log']}", f"--seed-file={files['seed']}")
        self._wait_for(files["socket"].exists)
        self._start("slurmctld", "-D")
        for node in ("n1", "n2"):
            self._start("slurmd", "-D", "-N", node)
        self._wait_for(lambda: self.run("sinfo", "-h", "-o", "%T").stdout == "idle\n")

    def _start(self, *command):
        with open(self.folder / f"{len(self.daemons)}-{command[0]}.log", "w") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL))

    def _wait_for(self, there):
        if wait_until(there):
            return
        logs = "".join(log.read_text(errors="replace") for log in sorted(self.folder.glob("*.log")))
        self.stop()
        raise RuntimeError(f"Slurm does not start:\n{logs}")

    def run(self, *command, timeout=120, **options):
        """Runs a command of Slurm."""
        environment = {**self.environment, **options.pop("env", {})}
        return subprocess.run([str(c) for c in command], env=environment, capture_output=True, text=True, timeout=timeout, check=False,
                              stdin=subprocess.DEVNULL, **options)

    def start(self, *command):
        """Starts a command of Slurm, and does not wait for it."""
        return subprocess.Popen([str(c) for c in command], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL)

    def step(self, mpi, processes, *command, nodes=2):
        """The words that start processes of that MPI."""
        return ["srun", "-n", processes, "-N", nodes, f"--mpi={PROTOCOLS[mpi]}", *command]

    def batch(self, script, *options):
        """Gives the lines of a script to Slurm, and returns the number of the job."""
        file = self.folder / "job.sh"
        file.write_text(f"#!/bin/bash\n{script}\n")
        return self.run("sbatch", *options, file).stdout.split()[-1]

    def jobs(self):
        """The numbers of all jobs."""
        return self.run("squeue", "-h", "-o", "%i").stdout.split()

    def cancel_all(self):
        for job in self.jobs():
            self.run("scancel", job)

    def stop(self):
        """Ends all jobs, and Slurm."""
        if len(self.daemons) > 1:
            self.cancel_all()
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def slurm():
    """A Slurm for the tests of a file."""
    if missing := what_is_missing():
        pytest.skip(f"no {missing} here")
    started = Slurm()
    yield started
    started.stop()
