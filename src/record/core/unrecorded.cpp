#include "record/core/unrecorded.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "record/core/recorder.hpp"

namespace waitstate::record {

namespace {

SpinLock lock;
std::map<Unrecorded, std::uint64_t>& counts() {
  static auto* const all = new std::map<Unrecorded, std::uint64_t>;
  return *all;
}

}  // namespace

void note_unrecorded(const Unrecorded& what) {
  const std::lock_guard guard(lock);
  ++counts()[what];
}

void define_unrecorded() {
  std::map<Unrecorded, std::uint64_t> all;
  {
    const std::lock_guard guard(lock);
    std::swap(all, counts());
  }
  for (const auto& [what, count] : all)
    define(UnrecordedLine{.kind = what.kind, .comm = what.comm, .peer = what.peer, .tag = what.tag, .count = count});
}

}  // namespace waitstate::record
