// Lists what an MPI library offers through MPI_T: a program of its own, built for each MPI, that `waitstate mpit`
// runs under that MPI's launcher and whose lines it reads. It runs in two processes, because a library need not set up
// what only several use, such as shared memory; the first one prints the list.
//
// All questions are asked after MPI_Init, because libraries register most variables there; MPI_T_finalize is never
// called, because libraries do not survive it in either order. The functions for events came with MPI 4.0 and are
// looked up as the program runs: one program serves libraries with and without them. An index that the library calls
// invalid has a line that says so.
//
// Each line is "mpit", a word and fields, as in the parts of a recorded run (record/parts/lines.hpp):
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

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "record/mpit/cvar_values.hpp"
#include "record/parts/lines.hpp"

namespace {

using waitstate::record::append_field;
using waitstate::record::binding_name;
using waitstate::record::CvarValue;
using waitstate::record::line_of;

constexpr int longest_text = 16384, most_items = 4096;

template <class... Fields>
void tell(std::string_view word, const Fields&... fields) {
  std::puts(line_of("mpit", word, fields...).c_str());
}

/// Checks the library's answer to an index; true if there is no such index.
bool invalid(const char* what, int index, int code) {
  if (code == MPI_SUCCESS) return false;
  tell("invalid", what, index, waitstate::record::cvar_values::error_name(code));
  return true;
}

/// A text that the library writes into a buffer: it may be longer than that, or have no end.
struct Text {
  std::vector<char> bytes = std::vector<char>(longest_text + 1);
  int length = longest_text;
  std::string_view text() const { return bytes.data(); }
};

/// A number of MPI and its name.
template <class Number>
struct Name {
  Number number;
  const char* name;
};
template <class Number, std::size_t count>
const char* name_in(const Name<Number> (&known)[count], Number number) {
  for (const Name<Number>& n : known)
    if (n.number == number) return n.name;
  return "unknown";
}

std::string type_name(MPI_Datatype type) {
#define NAME(type) \
  { MPI_##type, "MPI_" #type }
  const Name<MPI_Datatype> known[] = {NAME(INT),
                                      NAME(UNSIGNED),
                                      NAME(UNSIGNED_LONG),
                                      NAME(UNSIGNED_LONG_LONG),
                                      NAME(COUNT),
                                      NAME(CHAR),
                                      NAME(DOUBLE),
                                      NAME(INT32_T),
                                      NAME(UINT32_T),
                                      NAME(INT64_T),
                                      NAME(UINT64_T),
                                      NAME(BYTE),
                                      NAME(C_BOOL),
                                      NAME(SHORT),
                                      NAME(LONG),
                                      NAME(LONG_LONG),
                                      NAME(UNSIGNED_SHORT),
                                      NAME(UNSIGNED_CHAR)};
#undef NAME
  return name_in(known, type);
}

const char* scope_name(int scope) {
  constexpr Name<int> known[] = {{MPI_T_SCOPE_CONSTANT, "constant"}, {MPI_T_SCOPE_READONLY, "readonly"},
                                 {MPI_T_SCOPE_LOCAL, "local"},       {MPI_T_SCOPE_GROUP, "group"},
                                 {MPI_T_SCOPE_GROUP_EQ, "group_eq"}, {MPI_T_SCOPE_ALL, "all"},
                                 {MPI_T_SCOPE_ALL_EQ, "all_eq"}};
  return name_in(known, scope);
}

const char* class_name(int which) {
  constexpr Name<int> known[] = {
      {MPI_T_PVAR_CLASS_STATE, "state"},
      {MPI_T_PVAR_CLASS_LEVEL, "level"},
      {MPI_T_PVAR_CLASS_SIZE, "size"},
      {MPI_T_PVAR_CLASS_PERCENTAGE, "percentage"},
      {MPI_T_PVAR_CLASS_HIGHWATERMARK, "highwatermark"},
      {MPI_T_PVAR_CLASS_LOWWATERMARK, "lowwatermark"},
      {MPI_T_PVAR_CLASS_COUNTER, "counter"},
      {MPI_T_PVAR_CLASS_AGGREGATE, "aggregate"},
      {MPI_T_PVAR_CLASS_TIMER, "timer"},
      {MPI_T_PVAR_CLASS_GENERIC, "generic"},
  };
  return name_in(known, which);
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

struct ControlVariable {
  int verbosity = 0, scope = 0;
  std::string name, about, items;
};

void tell_cvars() {
  int number = 0;
  MPI_T_cvar_get_num(&number);
  tell("number", "cvar", number);
  std::vector<ControlVariable> all;
  std::vector<CvarValue> values;
  for (int i = 0; i < number; ++i) {
    Text name, about;
    ControlVariable v;
    CvarValue value;
    value.index = i;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    if (invalid("cvar", i,
                MPI_T_cvar_get_info(i, name.bytes.data(), &name.length, &v.verbosity, &type, &items, about.bytes.data(),
                                    &about.length, &value.bind, &v.scope)))
      continue;
    v.name = name.text();
    v.about = about.text();
    v.items = enumeration(items);
    value.type = type_name(type);
    all.push_back(std::move(v));
    values.push_back(std::move(value));
  }
  waitstate::record::read_cvars({MPI_T_cvar_handle_alloc, MPI_T_cvar_handle_free, MPI_T_cvar_read}, MPI_COMM_WORLD,
                                values);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ControlVariable& v = all[i];
    const CvarValue& value = values[i];
    tell("cvar", value.index, v.name, verbosity_of(v.verbosity), value.type, binding_name(value.bind),
         scope_name(v.scope), v.items, value.count, value.value, value.why_not, v.about);
  }
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
    if (!invalid("pvar", i,
                 MPI_T_pvar_get_info(i, name.bytes.data(), &name.length, &verbosity, &which, &type, &items,
                                     about.bytes.data(), &about.length, &bind, &readonly, &continuous, &atomic)))
      tell("pvar", i, name.text(), verbosity_of(verbosity), class_name(which), type_name(type), binding_name(bind),
           readonly, continuous, atomic, enumeration(items), about.text());
  }
}

// --- what MPI 4.0 added; handles are pointers in every library that has it ---

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// How many there are; nothing is said of their number if the library has no functions for them.
int tell_number(const char* what, int (*number_of)(int*)) {
  int number = 0;
  if (number_of != nullptr && number_of(&number) == MPI_SUCCESS)
    tell("number", what, number);
  else
    tell("number", what, "");
  return number;
}

void tell_events() {
  const auto number_of = find<int(int*)>("MPI_T_event_get_num");
  const auto info_of =
      find<int(int, char*, int*, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*, MPI_Info*, char*, int*, int*)>(
          "MPI_T_event_get_info");
  const int number = tell_number("event", info_of == nullptr ? nullptr : number_of);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    std::vector<MPI_Datatype> types(most_items, MPI_DATATYPE_NULL);
    std::vector<MPI_Aint> places(most_items);
    int verbosity = 0, bind = 0, elements = most_items;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    if (invalid("event", i,
                info_of(i, name.bytes.data(), &name.length, &verbosity, types.data(), places.data(), &elements, &items,
                        &info, about.bytes.data(), &about.length, &bind)))
      continue;
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
  const int number = tell_number("source", info_of == nullptr ? nullptr : number_of);
  for (int i = 0; i < number; ++i) {
    Text name, about;
    int unordered = 0;  // MPI_T_SOURCE_ORDERED is the first of the two
    MPI_Count ticks = 0, last = 0;
    MPI_Info info = MPI_INFO_NULL;
    if (invalid("source", i,
                info_of(i, name.bytes.data(), &name.length, about.bytes.data(), &about.length, &unordered, &ticks,
                        &last, &info)))
      continue;
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    tell("source", i, name.text(), unordered != 0 ? "unordered" : "ordered", std::int64_t{ticks}, std::int64_t{last},
         about.text());
  }
}

template <class Members>
std::string members(int category, int count, Members function) {
  std::string text;
  if (function == nullptr || count <= 0) return text;
  std::vector<int> all(static_cast<std::size_t>(std::min(count, waitstate::record::cvar_values::most_elements)), -1);
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
    if (invalid("category", i,
                MPI_T_category_get_info(i, name.bytes.data(), &name.length, about.bytes.data(), &about.length, &cvars,
                                        &pvars, &categories)))
      continue;
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
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    MPI_Finalize();
    return 0;
  }
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
