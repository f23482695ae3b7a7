// LocationReplay: one-sided records, and the calls of MPI in which a location makes progress for others.
//
// The records go with the call that they lie in, as those of messages do; matching them takes other locations and is
// not done here. Whether a process could answer others is told by when it was inside of MPI, with records or without:
// that is noted only if somebody asks for it (library_calls), and at no cost per event otherwise.
#include "replay/location_replay.hpp"

#include <algorithm>

#include "util/prefetch.hpp"

namespace waitstate::replay {

void LocationReplay::rma_record(EventType type, const std::uint64_t* a) {
  RmaRecord& r = chunk_->rma_records.emplace_back();
  // The thread that linked this memory last has it in its caches: it is asked for before it is written.
  util::prefetch<true>(reinterpret_cast<const char*>(&r) + 512);
  r.time = last_time_;
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
  if (!r.win.valid() && type != EventType::rma_collective_begin) {  // counted by the reader
    chunk_->rma_records.pop_back();
    return;
  }
  r.call = call_of_record(true, r.win);
  device_copy(r);
}

// Of an accelerator itself, on a window that one has a part in, or in a call of its runtime.
bool LocationReplay::copies_are_one_sided(RmaWinId win) const {
  const auto accelerator = [&](LocationId l) {
    return l.valid() && definitions_[l].type == LocationType::accelerator_stream;
  };
  if (accelerator(location_)) return true;
  const std::uint64_t frame = tree_.frame(current_);
  if (frame >> 32 == 0 && frame != RegionId::none_value &&
      definitions_[RegionId{static_cast<std::size_t>(frame)}].region_class >= RegionClass::openacc_time)
    return true;
  if (!win.valid() || !definitions_[win].comm.valid()) return false;
  const std::vector<LocationId>& members = definitions_[definitions_[win].comm].members;
  return std::any_of(members.begin(), members.end(), accelerator);
}

// MPI_Init and MPI_Finalize (and those of SHMEM) are watched to know when they are left, and so is the outermost call
// of MPI if others are to know when this location was inside of MPI.
void LocationReplay::watch_call(Profile::Kind kind) {
  if (kind == Profile::Kind::shmem_world) {
    watched_depth_ = stack_.size();
  } else if (options_.library_calls && !in_library_) {
    in_library_ = true;
    watched_depth_ = stack_.size();
    const Frame& frame = stack_.back();
    chunk_->library_enters.push_back(
        call_record(frame, RegionId{static_cast<std::size_t>(tree_.frame(frame.callpath))}));
    chunk_->library_enters.back().exit = ~Time{0};
  } else if (kind == Profile::Kind::mpi_world) {
    watched_depth_ = stack_.size();
  }
}

Time LocationReplay::open_since() const {
  for (const Frame& f : stack_) {
    const Profile::Kind kind = profiles_[f.callpath].kind;
    if (kind >= Profile::Kind::mpi && kind <= Profile::Kind::shmem_world) return f.enter;
  }
  return started_ ? last_time_ : 0;
}

}  // namespace waitstate::replay
