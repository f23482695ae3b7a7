#include "report/undetermined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

bool receives(const Region& region) {
  const MpiFunction f = region.mpi_function;
  return f == MpiFunction::recv || f == MpiFunction::mrecv || f == MpiFunction::irecv || f == MpiFunction::imrecv ||
         f == MpiFunction::sendrecv || f == MpiFunction::sendrecv_replace || f == MpiFunction::isendrecv ||
         f == MpiFunction::isendrecv_replace;
}
bool sends(const Region& region) {
  return region.mpi_function >= MpiFunction::send && region.mpi_function <= MpiFunction::isendrecv_replace;
}

bool waits_for_receiver(const Region& region) {
  const MpiFunction f = region.mpi_function;
  return f == MpiFunction::send || f == MpiFunction::ssend || f == MpiFunction::isend || f == MpiFunction::issend;
}

/// Name of the first region that was called and of which `is` is true, "" if there is none: the first as regions are
/// defined, for in which order call paths were met depends on threads and chunks.
template <class Is>
std::string called(const AnalysisResult& result, const Is& is) {
  RegionId first;
  for (std::size_t i = 0; i < result.call_tree.size(); ++i) {
    const RegionId region = result.call_tree[CallPathId{i}].region;
    if (region.valid() && (!first.valid() || region < first) && is(result.definitions[region])) first = region;
  }
  return first.valid() ? printable(result.definitions[first].name) : "";
}

/// Functions that were entered and below which none of what `counts` count is charged: other calls may have records,
/// those of these functions have none.
class WithoutRecords {
 public:
  WithoutRecords(const AnalysisResult& result, std::initializer_list<const char*> counts)
      : result_(result), entered_(result.call_tree.size()) {
    std::vector<bool> counted(entered_.size());
    bool known = mark("visits", entered_);
    for (const char* id : counts) known = mark(id, counted) && known;
    if (!known) entered_.assign(entered_.size(), false);
    for (std::size_t i = counted.size(); i-- > 0;) {  // a parent has a smaller id
      if (!counted[i]) continue;
      const CallPath& path = result.call_tree[CallPathId{i}];
      if (path.parent.valid()) counted[path.parent.index()] = true;
      // Some recorders define a function once for each process: it is told by its name.
      if (path.region.valid()) recorded_.insert(result.definitions[path.region].name);
    }
  }

  /// Name of the first of them, as above, of which `is` is true.
  template <class Is>
  std::string called(const Is& is) const {
    RegionId first;
    for (std::size_t i = 0; i < entered_.size(); ++i) {
      const RegionId region = result_.call_tree[CallPathId{i}].region;
      if (region.valid() && entered_[i] && (!first.valid() || region < first) && is(result_.definitions[region]) &&
          !recorded_.contains(result_.definitions[region].name))
        first = region;
    }
    return first.valid() ? printable(result_.definitions[first].name) : "";
  }

 private:
  /// False if the metric was not analysed.
  bool mark(const char* id, std::vector<bool>& marks) const {
    const MetricIndex metric = result_.metrics.find(id);
    if (metric == no_metric) return false;
    result_.severities.for_each(metric, [&](CallPathId path, LocationId, std::int64_t) { marks[path.index()] = true; });
    return true;
  }

  const AnalysisResult& result_;
  std::vector<bool> entered_;
  std::set<std::string_view> recorded_;
};

/// How functions are told that can have certain wait states: a name that contains one of `has` and none of `has_not`.
struct NamesWith {
  std::vector<std::string_view> has, has_not;

  bool operator()(const Region& region) const {
    std::string name = region.name;
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto contains = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    return std::any_of(has.begin(), has.end(), contains) && std::none_of(has_not.begin(), has_not.end(), contains);
  }
};

/// The wait states of one kind of collective operation, and the functions that can have them.
struct CollectiveWaits {
  std::vector<const char*> metrics;
  NamesWith names;

  bool has_function(const Region& region) const {
    return (region.region_class == RegionClass::mpi_collective ||
            region.region_class == RegionClass::mpi_sync_collective) &&
           names(region);
  }
};

std::vector<CollectiveWaits> collective_waits() {
  return {{{"mpi_barrier_wait", "mpi_barrier_completion"}, {{"barrier"}, {}}},
          {{"mpi_wait_nxn", "mpi_nxn_completion"}, {{"allreduce", "allgather", "alltoall", "reduce_scatter"}, {}}},
          {{"mpi_latebroadcast"}, {{"bcast", "scatter"}, {"reduce_scatter"}}},
          {{"mpi_earlyreduce"}, {{"reduce", "gather"}, {"allreduce", "reduce_scatter", "reduce_local", "allgather"}}},
          {{"mpi_earlyscan"}, {{"scan"}, {}}}};
}

