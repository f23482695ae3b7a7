// Long because every type of event comes here.
#include "replay/location_replay.hpp"

#include <algorithm>
#include <optional>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::replay {

LocationReplay::LocationReplay(const Definitions& definitions, LocationId location, const Options& options)
    : context_(definitions, location, options),
      profiles_(options.from, options.to),
      stack_(context_, profiles_),
      calls_(stack_),
      exits_(stack_),
      measurement_(stack_),
      counters_(context_.options, stack_),
      one_sided_(stack_, calls_),
      devices_(context_, calls_),
      teams_(stack_, calls_, counters_),
      parallel_ids_(stack_, teams_),
      tasks_(stack_, calls_, counters_),
      work_(stack_),
      steps_(stack_),
      tells_enters_(options.keep_events || options.steps),
      tells_exits_(options.keep_events || options.steps || counters_.wants_exits()) {
  for (std::size_t i = 0; i < definitions.io_paradigms.size(); ++i)
    if (definitions.io_paradigms[i].identification == "MPI-IO") mpi_io_ = IoParadigmId{i};
  if (options.work) work_.turn_on(options.work_to_end_of_team);
}

void LocationReplay::begin(Chunk& chunk) {
  context_.chunk = &chunk;
  chunk.clear();
  chunk.location = context_.location;
  chunk.open_segment = stack_.activity.segment.number;
  calls_.begin_chunk();
}

// Tasks that are executed while `more` says so: they are never completed. `each`: after each of them.
template <class More, class Each>
void LocationReplay::give_up_tasks(More&& more, Each&& each) {
  while (more() && !tasks_.interrupted().empty()) {
    if (work_.is_on()) work_.before_switch();
    tasks_.give_up_task();
    if (work_.is_on()) work_.after_switch();
    each();
  }
}

void LocationReplay::end(bool last) {
  if (last) {
    note_open_call();
    measurement_.finish();
    exits_.finish();
    leave_all_regions();
    give_up_tasks([] { return true; }, [&] { leave_all_regions(); });
    teams_.finish();
    profiles_.finish();
  } else if (!calls_.none()) {
    // A call of absurd length: it is cut here, and what follows in it is a call of its own.
    calls_.cut(stack_.activity.stack);
    for (Activity& a : tasks_.interrupted()) calls_.cut(a.stack);
  }
  work_.end(last);
  Chunk& chunk = *context_.chunk;
  chunk.last = last;
  chunk.last_time = profiles_.started() ? profiles_.now() : 0;
  chunk.first_time = profiles_.first_time();
  if (!context_.definitions.rma_wins.empty()) chunk.open_since = calls_.open_since();
}

std::uint64_t LocationReplay::event_count() const {
  std::uint64_t n = 0;
  for (const std::uint64_t c : context_.counts) n += c;
  return n;
}

std::vector<OpenRegionOfLocation> LocationReplay::open_regions() const {
  std::vector<OpenRegionOfLocation> open;
  const auto add = [&](const Activity& a) {
    for (const Frame& frame : a.stack) {
      const std::uint64_t number = stack_.tree().frame(frame.callpath);
      if (number < RegionId::none_value) open.push_back({stack_.region(frame.callpath), frame.enter});
    }
  };
  const std::vector<Activity>& interrupted = tasks_.interrupted();
  const auto add_left_open = [&](auto&& is_at) {
    for (const TaskReplay::LeftOpen& left : tasks_.left_open())
      if (is_at(left.depth)) open.push_back({left.region, left.enter});
  };
  for (std::size_t i = 0; i < interrupted.size(); ++i) {
    add(interrupted[i]);
    add_left_open([&](std::size_t depth) { return depth == i + 1; });
  }
  add(stack_.activity);
  add_left_open([&](std::size_t depth) { return depth > interrupted.size(); });
  return open;
}

// --- enters and exits ------------------------------------------------------------------------------------------------

void LocationReplay::report_backwards(Time t, Ticks by) {
  context_.diagnostics.add(DiagnosticId::time_backwards, {context_.location, t, {}}, by);
}

