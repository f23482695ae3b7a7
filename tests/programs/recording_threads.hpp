// What the recorders of threads share (record_omp.cpp, record_pthread.cpp, record_mpi.cpp; a program is linked with
// those that it needs): the records of every thread of a process, kept in memory, and the OTF2 archive that they
// become.
//
// A process leaves its part in a file beside the archive, and one process writes the archive from all parts, as in
// recording.hpp. Teams are known by the number of their parallel region; when the archive is written it is known who
// took part in each, and teams of the same threads become one communicator. User functions are recorded by the compiler
// (-finstrument-functions) and named by the dynamic linker (-rdynamic). Clocks are those of one node.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "recording.hpp"

namespace recording::threads {

enum class Kind : std::uint32_t {
  enter,           ///< what: region
  leave,           ///< what: region
  fork,            ///< a: number of the team, b: threads asked for
  join,            ///< a: number of the team
  team_begin,      ///< a: number of the team, b: index in it
  team_end,        ///< a: number of the team
  acquire,         ///< what: paradigm, a: number of the lock, b: of the acquisition
  release,         ///< the same
  task_create,     ///< a: number of the team, b: creator's index << 32 | task
  task_switch,     ///< the same
  task_complete,   ///< the same
  thread_create,   ///< a: number of the thread
  thread_begin,    ///< the same
  thread_end,      ///< the same
  thread_wait,     ///< the same
  send,            ///< a: rank, b: bytes, c: tag
  receive,         ///< the same
  isend,           ///< the same, d: request
  isend_complete,  ///< d: request
  irecv_request,   ///< d: request
  irecv,           ///< a: rank, b: bytes, c: tag, d: request
  barrier_begin,
  barrier_end
};

struct Record {
  std::uint64_t time;
  Kind kind;
  std::uint32_t what;
  std::uint64_t a, b, c, d;
};

struct Thread {
  std::string name;
  std::vector<Record> records;
  std::vector<std::uint32_t> regions;   ///< open ones
  std::vector<std::string> functions;   ///< the user's among them
  std::vector<std::uint64_t> teams;     ///< that it takes part in
  std::vector<std::string> constructs;  ///< functions that forked them
};

/// Not std::mutex, whose calls would be recorded.
class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

inline SpinLock mutex;  ///< of what follows
inline std::deque<std::unique_ptr<Thread>> threads;
inline std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> locks;  ///< by address: number, acquisitions

inline Thread& self() {
  thread_local Thread* own = nullptr;
  if (own == nullptr) {
    const std::lock_guard guard(mutex);
    threads.push_back(std::make_unique<Thread>());
    own = threads.back().get();
    own->name = threads.size() == 1 ? "Master thread" : "Thread " + std::to_string(threads.size() - 1);
  }
  return *own;
}

inline void record(Kind kind, std::uint32_t what = 0, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0,
                   std::uint64_t d = 0) {
  self().records.push_back({now(), kind, what, a, b, c, d});
}

inline void enter_region(OTF2_Paradigm paradigm, OTF2_RegionRole role, const std::string& name) {
  std::uint32_t number = 0;
  {
    const std::lock_guard guard(mutex);
    number = definitions.number("region " + std::to_string(paradigm) + " " + std::to_string(role) + " " + name);
  }
  self().regions.push_back(number);
  record(Kind::enter, number);
}

inline void leave_region() {
  Thread& thread = self();
  if (thread.regions.empty()) return;
  record(Kind::leave, thread.regions.back());
  thread.regions.pop_back();
}

/// A call of a library, from enter to leave.
class Call {
 public:
  Call(OTF2_Paradigm paradigm, OTF2_RegionRole role, const char* name) { enter_region(paradigm, role, name); }
  ~Call() { leave_region(); }
};

/// Number of the lock at that address, and of its next or (`next` false) latest acquisition. By who has the lock.
inline std::pair<std::uint64_t, std::uint64_t> lock_at(std::uint64_t address, bool next) {
  const std::lock_guard guard(mutex);
  auto& [number, acquisitions] = locks.try_emplace(address, locks.size(), 0).first->second;
  if (next) ++acquisitions;
  return {number, acquisitions};
}
inline void record_lock(Kind kind, OTF2_Paradigm paradigm, std::uint64_t address) {
  const auto [number, acquisition] = lock_at(address, kind == Kind::acquire);
  record(kind, paradigm, number, acquisition);
}

// --- parts -----------------------------------------------------------------------------------------------------------

// What is open is over now, or was at the join: see cut_at_joins().
inline void end_all() {
  for (const auto& thread : threads) {
    for (; !thread->regions.empty(); thread->regions.pop_back())
      thread->records.push_back({now(), Kind::leave, thread->regions.back(), 0, 0, 0, 0});
    for (; !thread->teams.empty(); thread->teams.pop_back())
      thread->records.push_back({now(), Kind::team_end, 0, thread->teams.back(), 0, 0, 0});
  }
}

inline void save_threads(std::size_t rank) {
  end_all();
  std::ofstream file(part_name(rank), std::ios::binary);
  for (const std::string& key : definitions.keys) file << key << '\n';
  file << '\n' << threads.size() << '\n';
  for (const auto& thread : threads) {
    file << thread->name << '\n' << thread->records.size() << '\n';
    file.write(reinterpret_cast<const char*>(thread->records.data()),
               static_cast<std::streamsize>(thread->records.size() * sizeof(Record)));
  }
}

struct Process {
  std::vector<std::string> keys;
  std::vector<Thread> threads;
};

inline Process read_threads(std::size_t rank) {
  Process process;
  std::ifstream file(part_name(rank), std::ios::binary);
  std::string line;
  while (std::getline(file, line) && !line.empty()) process.keys.push_back(line);
  std::size_t count = 0;
  for ((file >> count).ignore(1); count != 0; --count) {
    Thread& thread = process.threads.emplace_back();
    std::size_t records = 0;
    std::getline(file, thread.name);
    (file >> records).ignore(1);
    thread.records.resize(records);
    file.read(reinterpret_cast<char*>(thread.records.data()), static_cast<std::streamsize>(records * sizeof(Record)));
  }
  std::remove(part_name(rank).c_str());
  return process;
}

// A worker notices the end of a parallel region when it is woken for the next one: its records say when it was woken,
// and what it did for the region was over at the join.
inline void cut_at_joins(std::vector<Thread>& all) {
  std::map<std::uint64_t, std::uint64_t> joins;
  for (const Thread& thread : all)
    for (const Record& r : thread.records)
      if (r.kind == Kind::join) joins[r.a] = r.time;
  for (Thread& thread : all) {
    std::vector<std::uint64_t> open;
    for (Record& r : thread.records) {
      if (r.kind == Kind::team_begin) open.push_back(r.a);
      if (!open.empty() && joins.contains(open.back())) r.time = std::min(r.time, joins[open.back()]);
      if (r.kind == Kind::team_end) open.pop_back();
    }
  }
}

/// Writes the archive; by one process, after all have left their parts. `mpi`: they are ranks.
void write_threads(std::size_t processes, bool mpi);

}  // namespace recording::threads
