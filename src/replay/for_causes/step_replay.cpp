#include "replay/for_causes/step_replay.hpp"

#include "waitstate/pattern/collective.hpp"

namespace waitstate::replay {

void StepReplay::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  since_ = now();
  add(StepRecord::Kind::begin, 0);
}

bool StepReplay::is_mpi(std::uint32_t callpath) const {
  switch (stack_.profiles[callpath].kind) {
    case Profile::Kind::mpi:
    case Profile::Kind::mpi_world:
    case Profile::Kind::mpi_search:
      return true;
    default:
      return false;
  }
}

void StepReplay::change(bool in_mpi) {
  begin();
  if (in_mpi == in_mpi_) return;
  if (!in_mpi_) outside_ = add_ticks(outside_, now() - since_);
  since_ = now();
  in_mpi_ = in_mpi;
}

void StepReplay::enter(std::uint32_t callpath) {
  change(is_mpi(callpath));
  const Profile& profile = stack_.profiles[callpath];
  if (profile.kind != Profile::Kind::mpi_world) return;
  add(StepRecord::Kind::enter_world, callpath).number = profile.function == MpiFunction::finalize;
  world_.push_back({callpath, now()});
}

void StepReplay::exit(std::uint32_t callpath) {
  change(is_mpi(stack_.tree().parent(callpath)));
  if (!world_.empty() && world_.back().callpath == callpath) {
    StepRecord& step = add(StepRecord::Kind::exit_world, callpath);
    step.other = world_.back().enter;
    step.number = stack_.profiles[callpath].function == MpiFunction::finalize;
    world_.pop_back();
  }
  if (lock_callpath_ == 0 || lock_callpath_ != callpath) return;
  StepRecord& step = add(StepRecord::Kind::exit_lock, callpath);
  step.other = lock_enter_;
  step.number = lock_number_;
  lock_callpath_ = 0;
}

StepRecord& StepReplay::add(StepRecord::Kind kind, std::uint32_t callpath) {
  StepRecord& step = stack_.context.chunk->steps.emplace_back();
  step.time = now();
  step.outside = in_mpi_ ? outside_ : add_ticks(outside_, now() - since_);
  step.callpath = callpath;
  step.segment = stack_.activity.segment.number;
  step.kind = kind;
  return step;
}

void StepReplay::record(CommRecord& r) {
  using enum StepRecord::Kind;
  StepRecord::Kind kind{};
  switch (r.type) {
    case EventType::send:
    case EventType::isend:
      kind = send;
      break;
    case EventType::recv:
    case EventType::irecv:
      kind = receive;
      break;
    case EventType::collective_end:
      kind = operation;
      break;
    case EventType::nonblocking_collective_request:
      kind = request;
      break;
    case EventType::nonblocking_collective_complete:
      kind = completion;
      break;
    default:
      return;
  }
  r.step = static_cast<std::uint32_t>(stack_.context.chunk->steps.size());
  StepRecord& step = add(kind);
  step.on = r.comm.value;
  step.op = static_cast<CollectiveOp>(r.tag);
  if (kind == send) step.other = r.peer.value;
}

// The records of one-sided communication of MPI lie in its calls.
void StepReplay::record(const RmaRecord& r) {
  if (!in_mpi_ || stack_.activity.stack.empty()) return;
  switch (r.type) {
    case EventType::rma_collective_end: {
      StepRecord& step = add(StepRecord::Kind::window);
      step.on = r.win.value;
      step.op = r.op;
      return;
    }
    case EventType::rma_group_sync:
      add_call(r);
      add(StepRecord::Kind::sync).on = r.win.value;
      return;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
    case EventType::rma_try_lock:
    case EventType::rma_release_lock: {
      lock_number_ = add_call(r);
      StepRecord& step = add(StepRecord::Kind::lock);
      step.type = r.type;
      step.on = r.win.value;
      step.other = r.remote.value;
      step.number = r.match;
      lock_callpath_ = stack_.activity.current;
      lock_enter_ = stack_.activity.stack.back().enter;
      return;
    }
    default:
      return;
  }
}

std::uint64_t StepReplay::add_call(const RmaRecord& r) {
  StepRecord& step = add(StepRecord::Kind::call);
  step.on = stack_.region(stack_.activity.current).value;
  step.other = stack_.activity.stack.back().enter;
  return step.number = stack_.context.chunk->calls[r.call].number;
}

}  // namespace waitstate::replay
