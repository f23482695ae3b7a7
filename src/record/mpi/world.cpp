#include "record/mpi/world.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "record/core/lock.hpp"

namespace waitstate::record::mpi {
namespace {

std::atomic<bool> is_there{false};

struct Sessions {
  std::atomic<bool> opened{false};  // at any time
  SpinLock lock;
  std::vector<MPI_Session> open;
};
Sessions& sessions() {
  static auto* const all = new Sessions;
  return *all;
}

}  // namespace

bool has_world() { return is_there.load(); }
void set_world(bool there) { is_there.store(there); }

void add_session(MPI_Session session) {
  Sessions& s = sessions();
  s.opened.store(true);
  const std::lock_guard guard(s.lock);
  s.open.push_back(session);
}

void remove_session(MPI_Session session) {
  Sessions& s = sessions();
  const std::lock_guard guard(s.lock);
  std::erase(s.open, session);
}

bool has_opened_session() { return sessions().opened.load(); }

bool has_open_session() {
  Sessions& s = sessions();
  const std::lock_guard guard(s.lock);
  return !s.open.empty();
}

// By its name: the mpi.h of an MPI before version 4 does not declare it.
bool find_world_of(MPI_Session session, MPI_Group& group) {
  using Find = int(MPI_Session, const char*, MPI_Group*);
  static auto* const find = reinterpret_cast<Find*>(find_function("PMPI_Group_from_session_pset"));
  return find != nullptr && find(session, "mpi://WORLD", &group) == MPI_SUCCESS;
}

bool find_world_group(MPI_Group& group) {
  if (has_world()) return real::Comm_group(MPI_COMM_WORLD, &group) == MPI_SUCCESS;
  Sessions& s = sessions();
  const std::lock_guard guard(s.lock);
  return !s.open.empty() && find_world_of(s.open.back(), group);
}

}  // namespace waitstate::record::mpi