// True if the region has been left already.
bool LocationReplay::enter_expected(RegionId region) {
  if (parallel_ids_.expects_enter()) parallel_ids_.enter(region);
  if (exits_.expects_event()) exits_.enter();
  const bool left = exits_.awaits_enter() && exits_.was_left_ahead(region);
  is_enter_expected_ = exits_.awaits_enter();
  return left;
}

void LocationReplay::visit_in_no_time(Time t, RegionId region) {
  enter_region(region.value);
  const std::uint32_t callpath = stack_.activity.current;
  leave_region();
  if (!context_.options.keep_events) return;
  rows_.add(context_.chunk->events, EventType::enter, t, callpath);
  context_.chunk->events.rows.back().is_left_already = true;
}

void LocationReplay::enter_other_call(Profile::Kind kind) {
  calls_.enter(kind);
  if (kind == Profile::Kind::device_sync || kind == Profile::Kind::kernel) devices_.enter();
}

void LocationReplay::enter_followed_region(std::uint64_t frame, std::uint32_t callpath) {
  if (stack_.in_threads()) teams_.enter_region(frame, callpath);
  if (work_.is_on()) work_.enter(callpath);
}

void LocationReplay::leave_followed_region(std::uint32_t callpath) {
  if (work_.is_on()) work_.exit(callpath);
  if (!stack_.in_threads()) return;
  teams_.leave_region_in_segment();
  parallel_ids_.leave_region();
  teams_.leave_region_in_fork();
}

void LocationReplay::note_open_call() {
  const Activity& a = stack_.activity;
  ended_in_region_ = !a.stack.empty();
  if (ended_in_region_ && a.segment.number == 0) {
    last_callpath_ = a.stack.back().callpath;
    last_enter_ = a.stack.back().enter;
  }
  if (a.stack.empty() || stack_.top_is_program()) return;
  const Frame& top = a.stack.back();
  const RegionId region = stack_.region(top.callpath);
  if (!region.valid() || !waits_for_others(context_.definitions[region]) || is_over(top)) return;
  OpenCallRecord& open = context_.chunk->open_calls.emplace_back();
  if (top.has_call())
    for (const CommRecord& r : context_.chunk->records)
      if (r.call == top.call && r.type == EventType::send) open.receiver = r.peer, open.comm = r.comm, open.tag = r.tag;
  CallRecord& call = open.call;
  call.enter = top.enter;
  call.exit = profiles_.now();
  call.callpath = top.callpath;
  call.region = region;
  call.function = profiles_[top.callpath].function;
  call.segment = a.segment.number;
}

// True if the call that waits for others has got what it waited for: a lock - a wait for a condition begins with giving
// its mutex back -, a message, the other members of an operation. Of many requests others may still be waited for.
bool LocationReplay::is_over(const Frame& call) const {
  if (!call.has_call()) return false;
  const Profile& profile = profiles_[call.callpath];
  if (call.has_sync_call())
    return profile.kind == Profile::Kind::lock &&
           context_.definitions[stack_.region(call.callpath)].region_class != RegionClass::pthread_conditional;
  if (profile.function == MpiFunction::waitall || profile.function == MpiFunction::waitsome) return false;
  const auto completes = [&](const auto& r) {
    if (r.call != call.call) return false;
    switch (r.type) {
      case EventType::recv:
      case EventType::irecv:
      case EventType::probe:
      case EventType::isend_complete:
      case EventType::request_cancelled:
      case EventType::collective_end:
      case EventType::nonblocking_collective_complete:
      case EventType::rma_collective_end:
      case EventType::rma_acquire_lock:
        return true;
      default:
        return false;
    }
  };
  const Chunk& chunk = *context_.chunk;
  return std::any_of(chunk.records.begin(), chunk.records.end(), completes) ||
         std::any_of(chunk.rma_records.begin(), chunk.rma_records.end(), completes);
}

void LocationReplay::leave_all_regions() {
  while (!stack_.activity.stack.empty()) {
    stack_.report(DiagnosticId::region_never_left);
    leave_region();
  }
}

