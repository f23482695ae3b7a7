#include "record/archive/merge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "record/archive/identities.hpp"
#include "record/archive/unpaired.hpp"
#include "record/parts/part_lines.hpp"

namespace waitstate::record {
namespace {

constexpr std::uint64_t most_threads_of_process = 1 << 16;
constexpr std::uint64_t most_missing = 1024;           // processes that left nothing, and as many again ...
constexpr std::uint64_t most_missing_for_a_part = 64;  // for each process that left something
constexpr std::uint64_t most_completed = 1 << 24;      // members of communicators whose list is lost, of all together
constexpr std::uint32_t none = ~0u;
constexpr unsigned openmp = 3, mpi = 4, pthread = 7, shmem = 13;  // values of OTF2_Paradigm

void add_names(std::string_view list, std::set<std::string>& to) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    if (!one.empty()) to.emplace(one);
    list.remove_prefix(std::min(list.size(), one.size() + 1));
  }
}

// The members of one communicator, as far as its processes tell.
struct Members {
  Numbers members, members_b;
  std::map<std::uint64_t, std::uint64_t> one_by_one;  // rank in it → in the world
  std::uint64_t size = 0;
  bool inter = false;
};

class Merger {
 public:
  Merged run(const std::vector<std::string>& texts) {
    read(texts);
    if (parts_.empty()) {
      m_.problem = "no process has left records that can be read";
      return std::move(m_);
    }
    agree();
    m_.uncertain_comms = settle_identities(parts_);
    if (world_ - parts_.size() > most_missing + most_missing_for_a_part * parts_.size()) {
      m_.problem = std::to_string(parts_.size()) + " of " + std::to_string(world_) +
                   " processes have left records: these are too few for a trace";
      return std::move(m_);
    }
    m_.processes.resize(world_);
    for (std::uint64_t rank = 0; rank < world_; ++rank) m_.processes[rank].rank = rank;
    for (const PartLines& p : parts_) place(p);
    find_locations();
    fixed_groups();
    for (const PartLines& p : parts_) collect_members(p);
    complete_members();
    for (const PartLines& p : parts_) define(p);
    for (const PartLines& p : parts_) attach(p);
    for (const PartLines& p : parts_) measure(p);
    number_instances();
    name_aliases();
    agree_on_settings();
    const Unpaired unpaired = count_unpaired(parts_, m_);
    m_.unpaired_messages = unpaired.messages;
    m_.unpaired_collectives = unpaired.collectives;
    return std::move(m_);
  }

 private:
  // ---- parts, in the order of their ranks ----

  void read(const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      if (std::optional<PartLines> part = read_part(text, m_.lines_left_out)) parts_.push_back(std::move(*part));
    std::ranges::stable_sort(parts_, {}, [](const PartLines& p) { return p.process.rank; });
    const auto again = [](const PartLines& a, const PartLines& b) { return a.process.rank == b.process.rank; };
    parts_.erase(std::unique(parts_.begin(), parts_.end(), again), parts_.end());
  }

  // Where parts disagree, the version of the majority counts; in a tie, that of the lowest ranks. Parts that have no
  // place then are left out.
  void agree() {
    using Said = std::tuple<std::uint64_t, std::uint64_t, std::string>;
    std::map<Said, std::uint64_t> votes;
    const auto said = [](const PartLines& p) {
      return Said(p.process.size, p.process.chunk_bytes, p.process.paradigm);
    };
    for (const PartLines& p : parts_) ++votes[said(p)];
    const PartLines* right = &parts_.front();
    for (const PartLines& p : parts_)
      if (votes[said(p)] > votes[said(*right)]) right = &p;
    world_ = right->process.size;
    m_.chunk_bytes = right->process.chunk_bytes;
    m_.paradigm = right->process.paradigm;
    std::erase_if(parts_, [&](const PartLines& p) { return p.process.rank >= world_; });
  }

  // Counts a line that can be read, but whose content is wrong.
  void left_out() { ++m_.lines_left_out; }

  MergedProcess& process_of(const PartLines& part) { return m_.processes[part.process.rank]; }

  // ---- processes and their locations ----

  using Threads = std::map<std::uint32_t, MergedThread>;

