// The methods of a Python pattern, one by one: which there are, what each is given, and how rows are gathered into
// batches. Longer than other files because a callback is a few lines in one table and one class; see pattern.hpp.
#include "bind/patterns/python_pattern.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "analysis/batch_context.hpp"
#include "bind/events/event.hpp"
#include "bind/events/one_sided_objects.hpp"
#include "bind/patterns/batches.hpp"

namespace waitstate::python {

namespace {

/// The methods of a Python pattern that may be there, and what the engine has to send for them.
enum Method : std::size_t {
  enter,
  exit,
  send,
  recv,
  metric,
  event,
  receives,
  sends,
  overtaken,
  collective,
  completed_collectives,
  team_barrier,
  task_idle,
  device_wait,
  unused_threads,
  lock,
  rma_operation,
  rma_collective,
  rma_access_epoch,
  rma_exposure_epoch,
  rma_lock_epoch,
  rma_passive_call,
  rma_wait_change,
  published,
  receives_batch,
  sends_batch,
  overtaken_batch,
  collective_batch,
  completed_collectives_batch,
  team_barrier_batch,
  task_idle_batch,
  device_wait_batch,
  unused_threads_batch,
  lock_batch,
  rma_operation_batch,
  rma_collective_batch,
  rma_access_epoch_batch,
  rma_exposure_epoch_batch,
  rma_lock_epoch_batch,
  rma_passive_call_batch,
  rma_wait_change_batch,
  published_batch,
  enter_batch,
  exit_batch,
  metric_batch,
  event_batch,
  init,
  wrapup,
  configure,
  confidence,
  severity,
};
struct MethodName {
  const char* name;
  Interests interest;
};
constexpr std::array methods = std::to_array<MethodName>({
    {"enter_callback", interest_enter},
    {"exit_callback", interest_exit},
    {"send_callback", interest_send},
    {"recv_callback", interest_recv},
    {"metric_callback", interest_metric},
    {"event_callback", interest_event},
    {"completed_receives_callback", interest_completed_receives},
    {"completed_sends_callback", interest_completed_sends},
    {"overtaken_callback", interest_overtaken},
    {"collective_callback", interest_collective},
    {"completed_collectives_callback", interest_completed_collectives},
    {"team_barrier_callback", interest_team_barrier},
    {"task_idle_callback", interest_task_idle},
    {"device_wait_callback", interest_device_wait},
    {"unused_threads_callback", interest_unused_threads},
    {"lock_acquired_callback", interest_lock_acquired},
    {"rma_operation_callback", interest_rma_operation},
    {"rma_collective_callback", interest_rma_collective},
    {"rma_access_epoch_callback", interest_rma_access_epoch},
    {"rma_exposure_epoch_callback", interest_rma_exposure_epoch},
    {"rma_lock_epoch_callback", interest_rma_lock_epoch},
    {"rma_passive_call_callback", interest_rma_passive_call},
    {"rma_wait_change_callback", interest_rma_wait_change},
    {"published_callback", interest_published},
    {"completed_receives_batch", interest_completed_receives},
    {"completed_sends_batch", interest_completed_sends},
    {"overtaken_batch", interest_overtaken},
    {"collective_batch", interest_collective},
    {"completed_collectives_batch", interest_completed_collectives},
    {"team_barrier_batch", interest_team_barrier},
    {"task_idle_batch", interest_task_idle},
    {"device_wait_batch", interest_device_wait},
    {"unused_threads_batch", interest_unused_threads},
    {"lock_acquired_batch", interest_lock_acquired},
    {"rma_operation_batch", interest_rma_operation},
    {"rma_collective_batch", interest_rma_collective},
    {"rma_access_epoch_batch", interest_rma_access_epoch},
    {"rma_exposure_epoch_batch", interest_rma_exposure_epoch},
    {"rma_lock_epoch_batch", interest_rma_lock_epoch},
    {"rma_passive_call_batch", interest_rma_passive_call},
    {"rma_wait_change_batch", interest_rma_wait_change},
    {"published_batch", interest_published},
    {"enter_batch", interest_enter},
    {"exit_batch", interest_exit},
    {"metric_batch", interest_metric},
    {"event_batch", interest_event},
    {"init", 0},
    {"wrapup", 0},
    {"configure", 0},
    {"confidence", 0},
    {"severity", 0},
});
static_assert(methods.size() == severity + 1);

/// Holds the interpreter's lock.
class Interpreter {
 public:
  Interpreter() : state_(PyGILState_Ensure()) {}
  ~Interpreter() { PyGILState_Release(state_); }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

