// Five steps, the order of the functions below: replay each location (regions, calls, records), match messages, judge
// messages, put collective operations together, judge these. A call is the innermost region around a record.
//
// Longer than most files because it is a whole analyser: it has the engine's replay, linker and patterns in one, and
// splitting it would hide that nothing else goes into a number.
//
// Cost: about 1 µs and 300 bytes an event, and quadratic in the receives of a location (wrong order), on purpose.
#include "support/slow_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <set>

#include "notation/document.hpp"

namespace waitstate::support {
namespace {

using Process = std::uint32_t;

struct Message;

/// One instance of a region.
struct Call {
  std::uint32_t location = 0;
  Process process = 0;
  std::string path, function;  ///< function: the region's name as MPI_Isend, whatever the spelling
  Time enter = 0, exit = 0;
  Time spent_below = 0;
  std::vector<Message*> receives, sends;  ///< operations that complete here, in record order
};

struct Message {
  std::uint64_t bytes = 0;
  Time send_time = 0;
  Call *send = nullptr, *send_completion = nullptr;
  Call *receive = nullptr, *post = nullptr;
};

struct Receive {
  Time time;
  std::uint64_t order;  ///< among the records of the location
  Call *call, *post;
};

/// The part of one process in a collective operation.
struct Part {
  CollectiveOp op{};
  std::uint64_t root = 0, sent = 0, received = 0;
  Process process = 0;
  std::uint32_t location = 0;
  std::uint64_t order = 0;     ///< order of its begin or start among the records of the location
  Time begin = 0, end = 0;     ///< blocking: B and C
  Call* call = nullptr;        ///< the call with the records; for a non-blocking operation, the one that started it
  Call* completing = nullptr;  ///< non-blocking only
  std::uint64_t completion_order = 0;
};

struct Instance {
  const Comm* comm = nullptr;
  std::vector<const Part*> parts;  ///< by rank; for an inter-communicator group A, then group B
  std::size_t group_a = 0;         ///< inter-communicator only
  std::optional<std::size_t> root;

  // Whether data goes from one member to another.
  bool crosses(std::size_t from, std::size_t to) const { return group_a == 0 || (from < group_a) != (to < group_a); }
};

enum class Kind { barrier, all_to_all, one_to_all, all_to_one, scan, handle };

Kind kind_of(CollectiveOp op) {
  using enum CollectiveOp;
  static const std::set<CollectiveOp> one_to_all{bcast, scatter, scatterv}, all_to_one{reduce, gather, gatherv},
      scans{scan, exscan}, all_to_all{allreduce, allgather, allgatherv,     alltoall,
                                      alltoallv, alltoallw, reduce_scatter, reduce_scatter_block};
  if (op == barrier) return Kind::barrier;
  if (one_to_all.contains(op)) return Kind::one_to_all;
  if (all_to_one.contains(op)) return Kind::all_to_one;
  if (all_to_all.contains(op)) return Kind::all_to_all;
  if (scans.contains(op)) return Kind::scan;
  return Kind::handle;
}

// MPI_Isend of mpi_isend_, PMPI_ISEND, …; empty if it is no MPI function.
std::string mpi_name(const std::string& region) {
  std::string name;
  for (const char c : region) name += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.starts_with("pmpi_")) name.erase(0, 1);
  if (!name.starts_with("mpi_") || name.size() < 5) return {};
  name.replace(0, 4, "MPI_");
  if (name[4] >= 'a' && name[4] <= 'z') name[4] = static_cast<char>(name[4] - 'a' + 'A');
  return name;
}

bool one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool tests(const Call& c) {
  return one_of(c.function, {"MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome", "MPI_Request_get_status"});
}
bool waits_for_many(const Call& c) { return one_of(c.function, {"MPI_Waitall", "MPI_Waitsome"}); }
bool waits(const Call& c) { return waits_for_many(c) || one_of(c.function, {"MPI_Wait", "MPI_Waitany"}); }
bool neighbours_only(const Call& c) {
  return c.function.starts_with("MPI_Neighbor_") || c.function.starts_with("MPI_Ineighbor_");
}

Ticks difference(Time later, Time earlier) { return static_cast<Ticks>(later) - static_cast<Ticks>(earlier); }

class SlowAnalysis {
 public:
  explicit SlowAnalysis(std::string_view trace)
      : document_(notation::Document::parse(trace)), definitions_(document_.definitions()) {}

