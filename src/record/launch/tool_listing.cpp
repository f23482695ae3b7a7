#include "record/launch/tool_listing.hpp"

#include <algorithm>
#include <charconv>

#include "record/parts/lines.hpp"

namespace waitstate::record {

namespace {

using Fields = std::vector<std::string>;

template <class T = std::uint64_t>
std::optional<T> number(std::string_view text) {
  T n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::vector<std::uint64_t> indices(std::string_view text) {
  std::vector<std::uint64_t> all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    if (const auto n = number(one)) all.push_back(*n);
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return all;
}

std::optional<Enumeration> enumeration(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const Fields f = fields_of(text);
  Enumeration e{f[0], {}};
  for (std::size_t i = 1; i + 1 < f.size(); i += 2)
    if (const auto n = number<std::int64_t>(f[i])) e.items.emplace_back(*n, f[i + 1]);
  return e;
}

std::vector<std::pair<std::string, std::int64_t>> elements(std::string_view text) {
  std::vector<std::pair<std::string, std::int64_t>> all;
  std::string type;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (type.empty()) {
      type = word;
    } else {
      all.emplace_back(type, number<std::int64_t>(word).value_or(0));
      type.clear();
    }
  }
  return all;
}

ToolEntry entry(const Fields& f, std::string type, std::string binding, const std::string& items) {
  const auto verbosity = number(f[3]);
  return {f[2],
          f.back(),
          verbosity && *verbosity <= 9 ? static_cast<unsigned>(*verbosity) : 0,
          std::move(type),
          std::move(binding),
          enumeration(items)};
}

// A line without its first word, "mpit". False: it says nothing.
bool take(ToolListing& l, const Fields& f) {
  const std::string& word = f[1 < f.size() ? 1 : 0];
  if (word == "end" && f.size() == 2) return l.whole = true;
  if (word == "library" && f.size() == 4) {
    l.library = f[2];
    l.standard = f[3];
    return true;
  }
  if (word == "number" && f.size() == 4) {
    if (const auto n = number(f[3])) l.numbers[f[2]] = *n;
    return number(f[3]).has_value() || f[3].empty();
  }
  if (word == "invalid" && f.size() == 5) return ++l.invalid[f[2]][f[4]] != 0;
  const auto index = f.size() > 2 ? number(f[2]) : std::nullopt;
  if (!index) return false;
  Fields g(f.begin() + 1, f.end());  // word, index, name, ...
  if (word == "cvar" && g.size() == 12) {
    ControlVariable v{entry(g, g[4], g[5], g[7]), g[6], number<std::int64_t>(g[8]).value_or(0), g[9], g[10]};
    l.cvars.insert_or_assign(*index, std::move(v));
  } else if (word == "pvar" && g.size() == 12) {
    PerformanceVariable v{entry(g, g[5], g[6], g[10]), g[4], g[7] != "0", g[8] != "0", g[9] != "0"};
    l.pvars.insert_or_assign(*index, std::move(v));
  } else if (word == "event" && g.size() == 8) {
    l.events.insert_or_assign(*index, ToolEvent{entry(g, "", g[4], g[6]), elements(g[5])});
  } else if (word == "source" && g.size() == 7) {
    l.sources.insert_or_assign(*index,
                               EventSource{g[2], g[6], g[3] != "unordered", number<std::int64_t>(g[4]).value_or(0),
                                           number<std::int64_t>(g[5]).value_or(0)});
  } else if (word == "category" && g.size() == 8) {
    l.categories.insert_or_assign(*index,
                                  ToolCategory{g[2], g[3], indices(g[4]), indices(g[5]), indices(g[6]), indices(g[7])});
  } else {
    return false;
  }
  return true;
}

bool has_counters(const ToolListing& l) {
  return std::any_of(l.pvars.begin(), l.pvars.end(),
                     [](const auto& v) { return v.second.name.starts_with("runtime_spc_"); });
}

std::uint64_t number_of(const ToolListing& l, const char* what) {
  const auto at = l.numbers.find(what);
  return at == l.numbers.end() ? 0 : at->second;
}

}  // namespace

ToolListing read_tool_listing(std::string_view text) {
  ToolListing l;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("mpit\t") && !(line.size() <= longest_line && take(l, fields_of(line)))) ++l.lines_left_out;
  }
  return l;
}

std::vector<std::string> missing(const ToolListing& l) {
  std::vector<std::string> all;
  const bool mpich = l.library.starts_with("MPICH"), openmpi = l.library.starts_with("Open MPI");
  std::map<std::string, std::uint64_t> unread;
  for (const auto& [index, v] : l.cvars)
    if (!v.why_not.empty()) ++unread[v.why_not];
  for (const auto& [why, n] : unread) all.push_back("values of " + std::to_string(n) + " control variables: " + why);
  for (const auto& [kind, name] :
       {std::pair("cvar", "control variables"), std::pair("pvar", "performance variables"),
        std::pair("event", "events"), std::pair("source", "sources of events"), std::pair("category", "categories")}) {
    const auto at = l.invalid.find(kind);
    if (at == l.invalid.end()) continue;
    for (const auto& [why, n] : at->second)
      all.push_back(
          std::to_string(n) + " of " + std::to_string(number_of(l, kind)) + " " + name + ": " + why +
          (why == "MPI_T_ERR_INVALID_INDEX" || openmpi ? ", of parts of the library that are not in use" : ""));
  }
  if (l.numbers.contains("pvar") && number_of(l, "pvar") == 0)
    all.push_back(std::string("performance variables: ") +
                  (mpich ? "this MPICH was built without --enable-mpit-pvars" : "the library has none"));
  if (openmpi && !has_counters(l)) all.emplace_back("software counters: this Open MPI was built without --enable-spc");
  if (!l.numbers.contains("event"))
    all.push_back("events: the library has no functions for them, which MPI 4.0 introduced; it implements MPI " +
                  l.standard);
  else if (number_of(l, "event") == 0)
    all.emplace_back("events: the library has the functions for them, and offers none");
  if (l.lines_left_out != 0) all.push_back(std::to_string(l.lines_left_out) + " lines that cannot be read");
  if (!l.whole) all.emplace_back("everything that the library had not listed when it ended");
  return all;
}

}  // namespace waitstate::record
