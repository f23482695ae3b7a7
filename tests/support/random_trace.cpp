// The simulated MPI. Invariant: every location's clock only moves forward, and events written at a location carry its
// clock, so each location's events are in order by construction. Cost: a few µs a step.
//
// The file is long because all calls of a program - MPI, SHMEM, OpenMP, locks, CUDA - share one state (clocks,
// channels, requests, communicators, teams): each function is a few lines here, and there are many of them.
#include "support/random_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace waitstate::support {
namespace {

using Time = std::uint64_t;
using Line = RandomTrace::Line;
using Communicator = RandomTrace::Communicator;

struct Request;

struct Message {
  std::uint32_t from = 0, to = 0, communicator = 0, tag = 0;  ///< locations
  std::uint64_t bytes = 0;
  Time sent = 0;
  std::optional<Time> met;  ///< when a receive for it was there and it was sent
};

/// A non-blocking operation that is not completed.
struct Request {
  enum class Kind { send, receive, collective } kind{};
  std::uint64_t id = 0;
  Message* message = nullptr;  ///< for a receive: set once the message is sent
  bool synchronous = false;    ///< a send that completes once it is received
  Time posted = 0;
  Time ready = 0;          ///< collective
  std::string completion;  ///< collective: the record, up to its root
  std::optional<std::uint32_t> root;
  std::string rest;

  bool can_complete() const {
    return kind == Kind::collective || (message != nullptr && (kind == Kind::receive || !synchronous || message->met));
  }
  Time ready_at() const {
    if (kind == Kind::collective) return ready;
    return kind == Kind::receive ? message->sent : synchronous ? *message->met : 0;
  }
};

struct Location {
  std::uint32_t number = 0, process = 0, thread = 0;
  bool of_team = false;  ///< it does nothing but what its team does
  bool is_stream = false;
  std::size_t floor = 0;  ///< regions that are open until the program, a thread or a parallel region ends
  Time clock = 0;
  std::vector<std::string> stack;
  std::vector<Request*> open;
  std::vector<Line> lines;
};

struct Channel {
  std::deque<Message*> in_flight;  ///< sent, and no receive is there yet
  std::deque<Request*> posted;     ///< receives whose message is not sent yet
  bool idle() const { return in_flight.empty() && posted.empty(); }
};

enum class Kind { barrier, all_to_all, one_to_all, all_to_one, scan };
struct Operation {
  const char *function, *nonblocking, *op;
  Kind kind;
};
constexpr Operation operations[] = {
    {"MPI_Barrier", "MPI_Ibarrier", "barrier", Kind::barrier},
    {"MPI_Allreduce", "MPI_Iallreduce", "allreduce", Kind::all_to_all},
    {"MPI_Bcast", "MPI_Ibcast", "bcast", Kind::one_to_all},
    {"MPI_Reduce", "MPI_Ireduce", "reduce", Kind::all_to_one},
    {"MPI_Scan", "MPI_Iscan", "scan", Kind::scan},
    {"MPI_Allgather", "MPI_Iallgather", "allgather", Kind::all_to_all},
    {"MPI_Allgatherv", "MPI_Iallgatherv", "allgatherv", Kind::all_to_all},
    {"MPI_Alltoall", "MPI_Ialltoall", "alltoall", Kind::all_to_all},
    {"MPI_Alltoallv", "MPI_Ialltoallv", "alltoallv", Kind::all_to_all},
    {"MPI_Alltoallw", "MPI_Ialltoallw", "alltoallw", Kind::all_to_all},
    {"MPI_Reduce_scatter", "MPI_Ireduce_scatter", "reduce_scatter", Kind::all_to_all},
    {"MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block", "reduce_scatter_block", Kind::all_to_all},
    {"MPI_Scatter", "MPI_Iscatter", "scatter", Kind::one_to_all},
    {"MPI_Scatterv", "MPI_Iscatterv", "scatterv", Kind::one_to_all},
    {"MPI_Gather", "MPI_Igather", "gather", Kind::all_to_one},
    {"MPI_Gatherv", "MPI_Igatherv", "gatherv", Kind::all_to_one},
    {"MPI_Exscan", "MPI_Iexscan", "exscan", Kind::scan},
};
constexpr Operation neighbourhood_operations[] = {
    {"MPI_Neighbor_allgather", "MPI_Ineighbor_allgather", "allgather", Kind::all_to_all},
    {"MPI_Neighbor_alltoallw", "MPI_Ineighbor_alltoallw", "alltoallw", Kind::all_to_all},
};
constexpr const char* user_regions[] = {"solve", "exchange", "assemble", "update"};

/// One collective operation as it is being executed.
struct Collective {
  const Operation& operation;
  std::uint32_t communicator;
  std::vector<Location*> members;
  std::size_t group_a = 0;  ///< inter-communicator
  std::size_t root = 0;
  std::vector<std::uint64_t> sent, received;
  const std::vector<std::vector<std::uint32_t>>* sources = nullptr;  ///< neighbourhoods

  bool crosses(std::size_t from, std::size_t to) const { return group_a == 0 || (from < group_a) != (to < group_a); }
  bool needs(std::size_t to, std::size_t from) const {
    if (!crosses(from, to)) return false;
    if (sources != nullptr && std::find((*sources)[to].begin(), (*sources)[to].end(), from) == (*sources)[to].end())
      return false;
    switch (operation.kind) {
      case Kind::barrier:
        return true;
      case Kind::one_to_all:
        return from == root && received[to] > 0;
      case Kind::all_to_one:
        return to == root && sent[from] > 0;
      case Kind::scan:
        return from <= to && sent[from] > 0;
      case Kind::all_to_all:
        break;
    }
    return sent[from] > 0 && received[to] > 0;
  }
};

/// An explicit task that is not completed.
struct ExplicitTask {
  std::vector<std::string> stack{};  ///< open in it
  Time free = 0;                     ///< the time from which others may execute it
  bool begun = false;
};

/// Threads of a process that take part in its parallel regions, the first one with them.
struct ThreadTeam {
  std::vector<Location*> threads{};               ///< threads of the process
  std::vector<Location*> members{};               ///< members of the open region; empty if none is open
  std::uint32_t communicator = 0;                 ///< communicator of that region: index into team_communicators_
  std::size_t outside = 0;                        ///< regions that were open on the first thread, and may not be left
  std::map<std::uint64_t, ExplicitTask> tasks{};  ///< by number
};
/// Regions that names alone do not tell; the number is the place here.
constexpr const char* more_regions[] = {
    R"(name="!$omp parallel @a.c:1" role=parallel paradigm=openmp)",
    R"(name="!$omp parallel @a.c:5" role=parallel paradigm=openmp)",
    R"(name="!$omp barrier @a.c:2" role=barrier paradigm=openmp)",
    R"(name="!$omp implicit barrier @a.c:3" role=implicit_barrier paradigm=openmp)",
    R"(name=shmem_barrier_all role=function paradigm=shmem)",
    R"(name=shmem_broadcast32 role=function paradigm=shmem)",
    R"(name=shmem_collect32 role=function paradigm=shmem)",
    R"(name=shmem_long_wait_until role=function paradigm=shmem)",
    R"(name=shmem_long_p role=function paradigm=shmem)",
    R"(name=shmem_set_lock role=function paradigm=shmem)",
    R"(name=shmem_clear_lock role=function paradigm=shmem)",
    R"(name="!$omp task @a.c:7" role=task paradigm=openmp)",
    R"(name="!$omp taskwait @a.c:8" role=task_wait paradigm=openmp)",
    R"(name="!$omp create task @a.c:7" role=task_create paradigm=openmp)",
    R"(name=cudaLaunchKernel role=function paradigm=cuda)",
    R"(name=cudaStreamSynchronize role=function paradigm=cuda)",
    R"(name=cudaMemcpy role=function paradigm=cuda)",
    R"(name=first_kernel role=function paradigm=cuda)",
    R"(name=second_kernel role=function paradigm=cuda)",
};
constexpr const char *first_parallel = "#0", *second_parallel = "#1", *barrier_region = "#2", *implicit_barrier = "#3",
                     *task_region = "#11", *taskwait_region = "#12", *create_region = "#13", *launch_region = "#14",
                     *synchronize_region = "#15", *copy_region = "#16", *first_kernel = "#17", *second_kernel = "#18";
constexpr std::uint32_t first_stream = 100;  ///< Location::thread of streams is larger

class Simulation {
 public:
  explicit Simulation(const Script& script)
      : more_(script.more),
        passive_(script.passive),
        neighbours_(script.neighbours),
        tasks_(script.tasks),
        devices_(script.streams != 0) {
    const std::uint32_t processes = 2 + (std::max(script.processes, 2u) - 2) % 7;
    Communicator world, self, workers;
    self.self = true;
    workers.thread = 1;
    for (std::uint32_t p = 0; p < processes; ++p) {
      const bool two = (script.two_threads >> p & 1) != 0;
      const std::uint32_t in_team = two ? 0 : (script.teams >> 2 * p & 3) % 3;
      for (std::uint32_t thread = 0; thread < (two ? 2u : 1u) + in_team; ++thread) {
        Location& l = locations_.emplace_back();
        l.number = static_cast<std::uint32_t>(locations_.size() - 1);
        l.process = p;
        l.thread = thread;
        l.of_team = !two && thread != 0;
        l.floor = l.of_team ? 0 : thread == 0 ? 2 : 1;
        if (!l.of_team) callers_.push_back(&l);
        if (in_team != 0) teams_[p].threads.push_back(&l);
      }
      for (std::uint32_t stream = (script.streams >> 2 * p & 3) % 3; stream > 0; --stream) {
        Location& l = locations_.emplace_back();
        l.number = static_cast<std::uint32_t>(locations_.size() - 1);
        l.process = p;
        l.thread = first_stream + stream;
        l.is_stream = true;
        streams_[p].push_back(&l);
      }
      world.a.push_back(p);
      if (two) workers.a.push_back(p);
    }
    communicators_ = {world, self};
    if (!workers.a.empty()) communicators_.push_back(workers);
    begin_program(script);
    for (const Step& s : script.steps) {
      step_ = s;
      draws_ = 0;
      execute();
    }
    end_program();
  }