  SlowTable run() {
    for (std::size_t l = 0; l < definitions_.locations.size(); ++l) replay(static_cast<std::uint32_t>(l));
    match_messages();
    count_messages();
    late_senders();
    late_receivers();
    init_and_finalize();
    put_collectives_together();
    for (const Instance& instance : blocking_) judge_blocking(instance);
    judge_nonblocking();
    return std::move(table_);
  }

 private:
  void add(const std::string& metric, const Call& call, Ticks value) {
    table_[{metric, call.path, call.location}] += value;
  }

  // ---- replay ----

  struct Sink {
    SlowAnalysis& analysis;
    std::uint32_t location;
    Process process;
    std::vector<Call*> stack;
    Time last = 0;
    std::uint64_t record = 0;
    std::map<std::uint64_t, Message*> isends;
    std::map<std::uint64_t, Call*> irecvs;
    std::map<std::uint64_t, std::pair<Call*, std::uint64_t>> started;  ///< non-blocking collectives
    std::vector<std::pair<Time, std::uint64_t>> begun;                 ///< blocking ones

    void enter_name(Time t, const std::string& name) {
      Call& call = analysis.calls_.emplace_back();
      call.location = location;
      call.process = process;
      call.path = stack.empty() ? name : stack.back()->path + "/" + name;
      call.function = mpi_name(name);
      call.enter = t;
      stack.push_back(&call);
      analysis.add("visits", call, 1);
    }
    void leave(Time t) {
      Call& call = *stack.back();
      stack.pop_back();
      call.exit = t;
      analysis.add("time", call, difference(t - call.enter, call.spent_below));
      if (!stack.empty()) stack.back()->spent_below += t - call.enter;
    }

    void attribute_list(std::span<const ListedAttribute>) {}
    void enter(Time t, RegionId region) {
      last = t;
      enter_name(t, analysis.definitions_[region].name);
    }
    void exit(Time t, RegionId) {
      last = t;
      if (!stack.empty()) leave(t);
    }
    void event(EventType type, Time t, const std::uint64_t* a, std::span<const Value>) {
      last = t;
      ++record;
      switch (type) {
        case EventType::program_begin: {
          const std::string& program = analysis.definitions_[StringId{a[0]}];
          return enter_name(t, program.substr(program.find_last_of('/') + 1));
        }
        case EventType::program_end:
          while (!stack.empty()) leave(t);
          return;
        default:
          if (!stack.empty()) communication(type, t, a);
      }
    }
    void communication(EventType type, Time t, const std::uint64_t* a) {
      Call& call = *stack.back();
      switch (type) {
        case EventType::send:
        case EventType::isend: {
          Message& m = analysis.messages_.emplace_back();
          m.bytes = a[3];
          m.send_time = t;
          m.send = &call;
          if (type == EventType::isend) {
            isends[a[4]] = &m;
          } else {
            m.send_completion = &call;
            call.sends.push_back(&m);
          }
          analysis.sends_[{a[2], process, analysis.process_of(a[0]), a[1]}].push_back(&m);
          break;
        }
        case EventType::isend_complete:
          if (const auto m = isends.find(a[0]); m != isends.end()) {
            m->second->send_completion = &call;
            call.sends.push_back(m->second);
            isends.erase(m);
          }
          break;
        case EventType::irecv_request:
          irecvs[a[0]] = &call;
          break;
        case EventType::recv:
        case EventType::irecv: {
          Call* post = &call;
          if (type == EventType::irecv && irecvs.contains(a[4])) {
            post = irecvs[a[4]];
            irecvs.erase(a[4]);
          }
          analysis.receives_[{a[2], analysis.process_of(a[0]), process, a[1]}].push_back({t, record, &call, post});
          break;
        }
        case EventType::collective_begin:
          begun.emplace_back(t, record);
          break;
        case EventType::collective_end: {
          Part& p = part(a, call);
          p.begin = t;
          p.end = t;
          p.order = record;
          if (!begun.empty()) {
            std::tie(p.begin, p.order) = begun.back();
            begun.pop_back();
          }
          analysis.blocking_parts_[a[1]][process].push_back(&p);
          break;
        }
        case EventType::nonblocking_collective_request:
          started[a[0]] = {&call, record};
          break;
        case EventType::nonblocking_collective_complete: {
          Part& p = part(a, call);
          p.completing = &call;
          p.completion_order = record;
          p.order = record;
          if (const auto start = started.find(a[5]); start != started.end()) {
            std::tie(p.call, p.order) = start->second;
            started.erase(start);
          }
          analysis.nonblocking_parts_[a[1]][process].push_back(&p);
          break;
        }
        default:
          break;
      }
    }
    Part& part(const std::uint64_t* a, Call& call) {
      Part& p = analysis.parts_.emplace_back();
      p.op = static_cast<CollectiveOp>(a[0]);
      p.root = a[2];
      p.sent = a[3];
      p.received = a[4];
      p.process = process;
      p.location = location;
      p.call = &call;
      return p;
    }
  };

