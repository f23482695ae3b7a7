// Above 500 lines for one reason: the steps of run() share one state, what is known of processes and communicators.
#include "record/core/merge.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "record/core/lines.hpp"

namespace waitstate::record {
namespace {

constexpr std::uint64_t most_processes = 1 << 20;
constexpr std::uint64_t most_threads_of_process = 1 << 16;
constexpr std::uint64_t most_missing = 1024;           // processes that left nothing, and as many again ...
constexpr std::uint64_t most_missing_for_a_part = 64;  // for each process that left something
constexpr std::uint64_t most_completed = 1 << 24;      // members of communicators whose list is lost, of all together
constexpr std::uint64_t least_chunk = 256 << 10, greatest_chunk = 16 << 20;  // bytes of OTF2's chunks
constexpr std::size_t most_fields = 9;
constexpr std::uint32_t none = ~0u;
constexpr unsigned openmp = 3, mpi = 4, pthread = 7, shmem = 13;  // values of OTF2_Paradigm

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::optional<std::vector<std::uint64_t>> numbers(std::string_view text) {
  std::vector<std::uint64_t> all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const auto n = number(one);
    if (!n) return std::nullopt;
    all.push_back(*n);
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return all;
}

void add_names(std::string_view list, std::set<std::string>& to) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    if (!one.empty()) to.emplace(one);
    list.remove_prefix(std::min(list.size(), one.size() + 1));
  }
}

using Fields = std::vector<std::string>;

struct Part {
  std::uint64_t rank = 0, size = 1, chunk = 0;
  std::string paradigm;
  std::vector<Fields> lines;
};

// The definitions of one communicator by several processes.
struct Known {
  std::vector<std::uint64_t> members, members_b;
  std::map<std::uint64_t, std::uint64_t> one_by_one;  // rank in it → in the world
  std::uint64_t size = 0;
  bool inter = false;
};

