// Long because both times of reading share what is followed.
#include "record/mpi/variables.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "record/core/recorder.hpp"
#include "record/mpi/tool_interface.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

bool reads_variables = false;

namespace {

struct VariableFunctions {
  decltype(MPI_T_pvar_get_num)* get_num = tool_function<decltype(MPI_T_pvar_get_num)>("MPI_T_pvar_get_num");
  decltype(MPI_T_pvar_get_info)* get_info = tool_function<decltype(MPI_T_pvar_get_info)>("MPI_T_pvar_get_info");
  decltype(MPI_T_pvar_session_create)* session_create =
      tool_function<decltype(MPI_T_pvar_session_create)>("MPI_T_pvar_session_create");
  decltype(MPI_T_pvar_session_free)* session_free =
      tool_function<decltype(MPI_T_pvar_session_free)>("MPI_T_pvar_session_free");
  decltype(MPI_T_pvar_handle_alloc)* handle_alloc =
      tool_function<decltype(MPI_T_pvar_handle_alloc)>("MPI_T_pvar_handle_alloc");
  decltype(MPI_T_pvar_handle_free)* handle_free =
      tool_function<decltype(MPI_T_pvar_handle_free)>("MPI_T_pvar_handle_free");
  decltype(MPI_T_pvar_start)* start = tool_function<decltype(MPI_T_pvar_start)>("MPI_T_pvar_start");
  decltype(MPI_T_pvar_read)* read = tool_function<decltype(MPI_T_pvar_read)>("MPI_T_pvar_read");
  bool whole() const {
    return get_num != nullptr && get_info != nullptr && session_create != nullptr && session_free != nullptr &&
           handle_alloc != nullptr && handle_free != nullptr && start != nullptr && read != nullptr;
  }
};
const VariableFunctions& variable_functions() {
  static const VariableFunctions* const i = new VariableFunctions;
  return *i;
}

constexpr int most_elements = 1 << 20;

struct Variable {
  int index = 0, kind = 0, bind = 0;
  bool continuous = false;
  ToolType type;
  std::string name, about;
  unsigned objects = 0;

