// The graph is made in three steps: calls and the records in them, messages with what they wait for, collective
// operations with who needs whom. Everything is held at once and looked at as it is written down in the definitions of
// the wait states, without the tables that one pass needs: so it is also what one pass is compared with.
// Long because the three steps share what is held.
#include "report/graph/dependency_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>

#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/graph/graphml.hpp"
#include "waitstate/collective.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {

using VertexIndex = DependencyGraph::VertexIndex;
using VertexKind = DependencyGraph::VertexKind;
using EdgeKind = DependencyGraph::EdgeKind;
using PointKind = DependencyGraph::PointKind;

class DependencyGraphBuilder {
 public:
  DependencyGraphBuilder(const EventTrace& trace, bool all_waits, DependencyGraph& result)
      : definitions_(trace.definitions()), all_waits_(all_waits), result_(result) {
    result_.of_location_.resize(definitions_.locations.size());
    result_.is_master_.resize(definitions_.locations.size());
    read(trace);
    messages();
    for (const bool init : {true, false}) world_call(init);
    collectives();
    if (all_waits_) nonblocking(), fences(), locks();
    connect();
  }

 private:
  struct Call {
    LocationId location;
    CallPathId callpath;
    MpiFunction function{};
    Time enter = 0, exit = 0;
    Position enter_pos = 0, exit_pos = 0;
  };
  struct Record {
    Event event;
    std::size_t call;
  };
  struct Message {
    const Record *send, *receive;
    std::size_t post;                    ///< the call that posted the receive
    const Record* request = nullptr;     ///< of a non-blocking receive
    const Record* completion = nullptr;  ///< of a non-blocking send
  };
  /// A member's part in a collective operation.
  struct Part {
    std::size_t call;
    Time begin = 0, end = 0;
    Position begin_pos = 0, end_pos = 0;
    std::uint64_t sent = 0, received = 0, root = 0;
    CollectiveOp op{};
  };

  // ---- calls and records ----

  void read(const EventTrace& trace) {
    for (Position pos = 0; pos < trace.size(); ++pos) {
      Event e = trace.event(pos);
      if (e.loc.index() >= definitions_.locations.size()) continue;
      auto& [first, last] = events_of_[e.loc];
      if (!first) first = e;
      last = e;
      if (e.type == EventType::enter) {
        const bool known = e.region().index() < definitions_.regions.size();
        call_at_[pos] = calls_.size();
        calls_.push_back({e.loc, e.callpath, known ? definitions_[e.region()].mpi_function : MpiFunction::none, e.time,
                          e.time, pos, pos});
      } else if (const auto call = call_at_.find(e.enterptr); call != call_at_.end()) {
        if (e.type == EventType::exit)
          calls_[call->second].exit = e.time, calls_[call->second].exit_pos = pos;
        else
          records_.emplace(pos, Record{std::move(e), call->second});
      }
    }
    for (const auto& [location, ends] : events_of_) {
      add({.kind = VertexKind::begin, .location = location, .time = ends.first->time, .pos = ends.first->pos});
      add({.kind = VertexKind::end, .location = location, .time = ends.second->time, .pos = ends.second->pos});
    }
    for (const LocationGroup& process : definitions_.processes)
      for (const LocationId l : process.locations)
        if (definitions_[l].type == LocationType::cpu_thread && events_of_.contains(l)) {
          result_.is_master_[l.index()] = true;
          break;
        }
    // A call that is not left lasts until its location ends.
    for (Call& c : calls_)
      if (c.exit_pos == c.enter_pos) c.exit = events_of_[c.location].second->time;
  }

  VertexIndex add(const DependencyGraph::Vertex& vertex) { return boost::add_vertex(vertex, result_.graph_); }
  VertexIndex add(VertexKind kind, std::size_t call, Time time, Position pos) {
    const Call& c = calls_[call];
    return add({.kind = kind,
                .location = c.location,
                .callpath = c.callpath,
                .enter = c.enter,
                .exit = c.exit,
                .time = time,
                .enter_pos = c.enter_pos,
                .pos = pos});
  }
  void point(VertexIndex v, PointKind kind, Ticks wait, Ticks completion, std::vector<LocationId> met) {
    DependencyGraph::Vertex& vertex = result_.graph_[v];
    vertex.point = kind, vertex.wait = wait, vertex.completion = completion, vertex.met = std::move(met);
  }
  void edge(VertexIndex from, VertexIndex to, EdgeKind kind, bool awaited, bool needed) {
    boost::add_edge(from, to, DependencyGraph::Edge{kind, awaited, needed}, result_.graph_);
  }
  static Ticks ticks(Time from, Time to) { return static_cast<Ticks>(to) - static_cast<Ticks>(from); }

  // ---- messages ----