/// The wait state at a kind of lock, and which functions of that class wait for one; there is none at an atomic update.
struct LockWaits {
  RegionClass region_class;
  const char* metric;
  NamesWith names;
};

std::vector<LockWaits> lock_waits() {
  using enum RegionClass;
  return {{omp_critical, "omp_lock_contention_critical", {{""}, {"atomic"}}},
          {omp_lock_api, "omp_lock_contention_api", {{"set_"}, {"unset_"}}},
          {pthread_lock_api,
           "pthread_lock_contention_mutex_lock",
           {{"_lock", "timedlock", "clocklock", "rdlock", "wrlock"}, {"_try"}}},
          {pthread_conditional, "pthread_lock_contention_conditional", {{"wait"}, {}}}};
}

/// The one-sided wait states that a function of that class can have.
struct OneSidedWaits {
  RegionClass region_class;
  std::vector<const char*> metrics;
  NamesWith names{{""}, {}};
};

std::vector<OneSidedWaits> one_sided_waits() {
  using enum RegionClass;
  return {{mpi_mgmt_win, {"mpi_rma_wait_at_create"}, {{"create", "allocate"}, {"keyval", "errhandler"}}},
          {mpi_mgmt_win, {"mpi_rma_wait_at_free"}, {{"free"}, {"keyval"}}},
          {mpi_rma_sync_active, {"mpi_rma_wait_at_fence", "mpi_rma_sync_late_post", "mpi_rma_early_wait"}},
          {mpi_rma_sync_passive, {"mpi_rma_sync_lock_competition", "mpi_rma_sync_wait_for_progress"}},
          {mpi_rma_communication,
           {"mpi_rma_comm_late_post", "mpi_rma_comm_lock_competition", "mpi_rma_comm_wait_for_progress"}},
          {shmem_sync_collective, {"shmem_barrier_wait"}},
          {shmem_collective, {"shmem_latebroadcast", "shmem_wait_nxn"}},
          {shmem_point2point_synchronization, {"shmem_lock_completion", "shmem_wait_until"}}};
}

bool starts_nonblocking(const Region& region) {
  const std::string_view name = region.name;
  return name.size() > 5 && (name[4] == 'I' || name[4] == 'i');  // MPI_I…, mpi_i…
}

/// What the report says, which was judged when the events were at hand.
std::vector<Unanswered> kept(const AnalysisResult& result) {
  std::vector<Unanswered> all;
  for (const auto& [key, value] : result.definitions.recorder.properties) {
    if (!key.starts_with(unanswered_key)) continue;
    const auto colon = value.find(": ");
    if (colon == std::string::npos) continue;
    const MetricIndex metric = result.metrics.find(std::string_view(value).substr(0, colon));
    if (metric != no_metric) all.push_back({metric, printable(std::string_view(value).substr(colon + 2))});
  }
  return all;
}

bool lies_within(const MetricTree& tree, MetricIndex metric, MetricIndex above) {
  while (metric != no_metric && metric != above) metric = tree[metric].parent;
  return metric == above;
}

}  // namespace