  bool is_real() const { return type.kind == ToolType::Kind::real; }
};

// Variables that become one metric.
struct Metric {
  const Variable* variable = nullptr;
  std::uint32_t number = 0;
  OTF2_MetricValue written{}, value{}, gone{};  // gone: of handles that have been freed, if values only grow
  bool known = false;
};

// A handle of a variable, or of a variable and an object.
struct Reading {
  const Variable* variable = nullptr;
  Metric* metric = nullptr;
  MPI_T_pvar_handle handle{};
  int count = 0;
  std::uint32_t object = undefined;
};

struct VariableState {
  SpinLock lock;
  MPI_T_pvar_session session{};
  std::vector<Variable*> variables;
  std::vector<Metric*> metrics;
  std::vector<Reading> readings;
  std::map<const Variable*, Metric*> further;
  std::vector<char> buffer;
  Thread* stream = nullptr;  // where they are written if they are read beside the program; else in the main thread
  pthread_t sampler{};
  bool has_sampler = false;
  int wakes_sampler = -1;
};
VariableState& variable_state() {
  static VariableState* const s = new VariableState;
  return *s;
}

bool grows(const Variable& v) {
  return v.kind == MPI_T_PVAR_CLASS_COUNTER || v.kind == MPI_T_PVAR_CLASS_AGGREGATE || v.kind == MPI_T_PVAR_CLASS_TIMER;
}

bool is_mark(const Variable& v) {
  return v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK;
}

OTF2_MetricMode mode_of(const Variable& v) {
  if (grows(v)) return OTF2_METRIC_ACCUMULATED_START;
  return is_mark(v) ? OTF2_METRIC_ABSOLUTE_LAST : OTF2_METRIC_ABSOLUTE_POINT;
}

// Open MPI's monitoring counts messages and their bytes, which it calls sizes.
bool is_of_monitoring(const std::string& name) { return name.find("_monitoring_messages_") != std::string::npos; }

// Open MPI calls all of its software counters sizes; most of them count, and the greatest lengths of queues are those
// since the value was last read.
int class_of(const std::string& name, int told) {
  if (is_of_monitoring(name)) return MPI_T_PVAR_CLASS_COUNTER;
  if (!name.starts_with("runtime_spc_")) return told;
  if (name.find("_MAX_") != std::string::npos) return MPI_T_PVAR_CLASS_HIGHWATERMARK;
  return name.ends_with("_IN_QUEUE") ? MPI_T_PVAR_CLASS_LEVEL : MPI_T_PVAR_CLASS_COUNTER;
}

const char* unit_of(const Variable& v) {
  if (v.kind == MPI_T_PVAR_CLASS_TIMER && v.is_real()) return "s";
  if (v.name.find("_monitoring_") != std::string::npos && v.name.ends_with("_size")) return "bytes";
  if (!v.name.starts_with("runtime_spc_")) return "#";
  if (v.name.find("_BYTES_") != std::string::npos) return "bytes";
  return v.name.ends_with("MATCH_TIME") ? "us" : "#";
}

Metric* add_metric(const Variable& v, int count, ObjectKind object_kind, std::uint32_t object) {
  VariableState& s = variable_state();
  auto* const m = new Metric;
  m->variable = &v;
  MetricAbout about{v.name, unit_of(v), v.about, mode_of(v), v.type.recorded(), object_kind, object};
  std::string& text = about.description;
  const char* const of = v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_STATE ? "greatest"
                         : v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK                                    ? "least"
                         : v.kind == MPI_T_PVAR_CLASS_PERCENTAGE                                      ? "mean"
                                                                                                      : "sum";
  if (count > 1) text += std::string(text.empty() ? "" : "; ") + "the " + of + " of its elements";
  if (v.name == "pml_ob1_posted_recvq_length") text += "; receives from MPI_ANY_SOURCE are not in it";
  if (v.name == "pml_ob1_unexpected_msgq_length") text += "; messages of MPI's own collective operations are in it";
  m->number = define_metric(about, s.stream);
  s.metrics.push_back(m);
  return m;
}

// With the lock. `handle`: of the object, or null.
void add(Variable& v, void* handle, std::uint32_t object) {
  VariableState& s = variable_state();
  const VariableFunctions& i = variable_functions();
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
    r.metric = add_metric(v, r.count, ObjectKind::none, undefined);
  } else if (v.objects++ < most_objects) {
    r.metric = add_metric(v, r.count, of_comm ? ObjectKind::comm : ObjectKind::win, object);
  } else {
    Metric*& m = s.further[&v];
    if (m == nullptr) m = add_metric(v, r.count, of_comm ? ObjectKind::comms : ObjectKind::wins, undefined);
    r.metric = m;
  }
  s.buffer.resize(std::max(s.buffer.size(), static_cast<std::size_t>(r.count) * 8 + 64));
  s.readings.push_back(r);
}

// Of several elements, what becomes the one value. `Member`: which of a value's.
template <auto Member>
OTF2_MetricValue reduced(const Variable& v, const char* bytes, int count) {
  OTF2_MetricValue all{};
  for (int i = 0; i < count; ++i) {
    const OTF2_MetricValue one = v.type.value(bytes + std::size_t{v.type.bytes} * static_cast<std::size_t>(i));
    if (i == 0)
      all = one;
    else if (v.kind == MPI_T_PVAR_CLASS_HIGHWATERMARK || v.kind == MPI_T_PVAR_CLASS_STATE)
      all.*Member = std::max(all.*Member, one.*Member);
    else if (v.kind == MPI_T_PVAR_CLASS_LOWWATERMARK)
      all.*Member = std::min(all.*Member, one.*Member);
    else
      all.*Member += one.*Member;
  }
  if (v.kind == MPI_T_PVAR_CLASS_PERCENTAGE) all.*Member /= static_cast<std::decay_t<decltype(all.*Member)>>(count);
  return all;
}

OTF2_MetricValue value_of(const Variable& v, const char* bytes, int count) {
  if (v.is_real()) return reduced<&OTF2_MetricValue::floating_point>(v, bytes, count);
  return v.type.kind == ToolType::Kind::signed_integer ? reduced<&OTF2_MetricValue::signed_int>(v, bytes, count)
                                                       : reduced<&OTF2_MetricValue::unsigned_int>(v, bytes, count);
}

void add_to(const Variable& v, OTF2_MetricValue& sum, const OTF2_MetricValue& value) {
  if (v.is_real())
    sum.floating_point += value.floating_point;
  else
    sum.unsigned_int += value.unsigned_int;  // the same bits for signed ones
}

