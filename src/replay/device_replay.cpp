#include "replay/device_replay.hpp"

namespace waitstate::replay {
namespace {

// Copies that are never completed must not fill the memory; few are on their way at a time.
constexpr std::size_t most_open_copies = 1024;

}  // namespace

DeviceReplay::DeviceReplay(ReplayContext& context, OpenCalls& calls)
    : context_(context),
      calls_(calls),
      copies_(context.options.device_calls &&
              context.definitions[context.location].type == LocationType::accelerator_stream) {}

void DeviceReplay::enter() {
  DeviceRecord r;
  r.call = calls_.sync_call();
  context_.chunk->device_records.push_back(r);
}

void DeviceReplay::copy_of_stream(const RmaRecord& record) {
  const CopyKey key{record.win, record.match};
  switch (record.type) {
    case EventType::rma_put:
    case EventType::rma_get:
      if (open_copies_.size() < most_open_copies)
        open_copies_[key] = {record.time, context_.chunk->calls[record.call].callpath};
      break;
    case EventType::rma_op_complete_blocking:
    case EventType::rma_op_complete_nonblocking:
    case EventType::rma_op_complete_remote: {
      const auto open = open_copies_.find(key);
      if (open == open_copies_.end()) break;
      DeviceRecord& r = context_.chunk->device_records.emplace_back();
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
