"""Every function of the MPI at hand is in the recorder's list, and what is in the list is a function of an MPI."""
import re
import shutil
import subprocess
import sys

import pytest
from conftest import MPIS, SOURCE, BUILD, has, record, run

GENERATOR, LIST = SOURCE / "src/record/mpi/generate.py", SOURCE / "src/record/mpi/functions.def"


def includes(mpi):
    shown = subprocess.run([f"mpicc.{mpi}", "-show"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"-I\S+", shown)


def test_no_function_is_unknown(mpi):
    ran = run([sys.executable, GENERATOR, "--list", LIST, "c++", *includes(mpi.name)])
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.splitlines()[-1].endswith(" 0 of them unknown")


def test_an_unknown_one_is_named(mpi, tmp_path):
    shorter = tmp_path / "functions.def"
    shorter.write_text(re.sub(r"^Send Ssend ", "Ssend ", LIST.read_text(), flags=re.MULTILINE))
    ran = run([sys.executable, GENERATOR, "--list", shorter, "c++", *includes(mpi.name)])
    assert ran.returncode == 1
    assert "MPI_Send is in mpi.h and not in functions.def" in ran.stdout


def test_what_is_listed_is_a_function():
    if not all(shutil.which(f"mpicc.{m}") for m in MPIS):
        pytest.skip("needs both MPIs")
    sys.path.insert(0, str(GENERATOR.parent))
    sys.dont_write_bytecode = True
    import generate  # noqa: PLC0415: it lies beside what it makes
    known = {name for m in MPIS for name in generate.prototypes(["c++", *includes(m)])}
    listed = {name for name, *_ in generate.read_list(LIST)}
    # Functions of MPI 1, which both leave out of their headers or replace by macros, and of MPI 4.1 and 5.
    absent = {n for n in listed if f"MPI_{n}" not in known and f"MPI_{n}" not in generate.later(GENERATOR.with_name("later.def"))
              and not re.fullmatch(r"Abi_\w+|\w+_(toint|fromint)|Status_[gs]et_(error|source|tag)", n)}
    assert absent <= {"Remove_error_class", "Remove_error_code", "Remove_error_string", "Session_c2f", "Session_f2c",
                      "Type_get_value_index", "Get_hw_resource_info",
                      "Comm_c2f", "Address", "Errhandler_create", "Errhandler_get", "Errhandler_set", "Type_extent",
                      "Type_hindexed", "Type_hvector", "Type_lb", "Type_struct", "Type_ub"}, sorted(absent)


def exported(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in listed.stdout.splitlines()}


@pytest.mark.parametrize("name", MPIS)
def test_the_library_exports_what_it_wraps_alone(name):
    """Under both names; and nothing of OTF2 or the C++ library, which a program may have of its own."""
    if not has(name):
        pytest.skip(f"this build has no recorder for {name}")
    names = exported(BUILD / "lib" / "waitstate" / f"libwaitstate-record-{name}.so")
    for function in ("Send", "Irecv", "Waitall", "Barrier", "Win_fence", "Init", "Init_thread", "Finalize", "Comm_split"):
        assert {f"MPI_{function}", f"PMPI_{function}"} <= names
    assert not {n for n in names if n.startswith(("OTF2", "otf2"))}
    assert not {n for n in names if not n.startswith(("MPI_", "PMPI_", "_Z", "__cyg_profile", "waitstate_region", "ompt_start_tool",
                                                     "waitstate_record_pthread"))}


def test_later_functions_have_a_library_of_their_own(mpi):
    """Beside all others it exports those of later.def alone, under both names."""
    folder = BUILD / "lib" / "waitstate"
    base, later = (exported(folder / f"libwaitstate-record-{mpi.name}{ending}.so") for ending in ("", "-later"))
    added = later - base
    assert base < later and {"MPI_Buffer_flush", "PMPI_Buffer_flush"} <= added
    assert {n.removeprefix("P") for n in added} == {n for n in added if n.startswith("MPI_")}


def test_the_library_in_every_process_exports_nothing():
    library = BUILD / "lib" / "waitstate" / "libwaitstate-record-launch.so"
    if not library.exists():
        pytest.skip("this build has no recorder")
    assert not {n for n in exported(library) if not n.startswith("_Z")}


def test_the_library_before_posix_threads_exports_them_alone():
    library = BUILD / "lib" / "waitstate" / "libwaitstate-record-pthread.so"
    if not library.exists():
        pytest.skip("this build has no recorder")
    names = exported(library)
    assert {"pthread_create", "pthread_join", "pthread_mutex_lock", "pthread_cond_wait", "pthread_rwlock_rdlock"} <= names
    assert not {n for n in names if not n.startswith("pthread_")}


def test_all_groups(mpi, tmp_path):
    """--record all: also queries, types and groups; --without leaves groups out; the rest stays complete."""
    program = mpi.compile("ring.c")
    everything = record(tmp_path / "all", mpi.run(2, program), "--record", "all")
    assert everything.complete(), everything.text
    assert any("MPI_Comm_rank" in e for e in everything.events("enter"))
    fewer = record(tmp_path / "fewer", mpi.run(2, program), "--without", "p2p,test")
    assert fewer.complete(), fewer.text
    assert not fewer.events("send")
    assert fewer.events("collective_end")




def test_what_follows_the_level_is_not_read(mpi, tmp_path):
    """Whatever it is: the run ends as without the recorder, and no region is named after it. Level 0 comes first."""
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("pcontrol.c")))
    regions = {event[3] for event in trace.events() if event[2] == "enter"}
    assert "MPI_Barrier" in regions
    assert not {r for r in regions if not r.startswith("MPI_")} - {"pcontrol"}
    assert sum("op=barrier" in event for event in trace.events("collective_end")) == 2 * 3
