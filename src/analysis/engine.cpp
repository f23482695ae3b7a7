#include "analysis/engine.hpp"

#include <algorithm>
#include <new>

#include "analysis/engine_dispatch.hpp"
#include "analysis/metrics/add_metric.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

Engine::Engine(std::vector<PatternHandle> patterns, const Definitions& definitions, const CallTree& call_tree,
               MetricTree& metrics, FocusFilter& focus)
    : patterns_(std::move(patterns)),
      definitions_(definitions),
      call_tree_(call_tree),
      metrics_(metrics),
      focus_(focus),
      books_(0),
      counters_(definitions),
      overtaking_(definitions),
      subscribers_(patterns_.size()) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const PatternInfo info = patterns_[i].pattern->info();
    ids_.push_back(info.metrics.front().id);
    std::vector<MetricIndex> own;
    for (const MetricSpec& m : info.metrics) own.push_back(add_metric(metrics, m));
    contexts_.push_back(std::make_unique<PatternContext>(*this, i, std::move(own)));
    const unsigned wants = patterns_[i].interests;
    interests_ |= wants;
    if ((wants & interest_completed_sends) != 0 && !info.late_receives_only) late_receives_only_ = false;
    const std::pair<unsigned, std::vector<std::size_t>*> lists[] = {
        {interest_completed_receives, &receives_},
        {interest_completed_sends, &sends_},
        {interest_collective, &collectives_},
        {interest_completed_collectives, &completed_collectives_},
        {interest_enter, &enter_},
        {interest_exit, &exit_},
        {interest_send, &send_},
        {interest_recv, &recv_},
        {interest_event, &event_},
        {interest_team_barrier, &team_barriers_},
        {interest_lock_acquired, &locks_},
        {interest_task_idle, &task_idle_},
        {interest_metric, &metric_},
        {interest_device_wait, &device_waits_},
        {interest_unused_threads, &unused_threads_},
        {interest_rma_operation, &rma_operations_},
        {interest_rma_collective, &rma_collectives_},
        {interest_rma_access_epoch, &rma_access_epochs_},
        {interest_rma_exposure_epoch, &rma_exposure_epochs_},
        {interest_rma_lock_epoch, &rma_lock_epochs_},
        {interest_rma_passive_call, &rma_passive_calls_},
        {interest_rma_wait_change, &rma_wait_changes_}};
    for (const auto& [interest, list] : lists)
      if ((wants & interest) != 0) list->push_back(i);
    if ((wants & interest_event) != 0 && (wants & interest_metric) == 0) metric_or_event_.push_back(i);
    for (const std::string& needed : info.needs) {
      const auto found = std::find(ids_.begin(), ids_.end() - 1, needed);
      if (found == ids_.end() - 1)
        throw UsageError("pattern '" + ids_.back() + "' needs '" + needed + "', which does not run before it");
      if ((wants & interest_published) != 0) subscribers_[static_cast<std::size_t>(found - ids_.begin())].push_back(i);
    }
  }
  severities_ = std::make_unique<Severities>(metrics.size());
  books_ = WaitRecorder(metrics.size());
  for (int c = 0; c < region_class_count; ++c)
    metric_of_class_.push_back(metrics.at(name(static_cast<RegionClass>(c))));
  visits_ = metrics.at("visits");
  messages_sent_ = metrics.at("comms_send");
  empty_sends_ = metrics.at("syncs_send");
  bytes_sent_ = metrics.at("bytes_sent");
  rma_counts_[static_cast<int>(RmaOperationKind::put)] = metrics.at("comms_rma_puts");
  rma_counts_[static_cast<int>(RmaOperationKind::get)] = metrics.at("comms_rma_gets");
  rma_counts_[static_cast<int>(RmaOperationKind::atomic)] = metrics.at("comms_rma_atomics");
  bytes_put_ = metrics.at("bytes_put");
  bytes_get_ = metrics.at("bytes_get");
  syncs_active_ = metrics.at("syncs_rma_active");
  syncs_passive_ = metrics.at("syncs_rma_passive");
  file_ops_ = metrics.at("mpi_file_ops");
  file_bytes_ = metrics.at("mpi_file_bytes");
  management_ = metrics.at("omp_management");
  fork_ = metrics.at("omp_fork");
  collective_counts_[0] = metrics.at("syncs_coll");
  collective_counts_[1] = metrics.at("comms_csrc");
  collective_counts_[2] = metrics.at("comms_cdst");
  collective_counts_[3] = metrics.at("comms_cxch");
  collective_bytes_out_ = metrics.at("bytes_cout");
  collective_bytes_in_ = metrics.at("bytes_cin");
}