  void place(const PartLines& part) {
    MergedProcess& p = process_of(part);
    p.present = true;
    p.host = part.process.host;
    p.node = part.process.node;
    p.program = part.process.program;
    Threads threads;
    for_each_line(
        part, [&](const LocationLine& l) { add_location(threads, l); },
        [&](const EventsLine& l) { count_events(threads, l); },
        [&](const ClockLine& l) {
          p.clock.push_back({l.time, l.offset, l.deviation});
        },
        [&](const ClockOfLine& l) { add_clock(threads, l); },
        [&](const PropertyLine& l) { p.properties.emplace_back(l.name, l.text); },
        [&](const LeftOutLine& l) { add_names(l.groups, m_.left_out); },
        [&](const LeftOutCalledLine& l) { add_names(l.groups, m_.left_out_called); },
        [&](const CvarLine& l) { settings_[l.name].insert_or_assign(part.process.rank, l.value); },
        [&](const DateLine& l) {
          p.date = {l.time, l.since_1970};
        },
        [&](const EndLine&) { p.ended = true; }, [&](const EndedLine& l) { p.stopped = l.time; });
    for (auto& [n, thread] : threads) p.threads.push_back(std::move(thread));
  }

  void add_location(Threads& threads, const LocationLine& l) {
    const bool full = threads.size() >= most_threads_of_process && !threads.contains(l.number);
    if (l.number >= 1u << 31 || full) return left_out();
    MergedThread& t = threads[l.number];
    t.number = l.number;
    t.name = l.name;
    t.metric = l.kind == LocationKind::metric;
  }

  void count_events(Threads& threads, const EventsLine& l) {
    const auto at = threads.find(l.location);
    if (at == threads.end() || l.last < l.first) return left_out();
    MergedThread& t = at->second;
    t.events = l.records;
    t.first = l.first;
    t.last = l.last;
    t.counted = true;
  }

  void add_clock(Threads& threads, const ClockOfLine& l) {
    const auto at = threads.find(l.location);
    if (at == threads.end()) return left_out();
    at->second.clock.push_back({l.time, l.offset, l.deviation});
  }

  void find_locations() {
    for (MergedProcess& p : m_.processes) {
      if (p.threads.empty()) {
        p.threads.emplace_back().name = "Master thread";
        p.threads.back().counted = true;  // it has none
      }
      p.name = (m_.paradigm == "mpi"     ? "MPI Rank "
                : m_.paradigm == "shmem" ? "PE "
                                         : "Process ") +
               std::to_string(p.rank);
      for (MergedThread& t : p.threads) {
        t.location = t.number << 32 | p.rank;
        if (t.metric) continue;
        index_[{p.rank, t.number}] = all_.size();
        all_.push_back(t.location);
      }
    }
  }

  // ---- groups and the members of communicators ----

  void fixed_groups() {
    Numbers masters;
    for (const MergedProcess& p : m_.processes) masters.push_back(p.rank);
    using K = MergedGroup::Kind;
    m_.groups.push_back(
        {K::locations, m_.paradigm == "shmem" ? shmem : mpi, m_.paradigm == "threads" ? Numbers{} : masters});
    m_.groups.push_back({K::locations, openmp, all_});
    m_.groups.push_back({K::locations, pthread, all_});
    for (std::uint32_t i = 0; i < m_.groups.size(); ++i) groups_[m_.groups[i]] = i;
  }

  std::uint32_t group(MergedGroup g) {
    const auto [place, added] = groups_.try_emplace(g, static_cast<std::uint32_t>(m_.groups.size()));
    if (added) m_.groups.push_back(std::move(g));
    return place->second;
  }
  unsigned process_paradigm() const { return m_.paradigm == "shmem" ? shmem : mpi; }

  void collect_members(const PartLines& part) {
    for_each_line(
        part,
        [&](const CommLine& l) {
          Members& known = members_[l.identity];
          known.size = std::max(known.size, l.size);
          known.one_by_one[l.rank] = part.process.rank;
          if (!l.members.empty()) known.members = l.members;
        },
        [&](const InterLine& l) {
          Members& known = members_[l.identity];
          known.inter = true;
          known.members = l.members;
          known.members_b = l.members_b;
        });
  }

  void complete_members() {
    std::uint64_t completed = 0;
    for (auto& [identity, known] : members_)
      if (known.members.empty() && known.size <= world_ && (completed += known.size) <= most_completed)
        // The process that knew them has left nothing.
        for (std::uint64_t i = 0; i < known.size; ++i) {
          const auto at = known.one_by_one.find(i);
          known.members.push_back(at == known.one_by_one.end() ? world_ : at->second);
        }
  }