 private:
  PyGILState_STATE state_;
};

/// What Python says, of which any string can be made; text that UTF-8 has not is there in escapes.
std::string text_of(const py::str& said) {
  return said.attr("encode")("utf-8", "backslashreplace").cast<std::string>();
}

std::string traceback_of(const py::error_already_set& e) {
  const py::object lines =
      py::module_::import("traceback")
          .attr("format_exception")(e.type(), e.value(), e.trace() ? py::object(e.trace()) : py::none());
  std::string text = text_of(py::str("").attr("join")(lines));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string line_of(const py::error_already_set& e) {
  const std::string type = py::str(e.type().attr("__name__")).cast<std::string>();
  const std::string text = text_of(py::str(e.value()));
  return text.empty() ? type : type + ": " + text;
}

class PythonPattern : public Pattern {
 public:
  explicit PythonPattern(const py::object& pattern)
      : info_(pattern_info(pattern)), python_(std::make_unique<Python>()) {
    python_->pattern = pattern;
    for (const MetricSpec& m : info_.metrics) running_->metric_ids.push_back(m.id);
    const py::object own = py::module_::import("waitstate.pattern").attr("own_method");
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const py::object method = own(pattern, methods[i].name);
      if (method.is_none()) continue;
      python_->own[i] = method;
      interests_ |= methods[i].interest;
    }
    python_->context = make_pattern_context(running_);
  }

  ~PythonPattern() override {
    if (Py_IsInitialized() == 0) {
      (void)python_.release();  // the interpreter is gone, and its objects with it
      return;
    }
    const Interpreter held;
    python_.reset();
    tables_.reset();
    running_.reset();
  }

  Interests interests() const { return interests_; }
  py::object take_failure() { return std::exchange(python_->failure, py::object()); }
  int visit_objects(visitproc visit, void* arg) const {
    Py_VISIT(python_->pattern.ptr());
    Py_VISIT(python_->context.ptr());
    Py_VISIT(python_->failure.ptr());
    for (const py::object& method : python_->own) Py_VISIT(method.ptr());
    return 0;
  }
  py::object object() const { return python_->pattern; }

  PatternInfo info() const override { return info_; }

  void configure(const Parameters& parameters) override {
    const Interpreter held;
    guarded([&] {
      py::dict values;
      for (std::size_t i = 0; i < parameters.specs().size(); ++i)
        values[py::str(parameters.specs()[i].name)] = parameter_object(parameters.value(i));
      py::module_::import("waitstate.pattern").attr("configured")(python_->pattern, values);
    });
  }

  void init(Context& c) override {
    const Interpreter held;
    python_->failure = py::object();
    python_->batches = {};
    running_->operation_sizes.clear();
    running_->names = std::make_shared<RunNames>(c.definitions());
    tables_ = std::shared_ptr<Tables>(running_->names, &running_->names->tables());
    during(c, [&] {
      py::module_::import("waitstate.pattern").attr("begin")(python_->pattern, python_->context, tables_object());
      if (python_->own[Method::init]) python_->own[Method::init]();
    });
  }

  void wrapup(Context& c) override {
    const Interpreter held;
    flush_all(c);
    const Meanwhile wrapping_up(running_->wrapup);
    during(c, [&] {
      if (python_->own[Method::wrapup]) python_->own[Method::wrapup]();
      if (python_->own[Method::severity])
        py::module_::import("waitstate.pattern").attr("add_severity")(python_->pattern);
    });
  }

  double confidence() const override {
    if (!python_->own[Method::confidence]) return 1;
    const Interpreter held;
    double value = 1;
    guarded([&] { value = python_->own[Method::confidence]().cast<double>(); });
    return value;
  }

  void undetermined(const TraceEvidence& evidence, Undetermined& answers) const override {
    const Interpreter held;
    guarded([&] { ask_undetermined(python_->pattern, *running_, evidence, answers); });
  }

  std::string headline(const ReportFacts& facts) const override {
    const Interpreter held;
    std::string line;
    guarded([&] { line = ask_headline(python_->pattern, facts); });
    return line;
  }

  // ---- events ----

  void enter_callback(const Event& e, Context& c) override {
    give(Method::enter, e, c);
    gather(Method::enter_batch, python_->batches.enters, e, c);
  }
  void exit_callback(const Event& e, Context& c) override {
    give(Method::exit, e, c);
    gather(Method::exit_batch, python_->batches.exits, e, c);
  }
  void send_callback(const Event& e, Context& c) override { give(Method::send, e, c); }
  void recv_callback(const Event& e, Context& c) override { give(Method::recv, e, c); }
  void metric_callback(const Event& e, Context& c) override {
    give(Method::metric, e, c);
    gather(Method::metric_batch, python_->batches.metrics, MetricRecord{e}, c);
  }
  void event_callback(const Event& e, Context& c) override {
    give(Method::event, e, c);
    gather(Method::event_batch, python_->batches.events, e, c);
  }

  // ---- compound events ----

  void completed_receives_callback(const CompletedReceives& e, Context& c) override {
    if (has(Method::receives)) {
      const Meanwhile handed_over(running_->receives);
      give(Method::receives, ReceivesObject(e, running_->names), c);
    }
    gather(Method::receives_batch, python_->batches.receives, e, c);
  }
  void completed_sends_callback(const CompletedSends& e, Context& c) override {
    if (has(Method::sends)) give(Method::sends, SendsObject(e, running_->names), c);
    gather(Method::sends_batch, python_->batches.sends, e, c);
  }
  void overtaken_callback(const Overtaken& e, Context& c) override {
    if (has(Method::overtaken)) give(Method::overtaken, OvertakenObject{e}, c);
    gather(Method::overtaken_batch, python_->batches.overtaken, e, c);
  }
  void collective_callback(const Collective& e, Context& c) override {
    if (has(Method::collective)) give(Method::collective, CollectiveObject(e, running_->names), c);
    gather(Method::collective_batch, python_->batches.collectives, e, c);
  }
  void completed_collectives_callback(const CompletedCollectives& e, Context& c) override {
    if (has(Method::completed_collectives))
      give(Method::completed_collectives, CompletionsObject(e, running_->names), c);
    gather(Method::completed_collectives_batch, python_->batches.completed_collectives, e, c);
  }
  void team_barrier_callback(const TeamBarrier& e, Context& c) override {
    if (has(Method::team_barrier)) give(Method::team_barrier, TeamBarrierObject(e, running_->names), c);
    gather(Method::team_barrier_batch, python_->batches.team_barriers, e, c);
  }
  void task_idle_callback(const TaskIdle& e, Context& c) override {
    if (has(Method::task_idle)) give(Method::task_idle, TaskIdleObject(e, running_->names), c);
    gather(Method::task_idle_batch, python_->batches.task_idle, e, c);
  }
  void device_wait_callback(const DeviceWait& e, Context& c) override {
    if (has(Method::device_wait)) give(Method::device_wait, DeviceWaitObject(e, running_->names), c);
    gather(Method::device_wait_batch, python_->batches.device_waits, e, c);
  }
  void unused_threads_callback(const UnusedThreads& e, Context& c) override {
    if (has(Method::unused_threads)) give(Method::unused_threads, UnusedThreadsObject(e), c);
    gather(Method::unused_threads_batch, python_->batches.unused_threads, e, c);
  }
  void lock_acquired_callback(const LockAcquired& e, Context& c) override {
    if (has(Method::lock)) give(Method::lock, LockObject(e, running_->names), c);
    gather(Method::lock_batch, python_->batches.locks, e, c);
  }
  void rma_operation_callback(const RmaOperation& e, Context& c) override {
    if (has(Method::rma_operation)) give(Method::rma_operation, RmaOperationObject(e, running_->names), c);
    gather(Method::rma_operation_batch, python_->batches.rma_operations, e, c);
  }
  void rma_collective_callback(const RmaCollective& e, Context& c) override {
    if (has(Method::rma_collective)) give(Method::rma_collective, RmaCollectiveObject(e, running_->names), c);
    gather(Method::rma_collective_batch, python_->batches.rma_collectives, e, c);
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& c) override {
    if (has(Method::rma_access_epoch)) give(Method::rma_access_epoch, RmaAccessEpochObject(e, running_->names), c);
    gather(Method::rma_access_epoch_batch, python_->batches.rma_access_epochs, e, c);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override {
    if (has(Method::rma_exposure_epoch))
      give(Method::rma_exposure_epoch, RmaExposureEpochObject(e, running_->names), c);
    gather(Method::rma_exposure_epoch_batch, python_->batches.rma_exposure_epochs, e, c);
  }
  void rma_lock_epoch_callback(const RmaLockEpoch& e, Context& c) override {
    if (has(Method::rma_lock_epoch)) give(Method::rma_lock_epoch, RmaLockEpochObject(e, running_->names), c);
    gather(Method::rma_lock_epoch_batch, python_->batches.rma_lock_epochs, e, c);
  }
  void rma_passive_call_callback(const RmaPassiveCall& e, Context& c) override {
    if (has(Method::rma_passive_call)) give(Method::rma_passive_call, RmaPassiveCallObject(e, running_->names), c);
    gather(Method::rma_passive_call_batch, python_->batches.rma_passive_calls, e, c);
  }
  void rma_wait_change_callback(const RmaWaitChange& e, Context& c) override {
    if (has(Method::rma_wait_change)) give(Method::rma_wait_change, RmaWaitChangeObject(e, running_->names), c);
    gather(Method::rma_wait_change_batch, python_->batches.rma_wait_changes, e, c);
  }
  void published_callback(const Published& p, Context& c) override {
    const auto* late = p.as<LateSender>();
    const auto* receiver = p.as<LateReceiver>();
    if (has(Method::published)) {
      const Interpreter held;
      const Meanwhile handed_over(running_->receives);
      PublishedObject object{std::string(p.pattern), py::none()};
      if (const auto* own = p.as<PublishedByPython>())
        object.data = py::reinterpret_borrow<py::object>(own->object);
      else if (late != nullptr)
        object.data = py::cast(InstanceObject{MessageObject(late->message, running_->names), late->wait});
      else if (receiver != nullptr)
        object.data = py::cast(InstanceObject{MessageObject(receiver->message, running_->names), receiver->wait});
      during(c, [&] { python_->own[Method::published](std::move(object)); });
    }
    auto& batch = python_->batches.published;
    if (late != nullptr) gather(Method::published_batch, batch, PublishedWait{late->message, late->wait, false}, c);
    if (receiver != nullptr)
      gather(Method::published_batch, batch, PublishedWait{receiver->message, receiver->wait, true}, c);
  }

 private:
  /// All that needs the interpreter's lock to be touched.
  struct Python {
    py::object pattern, context, failure;
    std::array<py::object, methods.size()> own;
    Batches batches;
  };

  /// Says what is going on; see Running.
  class Meanwhile {
   public:
    explicit Meanwhile(bool& what) : what_(what) { what_ = true; }
    ~Meanwhile() { what_ = false; }
    Meanwhile(const Meanwhile&) = delete;
    Meanwhile& operator=(const Meanwhile&) = delete;

   private:
    bool& what_;
  };

  /// Nothing is about the event that is being delivered; see BatchContext.
  class NoEvent {
   public:
    explicit NoEvent(Context& c) : engine_(dynamic_cast<analysis::BatchContext*>(&c)) {
      if (engine_ != nullptr) before_ = engine_->about_event(false);
    }
    ~NoEvent() {
      if (engine_ != nullptr) engine_->about_event(before_);
    }
    NoEvent(const NoEvent&) = delete;
    NoEvent& operator=(const NoEvent&) = delete;

   private:
    analysis::BatchContext* engine_;
    bool before_ = false;
  };

  bool has(Method m) const { return python_->own[m].ptr() != nullptr; }

  py::object tables_object() const { return make_run_trace(running_, tables_); }

  /// Calls Python; what it raises becomes a PythonFailure, with `given` before it: what the engine cannot say about
  /// what the method was given. With the interpreter's lock held.
  template <class Body>
  void guarded(Body&& body, const std::string& given = {}) const {
    try {
      body();
    } catch (py::error_already_set& e) {
      if (running_->nested) std::rethrow_exception(std::exchange(running_->nested, nullptr));
      python_->failure = e.value();
      if (e.trace()) PyException_SetTraceback(e.value().ptr(), e.trace().ptr());
      throw PythonFailure(given + line_of(e) + '\n' + traceback_of(e));
    }
  }

  template <class Body>
  void during(Context& c, Body&& body, const std::string& given = {}) {
    struct Now {
      Running& running;
      Now(Running& r, Context& context) : running(r) {
        running.context = &context;
        running.names->follow(context.call_tree());
      }
      ~Now() { running.context = nullptr; }
    } const now(*running_, c);
    guarded(body, given);
  }

  void give(Method m, const Event& e, Context& c) {
    if (!has(m)) return;
    const Interpreter held;
    during(c, [&] { call(m, make_event(tables_, Event(e))); });
  }
  template <class Object>
  void give(Method m, Object&& object, Context& c) {
    const Interpreter held;
    during(c, [&] { call(m, py::cast(std::forward<Object>(object))); });
  }
  void call(Method m, const py::object& argument) const {
    PyObject* result = PyObject_CallOneArg(python_->own[m].ptr(), argument.ptr());
    if (result == nullptr) throw py::error_already_set();
    Py_DECREF(result);
  }

  /// Puts a compound event into its batch, if the pattern wants batches, and hands on one that is full.
  template <class Batch, class Compound>
  void gather(Method m, Batch& batch, const Compound& event, Context& c) {
    if (!has(m)) return;
    if (const auto more = rows_of(event); !batch.fits(more)) {
      const Interpreter held;
      guarded([&] { batch.reserve(more); });
    }
    fill(batch, event);
    if (!batch.full()) return;
    const Interpreter held;
    flush(m, batch, c);
  }
  template <class Batch>
  void flush(Method m, Batch& batch, Context& c) {
    if (batch.empty()) return;
    struct Operations {  // of how many members each operation of the batch is
      Running& running;
      Operations(Running& r, Batch& of) : running(r) {
        running.first_operation = of.next - static_cast<std::int64_t>(of.members.size());
        running.operation_sizes.swap(of.members);
        of.members.clear();
      }
      ~Operations() { running.operation_sizes.clear(); }
    } const operations(*running_, batch);
    const NoEvent rows_are_of_other_times(c);
    const std::string given = std::string(methods[m].name) + " of " + std::to_string(batch.size()) +
                              (batch.size() == 1 ? " row: " : " rows: ");
    during(
        c, [&] { python_->own[m](*batch.take()); }, given);
    batch.recycle();
  }
  void flush_all(Context& c) {
    Batches& b = python_->batches;
    flush(Method::receives_batch, b.receives, c);
    flush(Method::sends_batch, b.sends, c);
    flush(Method::overtaken_batch, b.overtaken, c);
    flush(Method::collective_batch, b.collectives, c);
    flush(Method::completed_collectives_batch, b.completed_collectives, c);
    flush(Method::team_barrier_batch, b.team_barriers, c);
    flush(Method::task_idle_batch, b.task_idle, c);
    flush(Method::device_wait_batch, b.device_waits, c);
    flush(Method::unused_threads_batch, b.unused_threads, c);
    flush(Method::lock_batch, b.locks, c);
    flush(Method::rma_operation_batch, b.rma_operations, c);
    flush(Method::rma_collective_batch, b.rma_collectives, c);
    flush(Method::rma_access_epoch_batch, b.rma_access_epochs, c);
    flush(Method::rma_exposure_epoch_batch, b.rma_exposure_epochs, c);
    flush(Method::rma_lock_epoch_batch, b.rma_lock_epochs, c);
    flush(Method::rma_passive_call_batch, b.rma_passive_calls, c);
    flush(Method::rma_wait_change_batch, b.rma_wait_changes, c);
    flush(Method::published_batch, b.published, c);
    flush(Method::enter_batch, b.enters, c);
    flush(Method::exit_batch, b.exits, c);
    flush(Method::metric_batch, b.metrics, c);
    flush(Method::event_batch, b.events, c);
  }

  const PatternInfo info_;
  std::unique_ptr<Python> python_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
  std::shared_ptr<Tables> tables_;
  Interests interests_ = 0;
};

}  // namespace

Context& Running::now() const {
  if (context == nullptr)
    throw UsageError("add(), trace and their like are there during the callbacks of a running analysis only");
  return *context;
}

Context& Running::during_receives(const char* method) const {
  Context& c = now();
  if (!receives)
    throw UsageError(std::string(method) + "() is there in completed_receives_callback and published_callback only");
  return c;
}

Context& Running::during_wrapup(const char* method) const {
  Context& c = now();
  if (!wrapup) throw UsageError(std::string(method) + "() is there in wrapup only: before it no value is complete");
  return c;
}

std::size_t Running::metric(const py::handle& number_or_id) const {
  if (py::isinstance<py::str>(number_or_id)) {
    const auto id = number_or_id.cast<std::string>();
    for (std::size_t i = 0; i < metric_ids.size(); ++i)
      if (metric_ids[i] == id) return i;
    throw UsageError("this pattern has no metric '" + id + "'");
  }
  const GivenNumber number(number_or_id);
  if (number.value < 0 || static_cast<std::size_t>(number.value) >= metric_ids.size())
    throw UsageError("this pattern has no metric number " + number.text() + ": it has " +
                     std::to_string(metric_ids.size()));
  return static_cast<std::size_t>(number.value);
}

PatternHandle make_python_pattern(const py::object& pattern) {
  auto made = std::make_shared<PythonPattern>(pattern);
  PatternHandle handle{made, made->interests(), Parameters(made->info().parameters)};
  return handle;
}

TakingPart::TakingPart(const std::vector<PatternHandle>& patterns) {
  const py::object taking_part = py::module_::import("waitstate.pattern").attr("taking_part");
  try {
    for (const PatternHandle& p : patterns) {
      const auto* python = dynamic_cast<const PythonPattern*>(p.pattern.get());
      if (python == nullptr) continue;
      taking_part(python->object());
      objects_.push_back(python->object());
    }
  } catch (...) {
    for (const py::object& o : objects_) o.attr("_takes_part") = false;
    throw;
  }
}

TakingPart::~TakingPart() {
  for (const py::object& o : objects_) {
    if (PyObject_SetAttrString(o.ptr(), "_takes_part", Py_False) != 0) PyErr_Clear();  // a class may forbid it
  }
}

bool is_python_pattern(const Pattern& pattern) { return dynamic_cast<const PythonPattern*>(&pattern) != nullptr; }

py::object take_python_failure(Pattern& pattern) {
  auto* python = dynamic_cast<PythonPattern*>(&pattern);
  return python == nullptr ? py::object() : python->take_failure();
}

int visit_python_pattern(const Pattern& pattern, visitproc visit, void* arg) {
  const auto* python = dynamic_cast<const PythonPattern*>(&pattern);
  return python == nullptr ? 0 : python->visit_objects(visit, arg);
}

}  // namespace waitstate::python