Engine::~Engine() = default;

void Engine::fail(std::size_t i, const char* callback, const std::string& place) const {
  const std::string who = "pattern '" + ids_[i] + "' failed in " + callback + place + ": ";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;  // most memory that patterns ask for is that of severities and books: it is not theirs that there is no more
  } catch (const std::exception& e) {
    throw NamedFailure(who + e.what());
  } catch (...) {
    throw NamedFailure(who + "an exception of an unknown type");
  }
}

std::string Engine::place(LocationId l, Time t) const {
  return " on location " + std::to_string(l.value) + " (" + definitions_[l].name + ") at time " + std::to_string(t);
}

void Engine::init() {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const Parameters& p = patterns_[i].parameters;
    one(
        i, "configure", [&](Pattern& pattern, Context&) { pattern.configure(p); }, [] { return std::string(); });
    one(
        i, "init", [](Pattern& pattern, Context& c) { pattern.init(c); }, [] { return std::string(); });
  }
}

void Engine::wrapup() {
  in_wrapup_ = true;
  for (std::size_t i = 0; i < patterns_.size(); ++i)
    one(
        i, "wrapup", [](Pattern& pattern, Context& c) { pattern.wrapup(c); }, [] { return std::string(); });
}

Severities Engine::take_severities() {
  if (focus_.has_all_locations()) return std::move(*severities_);
  Severities chosen(severities_->metric_count());
  for (std::size_t m = 0; m < chosen.metric_count(); ++m)
    severities_->for_each(static_cast<MetricIndex>(m), [&](CallPathId callpath, LocationId l, std::int64_t value) {
      if (focus_.has_location(l)) chosen.add(static_cast<MetricIndex>(m), callpath, l, value);
    });
  return chosen;
}

link::Listener::MessageInterests Engine::message_interests() const {
  const bool overtaken = (interests_ & interest_overtaken) != 0;
  return {overtaken || !receives_.empty(), !sends_.empty(), late_receives_only_, overtaken};
}

void Engine::completed_receives(const CompletedReceives& r, std::uint32_t call, bool sends_follow) {
  if ((interests_ & interest_overtaken) != 0)
    for (const Message& m : r.messages)
      overtaking_.received(m, [&](const Overtaken& o, std::uint32_t watcher) { overtaken(o, watcher); });
  receive_wait_ = 0;
  each(
      receives_, "completed_receives_callback", [&](Pattern& p, Context& c) { p.completed_receives_callback(r, c); },
      [&] { return place(r.call.location, r.call.exit); });
  if (sends_follow && receive_wait_ != 0 && !sends_.empty()) receive_waits_.find_or_insert({call}) = receive_wait_;
}

void Engine::completed_sends(const CompletedSends& sends, std::uint32_t call) {
  Ticks receive_wait = 0;
  if (receive_waits_.size() != 0)
    if (Ticks* const found = receive_waits_.find({call})) {
      receive_wait = *found;
      receive_waits_.erase(*found);
    }
  if (sends.messages.empty()) return;
  const CompletedSends s{sends.call, sends.messages, receive_wait};
  each(
      sends_, "completed_sends_callback", [&](Pattern& p, Context& c) { p.completed_sends_callback(s, c); },
      [&] { return place(s.call.location, s.call.exit); });
}

