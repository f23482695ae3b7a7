#include "analysis/conclusions/open_waits.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

namespace waitstate {
namespace analysis {
namespace {

constexpr std::string_view property_key = "WAITSTATE::WAITS.";

void add(std::vector<LocationId>& whom, LocationId location, LocationId self) {
  if (location.valid() && location != self) whom.push_back(location);
}

void make_set(std::vector<LocationId>& whom) {
  std::sort(whom.begin(), whom.end());
  whom.erase(std::unique(whom.begin(), whom.end()), whom.end());
}

template <class Id, class Table>
Id by_ref(const Table& table, std::uint64_t ref) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.ref == ref; });
  return found == table.end() ? Id::none() : Id{static_cast<std::size_t>(found - table.begin())};
}

/// All members of a communicator; for an inter-communicator, the members of both groups.
std::vector<LocationId> members(const Comm& comm) {
  std::vector<LocationId> all = comm.members;
  all.insert(all.end(), comm.members_b.begin(), comm.members_b.end());
  return all;
}

/// A note of the recorder, "SINCE FUNCTION KIND comm=REF|window=REF|lock=NUMBER peer=RANK tag=TAG". Names of functions
/// may have spaces.
struct Note {
  Time since = 0;  ///< by the clock of the process, which the archive may correct
  std::string function, kind;
  std::uint64_t where = 0;
  std::int64_t peer = -1, tag = -1;
};

std::optional<Note> note_of(const std::string& text) {
  std::istringstream stream(text);
  Note note;
  std::vector<std::string> words;
  if (!(stream >> note.since)) return std::nullopt;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  if (words.size() < 5) return std::nullopt;
  const std::string &where = words.end()[-3], &peer = words.end()[-2], &tag = words.end()[-1];
  note.kind = words.end()[-4];
  for (std::size_t i = 0; i + 4 < words.size(); ++i) note.function += (i == 0 ? "" : " ") + words[i];
  const auto number = [](const std::string& word, std::string_view key, auto& value) {
    if (!word.starts_with(key)) return false;
    std::istringstream digits(word.substr(key.size()));
    return static_cast<bool>(digits >> value) && digits.eof();
  };
  if (!number(where, "comm=", note.where) && !number(where, "window=", note.where) &&
      !number(where, "lock=", note.where))
    return std::nullopt;
  if (!number(peer, "peer=", note.peer) || !number(tag, "tag=", note.tag)) return std::nullopt;
  return note;
}

/// The locations that have, or were given, the lock of a target's part of a window.
std::vector<LocationId> holders(const std::vector<link::HeldLock>& held, RmaWinId window, LocationId target,
                                const Call& call) {
  std::vector<LocationId> found;
  for (const link::HeldLock& lock : held)
    if (lock.window == window && (lock.target == target || !lock.target.valid() || !target.valid()))
      add(found, lock.location, call.location);
  make_set(found);
  return found;
}

/// A call inside of an epoch: its process has the lock, or has asked for it in an earlier call.
bool is_in_own_epoch(const std::vector<link::HeldLock>& held, RmaWinId window, LocationId target, const Call& call) {
  return std::any_of(held.begin(), held.end(), [&](const link::HeldLock& lock) {
    return lock.location == call.location && lock.window == window && lock.enter < call.enter &&
           (lock.target == target || !lock.target.valid() || !target.valid());
  });
}

OpenWait of_thread_lock(const Note& note, const Call& call, const std::vector<link::HeldThreadLock>& held,
                        const Definitions& definitions) {
  OpenWait wait;
  wait.kind = OpenWait::Kind::thread_lock;
  const Paradigm paradigm = note.kind == "omp_lock" ? Paradigm::openmp : Paradigm::pthread;
  for (const link::HeldThreadLock& lock : held)
    if (lock.paradigm == paradigm && lock.lock == note.where &&
        definitions[lock.location].process == definitions[call.location].process)
      wait.whom.push_back(lock.location);  // the waiter too: it may have locked a mutex twice
  make_set(wait.whom);
  return wait;
}