  void messages() {
    std::map<Position, const Record*> completion_of;  // by send
    for (const auto& [pos, r] : records_)
      if (r.event.type == EventType::isend_complete) completion_of.try_emplace(r.event.requestptr, &r);
    std::vector<Message> all;
    for (const auto& [pos, r] : records_) {
      if (r.event.type != EventType::recv && r.event.type != EventType::irecv) continue;
      const auto send = records_.find(r.event.sendptr);
      if (send == records_.end()) continue;
      Message m{&send->second, &r, r.call};
      if (const auto request = records_.find(r.event.requestptr); request != records_.end())
        m.post = request->second.call, m.request = &request->second;
      if (const auto c = completion_of.find(send->first); c != completion_of.end()) m.completion = c->second;
      all.push_back(m);
    }
    std::map<std::size_t, std::vector<std::size_t>> receiving, sending;  // calls → messages that complete there
    for (std::size_t i = 0; i < all.size(); ++i) receiving[all[i].receive->call].push_back(i);
    std::vector<std::size_t> by_completion(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) by_completion[i] = i;
    std::sort(by_completion.begin(), by_completion.end(), [&](std::size_t a, std::size_t b) {
      return completing(all[a])->event.pos < completing(all[b])->event.pos;
    });
    for (const std::size_t i : by_completion)
      if (completes(all[i])) sending[completing(all[i])->call].push_back(i);

    std::set<std::size_t> late;  // calls that waited for a sender
    std::vector<bool> is_late(all.size());
    for (const auto& [call, here] : receiving)
      choose(here, in_one(call), is_late, [&](std::size_t i) { return late_sender(all[i]); });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_late[i]) late.insert(all[i].receive->call);
    for (std::size_t i = 0; i < all.size(); ++i) add_message(all[i], is_late[i]);
    std::vector<bool> is_late_receiver(all.size());
    for (const auto& [call, here] : sending)
      if (!in_one(call) || !late.contains(call))
        choose(here, in_one(call), is_late_receiver, [&](std::size_t i) { return late_receiver(all[i]); });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_late_receiver[i]) add_late_receiver(all[i]);
  }

  /// All that waited; in a call that waits for many at a time only the first of those that waited longest.
  template <class Wait>
  static void choose(const std::vector<std::size_t>& messages, bool one, std::vector<bool>& chosen, Wait&& wait) {
    std::optional<std::size_t> longest;
    for (const std::size_t i : messages) {
      if (wait(i) <= 0) continue;
      if (!one) chosen[i] = true;
      if (!longest || wait(i) > wait(*longest)) longest = i;
    }
    if (one && longest) chosen[*longest] = true;
  }
  bool in_one(std::size_t call) const {
    return calls_[call].function == MpiFunction::waitall || calls_[call].function == MpiFunction::waitsome;
  }
  /// The record of where the send completes: of a blocking one its own.
  static const Record* completing(const Message& m) { return m.completion != nullptr ? m.completion : m.send; }
  static bool completes(const Message& m) { return m.completion != nullptr || m.send->event.type == EventType::send; }

  Ticks late_sender(const Message& m) const {
    const Call &send = calls_[m.send->call], &receive = calls_[m.receive->call];
    if (is_test(receive.function)) return 0;
    return std::max<Ticks>(0, ticks(receive.enter, std::min(send.enter, receive.exit)));
  }
  Ticks late_receiver(const Message& m) const {
    using F = MpiFunction;
    const Call &send = calls_[m.send->call], &post = calls_[m.post], &done = calls_[completing(m)->call];
    const bool blocking = (send.function == F::send || send.function == F::ssend) && &send == &done;
    const bool started = (send.function == F::isend || send.function == F::issend || send.function == F::start ||
                          send.function == F::startall) &&
                         (done.function == F::wait || done.function == F::waitany || done.function == F::waitall ||
                          done.function == F::waitsome);
    if ((!blocking && !started) || completes_requests(post.function) || done.exit <= post.enter) return 0;
    return std::max<Ticks>(0, ticks(done.enter, post.enter));
  }

  void add_message(const Message& m, bool late) {
    const VertexIndex from = send_vertex(*m.send);
    const VertexIndex to = add(VertexKind::receive, m.receive->call, m.receive->event.time, m.receive->event.pos);
    edge(from, to, EdgeKind::message, late, true);
    if (!late) return;
    const Call &send = calls_[m.send->call], &receive = calls_[m.receive->call];
    const Ticks after = ticks(send.exit, receive.exit);
    point(from, PointKind::late_sender, 0, std::max<Ticks>(0, -after), {receive.location});
    point(to, PointKind::late_sender, late_sender(m), std::max<Ticks>(0, after), {send.location});
  }
  VertexIndex send_vertex(const Record& send) {
    return add(VertexKind::send, send.call, send.event.time, send.event.pos);
  }

  // A blocking send is complete at its exit, and a blocking receive requested at its enter: so that a send and a
  // receive of one message, each of which needs the other, are no circle.
  void add_late_receiver(const Message& m) {
    const Record& done = *completing(m);
    const Call &post = calls_[m.post], &call = calls_[done.call];
    const bool blocking = m.completion == nullptr;
    const VertexIndex from = m.request != nullptr
                                 ? add(VertexKind::request, m.post, m.request->event.time, m.request->event.pos)
                                 : add(VertexKind::request, m.post, post.enter, post.enter_pos);
    const VertexIndex to = blocking ? add(VertexKind::completion, done.call, call.exit, call.exit_pos)
                                    : add(VertexKind::completion, done.call, done.event.time, done.event.pos);
    edge(from, to, EdgeKind::late_receiver, true, false);
    const Ticks after = ticks(post.exit, call.exit);
    point(from, PointKind::late_receiver, 0, std::max<Ticks>(0, -after), {call.location});
    point(to, PointKind::late_receiver, late_receiver(m), std::min<Ticks>(0, after), {post.location});
  }

  // ---- collective operations ----

  ProcessId process_of(LocationId l) const {
    return l.index() < definitions_.locations.size() ? definitions_[l].process : ProcessId::none();
  }

  void world_call(bool init) {
    std::map<std::int64_t, std::size_t> first;  // by rank
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const Call& call = calls_[c];
      if (init ? call.function != MpiFunction::init && call.function != MpiFunction::init_thread
               : call.function != MpiFunction::finalize)
        continue;
      const ProcessId process = process_of(call.location);
      const std::int64_t rank = process.valid() ? definitions_[process].rank : -1;
      if (rank < 0) continue;
      const auto [known, is_new] = first.emplace(rank, c);
      if (!is_new && call.enter < calls_[known->second].enter) known->second = c;
    }
    const auto ranks = std::count_if(definitions_.processes.begin(), definitions_.processes.end(),
                                     [](const LocationGroup& p) { return p.rank >= 0; });
    if (first.size() < 2 || first.size() != static_cast<std::size_t>(ranks)) return;
    std::vector<Part> parts;
    for (const auto& [rank, c] : first) {
      const Call& call = calls_[c];
      parts.push_back(
          {c, call.enter, call.exit, call.enter_pos, call.exit_pos, 1, 1, root_none, CollectiveOp::barrier});
    }
    add_operation(parts, 0, {}, init ? PointKind::init : PointKind::finalize);
  }

  void collectives() {
    std::map<CommId, std::map<ProcessId, std::vector<Part>>> all;
    for (const auto& [pos, r] : records_) {
      const Event& e = r.event;
      // Attributes: op, com, root, sent, received.
      if (e.type != EventType::collective_end || e.attributes[1] >= definitions_.comms.size()) continue;
      Part p{r.call,
             e.time,
             e.time,
             pos,
             pos,
             e.attributes[3],
             e.attributes[4],
             e.attributes[2],
             static_cast<CollectiveOp>(e.attributes[0])};
      if (const auto begin = records_.find(e.beginptr); begin != records_.end())
        p.begin = begin->second.event.time, p.begin_pos = begin->first;
      all[CommId{e.attributes[1]}][process_of(e.loc)].push_back(p);
    }
    for (auto& [comm, by_process] : all) {
      for (auto& [process, parts] : by_process)
        std::stable_sort(parts.begin(), parts.end(),
                         [](const Part& a, const Part& b) { return a.begin_pos < b.begin_pos; });
      const Comm& c = definitions_[comm];
      std::vector<LocationId> members = c.members;
      members.insert(members.end(), c.members_b.begin(), c.members_b.end());
      if (c.self || members.size() < 2) continue;
      for (std::size_t n = 0;; ++n) {
        std::vector<Part> parts;
        bool some = false;
        for (const LocationId m : members)
          if (const auto of = by_process.find(process_of(m)); of != by_process.end() && of->second.size() > n)
            parts.push_back(of->second[n]);
        for (const auto& [process, of] : by_process) some = some || of.size() > n;
        if (!some) break;
        if (parts.size() == members.size()) operation(c, members, parts);
      }
    }
  }

  void operation(const Comm& comm, const std::vector<LocationId>& members, const std::vector<Part>& parts) {
    std::optional<std::size_t> root;
    for (const Part& p : parts) {
      if (p.op != parts[0].op || (!comm.inter() && p.root != parts[0].root)) return;
      if (calls_[p.call].function == MpiFunction::neighbour) return;
      for (std::size_t i = 0; i < members.size(); ++i)
        if (p.root < root_this_group && process_of(LocationId{p.root}) == process_of(members[i])) root = i;
    }
    PointKind kind = PointKind::none;
    switch (waitstate::kind(parts[0].op)) {
      case CollectiveKind::barrier:
        kind = PointKind::barrier;
        break;
      case CollectiveKind::all_to_all:
        kind = PointKind::n2n;
        break;
      case CollectiveKind::one_to_all:
        kind = PointKind::one_to_n;
        break;
      case CollectiveKind::all_to_one:
        kind = PointKind::n_to_one;
        break;
      case CollectiveKind::scan:
        break;
      default:
        return;
    }
    add_operation(parts, comm.inter() ? comm.members.size() : 0, root, kind);
  }

  // Whether member i needs member j, by the data that go from j to i.
  static bool needs(const std::vector<Part>& parts, std::size_t group_a, std::optional<std::size_t> root,
                    PointKind kind, std::size_t i, std::size_t j) {
    if (i == j || parts[j].begin > parts[i].end) return false;
    if (group_a != 0 && (i < group_a) == (j < group_a)) return false;
    const bool sends = parts[j].sent > 0, receives = parts[i].received > 0;
    switch (kind) {
      case PointKind::init:
      case PointKind::finalize:
      case PointKind::barrier:
        return true;
      case PointKind::n2n:
        return sends && receives;
      case PointKind::one_to_n:
        return root == j && receives;
      case PointKind::n_to_one:
        return root == i && sends;
      case PointKind::window:
        return false;
      default:  // Scan, Exscan
        return j < i && sends;
    }
  }

  struct Waits {
    std::optional<std::size_t> culprit;
    std::vector<std::pair<std::size_t, Ticks>> members;  ///< that have a point
  };
  static Ticks wait_for(const Part& p, const Part& culprit) {
    return std::max<Ticks>(0, ticks(p.begin, std::min(culprit.begin, p.end)));
  }
  template <class Counts>
  static std::optional<std::size_t> latest(const std::vector<Part>& parts, Counts&& counts) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (counts(parts[i]) && (!last || parts[i].begin > parts[*last].begin)) last = i;
    return last;
  }

  static bool all_overlap(const std::vector<Part>& parts) {
    Time first_end = ~Time{0}, last_begin = 0;
    for (const Part& p : parts) first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
    return first_end > last_begin;
  }

  Waits waits(const std::vector<Part>& parts, std::optional<std::size_t> root, PointKind kind) const {
    Waits w;
    const auto everybody = [](const Part&) { return true; };
    const auto senders = [](const Part& p) { return p.sent > 0; };
    const auto for_culprit = [&](bool all, bool receivers) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const Ticks t =
            i == w.culprit || (receivers && parts[i].received == 0) ? 0 : wait_for(parts[i], parts[*w.culprit]);
        if (all || t > 0) w.members.emplace_back(i, t);
      }
      if (!all && !w.members.empty()) w.members.emplace_back(*w.culprit, 0);
    };
    switch (kind) {
      case PointKind::init:
        for (std::size_t i = 0; i < parts.size(); ++i) w.members.emplace_back(i, 0);
        break;
      case PointKind::finalize:
      case PointKind::barrier:
        w.culprit = latest(parts, everybody);
        for_culprit(true, false);
        break;
      case PointKind::n2n: {
        if (!all_waits_ && (parts[0].op == CollectiveOp::alltoallv || parts[0].op == CollectiveOp::alltoallw)) break;
        if (std::none_of(parts.begin(), parts.end(), [](const Part& p) { return p.sent > 0 || p.received > 0; })) break;
        const bool overlap = all_overlap(parts);
        w.culprit = overlap ? latest(parts, everybody) : latest(parts, senders);
        if (w.culprit) for_culprit(overlap, !overlap);
        break;
      }
      case PointKind::window:
        if (!all_overlap(parts)) break;
        w.culprit = latest(parts, everybody);
        for_culprit(true, false);
        break;
      case PointKind::one_to_n:
        w.culprit = root;
        if (w.culprit) for_culprit(false, true);
        break;
      case PointKind::n_to_one:
        w.culprit = latest(parts, senders);
        if (!root || !w.culprit || w.culprit == root) break;
        if (const Ticks t = wait_for(parts[*root], parts[*w.culprit]); t > 0) w.members = {{*root, t}, {*w.culprit, 0}};
        break;
      default:
        break;
    }
    return w;
  }

  void add_operation(const std::vector<Part>& parts, std::size_t group_a, std::optional<std::size_t> root,
                     PointKind kind) {
    std::vector<VertexIndex> arrivals, departures;
    std::vector<LocationId> all;
    for (const Part& p : parts) {
      arrivals.push_back(add(VertexKind::arrival, p.call, p.begin, p.begin_pos));
      departures.push_back(add(VertexKind::departure, p.call, p.end, p.end_pos));
      all.push_back(calls_[p.call].location);
    }
    const Waits w = group_a == 0 ? waits(parts, root, kind) : Waits{};
    std::vector<Ticks> wait(parts.size());
    Time first_end = ~Time{0}, last_begin = 0;
    for (const auto& [i, t] : w.members) {
      wait[i] = t;
      if (kind != PointKind::one_to_n || i != w.culprit) first_end = std::min(first_end, parts[i].end);
      last_begin = std::max(last_begin, parts[i].begin);
    }
    if (w.culprit) last_begin = parts[*w.culprit].begin;
    for (const auto& [i, t] : w.members) {
      std::vector<LocationId> met;
      for (const auto& [j, other] : w.members)
        if (j != i && (kind != PointKind::one_to_n || i == w.culprit || j == w.culprit)) met.push_back(all[j]);
      std::sort(met.begin(), met.end());
      const Time since = std::max(first_end, std::min(last_begin, parts[i].end));
      point(departures[i], kind, t, std::max<Ticks>(0, ticks(since, parts[i].end)), std::move(met));
      if (kind != PointKind::window) result_.graph_[departures[i]].members = all;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = 0; j < parts.size(); ++j) {
        const bool needed = needs(parts, group_a, root, kind, i, j);
        const bool awaited = kind != PointKind::finalize && w.culprit == j && wait[i] > 0;
        if (needed || awaited) edge(arrivals[j], departures[i], EdgeKind::collective, awaited, needed);
      }
    if (all_waits_ && group_a == 0 && kind == PointKind::none) scan(parts);
  }

  // Each for the last one up to its own rank.
  void scan(const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto last = latest({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i) + 1},
                               [](const Part& p) { return p.sent > 0; });
      if (!last || *last == i) continue;
      const Part &waiting = parts[i], &awaited = parts[*last];
      if (const Ticks t = wait_for(waiting, awaited); t > 0)
        add_pair(PointKind::scan, t, {VertexKind::request, awaited.call, awaited.begin, awaited.begin_pos},
                 {VertexKind::completion, waiting.call, waiting.end, waiting.end_pos});
    }
  }

  // ---- fences and locks ----

  // The n-th fence of a process on a window is the n-th one of all its members.
  void fences() {
    std::map<std::uint64_t, std::map<ProcessId, std::vector<Part>>> all;
    std::map<std::size_t, const Record*> begin_in;  // by call
    for (const auto& [pos, r] : records_) {
      const Event& e = r.event;
      if (e.type == EventType::rma_collective_begin) begin_in[r.call] = &r;
      // Attributes: op, level, win.
      if (e.type != EventType::rma_collective_end || calls_[r.call].function != MpiFunction::win_fence ||
          e.attributes[2] >= definitions_.rma_wins.size())
        continue;
      Part p{r.call, e.time, e.time, pos, pos};
      if (const auto begin = begin_in.find(r.call); begin != begin_in.end())
        p.begin = begin->second->event.time, p.begin_pos = begin->second->event.pos;
      all[e.attributes[2]][process_of(e.loc)].push_back(p);
    }
    for (const auto& [win, by_process] : all) {
      const Comm& comm = definitions_[definitions_.rma_wins[win].comm];
      for (std::size_t n = 0; comm.members.size() > 1; ++n) {
        std::vector<Part> parts;
        for (const LocationId m : comm.members)
          if (const auto of = by_process.find(process_of(m)); of != by_process.end() && of->second.size() > n)
            parts.push_back(of->second[n]);
        if (parts.size() != comm.members.size()) break;
        add_operation(parts, 0, {}, PointKind::window);
      }
    }
  }

  // Who acquires a lock waits for the release by whoever has the number before.
  void locks() {
    std::map<std::tuple<ProcessId, std::uint64_t, std::uint64_t>, const Record*> releases;
    for (const EventType type : {EventType::thread_release_lock, EventType::thread_acquire_lock})
      for (const auto& [pos, r] : records_) {
        const Event& e = r.event;  // attributes: paradigm, lock, order
        if (e.type != type) continue;
        const ProcessId process = process_of(e.loc);
        if (type == EventType::thread_release_lock) {
          releases[{process, e.attributes[1], e.attributes[2]}] = &r;
          continue;
        }
        const auto before = releases.find({process, e.attributes[1], e.attributes[2] - 1});
        if (before == releases.end() || before->second->event.loc == e.loc) continue;
        add_lock(*before->second, r);
      }
  }
  void add_lock(const Record& release, const Record& acquire) {
    const Call& asking = calls_[acquire.call];
    const Time released = release.event.time, acquired = acquire.event.time;
    const Ticks wait = ticks(asking.enter, std::min(released, acquired));
    if (wait <= 0) return;
    const VertexIndex from = add(VertexKind::request, release.call, released, release.event.pos);
    const VertexIndex to = add(VertexKind::completion, acquire.call, acquired, acquire.event.pos);
    edge(from, to, EdgeKind::late_receiver, true, false);
    // What is released is the rest of its call; who waits does so until it has the lock.
    DependencyGraph::Vertex &releasing = result_.graph_[from], &waiting = result_.graph_[to];
    releasing.enter = released, releasing.enter_pos = release.event.pos;
    waiting.exit = acquired;
    const Ticks after = ticks(std::max(releasing.exit, released), acquired);
    point(from, PointKind::lock, 0, std::max<Ticks>(0, -after), {asking.location});
    point(to, PointKind::lock, wait, std::max<Ticks>(0, after), {release.event.loc});
  }

  // ---- non-blocking collective operations ----

  /// A member's part in one: `part` is about the record of its completion.
  struct Started {
    Part part;
    std::size_t started;  ///< the call
  };
  /// The longest wait of a call that completes some.
  struct Longest {
    Ticks wait = 0;
    std::size_t awaited = 0;  ///< the call that started the other's part
    std::optional<PointKind> kind{};
  };

  // The n-th operation that a process starts on a communicator is the n-th one of all its members.
  void nonblocking() {
    std::map<CommId, std::map<ProcessId, std::map<Position, Started>>> all;
    for (const auto& [pos, r] : records_) {
      const Event& e = r.event;
      if (e.type != EventType::nonblocking_collective_complete || e.attributes[1] >= definitions_.comms.size())
        continue;
      const auto request = records_.find(e.requestptr);
      if (request == records_.end()) continue;
      Started s{{r.call, e.time, e.time, pos, pos, e.attributes[3], e.attributes[4], e.attributes[2],
                 static_cast<CollectiveOp>(e.attributes[0])},
                request->second.call};
      s.part.begin = calls_[s.started].enter;
      all[CommId{e.attributes[1]}][process_of(e.loc)].emplace(request->first, s);
    }
    std::map<Position, std::pair<std::size_t, Longest>> by_record;  // waits by the record of the completion
    for (auto& [comm, by_process] : all) {
      const Comm& c = definitions_[comm];
      std::vector<LocationId> members = c.members;
      members.insert(members.end(), c.members_b.begin(), c.members_b.end());
      for (bool some = true; some;) {
        std::vector<Started> parts;
        some = false;
        for (const LocationId m : members)
          if (auto& of = by_process[process_of(m)]; !of.empty()) {
            parts.push_back(of.begin()->second);
            of.erase(of.begin());
            some = true;
          }
        if (some && parts.size() == members.size()) started_operation(c, members, parts, by_record);
      }
    }
    std::map<std::size_t, Longest> longest;  // by call; of equal ones the first
    for (const auto& [pos, wait] : by_record)
      if (wait.second.wait > longest[wait.first].wait) longest[wait.first] = wait.second;
    for (const auto& [call, wait] : longest)
      if (wait.kind && calls_[wait.awaited].location != calls_[call].location) add_nonblocking(call, wait);
  }

  void started_operation(const Comm& comm, const std::vector<LocationId>& members, const std::vector<Started>& all,
                         std::map<Position, std::pair<std::size_t, Longest>>& by_record) const {
    std::vector<Part> parts;
    for (const Started& s : all) parts.push_back(s.part);
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const Part& p : parts)
        if (p.root < root_this_group && process_of(LocationId{p.root}) == process_of(members[i])) root = i;
    const std::size_t group_a = comm.inter() ? comm.members.size() : 0;
    const std::optional<PointKind> kind = point_kind(waitstate::kind(parts[0].op));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::optional<std::size_t> last;
      for (std::size_t j = 0; j < parts.size(); ++j)
        if (gives(parts, group_a, root, kind, i, j) && (!last || parts[j].begin > parts[*last].begin)) last = j;
      const Call& call = calls_[parts[i].call];
      if (!last || is_test(call.function)) continue;
      const Ticks wait = ticks(call.enter, std::min(parts[*last].begin, call.exit));
      if (wait > 0) by_record[parts[i].end_pos] = {parts[i].call, {wait, all[*last].started, kind}};
    }
  }
  static std::optional<PointKind> point_kind(CollectiveKind kind) {
    switch (kind) {
      case CollectiveKind::barrier:
        return PointKind::barrier;
      case CollectiveKind::all_to_all:
        return PointKind::n2n;
      case CollectiveKind::one_to_all:
        return PointKind::one_to_n;
      case CollectiveKind::all_to_one:
        return PointKind::n_to_one;
      case CollectiveKind::scan:
        return PointKind::scan;
      default:
        return std::nullopt;
    }
  }
  // As needs(), whatever the clocks say; of its own data a member may be the last one.
  static bool gives(const std::vector<Part>& parts, std::size_t group_a, std::optional<std::size_t> root,
                    std::optional<PointKind> kind, std::size_t i, std::size_t j) {
    if (group_a != 0 && (i < group_a) == (j < group_a)) return false;
    const bool sends = parts[j].sent > 0, receives = parts[i].received > 0;
    if (kind == PointKind::barrier) return true;
    if (kind == PointKind::n2n) return sends && receives;
    if (kind == PointKind::one_to_n) return i != j && root == j && receives;
    if (kind == PointKind::n_to_one) return root == i && sends;
    return j <= i && sends;
  }

  void add_nonblocking(std::size_t call, const Longest& wait) {
    const Call &waiting = calls_[call], &awaited = calls_[wait.awaited];
    add_pair(*wait.kind, wait.wait, {VertexKind::request, wait.awaited, awaited.enter, awaited.enter_pos},
             {VertexKind::completion, call, waiting.exit, waiting.exit_pos});
  }

  /// Where a call comes, or stops waiting.
  struct PairEnd {
    VertexKind kind;
    std::size_t call;
    Time time;
    Position pos;
  };
  void add_pair(PointKind kind, Ticks wait, const PairEnd& awaited, const PairEnd& waiting) {
    const VertexIndex from = add(awaited.kind, awaited.call, awaited.time, awaited.pos);
    const VertexIndex to = add(waiting.kind, waiting.call, waiting.time, waiting.pos);
    edge(from, to, EdgeKind::collective, true, false);
    const Call &came = calls_[awaited.call], &waited = calls_[waiting.call];
    const Ticks after = ticks(came.exit, waited.exit);
    point(from, kind, 0, std::max<Ticks>(0, -after), {waited.location});
    point(to, kind, wait, std::max<Ticks>(0, after), {came.location});
  }

  // ---- work ----

  void connect() {
    for (const VertexIndex v : boost::make_iterator_range(boost::vertices(result_.graph_)))
      result_.of_location_[result_.graph_[v].location.index()].push_back(v);
    for (std::vector<VertexIndex>& of : result_.of_location_) {
      std::stable_sort(of.begin(), of.end(), [&](VertexIndex a, VertexIndex b) {
        const DependencyGraph::Vertex &x = result_.graph_[a], &y = result_.graph_[b];
        return x.pos != y.pos ? x.pos < y.pos : x.kind < y.kind;
      });
      for (std::size_t i = 1; i < of.size(); ++i) edge(of[i - 1], of[i], EdgeKind::work, false, true);
    }
  }

  const Definitions& definitions_;
  const bool all_waits_;
  DependencyGraph& result_;
  std::map<LocationId, std::pair<std::optional<Event>, std::optional<Event>>> events_of_;  ///< first and last
  std::vector<Call> calls_;
  std::unordered_map<Position, std::size_t> call_at_;  ///< by enter
  std::map<Position, Record> records_;
};