  std::vector<Communicator> communicators_;
  std::deque<Location> locations_;
  /// Of teams, by their locations: communicators with the numbers behind the others.
  std::map<std::vector<std::uint32_t>, std::uint32_t> team_communicators_;
  std::vector<std::vector<std::uint32_t>> groups_;  ///< groups of processes; numbered from 1
  std::uint64_t message_count() const { return messages_.size(); }

 private:
  // ---- chance, clocks, lines ----

  std::uint32_t chance() {
    std::uint64_t x = (std::uint64_t{step_.salt} << 32) + ++draws_ * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(x >> 33);
  }
  Time jitter() { return chance() % (step_.jitter + 1); }

  void write(Location& l, std::string text, std::optional<std::uint32_t> process = {}, std::string rest = {},
             std::optional<std::uint32_t> team = {}) {
    l.lines.push_back({l.number, l.clock, std::move(text), process, std::move(rest), team});
  }
  void enter(Location& l, const std::string& region) {
    l.clock += jitter();
    write(l, "enter " + region);
    l.stack.push_back(region);
    l.clock += jitter() % 3;
  }
  void exit(Location& l) {
    l.clock += jitter() % 3;
    exit_at_once(l);
  }
  void exit_at_once(Location& l) {
    write(l, "exit " + l.stack.back());
    l.stack.pop_back();
  }
  void reach(Location& l, Time t) { l.clock = std::max(l.clock, t) + jitter(); }

  Location& location_of(std::uint32_t process, std::uint32_t thread) {
    return *std::find_if(locations_.begin(), locations_.end(),
                         [&](const Location& l) { return l.process == process && l.thread == thread; });
  }
  Location& chosen() { return locations_[step_.who % locations_.size()]; }
  /// One that may call MPI.
  Location& caller(std::uint32_t number) { return *callers_[number % callers_.size()]; }

  void execute() {
    switch (step_.what % step_kinds) {
      case 0:
        return more_ ? fence() : compute();
      case 1:
        return more_ && is_running(chosen()) ? hold_lock(chosen()) : compute();
      case 2:
        return compute();
      case 3:
        return enter_region(chosen());
      case 4:
        if (chosen().stack.size() > chosen().floor) exit(chosen());
        return;
      case 5:
      case 6:
      case 7:
      case 8:
        return send();
      case 9:
      case 10:
        return receive();
      case 11:
      case 12:
      case 13:
        return post(caller(step_.who), caller(step_.with));
      case 14:
      case 15:
      case 16:
      case 17:
        return complete();
      case 18:
        return send_and_receive();
      case 19:
      case 20:
        return collective(false);
      case 21:
      case 22:
        return collective(true);
      case 23:
        return manage_communicator();
      case 24:
        return more_ ? one_sided_epochs() : compute();
      case 25:
        return more_ ? shmem() : compute();
      case 26:
      case 27:
        return devices_ ? launch(chosen()) : team_step();
      case 28:
        return devices_ ? wait_for_device(chosen()) : team_step();
      case 32:
      case 33:
      case 34:
        if (passive_) return window_locks_.empty() || step_.salt % 3 == 0 ? lock_window() : use_window_lock();
        return team_step();
      case 35:
        return passive_ ? shmem_lock() : team_step();
      default:
        return team_step();
    }
  }

  void compute() { chosen().clock += step_.size; }

  void enter_region(Location& l) {
    if (l.stack.size() < 6 && is_running(l)) enter(l, user_regions[step_.flavour % std::size(user_regions)]);
  }

  // ---- begin and end of the program ----

  void begin_program(const Script& script) {
    step_.jitter = 4;
    step_.salt = script.skew;
    std::vector<Location*> masters;
    for (const std::uint32_t p : communicators_[0].a) {
      Location& l = location_of(p, 0);
      masters.push_back(&l);
      l.clock = 1000 + chance() % (script.skew + 1);
      write(l, "program_begin /apps/random");
      l.stack.push_back("random");
      enter(l, "main");
      enter(l, script.two_threads != 0 ? "MPI_Init_thread" : "MPI_Init");
    }
    manage_handles(masters, 0, "create_handle");
    for (Location* l : masters) exit(*l);
    for (Location& l : locations_)
      if (l.of_team) {
        l.clock = location_of(l.process, 0).clock;
      } else if (l.thread == 1) {
        l.clock = location_of(l.process, 0).clock;
        enter(l, "worker");
      }
  }

  void end_program() {
    step_ = {};
    step_.jitter = 3;
    for (std::uint32_t c = 0; c < communicators_.size(); ++c) unlock_all(c);
    for (const std::uint32_t lock : {0u, 1u})
      if (shmem_locks_[lock].owner != nullptr) clear_shmem_lock(lock);
    for (auto& [process, team] : teams_)
      if (!team.members.empty()) join(team);
    for (auto& [key, channel] : channels_)  // receives without a message
      while (!channel.posted.empty()) {
        const auto& [communicator, from, to, tag] = key;
        Location& l = locations_[from];
        enter(l, "MPI_Send");
        sent(l, locations_[to], communicator, tag, 8, "send");
        exit(l);
      }
    for (auto& [key, channel] : channels_)
      while (!channel.in_flight.empty()) receive_from(locations_[std::get<2>(key)], channel);
    for (Location& l : locations_)
      if (!l.open.empty()) complete_all(l, "MPI_Waitall", {l.open.begin(), l.open.end()});
    for (Location& l : locations_)
      while (l.thread != 0 && !l.stack.empty()) exit(l);
    std::vector<Location*> masters;
    for (Location& l : locations_) {
      if (l.thread != 0) continue;
      while (l.stack.size() > 2) exit(l);
      enter(l, "MPI_Finalize");
      masters.push_back(&l);
    }
    manage_handles(masters, 0, "destroy_handle");
    for (Location* l : masters) {
      while (l->stack.size() > 1) exit(*l);
      write(*l, "program_end");
    }
  }

  // ---- messages ----

  using ChannelKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  // A tag of the two threads' own: which thread receives is then part of the channel, as the trace sees it.
  static std::uint32_t tag_between(const Location& from, const Location& to, std::uint32_t tag) {
    return tag + 4 * from.thread + 8 * to.thread;
  }