/// None if the call does not wait for what the note says.
std::optional<OpenWait> of_note(const Note& note, const Call& call, const HeldLocks& locks,
                                const Definitions& definitions) {
  if (note.kind == "omp_lock" || note.kind == "pthread_lock")
    return of_thread_lock(note, call, locks.of_threads, definitions);
  const std::vector<link::HeldLock>& held = locks.of_windows;
  OpenWait wait;
  wait.tag = note.tag;
  if (note.kind == "window" || note.kind == "lock") {
    wait.kind = note.kind == "lock" ? OpenWait::Kind::lock : OpenWait::Kind::window;
    wait.window = by_ref<RmaWinId>(definitions.rma_wins, note.where);
    if (!wait.window.valid()) return wait;
    wait.comm = definitions.rma_wins[wait.window.index()].comm;
    if (wait.kind == OpenWait::Kind::lock) {
      if (note.peer >= 0 && wait.comm.valid())
        wait.target = definitions.locate(wait.comm, static_cast<std::uint32_t>(note.peer), call.location);
      if (is_in_own_epoch(held, wait.window, wait.target, call)) return std::nullopt;
      wait.whom = holders(held, wait.window, wait.target, call);
      if (wait.whom.empty() && wait.target.valid()) add(wait.whom, wait.target, call.location);
    }
    return wait;
  }
  wait.comm = by_ref<CommId>(definitions.comms, note.where);
  wait.kind = note.kind == "send"         ? OpenWait::Kind::send
              : note.kind == "collective" ? OpenWait::Kind::collective
                                          : OpenWait::Kind::receive;
  if (!wait.comm.valid() || wait.kind == OpenWait::Kind::collective) return wait;
  if (note.peer >= 0) {
    // A process that waits for itself is among those that hold it up.
    const LocationId peer = definitions.locate(wait.comm, static_cast<std::uint32_t>(note.peer), call.location);
    if (peer.valid()) wait.whom.push_back(peer);
  } else {
    wait.any = true;
    for (const LocationId member : members(definitions[wait.comm])) add(wait.whom, member, call.location);
    make_set(wait.whom);
  }
  return wait;
}

}  // namespace

std::vector<OpenWait> waits_of(const link::Linker::OpenCall& open, const HeldLocks& locks,
                               const Definitions& definitions) {
  const Call& call = open.call;
  const std::vector<link::HeldLock>& held = locks.of_windows;
  std::vector<OpenWait> waits;
  for (const Property& property : definitions[call.location].properties) {
    if (!property.name.starts_with(property_key) || property.value.type != ValueType::string) continue;
    if (property.value.bits >= definitions.strings.size()) continue;
    if (const auto note = note_of(definitions.strings[property.value.bits]);
        note && note->function == definitions[call.region].name)
      if (const auto wait = of_note(*note, call, locks, definitions)) waits.push_back(*wait);
  }
  if (!waits.empty()) return waits;
  if (open.receiver.valid()) {
    OpenWait& wait = waits.emplace_back();
    wait.kind = OpenWait::Kind::send;
    wait.comm = open.comm;
    wait.tag = open.tag;
    wait.whom = {open.receiver};
    return waits;
  }
  const auto asked = std::find_if(held.begin(), held.end(), [&](const link::HeldLock& lock) {
    return lock.location == call.location && lock.enter == call.enter;
  });
  if (asked != held.end()) {
    OpenWait& wait = waits.emplace_back();
    wait.kind = OpenWait::Kind::lock;
    wait.window = asked->window;
    wait.comm = definitions.rma_wins[asked->window.index()].comm;
    wait.target = asked->target;
    wait.whom = holders(held, asked->window, asked->target, call);
  }
  return waits;
}

namespace {

/// Processes that are in MPI_Finalize wait for all that are in another call, or nowhere in MPI.
void find_missing_at_finalize(std::vector<OpenCall>& calls, const Definitions& definitions,
                              const std::set<ProcessId>& ended) {
  const auto finalizes = [&](const OpenCall& call) {
    return definitions[call.region].mpi_function == MpiFunction::finalize;
  };
  std::set<ProcessId> there = ended;
  for (const OpenCall& call : calls)
    if (finalizes(call)) there.insert(definitions[call.location].process);
  OpenWait wait;
  wait.kind = OpenWait::Kind::collective;
  for (std::size_t p = 0; p < definitions.processes.size(); ++p) {
    const LocationGroup& process = definitions.processes[p];
    if (process.rank >= 0 && !there.contains(ProcessId{p}) && !process.locations.empty())
      wait.whom.push_back(process.locations.front());
  }
  make_set(wait.whom);
  for (OpenCall& call : calls)
    if (finalizes(call) && call.waits.empty() && !wait.whom.empty()) call.waits.push_back(wait);
}

}  // namespace

