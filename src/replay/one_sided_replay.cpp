#include "replay/one_sided_replay.hpp"

#include <algorithm>

#include "util/prefetch.hpp"

namespace waitstate::replay {

const RmaRecord* OneSidedReplay::record(EventType type, const std::uint64_t* a) {
  std::vector<RmaRecord>& records = stack_.context.chunk->rma_records;
  RmaRecord& r = records.emplace_back();
  // The thread that linked this memory last has it in its caches: it is asked for before it is written.
  util::prefetch<true>(reinterpret_cast<const char*>(&r) + 512);
  r.time = stack_.profiles.now();
  r.type = type;
  switch (type) {
    case EventType::rma_collective_begin:
      break;
    case EventType::rma_collective_end:
      r.op = static_cast<CollectiveOp>(a[0]);
      r.win = RmaWinId{a[2]};
      r.remote = LocationId{a[3]};
      r.bytes = a[4];
      r.received = a[5];
      break;
    case EventType::rma_group_sync:
      r.match = a[0];
      r.win = RmaWinId{a[1]};
      r.group = GroupId{a[2]};
      break;
    case EventType::rma_sync:
      r.win = RmaWinId{a[0]};
      r.remote = LocationId{a[1]};
      r.sync = static_cast<RmaSyncType>(a[2]);
      break;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
    case EventType::rma_try_lock:
      r.lock = static_cast<LockType>(a[3]);
      [[fallthrough]];
    case EventType::rma_release_lock:
      r.win = RmaWinId{a[0]};
      r.remote = LocationId{a[1]};
      r.match = a[2];
      break;
    case EventType::rma_put:
    case EventType::rma_get:
      r.win = RmaWinId{a[0]};
      r.remote = LocationId{a[1]};
      (type == EventType::rma_put ? r.bytes : r.received) = a[2];
      r.match = a[3];
      break;
    case EventType::rma_atomic:
      r.win = RmaWinId{a[0]};
      r.remote = LocationId{a[1]};
      r.bytes = a[3];
      r.received = a[4];
      r.match = a[5];
      break;
    default:  // rma_wait_change and completions
      r.win = RmaWinId{a[0]};
      r.match = type == EventType::rma_wait_change ? 0 : a[1];
      break;
  }
  if (!r.win.valid() && type != EventType::rma_collective_begin) {
    records.pop_back();
    return nullptr;
  }
  r.call = call_of_record(r.win);
  return &r;
}

// Copies between host and device are operations on windows of accelerators, outside of every call.
std::uint32_t OneSidedReplay::call_of_record(RmaWinId win) {
  if (const std::uint32_t call = calls_.call_of_record(true); call != Frame::no_call) return call;
  if (!is_of_accelerator(win)) stack_.report(DiagnosticId::record_outside_call);
  return calls_.call_without_region();
}

// Of an accelerator itself, on a window that one has a part in, or in a call of its runtime.
bool OneSidedReplay::is_of_accelerator(RmaWinId win) const {
  const Definitions& definitions = stack_.context.definitions;
  const auto accelerator = [&](LocationId l) {
    return l.valid() && definitions[l].type == LocationType::accelerator_stream;
  };
  if (accelerator(stack_.context.location)) return true;
  const std::uint64_t frame = stack_.tree().frame(stack_.activity.current);
  if (frame >> 32 == 0 && frame != RegionId::none_value &&
      definitions[RegionId{static_cast<std::size_t>(frame)}].region_class >= RegionClass::openacc_time)
    return true;
  if (!win.valid() || !definitions[win].comm.valid()) return false;
  const std::vector<LocationId>& members = definitions[definitions[win].comm].members;
  return std::any_of(members.begin(), members.end(), accelerator);
}

}  // namespace waitstate::replay
