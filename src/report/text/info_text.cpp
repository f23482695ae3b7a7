#include "report/text/info_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/effort.hpp"
#include "report/facts/origin.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/text/mpi_settings.hpp"
#include "report/text/trace_header.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/words/left_out.hpp"
#include "report/words/undetermined.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_listed = 5;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// The first few of `all` elements, and the number of the others.
template <class F>
std::string first_few(std::size_t all, F&& text_of) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(all, most_listed); ++i) parts.push_back(text_of(i));
  if (all > most_listed)
    parts.push_back(fmt::format("and {} more", grouped(static_cast<std::int64_t>(all - most_listed))));
  return joined(parts);
}

std::string clock_text(const Clock& clock) {
  return fmt::format("{} ticks per second, offset {}", grouped(static_cast<std::int64_t>(clock.resolution)),
                     clock.offset);
}

/// "2020-09-13 12:26:40 UTC"
std::string date_text(const Clock& clock) {
  std::string date = date_of(clock);
  if (date.empty()) return "not recorded";
  date[date.find('T')] = ' ';
  date.pop_back();
  return date + " UTC";
}

std::string programs_text(const AnalysisResult& result) {
  const std::vector<std::string> names = programs(result);
  if (names.empty()) return "not recorded";
  return first_few(names.size(), [&](std::size_t i) { return printable(names[i]); });
}

/// "ranks 0 to 3", "ranks 0, 2 and 4", "16 ranks from 0 to 60"
std::string ranks_text(const Host& host) {
  const std::vector<std::int64_t>& ranks = host.ranks;
  if (ranks.size() < host.processes.size())
    return count(static_cast<std::int64_t>(host.processes.size()), "process", "processes");
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  if (ranks.back() - ranks.front() == static_cast<std::int64_t>(ranks.size()) - 1)
    return fmt::format("ranks {} to {}", ranks.front(), ranks.back());
  if (ranks.size() <= most_listed)
    return fmt::format("ranks {} and {}", fmt::join(ranks.begin(), ranks.end() - 1, ", "), ranks.back());
  return fmt::format("{} ranks from {} to {}", ranks.size(), ranks.front(), ranks.back());
}

std::string hosts_text(const Definitions& definitions) {
  const std::vector<Host> all = hosts(definitions);
  if (all.empty()) return "not recorded";
  return fmt::format("{}: {}", grouped(static_cast<std::int64_t>(all.size())),
                     first_few(all.size(), [&](std::size_t i) {
                       return fmt::format("{} ({})", printable(all[i].name), ranks_text(all[i]));
                     }));
}

template <class E>
std::string type_name(E type) {
  const std::string_view name = enum_name(type);
  return name.empty() ? fmt::format("type {}", static_cast<unsigned>(type)) : std::string(name);
}

std::string locations_text(const Definitions& definitions) {
  std::map<LocationType, std::int64_t> by_type;
  for (const Location& location : definitions.locations) ++by_type[location.type];
  std::vector<std::string> parts;
  for (const auto& [type, n] : by_type) parts.push_back(fmt::format("{} {}", grouped(n), type_name(type)));
  return parts.empty() ? "none" : joined(parts);
}

std::string processes_text(const Definitions& definitions) {
  std::int64_t accelerators = 0, ranks = 0, largest = -1;
  for (const LocationGroup& p : definitions.processes) {
    accelerators += p.type == LocationGroupType::accelerator;
    ranks += p.rank >= 0;
    largest = std::max(largest, p.rank);
  }
  std::string text = grouped(static_cast<std::int64_t>(definitions.processes.size()) - accelerators);
  if (accelerators != 0) text += " and " + count(accelerators, "accelerator", "accelerators");
  if (ranks == 0) return text + ", none with a rank";
  return text + (ranks == largest + 1 ? fmt::format(", ranks 0 to {}", largest)
                                      : fmt::format(", {} with a rank, the largest {}", ranks, largest));
}

std::string comms_text(const Definitions& definitions) {
  std::vector<const Comm*> comms;
  for (const Comm& comm : definitions.comms) comms.push_back(&comm);
  const auto size = [](const Comm* c) { return c->self ? 1 : c->members.size() + c->members_b.size(); };
  std::stable_sort(comms.begin(), comms.end(), [&](const Comm* a, const Comm* b) { return size(a) > size(b); });
  if (comms.empty()) return "none";
  return fmt::format("{}: {}", grouped(static_cast<std::int64_t>(comms.size())),
                     first_few(comms.size(), [&](std::size_t i) {
                       const Comm& c = *comms[i];
                       return fmt::format("{} (size {}{})", c.name.empty() ? "without a name" : printable(c.name),
                                          size(&c), c.inter() ? ", between two groups" : "");
                     }));
}

