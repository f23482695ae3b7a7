#include "record/mpi/variables.hpp"

#include <dlfcn.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "record/core/lines.hpp"
#include "record/core/recorder.hpp"

namespace waitstate::record::mpi {

bool reads_variables = false;

namespace {

// By the names without P: a tool or a test may stand between.
template <class Function>
Function* next_of(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
#ifdef OPEN_MPI
  static void* const library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
#else
  static void* const library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
#endif
  if (symbol == nullptr && library != nullptr) symbol = dlsym(library, name);
  return reinterpret_cast<Function*>(symbol);
}

struct Interface {
  decltype(MPI_T_init_thread)* init_thread = next_of<decltype(MPI_T_init_thread)>("MPI_T_init_thread");
  decltype(MPI_T_pvar_get_num)* get_num = next_of<decltype(MPI_T_pvar_get_num)>("MPI_T_pvar_get_num");
  decltype(MPI_T_pvar_get_info)* get_info = next_of<decltype(MPI_T_pvar_get_info)>("MPI_T_pvar_get_info");
  decltype(MPI_T_pvar_session_create)* session_create =
      next_of<decltype(MPI_T_pvar_session_create)>("MPI_T_pvar_session_create");
  decltype(MPI_T_pvar_session_free)* session_free =
      next_of<decltype(MPI_T_pvar_session_free)>("MPI_T_pvar_session_free");
  decltype(MPI_T_pvar_handle_alloc)* handle_alloc =
      next_of<decltype(MPI_T_pvar_handle_alloc)>("MPI_T_pvar_handle_alloc");
  decltype(MPI_T_pvar_handle_free)* handle_free = next_of<decltype(MPI_T_pvar_handle_free)>("MPI_T_pvar_handle_free");
  decltype(MPI_T_pvar_start)* start = next_of<decltype(MPI_T_pvar_start)>("MPI_T_pvar_start");
  decltype(MPI_T_pvar_read)* read = next_of<decltype(MPI_T_pvar_read)>("MPI_T_pvar_read");
  bool whole() const {
    return init_thread != nullptr && get_num != nullptr && get_info != nullptr && session_create != nullptr &&
           session_free != nullptr && handle_alloc != nullptr && handle_free != nullptr && start != nullptr &&
           read != nullptr;
  }
};
const Interface& interface() {
  static const Interface* const i = new Interface;
  return *i;
}

constexpr unsigned most_objects = 64;  // with a metric each; the further ones have one together
constexpr int most_elements = 1 << 20;

enum class Type { int32, uint32, int64, uint64, real };

struct Variable {
  int index = 0, kind = 0, bind = 0;
  bool continuous = false;
  Type type{};
  std::string name, about;
  unsigned objects = 0;
};

// What becomes one metric.
struct Metric {
  const Variable* variable = nullptr;
  std::uint32_t number = 0;
  OTF2_MetricValue written{}, value{}, gone{};  // gone: of handles that have been freed, if values only grow
  bool known = false;
};

// A handle: of a variable, or of it and an object.
struct Reading {
  const Variable* variable = nullptr;
  Metric* metric = nullptr;
  MPI_T_pvar_handle handle{};
  int count = 0;
  std::uint32_t object = undefined;
};

struct State {
  SpinLock lock;
  MPI_T_pvar_session session{};
  bool prepared = false;
  std::vector<Variable*> variables;
  std::vector<Metric*> metrics;
  std::vector<Reading> readings;
  std::map<const Variable*, Metric*> further;
  std::vector<char> buffer;
  std::uint32_t next_metric = 0;
};
State& state() {
  static State* const s = new State;
  return *s;
}

bool grows(const Variable& v) {
  return v.kind == MPI_T_PVAR_CLASS_COUNTER || v.kind == MPI_T_PVAR_CLASS_AGGREGATE || v.kind == MPI_T_PVAR_CLASS_TIMER;
}

OTF2_MetricMode mode_of(const Variable& v) {
  if (grows(v)) return OTF2_METRIC_ACCUMULATED_START;
  const bool mark = v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK;
  return mark ? OTF2_METRIC_ABSOLUTE_LAST : OTF2_METRIC_ABSOLUTE_POINT;
}

OTF2_Type type_of(const Variable& v) {
  if (v.type == Type::real) return OTF2_TYPE_DOUBLE;
  return v.type == Type::int32 || v.type == Type::int64 ? OTF2_TYPE_INT64 : OTF2_TYPE_UINT64;
}

bool type_of(MPI_Datatype type, Type& known) {
  const std::pair<const char*, Type> names[] = {{"MPI_INT", Type::int32},
                                                {"MPI_INT32_T", Type::int32},
                                                {"MPI_UNSIGNED", Type::uint32},
                                                {"MPI_UINT32_T", Type::uint32},
                                                {"MPI_COUNT", Type::int64},
                                                {"MPI_INT64_T", Type::int64},
                                                {"MPI_UNSIGNED_LONG", Type::uint64},
                                                {"MPI_UNSIGNED_LONG_LONG", Type::uint64},
                                                {"MPI_UINT64_T", Type::uint64},
                                                {"MPI_DOUBLE", Type::real}};
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (real::Type_get_name(type, name, &length) != MPI_SUCCESS) return false;
  for (const auto& [known_name, t] : names)
    if (std::strcmp(name, known_name) == 0) {
      known = t;
      return true;
    }
  return false;
}

Metric* define_metric(const Variable& v, int count, const char* object_kind, std::uint32_t object) {
  State& s = state();
  auto* const m = new Metric;
  m->variable = &v;
  m->number = s.next_metric++;
  std::string about = v.about;
  const char* const of = v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_STATE ? "greatest"
                         : v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK                                    ? "least"
                         : v.kind == MPI_T_PVAR_CLASS_PERCENTAGE                                      ? "mean"
                                                                                                      : "sum";
  if (count > 1) about += std::string(about.empty() ? "" : "; ") + "the " + of + " of its elements";
  if (v.name == "pml_ob1_posted_recvq_length") about += "; receives from MPI_ANY_SOURCE are not in it";
  if (v.name == "pml_ob1_unexpected_msgq_length") about += "; messages of MPI's own collective operations are in it";
  const bool seconds = v.kind == MPI_T_PVAR_CLASS_TIMER && v.type == Type::real;
  define(line_of("metric", m->number, v.name, seconds ? "s" : "#", about, int{mode_of(v)}, int{type_of(v)}, object_kind,
                 object == undefined ? std::string() : std::to_string(object)));
  s.metrics.push_back(m);
  return m;
}

// With the lock. `handle`: of the object, or null.
void add(Variable& v, void* handle, std::uint32_t object) {
  State& s = state();
  const Interface& i = interface();
  Reading r;
  r.variable = &v;
  r.object = object;
  if (i.handle_alloc(s.session, v.index, handle, &r.handle, &r.count) != MPI_SUCCESS) return;
  if (r.count < 1 || r.count > most_elements) {
    i.handle_free(s.session, &r.handle);
    return;
  }
  if (!v.continuous) i.start(s.session, r.handle);  // one that cannot be started is running
  const bool of_comm = v.bind == MPI_T_BIND_MPI_COMM;
  if (handle == nullptr) {
    r.metric = define_metric(v, r.count, "", undefined);
  } else if (v.objects++ < most_objects) {
    r.metric = define_metric(v, r.count, of_comm ? "comm" : "win", object);
  } else {
    Metric*& m = s.further[&v];
    if (m == nullptr) m = define_metric(v, r.count, of_comm ? "comms" : "wins", undefined);
    r.metric = m;
  }
  s.buffer.resize(std::max(s.buffer.size(), static_cast<std::size_t>(r.count) * 8 + 64));
  s.readings.push_back(r);
}

template <class T, class Sum>
Sum reduced(const Variable& v, const char* bytes, int count) {
  Sum all{};
  for (int i = 0; i < count; ++i) {
    T one{};
    std::memcpy(&one, bytes + sizeof(T) * static_cast<std::size_t>(i), sizeof one);
    const Sum value = static_cast<Sum>(one);
    if (i == 0)
      all = value;
    else if (v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_STATE)
      all = std::max(all, value);
    else if (v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK)
      all = std::min(all, value);
    else
      all += value;
  }
  if (v.kind == MPI_T_PVAR_CLASS_PERCENTAGE) all /= static_cast<Sum>(count);
  return all;
}

OTF2_MetricValue value_of(const Variable& v, const char* bytes, int count) {
  OTF2_MetricValue value{};
  switch (v.type) {
    case Type::int32:
      value.signed_int = reduced<std::int32_t, std::int64_t>(v, bytes, count);
      break;
    case Type::uint32:
      value.unsigned_int = reduced<std::uint32_t, std::uint64_t>(v, bytes, count);
      break;
    case Type::int64:
      value.signed_int = reduced<std::int64_t, std::int64_t>(v, bytes, count);
      break;
    case Type::uint64:
      value.unsigned_int = reduced<std::uint64_t, std::uint64_t>(v, bytes, count);
      break;
    case Type::real:
      value.floating_point = reduced<double, double>(v, bytes, count);
      break;
  }
  return value;
}

void add_to(const Variable& v, OTF2_MetricValue& sum, const OTF2_MetricValue& value) {
  if (v.type == Type::real)
    sum.floating_point += value.floating_point;
  else
    sum.unsigned_int += value.unsigned_int;  // the same bits for signed ones
}

// With the lock. False: the library has no value.
bool read(const Reading& r, OTF2_MetricValue& value) {
  State& s = state();
  if (interface().read(s.session, r.handle, s.buffer.data()) != MPI_SUCCESS) return false;
  value = value_of(*r.variable, s.buffer.data(), r.count);
  return true;
}

// With the lock, in a thread that writes.
void write_values(Thread& t, std::uint64_t time) {
  State& s = state();
  for (Metric* const m : s.metrics) m->value = m->gone;
  for (const Reading& r : s.readings) {
    OTF2_MetricValue value{};
    if (read(r, value)) add_to(*r.variable, r.metric->value, value);
  }
  for (Metric* const m : s.metrics) {
    if (m->known && m->value.unsigned_int == m->written.unsigned_int) continue;
    const OTF2_Type type = type_of(*m->variable);
    // What has grown has done so since the value before, which is said again: it holds up to this call.
    if (m->known && grows(*m->variable))
      OTF2_EvtWriter_Metric(t.writer, nullptr, time, m->number, 1, &type, &m->written);
    m->known = true;
    m->written = m->value;
    OTF2_EvtWriter_Metric(t.writer, nullptr, time, m->number, 1, &type, &m->value);
  }
}

void forget(Thread& t, std::uint64_t time, std::uint32_t number, int bind) {
  State& s = state();
  const std::lock_guard guard(s.lock);
  const auto meant = [&](const Reading& r) { return r.object == number && r.variable->bind == bind; };
  if (std::none_of(s.readings.begin(), s.readings.end(), meant)) return;
  if (t.number == 0) write_values(t, time);
  for (Reading& r : s.readings)
    if (meant(r)) {
      OTF2_MetricValue value{};
      if (grows(*r.variable) && read(r, value)) add_to(*r.variable, r.metric->gone, value);
      interface().handle_free(s.session, &r.handle);
    }
  std::erase_if(s.readings, meant);
  // A metric of its own has nothing more to tell.
  std::erase_if(s.metrics, [&](const Metric* m) {
    const bool shared = s.further.contains(m->variable) && s.further.at(m->variable) == m;
    return !shared &&
           std::none_of(s.readings.begin(), s.readings.end(), [&](const Reading& r) { return r.metric == m; });
  });
}

void follow_object(void* handle, std::uint32_t number, int bind) {
  if (!reads_variables) return;
  State& s = state();
  const std::lock_guard guard(s.lock);
  for (Variable* const v : s.variables)
    if (v->bind == bind) add(*v, handle, number);
}

std::vector<std::string> patterns() {
  std::vector<std::string> all;
  std::string_view rest = settings().pvars;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (!one.empty()) all.emplace_back(one == "all" ? "*" : one);
  }
  return all;
}

}  // namespace

