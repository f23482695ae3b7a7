// The methods of a Python pattern: which there are, what each is given, and when batches are handed over. How an event
// comes to Python, compound_forms.hpp says. Long because the methods share the state of one batch.
#include "bind/patterns/python_pattern.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "analysis/dispatch/batch_context.hpp"
#include "bind/events/event.hpp"
#include "bind/patterns/compound_forms.hpp"

namespace waitstate::python {

namespace {

// ---- the methods that a Python pattern may have ----
// First those that are named as in C++, by the number of the callback; then their batch forms; then the others.

enum Other : std::size_t { init = 2 * callback_count, wrapup, configure, confidence, severity, merge, method_count };
constexpr const char* other_names[] = {"init", "wrapup", "configure", "confidence", "severity", "merge"};

constexpr std::size_t single(Callback c) { return static_cast<std::size_t>(c); }
constexpr std::size_t batch(Callback c) { return callback_count + static_cast<std::size_t>(c); }

constexpr const char* batch_names[] = {
#define X(name, ...) #name "_batch",
    WAITSTATE_COMPOUND_EVENTS(X) WAITSTATE_ANALYSIS_EVENTS(X) WAITSTATE_STREAM_EVENTS(X)
#undef X
};

/// Name of a method, null for two that there are not: messages come in batches as completed receives and sends.
constexpr const char* method_name(std::size_t method) {
  if (method == batch(Callback::recv) || method == batch(Callback::send)) return nullptr;
  if (method < callback_count) return callback_names[method];
  return method < init ? batch_names[method - callback_count] : other_names[method - init];
}
/// The callbacks that the engine has to make for it.
constexpr Interests method_interest(std::size_t method) {
  return method < init ? interest(static_cast<Callback>(method % callback_count)) : 0;
}

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

/// A text of Python in UTF-8; characters that UTF-8 does not have are escaped.
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
  /// `failure`: that of all parts; null if the pattern is the first.
  explicit PythonPattern(const py::object& pattern, std::shared_ptr<py::object> failure = nullptr)
      : info_(pattern_info(pattern)), python_(std::make_unique<Python>()) {
    python_->pattern = pattern;
    python_->failure = failure ? std::move(failure) : std::make_shared<py::object>();
    for (const MetricSpec& m : info_.metrics) running_->metric_ids.push_back(m.id);
    running_->needs_stack = info_.needs_stack;
    running_->needs_queue = info_.needs_queue;
    const py::object own = py::module_::import("waitstate.pattern").attr("own_method");
    for (std::size_t i = 0; i < method_count; ++i) {
      if (method_name(i) == nullptr) continue;
      const py::object method = own(pattern, method_name(i));
      if (method.is_none()) continue;
      python_->own[i] = method;
      interests_ |= method_interest(i);
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
    running_.reset();
  }

  Interests interests() const { return interests_; }
  /// It has no method that could add a value or say something.
  bool idle() const {
    return interests_ == 0 && !python_->own[Other::wrapup] && !python_->own[Other::severity] &&
           !py::module_::import("waitstate.pattern").attr("says")(python_->pattern, "headline").cast<bool>();
  }
  py::object take_failure() { return std::exchange(*python_->failure, py::object()); }
  int visit_objects(visitproc visit, void* arg) const {
    Py_VISIT(python_->pattern.ptr());
    Py_VISIT(python_->context.ptr());
    Py_VISIT(python_->failure->ptr());
    for (const py::object& method : python_->own) Py_VISIT(method.ptr());
    return 0;
  }
  py::object object() const { return python_->pattern; }

  PatternInfo info() const override { return info_; }

  /// Another one like this, for another part of the trace; throws UsageError if Python cannot copy it.
  std::shared_ptr<Pattern> another() const {
    const Interpreter held;
    try {
      const py::object copy = py::module_::import("waitstate.pattern").attr("another")(python_->pattern);
      return std::make_shared<PythonPattern>(copy, python_->failure);
    } catch (const py::error_already_set& e) {
      throw UsageError("pattern '" + info_.metrics.front().id +
                       "' runs in parts, but Python cannot copy it: " + line_of(e) + "; make what it keeps in init()");
    }
  }

  void merge(Pattern& from) override {
    auto& other = dynamic_cast<PythonPattern&>(from);
    const Interpreter held;
    other.flush_all(*other.part_);
    if (has(Other::merge)) during(*part_, [&] { python_->own[Other::merge](other.python_->pattern); });
  }

  std::string state() override {
    const Interpreter held;
    flush_all(*part_);
    if (!has(Other::merge)) return {};
    std::string bytes;
    during(*part_, [&] {
      bytes = py::module_::import("waitstate.pattern").attr("state")(python_->pattern).cast<std::string>();
    });
    return bytes;
  }

  void restore(const std::string& state) override {
    if (state.empty()) return;
    const Interpreter held;
    during(*part_,
           [&] { py::module_::import("waitstate.pattern").attr("restore")(python_->pattern, py::bytes(state)); });
  }

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
    part_ = &c;
    *python_->failure = py::object();
    python_->batches = {};
    running_->operation_sizes.clear();
    running_->copies = std::make_unique<RunNames>(c.definitions());
    during(c, [&] {
      py::module_::import("waitstate.pattern").attr("begin")(python_->pattern, python_->context, tables_object());
      if (python_->own[Other::init]) python_->own[Other::init]();
    });
  }

