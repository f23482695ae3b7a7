// What is waited on an ideal machine: the run is replayed with a clock for each location that stands still in MPI, but
// for what the call needs from others, as if messages took no time and sends never had to wait.
//
// A location's clock follows the events of the one stream. A step - a send, a receive, a part in a collective operation
// - is done at once if what it needs is known on the ideal machine; else the location stands there, and its later steps
// are queued until others have come so far. So memory follows what is open: messages in flight, operations that have
// not ended everywhere, and the steps behind them. Of damaged traces, in which some operations never become complete,
// no more than `most_pending` steps are queued: then those that stand go on without, and as many parts whose operation
// never came are remembered. A part is found by its location, communicator and end.
//
// Invariant: no ideal time is later than the recorded one, since a step needs only what was there when it happened; so
// the ideal run is never longer than the run.
//
// Long because all kinds of steps share the clocks.
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "undetermined.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class IdealWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_ideal_wait",
                     .within_parent = false,
                     .title = "Waiting on an ideal machine",
                     .summary = "Time that MPI calls would wait if messages took no time: for others that are late."}},
        .severity =
            "Each location has an ideal clock, which begins with its first event and runs with the recorded time "
            "outside "
            "of MPI. A receive waits until the ideal time of its send; a member of a collective operation until those "
            "of "
            "the begins of the members that it needs: a barrier, MPI_Init, MPI_Finalize: all; N x N: those that send, "
            "if "
            "it receives; 1 x N: the root, if it receives; N x 1: the root those that send; Scan: lower ranks that "
            "send; "
            "each only if it began before this member's end. All else in MPI takes no time. Ideal run time: the "
            "largest "
            "of (time - time in MPI + these waits) over the first threads of processes. serialisation_efficiency = "
            "largest time outside of MPI / ideal run time; transfer_efficiency = ideal run time / run time; their "
            "product is the communication efficiency of MPI",
        .charged_to = "call path and location of the call that would wait",
        .state =
            "messages in flight (32 bytes each), operations that are open (64 bytes a member), and what their "
            "members did since (24 bytes a step)",
        .source =
            "the POP project's model: parallel efficiency = load balance x communication efficiency, communication "
            "efficiency = serialisation x transfer, by replay on an ideal network (Dimemas)",
        .differs =
            "sends never wait, synchronous ones neither. Not replayed: non-blocking and neighbourhood collective "
            "operations, one-sided communication, communicators that are created; they take no time, and nobody waits "
            "there. Of the whole run, whatever part of the time is chosen",
        .diagnosis =
            "where this is large no network helps: balance the work, or send earlier what others need. Where it is "
            "small and MPI takes long, messages are the cost: fewer, larger, or overlapped with work"};
  }

  void init(Context& c) override {
    const Definitions& d = c.definitions();
    places_.assign(d.locations.size(), {});
    is_mpi_.clear();
    for (const Region& r : d.regions) is_mpi_.push_back(is_mpi(r.region_class));
    has_begun_.assign(d.processes.size(), {});
    world_ = static_cast<std::size_t>(
        std::count_if(d.processes.begin(), d.processes.end(), [](const LocationGroup& p) { return p.rank >= 0; }));
    in_flight_.clear(), waits_.clear(), unmatched_.clear(), given_up_parts_.clear();
    messages_.clear(), parts_.clear(), operations_.clear();
    free_messages_.clear(), free_parts_.clear(), free_operations_.clear(), ready_.clear();
    pending_ = 0, given_up_ = 0;
  }

  void enter_callback(const Event& e, Context&) override {
    const std::size_t r = e.region().index();
    move(e).in_mpi = r < is_mpi_.size() && is_mpi_[r];
  }
  void exit_callback(const Event& e, Context& c) override {
    Place& place = move(e);
    if (const std::size_t r = e.region().index(); r < is_mpi_.size() && is_mpi_[r]) world_call(e, c.definitions());
    const CallPathId caller = e.callpath.valid() ? c.call_tree()[e.callpath].parent : CallPathId::none();
    const RegionId region = caller.valid() ? c.call_tree()[caller].region : RegionId::none();
    place.in_mpi = region.valid() && is_mpi_[region.index()];
  }
  void send_callback(const Event& e, Context&) override {
    move(e);
    const std::uint32_t m = take(messages_, free_messages_);
    in_flight_[e.pos] = m;
    push(e.loc, {Step::send, m, {}});
  }
  void recv_callback(const Event& e, Context&) override {
    move(e);
    const auto sent = in_flight_.find(e.sendptr);
    if (sent == in_flight_.end()) return;
    push(e.loc, {Step::receive, sent->second, e.callpath});
    in_flight_.erase(sent);
  }
  void metric_callback(const Event&, Context&) override {}
  void event_callback(const Event& e, Context& c) override {
    Place& place = move(e);
    if (e.type == EventType::program_begin || e.type == EventType::program_end) place.in_mpi = false;
    if (e.type != EventType::collective_end) return;
    const Definitions& d = c.definitions();
    const CommId comm{e.attributes[1]};  // attributes: op, com, root, sent, received
    if (comm.index() >= d.comms.size() || kind(static_cast<CollectiveOp>(e.attributes[0])) == CollectiveKind::other)
      return;
    if (d[comm].self || d[comm].members.size() + d[comm].members_b.size() < 2) return;
    const std::uint32_t p = part(e.loc, comm, e.time, true);
    parts_[p].recorded = true;
    push(e.loc, {Step::part, p, e.callpath});
  }
  void collective_callback(const Collective& c, Context&) override {
    const std::uint32_t number = take(operations_, free_operations_);
    Operation& o = operations_[number];
    o.kind = c.kind, o.root = c.root, o.group_a = c.group_a, o.nobody = c.neighbourhood;
    Time first_end = ~Time{0}, last_begin = 0;
    bool all_move = c.kind == CollectiveKind::all_to_all;
    for (const CollectiveMember& m : c.members) {
      o.members.push_back({m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0});
      first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
      all_move = all_move && m.bytes_sent > 0 && m.bytes_received > 0;
    }
    const bool all_kind = c.kind == CollectiveKind::init || c.kind == CollectiveKind::finalize ||
                          c.kind == CollectiveKind::barrier || all_move;
    o.everybody = !c.inter() && !c.neighbourhood && all_kind && first_end >= last_begin;
    if (!o.everybody)
      for (std::uint32_t i = 0; i < o.members.size(); ++i)
        o.for_each_needing(i, [&](Member& needing) { ++needing.missing; });
    for (std::uint32_t i = 0; i < o.members.size(); ++i) {
      const std::uint32_t p = part(c.members[i].call->location, c.comm, c.members[i].end, false);
      o.members[i].part = p;
      parts_[p].operation = number, parts_[p].member = i;
    }
    for (std::uint32_t i = 0; i < o.members.size(); ++i) {
      const Part& p = parts_[o.members[i].part];
      if (p.arrived) arrive(p);
      if (p.arrived) ready_.push_back(p.location);
      if (given_up_parts_.erase(p.given_up) != 0) leave(o.members[i].part);
    }
    run();
  }

  void wrapup(Context& context) override {
    while (pending_ > 0) give_up();
    for (const auto& [where, ticks] : waits_)
      context.add({CallPathId{static_cast<std::size_t>(where >> 32)}, LocationId{where & 0xffffffffu}}, ticks);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (const std::int64_t n = e.warnings(DiagnosticId::send_unmatched) + e.warnings(DiagnosticId::recv_unmatched);
        n > 0)
      u.because(first_metric, e.count(n, "message", "messages") +
                                  " without send or receive in the trace: who needed "
                                  "it is not known");
    incomplete_collectives(e, u, first_metric);
    if (given_up_ > 0)
      u.because(first_metric,
                "of " + e.count(given_up_, "part in a collective operation", "parts in collective operations") +
                    " the others are not in the trace: the replay went on without");
    if (const std::int64_t n = e.events(EventType::nonblocking_collective_complete); n > 0)
      u.because(first_metric,
                e.count(n, "non-blocking collective operation is", "non-blocking collective operations are") +
                    " not replayed");
    const std::int64_t n =
        e.events(EventType::rma_put) + e.events(EventType::rma_get) + e.events(EventType::rma_atomic);
    if (n > 0)
      u.because(first_metric, e.count(n, "one-sided operation is", "one-sided operations are") + " not replayed");
  }

 private:
  static constexpr std::uint32_t nothing = 0xffffffffu;
  static constexpr std::size_t most_pending = std::size_t{1} << 18;

  struct Step {
    enum Kind : std::uint8_t { send, receive, part } kind;
    std::uint32_t number;  ///< of the message, of the part
    CallPathId callpath;
    Ticks work = 0;  ///< outside of MPI before it
  };
  struct Place {
    Time last = 0;   ///< recorded
    Time ideal = 0;  ///< before the first step that is not done
    Ticks work = 0;  ///< outside of MPI, since the last step
    bool has_begun = false, in_mpi = false;
    std::deque<Step> steps{};  ///< that are not done
  };
  struct InFlight {
    Time sent = 0;
    bool is_sent = false;
    LocationId waiting;
  };
  struct Part {
    LocationId location;
    CommId comm;
    Time end = 0, arrival = 0;
    std::uint32_t operation = nothing, member = 0;
    std::uint32_t next = nothing;  ///< unmatched one of the same communicator and end
    std::uint64_t given_up = 0;    ///< number of it, 0 if it is not
    bool recorded = false, arrived = false;
  };
  /// Of one location, communicator and end, either recorded or announced by the operation.
  struct Unmatched {
    std::uint32_t first = nothing, last = nothing;
  };
  struct PartKey {
    LocationId location;
    CommId comm;
    Time end;
    bool operator==(const PartKey&) const = default;
  };
  struct HashOfPart {
    std::size_t operator()(const PartKey& k) const {
      const std::uint64_t h = (k.end ^ (std::uint64_t{k.location.value} << 32 | k.comm.value)) * 0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  struct Member {
    Time begin, end;
    bool sends, receives;
    std::uint32_t part = nothing, missing = 0;  ///< missing: members that it needs and that have not arrived
    Time ready = 0;
  };
  struct Operation {
    CollectiveKind kind{};
    std::uint32_t root = 0, group_a = 0, arrived = 0, left = 0;
    bool everybody = false, nobody = false;  ///< needs everybody; needs nobody
    Time last = 0;                           ///< arrival
    std::vector<Member> members{};

    bool needs(std::uint32_t i, std::uint32_t j) const {
      const Member &to = members[i], &from = members[j];
      if (nobody || i == j || from.begin > to.end || (group_a != 0 && (i < group_a) == (j < group_a))) return false;
      switch (kind) {
        case CollectiveKind::all_to_all:
          return from.sends && to.receives;
        case CollectiveKind::one_to_all:
          return j == root && to.receives;
        case CollectiveKind::all_to_one:
          return i == root && from.sends;
        case CollectiveKind::scan:
          return j < i && from.sends;
        default:
          return true;
      }
    }
    /// All members that need one.
    template <class F>
    void for_each_needing(std::uint32_t one, F&& f) {
      if (kind == CollectiveKind::one_to_all && one != root) return;
      const bool only_root = kind == CollectiveKind::all_to_one;
      if (only_root && root >= members.size()) return;
      for (std::uint32_t i = only_root ? root : 0; i < (only_root ? root + 1 : members.size()); ++i)
        if (needs(i, one)) f(members[i]);
    }
  };

  template <class T>
  static std::uint32_t take(std::vector<T>& all, std::vector<std::uint32_t>& unused) {
    if (unused.empty()) {
      all.emplace_back();
      return static_cast<std::uint32_t>(all.size() - 1);
    }
    const std::uint32_t number = unused.back();
    unused.pop_back();
    all[number] = T();
    return number;
  }

  Place& move(const Event& e) {
    Place& place = places_[e.loc.index()];
    if (!place.has_begun)
      place.has_begun = true, place.ideal = e.time;
    else if (!place.in_mpi && e.time > place.last)
      place.work += static_cast<Ticks>(e.time - place.last);
    place.last = std::max(place.last, e.time);
    return place;
  }

  // MPI_Init and MPI_Finalize: the first of each process.
  void world_call(const Event& e, const Definitions& d) {
    const MpiFunction f = d[e.region()].mpi_function;
    const ProcessId process = d[e.loc].process;
    if (!initialises_or_finalizes(f) || !process.valid() || d[process].rank < 0 || world_ < 2) return;
    bool& has = has_begun_[process.index()][f == MpiFunction::finalize ? 1 : 0];
    if (std::exchange(has, true)) return;
    const std::uint32_t p = part(e.loc, CommId::none(), e.time, true);
    parts_[p].recorded = true;
    push(e.loc, {Step::part, p, e.callpath});
  }

  /// The part with that end, of which one half is known already, or a new one: record and operation come in any order.
  /// `recorded`: it is the record that comes.
  std::uint32_t part(LocationId location, CommId comm, Time end, bool recorded) {
    Unmatched& unmatched = unmatched_[{location, comm, end}];
    if (unmatched.first != nothing && parts_[unmatched.first].recorded != recorded) return match({location, comm, end});
    const std::uint32_t p = take(parts_, free_parts_);
    parts_[p].location = location, parts_[p].comm = comm, parts_[p].end = end;
    (unmatched.first == nothing ? unmatched.first : parts_[unmatched.last].next) = p;
    unmatched.last = p;
    return p;
  }
  /// Takes the first of them out.
  std::uint32_t match(const PartKey& key) {
    const auto found = unmatched_.find(key);
    const std::uint32_t p = found->second.first;
    found->second.first = parts_[p].next;
    if (found->second.first == nothing) unmatched_.erase(found);
    return p;
  }

  void push(LocationId l, Step step) {
    Place& place = places_[l.index()];
    step.work = std::exchange(place.work, 0);
    place.steps.push_back(step);
    ++pending_;
    if (place.steps.size() == 1) {
      ready_.push_back(l);
      run();
    }
    while (pending_ > most_pending) give_up();
  }
  void run() {
    while (!ready_.empty()) {
      const LocationId l = ready_.back();
      ready_.pop_back();
      while (!places_[l.index()].steps.empty() && does(l)) {
        places_[l.index()].steps.pop_front();
        --pending_;
      }
    }
  }

  /// Does the location's next step; false if it has to stand there.
  bool does(LocationId l) {
    Place& place = places_[l.index()];
    Step& step = place.steps.front();
    place.ideal += static_cast<Time>(std::exchange(step.work, 0));
    if (step.kind == Step::part) return takes_part(l, step);
    InFlight& m = messages_[step.number];
    if (step.kind == Step::send) {
      m.sent = place.ideal, m.is_sent = true;
      if (m.waiting.valid()) ready_.push_back(m.waiting);
      return true;
    }
    if (!m.is_sent) {
      m.waiting = l;
      return false;
    }
    wait(l, m.sent, step.callpath);
    free_messages_.push_back(step.number);
    return true;
  }
  bool takes_part(LocationId l, const Step& step) {
    Part& p = parts_[step.number];
    if (!p.arrived) {
      p.arrived = true, p.arrival = places_[l.index()].ideal;
      if (p.operation != nothing) arrive(p);
    }
    if (p.operation == nothing) return false;
    const Operation& o = operations_[p.operation];
    const Member& m = o.members[p.member];
    if (o.everybody ? o.arrived < o.members.size() : m.missing > 0) return false;
    wait(l, o.everybody ? o.last : m.ready, step.callpath);
    leave(step.number);
    return true;
  }
  void wait(LocationId l, Time until, CallPathId callpath) {
    Time& ideal = places_[l.index()].ideal;
    if (until <= ideal) return;
    waits_[std::uint64_t{callpath.value} << 32 | l.value] += static_cast<Ticks>(until - ideal);
    ideal = until;
  }
  void arrive(const Part& p) {
    Operation& o = operations_[p.operation];
    ++o.arrived;
    o.last = std::max(o.last, p.arrival);
    if (o.everybody) {
      if (o.arrived == o.members.size())
        for (const Member& m : o.members) ready_.push_back(parts_[m.part].location);
      return;
    }
    o.for_each_needing(p.member, [&](Member& needing) {
      needing.ready = std::max(needing.ready, p.arrival);
      if (--needing.missing == 0) ready_.push_back(parts_[needing.part].location);
    });
  }
  void leave(std::uint32_t number) {
    const Part& p = parts_[number];
    Operation& o = operations_[p.operation];
    if (++o.left == o.members.size()) {
      for (const Member& m : o.members) free_parts_.push_back(m.part);
      o.members.clear();
      free_operations_.push_back(p.operation);
    }
  }

  // Lets all that stand go on: those whose operation is not known, and if there are none, whoever stands.
  void give_up() {
    for (const bool unknown : {true, false}) {
      std::vector<LocationId> went_on;
      for (std::size_t l = 0; l < places_.size(); ++l) {
        Place& place = places_[l];
        if (place.steps.empty()) continue;
        const Step step = place.steps.front();
        const bool is_unknown = step.kind == Step::part && parts_[step.number].operation == nothing;
        if (unknown && !is_unknown) continue;
        if (step.kind == Step::part) {
          ++given_up_;
          if (is_unknown)
            give_up_part(step.number);
          else
            leave(step.number);
        }
        place.steps.pop_front();
        --pending_;
        went_on.emplace_back(l);
      }
      ready_.insert(ready_.end(), went_on.begin(), went_on.end());
      run();
      if (!went_on.empty()) return;
    }
  }

  // Its operation may still come: the last `most_pending` wait for that.
  void give_up_part(std::uint32_t number) {
    parts_[number].given_up = given_up_parts_.empty() ? 1 : given_up_parts_.rbegin()->first + 1;
    given_up_parts_.emplace(parts_[number].given_up, number);
    if (given_up_parts_.size() <= most_pending) return;
    const Part oldest = parts_[given_up_parts_.begin()->second];
    given_up_parts_.erase(given_up_parts_.begin());
    free_parts_.push_back(match({oldest.location, oldest.comm, oldest.end}));
  }

  std::vector<Place> places_;  ///< by location
  std::vector<bool> is_mpi_;   ///< by region
  struct WorldCalls {
    bool had[2]{};
    bool& operator[](int finalize) { return had[finalize]; }
  };
  std::vector<WorldCalls> has_begun_;                      ///< by process
  std::size_t world_ = 0;                                  ///< processes
  std::unordered_map<Position, std::uint32_t> in_flight_;  ///< messages by send
  std::vector<InFlight> messages_;
  std::vector<Part> parts_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> free_messages_, free_parts_, free_operations_;
  std::unordered_map<PartKey, Unmatched, HashOfPart> unmatched_;  ///< parts of which record or operation is not known
  std::map<std::uint64_t, std::uint32_t> given_up_parts_;         ///< in that order, unmatched
  std::vector<LocationId> ready_;                                 ///< whose next step may be possible now
  std::unordered_map<std::uint64_t, Ticks> waits_;                ///< by call path and location
  std::size_t pending_ = 0;                                       ///< steps
  std::int64_t given_up_ = 0;
};

}  // namespace

PatternHandle mpi_ideal_wait() { return make_pattern<IdealWaitPattern>(); }

}  // namespace waitstate::patterns
