// The methods of a Python pattern, one by one: which there are, what each is given, and how rows are gathered into
// batches. Longer than other files because a callback is a few lines in one table and one class; see pattern.hpp.
#include "bind/pattern.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "bind/event.hpp"
#include "bind/pattern_rma.hpp"
#include "bind/pattern_rows.hpp"

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
  collective_batch,
  completed_collectives_batch,
  team_barrier_batch,
  lock_batch,
  rma_operation_batch,
  init,
  wrapup,
  configure,
  confidence,
  severity,
};
struct MethodName {
  const char* name;
  unsigned interest;
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
    {"recv_batch", interest_completed_receives},
    {"send_batch", interest_completed_sends},
    {"collective_batch", interest_collective},
    {"completed_collectives_batch", interest_completed_collectives},
    {"team_barrier_batch", interest_team_barrier},
    {"lock_acquired_batch", interest_lock_acquired},
    {"rma_operation_batch", interest_rma_operation},
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

std::string traceback_of(const py::error_already_set& e) {
  const py::object lines =
      py::module_::import("traceback")
          .attr("format_exception")(e.type(), e.value(), e.trace() ? py::object(e.trace()) : py::none());
  std::string text = py::str("").attr("join")(lines).cast<std::string>();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string line_of(const py::error_already_set& e) {
  const std::string type = py::str(e.type().attr("__name__")).cast<std::string>();
  const std::string text = py::str(e.value()).cast<std::string>();
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
    py::module_::import("waitstate.pattern").attr("attach")(pattern, python_->context);
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

  unsigned interests() const { return interests_; }
  py::object failure() const { return python_->failure; }

  PatternInfo info() const override { return info_; }

  void configure(const Parameters& parameters) override {
    const Interpreter held;
    guarded([&] {
      py::dict values;
      for (std::size_t i = 0; i < parameters.specs().size(); ++i)
        values[py::str(parameters.specs()[i].name)] =
            std::visit([](const auto& v) -> py::object { return py::cast(v); }, parameters.value(i));
      py::module_::import("waitstate.pattern").attr("configured")(python_->pattern, values);
    });
  }

  void init(Context& c) override {
    const Interpreter held;
    python_->failure = py::object();
    python_->rows = {};
    running_->operation_sizes.clear();
    running_->names = std::make_shared<RunNames>(c.definitions());
    tables_ = std::shared_ptr<Tables>(running_->names, &running_->names->tables());
    during(c, [&] {
      py::module_::import("waitstate.pattern").attr("begin")(python_->pattern, tables_object());
      if (python_->own[Method::init]) python_->own[Method::init]();
    });
  }

  void wrapup(Context& c) override {
    const Interpreter held;
    during(c, [&] {
      flush_all();
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

  // ---- events ----

  void enter_callback(const Event& e, Context& c) override { give(Method::enter, e, c); }
  void exit_callback(const Event& e, Context& c) override { give(Method::exit, e, c); }
  void send_callback(const Event& e, Context& c) override { give(Method::send, e, c); }
  void recv_callback(const Event& e, Context& c) override { give(Method::recv, e, c); }
  void metric_callback(const Event& e, Context& c) override { give(Method::metric, e, c); }
  void event_callback(const Event& e, Context& c) override { give(Method::event, e, c); }

  // ---- compound events ----

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    if (has(Method::receives)) give(Method::receives, ReceivesObject(r, running_->names), c);
    if (!has(Method::receives_batch)) return;
    auto& rows = python_->rows.receives;
    const std::int64_t number = python_->rows.receive_calls++;
    make_room(rows, r.messages.size(), c);
    for (const Message& m : r.messages) fill_message(rows.add(), number, m);
    if (rows.full()) flush(Method::receives_batch, rows, c);
  }

  void completed_sends_callback(const CompletedSends& s, Context& c) override {
    if (has(Method::sends)) give(Method::sends, SendsObject(s, running_->names), c);
    if (!has(Method::sends_batch)) return;
    auto& rows = python_->rows.sends;
    const std::int64_t number = python_->rows.send_calls++;
    make_room(rows, s.messages.size(), c);
    for (const Message& m : s.messages) {
      SendRow& row = rows.add();
      fill_message(row, number, m);
      row.call = s.call;
      row.receive_wait = s.receive_wait;
    }
    if (rows.full()) flush(Method::sends_batch, rows, c);
  }

  void overtaken_callback(const Overtaken& o, Context& c) override {
    if (has(Method::overtaken)) give(Method::overtaken, OvertakenObject{o}, c);
  }

  void collective_callback(const Collective& collective, Context& c) override {
    if (has(Method::collective)) give(Method::collective, CollectiveObject(collective, running_->names), c);
    if (!has(Method::collective_batch)) return;
    auto& rows = python_->rows.members;
    const std::int64_t number = python_->rows.collectives++;
    make_room(rows, collective.members.size(), c);
    python_->rows.collective_sizes.push_back(static_cast<std::uint32_t>(collective.members.size()));
    for (std::uint32_t i = 0; i < collective.members.size(); ++i) {
      const CollectiveMember& m = collective.members[i];
      rows.add() = {number,
                    collective.kind,
                    collective.op,
                    collective.neighbourhood,
                    collective.comm,
                    i,
                    static_cast<std::uint32_t>(collective.members.size()),
                    collective.root,
                    collective.group_a,
                    m.begin,
                    m.end,
                    m.bytes_sent,
                    m.bytes_received,
                    *m.call};
    }
    if (rows.full()) flush(Method::collective_batch, rows, c);
  }

  void completed_collectives_callback(const CompletedCollectives& completed, Context& c) override {
    if (has(Method::completed_collectives))
      give(Method::completed_collectives, CompletionsObject(completed, running_->names), c);
    if (!has(Method::completed_collectives_batch)) return;
    auto& rows = python_->rows.completions;
    const std::int64_t number = python_->rows.completing_calls++;
    make_room(rows, completed.completions.size(), c);
    for (const CollectiveCompletion& one : completed.completions)
      rows.add() = {number,   one.kind,       one.op,       one.awaited != nullptr,
                    one.comm, completed.call, *one.started, one.awaited != nullptr ? *one.awaited : Call{}};
    if (rows.full()) flush(Method::completed_collectives_batch, rows, c);
  }

  void team_barrier_callback(const TeamBarrier& barrier, Context& c) override {
    if (has(Method::team_barrier)) give(Method::team_barrier, TeamBarrierObject(barrier, running_->names), c);
    if (!has(Method::team_barrier_batch)) return;
    auto& rows = python_->rows.threads;
    const std::int64_t number = python_->rows.barriers++;
    make_room(rows, barrier.members.size(), c);
    python_->rows.barrier_sizes.push_back(static_cast<std::uint32_t>(barrier.members.size()));
    for (const Call* call : barrier.members) rows.add() = {number, barrier.region_class, *call};
    if (rows.full()) flush(Method::team_barrier_batch, rows, c);
  }

  void lock_acquired_callback(const LockAcquired& l, Context& c) override {
    if (has(Method::lock)) give(Method::lock, LockObject(l, running_->names), c);
    if (!has(Method::lock_batch)) return;
    auto& rows = python_->rows.locks;
    make_room(rows, 1, c);
    rows.add() = {python_->rows.acquisitions++, l.call, l.acquire_time, l.released, l.release_time};
    if (rows.full()) flush(Method::lock_batch, rows, c);
  }

  void task_idle_callback(const TaskIdle& t, Context& c) override {
    if (has(Method::task_idle)) give(Method::task_idle, TaskIdleObject(t, running_->names), c);
  }

  void device_wait_callback(const DeviceWait& w, Context& c) override {
    if (has(Method::device_wait)) give(Method::device_wait, DeviceWaitObject(w, running_->names), c);
  }

  void unused_threads_callback(const UnusedThreads& s, Context& c) override {
    if (has(Method::unused_threads)) give(Method::unused_threads, UnusedThreadsObject(s), c);
  }

  void rma_operation_callback(const RmaOperation& o, Context& c) override {
    if (has(Method::rma_operation)) give(Method::rma_operation, RmaOperationObject(o, running_->names), c);
    if (!has(Method::rma_operation_batch)) return;
    auto& rows = python_->rows.rma_operations;
    make_room(rows, 1, c);
    rows.add() = {python_->rows.operations++,
                  o.kind,
                  o.win,
                  o.origin,
                  o.target,
                  o.bytes_put,
                  o.bytes_got,
                  o.call,
                  o.start,
                  o.completed,
                  o.completion};
    if (rows.full()) flush(Method::rma_operation_batch, rows, c);
  }

  void rma_collective_callback(const RmaCollective& r, Context& c) override {
    if (has(Method::rma_collective)) give(Method::rma_collective, RmaCollectiveObject(r, running_->names), c);
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& r, Context& c) override {
    if (has(Method::rma_access_epoch)) give(Method::rma_access_epoch, RmaAccessEpochObject(r, running_->names), c);
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& r, Context& c) override {
    if (has(Method::rma_exposure_epoch))
      give(Method::rma_exposure_epoch, RmaExposureEpochObject(r, running_->names), c);
  }

  void rma_lock_epoch_callback(const RmaLockEpoch& r, Context& c) override {
    if (has(Method::rma_lock_epoch)) give(Method::rma_lock_epoch, RmaLockEpochObject(r, running_->names), c);
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& c) override {
    if (has(Method::rma_passive_call)) give(Method::rma_passive_call, RmaPassiveCallObject(r, running_->names), c);
  }

  void rma_wait_change_callback(const RmaWaitChange& r, Context& c) override {
    if (has(Method::rma_wait_change)) give(Method::rma_wait_change, RmaWaitChangeObject(r, running_->names), c);
  }

  void published_callback(const Published& p, Context& c) override {
    const Interpreter held;
    PublishedObject object{std::string(p.pattern), py::none()};
    if (const auto* own = p.as<PublishedByPython>())
      object.data = py::reinterpret_borrow<py::object>(own->object);
    else if (const auto* late = p.as<LateSender>())
      object.data = py::cast(InstanceObject{MessageObject(late->message, running_->names), late->wait});
    else if (const auto* receiver = p.as<LateReceiver>())
      object.data = py::cast(InstanceObject{MessageObject(receiver->message, running_->names), receiver->wait});
    during(c, [&] { python_->own[Method::published](std::move(object)); });
  }

 private:
  /// All that needs the interpreter's lock to be touched.
  struct Python {
    py::object pattern, context, failure;
    std::array<py::object, methods.size()> own;
    struct Rows {
      RowBuffer<ReceiveRow> receives;
      RowBuffer<SendRow> sends;
      RowBuffer<MemberRow> members;
      RowBuffer<CompletionRow> completions;
      RowBuffer<ThreadRow> threads;
      RowBuffer<LockRow> locks;
      RowBuffer<RmaOperationRow> rma_operations;
      std::int64_t receive_calls = 0, send_calls = 0, collectives = 0, completing_calls = 0, barriers = 0,
                   acquisitions = 0, operations = 0;
      std::vector<std::uint32_t> collective_sizes, barrier_sizes;  ///< of those in `members` and `threads`
    } rows;
  };

  bool has(Method m) const { return python_->own[m].ptr() != nullptr; }

  py::object tables_object() const { return make_run_trace(running_, tables_); }

  template <class Row>
  static void fill_message(Row& row, std::int64_t number, const Message& m) {
    row.number = number;
    row.sender = m.sender, row.receiver = m.receiver;
    row.comm = m.comm;
    row.tag = m.tag;
    row.bytes = m.bytes;
    row.send_time = m.send_time, row.recv_time = m.recv_time;
    row.send = *m.send, row.recv_post = *m.recv_post, row.recv = *m.recv;
  }

  /// Calls Python; what it raises becomes a PythonFailure. With the interpreter's lock held.
  template <class Body>
  void guarded(Body&& body) const {
    try {
      body();
    } catch (py::error_already_set& e) {
      if (running_->nested) std::rethrow_exception(std::exchange(running_->nested, nullptr));
      python_->failure = e.value();
      if (e.trace()) PyException_SetTraceback(e.value().ptr(), e.trace().ptr());
      throw PythonFailure(line_of(e) + '\n' + traceback_of(e));
    }
  }

  template <class Body>
  void during(Context& c, Body&& body) {
    struct Now {
      Running& running;
      Now(Running& r, Context& context) : running(r) {
        running.context = &context;
        running.names->follow(context.call_tree());
      }
      ~Now() { running.context = nullptr; }
    } const now(*running_, c);
    guarded(body);
  }

  void give(Method m, const Event& e, Context& c) {
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

  template <class Row>
  void make_room(RowBuffer<Row>& rows, std::size_t more, Context&) {
    if (rows.fits(more)) return;
    const Interpreter held;
    guarded([&] { rows.reserve(more); });
  }
  template <class Row>
  void flush(Method m, RowBuffer<Row>& rows, Context& c) {
    const Interpreter held;
    during(c, [&] { flush_now(m, rows); });
  }
  template <class Row>
  void flush_now(Method m, RowBuffer<Row>& rows) {
    if (rows.empty()) return;
    if (m == Method::collective_batch) operations(python_->rows.collectives, python_->rows.collective_sizes);
    if (m == Method::team_barrier_batch) operations(python_->rows.barriers, python_->rows.barrier_sizes);
    call(m, rows.take());
    rows.recycle();
    running_->operation_sizes.clear();
  }
  /// Says of how many members each operation of the batch is, whose last one is number `next` - 1.
  void operations(std::int64_t next, std::vector<std::uint32_t>& sizes) {
    running_->first_operation = next - static_cast<std::int64_t>(sizes.size());
    running_->operation_sizes.swap(sizes);
    sizes.clear();
  }
  void flush_all() {
    flush_now(Method::receives_batch, python_->rows.receives);
    flush_now(Method::sends_batch, python_->rows.sends);
    flush_now(Method::collective_batch, python_->rows.members);
    flush_now(Method::completed_collectives_batch, python_->rows.completions);
    flush_now(Method::team_barrier_batch, python_->rows.threads);
    flush_now(Method::lock_batch, python_->rows.locks);
    flush_now(Method::rma_operation_batch, python_->rows.rma_operations);
  }

  const PatternInfo info_;
  std::unique_ptr<Python> python_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
  std::shared_ptr<Tables> tables_;
  unsigned interests_ = 0;
};

}  // namespace

Context& Running::now() const {
  if (context == nullptr)
    throw UsageError("add(), trace and their like are there during the callbacks of a running analysis only");
  return *context;
}

std::size_t Running::metric(const py::handle& number_or_id) const {
  if (py::isinstance<py::str>(number_or_id)) {
    const auto id = number_or_id.cast<std::string>();
    for (std::size_t i = 0; i < metric_ids.size(); ++i)
      if (metric_ids[i] == id) return i;
    throw UsageError("this pattern has no metric '" + id + "'");
  }
  const auto i = number_or_id.cast<std::int64_t>();
  if (i < 0 || static_cast<std::size_t>(i) >= metric_ids.size())
    throw UsageError("this pattern has no metric number " + std::to_string(i) + ": it has " +
                     std::to_string(metric_ids.size()));
  return static_cast<std::size_t>(i);
}

PatternHandle make_python_pattern(const py::object& pattern) {
  auto made = std::make_shared<PythonPattern>(pattern);
  PatternHandle handle{made, made->interests(), Parameters(made->info().parameters)};
  return handle;
}

py::object python_failure(const Pattern& pattern) {
  const auto* python = dynamic_cast<const PythonPattern*>(&pattern);
  return python == nullptr || !python->failure() ? py::object() : python->failure();
}

}  // namespace waitstate::python
