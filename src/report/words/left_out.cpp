#include "report/words/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/format/units.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

struct LeftOutGroup {
  std::string_view name, text;
};
constexpr LeftOutGroup of_mpi[] = {{"p2p", "that pass messages between two processes"},
                                   {"coll", "for collective operations"},
                                   {"rma", "on windows"},
                                   {"io", "on files"},
                                   {"other", "for types, groups, attributes and queries"}};
// Whether the program has used these is not known.
constexpr LeftOutGroup others[] = {
    {"test", "tests and probes that find nothing: their time is part of computation"},
    {"openmp", "OpenMP: time in its barriers and locks is part of computation"},
    {"shmem", "OpenSHMEM: its time is part of computation"},
    {"pthread", "POSIX threads: time in which they wait for each other is part of computation"}};

bool is_in(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    if (one == name) return true;
    list.remove_prefix(std::min(list.size(), one.size() + 1));
  }
  return false;
}

std::string_view property(const Definitions& d, std::string_view name) {
  for (const auto& [key, value] : d.recorder.properties)
    if (key == name) return value;
  return {};
}

std::int64_t number(const Definitions& d, std::string_view name) {
  const std::string_view text = property(d, name);
  std::int64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

// Later ones are paired by their order, which is another one where some are left out.
std::string unpaired_text(const Definitions& d) {
  const std::int64_t messages = number(d, "WAITSTATE::UNPAIRED_MESSAGES"),
                     collectives = number(d, "WAITSTATE::UNPAIRED_COLLECTIVES");
  if (messages == 0 && collectives == 0) return {};
  std::string what;
  if (messages != 0) what = util::count(messages, "message", "messages");
  if (collectives != 0)
    what +=
        (what.empty() ? "" : " and of ") + util::count(collectives, "collective operation", "collective operations");
  return "one side of " + what +
         ", where recording was switched off: later ones of the same processes may be paired with the wrong ones";
}

std::string uncertain_text(const Definitions& d) {
  const std::int64_t comms = number(d, "WAITSTATE::UNCERTAIN_COMMUNICATORS");
  if (comms == 0) return {};
  return "which side belongs to which of " + util::count(comms, "inter-communicator", "inter-communicators") +
         ": messages in them may be paired with the wrong ones, or with none";
}

// Texts of a property in all processes that have it.
std::set<std::string> of_processes(const Definitions& d, std::string_view name) {
  std::set<std::string> texts;
  for (const LocationGroup& process : d.processes)
    for (const Property& p : process.properties)
      if (p.name == name && p.value.type == ValueType::string && p.value.bits < d.strings.size())
        texts.insert(d.strings[p.value.bits]);
  return texts;
}

// "3 MPI_A,MPI_B": a number of functions, and the names of the first ones.
std::string unknown_functions(std::string_view property) {
  std::int64_t n = 0, named = 0;
  std::from_chars(property.data(), property.data() + property.size(), n);
  std::string names;
  std::string_view rest = property.substr(std::min(property.size(), property.find(' ') + 1));
  for (; !rest.empty(); ++named) {
    const std::string_view one = rest.substr(0, rest.find(','));
    names += (named == 0 ? "" : ", ") + util::printable(one);
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  if (n > named) names += fmt::format(" and {} more", grouped(n - named));
  return fmt::format("calls of {} of the MPI library that the recorder did not know ({})",
                     util::count(n, "function", "functions"), names);
}

}  // namespace

std::string unseen_text(const Definitions& d) {
  std::string text;
  const auto add = [&](const std::string& kind) { text += (text.empty() ? "" : "; ") + kind; };
  for (const std::string& property : of_processes(d, "WAITSTATE::UNKNOWN_FUNCTIONS")) add(unknown_functions(property));
  for (const std::string& version : of_processes(d, "WAITSTATE::UNKNOWN_VERSION"))
    add("functions that came to MPI with version " + util::printable(version) + ", which the recorder did not know");
  if (!of_processes(d, "WAITSTATE::SESSIONS").empty())
    add("messages and collective operations on communicators of MPI sessions");
  return text.empty() ? text : text + ": their time is computation, or a call without a record";
}

std::string unsure_text(const Definitions& d) {
  const std::string unpaired = unpaired_text(d), uncertain = uncertain_text(d);
  return unpaired + (unpaired.empty() || uncertain.empty() ? "" : "; ") + uncertain;
}

std::string left_out_text(const Definitions& d) {
  const std::string_view all = property(d, "WAITSTATE::LEFT_OUT"), called = property(d, "WAITSTATE::LEFT_OUT_CALLED");
  std::string text;
  for (const LeftOutGroup& g : of_mpi)
    if (is_in(called, g.name)) text += (text.empty() ? "MPI calls " : ", ") + std::string(g.text);
  if (!text.empty()) text += ": their time is part of computation";
  for (const LeftOutGroup& g : others)
    if (is_in(all, g.name)) text += (text.empty() ? "" : "; ") + std::string(g.text);
  if (const std::string unsure = unsure_text(d); !unsure.empty()) text += (text.empty() ? "" : "; ") + unsure;
  if (const std::string unseen = unseen_text(d); !unseen.empty()) text = unseen + (text.empty() ? "" : "; ") + text;
  return text;
}

}  // namespace waitstate::report
