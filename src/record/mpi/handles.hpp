// Data that belong to a handle of the MPI library, found without a lock by threads that asked for them before.
//
// A thread remembers the last few handles that it asked for; whenever one is added or removed anywhere, all that is
// remembered is out of date. Communicators and windows come and go rarely, and are used in every call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "record/core/lock.hpp"

namespace waitstate::record::mpi {

template <class Object>
class HandleTable {
 public:
  /// Null if nothing belongs to it. Objects are never destroyed.
  Object* find(std::uintptr_t key) {
    Remembered& r = remembered[(key ^ key >> 5 ^ key >> 11) % remembered.size()];
    const std::uint64_t now = generation_.load(std::memory_order_acquire);
    if (r.key != key || r.generation != now) r = {key, now, search(key)};
    return r.object;
  }
  void add(std::uintptr_t key, Object* object) {
    const std::lock_guard guard(lock_);
    objects_[key] = object;
    generation_.fetch_add(1);
  }
  /// Before the library may give the handle to another one.
  Object* remove(std::uintptr_t key) {
    const std::lock_guard guard(lock_);
    const auto at = objects_.find(key);
    if (at == objects_.end()) return nullptr;
    Object* const object = at->second;
    objects_.erase(at);
    generation_.fetch_add(1);
    return object;
  }

 private:
  struct Remembered {
    std::uintptr_t key = 0;
    std::uint64_t generation = 0;
    Object* object = nullptr;
  };
  Object* search(std::uintptr_t key) {
    const std::lock_guard guard(lock_);
    const auto at = objects_.find(key);
    return at == objects_.end() ? nullptr : at->second;
  }

  static inline thread_local std::array<Remembered, 8> remembered __attribute__((tls_model("initial-exec"))) = {};
  SpinLock lock_;
  std::unordered_map<std::uintptr_t, Object*> objects_;
  std::atomic<std::uint64_t> generation_{1};
};

}  // namespace waitstate::record::mpi