std::uint32_t LocationReplay::exit_out_of_order(RegionId region) {
  const Activity& a = stack_.activity;
  if (a.stack.empty() && a.in_task()) {
    const std::uint32_t left = tasks_.exit_outside_segment(region);
    if (work_.is_on()) work_.exit_outside_segment();
    return left;
  }
  const std::optional<std::size_t> place = exits_.ended(region);
  if (!place) {
    is_enter_expected_ = is_enter_expected_ || exits_.awaits_enter();
    return stack_.child_of(a.base, region.value);
  }
  if (context_.definitions[context_.location].type == LocationType::accelerator_stream) return end_overlapped(*place);
  while (a.stack.size() > *place + 1) {
    exits_.leave_inside(*place);
    leave_region();
  }
  const std::uint32_t callpath = a.current;
  leave_region();
  return callpath;
}

// Kernels of one stream may run at the same time: those that were entered later go on, beside the one that ends.
std::uint32_t LocationReplay::end_overlapped(std::size_t place) {
  const std::vector<Frame>& stack = stack_.activity.stack;
  std::vector<std::uint64_t> go_on;
  for (std::size_t i = place + 1; i < stack.size(); ++i) go_on.push_back(stack_.tree().frame(stack[i].callpath));
  while (stack.size() > place + 1) leave_region();
  const std::uint32_t callpath = stack_.activity.current;
  leave_region();
  for (const std::uint64_t frame : go_on) {
    enter_region(frame);
    --profiles_[stack_.activity.current].visits;
  }
  return callpath;
}

RegionId LocationReplay::region_of_context(std::uint64_t calling_context) const {
  const auto& contexts = context_.definitions.calling_contexts;
  return calling_context < contexts.size() ? contexts[calling_context].region : RegionId::none();
}

// --- records of messages, collectives, files and locks ---------------------------------------------------------------

// The record is outside of MPI calls: this recorder writes no MPI regions.
CommRecord& LocationReplay::add_record(EventType type) {
  std::uint32_t call = calls_.call_of_record(false);
  if (call == Frame::no_call) {
    stack_.report(DiagnosticId::record_outside_call);
    call = calls_.call_without_region();
  }
  Chunk& chunk = *context_.chunk;
  ++chunk.calls[call].records;
  CommRecord& r = chunk.records.emplace_back();
  r.time = profiles_.now();
  r.call = call;
  r.type = type;
  return r;
}

void LocationReplay::message_record(EventType type, const std::uint64_t* a) {
  CommRecord& r = add_record(type);
  r.peer = LocationId{a[0]};
  mark_as_matched(r);
  if (!r.peer.valid() && !r.matched) stack_.report(DiagnosticId::peer_unknown);
  r.tag = static_cast<std::uint32_t>(a[1]);
  r.comm = CommId{a[2]};
  if (type == EventType::probe) {
    r.matched = true;
    r.received = a[3];
    return;
  }
  r.bytes = a[3];
  if (type == EventType::isend || type == EventType::irecv) r.request = a[4];
  if (type == EventType::send || type == EventType::isend) {
    const CallRecord& call = context_.chunk->calls[r.call];
    if (Profile* profile = profiles_.counted(call.callpath, call.enter)) {
      ++(r.bytes == 0 ? profile->empty_sends : profile->sends);
      add_bytes(profile->bytes_sent, r.bytes);
    }
  }
}

void LocationReplay::mark_as_matched(CommRecord& r) const {
  if (r.type == EventType::probe || message_ == MatchedReceives::no_message) return;
  r.matched = true;
  r.received = message_;
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
    r.request = a[5];  // counted in the call that started it, by linking
    return;
  }
  if (kind(static_cast<CollectiveOp>(r.tag)) == CollectiveKind::other) return;
  const CallRecord& call = context_.chunk->calls[r.call];
  if (Profile* profile = profiles_.counted(call.callpath, call.enter)) {
    ++profile->collectives[(r.bytes > 0 ? 1 : 0) + (r.received > 0 ? 2 : 0)];
    add_bytes(profile->collective_bytes_sent, r.bytes);
    add_bytes(profile->collective_bytes_received, r.received);
  }
}