  void wrapup(Context& c) override {
    const Interpreter held;
    flush_all(c);
    const Meanwhile wrapping_up(running_->wrapup);
    during(c, [&] {
      if (python_->own[Other::wrapup]) python_->own[Other::wrapup]();
      if (python_->own[Other::severity])
        py::module_::import("waitstate.pattern").attr("add_severity")(python_->pattern);
    });
  }

  double confidence() const override {
    if (!python_->own[Other::confidence]) return 1;
    const Interpreter held;
    double value = 1;
    guarded([&] { value = python_->own[Other::confidence]().cast<double>(); });
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

  void enter_callback(const Event& e, Context& c) override { hear(Callback::enter, python_->batches.enter, e, c); }
  void exit_callback(const Event& e, Context& c) override { hear(Callback::exit, python_->batches.exit, e, c); }
  void send_callback(const Event& e, Context& c) override { give(Callback::send, e, c); }
  void recv_callback(const Event& e, Context& c) override { give(Callback::recv, e, c); }
  void metric_callback(const Event& e, Context& c) override {
    give(Callback::metric, e, c);
    gather(Callback::metric, python_->batches.metric, MetricRecord{e}, c);
  }
  void event_callback(const Event& e, Context& c) override { hear(Callback::event, python_->batches.event, e, c); }

  // ---- compound events ----

#define X(name, Type) \
  void name##_callback(const Type& e, Context& c) override { hear(Callback::name, python_->batches.name, e, c); }
  WAITSTATE_COMPOUND_EVENTS(X)
  X(overtaken, Overtaken)
#undef X
  void published_callback(const Published& p, Context& c) override {
    const auto* late = p.as<LateSender>();
    const auto* receiver = p.as<LateReceiver>();
    if (has(single(Callback::published))) {
      const Interpreter held;
      const Meanwhile handed_over(running_->receives);
      PublishedObject object{std::string(p.pattern), py::none()};
      if (const auto* own = p.as<PublishedByPython>())
        object.data = py::reinterpret_borrow<py::object>(own->object);
      else if (late != nullptr)
        object.data = py::cast(InstanceObject{MessageObject(late->message, running_->names()), late->wait});
      else if (receiver != nullptr)
        object.data = py::cast(InstanceObject{MessageObject(receiver->message, running_->names()), receiver->wait});
      during(c, [&] { python_->own[single(Callback::published)](std::move(object)); });
    }
    if (late != nullptr)
      gather(Callback::published, python_->batches.published, PublishedWait{late->message, late->wait, false}, c);
    if (receiver != nullptr)
      gather(Callback::published, python_->batches.published, PublishedWait{receiver->message, receiver->wait, true},
             c);
  }

 private:
  /// All that needs the interpreter's lock to be touched.
  struct Python {
    py::object pattern, context;
    std::shared_ptr<py::object> failure;  ///< the exception that one of the parts raised last
    std::array<py::object, method_count> own;
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

  bool has(std::size_t m) const { return python_->own[m].ptr() != nullptr; }

  py::object tables_object() const { return make_run_trace(running_, running_->names()); }

  /// Calls Python; what it raises becomes a PythonFailure, with `given` before it: what the engine cannot say about
  /// what the method was given. With the interpreter's lock held.
  template <class Body>
  void guarded(Body&& body, const std::string& given = {}) const {
    try {
      body();
    } catch (py::error_already_set& e) {
      if (running_->nested) std::rethrow_exception(std::exchange(running_->nested, nullptr));
      if (e.matches(PyExc_AttributeError)) py::module_::import("waitstate.suggestions").attr("explain")(e.value());
      *python_->failure = e.value();
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
        running.copies->follow(context.call_tree());
      }
      ~Now() { running.context = nullptr; }
    } const now(*running_, c);
    guarded(body, given);
  }

  void give(Callback which, const Event& e, Context& c) {
    if (!has(single(which))) return;
    const Interpreter held;
    during(c, [&] { call(single(which), make_event(running_->names(), Event(e))); });
  }
  template <class E>
  void give(Callback which, const E& e, Context& c) {
    if (!has(single(which))) return;
    bool other = false;
    const Meanwhile handed_over(std::is_same_v<E, CompletedReceives> ? running_->receives : other);
    const Interpreter held;
    during(c, [&] { call(single(which), py::cast(typename Form<E>::Object(e, running_->names()))); });
  }
  void call(std::size_t method, const py::object& argument) const {
    PyObject* result = PyObject_CallOneArg(python_->own[method].ptr(), argument.ptr());
    if (result == nullptr) throw py::error_already_set();
    Py_DECREF(result);
  }
  template <class Batch, class E>
  void hear(Callback which, Batch& batch, const E& e, Context& c) {
    give(which, e, c);
    gather(which, batch, e, c);
  }

  /// Puts a compound event into its batch, if the pattern wants batches, and hands on one that is full.
  template <class Batch, class E>
  void gather(Callback which, Batch& batch, const E& e, Context& c) {
    if (!has(python::batch(which))) return;
    if (const auto more = Form<E>::rows(e); !batch.fits(more)) {
      const Interpreter held;
      guarded([&] { batch.reserve(more); });
    }
    Form<E>::fill(batch, e);
    if (!batch.full()) return;
    const Interpreter held;
    flush(which, batch, c);
  }
  template <class Batch>
  void flush(Callback which, Batch& batch, Context& c) {
    if (batch.empty()) return;
    const std::size_t m = python::batch(which);
    struct Operations {  // the number of members of each operation of the batch
      Running& running;
      Operations(Running& r, Batch& of) : running(r) {
        running.first_operation = of.next - static_cast<std::int64_t>(of.members.size());
        running.operation_sizes.swap(of.members);
        of.members.clear();
      }
      ~Operations() { running.operation_sizes.clear(); }
    } const operations(*running_, batch);
    const NoEvent rows_are_of_other_times(c);
    const std::string given = std::string(method_name(m)) + " of " + std::to_string(batch.size()) +
                              (batch.size() == 1 ? " row: " : " rows: ");
    during(
        c, [&] { python_->own[m](*batch.take()); }, given);
    batch.recycle();
  }
  void flush_all(Context& c) {
#define X(name, ...) flush(Callback::name, python_->batches.name, c);
    WAITSTATE_COMPOUND_EVENTS(X)
    WAITSTATE_ANALYSIS_EVENTS(X)
    X(enter) X(exit) X(metric) X(event)
#undef X
  }

  const PatternInfo info_;
  std::unique_ptr<Python> python_;
  std::shared_ptr<Running> running_ = std::make_shared<Running>();
  Interests interests_ = 0;
  Context* part_ = nullptr;  ///< the run's context for this part, since init()
};

}  // namespace

Context& Running::now() const {
  if (context == nullptr)
    throw UsageError("add(), trace and the like are available only during the callbacks of a running analysis");
  return *context;
}

Context& Running::during_receives(const char* method) const {
  Context& c = now();
  if (!receives)
    throw UsageError(std::string(method) +
                     "() is available only in completed_receives_callback and published_callback");
  return c;
}

Context& Running::during_wrapup(const char* method) const {
  Context& c = now();
  if (!wrapup)
    throw UsageError(std::string(method) + "() is available only in wrapup: values are not complete earlier");
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
  handle.idle = made->idle();
  if (py::module_::import("waitstate.pattern").attr("runs_in_parts")(pattern).cast<bool>())
    handle.another = [made] { return made->another(); };
  const py::object type = py::type::of(pattern);
  handle.class_name = to_bytes(type.attr("__name__"));
  handle.place = to_bytes(py::module_::import("waitstate.pattern").attr("place_of")(type));
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
