#include "record/mpi/tool_interface.hpp"

#include <dlfcn.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstring>

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

// Integers in the order of bytes of this machine.
OTF2_MetricValue ToolType::value(const char* at) const {
  OTF2_MetricValue value{};
  if (kind == Kind::real) {
    std::memcpy(&value.floating_point, at, sizeof value.floating_point);
    return value;
  }
  std::memcpy(&value.unsigned_int, at, bytes);
  const unsigned above = 64 - 8U * bytes;
  if (kind == Kind::signed_integer) value.signed_int = static_cast<std::int64_t>(value.unsigned_int << above) >> above;
  return value;
}

ToolType tool_type(MPI_Datatype type) {
  using enum ToolType::Kind;
  constexpr std::pair<const char*, ToolType> names[] = {{"MPI_INT", {signed_integer, 4}},
                                                        {"MPI_INT32_T", {signed_integer, 4}},
                                                        {"MPI_UNSIGNED", {unsigned_integer, 4}},
                                                        {"MPI_UINT32_T", {unsigned_integer, 4}},
                                                        {"MPI_COUNT", {signed_integer, 8}},
                                                        {"MPI_INT64_T", {signed_integer, 8}},
                                                        {"MPI_UNSIGNED_LONG", {unsigned_integer, 8}},
                                                        {"MPI_UNSIGNED_LONG_LONG", {unsigned_integer, 8}},
                                                        {"MPI_UINT64_T", {unsigned_integer, 8}},
                                                        {"MPI_CHAR", {signed_integer, 1}},
                                                        {"MPI_BYTE", {unsigned_integer, 1}},
                                                        {"MPI_DOUBLE", {real, 8}}};
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (real::Type_get_name(type, name, &length) == MPI_SUCCESS)
    for (const auto& [known, of] : names)
      if (std::strcmp(name, known) == 0) return of;
  return {};
}

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
