// The program's own functions, where it was compiled with -finstrument-functions: the compiler's calls at their begin
// and end come here.
//
// A function's region is looked up by its address, in a table of the thread. Its name is found when it is called for
// the first time: from the symbol table in the file that it is in, because that of the loader lacks static functions.
// What has no name, such as the body of a parallel construct, is no region. Cost: a look-up and two reads of the clock
// a call.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/core/adapter.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record {

namespace {

using Symbols = std::map<std::uintptr_t, std::string>;  // by address in the file

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
        symbols.emplace(symbol.st_value, strings.data() + symbol.st_name);
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

// Empty if it has none.
std::string name_of(void* function) {
  static SpinLock lock;
  static auto* const files = new std::map<std::string, Symbols>;
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  const std::lock_guard guard(lock);
  const auto [place, added] = files->try_emplace(map->l_name == nullptr ? "" : map->l_name);
  if (added) place->second = symbols_of(is_program ? "/proc/self/exe" : map->l_name);
  const auto at = place->second.find(reinterpret_cast<std::uintptr_t>(function) - map->l_addr);
  if (at != place->second.end()) return readable(at->second);
  return info.dli_saddr == function && info.dli_sname != nullptr ? readable(info.dli_sname) : std::string();
}

struct Functions {
  std::unordered_map<void*, std::uint32_t> regions;
  std::vector<std::uint32_t> open;  // undefined: none
};

void leave_all(Thread& t, std::uint64_t time);
constexpr Adapter functions_adapter = {AdapterId::functions, leave_all};

Functions& functions(Thread& t) { return state_of<Functions>(t, functions_adapter); }

void leave_all(Thread& t, std::uint64_t time) {
  Functions* const f = find_state<Functions>(t, functions_adapter);
  if (f == nullptr) return;
  for (; !f->open.empty(); f->open.pop_back())
    if (f->open.back() != undefined) t.record(OTF2_EvtWriter_Leave, time, f->open.back());
}

std::uint32_t region_of(Functions& f, void* function) {
  const auto at = f.regions.find(function);
  if (at != f.regions.end()) return at->second;
  const std::string name = name_of(function);
  const bool construct = name.empty() || name.find("._omp_fn.") != std::string::npos || name.starts_with(".omp_");
  const std::uint32_t region =
      construct ? undefined : define_region(name, OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION);
  f.regions.emplace(function, region);
  return region;
}

bool recorded() {
  static const bool user = (settings().groups & group::user) != 0;
  return user && recording.load(std::memory_order_relaxed);
}

// Functions that are open when recording begins: main, as a rule.
thread_local std::vector<void*> early __attribute__((tls_model("initial-exec")));

}  // namespace

void enter_open_functions(std::uint64_t start) {
  Thread* const t = this_thread;
  if (t == nullptr || !recorded()) return;
  Functions& f = functions(*t);
  for (void* const function : early) {
    const std::uint32_t region = region_of(f, function);
    f.open.push_back(region);
    if (region == undefined || !t->begin_writing()) continue;
    t->record(OTF2_EvtWriter_Enter, start, region);
    t->end_writing();
  }
}

std::uint32_t innermost_function() {
  const Thread* const t = this_thread;
  const Functions* const f = t == nullptr ? nullptr : find_state<Functions>(*t, functions_adapter);
  if (f == nullptr) return undefined;
  for (auto region = f->open.rbegin(); region != f->open.rend(); ++region)
    if (*region != undefined) return *region;
  return undefined;
}

}  // namespace waitstate::record

extern "C" {

__attribute__((visibility("default"))) void __cyg_profile_func_enter(void* function, void*) {
  using namespace waitstate::record;
  if (!recorded()) {
    if (!recording.load(std::memory_order_relaxed)) early.push_back(function);
    return;
  }
  Thread* const t = current();
  if (t == nullptr || t->depth != 0) return;
  Functions& f = functions(*t);
  const std::uint32_t region = region_of(f, function);
  f.open.push_back(region);
  if (region == undefined || !t->begin_writing()) return;
  t->record(OTF2_EvtWriter_Enter, now(), region);
  t->end_writing();
}

__attribute__((visibility("default"))) void __cyg_profile_func_exit(void*, void*) {
  using namespace waitstate::record;
  if (!recorded()) {
    if (!early.empty()) early.pop_back();
    return;
  }
  Thread* const t = current();
  if (t == nullptr || t->depth != 0) return;
  Functions& f = functions(*t);
  if (f.open.empty()) return;
  const std::uint32_t region = f.open.back();
  f.open.pop_back();
  if (region == undefined || !t->begin_writing()) return;
  t->record(OTF2_EvtWriter_Leave, now(), region);
  t->end_writing();
}

}  // extern "C"
