#include "replay/for_causes/work_replay.hpp"

#include <utility>

namespace waitstate::replay {

void WorkReplay::enter(std::uint32_t callpath) {
  change(callpath);
  if (pending_) {
    pending_ = false;
    in_region_ = true;
    region_ = callpath;
    cut();
    mark(WorkMarkRecord::Kind::region, callpath);
    return;
  }
  const bool nested = call_ != 0;
  if (nested && !std::exchange(has_nested_, true)) mark(WorkMarkRecord::Kind::nested);
  const Profile::Kind kind = stack_.profiles[callpath].kind;
  switch (kind) {
    case Profile::Kind::mpi:
    case Profile::Kind::mpi_world:
    case Profile::Kind::mpi_search:
    case Profile::Kind::shmem:
    case Profile::Kind::shmem_world:
      if (!nested) call_ = callpath;
      return cut();
    case Profile::Kind::lock:
    case Profile::Kind::device_sync:
    case Profile::Kind::omp_taskwait:
      return cut();
    case Profile::Kind::device_launch:
      mark(WorkMarkRecord::Kind::launch, callpath);
      return cut();
    case Profile::Kind::kernel:
      mark(WorkMarkRecord::Kind::kernel, callpath);
      return cut();
    default:
      break;
  }
  if (nested || kind == Profile::Kind::omp_barrier) cut();
  if (kind == Profile::Kind::omp_barrier && in_region_ && !own_ && inner_forks_ == 0 && !to_end_of_team_) keep_back();
}

void WorkReplay::exit(std::uint32_t callpath) {
  if (stack_.profiles[callpath].kind == Profile::Kind::kernel) {  // a thread that waits for it waits for its end
    change(stack_.activity.current);
    mark(WorkMarkRecord::Kind::kernel_end, callpath);
    return cut();
  }
  if (!in_region_ || callpath != region_) {
    change(stack_.activity.current);
    if (call_ == callpath)
      call_ = 0;
    else if (call_ != 0)
      cut();
    return;
  }
  inner_forks_ = 0;
  if (own_) return change(region_);
  change(0);
  in_region_ = false;
  if (std::exchange(kept_back_, false)) {
    open_.clear();
    ++cut_number_;
    shares_.resize(known_shares_);
    for (std::size_t i = known_cuts_; i < cuts_.size(); ++i) cuts_[i].shares = shares_.size();
  } else {
    put_open();
  }
}

void WorkReplay::exit_outside_segment() { change(stack_.activity.current); }

void WorkReplay::fork() {
  if (in_region_) {
    ++inner_forks_;
    return;
  }
  if (pending_ || !stack_.context.definitions[stack_.context.location].process.valid()) return give_up();
  pending_ = own_ = true;
  caller_ = current_;
  mark(WorkMarkRecord::Kind::fork);
  change(0);
  cut();
}

void WorkReplay::join() {
  if (inner_forks_ > 0) {
    --inner_forks_;
    return;
  }
  in_region_ = pending_ = false;
  mark(WorkMarkRecord::Kind::join);
  change(caller_);
  cut();
}

void WorkReplay::begin_part(CommId team) {
  if (inner_forks_ > 0) return mark(WorkMarkRecord::Kind::inner_part, 0, team);
  if (in_region_) return give_up();
  if (!pending_) own_ = false;
  pending_ = true;
  mark(WorkMarkRecord::Kind::part, 0, team);
}

void WorkReplay::create_task() {
  note_tasks();
  release();
}

void WorkReplay::before_switch() {
  change(current_);
  if (!in_task_) outside_task_ = current_;
}

// A worker's time in a task counts, and so does what comes before it: the task may be in its last barrier.
void WorkReplay::after_switch() {
  const bool was_in_task = std::exchange(in_task_, stack_.activity.in_task());
  if (!in_task_ && !was_in_task) return;
  note_tasks();
  change(in_task_ ? stack_.activity.current : outside_task_);
  cut();
  if (in_task_ && !was_in_task) {
    keeps_back_again_ = std::exchange(kept_back_, false);
  } else if (!in_task_ && std::exchange(keeps_back_again_, false)) {
    keep_back();
  }
}

void WorkReplay::keep_back() {
  kept_back_ = true;
  known_cuts_ = cuts_.size();
  known_shares_ = shares_.size();
}

void WorkReplay::give_up() {
  mark(WorkMarkRecord::Kind::others);
  on_ = false;
  cuts_.clear(), shares_.clear(), open_.clear();
}

// The time so far goes to the call path that it was spent in.
inline void WorkReplay::change(std::uint32_t callpath) {
  const Time t = now();
  if (current_ != 0 && t != last_) {
    OfPath& of = of_paths_[current_];
    const std::uint32_t segment = stack_.activity.segment.number;
    if (of.cut != cut_number_) {
      of = {cut_number_, segment, 0};
      open_.push_back(current_);
    } else if (of.segment != segment) {  // the same path of a part that stands elsewhere in the program
      shares_.push_back({current_, of.segment, of.ticks});
      of.segment = segment, of.ticks = 0;
    }
    of.ticks = add_ticks(of.ticks, t - last_);
  }
  started_ = true;
  last_ = t;
  current_ = callpath;
  if (callpath >= of_paths_.size()) [[unlikely]]
    of_paths_.resize(stack_.tree().size());
}

void WorkReplay::put_open() {
  for (const std::uint32_t path : open_) shares_.push_back({path, of_paths_[path].segment, of_paths_[path].ticks});
  open_.clear();
  ++cut_number_;
}

void WorkReplay::cut() {
  put_open();
  cuts_.push_back({last_, shares_.size()});
}

void WorkReplay::end(bool last) {
  if (!on_) return;
  // A stream without kernels has a cut, too, so that it is not taken for one without events.
  const bool is_stream = stack_.context.definitions[stack_.context.location].type == LocationType::accelerator_stream;
  if (last && !started_ && is_stream && stack_.profiles.started()) started_ = true, last_ = now();
  if (last && started_) cut();
  if (!kept_back_) {
    put_open();
    known_cuts_ = cuts_.size(), known_shares_ = shares_.size();
  }
  const auto put = [](auto& from, std::size_t n, auto& to) {
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(n);
    to.insert(to.end(), from.begin(), end);
    from.erase(from.begin(), end);
  };
  put(cuts_, known_cuts_, stack_.context.chunk->work_cuts);
  put(shares_, known_shares_, stack_.context.chunk->work_shares);
  for (WorkCutRecord& c : cuts_) c.shares -= known_shares_;
  known_cuts_ = known_shares_ = 0;
}

}  // namespace waitstate::replay