  // A communicator on which the one can send to the other.
  std::uint32_t communicator_between(const Location& from, const Location& to) {
    std::vector<std::uint32_t> possible;
    const auto has = [](const std::vector<std::uint32_t>& group, const Location& l) {
      return std::find(group.begin(), group.end(), l.process) != group.end();
    };
    for (std::uint32_t c = 0; c < communicators_.size(); ++c) {
      const Communicator& comm = communicators_[c];
      if (comm.freed || comm.self) continue;
      if (comm.b.empty() ? has(comm.a, from) && has(comm.a, to)
                         : (has(comm.a, from) && has(comm.b, to)) || (has(comm.b, from) && has(comm.a, to)))
        possible.push_back(c);
    }
    return possible[step_.salt % possible.size()];
  }

  std::uint64_t bytes() const { return step_.size % 4 == 0 ? 0 : 8ull << step_.size % 12; }

  // The send record at `from`, at its clock.
  Message& sent(Location& from, Location& to, std::uint32_t communicator, std::uint32_t tag, std::uint64_t size,
                const std::string& record, const std::string& rest = {}) {
    Message& m = messages_.emplace_back();
    m = {from.number, to.number, communicator, tag, size, from.clock, {}};
    write(from, record + " dest=", to.process, fmt::format(" tag={} com={} len={}{}", tag, communicator, size, rest));
    Channel& channel = channels_[{communicator, from.number, to.number, tag}];
    if (channel.posted.empty()) {
      channel.in_flight.push_back(&m);
    } else {
      channel.posted.front()->message = &m;
      m.met = std::max(m.sent, channel.posted.front()->posted);
      channel.posted.pop_front();
    }
    return m;
  }

  // Sends to a process that has posted a receive, or to any.
  void send() {
    std::vector<ChannelKey> awaited;
    for (const auto& [key, channel] : channels_)
      if (!channel.posted.empty()) awaited.push_back(key);
    if (!awaited.empty() && step_.salt % 4 != 0) {
      const auto [communicator, from, to, tag] = awaited[step_.with % awaited.size()];
      return send(locations_[from], locations_[to], communicator, tag);
    }
    Location &from = caller(step_.who), &to = caller(step_.with);
    send(from, to, communicator_between(from, to), tag_between(from, to, step_.flavour % 3));
  }

  void send(Location& from, Location& to, std::uint32_t communicator, std::uint32_t tag) {
    Channel& channel = channels_[{communicator, from.number, to.number, tag}];
    const std::uint32_t function = step_.flavour / 3 % 10;
    constexpr const char* started[] = {"MPI_Isend", "MPI_Issend", "MPI_Ibsend", "MPI_Start", "MPI_Startall"};
    if (function >= 5) {
      enter(from, started[function - 5]);
      for (std::uint32_t i = 0; i < (function == 9 ? 1 + chance() % 3 : 1); ++i) {
        Request& r = new_request(from, Request::Kind::send);
        r.synchronous = function == 6 || bytes() > 4096;
        r.message = &sent(from, to, communicator, tag, bytes(), "isend", fmt::format(" request={}", r.id));
        from.clock += jitter() % 3;
      }
      return exit(from);
    }
    const bool rendezvous = function >= 2, received = !channel.posted.empty();
    const bool together = rendezvous && channel.idle() && &from != &to;
    if (!rendezvous || (!received && !together)) {  // the message is buffered
      enter(from, function == 1 ? "MPI_Bsend" : "MPI_Send");
      sent(from, to, communicator, tag, bytes(), "send");
      return exit(from);
    }
    enter(from, function == 2 ? "MPI_Ssend" : function == 3 || !received ? "MPI_Send" : "MPI_Rsend");
    Message& m = sent(from, to, communicator, tag, bytes(), "send");
    if (together && !received) {
      receive_from(to, channel);  // the receive is entered at any time, before or after the send
      reach(from, *m.met);
    } else {
      reach(from, *m.met);
    }
    exit(from);
  }

  void received(Location& l, const Message& m, const std::string& record, const std::string& rest = {}) {
    reach(l, m.sent);
    write(l, record + " src=", locations_[m.from].process,
          fmt::format(" tag={} com={} len={}{}", m.tag, m.communicator, m.bytes, rest));
  }

  void receive_from(Location& l, Channel& channel) {
    Message& m = *channel.in_flight.front();
    look_for(l, m);
    enter(l, "MPI_Recv");
    channel.in_flight.pop_front();
    m.met = std::max(m.sent, l.clock);
    received(l, m, "recv");
    exit(l);
  }

  // At times with a probe, or polls, before the receive.
  void look_for(Location& l, const Message& m) {
    if (step_.salt % 7 == 3) {
      enter(l, "MPI_Probe");
      reach(l, m.sent);
      exit(l);
    }
    for (std::uint32_t polls = step_.salt % 7 == 5 ? 1 + step_.flavour % 3 : 0; polls > 0; --polls) {
      enter(l, "MPI_Iprobe");
      l.clock += step_.size % 4;
      exit(l);
    }
  }

  // Whatever is there, as with MPI_ANY_SOURCE.
  void receive() {
    std::vector<std::pair<Location*, Channel*>> possible;
    for (auto& [key, channel] : channels_)
      if (!channel.in_flight.empty()) possible.emplace_back(&locations_[std::get<2>(key)], &channel);
    if (possible.empty()) return;
    const auto [location, channel] = possible[step_.with % possible.size()];
    receive_from(*location, *channel);
  }

  Request& new_request(Location& l, Request::Kind kind) {
    Request& r = requests_.emplace_back();
    r.kind = kind;
    r.id = ++request_ids_[l.process];
    r.posted = l.clock;
    l.open.push_back(&r);
    return r;
  }

  void post(Location& to, Location& from) {
    const std::uint32_t communicator = communicator_between(from, to), tag = tag_between(from, to, step_.flavour % 3);
    Channel& channel = channels_[{communicator, from.number, to.number, tag}];
    const std::uint32_t function = step_.flavour / 3 % 4;
    enter(to, function == 0 ? "MPI_Start" : function == 1 ? "MPI_Startall" : "MPI_Irecv");
    for (std::uint32_t i = 0; i < (function == 1 ? 1 + chance() % 3 : 1); ++i) {
      Request& r = new_request(to, Request::Kind::receive);
      write(to, fmt::format("irecv_request request={}", r.id));
      if (channel.in_flight.empty()) {
        channel.posted.push_back(&r);
      } else {
        r.message = channel.in_flight.front();
        channel.in_flight.pop_front();
        r.message->met = std::max(r.message->sent, r.posted);
      }
      to.clock += jitter() % 3;
    }
    exit(to);
  }

  void complete() {
    std::vector<Location*> possible;
    for (Location& l : locations_)
      if (std::any_of(l.open.begin(), l.open.end(), [](const Request* r) { return r->can_complete(); }))
        possible.push_back(&l);
    if (!possible.empty()) complete(*possible[step_.who % possible.size()]);
  }

  void complete(Location& l) {
    constexpr const char* functions[] = {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome",
                                         "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome"};
    const std::uint32_t function = step_.flavour % std::size(functions);
    const bool many = function % 2 != 0, test = function >= 4;
    std::vector<Request*> possible;
    for (Request* r : l.open)
      if (r->can_complete() && (!test || r->ready_at() <= l.clock + 1)) possible.push_back(r);
    if (possible.empty() || (test && step_.size % 5 == 4)) {
      if (!test) return;
      enter(l, functions[function]);
      write(l, fmt::format("request_test request={}", l.open[step_.with % l.open.size()]->id));
      return exit(l);
    }
    std::rotate(possible.begin(), possible.begin() + static_cast<std::ptrdiff_t>(step_.with % possible.size()),
                possible.end());
    possible.resize(many ? 1 + step_.size % possible.size() : 1);
    complete_all(l, functions[function], possible);
  }

  void complete_all(Location& l, const char* function, std::vector<Request*> requests) {
    enter(l, function);
    for (Request* r : requests) {
      const std::string request = fmt::format(" request={}", r->id);
      if (r->kind == Request::Kind::receive) {
        received(l, *r->message, "irecv", request);
      } else {
        reach(l, r->ready_at());
        if (r->kind == Request::Kind::send)
          write(l, "isend_complete" + request);
        else
          write(l, r->completion, r->root, r->rest + request);
      }
      std::erase(l.open, r);
    }
    exit(l);
  }

