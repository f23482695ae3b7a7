"""Whatever a program does and however it is started, it runs as it would without the recorder; and what is not recorded is said."""
import os
import shutil
import signal
import subprocess

import pytest
from conftest import BUILD, PROGRAM, Recorded, record, run


# MPI_Finalize of a child stands in for the MPI's, which would speak on the parent's connections: then the parent hangs at times,
# recorded or not.
FINALIZE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
static pid_t parent;
__attribute__((constructor)) static void note_parent(void) { parent = getpid(); }
int MPI_Finalize(void) {
  int (*const next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
  return getpid() == parent ? next() : MPI_SUCCESS;
}
"""


@pytest.mark.parametrize("how", ["fork", "clone", "finalize"])
def test_a_child_that_lives_on(mpi, how, tmp_path):
    """It has the recorder's memory, and nothing in it is its own."""
    (tmp_path / "finalize.c").write_text(FINALIZE)
    between = mpi.compile(tmp_path / "finalize.c", "-shared", "-fPIC", name="libfinalize.so")
    program = mpi.compile("forks.c", "-Wl,--no-as-needed", between, f"-Wl,-rpath,{tmp_path}")
    alone = run(mpi.run(2, program, how))
    trace = record(tmp_path / "trace", mpi.run(2, program, how), returncode=alone.returncode)
    said = [sorted(line for line in ran.stdout.splitlines() if line.startswith("rank ")) for ran in (alone, trace.ran)]
    assert said[0] == said[1] and len(said[0]) == 2
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 2 * 22
    assert not [e for e in trace.events("enter") if e[3] in ("child", "MPI_Comm_set_name")]


def test_a_launcher_that_fails(mpi, tmp_path):
    """Its own message and exit code; what it failed of is not guessed."""
    command = mpi.run(2, tmp_path / "is_not_there")

    def unbroken(words):
        """On a busy machine, a broken pipe ends MPICH's mpirun itself in one such run of sixty, recorded or not."""
        for _ in range(5):
            ran = run(words)
            if ran.returncode != -signal.SIGPIPE:
                break
        return ran
    alone = unbroken(command)
    ran = unbroken([PROGRAM, "record", "-o", tmp_path / "trace", "--mpi", mpi.name, "--", *command])
    assert ran.returncode == alone.returncode != 0
    assert "is_not_there" in ran.stderr + ran.stdout
    assert (f"waitstate record: nothing was recorded: the command ended with exit code {ran.returncode}, and no process called "
            "MPI_Init before that\n") in ran.stderr
    assert not (tmp_path / "trace").exists()


def test_a_library_that_cannot_be_loaded(mpi, tmp_path):
    """Is told before anything runs."""
    own = tmp_path / "installed"
    shutil.copytree(BUILD / "lib" / "waitstate", own / "lib" / "waitstate")
    shutil.copy(PROGRAM, own)
    library = own / "lib" / "waitstate" / f"libwaitstate-record-{mpi.name}.so"
    library.write_bytes(library.read_bytes()[:5000])
    ran = run([own / PROGRAM.name, "record", "-o", tmp_path / "trace", "--", *mpi.run(1, mpi.compile("ends.c"), "finalize")])
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"the recorder cannot be loaded: {library}: " in ran.stderr
    assert not (tmp_path / "trace").exists()


def test_two_programs_of_one_command(mpi, tmp_path):
    """Each has a folder of its own inside of the run's; what lies beside that is somebody else's and stays as it is."""
    program = mpi.compile("ends.c")
    other = tmp_path / "trace-2" / "parts"
    other.mkdir(parents=True)
    launch = " ".join(map(str, mpi.run(2, program, "finalize")))
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--mpi", mpi.name, "--", "sh", "-c", f"{launch}; {launch}"])
    assert ran.stdout.count("was sent") == 4, ran.stderr
    for folder in (tmp_path / "trace", tmp_path / "trace" / "program-2"):
        assert Recorded(folder).complete()
        assert not (folder / "parts").exists()
    assert other.exists() and "trace-2" not in ran.stderr


def test_two_runs_at_once(mpi, tmp_path):
    """Without -o, in one folder and in one second: neither has or completes the folder of the other."""
    program = mpi.compile("ends.c")
    command = [PROGRAM, "record", "--", *map(str, mpi.run(2, program, "finalize"))]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for one in runs:
        out, errors = one.communicate(timeout=100)
        assert one.returncode == 7 and out.count("was sent") == 2, errors
    folders = sorted(tmp_path.glob("ends.*.trace"))
    assert len(folders) == 3
    for folder in folders:
        assert Recorded(folder).complete()


def test_a_folder_that_cannot_be_made(mpi, tmp_path):
    """Is told before anything runs."""
    command = ["--", *mpi.run(1, mpi.compile("ends.c"), "finalize")]
    missing = run([PROGRAM, "record", "-o", tmp_path / "no" / "trace", *command])
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr == (f"waitstate: error: cannot make the folder {tmp_path}/no/trace: {tmp_path}/no does not exist\n")
    read_only = run([PROGRAM, "record", "-o", "/proc/trace", *command])
    assert (read_only.returncode, read_only.stdout) == (2, "")
    assert "cannot make the folder /proc/trace" in read_only.stderr


def test_a_disk_without_room(mpi, tmp_path):
    """Is told before anything runs, and no folder is left."""
    if os.geteuid() != 0:
        pytest.skip("only root mounts")
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", disk], capture_output=True).returncode != 0:
        pytest.skip("cannot mount here")
    try:
        ran = run([PROGRAM, "record", "-o", disk / "trace", "--", *mpi.run(1, mpi.compile("ends.c"), "finalize")])
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr == f"waitstate: error: cannot write a MiB in {disk}/trace: No space left on device\n"
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", disk], check=True)