DependencyGraph::DependencyGraph(const EventTrace& trace, bool all_waits) {
  DependencyGraphBuilder(trace, all_waits, *this);
}

std::vector<VertexIndex> DependencyGraph::critical_path() const {
  // Where the run ends.
  std::optional<VertexIndex> last;
  for (const bool with_finalize : {true, false}) {
    for (const std::vector<VertexIndex>& of : of_location_)
      for (const VertexIndex v : of) {
        const bool ends = with_finalize ? graph_[v].point == PointKind::finalize
                                        : graph_[v].kind == VertexKind::end && is_master_[graph_[v].location.index()];
        const auto when = [&](VertexIndex w) { return with_finalize ? graph_[w].enter : graph_[w].time; };
        if (ends && (!last || when(v) > when(*last))) last = v;
      }
    if (last) break;
  }
  if (!last) return {};

  std::vector<VertexIndex> order;  // backwards
  try {
    boost::topological_sort(graph_, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw UsageError(
        "the clocks of this trace disagree so much that processes wait for each other in a circle: there is "
        "no critical path");
  }
  constexpr Ticks nothing = std::numeric_limits<Ticks>::min();
  const auto time = [&](VertexIndex v) {
    return graph_[v].enter_pos == no_position ? graph_[v].time : graph_[v].enter;
  };
  const auto cut = [&](VertexIndex v) { return static_cast<Ticks>(time(v) - time(*last)); };
  std::vector<Ticks> length(size(), nothing);  // up to the end of a vertex's wait
  std::vector<std::optional<VertexIndex>> before(size());
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (graph_[*v].kind == VertexKind::begin || graph_[*v].point == PointKind::init) {
      length[*v] = cut(*v);
      continue;
    }
    for (const auto& e : boost::make_iterator_range(boost::in_edges(*v, graph_))) {
      const VertexIndex u = boost::source(e, graph_);
      const bool work = graph_[e].kind == EdgeKind::work;
      if (length[u] == nothing || (!work && !graph_[e].awaited)) continue;
      const Ticks to = length[u] + cut(*v) - cut(u) + (work ? -graph_[u].wait : graph_[*v].wait);
      if (to > length[*v]) length[*v] = to, before[*v] = u;
    }
  }
  std::vector<VertexIndex> path;
  for (std::optional<VertexIndex> v = last; v; v = before[*v]) path.push_back(*v);
  std::reverse(path.begin(), path.end());
  return path;
}