// An operation on a file that was opened with MPI.
void LocationReplay::file_record(IoHandleId handle, std::uint64_t bytes) {
  const auto& handles = context_.definitions.io_handles;
  if (!mpi_io_.valid() || handle.index() >= handles.size() || handles[handle.index()].paradigm != mpi_io_) return;
  if (bytes == ~std::uint64_t{0}) return stack_.report(DiagnosticId::file_bytes_unknown);
  const std::vector<Frame>& stack = stack_.activity.stack;
  const Time entered = stack.empty() ? profiles_.now() : stack.back().enter;
  if (entered < context_.options.from || entered >= context_.options.to) return;
  add_bytes(profiles_.counted(stack_.callpath_of_record()).file_bytes, bytes);
}

void LocationReplay::lock_record(EventType type, const std::uint64_t* a) {
  const bool acquires = type == EventType::thread_acquire_lock || type == EventType::omp_acquire_lock;
  const TeamRecord::Kind kind = acquires ? TeamRecord::Kind::acquire : TeamRecord::Kind::release;
  if (type == EventType::omp_acquire_lock || type == EventType::omp_release_lock)
    calls_.lock(kind, Paradigm::openmp, a[0], a[1]);
  else
    calls_.lock(kind, static_cast<Paradigm>(a[0]), a[1], a[2]);
}

// --- all other types of events ---------------------------------------------------------------------------------------

void LocationReplay::note_command(StringId program, std::span<const Value> arguments) {
  constexpr std::size_t most = 1000;  // more are no command that anybody reads
  if (!command_.empty()) return;
  command_.push_back(program);
  for (const Value& v : arguments.first(std::min(arguments.size(), most))) command_.push_back(StringId{v.bits});
}

