#include "record/mpi/tool_interface.hpp"

#include <dlfcn.h>
#include <fnmatch.h>

#include <algorithm>

namespace waitstate::record::mpi {

namespace {

int granted = MPI_THREAD_SINGLE - 1;

}  // namespace

void* find_tool_function(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
#ifdef OPEN_MPI
  static void* const library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
#else
  static void* const library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
#endif
  if (symbol == nullptr && library != nullptr) symbol = dlsym(library, name);
  return symbol;
}

void begin_tool_interface() {
  if (has_tool_interface()) return;
  const auto init = tool_function<decltype(MPI_T_init_thread)>("MPI_T_init_thread");
  int provided = MPI_THREAD_SINGLE;
  if (init != nullptr && init(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS)
    granted = std::max(provided, int{MPI_THREAD_SINGLE});
}

int tool_threads() { return granted; }

AskedFor::AskedFor(std::string_view list) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    if (!one.empty()) names_.emplace_back(one == "all" ? "*" : one, false);
  }
}

bool AskedFor::means(const char* name, bool* alone) {
  bool meant = false;
  for (auto& [pattern, found] : names_)
    if (fnmatch(pattern.c_str(), name, 0) == 0) {
      found = meant = true;
      if (alone != nullptr) *alone = *alone || pattern == name;
    }
  return meant;
}

std::vector<std::string> AskedFor::not_there() const {
  std::vector<std::string> all;
  for (const auto& [name, found] : names_)
    if (!found) all.push_back(name);
  return all;
}

}  // namespace waitstate::record::mpi