  void replay(std::uint32_t location) {
    Sink sink{*this, location, process_of(location), {}, 0, 0, {}, {}, {}, {}};
    while (document_.read(LocationId{location}, sink, 1000) != 0) {
    }
    while (!sink.stack.empty()) sink.leave(sink.last);
  }

  Process process_of(std::uint64_t location) const {
    return location < definitions_.locations.size() ? definitions_.locations[location].process.value
                                                    : std::numeric_limits<Process>::max();
  }

  // ---- messages ----

  void match_messages() {
    for (auto& [channel, receives] : receives_) {
      // The threads of a process share a channel: in time order.
      std::stable_sort(receives.begin(), receives.end(),
                       [](const Receive& a, const Receive& b) { return a.time < b.time; });
      std::vector<Message*>& sends = sends_[channel];
      std::stable_sort(sends.begin(), sends.end(),
                       [](const Message* a, const Message* b) { return a->send_time < b->send_time; });
      for (std::size_t i = 0; i < std::min(sends.size(), receives.size()); ++i) {
        sends[i]->receive = receives[i].call;
        sends[i]->post = receives[i].post;
        matched_.push_back({receives[i], sends[i]});
      }
    }
  }

  void count_messages() {
    for (const Message& m : messages_) {
      add(m.bytes == 0 ? "syncs_send" : "comms_send", *m.send, 1);
      add("bytes_sent", *m.send, static_cast<Ticks>(m.bytes));
    }
    for (const auto& [receive, m] : matched_) {
      add(m->bytes == 0 ? "syncs_recv" : "comms_recv", *receive.call, 1);
      add("bytes_rcvd", *receive.call, static_cast<Ticks>(m->bytes));
    }
  }

  static Ticks late_sender_ticks(const Message& m) {
    if (tests(*m.receive)) return 0;
    return std::max<Ticks>(0, difference(std::min(m.send->enter, m.receive->exit), m.receive->enter));
  }

  void late_senders() {
    // The receives of each location in record order: all of one call lie together.
    for (std::uint32_t l = 0; l < definitions_.locations.size(); ++l) {
      std::vector<Message*> received;
      for (Call& call : calls_)
        if (call.location == l) {
          call.receives = receives_of(call);
          received.insert(received.end(), call.receives.begin(), call.receives.end());
        }
      for (Call& call : calls_)
        if (call.location == l)
          for (Message* m : late_instances(call)) late_sender(*m, received);
    }
  }

  // The messages received in a call, in the order of their receive records.
  std::vector<Message*> receives_of(const Call& call) {
    if (matched_by_call_.empty())
      for (const auto& [receive, m] : matched_) matched_by_call_[receive.call].push_back({receive.order, m});
    auto& list = matched_by_call_[&call];
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Message*> result;
    for (const auto& [order, m] : list) result.push_back(m);
    return result;
  }