void find_missing_members(std::vector<OpenCall>& calls, const Definitions& definitions,
                          const std::set<ProcessId>& ended) {
  find_missing_at_finalize(calls, definitions, ended);
  std::map<std::pair<CommId, RmaWinId>, std::set<ProcessId>> come;  // processes that have reached an operation on a
                                                                    // communicator or a window
  const auto place = [](const OpenWait& w) { return std::pair(w.comm, w.window); };
  const auto is_of_all = [](const OpenWait& w) {
    return (w.kind == OpenWait::Kind::collective || w.kind == OpenWait::Kind::window) && w.comm.valid();
  };
  for (const OpenCall& call : calls)
    for (const OpenWait& wait : call.waits)
      if (is_of_all(wait)) come[place(wait)].insert(definitions[call.location].process);
  for (OpenCall& call : calls)
    for (OpenWait& wait : call.waits) {
      if (!is_of_all(wait)) continue;
      const std::set<ProcessId>& there = come.at(place(wait));
      for (const LocationId member : members(definitions[wait.comm]))
        if (member.valid() && !there.contains(definitions[member].process)) wait.whom.push_back(member);
      make_set(wait.whom);
    }
}

namespace {

/// True if the call waits for a message of that sender: by its own record or, if the trace has none, by the kind of
/// the call.
bool may_receive(const OpenCall& call, LocationId sender, const Definitions& definitions) {
  const MpiFunction f = definitions[call.region].mpi_function;
  if (call.waits.empty()) return f == MpiFunction::recv || f == MpiFunction::probe || f == MpiFunction::mprobe;
  return std::any_of(call.waits.begin(), call.waits.end(), [&](const OpenWait& wait) {
    return wait.kind == OpenWait::Kind::receive &&
           (wait.any || wait.whom.empty() || std::any_of(wait.whom.begin(), wait.whom.end(), [&](LocationId l) {
              return l == sender ||
                     (definitions[l].process.valid() && definitions[l].process == definitions[sender].process);
            }));
  });
}

}  // namespace

void find_unreceived(std::vector<OpenCall>& calls, const std::vector<link::Linker::Leftover>& leftovers,
                     const Definitions& definitions) {
  for (OpenCall& call : calls) {
    std::map<std::tuple<LocationId, CommId, std::uint32_t>, std::uint64_t> counts;
    for (const link::Linker::Leftover& l : leftovers)
      if (l.sent && l.receiver.valid() && l.receiver == definitions[call.location].process &&
          may_receive(call, l.location, definitions))
        ++counts[{l.location, l.comm, l.tag}];
    for (const auto& [what, count] : counts)
      call.unreceived.push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), count});
  }
}

}  // namespace analysis

bool waits_for_any(const AnalysisResult& result, const OpenCall& call) {
  const MpiFunction f = result.definitions[call.region].mpi_function;
  return f == MpiFunction::waitany || f == MpiFunction::waitsome;
}

namespace {

/// True if all events of the location's process are known, and it was outside of every region after the last one.
bool has_ended(const AnalysisResult& result, LocationId l) {
  const ProcessId process = result.definitions[l].process;
  const std::vector<LocationId> alone{l};
  const std::vector<LocationId>& all = process.valid() ? result.definitions[process].locations : alone;
  return std::all_of(all.begin(), all.end(), [&](LocationId t) {
    return t.index() < result.locations.size() && result.locations[t.index()].events != 0 &&
           result.locations[t.index()].events >= result.definitions[t].announced_events &&
           !result.locations[t.index()].last_callpath.valid();
  });
}

}  // namespace