  // MPI_Sendrecv around a ring of two or more locations.
  void send_and_receive() {
    const std::size_t count = 2 + step_.with % (callers_.size() - 1);
    std::vector<Location*> ring;
    for (std::uint32_t i = 0; i < count; ++i) ring.push_back(&caller(step_.who + i));
    const auto next = [&](std::size_t i) { return ring[(i + 1) % count]; };
    const auto channel = [&](std::size_t i) -> Channel& {
      return channels_[{0, ring[i]->number, next(i)->number, tag_between(*ring[i], *next(i), 3)}];
    };
    for (std::size_t i = 0; i < count; ++i) {
      enter(*ring[i], step_.flavour % 2 == 0 ? "MPI_Sendrecv" : "MPI_Sendrecv_replace");
      sent(*ring[i], *next(i), 0, tag_between(*ring[i], *next(i), 3), bytes(), "send");
    }
    for (std::size_t i = 0; i < count; ++i) {
      Message& m = *channel(i).in_flight.front();
      channel(i).in_flight.pop_front();
      m.met = m.sent;
      received(*next(i), m, "recv");
    }
    for (Location* l : ring) exit(*l);
  }

  // ---- collective operations ----

  Communicator* chosen_communicator(std::uint32_t& number) {
    std::vector<std::uint32_t> usable;
    for (std::uint32_t c = 0; c < communicators_.size(); ++c)
      if (!communicators_[c].freed) usable.push_back(c);
    number = usable[step_.who % usable.size()];
    return &communicators_[number];
  }

  std::vector<Location*> members_of(const Communicator& c) {
    std::vector<Location*> members;
    if (c.self) return {&location_of(step_.with % static_cast<std::uint32_t>(communicators_[0].a.size()), 0)};
    for (const auto* group : {&c.a, &c.b})
      for (const std::uint32_t p : *group) members.push_back(&location_of(p, c.thread));
    return members;
  }

  void collective(bool nonblocking) {
    std::uint32_t number = 0;
    const Communicator& comm = *chosen_communicator(number);
    const bool in_neighbourhoods = !comm.sources.empty() && step_.salt % 4 != 0;
    Collective c{in_neighbourhoods ? neighbourhood_operations[step_.flavour % std::size(neighbourhood_operations)]
                                   : operations[step_.flavour % std::size(operations)],
                 number,
                 members_of(comm),
                 0,
                 0,
                 {},
                 {}};
    if (in_neighbourhoods) c.sources = &comm.sources;
    if (!comm.b.empty()) {
      if (c.operation.kind == Kind::scan) return;  // scans are not defined on inter-communicators
      c.group_a = comm.a.size();
    }
    c.root = step_.with % c.members.size();
    choose_bytes(c);
    if (nonblocking)
      start(c);
    else
      block(c);
  }

  // Some send or receive nothing; at times nobody does.
  void choose_bytes(Collective& c) {
    const std::size_t n = c.members.size();
    c.sent.assign(n, 0);
    c.received.assign(n, 0);
    const std::uint64_t unit = bytes();
    if (unit == 0 || c.operation.kind == Kind::barrier) return;
    const bool uneven = step_.size % 2 != 0;
    const auto some = [&] { return uneven && chance() % 3 == 0 ? 0 : unit; };
    for (std::size_t i = 0; i < n; ++i) {
      const bool to_root = c.crosses(i, c.root), is_root = i == c.root && c.group_a == 0;
      switch (c.operation.kind) {
        case Kind::one_to_all:
          if (i == c.root) c.sent[i] = unit * n;
          if (to_root) c.received[i] = is_root ? unit : some();
          break;
        case Kind::all_to_one:
          if (to_root) c.sent[i] = some();
          break;
        default:
          c.sent[i] = some();
      }
    }
    if (c.operation.kind == Kind::one_to_all) return;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t total = 0;
      for (std::size_t j = 0; j < (c.operation.kind == Kind::scan ? i + 1 : n); ++j)
        if (c.crosses(j, i)) total += c.sent[j];
      const bool all_to_one = c.operation.kind == Kind::all_to_one;
      if (all_to_one ? i == c.root : i == c.root || some() > 0) c.received[i] = total;
    }
  }

  // The end of a record behind its type, with the root as the member sees it.
  std::tuple<std::string, std::optional<std::uint32_t>, std::string> end_of(const Collective& c, std::size_t i) {
    std::string text = fmt::format(" op={} com={} root=", c.operation.op, c.communicator);
    const std::string rest = fmt::format(" sent={} received={}", c.sent[i], c.received[i]);
    if (c.operation.kind != Kind::one_to_all && c.operation.kind != Kind::all_to_one) return {text + "none", {}, rest};
    if (i != c.root && !c.crosses(c.root, i)) return {text + "this_group", {}, rest};
    return {text, c.members[c.root]->process, rest};
  }

  void block(const Collective& c) {
    std::vector<Time> begins;
    for (Location* l : c.members) {
      enter(*l, c.operation.function);
      write(*l, "collective_begin");
      begins.push_back(l->clock);
    }
    const bool all_wait = step_.salt % 3 == 0;  // an implementation that synchronises more than it has to
    for (std::size_t i = 0; i < c.members.size(); ++i) {
      Location& l = *c.members[i];
      Time ready = 0;
      for (std::size_t j = 0; j < c.members.size(); ++j)
        if (all_wait || c.needs(i, j)) ready = std::max(ready, begins[j]);
      reach(l, ready);
      const auto [text, root, rest] = end_of(c, i);
      write(l, "collective_end" + text, root, rest);
      exit(l);
    }
  }

  void start(const Collective& c) {
    std::vector<Time> begins;
    for (Location* l : c.members) {
      enter(*l, c.operation.nonblocking);
      begins.push_back(l->clock);
      const Request& r = new_request(*l, Request::Kind::collective);
      write(*l, fmt::format("nonblocking_collective_request request={}", r.id));
      exit(*l);
    }
    for (std::size_t i = 0; i < c.members.size(); ++i) {
      Request& r = *c.members[i]->open.back();
      for (std::size_t j = 0; j < c.members.size(); ++j)
        if (c.needs(i, j)) r.ready = std::max(r.ready, begins[j]);
      std::tie(r.completion, r.root, r.rest) = end_of(c, i);
      r.completion = "nonblocking_collective_complete" + r.completion;
    }
  }

  // The records of an operation that creates or frees handles, in calls that are entered.
  void manage_handles(const std::vector<Location*>& members, std::uint32_t communicator, const char* op) {
    Time latest = 0;
    for (Location* l : members) {
      write(*l, "collective_begin");
      latest = std::max(latest, l->clock);
    }
    const bool synchronises = step_.salt % 2 == 0;
    for (Location* l : members) {
      reach(*l, synchronises ? latest : 0);
      write(*l, fmt::format("collective_end op={} com={} root=none sent=0 received=0", op, communicator));
    }
  }

  // Splits, duplicates, joins two halves to an inter-communicator, or frees.
  void manage_communicator() {
    std::uint32_t number = 0;
    const Communicator parent = *chosen_communicator(number);
    if (parent.self) return;
    const std::vector<Location*> members = members_of(parent);
    const std::uint32_t how = step_.flavour % 5;
    if (how == 4 || !parent.b.empty() || communicators_.size() > 12) {
      if (number == 0 || (parent.thread == 1 && number == 2)) return;
      unlock_all(number);
      for (Location* l : members) enter(*l, "MPI_Comm_free");
      manage_handles(members, number, "destroy_handle");
      for (Location* l : members) exit(*l);
      communicators_[number].freed = true;
      return;
    }
    const bool topology = neighbours_ && step_.size % 3 != 0 && members.size() > 1;
    if (topology) return communicators_.push_back(create_topology(parent, members, number));
    const char* functions[] = {"MPI_Comm_split", "MPI_Comm_dup", "MPI_Comm_create", "MPI_Intercomm_create"};
    for (Location* l : members) enter(*l, functions[how]);
    manage_handles(members, number, "create_handle");
    for (Location* l : members) exit(*l);
    Communicator a, b;
    a.thread = b.thread = parent.thread;
    for (std::size_t i = 0; i < parent.a.size(); ++i) {
      const bool in_b = how == 0 ? i % 2 != 0 : how == 1 ? false : i >= (parent.a.size() + 1) / 2;
      (in_b ? b : a).a.push_back(parent.a[i]);
    }
    if (how == 0 && step_.with % 2 != 0) std::reverse(a.a.begin(), a.a.end());
    if (how == 3) std::swap(a.b, b.a);
    if (how == 3 && a.b.empty()) return;
    communicators_.push_back(a);
    if (how == 0 && !b.a.empty()) communicators_.push_back(b);
  }

