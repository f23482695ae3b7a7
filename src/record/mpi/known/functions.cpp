#include "record/mpi/known/functions.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "record/core/recorder.hpp"
#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

namespace {

constexpr int newest_version = 5, newest_subversion = 0;

bool is_in(const char* const* list, std::string_view name) {
  for (; *list != nullptr; ++list)
    if (name == *list) return true;
  return false;
}

// MPI functions have a capital and a small letter after "MPI_"; constants and callbacks have capitals only. The
// forms for Fortran call the others.
bool is_function(std::string_view name) {
  for (const std::string_view fortran : {"_f", "_f08", "_fts", "_f08ts", "_cdesc"})
    if (name.ends_with(fortran)) return false;
  return name.starts_with("MPI_") && name.size() > 5 && name[4] >= 'A' && name[4] <= 'Z' && name[5] >= 'a' &&
         name[5] <= 'z';
}

bool is_wrapped(std::string_view name) {
  if (&wraps_later_functions == nullptr && is_in(later_functions, name)) return false;
  std::string_view plain = name.substr(4);
  if (is_in(known_functions, plain)) return true;
  if (plain.ends_with("_c")) plain.remove_suffix(2);
  return is_in(known_functions, plain);
}

// Number of symbols of a library, by its hash table of GNU's form.
std::size_t symbol_count(const std::uint32_t* table) {
  const std::uint32_t buckets = table[0], first = table[1], words = table[2];
  const std::uint32_t* const bucket = table + 4 + words * (sizeof(void*) / sizeof(std::uint32_t));
  const std::uint32_t* const chain = bucket + buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = std::max(last, bucket[i]);
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + 1;
}

std::vector<std::string> functions_of(const link_map& library) {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  std::size_t count = 0;
  for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_HASH) count = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr)[1];
    if (entry->d_tag == DT_GNU_HASH) count = symbol_count(reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr));
  }
  std::vector<std::string> found;
  if (symbols == nullptr || names == nullptr) return found;
  for (std::size_t i = 0; i < count; ++i)
    if (symbols[i].st_shndx != SHN_UNDEF && (symbols[i].st_info & 15) == STT_FUNC &&
        is_function(names + symbols[i].st_name))
      found.emplace_back(names + symbols[i].st_name);
  return found;
}

// Functions of the MPI library, and such of other libraries as have a form PMPI_X: these belong to an MPI too.
std::vector<std::string> functions_met() {
  Dl_info about{};
  link_map* mpi = nullptr;
  void* const function = find_function("PMPI_Get_library_version");
  if (function == nullptr || dladdr1(function, &about, reinterpret_cast<void**>(&mpi), RTLD_DL_LINKMAP) == 0) return {};
  std::vector<std::string> all = functions_of(*mpi);
  const link_map* object = mpi;
  while (object->l_prev != nullptr) object = object->l_prev;
  for (; object != nullptr; object = object->l_next) {
    const std::string_view name = object->l_name;
    // The program itself has no name, and the kernel's object has no addresses in its tables.
    if (object == mpi || name.empty() || name.find('/') == std::string_view::npos ||
        name.find("libwaitstate-record-") != std::string_view::npos)
      continue;
    for (std::string& one : functions_of(*object))
      if (find_function(("P" + one).c_str()) != nullptr) all.push_back(std::move(one));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string unknown_functions() {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> unknown = functions_met();
  std::erase_if(unknown, is_wrapped);
  std::string text = std::to_string(unknown.size());
  for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i) text += (i == 0 ? " " : ",") + unknown[i];
  return unknown.empty() ? std::string() : text;
}

}  // namespace

void note_unknown_functions() {
  if (const std::string unknown = unknown_functions(); !unknown.empty())
    define(PropertyLine{.name = "WAITSTATE::UNKNOWN_FUNCTIONS", .text = unknown});
  int version = 0, subversion = 0;
  if (real::Get_version(&version, &subversion) != MPI_SUCCESS) return;
  const std::string met = std::to_string(version) + "." + std::to_string(subversion);
  if (version > newest_version || (version == newest_version && subversion > newest_subversion))
    define(PropertyLine{.name = "WAITSTATE::UNKNOWN_VERSION", .text = met});
  if (version > MPI_VERSION || (version == MPI_VERSION && subversion > MPI_SUBVERSION))
    define(PropertyLine{.name = "WAITSTATE::NEWER_VERSION", .text = met});
}

}  // namespace waitstate::record::mpi
