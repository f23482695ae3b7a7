// Accesses of one process to others within an epoch, summed up by target: as much memory as it has targets, however
// many operations there are. Kept in ascending order of targets, so that looking one up takes the logarithm of their
// number.
#pragma once

#include <algorithm>
#include <vector>

#include "link/calls.hpp"
#include "util/front_queue.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::link {

/// A started operation.
struct RmaStart {
  RmaOperationKind kind{};
  LocationId target;
  std::uint64_t bytes_put = 0, bytes_got = 0;
  std::uint32_t call = CallState::none;
};

class RmaAccesses {
 public:
  struct Entry {
    LocationId target;
    std::uint64_t operations[3] = {};  ///< by RmaOperationKind
    std::uint64_t bytes_put = 0, bytes_got = 0;
    std::uint32_t last = CallState::none;  ///< call of the operation that was left last; held
  };

  void add(Calls& calls, const RmaStart& s) {
    auto it = std::lower_bound(entries_.begin(), entries_.end(), s.target,
                               [](const Entry& e, LocationId l) { return e.target < l; });
    if (it == entries_.end() || it->target != s.target) it = entries_.insert(it, Entry{s.target});
    ++it->operations[static_cast<int>(s.kind)];
    it->bytes_put += s.bytes_put;
    it->bytes_got += s.bytes_got;
    if (it->last == s.call || (it->last != CallState::none && calls[it->last].call.exit >= calls[s.call].call.exit))
      return;
    calls.keep(s.call);
    if (it->last != CallState::none) calls.release(it->last);
    it->last = s.call;
  }

  /// Behind all targets so far.
  void append(Calls& calls, const Entry& entry) {
    calls.keep(entry.last);
    entries_.push_back(entry);
  }

  const Entry* find(LocationId target) const {
    const auto it = std::lower_bound(entries_.begin(), entries_.end(), target,
                                     [](const Entry& e, LocationId l) { return e.target < l; });
    return it != entries_.end() && it->target == target ? &*it : nullptr;
  }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Forgets everything, and the calls.
  void clear(Calls& calls) {
    for (const Entry& e : entries_) calls.release(e.last);
    util::empty_for_reuse(entries_);
  }

 private:
  std::vector<Entry> entries_;
};

/// `entry` may be null: no operations.
inline RmaAccess view(const Calls& calls, LocationId origin, LocationId target, const RmaAccesses::Entry* entry) {
  RmaAccess a;
  a.origin = origin;
  a.target = target;
  if (entry == nullptr) return a;
  a.puts = entry->operations[0];
  a.gets = entry->operations[1];
  a.atomics = entry->operations[2];
  a.bytes_put = entry->bytes_put;
  a.bytes_got = entry->bytes_got;
  a.last = &calls[entry->last].call;
  return a;
}

}  // namespace waitstate::link
