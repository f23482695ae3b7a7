// What an MPI library tells of itself through MPI_T: a program of its own, built for each MPI, that `waitstate mpit`
// runs under that MPI's launcher and whose lines it reads.
//
// Everything is asked for after MPI_Init, because libraries register most variables there; MPI_T_finalize is never
// called, because libraries do not survive it in either order. The functions for events came with MPI 4.0 and are
// looked up as the program runs: one program serves libraries with and without them. An index that the library calls
// invalid has a line that says so.
//
// Each line is "mpit", a word and fields, as in the parts of a recorded run (record/core/lines.hpp):
//
//   library   Open MPI v4.1.4  3.1                           version, of the standard
//   number    pvar  33                                       indices; of event and source: empty without the functions
//   cvar      0  eager  1  MPI_INT  none  local  ENUM  1  4096  why not  description
//             index, name, verbosity 1-9, type, binding, scope, enumeration (name and pairs, as a line of their own),
//             elements, value, why there is none, description
//   pvar      0  length  1  size  MPI_UNSIGNED  comm  1  1  0  ENUM  description
//             class, type, binding, readonly, continuous, atomic
//   event     0  arrived  1  comm  MPI_INT 0 MPI_COUNT 8  ENUM  description      types and places of its elements
//   source    0  nic  ordered  1000000000  9223372036854775807  description      ticks a second, greatest time
//   category  0  queues  description  0,1  2  0  1           indices of cvars, pvars, events, categories in it
//   invalid   pvar  7  MPI_T_ERR_INVALID_INDEX
//   end
#include <dlfcn.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "record/core/lines.hpp"

