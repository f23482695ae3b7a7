"""Which recorder a program gets is decided in its process, whatever starts it; and where nothing is recorded, it is said why."""
import os
import re
import signal
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import BUILD, PROGRAM, PROGRAMS, Mpi, Recorded, has, record, run

LIBRARIES = BUILD / "lib" / "waitstate"


def job(folder, *lines):
    script = folder / "job.sh"
    script.write_text("\n".join(["#!/bin/bash", *lines, ""]))
    script.chmod(0o755)
    return script


def words(command):
    return shlex.join(map(str, command))


@pytest.mark.parametrize("how", ["timeout", "env", "nice", "script", "shell", "behind", "both"])
def test_whatever_starts_it(mpi, how, tmp_path):
    """Nothing of the command but the program knows the MPI."""
    program = mpi.compile("ends.c")
    launch = mpi.run(2, program, "finalize")
    command = {"timeout": ["timeout", "60", *launch],
               "env": ["env", "SHOWN_A=1", *launch],
               "nice": ["nice", "-n", "1", *launch],
               "script": [job(tmp_path, "true", words(launch))],
               "shell": ["sh", "-c", f"cd /; {words(launch)}"],
               "behind": mpi.run(2, "timeout", "60", program, "finalize"),
               "both": ["timeout", "60", *mpi.run(2, "sh", "-c", f"{program} finalize")]}[how]
    trace = record(tmp_path / "trace", command, returncode=7)
    assert trace.complete(), trace.text
    assert "2 processes" in trace.text
    assert trace.ran.stdout.count("was sent") == 2


@pytest.mark.parametrize("how", ["plain", "timeout"])
def test_a_command_in_each_process(mpi, how, tmp_path):
    program = mpi.compile("ends.c")
    wrapper = ["timeout", "60"] if how == "timeout" else []
    ran = run(mpi.run(2, PROGRAM, "record", "-o", tmp_path / "trace", *wrapper, program, "finalize"))
    assert ran.returncode == 7
    assert Recorded(tmp_path / "trace").complete()
    assert ran.stderr.count("waitstate record:") == 1


def test_no_launcher(mpi, tmp_path):
    """A program by itself is a world of one."""
    trace = record(tmp_path / "trace", [mpi.compile("steady.c"), 3])
    assert "1 process" in trace.text


@pytest.mark.parametrize("how", ["timeout", "bash", "mpirun", "each"])
def test_default_name(mpi, how, tmp_path):
    """It is that of the program which calls MPI."""
    program = mpi.compile("ends.c")
    launch = [str(c) for c in mpi.run(2, program, "finalize")]
    command = {"timeout": [PROGRAM, "record", "timeout", "60", *launch], "bash": [PROGRAM, "record", "bash", "-c", words(launch)],
               "mpirun": [PROGRAM, "record", "--", *launch],
               "each": mpi.run(2, PROGRAM, "record", "timeout", "60", program, "finalize")}[how]
    ran = run(command, cwd=tmp_path)
    assert ran.returncode == 7, ran.stderr
    [folder] = tmp_path.glob("*.trace")
    assert folder.name.startswith("ends.2")
    assert [line for line in ran.stderr.splitlines() if line.startswith("waitstate record:")] == [
        f"waitstate record: 2 processes, {len(Recorded(folder).events())} events in {folder}"]


def test_the_process_stays_as_it_is(mpi, tmp_path):
    """Executed anew it has its arguments, name, files and number, and what it starts finds the environment as it was."""
    program = mpi.compile("show_process.c")
    (tmp_path / "by another name").symlink_to(program)
    command = ["sh", "-c", "SHELL_PID=$$ SHOWN_B='a b' exec './by another name' one 'two words' ''"]
    alone = run(command, cwd=tmp_path)
    assert alone.returncode == 5
    trace = record(tmp_path / "trace", command, returncode=5, cwd=tmp_path)
    assert trace.events("enter")
    lines = trace.ran.stdout.splitlines()
    assert [line for line in lines if "LD_PRELOAD" in line] == [f"LD_PRELOAD={LIBRARIES}/libwaitstate-record-launch.so"]
    assert [line for line in lines if "LD_PRELOAD" not in line] == alone.stdout.splitlines()
    assert "by another name, process 1 is its shell's" in lines and "[two words]" in lines and "no mark" in lines