void prepare_variables() {
  if (settings().pvars.empty()) return;
  int provided = 0;
  state().prepared = interface().whole() && interface().init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS;
}

void find_variables(bool first) {
  if (settings().pvars.empty()) return;
  State& s = state();
  const Interface& i = interface();
  if (!s.prepared || i.session_create(&s.session) != MPI_SUCCESS) {
    if (first) say("this MPI has no performance variables: --pvar has no effect");
    return;
  }
  std::vector<std::string> wanted = patterns();
  std::vector<bool> found(wanted.size());
  std::string unbound;  // to what is not followed
  int number = 0;
  i.get_num(&number);
  const std::lock_guard guard(s.lock);
  for (int index = 0; index < number; ++index) {
    char name[1024] = "", about[4096] = "";
    int name_length = sizeof name - 1, about_length = sizeof about - 1, verbosity = 0, readonly = 0, continuous = 0,
        atomic = 0;
    MPI_Datatype type{};
    MPI_T_enum items{};
    Variable v;
    if (i.get_info(index, name, &name_length, &verbosity, &v.kind, &type, &items, about, &about_length, &v.bind,
                   &readonly, &continuous, &atomic) != MPI_SUCCESS)
      continue;
    bool meant = false, alone = false;
    for (std::size_t w = 0; w < wanted.size(); ++w)
      if (fnmatch(wanted[w].c_str(), name, 0) == 0) {
        found[w] = true;
        meant = true;
        alone = alone || wanted[w] == name;
      }
    if (!meant) continue;
    const bool followed =
        v.bind == MPI_T_BIND_NO_OBJECT || v.bind == MPI_T_BIND_MPI_COMM || v.bind == MPI_T_BIND_MPI_WIN;
    if (!followed || !type_of(type, v.type)) {
      if (first && alone)
        say(std::string("the performance variable ") + name +
            (followed ? " has a type that cannot be recorded"
                      : " belongs to objects that are not followed: those of communicators and windows are"));
      continue;
    }
    v.index = index;
    v.name = name;
    v.about = about;
    v.continuous = continuous != 0;
    s.variables.push_back(new Variable(v));
    if (v.bind == MPI_T_BIND_NO_OBJECT) add(*s.variables.back(), nullptr, undefined);
  }
  reads_variables = !s.variables.empty();
  for (std::size_t w = 0; w < wanted.size(); ++w)
    if (!found[w] && first)
      say("this MPI has no performance variable '" + wanted[w] + "': 'waitstate mpit pvars' lists those that it has");
}

void end_variables() {
  if (!reads_variables) return;
  State& s = state();
  const std::lock_guard guard(s.lock);
  reads_variables = false;
  for (Reading& r : s.readings) interface().handle_free(s.session, &r.handle);
  s.readings.clear();
  interface().session_free(&s.session);
}

void follow(MPI_Comm comm, std::uint32_t number) { follow_object(&comm, number, MPI_T_BIND_MPI_COMM); }
void follow_window(MPI_Win win, std::uint32_t number) { follow_object(&win, number, MPI_T_BIND_MPI_WIN); }

void forget_comm(Thread& t, std::uint64_t time, std::uint32_t number) {
  if (reads_variables) forget(t, time, number, MPI_T_BIND_MPI_COMM);
}
void forget_window(Thread& t, std::uint64_t time, std::uint32_t number) {
  if (reads_variables) forget(t, time, number, MPI_T_BIND_MPI_WIN);
}

void read_variables(Thread& t, std::uint64_t time) {
  if (t.number != 0) return;
  State& s = state();
  const std::lock_guard guard(s.lock);
  write_values(t, time);
}

}  // namespace waitstate::record::mpi