  static std::vector<Message*> late_instances(const Call& call) {
    std::vector<Message*> late;
    for (Message* m : call.receives)
      if (late_sender_ticks(*m) > 0) late.push_back(m);
    if (!waits_for_many(call) || late.empty()) return late;
    return {*std::max_element(late.begin(), late.end(), [](const Message* a, const Message* b) {
      return late_sender_ticks(*a) < late_sender_ticks(*b);
    })};
  }

  void late_sender(const Message& m, const std::vector<Message*>& received) {
    const Call& call = *m.receive;
    const Ticks wait = late_sender_ticks(m);
    add("mpi_latesender", call, wait);
    add(m.bytes == 0 ? "mpi_sls_count" : "mpi_cls_count", call, 1);
    const auto this_one = std::find(received.begin(), received.end(), &m);
    const auto overtaker = std::find_if(this_one, received.end(), [&](const Message* later) {
      return later->receive != &call && later->send_time < m.send_time;
    });
    if (overtaker == received.end()) return;
    add("mpi_latesender_wo", call, wait);
    add((*overtaker)->send->process == m.send->process ? "mpi_lswo_same" : "mpi_lswo_different", call, wait);
    add(m.bytes == 0 ? "mpi_slswo_count" : "mpi_clswo_count", call, 1);
  }

  static Ticks late_receiver_ticks(const Message& m, const Call& call) {
    if (m.receive == nullptr) return 0;
    const bool blocking = one_of(m.send->function, {"MPI_Send", "MPI_Ssend"}) && &call == m.send;
    const bool started =
        one_of(m.send->function, {"MPI_Isend", "MPI_Issend", "MPI_Start", "MPI_Startall"}) && waits(call);
    if (!blocking && !started) return 0;
    if (m.post->function.starts_with("MPI_Wait") || m.post->function.starts_with("MPI_Test"))
      return 0;  // posts nothing
    if (call.exit <= m.post->enter) return 0;
    return std::max<Ticks>(0, difference(m.post->enter, call.enter));
  }

  void late_receivers() {
    for (const Call& call : calls_) {
      std::vector<Message*> late;
      for (Message* m : call.sends)
        if (late_receiver_ticks(*m, call) > 0) late.push_back(m);
      if (waits_for_many(call) && !late.empty()) {
        if (!late_instances(call).empty()) continue;
        late = {*std::max_element(late.begin(), late.end(), [&](const Message* a, const Message* b) {
          return late_receiver_ticks(*a, call) < late_receiver_ticks(*b, call);
        })};
      }
      for (const Message* m : late) {
        add("mpi_latereceiver", call, late_receiver_ticks(*m, call));
        add(m->bytes == 0 ? "mpi_slr_count" : "mpi_clr_count", call, 1);
      }
    }
  }

  // ---- init and finalize ----

  void init_and_finalize() {
    std::set<Process> world;
    for (const LocationGroup& process : definitions_.processes)
      if (process.rank >= 0) world.insert(process_of(process.locations.front().value));
    for (const bool init : {true, false}) {
      std::map<Process, const Call*> first;
      for (const Call& call : calls_)
        if (init ? one_of(call.function, {"MPI_Init", "MPI_Init_thread"}) : call.function == "MPI_Finalize")
          if (const Call*& known = first[call.process]; known == nullptr || call.enter < known->enter) known = &call;
      if (first.size() < 2 || first.size() != world.size()) continue;
      Time last_enter = 0, first_exit = ~Time{0};
      for (const auto& [process, call] : first) {
        last_enter = std::max(last_enter, call->enter);
        first_exit = std::min(first_exit, call->exit);
      }
      for (const auto& [process, call] : first) {
        const Time entered = std::min(last_enter, call->exit);
        if (init)
          add("mpi_init_completion", *call, difference(call->exit, std::max(first_exit, entered)));
        else
          add("mpi_finalize_wait", *call, difference(entered, call->enter));
      }
    }
  }