// With the lock. False: the library has no value.
bool read(const Reading& r, OTF2_MetricValue& value) {
  VariableState& s = variable_state();
  if (variable_functions().read(s.session, r.handle, s.buffer.data()) != MPI_SUCCESS) return false;
  value = value_of(*r.variable, s.buffer.data(), r.count);
  return true;
}

void write(Thread& t, std::uint64_t time, const Metric& m, const OTF2_MetricValue& value) {
  const OTF2_Type type = m.variable->type.recorded();
  t.record(OTF2_EvtWriter_Metric, time, m.number, 1, &type, &value);
}

// With the lock, in a thread that writes. `all`: also what has not changed.
void write_values(Thread& t, std::uint64_t time, bool all) {
  VariableState& s = variable_state();
  for (Metric* const m : s.metrics) m->value = m->gone;
  for (const Reading& r : s.readings) {
    OTF2_MetricValue value{};
    if (read(r, value)) add_to(*r.variable, r.metric->value, value);
  }
  if (all && t.last != 0)  // a counter of a communicator or window that arose since the sample before has begun with 0
    for (const Metric* const m : s.metrics)
      if (!m->known && grows(*m->variable)) write(t, t.last, *m, OTF2_MetricValue{});
  for (Metric* const m : s.metrics) {
    const bool changed = !m->known || m->value.unsigned_int != m->written.unsigned_int;
    if (!changed && !all) continue;
    // A change has happened since the value before, which is written again: it holds up to this call.
    if (m->known && changed && !all && (grows(*m->variable) || is_mark(*m->variable))) write(t, time, *m, m->written);
    m->known = true;
    m->written = m->value;
    write(t, time, *m, m->value);
  }
}

// With the lock: a sample of all, which is about the process.
void write_sample(Thread& stream) {
  if (!stream.begin_writing()) return;
  const std::uint64_t time = now();
  write_values(stream, time, true);
  stream.end_writing();
}

// --- reading beside the program -------------------------------------------------------------------------------------

// Runs until the recording ends. It takes no signals, and calls no MPI functions except those that read a variable.
void* sample(void*) {
  VariableState& s = variable_state();
  this_thread = s.stream;
  ++this_thread->depth;  // calls inside are not the program's
  std::uint64_t next = now() + settings().pvar_interval;
  while (recording.load()) {
    const std::uint64_t at = now();
    const std::uint64_t left = next > at ? next - at : 0;
    pollfd woken{s.wakes_sampler, POLLIN, 0};
    const timespec wait{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    if (ppoll(&woken, 1, &wait, nullptr) > 0) break;
    if (now() < next) continue;
    const std::lock_guard guard(s.lock);
    write_sample(*s.stream);
    next = std::max(next + settings().pvar_interval, now());
  }
  return nullptr;
}

void start_sampler() {
  VariableState& s = variable_state();
  s.wakes_sampler = eventfd(0, EFD_CLOEXEC);
  int error = s.wakes_sampler < 0 ? errno : 0;
  if (error == 0) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&s.sampler, nullptr, sample, nullptr);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) ::close(s.wakes_sampler);
  }
  s.has_sampler = error == 0;
  if (error != 0)
    say(std::string("the thread that reads variables cannot be started (") + std::strerror(error) +
        "): they are read only at the start and the end of the run");
}

void stop_sampler() {
  VariableState& s = variable_state();
  if (!s.has_sampler) return;
  s.has_sampler = false;
  const std::uint64_t one = 1;
  if (::write(s.wakes_sampler, &one, sizeof one) == sizeof one) pthread_join(s.sampler, nullptr);
  ::close(s.wakes_sampler);
}

}  // namespace