std::string events_text(const AnalysisResult& result, const Style& style) {
  std::vector<std::pair<std::uint64_t, std::string_view>> types;
  for (std::size_t i = 0; i < event_type_count; ++i)
    if (result.events_by_type[i] != 0) types.emplace_back(result.events_by_type[i], event_types[i].name);
  std::stable_sort(types.begin(), types.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = style.bold("events by type") + '\n';
  const std::size_t width = types.empty() ? 0 : grouped(static_cast<std::int64_t>(types.front().first)).size();
  for (const auto& [n, name] : types)
    text += fmt::format("  {}  {:>5} %  {}\n", right(grouped(static_cast<std::int64_t>(n)), width),
                        percent(static_cast<std::int64_t>(n), static_cast<std::int64_t>(result.events())), name);
  return types.empty() ? text + "  none\n" : text;
}

// Where a minute does not suffice, cores help.
std::string effort_text(const AnalysisResult& result, std::uint64_t event_bytes) {
  constexpr double long_time = 60;
  const Effort effort = Effort::of(result);
  std::string text = event_bytes == 0 ? "" : bytes(static_cast<std::int64_t>(event_bytes)) + " of events: ";
  text += fmt::format("about {} on one core", duration_text(effort.seconds_on_one_core, 2));
  if (effort.seconds_on_one_core > long_time)
    text +=
        fmt::format(", {} on {}", duration_text(effort.seconds_on_one_core / static_cast<double>(effort.most_cores), 2),
                    grouped(static_cast<std::int64_t>(effort.most_cores)));
  return text + fmt::format("; up to {} MiB of memory", grouped(static_cast<std::int64_t>(effort.memory_bytes >> 20)));
}

}  // namespace

std::string info_text(const AnalysisResult& result, const Style& style, std::uint64_t event_bytes) {
  const Definitions& definitions = result.definitions;
  const Recorder& recorder = definitions.recorder;
  const Seconds seconds(definitions.clock, result.duration());
  std::string text =
      labelled("trace", printable(result.path), style) + labelled("recorder", recorder_text(recorder), style);
  text += labelled("date", date_text(definitions.clock), style);
  text += labelled("program", programs_text(result), style);
  if (!result.command.empty()) text += labelled("command", printable(result.command), style);
  if (!recorder.machine.empty()) text += labelled("machine", printable(recorder.machine), style);
  if (!recorder.description.empty()) text += labelled("description", printable(recorder.description), style);
  if (recorder.trace_id != 0) text += labelled("trace id", fmt::format("{:016x}", recorder.trace_id), style);
  text += labelled("clock", clock_text(definitions.clock), style);
  const Completeness completeness(result);
  text += labelled("duration",
                   completeness.times_mean_nothing()
                       ? "unknown: " + completeness.why(result.metrics.find("time"))
                       : seconds.duration(result.duration()) + " from the first to the last event",
                   style);
  text += labelled("size", size_text(result), style);
  text += labelled("to analyse", effort_text(result, event_bytes), style);
  text += labelled("processes", processes_text(definitions), style);
  text += labelled("hosts", hosts_text(definitions), style);
  text += labelled("locations", locations_text(definitions), style);
  if (!definitions.paradigms.empty()) {
    std::vector<std::string> names;
    for (const ParadigmDefinition& p : definitions.paradigms)
      names.push_back(p.name.empty() ? type_name(p.paradigm) : printable(p.name));
    text += labelled("paradigms", joined(names), style);
  }
  text += labelled("communicators", comms_text(definitions), style);
  if (const std::size_t n = definitions.rma_wins.size(); n != 0)
    text += labelled("windows",
                     fmt::format("{}: {}", grouped(static_cast<std::int64_t>(n)),
                                 first_few(n,
                                           [&](std::size_t i) {
                                             const std::string& name = definitions.rma_wins[i].name;
                                             return name.empty() ? "without a name" : printable(name);
                                           })),
                     style);
  if (const std::string losses = library_event_losses(result); !losses.empty())
    text += labelled("MPI events", losses, style);
  if (const std::string left_out = left_out_text(definitions); !left_out.empty())
    text += labelled("not recorded", left_out, style);
  if (const std::string settings = mpi_settings(result, style); !settings.empty()) text += '\n' + settings;
  text += '\n' + events_text(result, style) + '\n';
  if (const std::string open = undetermined_text(result, result.undetermined, style); !open.empty())
    text += open + '\n';
  return text + trace_warnings_text(result, style);
}

}  // namespace waitstate::report