  // ---- collective operations ----

  using Parts = std::map<std::uint64_t, std::map<Process, std::vector<const Part*>>>;  // by communicator and process

  void put_collectives_together() {
    for (const Part& p : parts_) count_collective(p);
    for (Parts* all : {&blocking_parts_, &nonblocking_parts_})
      for (auto& [comm, by_process] : *all) {
        if (comm >= definitions_.comms.size()) continue;
        std::size_t operations = 0;
        for (auto& [process, parts] : by_process) {
          std::stable_sort(parts.begin(), parts.end(), [](const Part* a, const Part* b) {
            return a->location == b->location ? a->order < b->order : start_time(*a) < start_time(*b);
          });
          operations = std::max(operations, parts.size());
        }
        for (std::size_t n = 0; n < operations; ++n)
          if (const auto instance = nth_operation(definitions_.comms[comm], by_process, n))
            (all == &blocking_parts_ ? blocking_ : nonblocking_).push_back(*instance);
      }
  }

  static Time start_time(const Part& p) { return p.completing ? p.call->enter : p.begin; }

  void count_collective(const Part& p) {
    if (kind_of(p.op) == Kind::handle) return;
    add(p.sent != 0       ? p.received != 0 ? "comms_cxch" : "comms_csrc"
        : p.received != 0 ? "comms_cdst"
                          : "syncs_coll",
        *p.call, 1);
    add("bytes_cout", *p.call, static_cast<Ticks>(p.sent));
    add("bytes_cin", *p.call, static_cast<Ticks>(p.received));
  }

  // The n-th operation on a communicator, if it is complete and all members agree on its kind.
  std::optional<Instance> nth_operation(const Comm& comm, const std::map<Process, std::vector<const Part*>>& by_process,
                                        std::size_t n) const {
    if (comm.self) return {};
    Instance instance;
    instance.comm = &comm;
    std::vector<LocationId> members = comm.members;
    members.insert(members.end(), comm.members_b.begin(), comm.members_b.end());
    if (comm.inter()) instance.group_a = comm.members.size();
    for (const LocationId member : members) {
      const auto parts = by_process.find(process_of(member.value));
      if (parts == by_process.end() || parts->second.size() <= n) return {};
      instance.parts.push_back(parts->second[n]);
    }
    if (instance.parts.size() < 2) return {};
    for (const Part* p : instance.parts) {
      if (p->op != instance.parts[0]->op) return {};
      if (!comm.inter() && p->root != instance.parts[0]->root) return {};
      // A root is named by its location; all members name it, of an inter-communicator only some.
      for (std::size_t i = 0; i < members.size(); ++i)
        if (p->root < root_this_group && process_of(p->root) == process_of(members[i].value)) instance.root = i;
    }
    return instance;
  }

  void judge_blocking(const Instance& c) {
    if (neighbours_only(*c.parts[0]->call)) return;
    switch (kind_of(c.parts[0]->op)) {
      case Kind::barrier:
        return barrier(c);
      case Kind::all_to_all:
        return all_to_all(c);
      case Kind::one_to_all:
        for (std::size_t i = 0; c.root && i < c.parts.size(); ++i)
          if (i != *c.root && c.crosses(*c.root, i) && c.parts[i]->received > 0)
            wait_until("mpi_latebroadcast", *c.parts[i], c.parts[*c.root]->begin);
        return;
      case Kind::all_to_one:
        if (c.root) wait_until("mpi_earlyreduce", *c.parts[*c.root], latest_sender(c, *c.root, c.parts.size()));
        return;
      case Kind::scan:
        for (std::size_t i = 0; i < c.parts.size(); ++i)
          wait_until("mpi_earlyscan", *c.parts[i], latest_sender(c, i, i + 1));
        return;
      case Kind::handle:
        return;
    }
  }

  void wait_until(const char* metric, const Part& p, std::optional<Time> until) {
    if (until && *until > p.begin) add(metric, *p.call, difference(std::min(*until, p.end), p.begin));
  }