std::string_view name(VertexKind kind) {
  switch (kind) {
    case VertexKind::begin:
      return "begin";
    case VertexKind::request:
      return "request";
    case VertexKind::arrival:
      return "arrival";
    case VertexKind::send:
      return "send";
    case VertexKind::receive:
      return "receive";
    case VertexKind::departure:
      return "departure";
    case VertexKind::completion:
      return "completion";
    case VertexKind::end:
      return "end";
  }
  return "";
}

std::string_view name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::work:
      return "work";
    case EdgeKind::message:
      return "message";
    case EdgeKind::late_receiver:
      return "late_receiver";
    case EdgeKind::collective:
      return "collective";
  }
  return "";
}

namespace {

using DependencyEdge = boost::graph_traits<DependencyGraph::Graph>::edge_descriptor;

/// What both forms say of vertices and edges.
class DependencyRows {
 public:
  DependencyRows(const DependencyGraph& graph, const EventTrace& trace)
      : graph_(graph),
        trace_(trace),
        resolution_(static_cast<double>(trace.definitions().clock.resolution)),
        place_on_path_(graph.size()) {
    const std::vector<VertexIndex> path = graph.critical_path();
    for (std::size_t i = 0; i < path.size(); ++i) place_on_path_[path[i]] = i + 1;
  }
  std::string location(LocationId l) const { return printable(location_label(trace_.definitions(), l)); }
  /// "MPI_Recv", or "begin".
  std::string label(VertexIndex v) const {
    const CallPathId path = graph_[v].callpath;
    return path.valid() ? printable(trace_.call_tree().name(path, trace_.definitions()))
                        : std::string(name(graph_[v].kind));
  }
  std::string callpath(VertexIndex v) const {
    const CallPathId path = graph_[v].callpath;
    return path.valid() ? printable(trace_.call_tree().path(path, trace_.definitions())) : std::string();
  }
  /// Since the first event of the trace.
  std::string seconds(VertexIndex v) const { return fmt::format("{:.12g}", trace_.seconds(graph_[v].time)); }
  std::string seconds(Ticks ticks) const { return fmt::format("{:.12g}", static_cast<double>(ticks) / resolution_); }
  Ticks wait(VertexIndex v) const { return graph_[v].wait; }
  /// From record to record; negative where a wait's record lies before that of its cause.
  Ticks ticks(const DependencyEdge& e) const {
    const VertexIndex from = boost::source(e, graph_.graph()), to = boost::target(e, graph_.graph());
    return static_cast<Ticks>(graph_[to].time - graph_[from].time);
  }
  bool critical(VertexIndex v) const { return place_on_path_[v] != 0; }
  bool critical(const DependencyEdge& e) const {
    const std::size_t from = place_on_path_[boost::source(e, graph_.graph())];
    return from != 0 && place_on_path_[boost::target(e, graph_.graph())] == from + 1 &&
           (graph_.graph()[e].kind == EdgeKind::work || graph_.graph()[e].awaited);
  }