class Merger {
 public:
  Merged run(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) read(text);
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
    const auto again = [](const Part& a, const Part& b) { return a.rank == b.rank; };
    parts_.erase(std::unique(parts_.begin(), parts_.end(), again), parts_.end());
    if (parts_.empty()) {
      m_.problem = "no process has left records that can be read";
      return std::move(m_);
    }
    agree();
    if (world_ - parts_.size() > most_missing + most_missing_for_a_part * parts_.size()) {
      m_.problem = std::to_string(parts_.size()) + " of " + std::to_string(world_) +
                   " processes have left records: these are too few for a trace";
      return std::move(m_);
    }
    m_.processes.resize(world_);
    for (std::uint64_t rank = 0; rank < world_; ++rank) m_.processes[rank].rank = rank;
    for (const Part& p : parts_) place(p);
    find_locations();
    fixed_groups();
    for (const Part& p : parts_) collect_members(p);
    complete_members();
    for (const Part& p : parts_) define(p);
    for (const Part& p : parts_) attach(p);
    for (const Part& p : parts_) measure(p);
    number_instances();
    agree_on_settings();
    return std::move(m_);
  }

 private:
  void read(std::string_view text) {
    Part part;
    bool right = false, named = false;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      const bool whole = line.size() != text.size();
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (!whole || line.size() > longest_line) {  // the process ended while it wrote it
        ++m_.lines_left_out;
        continue;
      }
      if (static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) >= most_fields) {
        ++m_.lines_left_out;
        continue;
      }
      Fields f = fields_of(line);
      if (f[0] == format_name) {
        right = f.size() == 2 && f[1] == format_version;
      } else if (f[0] == "process" && f.size() == 9 && !named) {
        const auto rank = number(f[1]), size = number(f[2]), chunk = number(f[8]);
        if (!rank || !size || !chunk || *size > most_processes || *rank >= *size || *chunk < least_chunk ||
            *chunk > greatest_chunk)
          continue;
        named = true;
        part.rank = *rank;
        part.size = *size;
        part.chunk = *chunk;
        part.paradigm = f[7];
        part.lines.insert(part.lines.begin(), std::move(f));
      } else if (f.size() > 1 || f[0] == "end") {
        part.lines.push_back(std::move(f));
      } else {
        ++m_.lines_left_out;
      }
    }
    if (right && named) parts_.push_back(std::move(part));
  }

  // Where parts disagree, the version of most counts; if equally many do, that of the lowest ranks. Parts without a
  // place then are left out.
  void agree() {
    using Said = std::tuple<std::uint64_t, std::uint64_t, std::string>;
    std::map<Said, std::uint64_t> votes;
    const auto said = [](const Part& p) { return Said(p.size, p.chunk, p.paradigm); };
    for (const Part& p : parts_) ++votes[said(p)];
    const Part* right = &parts_.front();
    for (const Part& p : parts_)
      if (votes[said(p)] > votes[said(*right)]) right = &p;
    world_ = right->size;
    m_.chunk_bytes = right->chunk;
    m_.paradigm = right->paradigm;
    std::erase_if(parts_, [&](const Part& p) { return p.rank >= world_; });
  }

  // A line that can be used, or none.
  void left_out() { ++m_.lines_left_out; }

  // The last three fields.
  static std::optional<ClockPoint> clock_point(const Fields& f) {
    const std::string_view offset_text = f[f.size() - 2];
    const bool negative = offset_text.starts_with('-');
    const auto time = number(f[f.size() - 3]), deviation = number(f.back());
    const auto offset = number(offset_text.substr(negative ? 1 : 0));
    if (!time || !deviation || !offset || *offset > ~std::uint64_t{0} >> 1) return std::nullopt;
    const auto distance = static_cast<std::int64_t>(*offset);
    return ClockPoint{*time, negative ? -distance : distance, *deviation};
  }

  void place(const Part& part) {
    MergedProcess& p = m_.processes[part.rank];
    const Fields& about = part.lines.front();
    p.present = true;
    p.host = about[3];
    p.node = about[4];
    p.program = about[5];
    std::map<std::uint64_t, MergedThread> threads;
    for (const Fields& f : part.lines) {
      if (f[0] == "location" && (f.size() == 3 || f.size() == 4)) {
        if (const auto n = number(f[1]);
            n && *n < (1u << 31) && (threads.size() < most_threads_of_process || threads.contains(*n))) {
          threads[*n].number = *n;
          threads[*n].name = f[2];
          threads[*n].metric = f.size() == 4 && f[3] == "metric";
        } else {
          left_out();
        }
      } else if (f[0] == "events" && f.size() == 5) {
        const auto n = number(f[1]), count = number(f[2]), first = number(f[3]), last = number(f[4]);
        const auto at = n ? threads.find(*n) : threads.end();
        if (at == threads.end() || !count || !first || !last || *last < *first) {
          left_out();
          continue;
        }
        at->second.events = *count;
        at->second.first = *first;
        at->second.last = *last;
        at->second.counted = true;
      } else if ((f[0] == "clock" && f.size() == 4) || (f[0] == "clock_of" && f.size() == 5)) {
        const auto point = clock_point(f);
        const auto n = f.size() == 5 ? number(f[1]) : std::nullopt;
        const auto at = n ? threads.find(*n) : threads.end();
        if (!point || (f.size() == 5 && at == threads.end()))
          left_out();
        else
          (f.size() == 5 ? at->second.clock : p.clock).push_back(*point);
      } else if (f[0] == "property" && f.size() == 3) {
        p.properties.emplace_back(f[1], f[2]);
      } else if ((f[0] == "left_out" || f[0] == "left_out_called") && f.size() == 2) {
        add_names(f[1], f[0] == "left_out" ? m_.left_out : m_.left_out_called);
      } else if (f[0] == "cvar" && f.size() == 3) {
        settings_[f[1]].insert_or_assign(part.rank, f[2]);
      } else if (f[0] == "end") {
        p.ended = true;
      } else if (f[0] == "date" && f.size() == 3) {
        if (const auto time = number(f[1]), since_1970 = number(f[2]); time && since_1970)
          p.date = {*time, *since_1970};
      } else if (f[0] == "ended" && f.size() == 2) {
        p.stopped = number(f[1]);
      }
    }
    for (auto& [n, thread] : threads) p.threads.push_back(std::move(thread));
  }

  void find_locations() {
    for (MergedProcess& p : m_.processes) {
      if (p.threads.empty()) p.threads.emplace_back().name = "Master thread";
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

  void fixed_groups() {
    std::vector<std::uint64_t> masters;
    for (const MergedProcess& p : m_.processes) masters.push_back(p.rank);
    using K = MergedGroup::Kind;
    m_.groups.push_back({K::locations, m_.paradigm == "shmem" ? shmem : mpi,
                         m_.paradigm == "threads" ? std::vector<std::uint64_t>{} : masters});
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

  void collect_members(const Part& part) {
    for (const Fields& f : part.lines) {
      if (f[0] == "comm" && f.size() == 8) {
        const auto size = number(f[5]), own = number(f[6]);
        const auto members = numbers(f[7]);
        if (!size || !own || !members) continue;
        Known& k = known_[f[2]];
        k.size = std::max(k.size, *size);
        k.one_by_one[*own] = part.rank;
        if (!members->empty()) k.members = *members;
      } else if (f[0] == "inter" && f.size() == 7) {
        const auto a = numbers(f[5]), b = numbers(f[6]);
        if (!a || !b) continue;
        Known& k = known_[f[2]];
        k.inter = true;
        k.members = *a;
        k.members_b = *b;
      }
    }
  }

  void complete_members() {
    std::uint64_t completed = 0;
    for (auto& [identity, k] : known_)
      if (k.members.empty() && k.size <= world_ && (completed += k.size) <= most_completed)
        // The one who knew has left nothing.
        for (std::uint64_t i = 0; i < k.size; ++i) {
          const auto at = k.one_by_one.find(i);
          k.members.push_back(at == k.one_by_one.end() ? world_ : at->second);
        }
  }

  void set(MergedProcess& p, Table table, std::uint64_t local, std::uint64_t global) {
    auto& map = p.maps[static_cast<std::size_t>(table)];
    if (local >= lines_) return left_out();  // every number below it has a line
    if (local >= map.size()) map.resize(local + 1, ~std::uint64_t{0});
    map[local] = global;
  }
  std::uint32_t global(const MergedProcess& p, Table table, std::string_view local) const {
    const auto n = number(local);
    const auto& map = p.maps[static_cast<std::size_t>(table)];
    return n && *n < map.size() && map[*n] != ~std::uint64_t{0} ? static_cast<std::uint32_t>(map[*n]) : none;
  }

  std::uint32_t string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<std::uint32_t>(m_.strings.size()));
    if (added) m_.strings.push_back(text);
    return place->second;
  }

  void define(const Part& part) {
    MergedProcess& p = m_.processes[part.rank];
    lines_ = part.lines.size();
    for (const Fields& f : part.lines) {
      const std::optional<std::uint64_t> own = f.size() > 1 ? number(f[1]) : std::nullopt;
      if (!own) continue;
      const std::uint64_t n = *own;
      if (f[0] == "string" && f.size() == 3) {
        set(p, Table::string, n, string(f[2]));
      } else if (f[0] == "region" && f.size() == 5) {
        const auto paradigm = number(f[3]), role = number(f[4]);
        if (!paradigm || !role || *paradigm > 255 || *role > 255) {
          left_out();
          continue;
        }
        const auto [place, added] = regions_.try_emplace(line_of("", f[2], f[3], f[4]), m_.regions.size());
        if (added) m_.regions.push_back({f[2], static_cast<unsigned>(*paradigm), static_cast<unsigned>(*role)});
        set(p, Table::region, n, place->second);
      } else if (f[0] == "group" && f.size() == 3) {
        const auto members = numbers(f[2]);
        if (members)
          set(p, Table::group, n, group({MergedGroup::Kind::ranks, process_paradigm(), *members}));
        else
          left_out();
      } else if ((f[0] == "comm" && f.size() == 8) || (f[0] == "inter" && f.size() == 7)) {
        set(p, Table::comm, n, comm(p, f));
      } else if (f[0] == "team" && f.size() == 4) {
        team(p, n, f);
      } else if (f[0] == "win" && f.size() == 5) {
        const auto [place, added] = wins_.try_emplace(f[2], static_cast<std::uint32_t>(m_.wins.size()));
        if (added) m_.wins.push_back({f[3], global(p, Table::comm, f[4])});
        set(p, Table::win, n, place->second);
      }
    }
  }

  std::uint32_t comm(MergedProcess& p, const Fields& f) {
    const auto [place, added] = comms_.try_emplace(f[2], static_cast<std::uint32_t>(m_.comms.size()));
    if (!added) return place->second;
    const Known& k = known_[f[2]];
    MergedComm c;
    c.name = f[3];
    c.identity = f[2];
    c.created = f[2] != "W" && f[2] != "S";
    c.parent = f[4].empty() ? none : global(p, Table::comm, f[4]);
    using K = MergedGroup::Kind;
    c.group = f[2] == "S" ? group({K::self, process_paradigm(), {}}) : group({K::ranks, process_paradigm(), k.members});
    if (k.inter) c.group_b = group({K::ranks, process_paradigm(), k.members_b});
    m_.comms.push_back(std::move(c));
    return place->second;
  }

  // Teams of the same threads are one communicator; members are places among all locations.
  void team(MergedProcess& p, std::uint64_t local, const Fields& f) {
    const auto paradigm = number(f[2]);
    const auto threads = numbers(f[3]);
    if (!paradigm || !threads) return left_out();
    MergedGroup g{MergedGroup::Kind::ranks, static_cast<unsigned>(*paradigm), {}};
    if (*paradigm == pthread)
      for (const MergedThread& t : p.threads)
        if (!t.metric) g.members.push_back(index_[{p.rank, t.number}]);
    for (const std::uint64_t thread : *threads) {
      const auto at = index_.find({p.rank, thread});
      g.members.push_back(at == index_.end() ? all_.size() : at->second);
    }
    const std::uint32_t members = group(std::move(g));
    const auto [place, added] = teams_.try_emplace(members, static_cast<std::uint32_t>(m_.comms.size()));
    if (added) m_.comms.push_back({*paradigm == pthread ? "Created threads" : "", "", members, none, none, false});
    set(p, Table::comm, local, place->second);
  }

  // Properties of locations say what their open calls wait for, in the archive's numbers.
  void wait(MergedProcess& p, const Fields& f) {
    const auto thread = number(f[1]), since = number(f[2]);
    const bool of_window = f[4] == "window" || f[4] == "lock";
    const bool of_threads = f[4] == "omp_lock" || f[4] == "pthread_lock";
    const std::uint32_t where = of_threads ? static_cast<std::uint32_t>(number(f[5]).value_or(none))
                                           : global(p, of_window ? Table::win : Table::comm, f[5]);
    if (!thread || !since || where == none) return left_out();
    for (MergedThread& t : p.threads)
      if (t.number == *thread)
        t.properties.emplace_back("WAITSTATE::WAITS." + std::to_string(t.properties.size()),
                                  f[2] + " " + f[3] + " " + f[4] +
                                      (of_threads  ? " lock="
                                       : of_window ? " window="
                                                   : " comm=") +
                                      std::to_string(where) + " peer=" + f[6] + " tag=" + f[7]);
  }

  void attach(const Part& part) {
    MergedProcess& p = m_.processes[part.rank];
    for (const Fields& f : part.lines) {
      if (f[0] == "waits" && f.size() == 8) wait(p, f);
      if (f[0] == "sources" && f.size() == 3) {
        const std::uint32_t c = global(p, Table::comm, f[1]);
        if (c == none || !numbers(f[2]))
          left_out();
        else
          p.properties.emplace_back("WAITSTATE::SOURCES::" + std::to_string(c), f[2]);
      }
      if (f[0] == "name" && f.size() == 4) {
        const std::uint32_t c = global(p, f[1] == "comm" ? Table::comm : Table::win, f[2]);
        if (c == none)
          left_out();
        else
          (f[1] == "comm" ? m_.comms[c].name : m_.wins[c].name) = f[3];
      } else if (f[0] == "cart" && f.size() == 6) {
        const std::uint32_t c = global(p, Table::comm, f[1]);
        const auto sizes = numbers(f[2]), periodic = numbers(f[3]), own = numbers(f[4]);
        const auto rank = number(f[5]);
        if (c == none || !sizes || !periodic || !own || !rank || sizes->size() != own->size() ||
            periodic->size() != sizes->size() || sizes->empty() || sizes->size() > 255) {
          left_out();
          continue;
        }
        const auto [place, added] = topologies_.try_emplace(c, m_.topologies.size());
        if (added) m_.topologies.push_back({c, *sizes, *periodic, {}});
        MergedTopology& t = m_.topologies[place->second];
        if (t.sizes.size() == own->size()) t.coordinates.emplace_back(static_cast<std::uint32_t>(*rank), *own);
      }
    }
  }

  // A metric that is the same on several processes is one metric; objects have their last names.
  void measure(const Part& part) {
    MergedProcess& p = m_.processes[part.rank];
    lines_ = part.lines.size();
    std::map<std::string, std::uint64_t> streams;  // streams of sampled metrics
    for (const Fields& f : part.lines)
      if (f[0] == "sampled" && f.size() == 3) {
        const auto stream = number(f[2]);
        const bool known = stream && std::any_of(p.threads.begin(), p.threads.end(), [&](const MergedThread& t) {
                             return t.metric && t.number == *stream;
                           });
        if (known)
          streams[f[1]] = *stream << 32 | p.rank;
        else
          left_out();
      }
    for (const Fields& f : part.lines) {
      if (f[0] != "metric" || f.size() != 9) continue;
      const auto own = number(f[1]), mode = number(f[5]), type = number(f[6]);
      const bool of_comm = f[7] == "comm", of_win = f[7] == "win";
      const std::uint32_t object = of_comm || of_win ? global(p, of_comm ? Table::comm : Table::win, f[8]) : none;
      if (!own || !mode || !type || *mode > 255 || *type > 255 || ((of_comm || of_win) && object == none)) {
        left_out();
        continue;
      }
      const auto stream = streams.find(f[1]);
      const bool sampled = stream != streams.end();
      const std::string key = line_of("", f[2], f[3], f[4], f[5], f[6], f[7], object, int{sampled});
      const auto [place, added] = metrics_.try_emplace(key, m_.metrics.size());
      if (added)
        m_.metrics.push_back({f[2] + (of_comm           ? of_object(m_.comms[object].name, m_.comms[object].identity)
                                      : of_win          ? of_object(m_.wins[object].name, std::to_string(object))
                                      : f[7] == "comms" ? " [further communicators]"
                                      : f[7] == "wins"  ? " [further windows]"
                                                        : ""),
                              f[3], f[4], static_cast<unsigned>(*mode), static_cast<unsigned>(*type), sampled});
      if (sampled && *own < lines_) {
        instances_.push_back({p.rank, *own});
        m_.instances.push_back({place->second, stream->second, p.rank});
      }
      set(p, Table::metric, *own, place->second);
    }
  }

  // Behind all metrics, of which there are only now no more.
  void number_instances() {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      const auto& [rank, own] = instances_[i];
      m_.processes[rank].maps[static_cast<std::size_t>(Table::metric)][own] = m_.metrics.size() + i;
    }
  }

  // One of the run, if no process that is there says otherwise, or nothing.
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

  // By its name, with more where others have the same.
  std::string of_object(const std::string& name, const std::string& identity) {
    if (name.empty()) return " [" + identity + "]";
    const auto [first, added] = object_names_.try_emplace(name, identity);
    return " [" + name + (first->second == identity ? "" : " " + identity) + "]";
  }

  Merged m_;
  std::vector<Part> parts_;
  std::uint64_t world_ = 0, lines_ = 0;
  std::vector<std::uint64_t> all_;  // locations, in the order of processes and threads
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> index_;
  std::map<std::string, Known> known_;
  std::map<std::string, std::uint32_t> strings_, comms_, wins_;
  std::map<std::string, std::size_t> regions_, metrics_;
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