  // The latest begin among the first `count` members that send bytes to member `to`.
  static std::optional<Time> latest_sender(const Instance& c, std::size_t to, std::size_t count) {
    std::optional<Time> latest;
    for (std::size_t i = 0; i < count; ++i)
      if (c.crosses(i, to) && c.parts[i]->sent > 0) latest = std::max(latest.value_or(0), c.parts[i]->begin);
    return latest;
  }

  void barrier(const Instance& c) {
    for (std::size_t i = 0; i < c.parts.size(); ++i) {
      Time last_begin = 0, first_end = ~Time{0};
      for (std::size_t j = 0; j < c.parts.size(); ++j) {
        if (c.crosses(j, i)) last_begin = std::max(last_begin, c.parts[j]->begin);
        first_end = std::min(first_end, c.parts[j]->end);
      }
      const Part& p = *c.parts[i];
      wait_until("mpi_barrier_wait", p, last_begin);
      // On an inter-communicator, p itself may have begun after all members of the other group.
      const Time done = std::max(first_end, std::min(std::max(last_begin, p.begin), p.end));
      if (p.end > done) add("mpi_barrier_completion", *p.call, difference(p.end, done));
    }
  }

  void all_to_all(const Instance& c) {
    const auto moves = [](const Part* p) { return p->sent > 0 || p->received > 0; };
    if (std::none_of(c.parts.begin(), c.parts.end(), moves)) return;
    Time last_begin = 0, first_end = ~Time{0};
    for (const Part* p : c.parts) last_begin = std::max(last_begin, p->begin), first_end = std::min(first_end, p->end);
    const bool all_overlap = c.group_a == 0 && first_end > last_begin;

    std::set<std::size_t> synchronising;
    for (std::size_t i = 0; i < c.parts.size(); ++i) {
      const Part& p = *c.parts[i];
      const std::optional<Time> latest = all_overlap ? last_begin : latest_sender(c, i, c.parts.size());
      if (!latest) continue;
      const bool waits = all_overlap || (p.received > 0 && p.begin < *latest);
      if (waits) wait_until("mpi_wait_nxn", p, latest);
      if (waits) synchronising.insert(i);
    }
    if (c.group_a != 0) return;  // our choice: no completion across the groups of an inter-communicator

    Time latest = last_begin;
    if (!all_overlap) {
      // The sender with the latest begin; of several the one of lowest rank (our choice).
      std::optional<std::size_t> last;
      for (std::size_t i = 0; i < c.parts.size(); ++i)
        if (c.parts[i]->sent > 0 && (!last || c.parts[i]->begin > c.parts[*last]->begin)) last = i;
      if (!last) return;
      latest = c.parts[*last]->begin;
      synchronising.insert(*last);
    }
    first_end = ~Time{0};
    for (const std::size_t i : synchronising) first_end = std::min(first_end, c.parts[i]->end);
    for (const std::size_t i : synchronising) {
      const Part& p = *c.parts[i];
      const Time done = std::max(first_end, std::min(latest, p.end));
      if (p.end > done) add("mpi_nxn_completion", *p.call, difference(p.end, done));
    }
  }

  // ---- non-blocking collective operations ----