def test_other_libraries_stay_loaded(mpi, tmp_path):
    """A tool that is loaded already comes behind the recorder and sees each call."""
    tool = mpi.compile("count_calls.c", "-shared", "-fPIC", name="libcount_calls.so")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("ring.c")), env={**os.environ, "LD_PRELOAD": str(tool)})
    assert "tool: rank 0 sends 1 barriers 1" in trace.ran.stdout
    assert trace.complete(), trace.text


def nothing(folder, command, *options, returncode=0, **settings):
    """The reason that `record` gives for recording nothing."""
    trace = record(folder / "nothing", command, *options, returncode=returncode, **settings)
    said = [line for line in trace.ran.stderr.splitlines() if line.startswith("waitstate record:")]
    assert len(said) == 1 and not trace.folder.exists(), trace.ran.stderr
    prefix = "waitstate record: nothing was recorded: "
    assert said[0].startswith(prefix)
    return said[0].removeprefix(prefix)


def compiled(folder, name, text, *flags, compiler="cc"):
    source = folder / f"{name}.c"
    source.write_text(text)
    subprocess.run([compiler, "-w", str(source), "-o", str(folder / name), *map(str, flags)], check=True)
    return folder / name


LIBRARY = """
int MPI_Init(int* c, char*** v) { return 0; }
int PMPI_Init(int* c, char*** v) { return 0; }
int MPI_Finalize(void) { return 0; }
int PMPI_Get_library_version(char* v, int* n) { *n = 0; *v = 0; return 0; }
"""
CALLS_MPI = "int MPI_Init(int*, char***); int MPI_Finalize(void); int main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 4; }"


@pytest.mark.parametrize("name, why", [
    ("libmpi_abi.so.1", "app was built for the common ABI of MPI 5 ({file}), for which there is no recorder yet: build it for Open MPI "
                        "or MPICH"),
    ("libmpi.so.40", "app uses an MPI that is neither Open MPI nor compatible with MPICH: {file}")])
def test_an_mpi_without_a_recorder(name, why, tmp_path):
    """It is known by what is in it, and left alone."""
    library = compiled(tmp_path, name, LIBRARY, "-shared", "-fPIC", f"-Wl,-soname,{name}")
    app = compiled(tmp_path, "app", CALLS_MPI, library, f"-Wl,-rpath,{tmp_path}")
    assert nothing(tmp_path, [app], returncode=4) == why.format(file=library)


def test_an_mpi_in_the_program(tmp_path):
    app = compiled(tmp_path, "app", LIBRARY + CALLS_MPI, "-rdynamic")
    assert nothing(tmp_path, [app], returncode=4) == "app has its MPI in itself: link it with the MPI's shared library"


def test_a_program_without_shared_libraries(tmp_path):
    app = compiled(tmp_path, "app", "int main(void) { return 3; }", "-static")
    assert nothing(tmp_path, [app], returncode=3) == f"{app} is linked statically, and takes no library that could record it"
    assert "is linked statically" in nothing(tmp_path, ["timeout", "9", app], returncode=3)


def test_it_cannot_be_executed_anew(tmp_path):
    """Without /proc its arguments are not known: it goes on unrecorded, and that is said."""
    if subprocess.run(["unshare", "-m", "umount", "-l", "/proc"], capture_output=True).returncode != 0:
        pytest.skip("cannot unmount /proc here")
    library = compiled(tmp_path, "libmpi.so.40", LIBRARY + "int ompi_mpi_comm_world;", "-shared", "-fPIC")
    app = compiled(tmp_path, "app", CALLS_MPI, library, f"-Wl,-rpath,{tmp_path}")
    if not has("openmpi"):
        pytest.skip("this build has no recorder for Open MPI")
    why = nothing(tmp_path, ["unshare", "-m", "sh", "-c", f"umount -l /proc; exec {app}"], returncode=4)
    assert why == "app cannot be executed anew with the recorder: /proc/self/cmdline: No such file or directory"


