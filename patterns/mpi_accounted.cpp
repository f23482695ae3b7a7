#include <algorithm>
#include <string_view>
#include <vector>

#include "rma_wait.hpp"
#include "rules/last_completion.hpp"
#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class MpiAccountedPattern : public Pattern {
  static constexpr MetricHandle wait{1}, transfer{2}, local{3}, partner{5}, member{6}, start{7}, probe{8}, record{9},
      possible{10}, poll{11};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    const auto part = [](const char* id, const char* parent, const char* title, const char* summary,
                         MetricKind kind = MetricKind::other) {
      return MetricSpec{
          .id = id, .parent = parent, .within_parent = false, .title = title, .summary = summary, .kind = kind};
    };
    return {
        .metrics = {{.id = "mpi_accounted",
                     .within_parent = false,
                     .title = "MPI accounted for",
                     .summary = "Time in MPI without MPI_Init, split up completely.",
                     .kind = MetricKind::account},
                    part("mpi_wait", "mpi_accounted", "Wait",
                         "Time in MPI before other processes did what the call needed.", MetricKind::account_wait),
                    part("mpi_transfer", "mpi_accounted", "Transfer",
                         "Time in MPI after all others had arrived: to move data and to leave.",
                         MetricKind::account_transfer),
                    part("mpi_local", "mpi_accounted", "Local", "Time in MPI calls that depend on no other process.",
                         MetricKind::account_local),
                    part("mpi_unknown", "mpi_accounted", "Unknown",
                         "Time in MPI for which the trace does not show whether it was spent waiting.",
                         MetricKind::account_unknown),
                    part("mpi_unknown_partner", "mpi_unknown", "Message without partner",
                         "Time in calls with a message whose other half is not in the trace."),
                    part("mpi_unknown_member", "mpi_unknown", "Collective without member",
                         "Time in collective operations that lack a member in the trace, or whose neighbours are not "
                         "recorded."),
                    part("mpi_unknown_start", "mpi_unknown", "Completion without start",
                         "Time in calls that complete an operation whose start is not recorded."),
                    part("mpi_unknown_probe", "mpi_unknown", "Search for a message",
                         "Time in MPI_Probe, MPI_Mprobe, MPI_Iprobe, MPI_Improbe and tests of receives, of which it "
                         "is not known what they found."),
                    part("mpi_unknown_record", "mpi_unknown", "Call without record",
                         "Time in blocking calls without a record in the trace."),
                    {.id = "mpi_possible_wait",
                     .parent = "mpi_transfer",
                     .title = "Possible wait",
                     .summary = "Time of transfers in operations with a root, and in scans, in which a member had not "
                                "begun yet: over a tree, others may have waited for it.",
                     .kind = MetricKind::account_possible_wait},
                    part("mpi_unknown_poll", "mpi_unknown", "Polls without reason",
                         "Time in calls that read the process's own memory in a window again and again, where the "
                         "trace does not show for what.")},
        .severity =
            "for a call with enter E, exit L and exclusive time X: R is the latest of the times before which it could "
            "not have returned, clamped to [E, L]. mpi_wait: min(R - E, X); mpi_transfer: X - mpi_wait; mpi_local: X "
            "if there is no such time; mpi_unknown: X - mpi_wait if the trace lacks one of them. The times are: for a "
            "receive that completes in the call, and for the message that MPI_Probe or a poll found, the enter of the "
            "call that started its send (what is left of polls is mpi_local); for a send, the enter of "
            "the call that posted its receive if the sending call was left after it (otherwise the message was "
            "buffered, as with Bsend); for a collective operation, the starts of the members that this member needs "
            "(barrier and creation of handles: all; N x N: all if all were in it at the same time, else those that "
            "send; neighbourhoods: the neighbours; scans: the ranks up to its own; 1 to N: the root, and for the root "
            "the latest receiver that began while the root was in it; N to 1: for the root the senders, and for these "
            "the root if it began before they left); for a non-blocking collective operation, in the call that "
            "completes it, the enters of the calls that started it; for MPI_Finalize, the latest enter; for a "
            "one-sided call, the end of its wait state, or, of one that polls a window, the start of the write that it "
            "looked for. mpi_possible_wait: in operations with a root, and in scans, "
            "T - max(R, B) if > 0; T: the latest begin record of any member until this one's end",
        .charged_to = "the call, on its location",
        .state = "24 bytes for each open call; the sums of each call path and location",
        .source =
            "waitstate's own; messages and their buffering as in Wolf and Mohr, EuroPar 2001, collective operations as "
            "in Scalasca 2.6",
        .differs =
            "from the wait states: a wait begins at the enter of the call and not at the begin record, and counts once "
            "in a call, however many wait states overlap there. Calls that free handles are local",
        .diagnosis =
            "wait: see the wait states, which name the processes that were late; transfer: send fewer and larger "
            "messages, overlap them with computation, place partners close to each other, start no more processes than "
            "there are cores; local: make fewer calls"};
  }

  void mpi_account_callback(const MpiAccount& a, Context& c) override {
    const auto charge = [&](MetricHandle metric, Ticks ticks) {
      if (ticks != 0) c.add({a.callpath, a.location}, ticks, metric);
    };
    charge(wait, a.wait);
    charge(transfer, a.transfer);
    charge(local, a.local);
    charge(partner, a.without_partner);
    charge(member, a.without_member);
    charge(start, a.without_start);
    charge(probe, a.without_message);
  }

  // Each one-sided call takes part in one of these events.
  void rma_collective_callback(const RmaCollective& r, Context& c) override {
    if (r.paradigm != Paradigm::mpi || r.kind == RmaCollectiveKind::other) return;
    const Latest latest(r.collective, [](const CollectiveMember&) { return true; });
    const bool synchronises = r.kind != RmaCollectiveKind::fence || all_overlap(r.collective);
    const auto& members = r.collective.members;
    for (std::uint32_t i = 0; i < members.size(); ++i)
      if (synchronises)
        depends(*members[i].call, members[latest.seen_by(i)].begin, c);
      else
        depends_on_nobody(*members[i].call, c);
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& c) override {
    const Call* post = nullptr;
    for (const RmaAccessTarget& t : e.targets)
      if (post == nullptr || t.post.enter > post->enter) post = &t.post;
    for (const Call* const call : {&e.start, &e.complete})
      if (post == nullptr)
        depends_on_nobody(*call, c);
      else
        depends_if_late(*call, post->enter, c);
    for (const RmaEpochOperation& o : e.operations) depends_if_late(o.call, e.targets[o.target].post.enter, c);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override {
    if (const LastCompletion k(e); k.last != nullptr)
      depends(e.wait, k.until, c);
    else
      depends_on_nobody(e.wait, c);
  }
  void rma_passive_call_callback(const RmaPassiveCall& r, Context& c) override {
    if (r.paradigm != Paradigm::mpi) return;
    if (r.released == nullptr && r.gaps.empty()) return depends_on_nobody(r.call, c);
    Time until = r.released == nullptr ? 0 : r.release_time;
    if (!r.gaps.empty()) until = std::max(until, r.gaps.back().end);
    depends(r.call, until, c);
  }

  // The calls that poll a window are passive calls, too: what these took for local is given back in wrapup().
  void rma_wait_change_callback(const RmaWaitChange& w, Context& c) override {
    if (!w.call.region.valid() || !is_mpi(c.definitions()[w.call.region].region_class)) return;
    if (w.changed == nullptr)
      charge(w.call, w.call.enter, w.call.exit, poll, c);
    else
      charge(w.call, w.call.enter, std::min(w.changed->enter, w.call.exit), wait, c);
  }

  // Only members that transfer: they depend on somebody, as in the account of the call.
  void collective_callback(const Collective& c, Context& context) override {
    const bool is_tree =
        c.kind == CollectiveKind::one_to_all || c.kind == CollectiveKind::all_to_one || c.kind == CollectiveKind::scan;
    if (!is_tree || c.inter() || (c.kind != CollectiveKind::scan && c.root >= c.members.size())) return;
    begins_.clear();
    Time last_begin = 0, sender = 0, sender_so_far = 0;
    for (const CollectiveMember& m : c.members) {
      last_begin = std::max(last_begin, m.begin);
      if (sends(m)) sender = std::max(sender, m.begin);
    }
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      if (sends(m)) sender_so_far = std::max(sender_so_far, m.begin);
      const Time needed = c.kind == CollectiveKind::scan         ? sender_so_far
                          : c.kind == CollectiveKind::one_to_all ? needed_of_root(c, i)
                                                                 : needed_by_root(c, i, sender);
      if (needed == 0) continue;
      const Time until = last_begin <= m.end ? last_begin : last_begin_until(c, m.end);
      charge(*m.call, std::max(m.begin, needed), until, possible, context);
    }
  }

  // The remaining time in MPI is that of calls without a record.
  void wrapup(Context& c) override {
    struct Row {
      CallPathId path;
      LocationId location;
      Ticks rest;
    };
    std::vector<Row> rows;
    const Severities& severities = c.severities();
    const MetricTree& metrics = c.metrics();
    std::vector<MetricIndex> own;
    for (const char* id : {"mpi_wait", "mpi_transfer", "mpi_local", "mpi_unknown_partner", "mpi_unknown_member",
                           "mpi_unknown_start", "mpi_unknown_probe", "mpi_unknown_poll"})
      own.push_back(metrics.at(id));
    for (int i = 0; i < region_class_count; ++i) {
      const auto of_class = static_cast<RegionClass>(i);
      if (!is_mpi(of_class)) continue;
      severities.for_each(metrics.at(name(of_class)), [&](CallPathId path, LocationId l, std::int64_t time) {
        const RegionId region = c.call_tree()[path].region;
        if (region.valid() && initialises(c.definitions()[region])) return;
        for (const MetricIndex m : own)
          time = add_ticks(time, 0 - static_cast<std::uint64_t>(severities.value(m, path, l)));
        if (time != 0) rows.push_back({path, l, time});
      });
    }
    for (const Row& row : rows) {
      const RegionId region = c.call_tree()[row.path].region;
      const MetricHandle to = region.valid() ? without_record(c.definitions()[region]) : local;
      if (row.rest > 0) {
        c.add({row.path, row.location}, row.rest, to);
        continue;
      }
      // One-sided calls are charged with their callees; usually there are none. Those that poll are charged twice.
      Ticks excess = add_ticks(0, 0 - static_cast<std::uint64_t>(row.rest));
      for (const auto& [metric, index] : {std::pair{local, own[2]}, {transfer, own[1]}, {wait, own[0]}}) {
        const Ticks less = std::min(excess, severities.value(index, row.path, row.location));
        if (less > 0) c.add({row.path, row.location}, -less, metric);
        excess -= std::max<Ticks>(less, 0);
      }
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    records_outside_calls(e, u, wait,
                          e.events(EventType::send) + e.events(EventType::recv) + e.events(EventType::irecv));
  }

 private:
  // The time that a member of an operation needed to come, as in the account of its call; 0 if it needed nobody.
  static Time needed_of_root(const Collective& c, std::uint32_t i) {
    const CollectiveMember& root = c.members[c.root];
    if (i != c.root) return receives(c.members[i]) ? root.begin : 0;
    Time last = 0;
    for (const CollectiveMember& m : c.members)
      if (receives(m) && m.begin > root.begin && m.begin < root.end) last = std::max(last, m.begin);
    return last;
  }
  static Time needed_by_root(const Collective& c, std::uint32_t i, Time last_sender) {
    const CollectiveMember& root = c.members[c.root];
    if (i == c.root) return last_sender;
    return sends(c.members[i]) && c.members[i].end > root.begin ? root.begin : 0;
  }
  /// The latest begin of a member until `t`, 0 if there is none.
  Time last_begin_until(const Collective& c, Time t) {
    if (begins_.empty()) {
      for (const CollectiveMember& m : c.members) begins_.push_back(m.begin);
      std::sort(begins_.begin(), begins_.end());
    }
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), t);
    return after == begins_.begin() ? 0 : *(after - 1);
  }

  static void charge(const Call& call, Time begin, Time end, MetricHandle metric, Context& c) {
    if (end <= begin) return;
    const auto ticks = static_cast<Ticks>(end - begin);
    c.add(Wait{call.location, call.callpath, call.enter, call.exit, begin, ticks, {}, {}}, ticks, metric);
  }
  static void depends(const Call& call, Time until, Context& c) {
    until = std::clamp(until, call.enter, std::max(call.enter, call.exit));
    charge(call, call.enter, until, wait, c);
    charge(call, until, call.exit, transfer, c);
  }
  static void depends_on_nobody(const Call& call, Context& c) { charge(call, call.enter, call.exit, local, c); }
  static void depends_if_late(const Call& call, Time until, Context& c) {
    if (until <= call.exit)
      depends(call, until, c);
    else
      depends_on_nobody(call, c);
  }

  static bool initialises(const Region& region) {
    return region.mpi_function == MpiFunction::init || region.mpi_function == MpiFunction::init_thread;
  }

  /// The metric for the time of calls that have no record: those that wait for others should have one. MPI_Comm_free
  /// waits for nobody in the libraries that are known.
  static MetricHandle without_record(const Region& region) {
    static const NamesWith probes{.has = {"_probe", "_mprobe"}};
    static const NamesWith waits_for_nobody{.has = {"comm_free"}};
    if (region.region_class == RegionClass::mpi_point2point && probes(region)) return probe;
    return waits_for_others(region) && !waits_for_nobody(region) ? record : local;
  }

  std::vector<Time> begins_;  ///< scratch of last_begin_until()
};

}  // namespace

PatternHandle mpi_accounted() { return make_pattern<MpiAccountedPattern>(); }

}  // namespace waitstate::patterns
