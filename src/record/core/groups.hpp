// The groups of functions that `--record` and `--without` name, as bits of one number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate::record {

using Groups = std::uint32_t;

struct NamedGroup {
  std::string_view name;
  Groups bit;
  bool recorded;  ///< unless the user says otherwise
  std::string_view meaning;
};

namespace group {
constexpr Groups p2p = 1, test = 2, coll = 4, rma = 8, mgmt = 16, io = 32, other = 64, user = 128, openmp = 256,
                 pthread = 512, shmem = 1024;
}

inline constexpr NamedGroup named_groups[] = {
    {"p2p", group::p2p, true, "messages between two processes"},
    {"test", group::test, true, "Test and Iprobe calls that find nothing"},
    {"coll", group::coll, true, "collective operations"},
    {"rma", group::rma, true, "windows and one-sided operations"},
    {"mgmt", group::mgmt, true, "communicators, topologies, start and end; always recorded"},
    {"user", group::user, true, "regions that the program marks"},
    {"openmp", group::openmp, true, "events that the OpenMP runtime reports"},
    {"shmem", group::shmem, true, "OpenSHMEM"},
    {"pthread", group::pthread, false, "creation, mutexes and condition variables of POSIX threads"},
    {"io", group::io, false, "MPI operations on files"},
    {"other", group::other, false, "all other MPI calls: types, groups, attributes, queries"},
};

/// Groups of calls that no program of that paradigm makes ("mpi", "shmem", "threads").
constexpr Groups foreign_groups(std::string_view paradigm) {
  constexpr Groups of_mpi =
      group::p2p | group::test | group::coll | group::rma | group::mgmt | group::io | group::other;
  return paradigm == "mpi" ? group::shmem : paradigm == "shmem" ? of_mpi : of_mpi | group::shmem;
}

constexpr Groups default_groups() {
  Groups groups = 0;
  for (const NamedGroup& g : named_groups)
    if (g.recorded) groups |= g.bit;
  return groups;
}
constexpr Groups all_groups() {
  Groups groups = 0;
  for (const NamedGroup& g : named_groups) groups |= g.bit;
  return groups;
}

/// Names separated by commas.
inline std::string names_of(Groups groups) {
  std::string text;
  for (const NamedGroup& g : named_groups)
    if ((groups & g.bit) != 0) text += (text.empty() ? "" : ",") + std::string(g.name);
  return text;
}

/// Of names separated by commas, `all` among them; the first unknown name goes to `unknown`.
inline Groups groups_of(std::string_view list, std::string* unknown = nullptr) {
  Groups groups = 0;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(name.size() == list.size() ? name.size() : name.size() + 1);
    bool known = name == "all";
    if (known) groups |= all_groups();
    for (const NamedGroup& g : named_groups)
      if (g.name == name) {
        groups |= g.bit;
        known = true;
      }
    if (!known && unknown != nullptr && unknown->empty()) *unknown = name;
  }
  return groups;
}

}  // namespace waitstate::record