namespace {

using waitstate::record::append_field;
using waitstate::record::line_of;

constexpr int longest_text = 16384, most_items = 4096, most_elements = 1 << 20;

template <class... Fields>
void tell(std::string_view word, const Fields&... fields) {
  std::puts(line_of("mpit", word, fields...).c_str());
}

/// A text that the library writes into a buffer: it may be longer than that, or have no end.
struct Text {
  std::vector<char> bytes = std::vector<char>(longest_text + 1);
  int length = longest_text;
  std::string_view text() const { return bytes.data(); }
};

std::string error_name(int code) {
  const std::pair<int, const char*> known[] = {
      {MPI_T_ERR_MEMORY, "MPI_T_ERR_MEMORY"},
      {MPI_T_ERR_NOT_INITIALIZED, "MPI_T_ERR_NOT_INITIALIZED"},
      {MPI_T_ERR_INVALID_INDEX, "MPI_T_ERR_INVALID_INDEX"},
      {MPI_T_ERR_INVALID_HANDLE, "MPI_T_ERR_INVALID_HANDLE"},
      {MPI_T_ERR_OUT_OF_HANDLES, "MPI_T_ERR_OUT_OF_HANDLES"},
      {MPI_T_ERR_INVALID, "MPI_T_ERR_INVALID"},
  };
  for (const auto& [number, name] : known)
    if (number == code) return name;
  return "error " + std::to_string(code);
}

std::string type_name(MPI_Datatype type) {
  const std::pair<MPI_Datatype, const char*> known[] = {
      {MPI_INT, "MPI_INT"},
      {MPI_UNSIGNED, "MPI_UNSIGNED"},
      {MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG"},
      {MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG"},
      {MPI_COUNT, "MPI_COUNT"},
      {MPI_CHAR, "MPI_CHAR"},
      {MPI_DOUBLE, "MPI_DOUBLE"},
      {MPI_INT32_T, "MPI_INT32_T"},
      {MPI_UINT32_T, "MPI_UINT32_T"},
      {MPI_INT64_T, "MPI_INT64_T"},
      {MPI_UINT64_T, "MPI_UINT64_T"},
      {MPI_BYTE, "MPI_BYTE"},
      {MPI_C_BOOL, "MPI_C_BOOL"},
      {MPI_SHORT, "MPI_SHORT"},
      {MPI_LONG, "MPI_LONG"},
      {MPI_LONG_LONG, "MPI_LONG_LONG"},
      {MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT"},
      {MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR"},
  };
  for (const auto& [number, name] : known)
    if (number == type) return name;
  return "unknown";
}

const char* binding_name(int bind) {
  switch (bind) {
    case MPI_T_BIND_NO_OBJECT:
      return "none";
    case MPI_T_BIND_MPI_COMM:
      return "comm";
    case MPI_T_BIND_MPI_DATATYPE:
      return "datatype";
    case MPI_T_BIND_MPI_ERRHANDLER:
      return "errhandler";
    case MPI_T_BIND_MPI_FILE:
      return "file";
    case MPI_T_BIND_MPI_GROUP:
      return "group";
    case MPI_T_BIND_MPI_OP:
      return "op";
    case MPI_T_BIND_MPI_REQUEST:
      return "request";
    case MPI_T_BIND_MPI_WIN:
      return "win";
    case MPI_T_BIND_MPI_MESSAGE:
      return "message";
    case MPI_T_BIND_MPI_INFO:
      return "info";
    default:
      return "unknown";
  }
}

const char* scope_name(int scope) {
  switch (scope) {
    case MPI_T_SCOPE_CONSTANT:
      return "constant";
    case MPI_T_SCOPE_READONLY:
      return "readonly";
    case MPI_T_SCOPE_LOCAL:
      return "local";
    case MPI_T_SCOPE_GROUP:
      return "group";
    case MPI_T_SCOPE_GROUP_EQ:
      return "group_eq";
    case MPI_T_SCOPE_ALL:
      return "all";
    case MPI_T_SCOPE_ALL_EQ:
      return "all_eq";
    default:
      return "unknown";
  }
}

const char* class_name(int which) {
  switch (which) {
    case MPI_T_PVAR_CLASS_STATE:
      return "state";
    case MPI_T_PVAR_CLASS_LEVEL:
      return "level";
    case MPI_T_PVAR_CLASS_SIZE:
      return "size";
    case MPI_T_PVAR_CLASS_PERCENTAGE:
      return "percentage";
    case MPI_T_PVAR_CLASS_HIGHWATERMARK:
      return "highwatermark";
    case MPI_T_PVAR_CLASS_LOWWATERMARK:
      return "lowwatermark";
    case MPI_T_PVAR_CLASS_COUNTER:
      return "counter";
    case MPI_T_PVAR_CLASS_AGGREGATE:
      return "aggregate";
    case MPI_T_PVAR_CLASS_TIMER:
      return "timer";
    case MPI_T_PVAR_CLASS_GENERIC:
      return "generic";
    default:
      return "unknown";
  }
}

// 1 for the user's basic ones to 9 for all of the library's developers; 0: none of these.
int verbosity_of(int level) {
  const int known[] = {MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
                       MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
                       MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL};
  const auto* const at = std::find(std::begin(known), std::end(known), level);
  return at == std::end(known) ? 0 : static_cast<int>(at - std::begin(known)) + 1;
}

std::string enumeration(MPI_T_enum which) {
  if (which == MPI_T_ENUM_NULL) return "";
  Text name;
  int count = 0;
  if (MPI_T_enum_get_info(which, &count, name.bytes.data(), &name.length) != MPI_SUCCESS) return "";
  std::string line;
  append_field(line, name.text().empty() ? "unnamed" : name.text());
  for (int i = 0; i < std::min(count, most_items); ++i) {
    Text item;
    int value = 0;
    if (MPI_T_enum_get_item(which, i, &value, item.bytes.data(), &item.length) != MPI_SUCCESS) continue;
    append_field(line, value);
    append_field(line, item.text());
  }
  return line;
}

template <class T>
std::string listed(const char* bytes, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    T value{};
    std::memcpy(&value, bytes + sizeof(T) * static_cast<std::size_t>(i), sizeof value);
    if constexpr (sizeof value == 8 && std::is_same_v<T, double>) {
      char digits[64];
      std::snprintf(digits, sizeof digits, "%.17g", value);
      text += (i != 0 ? "," : "") + std::string(digits);
    } else {
      text += (i != 0 ? "," : "") + std::to_string(value);
    }
  }
  return text;
}

std::string text_of(const char* bytes, int count, const std::string& type) {
  if (type == "MPI_CHAR" || type == "MPI_BYTE")
    return std::string(bytes, strnlen(bytes, static_cast<std::size_t>(count)));
  if (type == "MPI_C_BOOL" || type == "MPI_UNSIGNED_CHAR") return listed<std::uint8_t>(bytes, count);
  if (type == "MPI_SHORT") return listed<std::int16_t>(bytes, count);
  if (type == "MPI_UNSIGNED_SHORT") return listed<std::uint16_t>(bytes, count);
  if (type == "MPI_INT" || type == "MPI_INT32_T") return listed<std::int32_t>(bytes, count);
  if (type == "MPI_UNSIGNED" || type == "MPI_UINT32_T") return listed<std::uint32_t>(bytes, count);
  if (type == "MPI_COUNT" || type == "MPI_INT64_T" || type == "MPI_LONG" || type == "MPI_LONG_LONG")
    return listed<std::int64_t>(bytes, count);
  if (type == "MPI_DOUBLE") return listed<double>(bytes, count);
  return listed<std::uint64_t>(bytes, count);
}

struct Variable {
  int index = 0, verbosity = 0, bind = 0, scope = 0;
  std::string name, about, type, items;
  int count = 0;
  std::string value, why_not;
};

void read_value(Variable& v) {
  MPI_Comm world = MPI_COMM_WORLD;
  if (v.type == "unknown") {
    v.why_not = "their type is unknown";
    return;
  }
  if (v.bind != MPI_T_BIND_NO_OBJECT && v.bind != MPI_T_BIND_MPI_COMM) {
    v.why_not = std::string("they belong to an object, a ") + binding_name(v.bind);
    return;
  }
  MPI_T_cvar_handle handle{};
  int code = MPI_T_cvar_handle_alloc(v.index, v.bind == MPI_T_BIND_MPI_COMM ? &world : nullptr, &handle, &v.count);
  if (code != MPI_SUCCESS) {
    v.why_not = error_name(code);
    return;
  }
  if (v.count < 0 || v.count > most_elements) {
    v.why_not = "they have an impossible number of elements";
  } else {
    std::vector<char> bytes(static_cast<std::size_t>(v.count) * 8 + 4096);
    code = MPI_T_cvar_read(handle, bytes.data());
    if (code == MPI_SUCCESS)
      v.value = text_of(bytes.data(), v.count, v.type);
    else
      v.why_not = error_name(code);
  }
  MPI_T_cvar_handle_free(&handle);
}

// In a child, which a library does not always survive: Open MPI's variables of parts that it has unloaded are read from
// memory that is gone. Says what it found of each in turn.
[[noreturn]] void read_values_in_child(std::vector<Variable>& all, std::size_t first, int to) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) std::signal(number, SIG_DFL);
  for (std::size_t i = first; i < all.size(); ++i) {
    alarm(5);
    read_value(all[i]);
    const std::string line = line_of("", all[i].count, all[i].value, all[i].why_not) + '\n';
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t n = write(to, line.data() + done, line.size() - done);
      if (n <= 0) _exit(1);
      done += static_cast<std::size_t>(n);
    }
  }
  _exit(0);
}

void read_values(std::vector<Variable>& all) {
  for (std::size_t next = 0; next < all.size();) {
    int ends[2];
    if (pipe(ends) != 0) return;
    const pid_t child = fork();
    if (child == 0) read_values_in_child(all, next, ends[1]);
    close(ends[1]);
    std::string text;
    char piece[4096];
    for (ssize_t n = 0; (n = read(ends[0], piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    for (std::size_t end = 0; next < all.size() && (end = text.find('\n')) != std::string::npos; ++next) {
      const std::vector<std::string> f = waitstate::record::fields_of(std::string_view(text).substr(0, end));
      text.erase(0, end + 1);
      if (f.size() < 3) continue;
      all[next].count = std::atoi(f[0].c_str());
      all[next].value = f[1];
      all[next].why_not = f[2];
    }
    if (next < all.size()) all[next++].why_not = "the library crashes where they are read";
  }
}

void tell_cvars() {
  int number = 0;
  MPI_T_cvar_get_num(&number);
  tell("number", "cvar", number);
  std::vector<Variable> all;
  for (int i = 0; i < number; ++i) {
    Text name, about;
    Variable v;
    v.index = i;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    const int code = MPI_T_cvar_get_info(i, name.bytes.data(), &name.length, &v.verbosity, &type, &items,
                                         about.bytes.data(), &about.length, &v.bind, &v.scope);
    if (code != MPI_SUCCESS) {
      tell("invalid", "cvar", i, error_name(code));
      continue;
    }
    v.name = name.text();
    v.about = about.text();
    v.type = type_name(type);
    v.items = enumeration(items);
    all.push_back(std::move(v));
  }
  read_values(all);
  for (const Variable& v : all)
    tell("cvar", v.index, v.name, verbosity_of(v.verbosity), v.type, binding_name(v.bind), scope_name(v.scope), v.items,
         v.count, v.value, v.why_not, v.about);
}

void tell_pvars() {
  int number = 0;
  MPI_T_pvar_get_num(&number);
  tell("number", "pvar", number);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    int verbosity = 0, which = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    const int code = MPI_T_pvar_get_info(i, name.bytes.data(), &name.length, &verbosity, &which, &type, &items,
                                         about.bytes.data(), &about.length, &bind, &readonly, &continuous, &atomic);
    if (code != MPI_SUCCESS)
      tell("invalid", "pvar", i, error_name(code));
    else
      tell("pvar", i, name.text(), verbosity_of(verbosity), class_name(which), type_name(type), binding_name(bind),
           readonly, continuous, atomic, enumeration(items), about.text());
  }
}

// --- what MPI 4.0 added; handles are pointers in every library that has it
// --------------------------------------------

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

void tell_events() {
  const auto number_of = find<int(int*)>("MPI_T_event_get_num");
  const auto info_of =
      find<int(int, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*, MPI_Info*, char*, int*, int*)>(
          "MPI_T_event_get_info");
  int number = 0;
  if (number_of == nullptr || info_of == nullptr || number_of(&number) != MPI_SUCCESS) {
    tell("number", "event", "");
    return;
  }
  tell("number", "event", number);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    std::vector<MPI_Datatype> types(most_items, MPI_DATATYPE_NULL);
    std::vector<MPI_Aint> places(most_items);
    int verbosity = 0, bind = 0, elements = most_items;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    const int code = info_of(i, name.bytes.data(), &name.length, &verbosity, types.data(), places.data(), &elements,
                             &items, &info, about.bytes.data(), &about.length, &bind);
    if (code != MPI_SUCCESS) {
      tell("invalid", "event", i, error_name(code));
      continue;
    }
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    std::string shape;
    for (std::size_t e = 0; e < static_cast<std::size_t>(std::clamp(elements, 0, most_items)); ++e)
      shape += (e == 0 ? "" : " ") + type_name(types[e]) + " " + std::to_string(places[e]);
    tell("event", i, name.text(), verbosity_of(verbosity), binding_name(bind), shape, enumeration(items), about.text());
  }
}

void tell_sources() {
  const auto number_of = find<int(int*)>("MPI_T_source_get_num");
  const auto info_of =
      find<int(int, char*, int*, char*, int*, int*, MPI_Count*, MPI_Count*, MPI_Info*)>("MPI_T_source_get_info");
  int number = 0;
  if (number_of == nullptr || info_of == nullptr || number_of(&number) != MPI_SUCCESS) {
    tell("number", "source", "");
    return;
  }
  tell("number", "source", number);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    int unordered = 0;  // MPI_T_SOURCE_ORDERED is the first of the two
    MPI_Count ticks = 0, last = 0;
    MPI_Info info = MPI_INFO_NULL;
    const int code = info_of(i, name.bytes.data(), &name.length, about.bytes.data(), &about.length, &unordered, &ticks,
                             &last, &info);
    if (code != MPI_SUCCESS) {
      tell("invalid", "source", i, error_name(code));
      continue;
    }
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    tell("source", i, name.text(), unordered != 0 ? "unordered" : "ordered", std::int64_t{ticks}, std::int64_t{last},
         about.text());
  }
}

template <class Members>
std::string members(int category, int count, Members function) {
  std::string text;
  if (function == nullptr || count <= 0) return text;
  std::vector<int> all(static_cast<std::size_t>(std::min(count, most_elements)), -1);
  if (function(category, static_cast<int>(all.size()), all.data()) != MPI_SUCCESS) return text;
  for (const int index : all)
    if (index >= 0) text += (text.empty() ? "" : ",") + std::to_string(index);
  return text;
}

void tell_categories() {
  const auto events_in = find<int(int, int*)>("MPI_T_category_get_num_events");
  const auto events_of = find<int(int, int, int*)>("MPI_T_category_get_events");
  int number = 0;
  MPI_T_category_get_num(&number);
  tell("number", "category", number);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    int cvars = 0, pvars = 0, categories = 0, events = 0;
    const int code = MPI_T_category_get_info(i, name.bytes.data(), &name.length, about.bytes.data(), &about.length,
                                             &cvars, &pvars, &categories);
    if (code != MPI_SUCCESS) {
      tell("invalid", "category", i, error_name(code));
      continue;
    }
    if (events_in != nullptr && events_in(i, &events) != MPI_SUCCESS) events = 0;
    tell("category", i, name.text(), about.text(), members(i, cvars, &MPI_T_category_get_cvars),
         members(i, pvars, &MPI_T_category_get_pvars), members(i, events, events_of),
         members(i, categories, &MPI_T_category_get_categories));
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, major = 0, minor = 0, length = 0;
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
    std::fputs("MPI_T_init_thread failed\n", stderr);
    return 1;
  }
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  MPI_Get_library_version(version, &length);
  MPI_Get_version(&major, &minor);
  tell("library", version, std::to_string(major) + "." + std::to_string(minor));
  tell_cvars();
  tell_pvars();
  tell_events();
  tell_sources();
  tell_categories();
  tell("end");
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