void find_variables(bool first) {
  if (settings().pvars.empty()) return;
  VariableState& s = variable_state();
  const VariableFunctions& i = variable_functions();
  const bool samples = settings().pvar_interval != 0;
  if (samples && has_tool_interface() && tool_threads() < MPI_THREAD_MULTIPLE) {
    if (first)
      say("this MPI allows calls from one thread at a time only (no MPI_THREAD_MULTIPLE): no variables are read; use "
          "--pvar-at call");
    return;
  }
  if (!has_tool_interface() || !i.whole() || i.session_create(&s.session) != MPI_SUCCESS) {
    if (first) say("this MPI has no performance variables: --pvar has no effect");
    return;
  }
  if (samples) s.stream = attach_stream("MPI_T");
  AskedFor asked(settings().pvars);
  int number = 0;
  i.get_num(&number);
  const std::lock_guard guard(s.lock);
  for (int index = 0; index < number; ++index) {
    ToolText name, about;
    int verbosity = 0, readonly = 0, continuous = 0, atomic = 0;
    MPI_Datatype type{};
    MPI_T_enum items{};
    Variable v;
    if (i.get_info(index, name.bytes, &name.length, &verbosity, &v.kind, &type, &items, about.bytes, &about.length,
                   &v.bind, &readonly, &continuous, &atomic) != MPI_SUCCESS)
      continue;
    bool alone = false;
    if (!asked.means(name.bytes, &alone)) continue;
    const bool followed =
        v.bind == MPI_T_BIND_NO_OBJECT || v.bind == MPI_T_BIND_MPI_COMM || v.bind == MPI_T_BIND_MPI_WIN;
    v.type = tool_type(type);
    if (!followed || v.type.bytes < 4) {
      if (first && alone)
        say(std::string("the performance variable ") + name.bytes +
            (followed ? " has a type that cannot be recorded"
                      : " belongs to objects that are not followed; only communicators and windows are"));
      continue;
    }
    v.index = index;
    v.name = name.bytes;
    v.about = about.bytes;
    v.kind = class_of(v.name, v.kind);
    v.continuous = continuous != 0;
    s.variables.push_back(new Variable(v));
    if (v.bind == MPI_T_BIND_NO_OBJECT) add(*s.variables.back(), nullptr, undefined);
  }
  reads_variables = !s.variables.empty() && s.stream == nullptr;
  if (!first) return;
  for (const std::string& pattern : asked.not_there())
    say("this MPI has no performance variable '" + pattern + "': 'waitstate mpit pvars' lists those that it has");
}

void sample_variables() {
  VariableState& s = variable_state();
  if (s.stream == nullptr || s.variables.empty()) return;
  {
    const std::lock_guard guard(s.lock);
    write_sample(*s.stream);
  }
  start_sampler();
}

void end_variables() {
  VariableState& s = variable_state();
  reads_variables = false;
  stop_sampler();
  const std::lock_guard guard(s.lock);
  if (s.variables.empty()) return;
  if (s.stream != nullptr) write_sample(*s.stream);
  for (Reading& r : s.readings) variable_functions().handle_free(s.session, &r.handle);
  s.readings.clear();
  s.variables.clear();
  variable_functions().session_free(&s.session);
}

void follow_variables(void* handle, std::uint32_t number, int bind) {
  VariableState& s = variable_state();
  const std::lock_guard guard(s.lock);
  for (Variable* const v : s.variables)
    if (v->bind == bind) add(*v, handle, number);
}

void forget_variables(Thread& t, std::uint64_t time, std::uint32_t number, int bind) {
  VariableState& s = variable_state();
  const std::lock_guard guard(s.lock);
  const auto meant = [&](const Reading& r) { return r.object == number && r.variable->bind == bind; };
  if (std::none_of(s.readings.begin(), s.readings.end(), meant)) return;
  if (s.stream != nullptr)
    write_sample(*s.stream);
  else if (t.number == 0)
    write_values(t, time, false);
  for (Reading& r : s.readings)
    if (meant(r)) {
      OTF2_MetricValue value{};
      if (grows(*r.variable) && read(r, value)) add_to(*r.variable, r.metric->gone, value);
      variable_functions().handle_free(s.session, &r.handle);
    }
  std::erase_if(s.readings, meant);
  // A metric of its own has nothing more to tell.
  std::erase_if(s.metrics, [&](const Metric* m) {
    const bool shared = s.further.contains(m->variable) && s.further.at(m->variable) == m;
    return !shared &&
           std::none_of(s.readings.begin(), s.readings.end(), [&](const Reading& r) { return r.metric == m; });
  });
}

void read_variables(Thread& t, std::uint64_t time, bool last) {
  if (t.number != 0) return;
  VariableState& s = variable_state();
  const std::lock_guard guard(s.lock);
  write_values(t, time, false);
  if (!last) return;
  for (const Metric* const m : s.metrics)  // these hold to the end
    if (is_mark(*m->variable)) write(t, time, *m, m->written);
}

}  // namespace waitstate::record::mpi
