"""An MPI that is newer than the one for which the recorder was built: its functions are recorded, or it is said that they are not."""
import subprocess

from conftest import record, run

# Functions that such a library has beside those of this machine: in front of it, with prototypes of MPI 4.
FORMS = """
#include <mpi.h>
#define BOTH(declared, call) int MPI_##declared { return PMPI_##call; } int PMPI_##declared { return PMPI_##call; }
BOTH(Send_c(const void* b, MPI_Count n, MPI_Datatype t, int to, int tag, MPI_Comm c), Send(b, (int)n, t, to, tag, c))
BOTH(Recv_c(void* b, MPI_Count n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s), Recv(b, (int)n, t, from, tag, c, s))
BOTH(Barrier_init(MPI_Comm c, MPI_Info i, MPI_Request* r), Recv_init(0, 0, MPI_BYTE, MPI_PROC_NULL, 0, c, r))
"""
PROGRAM = """
#include <mpi.h>
#include <unistd.h>
int MPI_Send_c(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv_c(void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
int main(int c, char** v) {
  int rank, x[4] = {0}, i;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < 5; ++i) {
    if (rank == 0) { usleep(100000); MPI_Send_c(x, 4, MPI_INT, 1, 7, MPI_COMM_WORLD); }
    if (rank == 1) MPI_Recv_c(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
"""
UNKNOWN = "#include <mpi.h>\nint MPI_Pigeon_send(int n) { return n; }\nint PMPI_Pigeon_send(int n) { return n; }\n"


def library(mpi, folder, name, text):
    (folder / f"{name}.c").write_text(text)
    return mpi.compile(folder / f"{name}.c", "-shared", "-fPIC", name=f"lib{name}.so")


def program(mpi, folder, text, *libraries):
    (folder / "app.c").write_text(text)
    return mpi.compile(folder / "app.c", "-Wl,--no-as-needed", *libraries, f"-Wl,-rpath,{folder}")


def has_function(mpi, name):
    """True if the library of this machine has it."""
    file = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}[mpi.name]
    return subprocess.run(["python3", "-c", f"import ctypes; ctypes.CDLL('{file}').{name}"], capture_output=True).returncode == 0


def test_large_counts(mpi, tmp_path):
    """MPI 4's forms are recorded also where mpi.h has none of them."""
    added = [] if has_function(mpi, "MPI_Send_c") else [library(mpi, tmp_path, "forms", FORMS)]
    trace = record(tmp_path / "trace", mpi.run(2, program(mpi, tmp_path, PROGRAM, *added)))
    assert trace.complete(), trace.text
    assert trace.severity("comms_recv", "MPI_Recv_c") == 5
    assert trace.severity("bytes_rcvd", "MPI_Recv_c") == 5 * 4 * 4
    assert trace.severity("mpi_latesender", "MPI_Recv_c") > 0.25  # half: on a busy machine the receiver is late, too


def test_what_the_library_lacks_stays_absent(mpi, tmp_path):
    """A program that asks for a function of MPI 4 at run time, and does without, finds what it finds without the recorder."""
    text = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  printf("%d %d\\n", dlsym(RTLD_DEFAULT, "MPI_Send_c") != 0, dlsym(RTLD_DEFAULT, "MPI_Buffer_flush") != 0);
  return MPI_Finalize();
}
"""
    app = program(mpi, tmp_path, text)
    assert record(tmp_path / "trace", mpi.run(1, app)).ran.stdout == run(mpi.run(1, app)).stdout


def test_unknown_functions(mpi, tmp_path):
    """Calls of a function that the recorder has never heard of may pass unseen, so it is not said that nothing is missing."""
    unknown = library(mpi, tmp_path, "unknown", UNKNOWN)
    text = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"
    trace = record(tmp_path / "trace", mpi.run(2, program(mpi, tmp_path, text, unknown)))
    assert [line for line in trace.definitions() if 'UNKNOWN_FUNCTIONS=string:"1 MPI_Pigeon_send"' in line]
    said = " ".join(trace.text.split())
    assert ("not recorded calls of 1 function of the MPI library that the recorder did not know (MPI_Pigeon_send): their time is "
            "computation, or a call without a record") in said
    assert "Nothing is missing" not in said
    assert "but its recorder could not see all calls" in said


def test_a_later_version(mpi, tmp_path):
    later = library(mpi, tmp_path, "later", "int MPI_Get_version(int* a, int* b) { *a = 9; *b = 1; return 0; }\n"
                                            "int PMPI_Get_version(int* a, int* b) { *a = 9; *b = 1; return 0; }\n")
    text = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n"
    (tmp_path / "app.c").write_text(text)
    app = mpi.compile(tmp_path / "app.c", "-Wl,--no-as-needed", later, f"-Wl,-rpath,{tmp_path}")
    trace = record(tmp_path / "trace", mpi.run(2, app))
    assert [line for line in trace.definitions() if 'UNKNOWN_VERSION=string:"9.1"' in line]
    assert "functions that came to MPI with version 9.1, which the recorder did not know" in " ".join(trace.text.split())
    assert "Nothing is missing" not in trace.text