  void judge_nonblocking() {
    struct Completion {
      std::uint64_t order;
      const char* metric;
      Ticks wait;
    };
    std::map<const Call*, std::vector<Completion>> by_call;
    for (const Instance& c : nonblocking_)
      for (std::size_t i = 0; i < c.parts.size(); ++i) {
        const Part& p = *c.parts[i];
        if (tests(*p.completing) || neighbours_only(*p.call)) continue;
        const auto [metric, awaited] = awaited_by(c, i);
        if (!awaited) continue;
        const Ticks wait = difference(std::min(*awaited, p.completing->exit), p.completing->enter);
        by_call[p.completing].push_back({p.completion_order, metric, wait});
      }
    for (auto& [call, completions] : by_call) {
      std::sort(completions.begin(), completions.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
      const auto longest = std::max_element(completions.begin(), completions.end(),
                                            [](const auto& a, const auto& b) { return a.wait < b.wait; });
      if (longest->wait > 0) add(longest->metric, *call, longest->wait);
    }
  }

  // The metric, and the latest enter of a call that started the operation, of those that member i has to wait for.
  static std::pair<const char*, std::optional<Time>> awaited_by(const Instance& c, std::size_t i) {
    std::optional<Time> latest;
    const auto await = [&](std::size_t j) {
      if (c.crosses(j, i)) latest = std::max(latest.value_or(0), c.parts[j]->call->enter);
    };
    const Kind kind = kind_of(c.parts[0]->op);
    const std::size_t up_to = kind == Kind::scan ? i + 1 : c.parts.size();
    switch (kind) {
      case Kind::barrier:
        for (std::size_t j = 0; j < up_to; ++j) await(j);
        return {"mpi_barrier_wait", latest};
      case Kind::one_to_all:
        if (c.root && *c.root != i && c.parts[i]->received > 0) await(*c.root);
        return {"mpi_latebroadcast", latest};
      case Kind::all_to_one:
        if (c.root != i) return {"mpi_earlyreduce", {}};
        break;
      case Kind::all_to_all:
        if (c.parts[i]->received == 0) return {"mpi_wait_nxn", {}};
        break;
      case Kind::scan:
        break;
      case Kind::handle:
        return {"", {}};
    }
    for (std::size_t j = 0; j < up_to; ++j)
      if (c.parts[j]->sent > 0) await(j);
    return {kind == Kind::scan         ? "mpi_earlyscan"
            : kind == Kind::all_to_one ? "mpi_earlyreduce"
                                       : "mpi_wait_nxn",
            latest};
  }

  notation::Document document_;
  const Definitions& definitions_;
  SlowTable table_;
  std::deque<Call> calls_;  ///< deque: pointers stay
  std::deque<Message> messages_;
  std::deque<Part> parts_;
  using Channel = std::tuple<std::uint64_t, Process, Process, std::uint64_t>;  // communicator, sender, receiver, tag
  std::map<Channel, std::vector<Message*>> sends_;
  std::map<Channel, std::vector<Receive>> receives_;
  std::vector<std::pair<Receive, Message*>> matched_;
  std::map<const Call*, std::vector<std::pair<std::uint64_t, Message*>>> matched_by_call_;
  Parts blocking_parts_, nonblocking_parts_;
  std::vector<Instance> blocking_, nonblocking_;
};

}  // namespace

const std::vector<std::string>& slow_metrics() {
  static const std::vector<std::string> metrics{"time",
                                                "visits",
                                                "syncs_send",
                                                "syncs_recv",
                                                "syncs_coll",
                                                "comms_send",
                                                "comms_recv",
                                                "comms_cxch",
                                                "comms_csrc",
                                                "comms_cdst",
                                                "bytes_sent",
                                                "bytes_rcvd",
                                                "bytes_cout",
                                                "bytes_cin",
                                                "mpi_latesender",
                                                "mpi_latesender_wo",
                                                "mpi_lswo_same",
                                                "mpi_lswo_different",
                                                "mpi_latereceiver",
                                                "mpi_slr_count",
                                                "mpi_sls_count",
                                                "mpi_slswo_count",
                                                "mpi_clr_count",
                                                "mpi_cls_count",
                                                "mpi_clswo_count",
                                                "mpi_init_completion",
                                                "mpi_finalize_wait",
                                                "mpi_barrier_wait",
                                                "mpi_barrier_completion",
                                                "mpi_earlyreduce",
                                                "mpi_earlyscan",
                                                "mpi_latebroadcast",
                                                "mpi_wait_nxn",
                                                "mpi_nxn_completion"};
  return metrics;
}

SlowTable slow_reference(std::string_view trace) { return SlowAnalysis(trace).run(); }

Rows rows(const SlowTable& table) {
  Rows result;
  for (const auto& [key, value] : table) {
    const auto& [metric, callpath, location] = key;
    if (value != 0) result.insert(fmt::format("{},{},{},{}", metric, callpath, location, value));
  }
  return result;
}

}  // namespace waitstate::support