  // A grid of one or two dimensions, or a graph.
  Communicator create_topology(const Communicator& parent, const std::vector<Location*>& members,
                               std::uint32_t number) {
    const auto size = static_cast<std::uint32_t>(members.size());
    const bool graph = step_.with % 3 == 0;
    for (Location* l : members) enter(*l, graph ? "MPI_Dist_graph_create_adjacent" : "MPI_Cart_create");
    manage_handles(members, number, "create_handle");
    for (Location* l : members) exit(*l);
    Communicator c;
    c.thread = parent.thread, c.a = parent.a;
    c.sources.resize(size);
    if (graph) {
      for (std::vector<std::uint32_t>& sources : c.sources)
        for (std::uint32_t n = chance() % 4; n > 0; --n) sources.push_back(chance() % size);
      return c;
    }
    c.dimensions = {size};
    if (size % 2 == 0 && step_.with % 3 == 1) c.dimensions = {2, size / 2};
    c.periodic = step_.salt % 2 == 0;
    const std::uint32_t width = c.dimensions.back(), height = size / width;
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      const std::uint32_t x = rank % width, y = rank / width;
      if (y > 0 || c.periodic) c.sources[rank].push_back((y + height - 1) % height * width + x);
      if (y + 1 < height || c.periodic) c.sources[rank].push_back((y + 1) % height * width + x);
      if (x > 0 || c.periodic) c.sources[rank].push_back(y * width + (x + width - 1) % width);
      if (x + 1 < width || c.periodic) c.sources[rank].push_back(y * width + (x + 1) % width);
    }
    return c;
  }

  // ---- teams of threads ----

  bool is_running(const Location& l) const { return !l.stack.empty(); }

  // A parallel region is forked, and later its threads come to a barrier, or join; else one of them works. Meanwhile
  // its first thread may do whatever other steps say.
  void team_step() {
    if (teams_.empty()) return compute();
    auto chosen_team = teams_.begin();
    std::advance(chosen_team, step_.who % teams_.size());
    ThreadTeam& team = chosen_team->second;
    if (team.members.empty()) return step_.flavour % 4 == 0 ? compute() : fork(team);
    if (tasks_ && step_.flavour % 3 == 0) return task_step(team, *team.members[step_.with % team.members.size()]);
    switch (step_.flavour % 7) {
      case 0:
      case 1:
        return team_barrier(team, barrier_region);
      case 2:
        return join(team);
      case 6:
        return inner_team(team);
      case 3:
      case 4:
        if (more_) return hold_lock(*team.members[step_.with % team.members.size()]);
        [[fallthrough]];
      default:
        team.members[step_.with % team.members.size()]->clock += step_.size;
    }
  }

  // All threads of the process, or the first two of three, or the first and the last; with a communicator of their own,
  // or that of all.
  void fork(ThreadTeam& team) {
    team.members = team.threads;
    if (team.members.size() == 3 && step_.salt % 3 != 0)
      team.members.erase(team.members.begin() + static_cast<std::ptrdiff_t>(step_.salt % 3));
    team.outside = team.members.front()->floor;
    ++team.members.front()->clock;  // a part at the tick of the join before would be of that team, if it was not in it
    begin_team(team, step_.salt / 8 % 2 == 0 ? team.threads : team.members,
               step_.flavour % 3 == 0 ? second_parallel : first_parallel);
    for (Location* l : team.members) l->floor = l->stack.size();
  }

  void begin_team(ThreadTeam& team, const std::vector<Location*>& of_communicator, const char* region) {
    std::vector<std::uint32_t> numbers;
    for (const Location* l : of_communicator) numbers.push_back(l->number);
    team.communicator =
        team_communicators_.emplace(numbers, static_cast<std::uint32_t>(team_communicators_.size())).first->second;
    Location& master = *team.members.front();
    master.clock += jitter();
    write(master, fmt::format("thread_fork paradigm=openmp requested={}", team.members.size()));
    const Time forked = master.clock;
    for (Location* l : team.members) {
      if (l != &master) reach(*l, forked);
      write(*l, "thread_team_begin team=", {}, {}, team.communicator);
      enter(*l, region);
    }
  }

  // A member forks a team of its own, and joins it at once: of itself alone, or with a thread that is in no other one.
  void inner_team(const ThreadTeam& outer) {
    Location& master = *outer.members[step_.with % outer.members.size()];
    ThreadTeam team;
    team.members.push_back(&master);
    for (Location* l : outer.threads)
      if (step_.salt % 2 == 0 && &master != outer.threads[0] &&
          std::find(outer.members.begin(), outer.members.end(), l) == outer.members.end())
        team.members.push_back(l);
    begin_team(team, team.members, second_parallel);
    for (Location* l : team.members) l->clock += step_.size / 2 + jitter();
    end_team(team, step_.salt % 4 < 2);
  }

  void team_barrier(ThreadTeam& team, const char* region) {
    Time last = 0;
    for (Location* l : team.members) {
      enter(*l, region);
      last = std::max(last, l->lines.back().time);
    }
    if (!team.tasks.empty()) last = std::max(last, execute_all(team));
    for (Location* l : team.members) {
      reach(*l, last);
      exit(*l);
    }
  }

  void join(ThreadTeam& team) {
    Location& master = *team.members.front();
    for (Location* l : team.members)
      while (l->stack.size() > l->floor) exit(*l);
    end_team(team, step_.salt % 4 != 0 || !team.tasks.empty());
    for (Location* l : team.members) l->floor = 0;
    master.floor = team.outside;
    team.members.clear();
  }

  void end_team(ThreadTeam& team, bool has_barrier) {
    Location& master = *team.members.front();
    if (has_barrier) team_barrier(team, implicit_barrier);
    Time last = 0;
    for (Location* l : team.members) {
      exit(*l);
      last = std::max(last, l->clock);
      if (l != &master) write(*l, "thread_team_end team=", {}, {}, team.communicator);
    }
    if (!has_barrier) reach(master, last);
    write(master, "thread_team_end team=", {}, {}, team.communicator);
    master.clock += 1 + jitter();  // later than any part of it begins
    write(master, "thread_join paradigm=openmp");
  }

  // ---- explicit tasks ----

  // No event of a task has the same tick as another event of its thread.
  void task_step(ThreadTeam& team, Location& l) {
    switch (step_.flavour / 3 % 4) {
      case 0:
        return create_task(team, l);
      case 1:
        create_task(team, l);
        return create_task(team, l);
      case 2:
        return execute_some(team, l);
      default:
        return taskwait(team, l);
    }
  }

  void create_task(ThreadTeam& team, Location& l) {
    const std::uint64_t number = ++tasks_created_;
    const bool in_region = chance() % 3 != 0;
    if (in_region) enter(l, create_region);
    l.clock += 1 + jitter();
    write_task(team, l, "create", number);
    team.tasks[number].free = ++l.clock;
    if (in_region) exit(l);
  }
  void write_task(const ThreadTeam& team, Location& l, const char* what, std::uint64_t number) {
    write(l, fmt::format("thread_task_{} team=", what), {}, fmt::format(" creator=0 generation={}", number),
          team.communicator);
  }

  void execute_some(ThreadTeam& team, Location& l) {
    if (team.tasks.empty()) return;
    auto task = team.tasks.begin();
    std::advance(task, chance() % team.tasks.size());
    execute_task(team, l, task->first, chance() % 3 != 0);
  }

  // Executes the task until it is completed, or until the thread continues with something else.
  void execute_task(ThreadTeam& team, Location& l, std::uint64_t number, bool completely) {
    ExplicitTask& task = team.tasks[number];
    reach(l, task.free);
    ++l.clock;
    write_task(team, l, "switch", number);
    ++l.clock;
    std::swap(l.stack, task.stack);
    if (!std::exchange(task.begun, true) && number % 4 != 0) enter(l, task_region);
    for (std::uint32_t n = chance() % 3; n > 0; --n) act_in_task(team, l);
    while (completely && !l.stack.empty()) exit(l);
    l.clock += 1 + jitter();
    std::swap(l.stack, task.stack);
    if (completely) {
      write_task(team, l, "complete", number);
      team.tasks.erase(number);
      ++l.clock;
      if (chance() % 2 == 0) write_task(team, l, "switch", 0);
    } else {
      write_task(team, l, "switch", 0);
      task.free = l.clock + 1;
    }
    ++l.clock;
  }

  void act_in_task(ThreadTeam& team, Location& l) {
    l.clock += chance() % (1 + step_.size);
    switch (chance() % 8) {
      case 0:
        if (team.tasks.size() < 4) create_task(team, l);
        return;
      case 1:
        if (l.stack.size() < 3) enter(l, user_regions[chance() % std::size(user_regions)]);
        return;
      case 2:
        if (l.stack.size() > 1) exit(l);
        return;
      case 3:
        if (more_) hold_lock(l);
        return;
      case 4:
        if (l.thread == 0) send(l, caller(step_.with), 0, tag_between(l, caller(step_.with), 2));
        return;
      case 5:
        for (auto& [key, channel] : channels_)
          if (std::get<2>(key) == l.number && !channel.in_flight.empty()) return receive_from(l, channel);
        return;
      default:
        l.clock += 2 * step_.size;
    }
  }

  // Meanwhile the thread itself, or others, execute tasks.
  void taskwait(ThreadTeam& team, Location& l) {
    enter(l, taskwait_region);
    for (std::uint32_t n = chance() % 4; n > 0; --n) {
      Location& other = *team.members[chance() % team.members.size()];
      execute_some(team, other);
      if (chance() % 2 == 0) reach(l, other.clock);
    }
    exit(l);
  }

  // In a barrier. Returns when the last one was completed.
  Time execute_all(ThreadTeam& team) {
    Time last = 0;
    while (!team.tasks.empty()) {
      Location& l = *team.members[chance() % team.members.size()];
      execute_some(team, l);
      last = std::max(last, l.clock);
    }
    return last;
  }

  // ---- accelerators ----

  // One kernel or two that follow each other, on a stream of the process.
  void launch(Location& l) {
    if (!streams_.contains(l.process) || !is_running(l)) return compute();
    const std::vector<Location*>& streams = streams_[l.process];
    const bool recorded = step_.flavour % 5 != 0;
    if (recorded) enter(l, launch_region);
    const Time launched = l.lines.back().time;
    for (std::uint32_t n = 1 + chance() % 2; n > 0; --n) {
      Location& stream = *streams[chance() % streams.size()];
      reach(stream, launched);
      if (chance() % 3 != 0) ++stream.clock;
      write(stream, std::string("enter ") + (n == 1 ? first_kernel : second_kernel));
      stream.stack.push_back(n == 1 ? first_kernel : second_kernel);
      stream.clock += 1 + chance() % (1 + 3 * step_.size);
      exit_at_once(stream);
    }
    if (recorded) exit(l);
  }

  // Mostly for all that it was given, at times, without saying so, for an earlier part.
  void wait_for_device(Location& l) {
    if (!streams_.contains(l.process) || !is_running(l)) return compute();
    const std::vector<Location*>& streams = streams_[l.process];
    Location& stream = *streams[step_.with % streams.size()];
    const bool copies = step_.flavour % 4 == 0;
    enter(l, copies ? copy_region : synchronize_region);
    if (copies) {
      reach(stream, l.clock);
      const std::string match = fmt::format(" bytes=8 match={}", ++operations_);
      ++stream.clock;
      write(stream, "rma_put remote=", l.process, match);
      stream.lines.back().window_of = l.process;
      stream.clock += 1 + chance() % (1 + step_.size);
      write(stream, fmt::format("rma_op_complete_blocking match={}", operations_));
      stream.lines.back().window_of = l.process;
    }
    if (chance() % 5 != 0) reach(l, stream.clock);
    exit(l);
  }

  // ---- fences and locks ----

  // Each communicator of one group has a window of its number.
  void fence() {
    std::uint32_t number = 0;
    const Communicator& comm = *chosen_communicator(number);
    if (comm.self || !comm.b.empty()) return compute();
    const std::vector<Location*> members = members_of(comm);
    unlock_all(number);
    Time latest = 0;
    for (Location* l : members) {
      enter(*l, "MPI_Win_fence");
      write(*l, "rma_collective_begin");
      latest = std::max(latest, l->clock);
    }
    for (Location* l : members) {
      reach(*l, step_.salt % 4 == 0 ? 0 : latest);  // a fence need not synchronise
      write(*l, fmt::format("rma_collective_end op=barrier level=0x1 win={} sent=0 received=0", number + 1));
      exit(*l);
    }
  }

  std::uint32_t group_of(const std::vector<Location*>& members) {
    std::vector<std::uint32_t> processes;
    for (const Location* l : members) processes.push_back(l->process);
    const auto found = std::find(groups_.begin(), groups_.end(), processes);
    if (found != groups_.end()) return static_cast<std::uint32_t>(found - groups_.begin()) + 1;
    groups_.push_back(processes);
    return static_cast<std::uint32_t>(groups_.size());
  }

  // Some members post, and the others start; these wait for the posts in start, in their operations, or in complete.
  void one_sided_epochs() {
    std::uint32_t number = 0;
    const Communicator& comm = *chosen_communicator(number);
    std::vector<Location*> members = members_of(comm), targets;
    if (comm.self || !comm.b.empty() || members.size() < 2) return compute();
    unlock_all(number);
    std::rotate(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(step_.with % members.size()),
                members.end());
    for (std::size_t n = 1 + step_.salt % std::min<std::size_t>(2, members.size() - 1); n > 0; --n) {
      targets.push_back(members.back());
      members.pop_back();
    }
    members.resize(1 + step_.salt / 2 % members.size());
    const auto sync = [&](Location& l, const char* function, const std::vector<Location*>& group) {
      enter(l, function);
      write(l, fmt::format("rma_group_sync level=0x1 win={} group={}", number + 1, group_of(group)));
    };
    Time posted = 0, completed = 0;
    for (Location* t : targets) {
      sync(*t, "MPI_Win_post", members);
      posted = std::max(posted, t->clock);
      exit(*t);
    }
    const std::uint32_t waits = step_.flavour % 3;
    for (Location* o : members) {
      sync(*o, "MPI_Win_start", targets);
      reach(*o, waits == 0 ? posted : 0);
      exit(*o);
      for (std::size_t n = chance() % 3; n > 0; --n) {
        enter(*o, "MPI_Put");
        const Location& target = *targets[n % targets.size()];
        write(*o, fmt::format("rma_put win={} remote=", number + 1), target.process,
              fmt::format(" bytes=8 match={}", ++operations_));
        reach(*o, waits == 1 ? posted : 0);
        exit(*o);
      }
      o->clock += step_.size;
      sync(*o, "MPI_Win_complete", targets);
      completed = std::max(completed, o->clock);
      reach(*o, posted);
      exit(*o);
    }
    for (Location* t : targets) {
      sync(*t, "MPI_Win_wait", members);
      reach(*t, completed);
      exit(*t);
    }
  }

  // On the window of all processes; the first threads call it.
  void shmem() {
    std::vector<Location*> members = members_of(communicators_[0]);
    const std::uint32_t what = step_.flavour % 5;
    if (what > 2) return shmem_change(*members[step_.with % members.size()], *members[step_.who % members.size()]);
    constexpr const char* functions[] = {"#4", "#5", "#6"};
    constexpr const char* ops[] = {"barrier", "bcast", "allgather"};
    const std::size_t root = step_.with % members.size();
    std::vector<Time> enters;
    for (Location* l : members) {
      enter(*l, functions[what]);
      write(*l, "rma_collective_begin");
      enters.push_back(l->clock);
    }
    const Time last = *std::max_element(enters.begin(), enters.end());
    for (Location* l : members) {
      reach(*l, (what == 1 ? enters[root] : last) + 1);
      write(*l, fmt::format("rma_collective_end op={} level=0x3 win=0 sent=8 received=8", ops[what]));
      if (what == 1) {
        l->lines.back().text += " root=";
        l->lines.back().process = members[root]->process;
      }
      exit(*l);
    }
  }
  void shmem_change(Location& origin, Location& target) {
    if (&origin == &target) return compute();
    enter(target, "#7");
    write(target, "rma_wait_change win=0");
    enter(origin, "#8");
    const Time changes = origin.clock;
    write(origin, "rma_put win=0 remote=", target.process, fmt::format(" bytes=8 match={}", ++operations_));
    exit(origin);
    reach(target, changes + 1);
    exit(target);
  }

  // One of two locks of the process.
  void hold_lock(Location& l) {
    Lock& lock = locks_[{l.process, step_.flavour % 2}];
    const auto record = [&](const char* what) {
      write(l, fmt::format("thread_{}_lock paradigm=pthread lock={} order={}", what, step_.flavour % 2, lock.order));
    };
    enter(l, "pthread_mutex_lock");
    reach(l, lock.released);
    ++lock.order;
    record("acquire");
    exit(l);
    l.clock += step_.size;
    enter(l, "pthread_mutex_unlock");
    record("release");
    lock.released = l.clock;
    exit(l);
  }

  struct Lock {
    std::uint32_t order = 0;
    Time released = 0;
  };

  // ---- locks of windows, and of SHMEM ----

  struct WindowLock {
    std::uint32_t communicator;
    Location *owner, *target;  ///< target: null for all
    bool exclusive;
    bool granted = false;
    std::vector<std::pair<Location*, std::uint64_t>> open{};  ///< operations: target and number
  };
  /// Of a target, or of all: when it was left by those that had it.
  struct WindowRelease {
    Time exclusive = 0, shared = 0;
  };

  /// Its locks are given where they are asked for.
  bool is_eager(std::uint32_t communicator) const { return (communicator + communicators_[0].a.size()) % 2 == 0; }
  static bool overlap(const WindowLock& a, const WindowLock& b) {
    return a.communicator == b.communicator && (a.target == nullptr || b.target == nullptr || a.target == b.target);
  }

  // Processes ask for a lock, mostly of the same few targets.
  void lock_window() {
    std::uint32_t number = 0;
    const Communicator& comm = *chosen_communicator(number);
    const std::vector<Location*> members = members_of(comm);
    if (comm.self || !comm.b.empty() || members.size() < 2) return compute();
    for (std::uint32_t i = 0; i <= step_.flavour / 5 % 4; ++i) {
      const std::uint32_t how = (step_.flavour + i) % 5;
      lock_window({number, members[(step_.with + i) % members.size()],
                   how == 4 ? nullptr : members[step_.salt / 3 % 3 % members.size()], how < 3});
      if (chance() % 2 == 0) operate(window_locks_.back(), how);
    }
  }

  // Processes that hold a conflicting lock release it first, and so does the process itself if it holds one of that
  // target.
  void lock_window(WindowLock lock) {
    for (std::size_t i = window_locks_.size(); i-- > 0;) {
      const WindowLock& other = window_locks_[i];
      if (overlap(lock, other) && (lock.exclusive || other.exclusive || lock.owner == other.owner)) unlock(i);
    }
    Location& l = *lock.owner;
    enter(l, lock.target == nullptr ? "MPI_Win_lock_all" : "MPI_Win_lock");
    record_of_lock(lock, "request", lock.exclusive ? " type=exclusive" : " type=shared");
    if (is_eager(lock.communicator)) await_lock(lock);  // otherwise where operations are complete, or in one of them
    if (lock.target != nullptr && chance() % 2 == 0) await_progress(l, *lock.target);
    exit(l);
    window_locks_.push_back(std::move(lock));
  }

  void use_window_lock() {
    const std::size_t number = step_.with % window_locks_.size();
    WindowLock& lock = window_locks_[number];
    const std::uint32_t how = step_.flavour % 8;
    if (how < 2) return unlock(number);
    if (how == 2) {
      lock.owner->clock += step_.size;
    } else if (how == 3) {
      flush(lock);
    } else {
      operate(lock, how);
    }
  }

  void operate(WindowLock& lock, std::uint32_t how) {
    constexpr const char *functions[] = {"MPI_Put", "MPI_Get", "MPI_Accumulate"}, *records[] = {"put", "get", "atomic"},
                         *rest[] = {"bytes=8", "bytes=8", "type=accumulate sent=4 received=4"};
    Location& l = *lock.owner;
    const std::vector<Location*> members = members_of(communicators_[lock.communicator]);
    Location& target = lock.target != nullptr ? *lock.target : *members[step_.who % members.size()];
    const std::uint32_t what = how % 3;
    enter(l, functions[what]);
    write(l, fmt::format("rma_{} win={} remote=", records[what], lock.communicator + 1), target.process,
          fmt::format(" {} match={}", rest[what], ++operations_));
    lock.open.emplace_back(&target, operations_);
    if (chance() % 4 == 0) await_lock(lock), await_progress(l, target);
    exit(l);
  }

  void flush(WindowLock& lock) {
    Location& l = *lock.owner;
    enter(l, "MPI_Win_flush_all");
    await_lock(lock);
    complete_operations(lock, true);
    exit(l);
  }

  // If others do not wait in the call that requests a lock, it is released at the very end: if they are in a call then,
  // they count as having waited for the release, so their next action must not be what this call waits for.
  void unlock(std::size_t number) {
    WindowLock lock = std::move(window_locks_[number]);
    window_locks_.erase(window_locks_.begin() + static_cast<std::ptrdiff_t>(number));
    Location& l = *lock.owner;
    enter(l, lock.target == nullptr ? "MPI_Win_unlock_all" : "MPI_Win_unlock");
    await_lock(lock);
    const bool at_once = is_eager(lock.communicator) && chance() % 4 == 0;
    l.clock += jitter();
    if (at_once) record_of_lock(lock, "release");
    complete_operations(lock, !at_once && chance() % 2 == 0);
    if (!at_once) record_of_lock(lock, "release");
    if (is_eager(lock.communicator))
      exit(l);
    else
      exit_at_once(l);
    // The next owner gets it when all of that is done.
    const std::uint32_t target = lock.target == nullptr ? ~0u : lock.target->number;
    WindowRelease& of_target = window_releases_[{lock.communicator, target}];
    Time& left = lock.exclusive ? of_target.exclusive : of_target.shared;
    left = std::max(left, l.clock + 1);
  }
  void unlock_all(std::uint32_t communicator) {
    for (std::size_t i = window_locks_.size(); i-- > 0;)
      if (window_locks_[i].communicator == communicator) unlock(i);
  }

  void record_of_lock(const WindowLock& lock, const char* what, const char* type = "") {
    write(*lock.owner, fmt::format("rma_{}_lock win={} remote=", what, lock.communicator + 1), {},
          fmt::format(" lock=0{}", type));
    Line& line = lock.owner->lines.back();
    if (lock.target == nullptr)
      line.text += "none";
    else
      line.process = lock.target->process;
  }

  void await_lock(WindowLock& lock) {
    if (std::exchange(lock.granted, true)) return;
    Time from = 0;
    for (const auto& [where, released] : window_releases_) {
      const auto& [communicator, target] = where;
      if (communicator != lock.communicator) continue;
      if (lock.target != nullptr && target != ~0u && target != lock.target->number) continue;
      from = std::max({from, released.exclusive, lock.exclusive ? released.shared : 0});
    }
    reach(*lock.owner, from);
  }

  void complete_operations(WindowLock& lock, bool with_records) {
    Location& l = *lock.owner;
    for (const auto& [target, match] : lock.open) await_progress(l, *target);
    for (const auto& [target, match] : lock.open)
      if (with_records)
        write(l, fmt::format("rma_op_complete_{} win={} match={}", match % 2 == 0 ? "blocking" : "nonblocking",
                             lock.communicator + 1, match));
    lock.open.clear();
  }

  // At times until the target calls MPI, which may be long after it did so last, and may call something itself.
  void await_progress(Location& l, Location& target) {
    if (l.process == target.process || chance() % 3 != 0) return;
    target.clock += chance() % (1 + 3 * step_.size);
    enter(target, "MPI_Iprobe");
    reach(l, target.clock);
    if (chance() % 2 == 0) enter(target, "poll"), exit(target);
    exit(target);
  }

  // Processes request one of two locks, which lie elsewhere in the memory of each of them; the owner releases it first.
  void shmem_lock() {
    const std::uint32_t number = step_.flavour % 2;
    ShmemLock& lock = shmem_locks_[number];
    const std::vector<Location*> members = members_of(communicators_[0]);
    for (std::uint32_t i = 0; i <= step_.flavour / 2 % 4; ++i) {
      Location& l = *members[(step_.with + i) % members.size()];
      if (lock.owner != nullptr) clear_shmem_lock(number);
      lock.owner = &l;
      enter(l, "#9");
      reach(l, lock.released);
      record_of_shmem_lock(number, "acquire", " type=exclusive");
      exit(l);
      l.clock += chance() % (1 + step_.size);
    }
    if (step_.salt % 2 == 0) clear_shmem_lock(number);
  }
  void clear_shmem_lock(std::uint32_t number) {
    ShmemLock& lock = shmem_locks_[number];
    Location& l = *lock.owner;
    enter(l, "#10");
    record_of_shmem_lock(number, "release");
    lock.released = l.clock + 1;
    exit(l);
    lock.owner = nullptr;
  }
  void record_of_shmem_lock(std::uint32_t number, const char* what, const char* type = "") {
    Location& l = *shmem_locks_[number].owner;
    write(l,
          fmt::format("rma_{}_lock win=0 remote=none lock={}{}", what, 4096 * (7 + 3 * l.process) + 64 * number, type));
  }
  struct ShmemLock {
    Location* owner = nullptr;
    Time released = 0;
  };

  const bool more_, passive_, neighbours_, tasks_, devices_;
  std::vector<Location*> callers_;
  std::map<std::uint32_t, ThreadTeam> teams_;                ///< by process
  std::map<std::uint32_t, std::vector<Location*>> streams_;  ///< by process
  Step step_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Lock> locks_;  ///< by process and number
  std::vector<WindowLock> window_locks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, WindowRelease> window_releases_;  ///< by communicator and target
  ShmemLock shmem_locks_[2];
  std::uint64_t draws_ = 0, operations_ = 0, tasks_created_ = 0;
  std::map<ChannelKey, Channel> channels_;
  std::deque<Message> messages_;
  std::deque<Request> requests_;
  std::map<std::uint32_t, std::uint64_t> request_ids_;
};