std::vector<std::vector<LocationId>> deadlocks(const AnalysisResult& result) {
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::directedS>;
  const Definitions& definitions = result.definitions;
  std::map<LocationId, std::size_t> vertices;  // threads with open calls
  std::map<ProcessId, std::vector<std::size_t>> of_process;
  std::vector<LocationId> first;
  for (const OpenCall& call : result.open_calls)
    if (vertices.try_emplace(call.location, first.size()).second) {
      if (const ProcessId process = definitions[call.location].process; process.valid())
        of_process[process].push_back(first.size());
      first.push_back(call.location);
    }
  // The threads that a wait for a location is about: for a lock that one, for all else those of its process, of which
  // any may do what is waited for.
  const auto vertices_of = [&](const OpenWait& wait, LocationId l) -> std::vector<std::size_t> {
    if (const auto process = of_process.find(definitions[l].process);
        process != of_process.end() && wait.kind != OpenWait::Kind::thread_lock)
      return process->second;
    const auto found = vertices.find(l);
    return found == vertices.end() ? std::vector<std::size_t>() : std::vector{found->second};
  };
  // Blocked are the threads of the largest set in which every way out of every call leads to a member of the set:
  // those that have another way out are taken from it, again and again. A process that has ended can do nothing any
  // more.
  std::vector<bool> kept(first.size(), true);
  const auto blocks = [&](const OpenWait& wait) {
    const auto blocked = [&](LocationId l) {
      const std::vector<std::size_t> all = vertices_of(wait, l);
      return all.empty() ? has_ended(result, l)
                         : std::all_of(all.begin(), all.end(), [&](std::size_t v) { return bool{kept[v]}; });
    };
    if (wait.whom.empty()) return false;
    return wait.any ? std::all_of(wait.whom.begin(), wait.whom.end(), blocked)
                    : std::any_of(wait.whom.begin(), wait.whom.end(), blocked);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const OpenCall& call : result.open_calls) {
      const std::size_t v = vertices.at(call.location);
      if (!kept[v]) continue;
      const bool stays = !call.waits.empty() && waits_for_any(result, call)
                             ? std::all_of(call.waits.begin(), call.waits.end(), blocks)
                             : std::any_of(call.waits.begin(), call.waits.end(), blocks);
      if (!stays) kept[v] = false, changed = true;
    }
  }
  Graph graph(first.size());
  std::vector<bool> for_itself(first.size());
  for (const OpenCall& call : result.open_calls)
    for (const OpenWait& wait : call.waits)
      for (const LocationId other : blocks(wait) ? wait.whom : std::vector<LocationId>())
        for (const std::size_t o : vertices_of(wait, other)) {
          const std::size_t v = vertices.at(call.location);
          if (!kept[v] || !kept[o]) continue;
          for_itself[v] = for_itself[v] || v == o;
          boost::add_edge(v, o, graph);
        }
  std::vector<std::size_t> component(first.size());
  const auto map = boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph));
  const std::size_t components = boost::strong_components(graph, map);
  std::vector<std::vector<LocationId>> all;
  std::vector<bool> done(components);
  for (std::size_t v = 0; v < first.size(); ++v) {
    if (done[component[v]]) continue;
    if (for_itself[v]) {
      done[component[v]] = true;
      all.push_back({first[v]});
      continue;
    }
    if (std::count(component.begin(), component.end(), component[v]) < 2) continue;
    done[component[v]] = true;
    std::vector<std::size_t> from(first.size(), first.size());
    boost::breadth_first_search(
        graph, v,
        boost::visitor(boost::make_bfs_visitor(boost::record_predecessors(from.data(), boost::on_tree_edge()))));
    std::vector<std::size_t> shortest;
    for (std::size_t last = 0; last < first.size(); ++last) {
      if (!boost::edge(last, v, graph).second || component[last] != component[v]) continue;
      std::vector<std::size_t> circle{last};
      while (circle.back() != v) circle.push_back(from[circle.back()]);
      if (shortest.empty() || circle.size() < shortest.size()) shortest = std::move(circle);
    }
    std::vector<LocationId> locations;
    for (auto at = shortest.rbegin(); at != shortest.rend(); ++at) locations.push_back(first[*at]);
    all.push_back(std::move(locations));
  }
  return all;
}

}  // namespace waitstate