void Engine::overtaken(const Overtaken& o, std::uint32_t watcher) {
  one(
      watcher, "overtaken_callback", [&](Pattern& p, Context& c) { p.overtaken_callback(o, c); },
      [&] { return place(o.wait.location, o.wait.exit); });
}

void Engine::open_operation(std::size_t members) {
  operation_members_ = members;
  books_.open(members);
}

void Engine::close_operation() {
  operation_members_ = 0;
  books_.close();
}

void Engine::collective(const Collective& collective) {
  if (collectives_.empty()) return;
  open_operation(collective.members.size());
  each(
      collectives_, "collective_callback", [&](Pattern& p, Context& c) { p.collective_callback(collective, c); },
      [&] { return place(collective.members.front().call->location, collective.members.front().begin); });
  close_operation();
}

void Engine::completed_collectives(const CompletedCollectives& completed) {
  each(
      completed_collectives_, "completed_collectives_callback",
      [&](Pattern& p, Context& c) { p.completed_collectives_callback(completed, c); },
      [&] { return place(completed.call.location, completed.call.exit); });
}

void Engine::nonblocking_collective(const Call& started, CollectiveOp, std::uint64_t bytes_sent,
                                    std::uint64_t bytes_received) {
  if (!focus_.has(started.enter)) return;
  const auto book = [&](MetricIndex m, std::uint64_t value) {
    if (value != 0) add(m, started.callpath, started.location, static_cast<std::int64_t>(value));
  };
  book(collective_counts_[(bytes_sent > 0 ? 1 : 0) + (bytes_received > 0 ? 2 : 0)], 1);
  book(collective_bytes_out_, bytes_sent);
  book(collective_bytes_in_, bytes_received);
}

void Engine::team_barrier(const TeamBarrier& barrier) {
  if (team_barriers_.empty()) return;
  open_operation(barrier.members.size());
  each(
      team_barriers_, "team_barrier_callback", [&](Pattern& p, Context& c) { p.team_barrier_callback(barrier, c); },
      [&] { return place(barrier.members.front()->location, barrier.members.front()->enter); });
  close_operation();
}

void Engine::lock_acquired(const LockAcquired& acquired) {
  each(
      locks_, "lock_acquired_callback", [&](Pattern& p, Context& c) { p.lock_acquired_callback(acquired, c); },
      [&] { return place(acquired.call.location, acquired.call.exit); });
}

void Engine::task_idle(const TaskIdle& idle) {
  each(
      task_idle_, "task_idle_callback", [&](Pattern& p, Context& c) { p.task_idle_callback(idle, c); },
      [&] { return place(idle.call.location, idle.call.exit); });
}

void Engine::device_wait(const DeviceWait& wait) {
  each(
      device_waits_, "device_wait_callback", [&](Pattern& p, Context& c) { p.device_wait_callback(wait, c); },
      [&] { return place(wait.call.location, wait.call.exit); });
}

void Engine::unused_threads(const UnusedThreads& unused) {
  if (unused_threads_.empty()) return;
  open_operation(WaitSummary::most_told_apart);
  each(
      unused_threads_, "unused_threads_callback", [&](Pattern& p, Context& c) { p.unused_threads_callback(unused, c); },
      [&] { return place(unused.master, unused.begin); });
  close_operation();
}

void Engine::parallel_region(const link::ParallelRegion& r) {
  const Ticks fork = focus_.duration(r.fork, r.enter), join = focus_.duration(r.exit, r.join);
  const Ticks both = add_ticks(fork, static_cast<std::uint64_t>(join));
  if (both != 0) add(management_, r.callpath, r.location, both);
  if (fork != 0) add(fork_, r.callpath, r.location, fork);
}