std::string list_of(const std::vector<std::uint32_t>& processes, const std::vector<std::uint32_t>& first) {
  std::string text;
  for (const std::uint32_t p : processes) text += fmt::format("{}{}", text.empty() ? "" : ",", first[p]);
  return "(" + text + ")";
}

}  // namespace

RandomTrace::RandomTrace(const Script& script) {
  Simulation simulation(script);
  communicators_ = std::move(simulation.communicators_);
  messages_ = simulation.message_count();
  windows_ = script.more;
  streams_ = script.streams != 0;
  groups_ = std::move(simulation.groups_);
  for (auto& [members, number] : simulation.team_communicators_) {
    teams_.resize(std::max<std::size_t>(teams_.size(), number + 1));
    teams_[number] = members;
  }
  for (Location& l : simulation.locations_) {
    location_process_.push_back(l.process);
    is_stream_.push_back(l.is_stream);
    lines_.insert(lines_.end(), l.lines.begin(), l.lines.end());
  }
}

std::string RandomTrace::text() const {
  std::vector<std::uint32_t> same(locations());
  std::iota(same.begin(), same.end(), 0u);
  return text(same);
}

std::string RandomTrace::text(const std::vector<std::uint32_t>& number_of) const {
  const std::uint32_t processes = location_process_.back() + 1;
  std::vector<std::uint32_t> first(processes, locations()), number(processes), process_of(locations());
  std::vector<bool> stream(locations());
  for (std::uint32_t l = 0; l < locations(); ++l) {
    std::uint32_t& smallest = first[location_process_[l]];
    if (!is_stream_[l]) smallest = std::min(smallest, number_of[l]);
    process_of[number_of[l]] = location_process_[l];
    stream[number_of[l]] = is_stream_[l];
  }
  for (std::uint32_t p = 0; p < processes; ++p)
    number[p] =
        static_cast<std::uint32_t>(std::count_if(first.begin(), first.end(), [&](auto f) { return f < first[p]; }));

  const auto window_of = [&](std::uint32_t process) { return communicators_.size() + 1 + process; };
  std::string text;
  for (std::size_t r = 0; r < std::size(more_regions) && (windows_ || streams_ || !teams_.empty()); ++r)
    text += fmt::format("region {} {}\n", r, more_regions[r]);
  std::vector<std::string> properties(processes);  // by number
  for (std::size_t c = 0; c < communicators_.size(); ++c)
    for (std::size_t rank = 0; rank < communicators_[c].sources.size() && communicators_[c].dimensions.empty(); ++rank)
      properties[number[communicators_[c].a[rank]]] += fmt::format(
          R"({}"WAITSTATE::SOURCES::{}"=string:"{}")", properties[number[communicators_[c].a[rank]]].empty() ? "" : ",",
          c, fmt::join(communicators_[c].sources[rank], ","));
  for (std::uint32_t p = 0; p < processes; ++p)
    text += fmt::format("process {} type=process{}\n", p,
                        properties[p].empty() ? "" : fmt::format(" properties=({})", properties[p]));
  for (std::uint32_t l = 0; l < locations(); ++l)
    text += fmt::format("location {} process={}{}\n", l, number[process_of[l]],
                        stream[l] ? " type=accelerator_stream" : "");
  // Ranks do not depend on the order of the definitions.
  text += fmt::format("group 0 type=comm_locations paradigm=mpi members={}\n", list_of(communicators_[0].a, first));
  for (std::size_t c = 0; c < communicators_.size(); ++c) {
    const Communicator& comm = communicators_[c];
    text += fmt::format("comm {} members={}", c, comm.self ? "self" : list_of(comm.a, first));
    text += comm.b.empty() ? "\n" : fmt::format(" members_b={}\n", list_of(comm.b, first));
  }
  for (std::size_t t = 0; t < teams_.size(); ++t) {
    std::string members;
    for (const std::uint32_t l : teams_[t]) members += fmt::format("{}{}", members.empty() ? "" : ",", number_of[l]);
    text += fmt::format("comm {} paradigm=openmp members=({})\n", communicators_.size() + t, members);
  }
  std::size_t dimensions = 0, grids = 0;
  for (std::size_t c = 0; c < communicators_.size(); ++c) {
    const Communicator& grid = communicators_[c];
    if (grid.dimensions.empty()) continue;
    std::string of_grid, coordinates;
    for (const std::uint32_t size : grid.dimensions) {
      of_grid += fmt::format("{}{}", of_grid.empty() ? "" : ",", dimensions);
      text += fmt::format("cart_dimension {} name=d size={} periodicity={}\n", dimensions++, size, grid.periodic);
    }
    const std::uint32_t width = grid.dimensions.back();
    for (std::uint32_t rank = 0; rank < grid.a.size(); ++rank)
      coordinates += fmt::format("{}{}{},{}", rank == 0 ? "" : ",", rank,
                                 grid.dimensions.size() == 2 ? fmt::format(",{}", rank / width) : "", rank % width);
    text += fmt::format("cart_topology {} name=grid comm={} dimensions=({}) coordinates=({})\n", grids++, c, of_grid,
                        coordinates);
  }
  const std::size_t shmem = communicators_.size() + teams_.size();
  if (windows_ || streams_) {
    text += fmt::format("comm {} paradigm=shmem members={}\nrma_win 0 comm={}\n", shmem,
                        list_of(communicators_[0].a, first), shmem);
    for (std::size_t c = 0; c < communicators_.size(); ++c) text += fmt::format("rma_win {} comm={}\n", c + 1, c);
  }
  for (std::uint32_t p = 0; p < processes && streams_; ++p) {
    std::string members;
    for (std::uint32_t l = 0; l < locations(); ++l)
      if (process_of[l] == p) members += fmt::format("{}{}", members.empty() ? "" : ",", l);
    text += fmt::format("comm {} paradigm=cuda members=({})\nrma_win {} comm={}\n", shmem + 1 + p, members,
                        window_of(p), shmem + 1 + p);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g)
    text += fmt::format("group {} type=locations members={}\n", g + 1, list_of(groups_[g], first));
  std::vector<const Line*> order;
  for (const Line& line : lines_) order.push_back(&line);
  std::stable_sort(order.begin(), order.end(), [](const Line* a, const Line* b) { return a->time < b->time; });
  for (const Line* line : order)
    text += fmt::format("{} {} {}{}{}{}\n", number_of[line->location], line->time, line->text,
                        line->process ? std::to_string(first[*line->process])
                        : line->team  ? std::to_string(communicators_.size() + *line->team)
                                      : "",
                        line->rest, line->window_of ? fmt::format(" win={}", window_of(*line->window_of)) : "");
  return text;
}

}  // namespace waitstate::support