@pytest.mark.parametrize("name", ["libmpi.so.12", "libmpich.so.10"])
def test_another_name_for_mpich(name, tmp_path):
    """Upstream's library is called otherwise, as Intel's is; the recorder goes by what is in it."""
    if not has("mpich") or not shutil.which("mpicc.mpich"):
        pytest.skip("no MPICH here, or this build has no recorder for it")
    mpi = Mpi("mpich", tmp_path)
    renamed = tmp_path / name
    own = re.search(r"libmpich\.so\.12 => (\S+)", run(["ldd", mpi.compile("ends.c", name="of_debian")]).stdout)[1]
    renamed.write_bytes(Path(own).read_bytes().replace(b"\0libmpich.so.12\0", b"\0" + name.encode().ljust(14, b"\0") + b"\0"))
    program = tmp_path / "app"
    include = run(["mpicc.mpich", "-show"]).stdout.split()
    subprocess.run(["cc", "-w", *[w for w in include if w.startswith("-I")], PROGRAMS / "ends.c", "-o", program, renamed,
                    f"-Wl,-rpath,{tmp_path}"], check=True)
    assert name in run(["ldd", program]).stdout
    trace = record(tmp_path / "trace", mpi.run(2, program, "finalize"), returncode=7)
    assert trace.complete(), trace.text


# The environment of a process that srun has started, with PMIx (Open MPI) or with Slurm's own protocol (MPICH).
SRUN = """
export SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=$PMIX_RANK$PMI_RANK SLURM_LOCALID=$SLURM_PROCID
for name in ${!OMPI_COMM_WORLD*} ${!OMPI_UNIVERSE*} MPI_LOCALRANKID MPI_LOCALNRANKS HYDI_CONTROL_FD; do unset $name; done
exec "$@"
"""


@pytest.mark.parametrize("form", ["before", "in each process", "in each process, behind others"])
def test_started_by_srun(mpi, form, tmp_path):
    """No variable of the MPI's own launcher is there. Slurm is not: a script sets what its srun sets."""
    step = tmp_path / "step.sh"
    step.write_text(f"#!/bin/bash{SRUN}")
    step.chmod(0o755)
    program, folder = mpi.compile("ends.c"), tmp_path / "trace"
    if form == "before":
        trace = record(folder, mpi.run(2, step, program, "finalize"), returncode=7)
        said = trace.ran.stderr
    else:
        wrapper = ["env", "SHOWN_A=1", "nice"] if form.endswith("others") else []
        ran = run(mpi.run(2, step, *wrapper, PROGRAM, "record", "-o", folder, program, "finalize"))
        assert ran.returncode == 7, ran.stderr
        trace, said = Recorded(folder), ran.stderr
    assert trace.complete(), trace.text
    assert [line for line in said.splitlines() if line.startswith("waitstate record:")] == [
        f"waitstate record: 2 processes, {len(trace.events())} events in {folder}"]


DLOPENED = """
#include <dlfcn.h>
#include <stdio.h>
int main(int c, char** v) {
  void* library = dlopen(v[1], RTLD_NOW | RTLD_LOCAL);
  int (*init)(int*, char***) = (int (*)(int*, char***))dlsym(library, "MPI_Init");
  int (*end)(void) = (int (*)(void))dlsym(library, "MPI_Finalize");
  if (dlsym(library, "MPI_Nothing") != NULL || dlerror() == NULL) puts("wrong");
  if (c > 2 && dlopen(v[2], RTLD_NOW) != NULL) puts("told");
  return init(&c, &v) != 0 || end() != 0 ? 1 : 0;
}
"""
SONAMES = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}


def test_an_mpi_that_is_looked_up(mpi, tmp_path):
    """It is opened later, and its functions are asked for by name: behind a launcher, or where it is named, they are recorded."""
    app = compiled(tmp_path, "app", DLOPENED)
    trace = record(tmp_path / "trace", mpi.run(2, app, SONAMES[mpi.name]))
    assert trace.ran.stdout == ""
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 2 * 2
    named = record(tmp_path / "named", [app, SONAMES[mpi.name]], "--mpi", mpi.name)
    assert len(named.events("collective_end")) == 2
    why = nothing(tmp_path, [app, SONAMES[mpi.name]])
    assert why.startswith("app loaded its MPI (/") and why.endswith(
        " when it ran already: name it with --mpi openmpi or --mpi mpich, or start the program with the MPI's launcher")


