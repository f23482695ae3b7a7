#include "report/text/mpi_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view prefix = "WAITSTATE::CVAR::";
constexpr std::size_t most_settings_listed = 50;

// Properties of a trace are in capitals, as MPICH's names are; Open MPI's are not.
std::string as_the_library_has_it(std::string name) {
  if (name.starts_with("MPIR_")) return name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string grouped_count(std::uint64_t n) {
  return grouped(static_cast<std::int64_t>(std::min<std::uint64_t>(n, std::numeric_limits<std::int64_t>::max())));
}

std::uint64_t add_counts(std::uint64_t a, std::uint64_t b) { return a + std::min(b, ~a); }

// "0-2,5"
std::string list_of(const std::vector<std::int64_t>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (last > i) text += fmt::format("-{}", ranks[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string mpi_settings(const AnalysisResult& result, const Style& style) {
  const Definitions& d = result.definitions;
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : d.recorder.properties)
    if (name.starts_with(prefix)) all[as_the_library_has_it(name.substr(prefix.size()))] = value;
  std::map<std::string, std::map<std::string, std::vector<std::int64_t>>> differing;
  for (const LocationGroup& process : d.processes)
    for (const Property& p : process.properties)
      if (p.name.starts_with(prefix) && p.value.type == ValueType::string && p.value.bits < d.strings.size())
        differing[p.name.substr(prefix.size())][d.strings[p.value.bits]].push_back(process.rank);
  for (const auto& [name, values] : differing) {
    std::string& text = all[name];
    for (const auto& [value, ranks] : values)
      text += fmt::format("{}{} ({} {})", text.empty() ? "" : ", ", value, ranks.size() == 1 ? "rank" : "ranks",
                          list_of(ranks));
  }
  if (all.empty()) return "";
  std::string text = style.bold("settings of MPI") + '\n';
  std::size_t shown = 0;
  for (const auto& [name, value] : all) {
    if (shown++ == most_settings_listed) break;
    text += paragraph("  ", printable(name) + " = " + printable(value), style.width);
  }
  if (all.size() > most_settings_listed)
    text += fmt::format("  and {} more, which a report in JSON has\n",
                        grouped(static_cast<std::int64_t>(all.size() - most_settings_listed)));
  return text;
}

std::string library_event_losses(const AnalysisResult& result) {
  struct Loss {
    std::string_view prefix;
    const char *one, *more;
    std::uint64_t number = 0;
    std::set<std::string> of{};
  };
  std::array<Loss, 3> losses{{
      {"WAITSTATE::DROPPED_EVENTS::", "was dropped by the MPI library", "were dropped by the MPI library"},
      {"WAITSTATE::EVENTS_OUT_OF_ORDER::", "arrived too late to be put in order, and has the time of the previous one",
       "arrived too late to be put in order, and have the time of the previous one"},
      {"WAITSTATE::EVENTS_UNMATCHED::", "ends something that has not begun, and is left out",
       "end something that has not begun, and are left out"},
  }};
  const Definitions& d = result.definitions;
  for (const LocationGroup& process : d.processes)
    for (const Property& p : process.properties) {
      if (p.value.type != ValueType::string || p.value.bits >= d.strings.size()) continue;
      const std::string& value = d.strings[p.value.bits];
      for (Loss& loss : losses) {
        std::uint64_t number = 0;
        if (!p.name.starts_with(loss.prefix)) continue;
        std::from_chars(value.data(), value.data() + value.size(), number);
        loss.number = add_counts(loss.number, number);
        if (number != 0) loss.of.insert(p.name.substr(loss.prefix.size()));
      }
    }
  std::string text;
  for (const Loss& loss : losses) {
    if (loss.number == 0) continue;
    std::string names;
    for (const std::string& name : loss.of) names += (names.empty() ? "" : ", ") + printable(name);
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : "; ", grouped_count(loss.number),
                        loss.number == 1 ? loss.one : loss.more, names);
  }
  return text;
}

}  // namespace waitstate::report
