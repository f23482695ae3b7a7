// Records the MPI calls of hybrid_waits.c on all threads, beside record_omp.cpp; the archive is written in
// MPI_Finalize.
//
//   OMPI_CC=clang mpicc.openmpi -g -fopenmp -finstrument-functions -c hybrid_waits.c
//   OMPI_CXX=clang++ mpicxx.openmpi -std=c++20 -O2 -c record_mpi.cpp record_omp.cpp record_threads.cpp
//   OMPI_CXX=clang++ mpicxx.openmpi -fopenmp -rdynamic *.o -lopen-trace-format2 -ldl -o hybrid_waits
//   RECORD_DIRECTORY=new_folder OMP_NUM_THREADS=3 mpirun --allow-run-as-root --oversubscribe -np 2 ./hybrid_waits 2
//   20000
//
// Messages are of one communicator, and there is one request at a time in each variable.
#include <mpi.h>

#include "recording_threads.hpp"

namespace {

using namespace recording::threads;

struct MpiCall : Call {
  explicit MpiCall(const char* name) : Call(OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, name) {}
};

struct Request {
  std::uint64_t number = 0;
  bool receives = false;
};

SpinLock requests_mutex;
std::map<MPI_Request*, Request> requests;
std::uint64_t started = 0;

std::uint64_t size_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

std::uint64_t start(MPI_Request* request, bool receives) {
  const std::lock_guard guard(requests_mutex);
  requests[request] = {++started, receives};
  return started;
}

void record_received(Kind kind, const MPI_Status& status, std::uint64_t request) {
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  record(kind, 0, static_cast<std::uint64_t>(status.MPI_SOURCE), static_cast<std::uint64_t>(bytes),
         static_cast<std::uint64_t>(status.MPI_TAG), request);
}

}  // namespace

extern "C" {

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const MpiCall c("MPI_Init_thread");
  return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize() {
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    const MpiCall c("MPI_Finalize");
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  save_threads(static_cast<std::size_t>(rank));
  PMPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) write_threads(static_cast<std::size_t>(size), true);
  PMPI_Barrier(MPI_COMM_WORLD);
  const int result = PMPI_Finalize();
  std::_Exit(result);  // the archive is there: nothing is to be recorded any more
}

int MPI_Barrier(MPI_Comm comm) {
  const MpiCall c("MPI_Barrier");
  record(Kind::barrier_begin);
  const int result = PMPI_Barrier(comm);
  record(Kind::barrier_end);
  return result;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const MpiCall c("MPI_Send");
  record(Kind::send, 0, static_cast<std::uint64_t>(to), size_of(count, type), static_cast<std::uint64_t>(tag));
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status*) {
  const MpiCall c("MPI_Recv");
  MPI_Status status;
  const int result = PMPI_Recv(data, count, type, from, tag, comm, &status);
  record_received(Kind::receive, status, 0);
  return result;
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const MpiCall c("MPI_Isend");
  record(Kind::isend, 0, static_cast<std::uint64_t>(to), size_of(count, type), static_cast<std::uint64_t>(tag),
         start(request, false));
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  const MpiCall c("MPI_Irecv");
  record(Kind::irecv_request, 0, 0, 0, 0, start(request, true));
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status*) {
  const MpiCall c("MPI_Wait");
  MPI_Status status;
  const int result = PMPI_Wait(request, &status);
  Request done;
  {
    const std::lock_guard guard(requests_mutex);
    done = requests[request];
  }
  if (done.receives)
    record_received(Kind::irecv, status, done.number);
  else
    record(Kind::isend_complete, 0, 0, 0, 0, done.number);
  return result;
}

}  // extern "C"