# A tool that looks its MPI up, and a library that wraps a function of the C library.
TOOL = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int MPI_Init(int* c, char*** v) {
  int (*real)(int*, char***) = (int (*)(int*, char***))dlsym(dlopen(SONAME, RTLD_NOW), "MPI_Init");
  fputs("tool\\n", stderr);
  return real(c, v);
}
int puts(const char* text) {
  int (*real)(const char*) = (int (*)(const char*))dlsym(RTLD_NEXT, "puts");
  fputs("wrapped ", stdout);
  return real(text);
}
"""


def test_other_users_of_dlsym_get_what_they_ask_for(mpi, tmp_path):
    """The next function depends on who asks; a tool that is behind the recorder means the library, not the recorder."""
    app = compiled(tmp_path, "app", DLOPENED)
    tool = compiled(tmp_path, "tool.so", TOOL, "-shared", "-fPIC", f'-DSONAME="{SONAMES[mpi.name]}"')
    trace = record(tmp_path / "trace", mpi.run(2, "env", f"LD_PRELOAD={LIBRARIES}/libwaitstate-record-launch.so:{tool}", app,
                                               SONAMES[mpi.name], tool), timeout=60)
    assert trace.ran.stdout == "wrapped told\n" * 2
    assert trace.ran.stderr.count("tool\n") == 2
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 2 * 2


CTYPES = """
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1])
mpi.MPI_Init(None, None)
mpi.MPI_Finalize()
"""


def test_python_that_looks_its_mpi_up(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, "/usr/bin/python3", "-c", CTYPES, SONAMES[mpi.name]))
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 2 * 2


def test_a_plugin_with_mpi(mpi, tmp_path):
    """A library that calls MPI by name, loaded later and privately, as a module of Python is: recorded behind a launcher."""
    plugin = compiled(tmp_path, "plugin.so", "#include <mpi.h>\nint run(int* c, char*** v) { MPI_Init(c, v); "
                      "MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }", "-shared", "-fPIC", compiler=f"mpicc.{mpi.name}")
    app = compiled(tmp_path, "app", "#include <dlfcn.h>\nint main(int c, char** v) { return ((int (*)(int*, char***))dlsym("
                   "dlopen(v[1], RTLD_NOW | RTLD_LOCAL), \"run\"))(&c, &v); }")
    trace = record(tmp_path / "trace", mpi.run(2, app, plugin))
    assert trace.complete(), trace.text
    assert len(trace.events("collective_end")) == 2 * 3
    named = record(tmp_path / "named", [app, plugin], "--mpi", mpi.name)
    assert len(named.events("collective_end")) == 3


def test_no_mpi_init(mpi, tmp_path):
    app = compiled(tmp_path, "app", "#include <mpi.h>\nint main(void) { int a, b; return MPI_Get_version(&a, &b); }",
                   compiler=f"mpicc.{mpi.name}")
    # MPICH's launcher at times dies of SIGPIPE when processes end so early: 15 times of 3,181 without the recorder.
    ends = (0, -signal.SIGPIPE) if mpi.name == "mpich" else 0
    said = nothing(tmp_path, mpi.run(2, app), returncode=ends)
    assert said == "app has loaded an MPI, but did not call MPI_Init"


def test_no_mpi(tmp_path):
    assert nothing(tmp_path, ["true"]) == (
        "no process of the command used MPI, OpenSHMEM, LLVM's OpenMP runtime or a marked region by libraries that are loaded when a "
        "program starts")


def test_a_forced_mpi_that_it_is_not(mpi, tmp_path):
    other = {"openmpi": "mpich", "mpich": "openmpi"}[mpi.name]
    if not has(other):
        pytest.skip(f"this build has no recorder for {other}")
    why = nothing(tmp_path, mpi.run(2, mpi.compile("ends.c"), "finalize"), "--mpi", other, returncode=7)
    assert why == {"mpich": "the MPI of ends is Open MPI and not MPICH, which --mpi names",
                   "openmpi": "the MPI of ends is compatible with MPICH and not Open MPI, which --mpi names"}[other]


def test_a_recorder_that_was_not_built(mpi, tmp_path):
    own = tmp_path / "installed"
    shutil.copytree(LIBRARIES, own / "lib" / "waitstate")
    shutil.copy(PROGRAM, own)
    for library in (own / "lib" / "waitstate").glob(f"libwaitstate-record-{mpi.name}*"):
        library.unlink()
    ran = run([own / PROGRAM.name, "record", "-o", tmp_path / "trace", "--", *mpi.run(2, mpi.compile("ends.c"), "finalize")])
    assert ran.returncode == 7
    assert (f"waitstate record: nothing was recorded: ends uses an MPI whose recorder ({mpi.name}) this waitstate was built without: "
            f"install lib{mpi.name}-dev and build it again\n") in ran.stderr