std::vector<Unanswered> unanswered(const AnalysisResult& result) {
  const auto events = [&](EventType type) {
    return static_cast<std::int64_t>(result.events_by_type[static_cast<std::size_t>(type)]);
  };
  const auto damage = [&](DiagnosticId id) { return static_cast<std::int64_t>(result.diagnostics[id].count); };
  const auto of = [](std::int64_t part, std::int64_t whole, const char* what) {
    return fmt::format("{} of {}", grouped(part),
                       count(whole, fmt::format("{}", what).c_str(), fmt::format("{}s", what).c_str()));
  };
  std::vector<Unanswered> all;
  const auto add = [&](const char* id, std::string sentence) {
    if (const MetricIndex metric = result.metrics.find(id); metric != no_metric)
      all.push_back({metric, std::move(sentence)});
  };

  // Nothing at all is known in full then, neither of these locations nor of those that had to do with them.
  const std::int64_t unread = damage(DiagnosticId::location_unreadable), cut = damage(DiagnosticId::location_truncated);
  if (unread + cut > 0) {
    const auto locations = static_cast<std::int64_t>(result.definitions.locations.size());
    const std::string sentence = of(unread + cut, locations, "location") +
                                 " could not be read, or not to the end: what happened there is not known";
    for (MetricIndex m = 0; m < result.metrics.size(); ++m)
      if (result.metrics[m].parent == no_metric) all.push_back({m, sentence});
  }
  for (const MetricIndex m : too_large(result.metrics, result.severities))
    all.push_back({m, "time stamps or sizes are damaged: the values are too large for 64 bits and mean nothing"});
  if (result.events() == 0) {  // a report that does not say what the events were may have kept what they could not tell
    const std::vector<Unanswered> told = kept(result);
    all.insert(all.end(), told.begin(), told.end());
    return all;
  }

  // Of which kind the requests are that were cancelled is not known here: what is left of all may be of any.
  const std::int64_t posted = events(EventType::irecv_request), started = events(EventType::isend),
                     begun = events(EventType::nonblocking_collective_request);
  const auto left = [](std::int64_t requests, std::int64_t completed) {
    return std::max<std::int64_t>(requests - completed, 0);
  };
  const std::int64_t without_completion[] = {left(posted, events(EventType::irecv)),
                                             left(started, events(EventType::isend_complete)),
                                             left(begun, events(EventType::nonblocking_collective_complete))};
  const std::int64_t open_requests =
      without_completion[0] + without_completion[1] + without_completion[2] - events(EventType::request_cancelled);
  const std::int64_t open_receives = std::min(without_completion[0], open_requests);
  const std::int64_t receive_records = events(EventType::recv) + events(EventType::irecv);
  if (open_receives > 0)
    add("mpi_latesender", of(open_receives, posted, "non-blocking receive") +
                              " never complete in the trace: how long they waited is not known");
  if (const std::int64_t n = damage(DiagnosticId::recv_unmatched); n > 0)
    add("mpi_latesender",
        of(n, receive_records, "receive") + " have no send in the trace: whether their sender was late is not known");
  if (receive_records == 0 && posted == 0) {
    if (const std::string name = called(result, receives); !name.empty())
      add("mpi_latesender", name + " is called, but the trace has no record of a receive");
  } else if (damage(DiagnosticId::recv_unmatched) + damage(DiagnosticId::peer_unknown) == 0) {
    const auto in_the_call = [](const Region& r) { return receives(r) && !starts_nonblocking(r); };
    const std::string name = WithoutRecords(result, {"comms_recv", "syncs_recv"}).called(in_the_call);
    if (!name.empty()) add("mpi_latesender", name + " is called, but no call of it has a record of a receive");
  }

  const std::int64_t open_sends = std::min(without_completion[1], open_requests);
  const std::int64_t send_records = events(EventType::send) + started;
  if (open_sends > 0)
    add("mpi_latereceiver", of(open_sends, started, "non-blocking send") +
                                " never complete in the trace: how long they waited is not known");
  if (const std::int64_t n = damage(DiagnosticId::send_unmatched); n > 0)
    add("mpi_latereceiver",
        of(n, send_records, "send") + " have no receive in the trace: whether their receiver was late is not known");
  if (const std::int64_t n = events(EventType::irecv) - posted; n > 0)
    add("mpi_latereceiver", of(n, events(EventType::irecv), "non-blocking receive") +
                                " have no record of where they were posted: whether they were late is not known");
  if (send_records == 0) {
    if (const std::string name = called(result, sends); !name.empty())
      add("mpi_latereceiver", name + " is called, but the trace has no record of a send");
  } else {
    const std::string name = WithoutRecords(result, {"comms_send", "syncs_send"}).called(waits_for_receiver);
    if (!name.empty()) add("mpi_latereceiver", name + " is called, but no call of it has a record of a send");
  }

  if (const std::int64_t n = damage(DiagnosticId::peer_unknown); n > 0) {
    const std::string sentence = count(n, "communication record names", "communication records name") +
                                 " a partner that the trace does not define: who waited for whom there is not known";
    if (!called(result, receives).empty()) add("mpi_latesender", sentence);
    if (!called(result, sends).empty()) add("mpi_latereceiver", sentence);
  }

  // Such a record does not say when its call was entered.
  const std::int64_t outside = damage(DiagnosticId::record_outside_call);
  const std::string outside_sentence =
      count(outside, "communication record lies", "communication records lie") +
      " outside of every call of its library: whether somebody waited there is not known";
  if (outside > 0 && receive_records > 0) add("mpi_latesender", outside_sentence);
  if (outside > 0 && send_records > 0) add("mpi_latereceiver", outside_sentence);

  const std::int64_t records = events(EventType::collective_end) + events(EventType::nonblocking_collective_complete);
  const std::int64_t incomplete = damage(DiagnosticId::collective_incomplete),
                     mismatched = damage(DiagnosticId::collective_mismatch),
                     non_members = damage(DiagnosticId::collective_stranger);
  const std::int64_t open = std::min(without_completion[2], open_requests);
  const WithoutRecords without_records(result, {"syncs_coll", "comms_cxch", "comms_csrc", "comms_cdst"});
  for (const CollectiveWaits& waits : collective_waits()) {
    if (outside > 0 && records > 0)
      for (const char* metric : waits.metrics) add(metric, outside_sentence);
    const auto has = [&](const Region& region) { return waits.has_function(region); };
    const std::string name = called(result, has);
    if (name.empty()) continue;
    // What a persistent operation is about is recorded where it is started.
    const std::string without = without_records.called(
        [&](const Region& region) { return has(region) && region.name.find("_init") == std::string::npos; });
    const bool nonblocking =
        !called(result, [&](const Region& region) { return has(region) && starts_nonblocking(region); }).empty();
    for (const char* metric : waits.metrics) {
      if (records == 0)
        add(metric, name + " is called, but the trace has no record of a collective operation");
      else if (!without.empty())
        add(metric, without + " is called, but no call of it has a record of a collective operation");
      if (incomplete > 0)
        add(metric, count(incomplete, "collective operation lacks", "collective operations lack") +
                        " a member: how long the others waited is not known");
      if (mismatched > 0)
        add(metric, "the members of " + count(mismatched, "collective operation", "collective operations") +
                        " disagree on what it is: how long they waited is not known");
      if (non_members > 0)
        add(metric, "of " + count(non_members, "part of a collective operation", "parts of collective operations") +
                        " the trace does not define the members: how long they waited is not known");
      if (open > 0 && nonblocking)
        add(metric, of(open, begun, "non-blocking collective operation") +
                        " never complete in the trace: how long they waited is not known");
    }
  }

  if (incomplete > 0)
    for (const bool init : {true, false})
      if (!called(result, [&](const Region& r) {
             return init ? r.mpi_function == MpiFunction::init || r.mpi_function == MpiFunction::init_thread
                         : r.mpi_function == MpiFunction::finalize;
           }).empty())
        add(init ? "mpi_init_completion" : "mpi_finalize_wait",
            count(incomplete, "collective operation lacks", "collective operations lack") +
                " a member: how long the others waited is not known");

  std::int64_t one_sided = 0;
  for (auto type = static_cast<std::size_t>(EventType::rma_collective_begin);
       type <= static_cast<std::size_t>(EventType::rma_op_complete_remote); ++type)
    one_sided += events(static_cast<EventType>(type));
  const std::int64_t parts = damage(DiagnosticId::rma_incomplete), unplaced = damage(DiagnosticId::rma_unplaced);
  for (const OneSidedWaits& waits : one_sided_waits()) {
    const std::string name =
        called(result, [&](const Region& r) { return r.region_class == waits.region_class && waits.names(r); });
    if (name.empty()) continue;
    for (const char* metric : waits.metrics) {
      if (one_sided == 0) add(metric, name + " is called, but the trace has no record of one-sided communication");
      if (parts > 0)
        add(metric, "of " +
                        count(parts, "one-sided epoch, lock or collective", "one-sided epochs, locks or collectives") +
                        " a part is missing: how long the others waited is not known");
      if (unplaced > 0)
        add(metric, count(unplaced, "one-sided record belongs", "one-sided records belong") +
                        " to nothing in the trace: whether somebody waited there is not known");
    }
  }

  const auto moves_bytes = [](const Region& r) {
    return r.region_class == RegionClass::mpi_io_individual || r.region_class == RegionClass::mpi_io_collective;
  };
  if (const std::string name = called(result, moves_bytes);
      !name.empty() && events(EventType::io_operation_complete) == 0)
    add("mpi_file_bytes", name + " is called, but the trace has no record of an operation on a file");
  if (const std::int64_t n = damage(DiagnosticId::file_bytes_unknown); n > 0)
    add("mpi_file_bytes",
        count(n, "operation on a file does", "operations on files do") + " not say how many bytes moved");

  if (events(EventType::omp_acquire_lock) + events(EventType::thread_acquire_lock) == 0)
    for (const LockWaits& waits : lock_waits()) {
      const std::string name =
          called(result, [&](const Region& r) { return r.region_class == waits.region_class && waits.names(r); });
      if (!name.empty()) add(waits.metric, name + " is called, but the trace has no record of who gets a lock");
    }

  const auto is_implicit_task = [](const Region& r) {
    return r.region_class != RegionClass::omp_ibarrier && r.name.find("implicit") != std::string::npos;
  };
  // Recorders that write no team records number the parallel region of each implicit task.
  const bool teams = events(EventType::thread_team_begin) + events(EventType::omp_fork) > 0 ||
                     !called(result, is_implicit_task).empty();
  if (!teams)
    for (const auto& [region_class, metric] : {std::pair(RegionClass::omp_ebarrier, "omp_ebarrier_wait"),
                                               std::pair(RegionClass::omp_ibarrier, "omp_ibarrier_wait")}) {
      const std::string name = called(result, [&, c = region_class](const Region& r) { return r.region_class == c; });
      if (!name.empty()) add(metric, name + " is called, but the trace has no record of which threads are a team");
    }

  bool streams = false;
  for (std::size_t l = 0; l < result.locations.size(); ++l)
    streams = streams || (result.definitions.locations[l].type == LocationType::accelerator_stream &&
                          result.locations[l].events != 0);
  if (!streams)
    if (const std::string name = called(result, waits_for_device); !name.empty())
      add("accelerator_wait", name + " is called, but the trace has no events of an accelerator's streams");
  return all;
}