  // ---- definitions ----

  // False if the line is left out: every number that a recorder gives is below the number of its lines.
  bool set(const PartLines& part, Table table, std::uint32_t local, std::uint64_t global) {
    if (local >= part.count) {
      left_out();
      return false;
    }
    auto& map = process_of(part).maps[static_cast<std::size_t>(table)];
    if (local >= map.size()) map.resize(std::size_t{local} + 1, ~std::uint64_t{0});
    map[local] = global;
    return true;
  }
  std::uint32_t global(const PartLines& part, Table table, std::optional<std::uint32_t> local) const {
    const auto& map = m_.processes[part.process.rank].maps[static_cast<std::size_t>(table)];
    return local && *local < map.size() && map[*local] != ~std::uint64_t{0} ? static_cast<std::uint32_t>(map[*local])
                                                                            : none;
  }
  // A communicator or window.
  std::uint32_t global(const PartLines& part, ObjectKind kind, std::optional<std::uint32_t> local) const {
    if (!is_one_object(kind)) return none;
    return global(part, kind == ObjectKind::comm ? Table::comm : Table::win, local);
  }
  static bool is_one_object(ObjectKind kind) { return kind == ObjectKind::comm || kind == ObjectKind::win; }

  void define(const PartLines& part) {
    for_each_line(
        part, [&](const StringLine& l) { set(part, Table::string, l.number, string(l.text)); },
        [&](const RegionLine& l) { set(part, Table::region, l.number, region(l)); },
        [&](const GroupLine& l) {
          set(part, Table::group, l.number, group({MergedGroup::Kind::ranks, process_paradigm(), l.ranks}));
        },
        [&](const CommLine& l) { set(part, Table::comm, l.number, comm(part, l)); },
        [&](const InterLine& l) { set(part, Table::comm, l.number, comm(part, l)); },
        [&](const AliasLine& l) {
          const std::uint32_t c = alias(part, l);
          c == none ? left_out() : (void)set(part, Table::comm, l.number, c);
        },
        [&](const TeamLine& l) { set(part, Table::comm, l.number, team(part, l)); },
        [&](const WinLine& l) { set(part, Table::win, l.number, win(part, l)); });
  }