 private:
  const DependencyGraph& graph_;
  const EventTrace& trace_;
  double resolution_;
  std::vector<std::size_t> place_on_path_;  ///< from 1; 0: not on it
};

}  // namespace

void write_dot(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out) {
  const DependencyRows rows(graph, trace);
  TextStream text(out);
  text.print(
      "digraph G {{\nlabel=\"who needed whom; bold: waits, red: the critical path\";\nrankdir=LR;\n"
      "node [shape=box];\n");
  for (std::size_t l = 0; l < trace.location_count(); ++l) {
    if (graph.of(LocationId{l}).empty()) continue;
    text.print("subgraph cluster_{} {{\nlabel={};\n", l, dot_string(rows.location(LocationId{l})));
    for (const VertexIndex v : graph.of(LocationId{l}))
      text.print("{} [label={}, kind={}, seconds={}, wait_ticks={}{}];\n", v,
                 dot_string(fmt::format("{}\n{} s", rows.label(v), rows.seconds(v))), name(graph[v].kind),
                 rows.seconds(v), rows.wait(v), rows.critical(v) ? ", critical=true, color=red" : "");
    text.print("}}\n");
  }
  for (const DependencyEdge& e : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const DependencyGraph::Edge& edge = graph.graph()[e];
    if (edge.kind == EdgeKind::collective && !edge.awaited) continue;  // of n members there are n squared
    const VertexIndex to = boost::target(e, graph.graph());
    text.print("{}->{} [kind={}, ticks={}", boost::source(e, graph.graph()), to, name(edge.kind), rows.ticks(e));
    if (edge.awaited) text.print(", label=\"waited {} s\", awaited=true, style=bold", rows.seconds(rows.wait(to)));
    if (edge.kind != EdgeKind::work) text.print(", constraint=false");
    if (rows.critical(e)) text.print(", critical=true, color=red");
    text.print("];\n");
  }
  text.print("}}\n");
  text.flush();
}

