#include "trace/locks.hpp"

namespace waitstate::trace {

void Locks::add(LocationId l, const TeamRecord& r, std::uint32_t call) {
  if (listener_ == nullptr) return;
  const std::uint64_t lock = std::uint64_t{static_cast<std::uint8_t>(r.paradigm)} << 32 | r.lock;
  const std::uint64_t process = std::uint64_t{definitions_[l].process.value} << 32;
  Held& held = held_.find_or_insert({lock, l.value}, [](const Held& h) { return h.depth != 0; });
  if (r.kind == TeamRecord::Kind::acquire) {
    held.last = r.order;
    if (held.depth++ == 0 && r.order != 0) meet({lock, process | (r.order - 1)}, call, none, r.time);
  } else {
    if (held.depth == 0) held = {1, r.order};  // acquired before the trace began
    if (--held.depth == 0) meet({lock, process | held.last}, none, call, r.time);
  }
}

void Locks::meet(const Key& key, std::uint32_t acquired, std::uint32_t released, Time t) {
  Meeting& m = meetings_.find_or_insert(key);
  // A number that comes twice: the counter has started again, e.g. with a new lock of the same name.
  std::uint32_t& mine = acquired != none ? m.acquired : m.released;
  if (mine != none) calls_.drop(mine);
  mine = acquired != none ? acquired : released;
  calls_.hold(mine);
  (acquired != none ? m.acquire_time : m.release_time) = t;
  if (m.acquired == none || m.released == none) return;
  const Meeting met = m;
  meetings_.erase(key);
  const Call& call = calls_[met.acquired].call;
  const Call& before = calls_[met.released].call;
  if (call.location != before.location) listener_->lock_acquired({call, met.acquire_time, before, met.release_time});
  calls_.drop(met.acquired);
  calls_.drop(met.released);
}

}  // namespace waitstate::trace