std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least) {
  const MetricTree& tree = result.metrics;
  // A wait state speaks for the time that it is a share of: it, and what that is summed up to or from.
  const auto has_wait = [&](MetricIndex metric) {
    for (const MetricIndex child : tree.children(metric))
      if (tree[child].within_parent && tree[child].unit == Unit::seconds) return true;
    return false;
  };
  std::vector<NotAnalysed> found;
  for (const char* id : {"mpi_sync_collective", "mpi_rma_synchronization", "mpi_point2point", "mpi_collective",
                         "mpi_rma_communication", "mpi_io_collective", "omp_synchronization", "pthread_synchronization",
                         "shmem_synchronization", "shmem_communication"}) {
    const MetricIndex metric = tree.find(id);
    if (metric == no_metric || totals.of(metric) < least || totals.of(metric) == 0) continue;
    bool analysed = has_wait(metric);
    for (MetricIndex m = 0; m < tree.size() && !analysed; ++m)
      for (MetricIndex above = tree[m].parent; above != no_metric && !analysed; above = tree[above].parent)
        analysed = above == metric && has_wait(m);
    if (!analysed) found.push_back({metric, totals.of(metric)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const NotAnalysed& a, const NotAnalysed& b) { return a.value > b.value; });
  return found;
}

bool is_unanswered(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric) {
  for (; metric != no_metric; metric = metrics[metric].parent)
    if (std::any_of(all.begin(), all.end(), [&](const Unanswered& u) { return u.metric == metric; })) return true;
  return false;
}

std::vector<Unanswered> unanswered_of(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric,
                                      bool below) {
  std::vector<Unanswered> found;
  for (const Unanswered& u : all)
    if (lies_within(metrics, metric, u.metric) || (below && lies_within(metrics, u.metric, metric))) found.push_back(u);
  return found;
}

std::string unanswered_lines(const AnalysisResult& result, const std::vector<Unanswered>& all, const Style& style) {
  std::vector<std::pair<std::string, std::string>> by_sentence;
  for (const Unanswered& u : all) {
    const std::string& id = result.metrics[u.metric].id;
    const auto known = std::find_if(by_sentence.begin(), by_sentence.end(),
                                    [&](const auto& entry) { return entry.second == u.sentence; });
    if (known != by_sentence.end())
      known->first += ", " + id;
    else
      by_sentence.emplace_back(id, u.sentence);
  }
  std::string text;
  for (const auto& [ids, sentence] : by_sentence) text += paragraph("  ", ids + ": " + sentence, style.width);
  return text;
}

std::string unanswered_text(const AnalysisResult& result, const std::vector<Unanswered>& all, const Style& style,
                            std::string_view heading) {
  const std::string lines = unanswered_lines(result, all, style);
  return lines.empty() ? "" : style.loss(heading) + '\n' + lines;
}

}  // namespace waitstate::report
