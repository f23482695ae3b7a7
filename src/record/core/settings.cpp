#include "record/core/settings.hpp"

#include <cstdlib>

#include "record/core/clock.hpp"

namespace waitstate::record {

namespace {

std::string text(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const std::string value = text(name);
  return value.empty() ? otherwise : std::strtoull(value.c_str(), nullptr, 10);
}

// Tests give each rank its own: "0,5000000000".
std::string of_rank(const char* name) {
  std::string list = text(name), rank = text("OMPI_COMM_WORLD_RANK");
  if (rank.empty()) rank = text("PMI_RANK");
  for (unsigned long skip = std::strtoul(rank.c_str(), nullptr, 10); skip != 0; --skip) {
    const auto comma = list.find(',');
    if (comma == std::string::npos) break;
    list.erase(0, comma + 1);
  }
  return list.substr(0, list.find(','));
}

Settings read() {
  Settings s;
  s.folder = text("WAITSTATE_RECORD_FOLDER");
  s.folder_is_made = number("WAITSTATE_RECORD_FOLDER_IS_MADE", 0) != 0;
  if (const std::string groups = text("WAITSTATE_RECORD_GROUPS"); !groups.empty()) s.groups = groups_of(groups);
  s.groups |= group::mgmt;
  s.limit_bytes = number("WAITSTATE_RECORD_LIMIT", 0) << 20;
  s.pvars = text("WAITSTATE_RECORD_PVARS");
  s.pvar_interval = number("WAITSTATE_RECORD_PVAR_AT", 0) * 1'000'000;  // "call" is none
  s.events = text("WAITSTATE_RECORD_EVENTS");
  const std::string cvars = text("WAITSTATE_RECORD_CVARS");
  s.cvars = cvars == "all" ? Cvars::all : cvars == "none" ? Cvars::none : Cvars::set;
  s.node = of_rank("WAITSTATE_RECORD_TEST_NODE");
  if (const std::string skew = of_rank("WAITSTATE_RECORD_TEST_SKEW"); !skew.empty())
    clock_skew = std::strtoull(skew.c_str(), nullptr, 10);
  return s;
}

// When the library is loaded: the first time that is taken is of the clock that the settings say.
__attribute__((constructor)) void read_early() { settings(); }

}  // namespace

const Settings& settings() {
  static const Settings s = read();
  return s;
}

}  // namespace waitstate::record