void LocationReplay::event(EventType type, Time t, const std::uint64_t* a, std::span<const Value> tail) {
  if (is_derived(type)) return;  // a printed trace has these; they are derived anew if asked for
  if (MatchedReceives::concerns(type)) [[unlikely]] {
    const MatchedReceives::Receive r = matched_receives_.receive(type, a);
    message_ = r.message;
    event(r.type, t, r.attributes.data(), {});
    message_ = MatchedReceives::no_message;
    return;
  }
  count(type, t);
  if (steps_.is_on() && type != EventType::metric) steps_.begin();
  std::uint32_t callpath = 0;  // call path that is entered or left
  bool linked = false;         // it has a CommRecord
  // Records are added before the event is kept, whose number is then that of events so far.
  switch (type) {
    case EventType::send:
    case EventType::isend:
    case EventType::recv:
    case EventType::irecv:
      message_record(type, a);
      linked = true;
      break;
    case EventType::probe:
      matched_receives_.found(a);
      message_record(type, a);
      linked = true;
      break;
    case EventType::irecv_request: {
      CommRecord& r = add_record(type);
      r.request = a[0];
      mark_as_matched(r);
      linked = true;
      break;
    }
    case EventType::isend_complete:
    case EventType::request_cancelled:
    case EventType::request_test:
      add_record(type).request = a[0];
      linked = true;
      break;
    case EventType::collective_begin:
    case EventType::collective_end:
    case EventType::nonblocking_collective_request:
    case EventType::nonblocking_collective_complete:
      collective_record(type, a);
      linked = true;
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
      if (const RmaRecord* r = one_sided_.record(type, a)) {
        devices_.copy(*r);
        if (steps_.is_on()) steps_.record(*r);
      }
      if (work_.is_on() && type == EventType::rma_release_lock) work_.release();
      break;
    case EventType::metric:
      counters_.record(MetricId{a[0]}, tail);
      break;
    case EventType::io_operation_complete:
      file_record(IoHandleId{a[0]}, a[1]);
      break;
    case EventType::thread_fork:
      teams_.fork(static_cast<std::uint32_t>(a[1]));
      if (work_.is_on()) work_.fork();
      break;
    case EventType::omp_fork:
      teams_.fork(static_cast<std::uint32_t>(a[0]));
      break;
    case EventType::thread_join:
    case EventType::omp_join:
      give_up_tasks([&] { return stack_.activity.forks.empty(); });
      teams_.join();
      if (work_.is_on() && type == EventType::thread_join) work_.join();
      break;
    case EventType::thread_team_begin:
      teams_.begin_part(CommId{a[0]});
      if (work_.is_on()) work_.begin_part(CommId{a[0]});
      break;
    case EventType::thread_team_end:
      give_up_tasks([&] { return stack_.activity.teams.empty(); });
      teams_.end_part();
      break;
    case EventType::thread_acquire_lock:
    case EventType::thread_release_lock:
    case EventType::omp_acquire_lock:
    case EventType::omp_release_lock:
      lock_record(type, a);
      if (work_.is_on() && (type == EventType::thread_release_lock || type == EventType::omp_release_lock))
        work_.release();
      break;
    case EventType::thread_task_create:
      if (work_.is_on()) work_.create_task();
      [[fallthrough]];
    case EventType::thread_task_switch:
    case EventType::thread_task_complete:
      if (work_.is_on()) work_.before_switch();
      tasks_.task_record(type, CommId{a[0]}, a[1] << 32 | (a[2] & 0xffffffffu), a[2] == 0);
      if (work_.is_on()) work_.after_switch();
      break;
    case EventType::omp_task_create:
      if (work_.is_on()) work_.give_up();
      [[fallthrough]];
    case EventType::omp_task_switch:
    case EventType::omp_task_complete:
      tasks_.task_record(type, CommId::none(), a[0], a[0] == 0);
      break;
    case EventType::thread_create:
    case EventType::thread_begin:
    case EventType::thread_end:
      tasks_.thread_record(type, CommId{a[0]}, a[1]);
      break;
    case EventType::measurement_on_off:
      if (static_cast<MeasurementMode>(a[0]) == MeasurementMode::off)
        measurement_.off();
      else
        measurement_.on();
      break;
    case EventType::program_begin:
      note_command(StringId{a[0]}, tail);
      enter_region(LocalCallTree::program_frame(StringId{a[0]}));
      callpath = stack_.activity.current;
      if (steps_.is_on()) steps_.leave_mpi();
      break;
    case EventType::program_end:
      // The program is left whatever is still open in it.
      give_up_tasks([] { return true; });
      while (stack_.activity.stack.size() > 1 && !stack_.top_is_program()) {
        stack_.report(DiagnosticId::region_never_left);
        leave_region();
      }
      if (stack_.top_is_program()) {
        callpath = stack_.activity.current;
        leave_region();
      }
      if (steps_.is_on()) steps_.leave_mpi();
      break;
    case EventType::calling_context_sample:
      stack_.report(DiagnosticId::sample_ignored);
      break;
    case EventType::calling_context_enter:
      enter_region(region_of_context(a[0]).value);
      callpath = stack_.activity.current;
      if (steps_.is_on()) steps_.enter(callpath);
      break;
    case EventType::calling_context_exit:
      if (const RegionId region = region_of_context(a[0]); stack_.top_is(region)) {
        callpath = stack_.activity.current;
        leave_region();
      } else if (!stack_.activity.stack.empty()) {
        callpath = exit_out_of_order(region);
      } else if (stack_.activity.in_task()) {
        callpath = tasks_.exit_outside_segment(RegionId::none());
      }
      break;
    default:
      break;
  }
  exits_.forget();
  if (steps_.is_on() && linked) steps_.record(context_.chunk->records.back());
  if (steps_.is_on() && type == EventType::calling_context_exit && callpath != 0) steps_.exit(callpath);
  if ((type == EventType::program_end || type == EventType::calling_context_exit) && callpath != 0)
    counters_.left(callpath);
  if (context_.options.keep_events) rows_.add(context_.chunk->events, type, t, a, tail, callpath, linked);
}

}  // namespace waitstate::replay
