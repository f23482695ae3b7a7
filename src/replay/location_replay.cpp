// LocationReplay: region stack, calls and communication records. Longer than other files because one function takes
// every type of event; what concerns teams, tasks, counters and one-sided records has files of its own.
#include "replay/location_replay.hpp"

#include <algorithm>
#include <cstring>

#include "replay/attribute_record.hpp"
#include "waitstate/collective.hpp"

namespace waitstate::replay {

LocationReplay::LocationReplay(const Definitions& definitions, LocationId location, Options options)
    : definitions_(definitions), location_(location), options_(options), profiles_(1), last_time_(~Time{0}) {
  stack_.reserve(64);
  team_attribute_ = team_number_attribute(definitions);
  for (std::size_t i = 0; i < definitions.io_paradigms.size(); ++i)
    if (definitions.io_paradigms[i].identification == "MPI-IO") mpi_io_ = IoParadigmId{i};
  if (options.from != 0 || options.to != ~Time{0}) boundary_ = options.from;
}

void LocationReplay::begin(Chunk& chunk) {
  chunk_ = &chunk;
  chunk.clear();
  chunk.location = location_;
  chunk.open_segment = segment_.number;
  if (!put_off_.empty()) take_up_calls();
}

void LocationReplay::end(bool last) {
  if (last) {
    while (!stack_.empty()) {
      report(DiagnosticId::region_never_left, tree_.frame(current_));
      pop();
    }
    while (!aside_.empty()) {
      end_task(false, true);
      while (!stack_.empty()) {
        report(DiagnosticId::region_never_left, tree_.frame(current_));
        pop();
      }
    }
    if (segment_.number != 0) end_segment();
    if (has_forked_ && forks_.empty()) end_serial();
    if (!started_) first_time_ = last_time_ = 0;
    if (boundary_ != ~Time{0} && !in_window_) forget_profiles();  // it ended before the chosen time began
  } else if (open_calls_ != 0) {
    // A call of absurd length: it is cut here, and what follows in it is a call of its own.
    const auto cut = [&](std::vector<Frame>& stack) {
      for (Frame& f : stack) {
        if (f.call == no_call || put_off(f)) continue;
        close_call(f);
        f.call = no_call;
      }
    };
    cut(stack_);
    for (Activity& a : aside_) cut(a.stack);
  }
  chunk_->last = last;
  chunk_->last_time = started_ ? last_time_ : 0;
  chunk_->first_time = first_time_;
  if (!definitions_.rma_wins.empty()) chunk_->open_since = open_since();
}

// The first event of the location, an event beyond the next boundary of the chosen time, or a time stamp that runs
// backwards.
void LocationReplay::advance_unusual(Time t) {
  if (!started_) {
    started_ = true;
    first_time_ = last_time_ = t;
  }
  while (t >= boundary_ && boundary_ != ~Time{0}) cross_boundary();
  if (t >= last_time_) {
    account_until(t);
    return;
  }
  diagnostics_.add(DiagnosticId::time_backwards, {location_, t, {}}, static_cast<Ticks>(last_time_ - t));
}

// Where the chosen time begins, what was counted so far is forgotten; where it ends, what was counted is kept aside.
void LocationReplay::cross_boundary() {
  if (boundary_ > last_time_) account_until(boundary_);
  if (boundary_ == options_.from && !in_window_) {
    in_window_ = true;
    forget_profiles();
    boundary_ = options_.to;
  } else {
    past_window_ = true;
    window_profiles_ = profiles_;
    boundary_ = ~Time{0};
  }
}

void LocationReplay::forget_profiles() {
  for (Profile& p : profiles_) {
    const Profile was = p;
    p = Profile{};
    p.kind = was.kind;
    p.function = was.function;
  }
}

// Profile that operations in this call count in; null if the call was entered outside of the chosen time.
Profile* LocationReplay::counts_of(const CallRecord& call) {
  if (call.enter < options_.from || call.enter >= options_.to) return nullptr;
  return &(past_window_ ? window_profiles_ : profiles_)[call.callpath];
}

namespace {
Profile::Kind kind_of(const Region& region) {
  switch (region.region_class) {
    case RegionClass::omp_ebarrier:
    case RegionClass::omp_ibarrier:
      return Profile::Kind::omp_barrier;
    case RegionClass::omp_taskwait:
      return Profile::Kind::omp_taskwait;
    case RegionClass::omp_critical:
    case RegionClass::omp_lock_api:
    case RegionClass::pthread_lock_api:
    case RegionClass::pthread_conditional:
      return Profile::Kind::lock;
    default:
      break;
  }
  if (region.region_class == RegionClass::shmem_init_exit) return Profile::Kind::shmem_world;
  if (is_shmem(region.region_class)) return Profile::Kind::shmem;
  if (!is_mpi(region.region_class)) return Profile::Kind::plain;
  const MpiFunction f = region.mpi_function;
  return f == MpiFunction::init || f == MpiFunction::init_thread || f == MpiFunction::finalize
             ? Profile::Kind::mpi_world
             : Profile::Kind::mpi;
}
}  // namespace

void LocationReplay::add_call_path(std::uint64_t frame) {
  Profile& profile = profiles_.emplace_back();
  if (const RegionId region{static_cast<std::uint32_t>(frame)}; frame >> 32 == 0 && region.valid()) {
    profile.kind = kind_of(definitions_[region]);
    if (profile.kind == Profile::Kind::plain) profile.kind = device_kind(definitions_[region]);
    profile.function = definitions_[region].mpi_function;
  }
  NewCallPath path;
  path.number = static_cast<std::uint32_t>(tree_.size() - 1);
  path.parent = tree_.parent(path.number);
  if (frame == LocalCallTree::team_frame || frame == LocalCallTree::task_frame) {
    path.team_root = true;
  } else if (LocalCallTree::is_up(frame)) {
    path.up = true;
    path.region = RegionId{static_cast<std::uint32_t>(frame)};
  } else if (LocalCallTree::is_program(frame)) {
    path.program = StringId{static_cast<std::uint32_t>(frame)};
  } else {
    path.region = RegionId{static_cast<std::uint32_t>(frame)};
  }
  chunk_->call_paths.push_back(path);
}

void LocationReplay::close_call(const Frame& frame) {
  --open_calls_;
  if (longest_ > serial_interval_) [[unlikely]]
    note_serial(longest_path_, longest_end_ - longest_, longest_end_);
  if ((frame.call & is_sync) != 0) {
    chunk_->sync_calls[frame.call & ~is_sync].exit = last_time_;
    library_ = {};
    if (longest_ > folded_) {
      folded_ = longest_;
      folded_before_ = {longest_path_, longest_end_ - longest_, longest_end_};
    }
  } else {
    chunk_->calls[frame.call].exit = last_time_;
    if (last_time_ - frame.enter > serial_interval_) note_serial(frame.callpath, frame.enter, last_time_);
    folded_ = 0;
    if (in_teams_) note_library_call(frame);
  }
  longest_ = 0;
}

CallRecord LocationReplay::call_record(const Frame& frame, RegionId region) const {
  return {frame.enter,
          frame.enter,
          frame.callpath,
          region,
          profiles_[frame.callpath].function,
          0,
          before_.callpath == team_root_ ? 0 : before_.callpath,
          segment_.number,
          before_.begin,
          before_.end};
}

void LocationReplay::leave_watched_call(const Frame& frame) {
  watched_depth_ = ~std::size_t{0};
  if (in_library_) {
    in_library_ = false;
    chunk_->library_exits.push_back(last_time_);
  }
  // Without records: what was done before the program began is nothing that it did.
  const Profile::Kind kind = profiles_[frame.callpath].kind;
  if (kind == Profile::Kind::shmem_world) longest_ = folded_ = 0;
  if (kind == Profile::Kind::shmem_world || kind == Profile::Kind::mpi_world)
    chunk_->initialised = std::min(chunk_->initialised, last_time_);
  if (kind != Profile::Kind::mpi_world) return;
  const RegionId region{static_cast<std::uint32_t>(tree_.frame(frame.callpath))};
  chunk_->world_calls.push_back(call_record(frame, region));
  chunk_->world_calls.back().exit = last_time_;
}

// An exit that does not belong to the innermost open region: if its region is open further out, the regions inside it
// were never left; otherwise its enter is missing and it changes nothing.
std::uint32_t LocationReplay::exit_out_of_order(RegionId region) {
  if (stack_.empty() && in_task()) return exit_outside_segment(region);
  const auto open = std::find_if(stack_.rbegin(), stack_.rend(),
                                 [&](const Frame& f) { return tree_.frame(f.callpath) == region.value; });
  if (!region.valid() || open == stack_.rend()) {
    report(stack_.empty() ? DiagnosticId::exit_without_enter : DiagnosticId::exit_of_other_region, region.value);
    bool added = false;
    const std::uint32_t callpath = tree_.child(base_, region.value, added);
    if (added) add_call_path(region.value);
    return callpath;
  }
  while (tree_.frame(current_) != region.value) {
    report(DiagnosticId::exit_of_other_region, tree_.frame(current_));
    pop();
  }
  const std::uint32_t callpath = current_;
  pop();
  return callpath;
}

// The call that a communication record belongs to: the innermost region, if that is a call of a communication library.
// Anything else (a recorder that writes no MPI regions) has no enter and exit that say when the operation was called:
// the record is then a call of its own that takes no time.
std::uint32_t LocationReplay::call_of_record(bool one_sided, RmaWinId win) {
  if (!stack_.empty()) {
    Frame& top = stack_.back();
    if (top.call < is_sync) return top.call;
    const Profile::Kind kind = profiles_[top.callpath].kind;
    const bool mpi = kind == Profile::Kind::mpi || kind == Profile::Kind::mpi_world;
    if (mpi || (one_sided && (kind == Profile::Kind::shmem || kind == Profile::Kind::shmem_world))) {
      const RegionId region{static_cast<std::uint32_t>(tree_.frame(top.callpath))};
      top.call = static_cast<std::uint32_t>(chunk_->calls.size());
      chunk_->calls.push_back(call_record(top, region));
      ++open_calls_;
      return top.call;
    }
  }
  // Accelerators: copies between host and device are operations on windows of theirs, outside of every call.
  if (!one_sided || !copies_are_one_sided(win)) report(DiagnosticId::record_outside_call, tree_.frame(current_));
  const std::uint32_t callpath = callpath_of_record();
  CallRecord& call = chunk_->calls.emplace_back();
  call.enter = call.exit = last_time_;
  call.callpath = callpath;
  call.function = MpiFunction::other;
  call.segment = segment_.number;
  return static_cast<std::uint32_t>(chunk_->calls.size() - 1);
}

// Outside of every region it is charged to a region that is not known.
std::uint32_t LocationReplay::callpath_of_record() {
  if (current_ != base_) return current_;
  bool added = false;
  const std::uint32_t callpath = tree_.child(base_, RegionId::none_value, added);
  if (added) add_call_path(RegionId::none_value);
  if (segment_.number != 0) touch(callpath);
  return callpath;
}

CommRecord& LocationReplay::add_record(EventType type) {
  const std::uint32_t call = call_of_record();
  ++chunk_->calls[call].records;
  CommRecord& r = chunk_->records.emplace_back();
  r.time = last_time_;
  r.call = call;
  r.type = type;
  record_added_ = true;
  return r;
}

void LocationReplay::message_record(EventType type, const std::uint64_t* a) {
  CommRecord& r = add_record(type);
  r.peer = LocationId{a[0]};
  if (!r.peer.valid()) report(DiagnosticId::peer_unknown, tree_.frame(current_));
  r.tag = static_cast<std::uint32_t>(a[1]);
  r.comm = CommId{a[2]};
  r.bytes = a[3];
  if (type == EventType::isend || type == EventType::irecv) r.request = a[4];
  if (type == EventType::send || type == EventType::isend) {
    if (Profile* profile = counts_of(chunk_->calls[r.call])) {
      ++(r.bytes == 0 ? profile->empty_sends : profile->sends);
      profile->bytes_sent += r.bytes;
    }
  }
}

void LocationReplay::collective_record(EventType type, const std::uint64_t* a) {
  CommRecord& r = add_record(type);
  if (type == EventType::collective_begin || type == EventType::nonblocking_collective_request) {
    if (type == EventType::nonblocking_collective_request) r.request = a[0];
    return;
  }
  r.tag = static_cast<std::uint32_t>(a[0]);
  r.comm = CommId{a[1]};
  r.peer = LocationId{a[2]};
  r.bytes = a[3];
  r.received = a[4];
  if (type == EventType::nonblocking_collective_complete) {
    r.request = a[5];  // counted in the call that started it: by the linker
    return;
  }
  if (kind(static_cast<CollectiveOp>(r.tag)) == CollectiveKind::other) return;
  if (Profile* profile = counts_of(chunk_->calls[r.call])) {
    ++profile->collectives[(r.bytes > 0 ? 1 : 0) + (r.received > 0 ? 2 : 0)];
    profile->collective_bytes_sent += r.bytes;
    profile->collective_bytes_received += r.received;
  }
}

// Of a file that was opened with MPI.
void LocationReplay::file_record(IoHandleId handle, std::uint64_t bytes) {
  const auto& handles = definitions_.io_handles;
  if (!mpi_io_.valid() || handle.index() >= handles.size() || handles[handle.index()].paradigm != mpi_io_) return;
  if (bytes == ~std::uint64_t{0}) return report(DiagnosticId::file_bytes_unknown, tree_.frame(current_));
  const Time entered = stack_.empty() ? last_time_ : stack_.back().enter;
  if (entered < options_.from || entered >= options_.to) return;
  const std::uint32_t callpath = callpath_of_record();
  booked(callpath).file_bytes += bytes;
}

void LocationReplay::event(EventType type, Time t, const std::uint64_t* a, std::span<const Value> tail) {
  if (is_derived(type)) return;  // of a printed trace: derived anew if asked for
  ++counts_[static_cast<int>(type)];
  advance(t);
  std::uint32_t callpath = current_;
  bool moves_stack = true;
  // Records are added before the event is kept, whose number is then that of events so far.
  switch (type) {
    case EventType::send:
    case EventType::isend:
    case EventType::recv:
    case EventType::irecv:
      message_record(type, a);
      moves_stack = false;
      break;
    case EventType::isend_complete:
    case EventType::irecv_request:
    case EventType::request_cancelled:
    case EventType::request_test:
      add_record(type).request = a[0];
      moves_stack = false;
      break;
    case EventType::collective_begin:
    case EventType::collective_end:
    case EventType::nonblocking_collective_request:
    case EventType::nonblocking_collective_complete:
      collective_record(type, a);
      moves_stack = false;
      break;
    case EventType::rma_collective_begin:
    case EventType::rma_collective_end:
    case EventType::rma_group_sync:
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
    case EventType::rma_try_lock:
    case EventType::rma_release_lock:
    case EventType::rma_sync:
    case EventType::rma_wait_change:
    case EventType::rma_put:
    case EventType::rma_get:
    case EventType::rma_atomic:
    case EventType::rma_op_complete_blocking:
    case EventType::rma_op_complete_nonblocking:
    case EventType::rma_op_complete_remote:
      rma_record(type, a);
      moves_stack = false;
      break;
    case EventType::metric:
      if (options_.counters) counter_record(MetricId{a[0]}, tail);
      moves_stack = false;
      break;
    case EventType::io_operation_complete:
      file_record(IoHandleId{a[0]}, a[1]);
      moves_stack = false;
      break;
    case EventType::thread_fork:
      fork(static_cast<std::uint32_t>(a[1]));
      moves_stack = false;
      break;
    case EventType::omp_fork:
      fork(static_cast<std::uint32_t>(a[0]));
      moves_stack = false;
      break;
    case EventType::thread_team_begin:
      begin_team(CommId{a[0]});
      moves_stack = false;
      break;
    case EventType::thread_team_end:
      end_team();
      moves_stack = false;
      break;
    case EventType::thread_acquire_lock:
      lock_record(TeamRecord::Kind::acquire, static_cast<Paradigm>(a[0]), a[1], a[2]);
      moves_stack = false;
      break;
    case EventType::thread_release_lock:
      lock_record(TeamRecord::Kind::release, static_cast<Paradigm>(a[0]), a[1], a[2]);
      moves_stack = false;
      break;
    case EventType::omp_acquire_lock:
      lock_record(TeamRecord::Kind::acquire, Paradigm::openmp, a[0], a[1]);
      moves_stack = false;
      break;
    case EventType::omp_release_lock:
      lock_record(TeamRecord::Kind::release, Paradigm::openmp, a[0], a[1]);
      moves_stack = false;
      break;
    case EventType::thread_task_create:
    case EventType::thread_task_switch:
    case EventType::thread_task_complete:
      task_record(type, CommId{a[0]}, a[1] << 32 | (a[2] & 0xffffffffu), a[2] == 0);
      moves_stack = false;
      break;
    case EventType::omp_task_create:
    case EventType::omp_task_switch:
    case EventType::omp_task_complete:
      task_record(type, CommId::none(), a[0], a[0] == 0);
      moves_stack = false;
      break;
    case EventType::thread_create:
    case EventType::thread_begin:
    case EventType::thread_end:
      thread_record(type, CommId{a[0]}, a[1]);
      moves_stack = false;
      break;
    case EventType::thread_join:
    case EventType::omp_join:
      join();
      moves_stack = false;
      break;
    case EventType::measurement_on_off:
      if (static_cast<MeasurementMode>(a[0]) == MeasurementMode::off)
        report(DiagnosticId::measurement_off, tree_.frame(current_));
      moves_stack = false;
      break;
    case EventType::program_begin:
      push(LocalCallTree::program_frame(StringId{a[0]}), t);
      callpath = current_;
      break;
    case EventType::program_end:
      // The program is left whatever is still open in it.
      end_tasks();
      while (stack_.size() > 1 && !LocalCallTree::is_program(tree_.frame(current_))) {
        report(DiagnosticId::region_never_left, tree_.frame(current_));
        pop();
      }
      callpath = current_;
      if (!stack_.empty() && LocalCallTree::is_program(tree_.frame(current_)))
        pop();
      else
        moves_stack = false;
      break;
    case EventType::calling_context_sample:
      report(DiagnosticId::sample_ignored, tree_.frame(current_));
      moves_stack = false;
      break;
    case EventType::calling_context_enter: {
      const RegionId region =
          a[0] < definitions_.calling_contexts.size() ? definitions_.calling_contexts[a[0]].region : RegionId::none();
      push(region.value, t);
      callpath = current_;
      break;
    }
    case EventType::calling_context_exit: {
      const RegionId region =
          a[0] < definitions_.calling_contexts.size() ? definitions_.calling_contexts[a[0]].region : RegionId::none();
      if (!stack_.empty() && (!region.valid() || tree_.frame(current_) == region.value))
        pop();
      else if (!stack_.empty())
        callpath = exit_out_of_order(region);
      else if (in_task())
        callpath = exit_outside_segment(RegionId::none());
      else
        moves_stack = false;
      break;
    }
    default:
      moves_stack = false;
  }
  if (options_.keep_events) keep_with_attributes(type, t, a, tail, callpath, moves_stack);
}

std::uint64_t LocationReplay::event_count() const {
  std::uint64_t n = 0;
  for (std::uint64_t c : counts_) n += c;
  return n;
}

void LocationReplay::keep(EventType type, Time t, std::uint32_t callpath) {
  EventRows& e = chunk_->events;
  if (list_.empty()) [[likely]] {
    e.rows.push_back({t, callpath, type});
    return;
  }
  e.rows.push_back({t, static_cast<std::uint32_t>(e.bytes.size()), with_list(type)});
  append_number(e.bytes, callpath, 4);
  append_list(e.bytes, list_);
  list_.clear();
}

void LocationReplay::keep_with_attributes(EventType type, Time t, const std::uint64_t* attributes,
                                          std::span<const Value> tail, std::uint32_t callpath, bool with_callpath) {
  EventRows& e = chunk_->events;
  e.rows.push_back({t, static_cast<std::uint32_t>(e.bytes.size()), list_.empty() ? type : with_list(type),
                    std::exchange(record_added_, false)});
  if (is_stack_event(type)) append_number(e.bytes, with_callpath ? callpath : 0, 4);
  append_attributes(e.bytes, type, attributes, tail);
  if (list_.empty()) return;
  append_list(e.bytes, list_);
  list_.clear();
}

void LocationReplay::report(DiagnosticId id, std::uint64_t frame) {
  diagnostics_.add(id, {location_, last_time_, diagnostics_.wants_place(id) ? region_name(frame) : std::string{}});
}

std::string LocationReplay::region_name(std::uint64_t frame) const {
  if (frame == LocalCallTree::no_frame || frame == LocalCallTree::team_frame || frame == LocalCallTree::task_frame)
    return "outside of every region";
  if (LocalCallTree::is_program(frame)) {
    const StringId program{static_cast<std::uint32_t>(frame)};
    return program.valid() ? definitions_[program] : "a program without a name";
  }
  const RegionId region{static_cast<std::uint32_t>(frame)};
  return region.valid() ? definitions_[region].name : "an undefined region";
}

}  // namespace waitstate::replay
