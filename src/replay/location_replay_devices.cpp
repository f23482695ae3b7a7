// LocationReplay: kernels and copies of an accelerator's stream, and calls of a host thread that wait for a device.
//
// Both are noted where the region is entered and known where it is left, as barriers of teams are; copies are one-sided
// operations of the stream, from their record to that of their completion. Only if somebody asks for it
// (Options::device_calls), and only in regions of these kinds.
#include "replay/location_replay.hpp"

namespace waitstate::replay {

namespace {
// Copies that are never completed must not fill the memory; few are on their way at a time.
constexpr std::size_t most_open_copies = 1024;
}  // namespace

Profile::Kind LocationReplay::device_kind(const Region& region) const {
  if (!options_.device_calls) return Profile::Kind::plain;
  if (definitions_[location_].type == LocationType::accelerator_stream) return Profile::Kind::kernel;
  return waits_for_device(region) ? Profile::Kind::device_sync : Profile::Kind::plain;
}

void LocationReplay::enter_device_call() {
  DeviceRecord r;
  r.call = sync_call(stack_.back());
  chunk_->device_records.push_back(r);
}

void LocationReplay::device_copy(const RmaRecord& record) {
  if (!options_.device_calls || definitions_[location_].type != LocationType::accelerator_stream) return;
  const CopyKey key{record.win, record.match};
  switch (record.type) {
    case EventType::rma_put:
    case EventType::rma_get:
      if (open_copies_.size() < most_open_copies)
        open_copies_[key] = {record.time, chunk_->calls[record.call].callpath};
      break;
    case EventType::rma_op_complete_blocking:
    case EventType::rma_op_complete_nonblocking:
    case EventType::rma_op_complete_remote: {
      const auto open = open_copies_.find(key);
      if (open == open_copies_.end()) break;
      DeviceRecord& r = chunk_->device_records.emplace_back();
      r.call = DeviceRecord::no_call;
      r.begin = open->second.begin;
      r.end = record.time;
      r.callpath = open->second.callpath;
      open_copies_.erase(open);
      break;
    }
    default:
      break;
  }
}

}  // namespace waitstate::replay
