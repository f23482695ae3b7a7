#include "record/user/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#ifdef WAITSTATE_RECORD_LINES
#include <backtrace.h>
#endif

#include "record/core/lock.hpp"

namespace waitstate::record {

namespace {

struct Symbol {
  std::string name;
  std::uint64_t bytes = 0;
};
using Symbols = std::map<std::uintptr_t, Symbol>;  // by address in the file

template <class T>
std::vector<T> read(std::ifstream& file, std::uint64_t at, std::uint64_t bytes) {
  std::vector<T> all(bytes / sizeof(T));
  file.seekg(static_cast<std::streamoff>(at));
  if (!file.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(all.size() * sizeof(T))))
    all.clear();
  return all;
}

Symbols symbols_of(const char* path) {
  Symbols symbols;
  std::ifstream file(path, std::ios::binary);
  const std::vector<ElfW(Ehdr)> header = read<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_shentsize != sizeof(ElfW(Shdr)))
    return symbols;
  const auto sections =
      read<ElfW(Shdr)>(file, header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const auto& texts = sections[section.sh_link];
    const std::vector<char> strings = read<char>(file, texts.sh_offset, texts.sh_size);
    for (const ElfW(Sym) & symbol : read<ElfW(Sym)>(file, section.sh_offset, section.sh_size))
      if ((symbol.st_info & 0xf) == STT_FUNC && symbol.st_name < strings.size() && strings.back() == '\0')
        symbols.emplace(symbol.st_value, Symbol{strings.data() + symbol.st_name, symbol.st_size});
  }
  return symbols;
}

std::string readable(const std::string& name) {
  int status = 0;
  char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (plain == nullptr) return name;
  std::string text = plain;
  std::free(plain);
  return text;
}

#ifdef WAITSTATE_RECORD_LINES
// The address of the only object that the library for lines sees: to read the symbols of all of an MPI's libraries
// would take a quarter of a second.
thread_local const ElfW(Addr) * only_object __attribute__((tls_model("initial-exec"))) = nullptr;

// The innermost of the calls that are inlined at the address comes first.
std::string line_of_call(std::uintptr_t address) {
  static SpinLock lock;
  static auto* const states = new std::map<ElfW(Addr), backtrace_state*>;
  std::string place;
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr)
    return place;
  const std::lock_guard guard(lock);
  backtrace_state*& state = (*states)[map->l_addr];
  if (state == nullptr)
    state = backtrace_create_state(
        nullptr, 1, [](void*, const char*, int) {}, nullptr);
  if (state == nullptr) return place;
  only_object = &map->l_addr;
  backtrace_pcinfo(
      state, address,
      [](void* to, std::uintptr_t, const char* file, int line, const char*) {
        if (file == nullptr || line <= 0) return 0;
        const std::string_view path = file;
        *static_cast<std::string*>(to) = std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line);
        return 1;
      },
      [](void*, const char*, int) {}, &place);
  only_object = nullptr;
  return place;
}
#else
std::string line_of_call(std::uintptr_t) { return {}; }
#endif

}  // namespace

#ifdef WAITSTATE_RECORD_LINES
namespace {

using OfObject = int (*)(dl_phdr_info*, std::size_t, void*);
extern "C" int all_objects(OfObject, void*) asm("__real_dl_iterate_phdr");
extern "C" int wanted_objects(OfObject, void*) asm("__wrap_dl_iterate_phdr");

// Stands for dl_iterate_phdr() in this library, by an option of the linker.
extern "C" int wanted_objects(OfObject function, void* data) {
  if (only_object == nullptr) return all_objects(function, data);
  std::pair<OfObject, void*> wanted(function, data);
  return all_objects(
      [](dl_phdr_info* object, std::size_t bytes, void* given) {
        const auto& [wanted_by, its_data] = *static_cast<std::pair<OfObject, void*>*>(given);
        return object->dlpi_addr == *only_object ? wanted_by(object, bytes, its_data) : 0;
      },
      &wanted);
}

}  // namespace
#endif

FoundSymbol symbol_at(std::uintptr_t address) {
  static SpinLock lock;
  static auto* const files = new std::map<std::string, Symbols>;
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr)
    return {};
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  const std::lock_guard guard(lock);
  const auto [place, added] = files->try_emplace(map->l_name == nullptr ? "" : map->l_name);
  if (added) place->second = symbols_of(is_program ? "/proc/self/exe" : map->l_name);
  const std::uintptr_t in_file = address - map->l_addr;
  const auto behind = place->second.upper_bound(in_file);
  if (behind != place->second.begin()) {
    const auto& [begin, symbol] = *std::prev(behind);
    if (in_file - begin < symbol.bytes || in_file == begin) return {readable(symbol.name), in_file - begin};
  }
  if (info.dli_sname == nullptr) {
    const std::string_view path = is_program || info.dli_fname == nullptr ? program_invocation_name : info.dli_fname;
    return {std::string(path.substr(path.rfind('/') + 1)), in_file};
  }
  return {readable(info.dli_sname), address - reinterpret_cast<std::uintptr_t>(info.dli_saddr)};
}

bool is_construct(std::string_view function) {
  return function.find("._omp_fn.") != std::string_view::npos ||
         function.find(".omp_outlined") != std::string_view::npos || function.starts_with(".omp_");
}

namespace {

// A call that an optimising compiler has made a jump returns to the caller of its function: for the body of a construct
// that is the runtime.
bool is_in_runtime(std::uintptr_t address) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libomp.") || file.starts_with("libomp-") || file.starts_with("libiomp5.");
}

}  // namespace

std::string place_of_call(const void* returns_to) {
  if (returns_to == nullptr) return {};
  const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
  static SpinLock lock;
  static auto* const known = new std::map<std::uintptr_t, std::string>;
  {
    const std::lock_guard guard(lock);
    if (const auto at = known->find(call); at != known->end()) return at->second;
  }
  std::string place = is_in_runtime(call) ? std::string() : line_of_call(call);
  if (place.empty() && !is_in_runtime(call))
    if (const FoundSymbol found = symbol_at(call); !is_construct(found.name)) {
      char offset[32];
      std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(found.offset + 1));
      place = found.name + offset;
    }
  const std::lock_guard guard(lock);
  return known->try_emplace(call, std::move(place)).first->second;
}

}  // namespace waitstate::record