  std::uint32_t string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<std::uint32_t>(m_.strings.size()));
    if (added) m_.strings.push_back(text);
    return place->second;
  }

  std::size_t region(const RegionLine& l) {
    const auto [place, added] = regions_.try_emplace({l.name, l.paradigm, l.role}, m_.regions.size());
    if (added) m_.regions.push_back({l.name, l.paradigm, l.role});
    return place->second;
  }

  // `l`: a CommLine or an InterLine.
  template <class Line>
  std::uint32_t comm(const PartLines& part, const Line& l) {
    const auto [place, added] = comms_.try_emplace(l.identity, static_cast<std::uint32_t>(m_.comms.size()));
    if (!added) return place->second;
    const Members& known = members_[l.identity];
    MergedComm c;
    c.name = l.name;
    c.identity = l.identity;
    c.created = l.identity != "W" && l.identity != "S";
    c.parent = global(part, Table::comm, l.parent);
    using K = MergedGroup::Kind;
    c.group = l.identity == "S" ? group({K::self, process_paradigm(), {}})
                                : group({K::ranks, process_paradigm(), known.members});
    if (known.inter) c.group_b = group({K::ranks, process_paradigm(), known.members_b});
    m_.comms.push_back(std::move(c));
    return place->second;
  }

  // Names are given when all of them are known.
  std::uint32_t alias(const PartLines& part, const AliasLine& l) {
    const auto [place, added] = comms_.try_emplace(l.identity, static_cast<std::uint32_t>(m_.comms.size()));
    if (!added) return place->second;
    const std::uint32_t of = global(part, Table::comm, l.comm);
    if (of == none) {
      comms_.erase(place);
      return none;
    }
    MergedComm c = m_.comms[of];
    c.name = l.name;
    c.identity = l.identity;
    c.parent = of;
    c.created = false;
    aliases_.push_back(static_cast<std::uint32_t>(m_.comms.size()));
    m_.comms.push_back(std::move(c));
    return place->second;
  }
  void name_aliases() {
    for (const std::uint32_t alias : aliases_) {
      MergedComm& c = m_.comms[alias];
      const std::string& of = m_.comms[c.parent].name;
      c.name = of + (of.empty() ? "" : ", ") + c.name;
    }
  }

  // Teams of the same threads are one communicator; members are places among all locations.
  std::uint32_t team(const PartLines& part, const TeamLine& l) {
    const std::uint64_t rank = part.process.rank;
    MergedGroup g{MergedGroup::Kind::ranks, l.paradigm, {}};
    if (l.paradigm == pthread)
      for (const MergedThread& t : process_of(part).threads)
        if (!t.metric) g.members.push_back(index_[{rank, t.number}]);
    for (const std::uint64_t thread : l.threads) {
      const auto at = index_.find({rank, thread});
      g.members.push_back(at == index_.end() ? all_.size() : at->second);
    }
    const std::uint32_t members = group(std::move(g));
    const auto [place, added] = teams_.try_emplace(members, static_cast<std::uint32_t>(m_.comms.size()));
    if (added) m_.comms.push_back({l.paradigm == pthread ? "Created threads" : "", "", members, none, none, false});
    return place->second;
  }

  std::uint32_t win(const PartLines& part, const WinLine& l) {
    const auto [place, added] = wins_.try_emplace(l.identity, static_cast<std::uint32_t>(m_.wins.size()));
    if (added) m_.wins.push_back({l.name, global(part, Table::comm, l.comm)});
    return place->second;
  }

  // ---- later facts about what is defined ----

  void attach(const PartLines& part) {
    for_each_line(
        part, [&](const WaitsLine& l) { wait(part, l); }, [&](const SourcesLine& l) { add_sources(part, l); },
        [&](const NameLine& l) { rename(part, l); }, [&](const CartLine& l) { add_topology(part, l); });
  }

  // Properties of locations say what their open calls wait for, in the archive's numbers.
  void wait(const PartLines& part, const WaitsLine& l) {
    const bool of_window = l.what == "window" || l.what == "lock";
    const bool of_threads = l.what == "omp_lock" || l.what == "pthread_lock";
    const std::uint32_t where = of_threads ? l.object : global(part, of_window ? Table::win : Table::comm, l.object);
    const std::uint32_t region = global(part, Table::region, l.region);
    if (where == none || region == none) return left_out();
    const std::string kind = of_threads ? " lock=" : of_window ? " window=" : " comm=";
    const std::string text = std::to_string(l.since) + " " + m_.regions[region].name + " " + l.what + kind +
                             std::to_string(where) + " peer=" + std::to_string(l.peer) +
                             " tag=" + std::to_string(l.tag);
    for (MergedThread& t : process_of(part).threads)
      if (t.number == l.location)
        t.properties.emplace_back("WAITSTATE::WAITS." + std::to_string(t.properties.size()), text);
  }

  void add_sources(const PartLines& part, const SourcesLine& l) {
    const std::uint32_t c = global(part, Table::comm, l.comm);
    if (c == none) return left_out();
    process_of(part).properties.emplace_back("WAITSTATE::SOURCES::" + std::to_string(c), list_of(l.sources));
  }

  void rename(const PartLines& part, const NameLine& l) {
    const std::uint32_t object = global(part, l.kind, l.object);
    if (object == none) return left_out();
    (l.kind == ObjectKind::comm ? m_.comms[object].name : m_.wins[object].name) = l.name;
  }

  void add_topology(const PartLines& part, const CartLine& l) {
    const std::uint32_t c = global(part, Table::comm, l.comm);
    const std::size_t dimensions = l.sizes.size();
    if (c == none || l.periodic.size() != dimensions || l.coordinates.size() != dimensions || dimensions == 0 ||
        dimensions > 255)
      return left_out();
    const auto [place, added] = topologies_.try_emplace(c, m_.topologies.size());
    if (added) m_.topologies.push_back({c, l.sizes, l.periodic, {}});
    MergedTopology& t = m_.topologies[place->second];
    if (t.sizes.size() == dimensions) t.coordinates.emplace_back(l.rank, l.coordinates);
  }

  // ---- metrics and settings ----

  using Streams = std::map<std::uint32_t, std::uint64_t>;  // locations of the archive, by the metrics that they sample

  void measure(const PartLines& part) {
    Streams streams;
    for_each_line(part, [&](const SampledLine& l) { sample(part, l, streams); });
    for_each_line(part, [&](const MetricLine& l) { metric(part, l, streams); });
  }

  void sample(const PartLines& part, const SampledLine& l, Streams& streams) {
    const auto records = [&](const MergedThread& t) { return t.metric && t.number == l.location; };
    if (std::ranges::none_of(process_of(part).threads, records)) return left_out();
    streams[l.metric] = std::uint64_t{l.location} << 32 | part.process.rank;
  }

  // A metric that is the same on several processes is one metric.
  void metric(const PartLines& part, const MetricLine& l, const Streams& streams) {
    const std::uint32_t object = global(part, l.object_kind, l.object);
    if (is_one_object(l.object_kind) && object == none) return left_out();
    const auto stream = streams.find(l.number);
    const bool sampled = stream != streams.end();
    const auto [place, added] = metrics_.try_emplace(
        {l.name, l.unit, l.description, l.mode, l.type, l.object_kind, object, sampled}, m_.metrics.size());
    if (added)
      m_.metrics.push_back({l.name + of_object(l.object_kind, object), l.unit, l.description, l.mode, l.type, sampled});
    if (!set(part, Table::metric, l.number, place->second) || !sampled) return;
    instances_.push_back({part.process.rank, l.number});
    m_.instances.push_back({place->second, stream->second, part.process.rank});
  }

  // The end of a metric's name: its object by the object's last name, with more where others have the same.
  std::string of_object(ObjectKind kind, std::uint32_t object) {
    switch (kind) {
      case ObjectKind::none:
        break;
      case ObjectKind::comm:
        return of_object(m_.comms[object].name, m_.comms[object].identity);
      case ObjectKind::win:
        return of_object(m_.wins[object].name, std::to_string(object));
      case ObjectKind::comms:
        return " [further communicators]";
      case ObjectKind::wins:
        return " [further windows]";
    }
    return "";
  }
  std::string of_object(const std::string& name, const std::string& identity) {
    if (name.empty()) return " [" + identity + "]";
    const auto [first, added] = object_names_.try_emplace(name, identity);
    return " [" + name + (first->second == identity ? "" : " " + identity) + "]";
  }

  // Numbers instances behind all metrics: only now are all of these known.
  void number_instances() {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      const auto& [rank, own] = instances_[i];
      m_.processes[rank].maps[static_cast<std::size_t>(Table::metric)][own] = m_.metrics.size() + i;
    }
  }

  // A setting that all processes tell alike is the run's; else each has its own.
  void agree_on_settings() {
    for (const auto& [name, said] : settings_) {
      const std::string& first = said.begin()->second;
      const bool alike = std::all_of(said.begin(), said.end(), [&](const auto& one) { return one.second == first; });
      if (alike && said.size() == parts_.size())
        m_.settings.emplace_back(name, first);
      else
        for (const auto& [rank, text] : said)
          m_.processes[rank].properties.emplace_back(std::string(setting_prefix) + name, text);
    }
  }

  Merged m_;
  std::vector<PartLines> parts_;
  std::uint64_t world_ = 0;
  Numbers all_;  // locations, in the order of processes and threads
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> index_;
  std::map<std::string, Members> members_;  // by identity
  std::map<std::string, std::uint32_t> strings_, comms_, wins_;
  std::vector<std::uint32_t> aliases_;
  std::map<std::tuple<std::string, std::uint8_t, std::uint8_t>, std::size_t> regions_;
  std::map<
      std::tuple<std::string, std::string, std::string, std::uint8_t, std::uint8_t, ObjectKind, std::uint32_t, bool>,
      std::size_t>
      metrics_;
  std::map<std::string, std::string> object_names_;  // the first that has it
  std::map<MergedGroup, std::uint32_t> groups_;
  std::map<std::uint32_t, std::uint32_t> teams_;
  std::map<std::uint32_t, std::size_t> topologies_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> instances_;        // rank, its own number; beside those of m_
  std::map<std::string, std::map<std::uint64_t, std::string>> settings_;  // by name and rank
};

}  // namespace

Merged merge(const std::vector<std::string>& parts) { return Merger().run(parts); }

}  // namespace waitstate::record
