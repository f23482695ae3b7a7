#include "record/mpi/library_settings.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "record/core/recorder.hpp"
#include "record/mpi/tool_interface.hpp"
#include "record/mpit/cvar_values.hpp"
#include "record/parts/line_kinds.hpp"

extern "C" char** environ;

namespace waitstate::record::mpi {

namespace {

struct SettingFunctions {
  decltype(MPI_T_cvar_get_num)* get_num = tool_function<decltype(MPI_T_cvar_get_num)>("MPI_T_cvar_get_num");
  decltype(MPI_T_cvar_get_info)* get_info = tool_function<decltype(MPI_T_cvar_get_info)>("MPI_T_cvar_get_info");
  CvarFunctions values{tool_function<decltype(MPI_T_cvar_handle_alloc)>("MPI_T_cvar_handle_alloc"),
                       tool_function<decltype(MPI_T_cvar_handle_free)>("MPI_T_cvar_handle_free"),
                       tool_function<decltype(MPI_T_cvar_read)>("MPI_T_cvar_read")};
  bool whole() const {
    return get_num != nullptr && get_info != nullptr && values.handle_alloc != nullptr &&
           values.handle_free != nullptr && values.read != nullptr;
  }
};

#ifdef OPEN_MPI
// Variables that Open MPI's launcher sets for its processes in the same way as the user does. Which of these names the
// user has given it, with --mca or in its environment, `waitstate record` tells where it starts the launcher.
constexpr std::string_view of_launcher[] = {
    "ess",    "ess_base_", "orte_", "pmix",    "opal_",  "mca_base_env_list", "plm_",
    "rmaps_", "state",     "iof_",  "errmgr_", "routed", "shmem_RUNTIME_"};

bool is_of_launcher(std::string_view name) {
  return std::any_of(std::begin(of_launcher), std::end(of_launcher), [&](std::string_view begin) {
    return begin.ends_with('_') ? name.starts_with(begin) : name == begin;
  });
}
#else
bool is_of_launcher(std::string_view) { return false; }
#endif

// Each line of such a file is a comment, or "name = value".
void read_parameter_file(const std::string& path, std::set<std::string>& names) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find_first_not_of(" \t"), end = line.find_first_of(" \t=", begin);
    if (begin != std::string::npos && line[begin] != '#' && end != std::string::npos)
      names.insert(line.substr(begin, end - begin));
  }
}

// Names that the user has given to the launcher.
std::set<std::string> given_to_launcher() {
  std::set<std::string> names;
  const char* const list = std::getenv("WAITSTATE_RECORD_LAUNCHER_CVARS");
  for (std::string_view rest = list == nullptr ? "" : list; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (!name.empty()) names.emplace(name);
  }
  return names;
}

// Names of variables that somebody has set. Others may be among them.
std::set<std::string> set_names() {
  std::set<std::string> names = given_to_launcher();
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const std::string name(entry.substr(0, entry.find('=')));
#ifdef OPEN_MPI
    constexpr std::string_view prefix = "OMPI_MCA_";
    if (name.starts_with(prefix) && !is_of_launcher(std::string_view(name).substr(prefix.size())))
      names.insert(name.substr(prefix.size()));
#else
    for (const std::string_view prefix : {"MPICH_", "MPIR_PARAM_"})  // older spellings
      if (name.starts_with(prefix)) names.insert("MPIR_CVAR_" + name.substr(prefix.size()));
#endif
    names.insert(name);
  }
  return names;
}

// Where Open MPI has looked for parameters: a variable of it that can always be read.
void add_names_in_files(const std::string& files, std::set<std::string>& names) {
  for (std::size_t begin = 0; begin < files.size();) {
    const std::size_t end = std::min(files.find_first_of(":,", begin), files.size());
    read_parameter_file(files.substr(begin, end - begin), names);
    begin = end + 1;
  }
}

// Signals that the program handles wait until the process that reads has ended, and its end is none of theirs.
class Undisturbed {
 public:
  Undisturbed() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  Undisturbed(const Undisturbed&) = delete;
  ~Undisturbed() {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const timespec at_once{};
    sigtimedwait(&child, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
};

std::string type_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  return real::Type_get_name(type, name, &length) == MPI_SUCCESS && *name != '\0' ? name : "unknown";
}

struct Found {
  std::vector<std::string> names;
  std::vector<CvarValue> values;
};

/// The variables that are wanted, without their values.
template <class Wanted>
Found find(const SettingFunctions& mpi, Wanted&& wanted) {
  Found found;
  int number = 0;
  mpi.get_num(&number);
  for (int index = 0; index < number; ++index) {
    ToolText name, about;
    int verbosity = 0, scope = 0;
    MPI_Datatype type{};
    MPI_T_enum items{};
    CvarValue v;
    v.index = index;
    const bool valid = mpi.get_info(index, name.bytes, &name.length, &verbosity, &type, &items, about.bytes,
                                    &about.length, &v.bind, &scope) == MPI_SUCCESS;
    if (!valid || !wanted(std::string(name.bytes))) continue;
    v.type = type_of(type);
    found.names.emplace_back(name.bytes);
    found.values.push_back(std::move(v));
  }
  return found;
}

}  // namespace

bool records_library_settings() { return settings().cvars != Cvars::none; }

void record_library_settings() {
  const SettingFunctions mpi;
  if (!records_library_settings() || !has_tool_interface() || !mpi.whole()) return;
  const bool all = settings().cvars == Cvars::all;
  std::set<std::string> set;
  if (!all) {
    set = set_names();
    Found files = find(mpi, [](const std::string& name) { return name == "mca_base_param_files"; });
    for (CvarValue& v : files.values) {
      cvar_values::read(mpi.values, MPI_COMM_WORLD, v);
      add_names_in_files(v.value, set);
    }
  }
  Found found = find(mpi, [&](const std::string& name) { return all || set.contains(name); });
  // Variables of the launcher itself, which the library of its processes does not have: as the user wrote them.
  for (const std::string& name : given_to_launcher())
    if (is_of_launcher(name) && std::find(found.names.begin(), found.names.end(), name) == found.names.end())
      if (const char* const value = std::getenv(("OMPI_MCA_" + name).c_str()))
        define(CvarLine{.name = name, .value = value});
  if (found.values.empty()) return;  // so no process is made
  std::string error;
  {
    const Undisturbed undisturbed;
    error = read_cvars(mpi.values, MPI_COMM_WORLD, found.values);
  }
  if (!error.empty()) say("not all settings of the MPI library are recorded: " + error);
  for (std::size_t i = 0; i < found.names.size(); ++i)
    if (found.values[i].why_not.empty()) define(CvarLine{.name = found.names[i], .value = found.values[i].value});
}

}  // namespace waitstate::record::mpi