// What a single location knows of a call path: time by class of region, visits, messages sent, collectives.
void Engine::profile(LocationId location, CallPathId callpath, const replay::Profile& p) {
  if (!focus_.has_callpath(callpath)) return;
  const RegionId region = call_tree_[callpath].region;
  RegionClass c = region.valid() ? definitions_[region].region_class : RegionClass::comp;
  if (c == RegionClass::omp_ebarrier ||
      c == RegionClass::omp_ibarrier) {  // the wait in a barrier that has its own region
    const CallPathId caller = call_tree_[callpath].parent;
    const RegionId outer = caller.valid() ? call_tree_[caller].region : RegionId::none();
    if (outer.valid() && definitions_[outer].region_class == RegionClass::omp_ebarrier) c = RegionClass::omp_ebarrier;
    if (outer.valid() && definitions_[outer].region_class == RegionClass::omp_ibarrier) c = RegionClass::omp_ibarrier;
  }
  const auto book = [&](MetricIndex m, std::uint64_t value) {
    if (value != 0) severities_->add(m, callpath, location, static_cast<std::int64_t>(value));
  };
  book(metric_of_class_[static_cast<std::size_t>(c)], static_cast<std::uint64_t>(p.time));
  book(management_, static_cast<std::uint64_t>(add_ticks(p.fork, static_cast<std::uint64_t>(p.join))));
  book(fork_, static_cast<std::uint64_t>(p.fork));
  book(visits_, p.visits);
  if (c == RegionClass::mpi_rma_sync_active) book(syncs_active_, p.visits);
  if (c == RegionClass::mpi_rma_sync_passive) book(syncs_passive_, p.visits);
  if (c == RegionClass::mpi_io_individual || c == RegionClass::mpi_io_collective) book(file_ops_, p.visits);
  book(file_bytes_, p.file_bytes);
  book(messages_sent_, p.sends);
  book(empty_sends_, p.empty_sends);
  book(bytes_sent_, p.bytes_sent);
  for (int k = 0; k < 4; ++k) book(collective_counts_[k], p.collectives[k]);
  book(collective_bytes_out_, p.collective_bytes_sent);
  book(collective_bytes_in_, p.collective_bytes_received);
}

void Engine::counter(CallPathId callpath, const replay::PathCounter& c) {
  if (focus_.has(callpath, c.location)) counters_.add(callpath, c);
}

void Engine::publish(std::size_t pattern, const std::type_info& type, const void* data) {
  const Published published{ids_[pattern], type, data};
  each(
      subscribers_[pattern], "published_callback", [&](Pattern& p, Context& c) { p.published_callback(published, c); },
      [&] { return " of what '" + ids_[pattern] + "' published"; });
}

void Engine::event(Position pos, EventType type) {
  const std::vector<std::size_t>* list = &event_;
  EventCallback callback = &Pattern::event_callback;
  const char* called = "event_callback";
  switch (type) {
    case EventType::enter:
      list = &enter_, callback = &Pattern::enter_callback, called = "enter_callback";
      break;
    case EventType::exit:
      list = &exit_, callback = &Pattern::exit_callback, called = "exit_callback";
      break;
    case EventType::send:
    case EventType::isend:
      list = &send_, callback = &Pattern::send_callback, called = "send_callback";
      break;
    case EventType::recv:
    case EventType::irecv:
      list = &recv_, callback = &Pattern::recv_callback, called = "recv_callback";
      break;
    case EventType::metric:
      give_event(pos, metric_, &Pattern::metric_callback, "metric_callback");
      list = &metric_or_event_;
      break;
    default:
      break;
  }
  give_event(pos, *list, callback, called);
}

void Engine::give_event(Position pos, const std::vector<std::size_t>& patterns, EventCallback callback,
                        const char* called) {
  if (patterns.empty()) return;
  const Event e = store_->event(pos);
  event_time_ = e.time;
  in_event_ = true;
  each(
      patterns, called, [&](Pattern& p, Context& c) { (p.*callback)(e, c); },
      [&] { return " at event " + std::to_string(pos) + place(e.loc, e.time); });
  in_event_ = false;
}

}  // namespace waitstate::analysis