void write_graphml(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out) {
  const DependencyRows rows(graph, trace);
  GraphmlWriter writer(out, {{"node", "kind", "string"},
                             {"node", "location", "string"},
                             {"node", "callpath", "string"},
                             {"node", "seconds", "double"},
                             {"node", "wait_ticks", "long"},
                             {"node", "critical", "boolean"},
                             {"edge", "kind", "string"},
                             {"edge", "ticks", "long"},
                             {"edge", "awaited", "boolean"},
                             {"edge", "critical", "boolean"}});
  for (const VertexIndex v : boost::make_iterator_range(boost::vertices(graph.graph())))
    writer.node(v, [&] {
      writer.data(0, name(graph[v].kind));
      writer.data(1, rows.location(graph[v].location));
      writer.data(2, rows.callpath(v));
      writer.data(3, rows.seconds(v));
      writer.data(4, rows.wait(v));
      writer.data(5, rows.critical(v));
    });
  for (const DependencyEdge& e : boost::make_iterator_range(boost::edges(graph.graph())))
    writer.edge(boost::source(e, graph.graph()), boost::target(e, graph.graph()), [&] {
      const DependencyGraph::Edge& edge = graph.graph()[e];
      writer.data(6, name(edge.kind));
      writer.data(7, rows.ticks(e));
      writer.data(8, edge.awaited);
      writer.data(9, rows.critical(e));
    });
  writer.finish();
}

}  // namespace waitstate::report
